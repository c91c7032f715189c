//! What ranks compute in a sweep, the lists that they compute it by, and the first stage of a strip: what
//! captures and crossing moves leave.

use std::borrow::Cow;

use super::beside::{Beside, Strays};
use super::cut::{Cut, Reach, Role, area};
use super::homes::Homes;
use super::links::{Links, Spreads};
use super::transport::{Purpose, Talk};
use crate::error::Result;
use crate::layer::blocks::{Blocks, Rectangle};
use crate::layer::line::Line;
use crate::layer::lines::Lines;
use crate::solver::kernel::{LineTile, PassageChildren, Pull};
use crate::solver::plan::{LayerPlan, Transit};
use crate::solver::sweep::Sweep;
use crate::solver::windows::inside;

/// What a rank knows of a pair once and for all sweeps.
#[derive(Debug)]
pub struct PairLists {
    /// Crossing moves.
    pub links: Links,
    /// Home moves.
    pub homes: Homes,
}

impl PairLists {
    /// Those of all pairs of a layer.
    pub fn all(plan: &LayerPlan, cut: &Cut, rank: usize, spreads: &mut Spreads) -> Vec<PairLists> {
        let mut lists = |small| PairLists {
            links: Links::new(plan, cut, small, rank, Reach::Computed, spreads),
            homes: Homes::new(plan, cut, small, rank),
        };
        (0..=plan.layer.seeds().get() / 2).map(&mut lists).collect()
    }
}

/// What a rank computes in a sweep.
pub struct JointSweep<'a> {
    /// What all of them compute, of which this one has its part.
    pub sweep: Sweep<'a>,
    /// Who has what.
    pub cut: &'a Cut,
    /// This rank.
    pub rank: usize,
    /// What it has, by block.
    pub shares: &'a [Rectangle],
    /// By pair.
    pub lists: &'a [PairLists],
}

/// Children that rows of a tile cross to with one passage, and where their scores are.
pub struct Haul<'a> {
    transit: &'a Transit,
    pulls: Cow<'a, [Pull]>,
    block: usize,
    /// Over which link scores came that others have; none for those of this rank.
    link: Option<usize>,
}

impl JointSweep<'_> {
    /// Who stands where in block n/2, if that is both blocks of a pair.
    pub fn beside(&self, small: usize) -> Option<Beside<'_>> {
        let beside = Beside::of(self.sweep.plan, self.cut, self.rank);
        beside.filter(|beside| beside.half == small)
    }

    /// Gets what stands beside the own panels of planes, and of bounds if there are limits.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn strays(
        &self,
        talk: &Talk,
        small: usize,
        planes: &[Blocks],
        purpose: Purpose,
    ) -> Result<Strays> {
        let Some(beside) = self.beside(small) else { return Ok(Strays::default()) };
        let fetch = |plane| beside.fetch(talk, plane, purpose);
        let planes = planes.iter().map(fetch).collect::<Result<_>>()?;
        let bounds = self.sweep.bounds.into_iter().flatten();
        Ok(Strays { planes, bounds: bounds.map(fetch).collect::<Result<_>>()? })
    }

    /// The crossing moves of a role of a pair in a tile.
    pub fn hauls(&self, (small, role): (usize, Role), tile: usize) -> Vec<Haul<'_>> {
        let JointSweep { sweep: Sweep { plan, .. }, shares, lists, .. } = self;
        let (links, mut hauls) = (&lists[small].links, Vec::new());
        let own = match role {
            Role::Lead => plan.opponent(small),
            Role::Follow => small,
        };
        for (transit, pulls) in plan.blocks[own].groups(tile) {
            let block = plan.opponent(own) + transit.crossed;
            let Rectangle { panels, rows } = &shares[block];
            if !panels.is_empty() {
                // They come in the order of their rows.
                let end = |end: usize| pulls.partition_point(|pull| (pull.row as usize) < end);
                let here = &pulls[end(rows.start)..end(rows.end)];
                let shift = rows.start as u32;
                let moved = |pull: &Pull| Pull { row: pull.row - shift, ..*pull };
                let pulls = match shift {
                    0 => Cow::Borrowed(here),
                    _ => here.iter().map(moved).collect(),
                };
                hauls.push(Haul { transit, pulls, block, link: None });
            }
            if let Some(link) = links.find(role, transit.crossed) {
                let lines = &links.links[link];
                let mut moved = Vec::with_capacity(pulls.len());
                let place =
                    |pull: &Pull| Some(Pull { row: lines.place(pull.row)? as u32, ..*pull });
                moved.extend(pulls.iter().filter_map(place));
                hauls.push(Haul { transit, pulls: moved.into(), block, link: Some(link) });
            }
        }
        hauls.retain(|haul| !haul.pulls.is_empty());
        hauls
    }

    /// Computes what captures and the moves of a tile leave in a line of lanes, with the scores of a
    /// plane and what came from others.
    pub fn cross(
        &self,
        (small, role): (usize, Role),
        (hauls, tile, line): (&[Haul], usize, usize),
        (here, plane, ghosts): (usize, &[Lines], &[Vec<Line>]),
        out: &mut LineTile,
    ) {
        let Sweep { plan, kernel, .. } = self.sweep;
        self.sweep.enforce_bound_at(line);
        self.sweep.spread(here, (area(plan, small, role), tile, line), &mut out.0, 1);
        for haul in hauls {
            let Haul { transit, pulls, block, link } = haul;
            let (windows, Rectangle { panels, rows }) =
                (transit.quiet.of_line(line), &self.shares[*block]);
            let elsewhere;
            let (lines, rows, first, windows, ahead) = match *link {
                None => {
                    let ahead = transit.quiet.of_line(line + 1);
                    let [windows, ahead] = [windows, ahead].map(|all| inside(all, panels));
                    (plane[*block], rows.len(), panels.start, windows, ahead)
                }
                Some(link) => {
                    let found = &self.lists[small].links.links[link];
                    let here = self.cut.by_columns(*block).then_some(panels);
                    let Some(window) = found.window(line, windows, here) else { continue };
                    elsewhere = [window];
                    (Lines::Byte(&ghosts[link]), found.height(), 0, &elsewhere[..], &[][..])
                }
            };
            let source = PassageChildren { lines, rows, first, windows, ahead, pulls, captured: 0 };
            kernel.pull(&mut out.0, 1, std::iter::once(source));
        }
    }
}
