//! The ground of one process: all scores of a layer.

use rustc_hash::FxHashMap;

use super::ground::Ground;
use super::visit::Slot;
use crate::error::{Error, Result};
use crate::layer::index::Cell;
use crate::layer::plane::Plane;
use crate::solver::kernel::{Limit, NONE};
use crate::solver::sweep::Sweep;

/// Turns from one look at whether the solve is to end to the next.
const STEPS: u64 = 64;

/// All scores of a layer.
pub struct WholeGround<'a> {
    pub sweep: &'a Sweep<'a>,
    pub planes: &'a mut [Plane],
    /// What this round has changed so far in the larger block of the pair, and what it was.
    pub late: FxHashMap<Slot, i8>,
    /// Turns that have come so far.
    pub steps: u64,
}

impl Ground for WholeGround<'_> {
    #[inline(always)]
    fn score(&self, Slot { plane, block, row, column }: Slot) -> i8 {
        let blocks = self.planes[usize::from(plane)].blocks();
        blocks.score(block.into(), row as usize, column as usize)
    }

    fn child(&self, child: Slot, parent: Slot) -> i8 {
        let late = if child.block == parent.block { self.late.get(&child) } else { None };
        late.copied().unwrap_or_else(|| self.score(child))
    }

    fn captures(&self, slot: Slot) -> i8 {
        self.sweep.captures_of(slot.plane.into()).map_or(NONE, |all| all.score(slot.cell()))
    }

    fn limit(&self, slot: Slot) -> Limit {
        self.sweep.limit(slot.plane.into(), slot.block.into())
    }

    fn bound(&self, Slot { plane, block, row, column }: Slot) -> i8 {
        let bounds = self.sweep.bounds.expect("limits come with bounds");
        bounds[usize::from(plane)].score(block.into(), row as usize, column as usize)
    }

    fn write(&mut self, slot: Slot, new: i8) {
        let Cell { own, row, column } = slot.cell();
        let WholeGround { sweep, planes, late, .. } = self;
        let blocks = planes[usize::from(slot.plane)].blocks_mut();
        let old = blocks.score(own, row, column);
        blocks.set(own, row, column, new);
        if 2 * own > sweep.plan.layer.seeds().get() {
            late.insert(slot, old);
        }
    }

    fn turn_comes(&mut self) -> Result<()> {
        if self.steps.is_multiple_of(STEPS) && self.sweep.observer.interrupted() {
            return Err(Error::Interrupted);
        }
        self.steps += 1;
        self.sweep.arena.enforce_bound();
        Ok(())
    }
}
