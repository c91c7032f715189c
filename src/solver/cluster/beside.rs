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
//! rank, and stored in the panels of s. Ranks that need what stands there ask for it.

use zerocopy::IntoBytes;

use super::cut::{Cut, rows_of_lanes};
use super::part::{Part, as_lines};
use super::transport::{Purpose, Talk};
use crate::error::Result;
use crate::layer::arena::Arena;
use crate::layer::line::{LINE, Line};
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

impl Beside<'_> {
    /// The rows of a rank's interval.
    pub fn rows(&self, rank: usize) -> std::ops::Range<usize> {
        rows_of_lanes(self.plan, self.half, self.cut.interval(self.half, rank))
    }

    /// The rectangle beside a rank's own panels.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is no memory for it.
    pub fn part(&self) -> Result<Part> {
        let interval = self.cut.interval(self.half, self.rank);
        let end = self.cut.interval(self.half, self.cut.ranks() - 1).end;
        let start = if interval.is_empty() { end } else { interval.end };
        Part::new(&Arena::default(), start..end, self.rows(self.rank), 0)
    }

    /// The ranks before this one.
    pub fn lower(&self) -> impl Iterator<Item = usize> {
        0..self.rank
    }

    /// The ranks behind this one.
    pub fn higher(&self) -> impl Iterator<Item = usize> {
        self.rank + 1..self.cut.ranks()
    }

    /// Gets what stands beside one's own panels, given one's own.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn fetch(&self, talk: &Talk, own: &Part, purpose: Purpose) -> Result<Part> {
        for rank in self.lower() {
            let rows = self.rows(rank);
            let lines = own.panels.clone().flat_map(|panel| own.stretch(panel, rows.clone()));
            talk.send(rank, bytes_of(lines), purpose)?;
        }
        let mut beside = self.part()?;
        for rank in self.higher() {
            let panels = self.cut.interval(self.half, rank);
            let size = panels.len() * beside.height() * LINE;
            let lines = as_lines(&talk.receive(rank, size)?);
            for (panel, lines) in panels.zip(lines.chunks_exact(beside.height().max(1))) {
                beside.panel_mut(panel).copy_from_slice(lines);
            }
        }
        Ok(beside)
    }

    /// The other way round: puts what others have beside their panels into one's own.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn give_back(&self, talk: &Talk, beside: &Part, own: &mut Part) -> Result<()> {
        for rank in self.higher().filter(|_| !beside.lines.is_empty()) {
            let panels = self.cut.interval(self.half, rank);
            talk.send(
                rank,
                bytes_of(panels.flat_map(|panel| beside.panel(panel))),
                Purpose::Crossing,
            )?;
        }
        for rank in self.lower() {
            let rows = self.rows(rank);
            let size = own.panels.len() * rows.len() * LINE;
            let lines = as_lines(&talk.receive(rank, size)?);
            let start = rows.start - own.rows.start;
            for (panel, lines) in own.panels.clone().zip(lines.chunks_exact(rows.len().max(1))) {
                own.panel_mut(panel)[start..start + rows.len()].copy_from_slice(lines);
            }
        }
        Ok(())
    }
}

fn bytes_of<'l>(lines: impl Iterator<Item = &'l Line>) -> Vec<u8> {
    lines.flat_map(|line| line.as_bytes().iter().copied()).collect()
}
