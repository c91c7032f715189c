//! The first stage of a strip on one rank: what captures and crossing moves leave.

use std::borrow::Cow;

use super::captures::area;
use super::cut::Role;
use super::task::JointSweep;
use crate::layer::blocks::Rectangle;
use crate::layer::line::Line;
use crate::layer::lines::Lines;
use crate::solver::kernel::{LineTile, PassageChildren, Pull};
use crate::solver::plan::Transit;
use crate::solver::sweep::Sweep;
use crate::solver::windows::inside;

/// Children that rows of a tile cross to with one passage, and where their scores are.
pub struct Haul<'a> {
    transit: &'a Transit,
    pulls: Cow<'a, [Pull]>,
    place: Whereabouts,
}

/// Where scores are.
#[derive(Clone, Copy)]
enum Whereabouts {
    /// In a block of this rank.
    Here { block: usize },
    /// Among those that came from others.
    Elsewhere { link: usize, block: usize },
}

impl JointSweep<'_> {
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
                hauls.push(Haul { transit, pulls, place: Whereabouts::Here { block } });
            }
            if let Some(link) = links.find(role, transit.crossed) {
                let lines = &links.links[link];
                let mut moved = Vec::with_capacity(pulls.len());
                let place =
                    |pull: &Pull| Some(Pull { row: lines.place(pull.row)? as u32, ..*pull });
                moved.extend(pulls.iter().filter_map(place));
                let (pulls, place) = (moved.into(), Whereabouts::Elsewhere { link, block });
                hauls.push(Haul { transit, pulls, place });
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
            let windows = haul.transit.quiet.of_line(line);
            let elsewhere;
            let (lines, rows, first, windows, ahead) = match haul.place {
                Whereabouts::Here { block } => {
                    let Rectangle { panels, rows } = &self.shares[block];
                    let ahead = haul.transit.quiet.of_line(line + 1);
                    let [windows, ahead] = [windows, ahead].map(|all| inside(all, panels));
                    (plane[block], rows.len(), panels.start, windows, ahead)
                }
                Whereabouts::Elsewhere { link, block } => {
                    let found = &self.lists[small].links.links[link];
                    let here = self.cut.by_columns(block).then_some(&self.shares[block].panels);
                    let Some(window) = found.window(line, windows, here) else { continue };
                    elsewhere = [window];
                    (Lines::Byte(&ghosts[link]), found.height(), 0, &elsewhere[..], &[][..])
                }
            };
            let (pulls, captured) = (&*haul.pulls, 0);
            let source = PassageChildren { lines, rows, first, windows, ahead, pulls, captured };
            kernel.pull(&mut out.0, 1, std::iter::once(source));
        }
    }
}
