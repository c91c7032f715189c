//! Block n/2, where a rank computes positions whose scores stand with another one.
//!
//! ```text
//!   +------+-----------+
//!   | own  |  beside   |  rows of the own interval
//!   +------+-----------+
//!   |      |
//! ```
//!
//! Half-boards (own s, opponent b) with s above the rank's interval and b in it are computed by the
//! rank, and stored in the panels of s. Ranks that need what stands there [fetch](Beside::fetch)
//! it, and [give back](Beside::give_back) what they have changed.

use std::ops::Range;

use super::cut::{Cut, rows_of_lanes};
use super::shares::PanelRun;
use super::transport::{Purpose, Talk};
use crate::error::Result;
use crate::layer::arena::Arena;
use crate::layer::blocks::{BlockBytes, Blocks, Rectangle};
use crate::layer::index::rows;
use crate::layer::packing::Packing;
use crate::solver::plan::LayerPlan;

/// Who stands where in block n/2.
#[derive(Clone, Copy)]
pub struct Beside<'a> {
    pub plan: &'a LayerPlan<'a>,
    pub cut: &'a Cut,
    /// Half of the seeds.
    pub half: usize,
    pub rank: usize,
}

/// What stands beside a rank's own panels of block n/2, by plane; nothing in other pairs.
#[derive(Default)]
pub struct Strays {
    pub planes: Vec<Blocks>,
    /// Bounds of these, if there are limits.
    pub bounds: Vec<Blocks>,
}

impl<'a> Beside<'a> {
    /// Who stands where, if the layer has such a block.
    pub fn of(plan: &'a LayerPlan<'a>, cut: &'a Cut, rank: usize) -> Option<Beside<'a>> {
        let seeds = plan.layer.seeds().get();
        seeds.is_multiple_of(2).then_some(Beside { plan, cut, half: seeds / 2, rank })
    }

    /// The rows of a rank's interval.
    fn rows(&self, rank: usize) -> Range<usize> {
        rows_of_lanes(self.plan, self.half, self.cut.interval(self.half, rank))
    }

    /// What stands in the own panels, which have all rows, and beside those of a lower rank.
    fn crossed(&self, lower: usize) -> Rectangle {
        Rectangle { panels: self.cut.interval(self.half, self.rank), rows: self.rows(lower) }
    }

    /// Room for the rectangle beside a rank's own panels: as the only block.
    fn room(&self) -> Result<Blocks> {
        let interval = self.cut.interval(self.half, self.rank);
        let end = self.cut.interval(self.half, self.cut.ranks() - 1).end;
        let start = if interval.is_empty() { end } else { interval.end };
        let rectangle = Rectangle { panels: start..end, rows: self.rows(self.rank) };
        let rectangles = std::iter::once((rectangle, rows(self.half)));
        let packing = Packing::of(self.plan.layer.range());
        Blocks::of_rectangles(&Arena::passing(), rectangles, packing, 0)
    }

    /// The ranks behind this one.
    fn higher(&self) -> Range<usize> {
        self.rank + 1..self.cut.ranks()
    }

    /// Gets what stands beside one's own panels of a plane.
    ///
    /// # Errors
    /// Those of [`Talk`], and [`Error::OutOfMemory`](crate::error::Error::OutOfMemory).
    pub fn fetch(&self, talk: &Talk, plane: &Blocks, purpose: Purpose) -> Result<Blocks> {
        let (own, place) = (plane.block_bytes(self.half), PanelRun::of(plane, self.half));
        for rank in 0..self.rank {
            talk.send(rank, place.cut_out(own, &self.crossed(rank)), purpose)?;
        }
        let mut beside = self.room()?;
        for rank in self.higher() {
            let panels = self.cut.interval(self.half, rank);
            let lines = beside.panels_mut(0, panels).into_bytes();
            lines.copy_from_slice(&talk.receive(rank, lines.len())?);
        }
        Ok(beside)
    }

    /// The other way round: puts what others have beside their panels into one's own lines.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn give_back(&self, talk: &Talk, beside: &BlockBytes, own: &mut BlockBytes) -> Result<()> {
        for rank in self.higher().filter(|_| !beside.bytes().is_empty()) {
            let lines = beside.panel_bytes(0, self.cut.interval(self.half, rank));
            talk.send(rank, lines.to_vec(), Purpose::Crossing)?;
        }
        let (place, line) = (PanelRun::of(own, self.half), own.line());
        for rank in 0..self.rank {
            let crossed = self.crossed(rank);
            let bytes = talk.receive(rank, crossed.lines() * line)?;
            place.put(own.block_bytes_mut(self.half), &crossed, &bytes);
        }
        Ok(())
    }
}
