//! Which rectangle of each block a rank has, once a layer is solved; and whole
//! blocks, put together by the leader.

use std::ops::Range;

use zerocopy::IntoBytes;

use super::cut::Cut;
use super::part::{MarkedPart, Part, as_lines};
use super::transport::{Purpose, Talk, Team, from_bytes, to_bytes};
use crate::error::Result;
use crate::layer::arena::Arena;
use crate::layer::index::Layer;
use crate::layer::line::{LINE, Line};
use crate::layer::plane::Plane;
use crate::layer::solved::Marks;
use crate::solver::plan::LayerPlan;
use crate::solver::sweep::strips;

/// Lines of a plane that the leader has at a time when it passes through: 256 KiB, or one panel of
/// a large block.
const PIECE: usize = 1 << 12;

/// Some rows of some panels of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// The panels.
    pub panels: Range<usize>,
    /// The rows.
    pub rows: Range<usize>,
}

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
        let share = |rank: usize, block: usize| {
            let [panels, rows] = cut.share(plan, block, rank);
            Rectangle { panels, rows }
        };
        let blocks = |rank| (0..plan.blocks.len()).map(|block| share(rank, block)).collect();
        Shares { layer: plan.layer, ranks: (0..cut.ranks()).map(blocks).collect() }
    }

    /// The layer.
    pub fn layer(&self) -> Layer {
        self.layer
    }

    /// The rectangle of a block that a rank has.
    pub fn of_rank(&self, rank: usize, block: usize) -> &Rectangle {
        &self.ranks[rank][block]
    }

    /// Which rank has a position. It depends on the column alone in blocks that are
    /// [cut by columns](Shares::is_by_columns), or else on the row.
    pub fn owner(&self, block: usize, row: usize, column: usize) -> usize {
        let starts_before = |share: &Rectangle| match self.is_by_columns(block) {
            true => share.panels.start <= column / LINE,
            false => share.rows.start <= row,
        };
        self.ranks.partition_point(|blocks| starts_before(&blocks[block])) - 1
    }

    /// Whether ranks have panels of a block; if not, they have rows.
    pub fn is_by_columns(&self, block: usize) -> bool {
        2 * block <= self.layer.seeds().get()
    }

    /// Shows the leader a whole plane in memory of an arena, given each rank's parts.
    ///
    /// # Errors
    /// Those of [`Talk`], and [`Error::OutOfMemory`](crate::error::Error::OutOfMemory).
    pub fn gather(&self, team: &Team, parts: &[Part], arena: &Arena) -> Result<Option<Plane>> {
        let plane = || Plane::in_arena(arena, self.layer, 0);
        let (mut plane, mut done) = (team.leads().then(plane).transpose()?, 0);
        self.each_piece(team, parts, &mut |lines| {
            if let Some(plane) = &mut plane {
                plane.blocks_mut().all_mut().put_all(done, lines);
            }
            done += lines.len();
            arena.keep();
        })?;
        Ok(plane)
    }

    /// Shows the leader a plane piece by piece, in the order of a whole one, and forgets each.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn each_piece(
        &self,
        team: &Team,
        parts: &[Part],
        visit: &mut dyn FnMut(&[Line]),
    ) -> Result<()> {
        let mut lines = Vec::new();
        for (block, panels) in self.pieces() {
            let is_wanted = team.leads().then_some(&mut lines);
            self.gather_panels(team, parts, (block, panels), is_wanted)?;
            if team.leads() {
                visit(&lines);
            }
        }
        Ok(())
    }

    /// Shows the leader a whole block: panel after panel, row after row.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn gather_block(
        &self,
        team: &Team,
        parts: &[Part],
        block: usize,
        lines: Option<&mut Vec<Line>>,
    ) -> Result<()> {
        self.gather_panels(team, parts, (block, 0..strips(block)), lines)
    }

    /// Shows the leader some panels of a block.
    fn gather_panels(
        &self,
        team: &Team,
        parts: &[Part],
        (block, panels): (usize, Range<usize>),
        mut lines: Option<&mut Vec<Line>>,
    ) -> Result<()> {
        let (part, height) = (&parts[block], self.layer.block_shape(block).0);
        part.keep();
        let share = |rank| self.of_rank(rank, block).within(&panels);
        if let Some(lines) = &mut lines {
            lines.resize(panels.len() * height, Line::of(0));
        }
        team.session(&mut |talk| {
            let own = part.panels(&share(team.rank()).panels);
            let Some(all) = &mut lines else {
                return talk.send(0, own.as_bytes().to_vec(), Purpose::Whole);
            };
            put(all, (panels.start, height), &share(0), own);
            for rank in team.others() {
                let share = share(rank);
                let lines = as_lines(&talk.receive(rank, share.bytes())?);
                put(all, (panels.start, height), &share, &lines);
            }
            Ok(())
        })
    }

    /// The other way round: gives each rank its parts of a plane that the leader `fill`s in, piece by
    /// piece.
    ///
    /// # Errors
    /// As [`Shares::gather`].
    pub fn scatter(
        &self,
        team: &Team,
        arena: &Arena,
        fill: &mut dyn FnMut(&mut [Line]),
    ) -> Result<Vec<Part>> {
        let own = |share: &Rectangle| Part::new(arena, share.panels.clone(), share.rows.clone(), 0);
        let parts = self.ranks[team.rank()].iter().map(own);
        let mut parts = parts.collect::<Result<Vec<_>>>()?;
        let mut lines = Vec::new();
        for (block, panels) in self.pieces() {
            let height = self.layer.block_shape(block).0;
            if team.leads() {
                lines.resize(panels.len() * height, Line::of(0));
                fill(&mut lines);
            }
            let share = |rank| self.of_rank(rank, block).within(&panels);
            let own = parts[block].panels_mut(&share(team.rank()).panels);
            team.session(&mut |talk| {
                if !team.leads() {
                    let bytes = talk.receive(0, size_of_val(own))?;
                    own.as_mut_bytes().copy_from_slice(&bytes);
                    return Ok(());
                }
                let cut_out = |rank| cut_out(&lines, (panels.start, height), &share(rank));
                own.copy_from_slice(&cut_out(0));
                team.others().try_for_each(|rank| {
                    talk.send(rank, cut_out(rank).as_bytes().to_vec(), Purpose::Whole)
                })
            })?;
            arena.keep();
        }
        Ok(parts)
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

    /// Shows the leader the marks of all positions.
    ///
    /// # Errors
    /// Those of [`Talk`].
    pub fn gather_marks(&self, team: &Team, parts: &[MarkedPart]) -> Result<Option<Marks>> {
        let mut marks = team.leads().then(|| Marks::none(self.layer));
        for (block, part) in parts.iter().enumerate() {
            team.session(&mut |talk| {
                let Some(marks) = &mut marks else {
                    return talk.send(0, to_bytes(&part.words), Purpose::Whole);
                };
                mark(marks, block, self.of_rank(0, block), &part.words);
                team.others().try_for_each(|rank| self.hear_marks(talk, (rank, block), marks))
            })?;
        }
        Ok(marks)
    }

    fn hear_marks(
        &self,
        talk: &Talk,
        (rank, block): (usize, usize),
        marks: &mut Marks,
    ) -> Result<()> {
        let share = self.of_rank(rank, block);
        let bytes = size_of::<u64>() * share.lines();
        mark(marks, block, share, &from_bytes(&talk.receive(rank, bytes)?));
        Ok(())
    }
}

impl Rectangle {
    /// How many lines it has.
    pub fn lines(&self) -> usize {
        self.panels.len() * self.rows.len()
    }

    fn bytes(&self) -> usize {
        self.lines() * LINE
    }

    /// What of it is in some panels.
    fn within(&self, panels: &Range<usize>) -> Rectangle {
        let start = self.panels.start.max(panels.start);
        let end = self.panels.end.min(panels.end).max(start);
        Rectangle { panels: start..end, rows: self.rows.clone() }
    }
}

/// Puts what a rank has into panels from one on, of this many rows.
fn put(all: &mut [Line], (first, height): (usize, usize), share: &Rectangle, lines: &[Line]) {
    let columns = lines.chunks_exact(share.rows.len().max(1));
    for (panel, lines) in share.panels.clone().zip(columns) {
        all[(panel - first) * height..][share.rows.clone()].copy_from_slice(lines);
    }
}

/// The other way round.
fn cut_out(all: &[Line], (first, height): (usize, usize), share: &Rectangle) -> Vec<Line> {
    let panels = share.panels.clone().map(|panel| &all[(panel - first) * height..]);
    panels.flat_map(|lines| &lines[share.rows.clone()]).copied().collect()
}

fn mark(marks: &mut Marks, block: usize, share: &Rectangle, words: &[u64]) {
    let (width, all) = marks.block_mut(block);
    for (row, words) in share.rows.clone().zip(words.chunks_exact(share.panels.len().max(1))) {
        all[row * width..][share.panels.clone()].copy_from_slice(words);
    }
}
