//! A pair of blocks on one rank, strip after strip.

use std::ops::Range;

use rayon::prelude::*;

use super::beside::Strays;
use super::crossing::Haul;
use super::cut::ROLES;
use super::field;
use super::homes::Homes;
use super::links::Ghosts;
use super::task::JointSweep;
use super::transport::Talk;
use crate::error::Result;
use crate::layer::blocks::Blocks;
use crate::layer::line::{LINE, Line};
use crate::solver::kernel::{LineTile, Log};
use crate::solver::sweep::cross::{Out, Values};
use crate::solver::sweep::rows::{Buffers, Pair};
use crate::solver::sweep::{Apart, Stream, Views, apart, streams, strips, views};

/// What one rank has of a pair.
pub struct OwnPair<'a> {
    pub joint: &'a JointSweep<'a>,
    pub pair: Pair<'a>,
    /// Panels of the smaller half-board that are here.
    pub interval: Range<usize>,
    /// By tile of the interval: crossing moves of the smaller block.
    pub followers: Vec<Vec<Haul<'a>>>,
    pub ghosts: Ghosts,
    /// In block n/2, if there are limits: what stands beside.
    pub strays: Strays,
}

impl<'a> OwnPair<'a> {
    fn homes(&self) -> &'a Homes {
        &self.joint.lists[self.pair.small].homes
    }

    /// Sweeps two blocks that differ, of which the larger one is kept in `late` meanwhile.
    pub fn run(
        &self,
        talk: &Talk,
        planes: &mut [Blocks],
        late: &mut Vec<Line>,
        log: &mut Log,
    ) -> Result<()> {
        let (pair, count, panels) = (self.pair, planes.len(), self.interval.clone());
        let mut buffers = pair.buffers(count, &panels);
        let mut lines = vec![Line::of(0); Values::lines(count, strips(pair.small))];
        let mut values = Values { panels: strips(pair.small), lines: &mut lines };
        let wanted = strips(pair.large) * count * LINE * panels.len();
        if late.len() < wanted {
            *late = Vec::new();
            *late = field::lines(wanted, 0)?;
        }
        let mut planes = apart(planes);
        let mut here = pair.take_panels(&mut pair.take_small(&mut planes), panels.clone());
        let views = views(&planes);
        let mut aside = late.chunks_exact_mut(panels.len());
        for strip in 0..strips(pair.large) {
            let height = pair.height(strip);
            self.cross(strip, panels.clone(), &views, &mut buffers);
            pair.look_back(strip, panels.clone(), &views, &mut buffers);
            self.homes().receive(talk, (count, height), &mut values)?;
            pair.rows(strip, &mut values, &buffers, &mut here, log);
            self.homes().send(talk, (count, height), &values, usize::MAX)?;
            for plane in 0..count {
                for (at, aside) in (0..LINE).zip(&mut aside) {
                    aside.copy_from_slice(&values.row(plane, at)[panels.clone()]);
                }
            }
        }
        drop(views);
        self.settle(late, &mut planes, log);
        Ok(())
    }

    /// Sweeps block n/2 with itself: a strip is 64 shells, and belongs to the rank that has its panel.
    pub fn run_alone(&self, talk: &Talk, planes: &mut [Blocks], log: &mut Log) -> Result<()> {
        let (JointSweep { cut, rank, .. }, pair) = (self.joint, self.pair);
        let (half, count) = (pair.small, planes.len());
        let mut buffers = pair.buffers(count, &self.interval);
        let mut lines = vec![Line::of(0); Values::lines(count, strips(half))];
        let mut values = Values { panels: strips(half), lines: &mut lines };
        let mut planes = apart(planes);
        let mut here = pair.take_panels(&mut pair.take_small(&mut planes), self.interval.clone());
        let views = views(&planes);
        // No lower rank's panels are in the way of the first strips.
        for strip in self.interval.start..strips(half) {
            let (height, owner) = (pair.height(strip), cut.owner(half, strip));
            let panels = self.interval.start..self.interval.end.min(strip + 1);
            here.count = panels.len();
            self.cross(strip, panels.clone(), &views, &mut buffers);
            if owner == *rank {
                if self.joint.sweep.is_of_core() {
                    pair.look_back_in(strip, panels, &here, &mut buffers);
                }
                for lower in 0..*rank {
                    let (all, size) = (columns(cut.interval(half, lower)), (count, LINE));
                    self.homes().receive_columns(talk, lower, all, size, &mut values)?;
                }
            } else {
                self.look_beside(strip, panels, &mut buffers);
                self.homes().receive(talk, (count, height), &mut values)?;
            }
            pair.shells(strip, &mut values, &buffers, &mut here, log);
            if owner != *rank {
                self.homes().send(talk, (count, height), &values, owner)?;
                let (all, size) = (columns(self.interval.clone()), (count, LINE));
                self.homes().send_columns(talk, owner, all, size, &values)?;
            }
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
    panels.into_par_iter().zip(&mut tiles).for_each(|(panel, tile)| compute(panel, tile));
    tiles.iter().enumerate().for_each(|(at, tile)| buffer.put(at, tile));
}
