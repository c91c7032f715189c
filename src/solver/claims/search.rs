//! What the passes over a layer look at, 64 positions at a time.

use std::ops::RangeInclusive;

use crate::error::{Error, Result};
use crate::layer::arena::Arena;
use crate::layer::blocks::LINE;
use crate::layer::index::Layer;
use crate::layer::plane::Plane;
use crate::layer::solved::Marks;
use crate::solver::kernel::{Kernel, Tile};
use crate::solver::observer::Observer;
use crate::solver::plan::{LayerPlan, OUTSIDE};

use super::open::{Asking, TileOf};

/// What the passes work with.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// How lines are handled.
    pub kernel: Kernel,
    /// Where memory comes from.
    pub arena: &'a Arena,
    /// Where it comes from for what is met, which is looked up here and there, if not from the same
    /// piece.
    pub near: Option<&'a Arena>,
    /// Who may ask for an end.
    pub observer: &'a dyn Observer,
    /// Which claims ask for something.
    pub asking: Asking,
    /// By which moves they are met.
    pub play: Play,
    /// How many entries the list of the last open claims may have while sweeps still find something.
    pub entries: u64,
}

/// The moves by which the mover's claims are met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// Default moves, and exceptions that are found: a strategy.
    ByDefault,
    /// Any tight moves: whether all claims are met shows sooner.
    ByAny,
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
}

impl<'a> Search<'a> {
    pub fn new(
        plan: &'a LayerPlan<'a>,
        means: Means<'a>,
        (low, high): (&'a Plane, &'a Plane),
        done: &'a Marks,
    ) -> Search<'a> {
        Search { plan, means, layer: plan.layer, low, high, done }
    }

    /// Whether both bounds are one plane. Then a move that keeps the mover's claim is the same as a
    /// tight reply.
    pub fn is_exact(&self) -> bool {
        std::ptr::eq(self.low, self.high)
    }

    /// Keeps to the bound of memory, and ends if the observer asks for it.
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

    /// The scores of a plane in a tile, a line for each column; 0 where there is no position.
    pub fn columns(&self, plane: &Plane, at: TileOf) -> Tile {
        let (blocks, mut tile) = (plane.blocks(), Tile::of(0));
        let (block, shape) = (blocks.block(at.own), blocks.shape(at.own));
        for (line, &row) in tile.0.iter_mut().zip(self.rows_of(at.own, at.panel)) {
            if row != OUTSIDE {
                *line = block[shape.line(row as usize, at.columns * LINE)];
            }
        }
        self.means.kernel.transpose(&mut tile);
        tile
    }

    /// For each lane of a tile, the columns where a capture or the end of the game brings the
    /// mover's claim.
    pub fn done(&self, tile: TileOf) -> [u64; LINE] {
        let (words, done) = self.done.block(tile.own);
        let mut columns = [0; LINE];
        for (columns, &row) in columns.iter_mut().zip(self.rows_of(tile.own, tile.panel)) {
            if row != OUTSIDE {
                *columns = done[row as usize * words + tile.columns];
            }
        }
        columns
    }
}
