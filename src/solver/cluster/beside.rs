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

    /// The rows of a rank's interval. A rank's own panels have all rows.
    pub fn rows(&self, rank: usize) -> Range<usize> {
        rows_of_lanes(self.plan, self.half, self.cut.interval(self.half, rank))
    }

    /// Room for the rectangle beside a rank's own panels: as the only block.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is no memory for it.
    pub fn room(&self) -> Result<Blocks> {
        let interval = self.cut.interval(self.half, self.rank);
        let end = self.cut.interval(self.half, self.cut.ranks() - 1).end;
        let start = if interval.is_empty() { end } else { interval.end };
        let rectangle = Rectangle { panels: start..end, rows: self.rows(self.rank) };
        let rectangles = std::iter::once((rectangle, rows(self.half)));
        Blocks::of_rectangles(&Arena::passing(), rectangles, self.packing(), 0)
    }

    fn packing(&self) -> Packing {
        Packing::of(self.plan.layer.range())
    }

    /// The ranks behind this one.
    fn higher(&self) -> Range<usize> {
        self.rank + 1..self.cut.ranks()
    }

    /// Gets what stands beside one's own panels of a plane.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn fetch(&self, talk: &Talk, plane: &Blocks, purpose: Purpose) -> Result<Blocks> {
        let panels = plane.shape(self.half).rectangle().panels;
        for rank in 0..self.rank {
            let mut bytes = Vec::new();
            for panel in panels.clone() {
                let lines = plane.panels(self.half, panel..panel + 1);
                bytes.extend_from_slice(lines.range(self.rows(rank)).bytes());
            }
            talk.send(rank, bytes, purpose)?;
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
        let Rectangle { panels, rows: all } = own.shape(self.half).rectangle();
        for rank in 0..self.rank {
            let rows = self.rows(rank);
            let (first, size) = ((rows.start - all.start) * own.line(), rows.len() * own.line());
            let bytes = talk.receive(rank, panels.len() * size)?;
            for (panel, bytes) in panels.clone().zip(bytes.chunks_exact(size.max(1))) {
                let lines = own.panel_bytes_mut(self.half, panel..panel + 1);
                lines[first..first + size].copy_from_slice(bytes);
            }
        }
        Ok(())
    }
}
