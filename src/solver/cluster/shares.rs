//! Which rectangle of each block a rank has, while a layer is solved and afterwards; and whole
//! blocks, or pieces of them, put together by the leader and dealt out by it.
//!
//! Invariant: rectangles of a block lie apart, in the order of ranks, and cover it.

use std::ops::Range;

use super::cut::Cut;
use super::transport::{Purpose, Team};
use crate::error::Result;
use crate::layer::arena::Arena;
use crate::layer::blocks::{BlockBytes, Blocks, Rectangle};
use crate::layer::index::{Layer, rows};
use crate::layer::packing::Packing;
use crate::solver::plan::LayerPlan;
use crate::solver::sweep::strips;

/// Lines of a plane that the leader has at a time when it passes through, or one panel of a large
/// block.
const PIECE: usize = 1 << 12;

/// The rectangles of all ranks.
#[derive(Clone, Debug)]
pub struct Shares {
    layer: Layer,
    /// By rank, then by block.
    ranks: Vec<Vec<Rectangle>>,
}

impl Shares {
    /// Those of a layer.
    pub fn of(plan: &LayerPlan, cut: &Cut) -> Shares {
        let blocks = |rank| (0..plan.blocks.len()).map(move |block| cut.share(plan, block, rank));
        let ranks = (0..cut.ranks()).map(|rank| blocks(rank).collect()).collect();
        Shares { layer: plan.layer, ranks }
    }

    /// The layer.
    pub fn layer(&self) -> Layer {
        self.layer
    }

    /// The rectangles that a rank has, by block.
    pub fn of_rank(&self, rank: usize) -> &[Rectangle] {
        &self.ranks[rank]
    }

    /// A rank's rectangles of all blocks, which hold `fill` everywhere: in memory or on disk.
    ///
    /// # Errors
    /// As [`Blocks::of_rectangles`].
    pub fn plane(&self, arena: &Arena, rank: usize, fill: i8) -> Result<Blocks> {
        let rectangles = self.ranks[rank].iter().cloned().zip((0..).map(rows));
        Blocks::of_rectangles(arena, rectangles, Packing::of(self.layer.range()), fill)
    }

    /// Shows the leader the bytes of whole blocks piece by piece, and forgets each.
    ///
    /// # Errors
    /// As [`Shares::gather`].
    pub fn each_piece(
        &self,
        team: &Team,
        part: &BlockBytes,
        visit: &mut dyn FnMut(&[u8]),
    ) -> Result<()> {
        let mut bytes = Vec::new();
        for (block, panels) in self.pieces() {
            let size = self.lines_of(block, &panels) * part.line();
            let piece = team.leads().then(|| {
                bytes.resize(size, 0);
                &mut bytes[..]
            });
            self.gather(team, part, (block, panels), piece)?;
            if team.leads() {
                visit(&bytes);
            }
        }
        Ok(())
    }

    /// Shows the leader some panels of a block: their bytes, row after row.
    ///
    /// # Errors
    /// Those of [`Talk`](super::transport::Talk).
    pub fn gather(
        &self,
        team: &Team,
        part: &BlockBytes,
        (block, panels): (usize, Range<usize>),
        mut bytes: Option<&mut [u8]>,
    ) -> Result<()> {
        part.enforce_bound();
        let share = |rank: usize| self.ranks[rank][block].within(&panels);
        let (place, line) = (self.place(block, &panels, part.line()), part.line());
        team.session(|talk| {
            let own = part.panel_bytes(block, share(team.rank()).panels);
            let Some(all) = &mut bytes else {
                return talk.send(0, own.to_vec(), Purpose::Whole);
            };
            place.put(all, &share(0), own);
            for rank in team.others() {
                let share = share(rank);
                place.put(all, &share, &talk.receive(rank, share.lines() * line)?);
            }
            Ok(())
        })
    }

    /// The other way round: gives each rank its part of a plane that the leader `fill`s in, piece by
    /// piece.
    ///
    /// # Errors
    /// As [`Shares::gather`], and [`Error::OutOfMemory`](crate::error::Error::OutOfMemory).
    pub fn scatter(
        &self,
        team: &Team,
        arena: &Arena,
        fill: &mut dyn FnMut(&mut [u8]),
    ) -> Result<Blocks> {
        let mut part = self.plane(arena, team.rank(), 0)?;
        let mut bytes = Vec::new();
        for (block, panels) in self.pieces() {
            if team.leads() {
                bytes.resize(self.lines_of(block, &panels) * part.line(), 0);
                fill(&mut bytes);
            }
            let share = |rank: usize| self.ranks[rank][block].within(&panels);
            let place = self.place(block, &panels, part.line());
            let own = part.panel_bytes_mut(block, share(team.rank()).panels);
            team.session(|talk| {
                if !team.leads() {
                    own.copy_from_slice(&talk.receive(0, own.len())?);
                    return Ok(());
                }
                own.copy_from_slice(&place.cut_out(&bytes, &share(0)));
                team.others().try_for_each(|rank| {
                    talk.send(rank, place.cut_out(&bytes, &share(rank)), Purpose::Whole)
                })
            })?;
            arena.enforce_bound();
        }
        Ok(part)
    }

    /// Cuts all blocks into neighbouring panels of this many [lines](PIECE), or just one panel.
    fn pieces(&self) -> impl Iterator<Item = (usize, Range<usize>)> + use<> {
        let layer = self.layer;
        (0..=layer.seeds().get()).flat_map(move |block| {
            let end = strips(block);
            let width = (PIECE / layer.block_shape(block).0.max(1)).max(1);
            (0..end).step_by(width).map(move |first| (block, first..end.min(first + width)))
        })
    }

    /// Where lines of so many bytes are, of some panels of a block.
    fn place(&self, block: usize, panels: &Range<usize>, line: usize) -> PanelRun {
        PanelRun { first: panels.start, height: self.layer.block_shape(block).0, line }
    }

    fn lines_of(&self, block: usize, panels: &Range<usize>) -> usize {
        panels.len() * self.layer.block_shape(block).0
    }
}

/// Neighbouring panels of a block in a stretch of bytes, row after row of each.
pub struct PanelRun {
    /// The first panel.
    first: usize,
    /// Rows.
    height: usize,
    /// Bytes of a line.
    line: usize,
}

impl PanelRun {
    /// The panels of a block that are here, with all rows.
    pub fn of(blocks: &BlockBytes, block: usize) -> PanelRun {
        let shape = blocks.shape(block);
        PanelRun { first: shape.first_panel, height: shape.rows, line: blocks.line() }
    }

    /// Where the rows of a rectangle are in each of its panels.
    fn rows(&self, share: &Rectangle) -> impl Iterator<Item = Range<usize>> {
        let (rows, first) = (share.rows.clone(), self.first);
        share.panels.clone().map(move |panel| {
            let before = (panel - first) * self.height;
            (before + rows.start) * self.line..(before + rows.end) * self.line
        })
    }

    /// Puts what a rank has into the panels.
    pub fn put(&self, all: &mut [u8], share: &Rectangle, mut bytes: &[u8]) {
        for rows in self.rows(share) {
            let (panel, behind) = bytes.split_at(rows.len());
            all[rows].copy_from_slice(panel);
            bytes = behind;
        }
    }

    /// The other way round.
    pub fn cut_out(&self, all: &[u8], share: &Rectangle) -> Vec<u8> {
        self.rows(share).map(|rows| &all[rows]).collect::<Vec<_>>().concat()
    }
}
