//! What a sweep computes: the planes, captures and bounds that it reads, and what each score may
//! be.
//!
//! It also cuts planes into blocks that are borrowed one by one, so that one block of a plane is
//! written while others are read.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result};
use crate::game::{Board, Side};
use crate::layer::arena::Arena;
use crate::layer::blocks::Blocks;
use crate::layer::index::rows;
use crate::layer::line::{LINE, Line};
use crate::layer::lines::{Lines, LinesMut};
use crate::solver::captures::CapturePlane;
use crate::solver::kernel::{Kernel, Limit, NONE, Spot};
use crate::solver::observer::Observer;
use crate::solver::plan::LayerPlan;

/// How many lines a row of this many seeds takes, or strips a block.
pub fn strips(seeds: usize) -> usize {
    rows(seeds).div_ceil(LINE)
}

/// What a sweep computes.
pub struct Sweep<'a> {
    /// What moves do to rows.
    pub plan: &'a LayerPlan<'a>,
    /// How lines are handled.
    pub kernel: Kernel,
    /// What captures are worth to each plane, or to both; nothing if they do not count.
    pub captures: &'a [CapturePlane],
    /// For a core: the lower and the upper bounds that it lies between.
    pub bounds: Option<[&'a Blocks; 2]>,
    /// Who may end it.
    pub observer: &'a dyn Observer,
    /// How many threads may work on it.
    pub threads: usize,
    /// Where the planes are, and what is asked to keep to the bound of memory.
    pub arena: &'a Arena,
}

/// The blocks of one plane, each borrowed by itself.
pub type Apart<'p> = Vec<LinesMut<'p>>;

/// The blocks of all planes, to read.
pub type Views<'v> = Vec<Vec<Lines<'v>>>;

impl Sweep<'_> {
    /// Whether it computes a core.
    pub fn is_of_core(&self) -> bool {
        self.bounds.is_some()
    }

    /// Whether scores and captures are all in memory, none of them in files.
    pub fn is_in_memory(&self) -> bool {
        let mut captures = self.captures.iter();
        !self.arena.is_spilled() && captures.all(|captures| captures.blocks().pages().is_none())
    }

    /// Whether to go on; if not, it is noted.
    pub fn goes_on(&self, stopped: &AtomicBool) -> bool {
        stopped.fetch_or(self.observer.interrupted(), Ordering::Relaxed);
        !stopped.load(Ordering::Relaxed)
    }

    /// Rows of a block.
    pub fn rows(&self, block: usize) -> usize {
        self.plan.layer.block_shape(block).0
    }

    /// What a score of block `own` in a plane may be.
    pub fn limit(&self, plane: usize, own: usize) -> Limit {
        if !self.is_of_core() {
            return Limit::Free;
        }
        let LayerPlan { rules, layer, .. } = *self.plan;
        // However the seeds of a row are spread, what a cycle pays that is cut there is the same.
        let row = |seeds: usize| Side([seeds as u8, 0, 0, 0, 0, 0]);
        let board = Board { mover: row(own), opponent: row(self.plan.opponent(own)) };
        let worth = rules.worth_of_repetition(&board);
        let worth = worth.map(|worth| layer.range().clamp(worth.get()));
        match plane {
            0 => Limit::Above { most: worth.unwrap_or(i8::MAX) },
            _ => Limit::Below { least: worth.unwrap_or(i8::MIN) },
        }
    }

    /// What captures are worth to a plane, if they count.
    pub fn captures_of(&self, plane: usize) -> Option<&CapturePlane> {
        self.captures.get(plane).or(self.captures.last())
    }

    /// Writes what captures are worth to a plane, of a block in a tile of own rows and a line of lanes,
    /// each row `stride` lines behind the last.
    #[inline]
    pub fn spread(
        &self,
        plane: usize,
        place: (usize, usize, usize),
        out: &mut [Line],
        stride: usize,
    ) {
        match self.captures_of(plane) {
            Some(captures) => captures.spread(self.plan, place, out, stride),
            None => {
                out.iter_mut().step_by(stride).take(LINE).for_each(|line| *line = Line::of(NONE))
            }
        }
    }
}

/// Which planes are swept: `here` is computed from `there`.
#[derive(Clone, Copy)]
pub struct Stream {
    /// Which plane is written.
    pub here: usize,
    /// Which plane is read.
    pub there: usize,
}

/// All planes, each with the one that it is computed from.
pub fn streams(planes: usize) -> impl Iterator<Item = Stream> {
    (0..planes).map(move |here| Stream { here, there: planes - 1 - here })
}

/// Cuts each plane into blocks.
pub fn apart<'p>(planes: impl IntoIterator<Item = &'p mut Blocks>) -> Vec<Apart<'p>> {
    planes.into_iter().map(|blocks| blocks.split_mut().collect()).collect()
}

/// An interrupted sweep is none.
pub fn finished(stopped: AtomicBool) -> Result<()> {
    if stopped.into_inner() { Err(Error::Interrupted) } else { Ok(()) }
}

/// The blocks of all planes, to read; what has been taken out is empty.
pub fn views<'v>(planes: &'v [Apart<'_>]) -> Views<'v> {
    planes.iter().map(|blocks| blocks.iter().map(LinesMut::as_lines).collect()).collect()
}

pub fn spot(plane: usize, block: usize) -> Spot {
    Spot { block: block as u8, plane: plane as u8 }
}
