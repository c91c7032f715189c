//! What the passes over a layer look at, 64 positions at a time.

use std::ops::RangeInclusive;

use crate::error::{Error, Result};
use crate::game::rules::{Endless, Rules};
use crate::layer::arena::Arena;
use crate::layer::blocks::LINE;
use crate::layer::index::Layer;
use crate::layer::plane::Plane;
use crate::layer::solved::{Marks, Solved};
use crate::solver::kernel::{Kernel, Tile};
use crate::solver::observer::Observer;
use crate::solver::plan::{LayerPlan, OUTSIDE};

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
    /// The largest claim about which nothing need be done.
    pub idle: i8,
}

/// One row of the mover and 64 of the opponent's rows.
#[derive(Clone, Copy)]
pub struct Strip {
    pub own: usize,
    pub column: usize,
    pub panel: usize,
}

impl<'a> Search<'a> {
    /// `None` if nobody knows which positions captures settle.
    pub fn of(plan: &'a LayerPlan<'a>, means: Means<'a>, solved: &'a Solved) -> Option<Search<'a>> {
        let done = &solved.attained.as_ref()?.low;
        let (low, high) = solved.bounds();
        let layer = plan.layer;
        let idle = idle(plan.rules, layer.seeds().get());
        Some(Search { plan, means, layer, low, high, done, idle })
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
}

/// The largest claim about which nothing need be done, in a layer of so many seeds.
pub fn idle(rules: &Rules, seeds: usize) -> i8 {
    match rules.endless {
        Endless::EvenSplit => 0,
        Endless::OwnSide(_) | Endless::Drawn => -(seeds as i8),
    }
}
