//! One dense sweep on all ranks: position by position in the order of [`crate::solver::sweep`], so that it
//! changes the same scores.
//!
//! ```text
//!   for each pair:
//!     exchange what crossing moves lead to                          (`links`)
//!     for each strip of the larger half-board:
//!       cross    own lanes, both roles                              (`task`)
//!       receive  from lower ranks what home moves lead to           (`homes`)
//!       rows     in order, own panels
//!       send     the same to higher ranks
//!     settle   own rows of the larger block
//! ```

use std::ops::Range;

use zerocopy::IntoBytes;

use super::beside::Strays;
use super::cut::{ROLES, Role};
use super::field;
use super::homes::all_rows;
use super::links::Ghosts;
use super::task::{Haul, JointSweep};
use super::transport::{Purpose, Talk, Team};
use crate::error::Result;
use crate::layer::blocks::Blocks;
use crate::layer::line::{LINE, Line};
use crate::parallel;
use crate::solver::kernel::{LineTile, Log};
use crate::solver::sweep::cross::{Out, Values};
use crate::solver::sweep::rows::{Buffers, Pair};
use crate::solver::sweep::{Apart, Stream, Sweep, Views, apart, streams, strips, views};

impl JointSweep<'_> {
    /// Goes once over the whole layer and notes what changes on this rank. The leader says before each
    /// pair whether to end. What a pair computes in its larger block is in `late`, whose memory is kept
    /// from pair to pair.
    ///
    /// # Errors
    /// Those of [`Team`].
    pub fn run(
        &self,
        team: &Team,
        planes: &mut [Blocks],
        late: &mut Vec<Line>,
        log: &mut Log,
    ) -> Result<()> {
        for small in 0..self.lists.len() {
            team.go_on(self.sweep.observer.interrupted())?;
            team.session(|talk| self.run_pair(talk, small, planes, late, log))?;
        }
        Ok(())
    }

    fn run_pair(
        &self,
        talk: &Talk,
        small: usize,
        planes: &mut [Blocks],
        late: &mut Vec<Line>,
        log: &mut Log,
    ) -> Result<()> {
        let Sweep { plan, kernel, .. } = self.sweep;
        let pair = Pair { sweep: &self.sweep, small, large: plan.opponent(small) };
        let links = &self.lists[small].links;
        let ghosts = links.exchange(talk, planes, kernel, Purpose::Crossing)?;
        let strays = match self.sweep.bounds {
            Some(_) => self.strays(talk, small, planes, Purpose::Home)?,
            None => Strays::default(),
        };
        let interval = self.cut.interval(small, self.rank);
        if interval.is_empty() {
            return Ok(());
        }
        let followers = interval.clone().map(|tile| self.hauls((small, Role::Follow), tile));
        let followers = followers.collect();
        let own = OwnPair { joint: self, pair, interval, followers, ghosts, strays };
        own.run(talk, planes, late, log)
    }
}

/// What one rank has of a pair.
struct OwnPair<'a> {
    joint: &'a JointSweep<'a>,
    pair: Pair<'a>,
    /// Panels of the smaller half-board that are here.
    interval: Range<usize>,
    /// By tile of the interval: crossing moves of the smaller block.
    followers: Vec<Vec<Haul<'a>>>,
    ghosts: Ghosts,
    /// In block n/2, if there are limits: what stands beside.
    strays: Strays,
}

impl OwnPair<'_> {
    /// Sweeps both blocks, of which the larger one is kept in `late` until the pair is done. A strip of
    /// block n/2, which is both, is 64 shells, and belongs to the rank that has its panel: no lower
    /// rank's panels are in the way of the first ones.
    fn run(
        &self,
        talk: &Talk,
        planes: &mut [Blocks],
        late: &mut Vec<Line>,
        log: &mut Log,
    ) -> Result<()> {
        let (JointSweep { cut, rank, lists, .. }, pair) = (self.joint, self.pair);
        let homes = &lists[pair.small].homes;
        let (count, interval, is_half) = (planes.len(), &self.interval, pair.small == pair.large);
        let mut buffers = pair.buffers(count, interval);
        let mut lines = vec![Line::of(0); Values::lines(count, strips(pair.small))];
        let mut values = Values { panels: strips(pair.small), lines: &mut lines };
        let aside = if is_half { 0 } else { strips(pair.large) * count * LINE * interval.len() };
        if late.len() < aside {
            *late = Vec::new();
            *late = field::lines(aside, 0)?;
        }
        let mut planes = apart(planes);
        let mut here = pair.take_panels(&mut pair.take_small(&mut planes), interval.clone());
        let views = views(&planes);
        let mut aside = late.chunks_exact_mut(interval.len());
        let first = if is_half { interval.start } else { 0 };
        for strip in first..strips(pair.large) {
            let end = if is_half { interval.end.min(strip + 1) } else { interval.end };
            let (panels, size) = (interval.start..end, (count, pair.height(strip)));
            let owner = is_half.then(|| cut.owner(pair.small, strip));
            here.count = panels.len();
            self.cross(strip, panels.clone(), &views, &mut buffers);
            if owner == Some(*rank) {
                if self.joint.sweep.is_of_core() {
                    pair.look_back_in(strip, panels, &here, &mut buffers);
                }
                for lower in 0..*rank {
                    let (all, size) = (columns(cut.interval(pair.small, lower)), (count, LINE));
                    let put = |plane, at, part: &[u8]| {
                        let row = values.row_mut(plane, at).as_mut_bytes();
                        row[all.clone()].copy_from_slice(part);
                    };
                    homes.receive_columns(talk, lower, all.len(), size, put)?;
                }
            } else {
                match owner {
                    None => pair.look_back(strip, panels, &views, &mut buffers),
                    Some(_) => self.look_beside(strip, panels, &mut buffers),
                }
                homes.receive(talk, size, &mut values)?;
            }
            let Some(owner) = owner else {
                pair.rows(strip, &mut values, &buffers, &mut here, log);
                homes.send(talk, size, &values, usize::MAX)?;
                for ((plane, at), aside) in all_rows(count, LINE).zip(&mut aside) {
                    aside.copy_from_slice(&values.row(plane, at)[interval.clone()]);
                }
                continue;
            };
            pair.shells(strip, &mut values, &buffers, &mut here, log);
            if owner != *rank {
                homes.send(talk, size, &values, owner)?;
                let (all, size) = (columns(interval.clone()), (count, LINE));
                homes.send_columns(talk, owner, all.len(), size, |plane, at, scores| {
                    scores.extend_from_slice(&values.row(plane, at).as_bytes()[all.clone()]);
                })?;
            }
        }
        drop(views);
        if !is_half {
            self.settle(late, &mut planes, log);
        }
        Ok(())
    }

    /// The first stage of a strip, in some of the own panels.
    fn cross(&self, strip: usize, panels: Range<usize>, views: &Views, buffers: &mut Buffers) {
        let (joint, [lead, follow]) = (self.joint, ROLES.map(|role| (self.pair.small, role)));
        let leaders = joint.hauls(lead, strip);
        for Stream { here, there } in streams(views.len()) {
            let plane = (here, &views[there][..], &self.ghosts[there][..]);
            each_tile(panels.clone(), &mut buffers.lead[here].out(), |line, out| {
                joint.cross(lead, (&leaders, strip, line), plane, out);
            });
            each_tile(panels.clone(), &mut buffers.follow[here].out(), |tile, out| {
                let hauls = &self.followers[tile - self.interval.start];
                joint.cross(follow, (hauls, tile, strip), plane, out);
                joint.sweep.kernel.transpose(out);
            });
        }
    }

    /// If there are limits: looks what the panel of a strip of block n/2 was that another rank has.
    fn look_beside(&self, strip: usize, lines: Range<usize>, buffers: &mut Buffers) {
        let Strays { planes, bounds } = &self.strays;
        let Some(first) = planes.first() else { return };
        let panel = |plane: usize| {
            [&planes[plane], &bounds[plane]].map(|stray| stray.panels(0, strip..strip + 1))
        };
        self.pair.look_at(lines, first.shape(0).first_row, panel, buffers);
    }

    /// Stores the own rows of the larger block, strip by strip and plane by plane as they were kept.
    fn settle(&self, late: &[Line], planes: &mut [Apart], log: &mut Log) {
        let (large, width) = (self.pair.large, self.interval.len());
        let (mut kept, rows) = (late.chunks_exact(LINE * width), &self.joint.shares[large].rows);
        for strip in 0..strips(large) {
            for (plane, blocks) in planes.iter_mut().enumerate() {
                let values = (kept.next().expect("all strips and planes"), width);
                let own = strip * rows.len()..(strip + 1) * rows.len();
                let panel = (blocks[large].reborrow().range(own), rows.start);
                self.pair.settle((plane, strip), self.interval.clone(), values, panel, log);
            }
        }
    }
}

/// The columns of some panels.
fn columns(panels: Range<usize>) -> Range<usize> {
    panels.start * LINE..panels.end * LINE
}

/// Computes tiles, on several threads if there are any to spare, and puts them into a buffer whose
/// panels begin with these.
fn each_tile(
    panels: Range<usize>,
    buffer: &mut Out,
    compute: impl Fn(usize, &mut LineTile) + Sync + Send,
) {
    if rayon::current_num_threads() == 1 || panels.len() == 1 {
        let mut tile = LineTile::of(0);
        return panels.enumerate().for_each(|(at, panel)| {
            compute(panel, &mut tile);
            buffer.put(at, &tile);
        });
    }
    let mut tiles = vec![LineTile::of(0); panels.len()];
    parallel::each_of(panels.zip(&mut tiles), |(panel, tile)| compute(panel, tile));
    tiles.iter().enumerate().for_each(|(at, tile)| buffer.put(at, tile));
}
