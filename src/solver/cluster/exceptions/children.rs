//! Children by quiet moves: which a rank's positions have, and what planes have there.

use rayon::prelude::*;

use super::ground::Ground;
use super::moves::{Step, TileMoves};
use crate::layer::blocks::{LINE, Line, set_lanes};
use crate::layer::index::Cell;
use crate::solver::cluster::part::Part;
use crate::solver::exceptions::claims::Strip;
use crate::solver::kernel::Children;
use crate::solver::plan::OUTSIDE;

/// What a rank sees of a plane in a pair: its part, and what others sent.
#[derive(Clone, Copy)]
pub struct Seen<'s> {
    pub parts: &'s [Part],
    pub ghosts: &'s [Vec<Line>],
}

/// A child by a quiet move.
pub struct Child {
    pub cell: Cell,
    /// The lane of the mover's strip.
    pub lane: usize,
    /// If others have it: link, and line there.
    there: Option<(usize, usize)>,
}

impl Seen<'_> {
    /// What a child has in the plane.
    #[inline(always)]
    pub fn score(&self, child: &Child) -> i8 {
        let Cell { own, row, column } = child.cell;
        match child.there {
            Some((link, line)) => self.ghosts[link][line].0[child.lane],
            None => score(&self.parts[own], row, column),
        }
    }
}

/// What a position of a part has.
pub fn score(part: &Part, row: usize, column: usize) -> i8 {
    part.panel(column / LINE)[row - part.rows.start].0[column % LINE]
}

impl<'a> Ground<'a> {
    /// By block: the moves of the tiles here, panel after panel.
    pub fn moves(&self) -> Vec<Vec<TileMoves<'a>>> {
        let of_tile = |own| move |tile| TileMoves::new(self, own, tile);
        let of_block = |own| self.area(own).tiles.into_par_iter().map(of_tile(own)).collect();
        (0..self.plan.blocks.len()).map(of_block).collect()
    }

    /// What a plane has in a strip; 0 where there is no position.
    pub fn scores(&self, parts: &[Part], Strip { own, column, panel }: Strip) -> [i8; LINE] {
        let mut scores = [0; LINE];
        for (found, &row) in scores.iter_mut().zip(self.rows_of(own, panel)) {
            if row != OUTSIDE {
                *found = score(&parts[own], row as usize, column);
            }
        }
        scores
    }

    /// Of some lanes of a strip those whose child by a move has what is wanted.
    pub fn equal(&self, seen: Seen, at: (Strip, &Step), wanted: &Line, lanes: u64) -> u64 {
        let (Strip { own, panel, .. }, step) = at;
        let (links, mut equal) = (self.links_of(own), 0);
        let row = step.found.row as usize;
        if self.has_row(step.block(), row) {
            let part = &seen.parts[step.block()];
            let (lines, rows, first) = (&part.lines[..], part.height(), part.panels.start);
            let windows = self.here(step.transit, step.block(), panel);
            let row = row - part.rows.start;
            let children = Children { lines, rows, first, row, windows };
            equal |= self.kernel.equal(children, wanted, lanes);
        }
        let Some((link, row)) = step.there() else { return equal };
        let Some(window) = self.there((links, link), (step.transit, step.block()), panel) else {
            return equal;
        };
        let windows = std::slice::from_ref(&window);
        let (lines, rows) = (&seen.ghosts[link][..], links.links[link].height());
        let children = Children { lines, rows, first: 0, row, windows };
        equal | self.kernel.equal(children, wanted, lanes)
    }

    /// Shows the children of some positions of a strip, house after house.
    #[inline(always)]
    pub fn each_child<'s>(
        &self,
        (Strip { own, panel, .. }, steps): (Strip, &'s [Step<'a>]),
        wanted: u64,
        mut see: impl FnMut(&'s Step<'a>, &Child),
    ) {
        let links = self.links_of(own);
        for step in steps {
            let row = step.found.row as usize;
            let is_here = self.has_row(step.block(), row);
            let panels = &self.share(step.block()).panels;
            for window in step.transit.quiet.of_line(panel) {
                let is_here = is_here && panels.contains(&(window.panel as usize));
                let line = |(link, row): (usize, usize)| {
                    let found = &links.links[link];
                    let slot = found.slot(panel).expect("a line that others sent") as usize;
                    (link, slot * found.height() + row)
                };
                for lane in set_lanes(window.lanes & wanted) {
                    let column = window.column(lane);
                    let there = || line(step.there().expect("a row that others sent"));
                    let there = if is_here { None } else { Some(there()) };
                    see(
                        step,
                        &Child { cell: Cell { own: step.block(), row, column }, lane, there },
                    );
                }
            }
        }
    }
}
