//! What the passes over a layer look at, 64 positions at a time.

use std::ops::RangeInclusive;

use super::moments::{Moments, idle, pays};
use crate::error::{Error, Result};
use crate::layer::arena::Arena;
use crate::layer::blocks::{LINE, set_lanes};
use crate::layer::index::{Cell, Layer};
use crate::layer::plane::Plane;
use crate::layer::solved::{Marks, Solved, Strategy};
use crate::solver::kernel::{Kernel, Tile};
use crate::solver::observer::Observer;
use crate::solver::plan::{LayerPlan, OUTSIDE, RowMove};

/// What the passes work with.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// How lines are handled.
    pub kernel: Kernel,
    /// Where memory comes from.
    pub arena: &'a Arena,
    /// Who may ask for an end.
    pub observer: &'a dyn Observer,
}

/// What the passes work on.
pub struct Search<'a> {
    pub plan: &'a LayerPlan<'a>,
    pub means: Means<'a>,
    pub layer: Layer,
    pub low: &'a Plane,
    pub high: &'a Plane,
    /// Where a capture, or the end of the game, brings what the mover claims.
    pub done: &'a Marks,
    pub strategy: &'a Strategy,
    pub moments: Moments<'a>,
    /// The largest claim about which nothing need be done.
    pub idle: i8,
    /// By block: the largest claim of the mover that a cycle pays which is cut there.
    pub pays: Vec<i8>,
}

/// One row of the mover and 64 of the opponent's rows.
#[derive(Clone, Copy)]
pub struct Strip {
    pub own: usize,
    pub column: usize,
    pub panel: usize,
}

impl<'a> Search<'a> {
    /// `None` if the layer has no stamps, or nobody knows which positions captures settle.
    pub fn of(plan: &'a LayerPlan<'a>, means: Means<'a>, solved: &'a Solved) -> Option<Search<'a>> {
        let (strategy, done) = (solved.strategy.as_ref()?, &solved.attained.as_ref()?.low);
        let (low, high) = solved.bounds();
        let layer = plan.layer;
        let (seeds, moments) = (layer.seeds().get(), Moments { plan, holds: strategy.holds });
        let (idle, pays) = (idle(plan.rules, seeds), pays(plan.rules, seeds));
        Some(Search { plan, means, layer, low, high, done, strategy, moments, idle, pays })
    }

    /// Keeps to the bound of memory, and ends if somebody asks for it.
    ///
    /// # Errors
    /// [`Error::Interrupted`] then.
    pub fn go_on(&self) -> Result<()> {
        self.means.arena.keep();
        if self.means.observer.interrupted() { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// The blocks of the layer.
    pub fn blocks(&self) -> RangeInclusive<usize> {
        0..=self.layer.seeds().get()
    }

    pub fn panels(&self, own: usize) -> usize {
        self.plan.blocks[own].lane_rows.len().div_ceil(LINE)
    }

    /// The rows of a block that the lanes of a panel stand for; [`OUTSIDE`] for those it has not.
    pub fn rows_of(&self, own: usize, panel: usize) -> &'a [u32] {
        self.plan.rows_of(own, panel)
    }

    /// The scores in one of the planes of the 64 columns around a strip's, a line for each column;
    /// 0 where there is no position.
    pub fn columns(&self, plane: &Plane, strip: Strip) -> Tile {
        let (blocks, mut tile) = (plane.blocks(), Tile::of(0));
        let (block, shape) = (blocks.block(strip.own), blocks.shape(strip.own));
        for (line, &row) in tile.0.iter_mut().zip(self.rows_of(strip.own, strip.panel)) {
            if row != OUTSIDE {
                *line = block[shape.line(row as usize, strip.column)];
            }
        }
        self.means.kernel.transpose(&mut tile);
        tile
    }

    /// The scores of a strip in one of the planes; 0 where there is no position.
    pub fn scores(&self, plane: &Plane, strip: Strip) -> [i8; LINE] {
        let (blocks, mut scores) = (plane.blocks(), [0; LINE]);
        let block = blocks.block(strip.own);
        let (shape, at) = (blocks.shape(strip.own), strip.column % LINE);
        for (lane, &row) in self.rows_of(strip.own, strip.panel).iter().enumerate() {
            if row != OUTSIDE {
                scores[lane] = block[shape.line(row as usize, strip.column)].0[at];
            }
        }
        scores
    }

    /// Shows the children of some positions of a strip by quiet moves, house after house.
    #[inline(always)]
    pub fn each_child(
        &self,
        strip: Strip,
        wanted: u64,
        mut see: impl FnMut(&RowMove, usize, Cell),
    ) {
        let opponent = self.plan.opponent(strip.own);
        for (found, transit) in self.plan.blocks[strip.own].transits(strip.column) {
            let (own, row) = (opponent + transit.crossed, found.row as usize);
            for window in transit.quiet.of_line(strip.panel) {
                for lane in set_lanes(window.lanes & wanted) {
                    see(found, lane, Cell { own, row, column: window.column(lane) });
                }
            }
        }
    }
}
