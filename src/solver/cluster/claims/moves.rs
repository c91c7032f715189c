//! The quiet moves of a rank's positions, tile by tile, and where their children are: here, or among
//! what others sent.

use crate::game::board::HOUSES;
use crate::layer::blocks::LINE;
use crate::layer::index::rows;
use crate::solver::cluster::cut::Role;
use crate::solver::cluster::links::Links;
use crate::solver::plan::{LayerPlan, RowMove, Transit};

/// The moves of 64 columns.
pub struct TileMoves<'a> {
    /// By column, house after house.
    steps: Vec<Step<'a>>,
    /// Where each column's begin; one more than columns.
    starts: Vec<u16>,
}

/// One move of a column.
pub struct Step<'a> {
    /// What it does to the mover's row.
    pub found: &'a RowMove,
    /// What it does to the opponent's.
    pub transit: &'a Transit,
    /// The row of children that others have: link, and row there.
    there: Option<(u32, u32)>,
    block: u8,
}

impl Step<'_> {
    /// The block of its children.
    pub fn block(&self) -> usize {
        self.block.into()
    }

    /// The row of children that others have: link, and row there.
    pub fn there(&self) -> Option<(usize, usize)> {
        self.there.map(|(link, row)| (link as usize, row as usize))
    }
}

impl<'a> TileMoves<'a> {
    /// Bytes that a column takes: six moves.
    pub const BYTES: usize = HOUSES * size_of::<Step>() + size_of::<u16>();

    /// The moves of a tile's columns, given where in its pair a block finds what others have.
    pub fn new(
        plan: &'a LayerPlan<'a>,
        (links, role): (&Links, Role),
        own: usize,
        tile: usize,
    ) -> TileMoves<'a> {
        let (block, opponent) = (&plan.blocks[own], plan.opponent(own));
        let link_of = |crossed| links.find(role, crossed);
        let by_crossing: Vec<Option<usize>> = (0..=own).map(link_of).collect();
        let (mut steps, mut starts) = (Vec::new(), vec![0]);
        for column in tile * LINE..rows(own).min((tile + 1) * LINE) {
            for (found, transit) in block.transits(column) {
                let link = by_crossing[transit.crossed];
                let row = |link: usize| links.links[link].place(found.row);
                let there = link.and_then(|link| Some((link as u32, row(link)? as u32)));
                let block = (opponent + transit.crossed) as u8;
                steps.push(Step { found, transit, block, there });
            }
            starts.push(steps.len() as u16);
        }
        TileMoves { steps, starts }
    }

    /// How many moves there are.
    pub fn count(&self) -> usize {
        self.steps.len()
    }

    /// The moves of columns before this one.
    pub fn before(&self, place: usize) -> usize {
        self.starts[place].into()
    }

    /// The moves of a column, house after house.
    pub fn of_column(&self, place: usize) -> &[Step<'a>] {
        &self.steps[self.before(place)..self.before(place + 1)]
    }
}
