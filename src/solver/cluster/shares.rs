//! Which rectangle of each block a rank has, for whoever asks once a layer is solved; and whole
//! blocks, put together by the leader.

use std::ops::Range;

use zerocopy::IntoBytes;

use super::cut::Cut;
use super::part::{MarkedPart, Part, as_lines};
use super::transport::{Purpose, Talk, Team, from_bytes, to_bytes};
use crate::error::Result;
use crate::layer::arena::Arena;
use crate::layer::blocks::{LINE, Line};
use crate::layer::index::Layer;
use crate::layer::plane::Plane;
use crate::layer::solved::Marks;
use crate::solver::plan::LayerPlan;

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

    /// Shows the leader a whole plane in memory of an arena, given each rank's parts: block by block.
    ///
    /// # Errors
    /// Those of [`Talk`], and [`Error::OutOfMemory`](crate::error::Error::OutOfMemory).
    pub fn gather(&self, team: &Team, parts: &[Part], arena: &Arena) -> Result<Option<Plane>> {
        let plane = || Plane::in_arena(arena, self.layer, 0);
        let mut plane = team.leads().then(plane).transpose()?;
        for block in 0..parts.len() {
            let lines = plane.as_mut().map(|plane| plane.blocks_mut().block_mut(block));
            self.gather_block(team, parts, block, lines)?;
            arena.keep();
        }
        Ok(plane)
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
        mut lines: Option<&mut [Line]>,
    ) -> Result<()> {
        let part = &parts[block];
        part.keep();
        let height = self.layer.block_shape(block).0;
        team.session(&mut |talk| {
            let Some(all) = &mut lines else {
                return talk.send(0, part.bytes().to_vec(), Purpose::Whole);
            };
            put(all, height, self.of_rank(0, block), &part.lines);
            for rank in team.others() {
                let share = self.of_rank(rank, block);
                put(all, height, share, &as_lines(&talk.receive(rank, share.bytes())?));
            }
            Ok(())
        })
    }

    /// The other way round: gives each rank its parts of the leader's plane.
    ///
    /// # Errors
    /// As [`Shares::gather`].
    pub fn scatter(&self, team: &Team, plane: Option<&Plane>, arena: &Arena) -> Result<Vec<Part>> {
        let own = |share: &Rectangle| Part::new(arena, share.panels.clone(), share.rows.clone(), 0);
        let parts = self.ranks[team.rank()].iter().map(own);
        let mut parts = parts.collect::<Result<Vec<_>>>()?;
        for (block, part) in parts.iter_mut().enumerate() {
            team.session(&mut |talk| {
                let Some(plane) = plane else {
                    part.set_bytes(&talk.receive(0, self.of_rank(team.rank(), block).bytes())?);
                    return Ok(());
                };
                part.set_bytes(cut_out(plane, block, self.of_rank(0, block)).as_bytes());
                team.others().try_for_each(|rank| {
                    let lines = cut_out(plane, block, self.of_rank(rank, block));
                    talk.send(rank, lines.as_bytes().to_vec(), Purpose::Whole)
                })
            })?;
            arena.keep();
        }
        Ok(parts)
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
}

fn put(all: &mut [Line], height: usize, share: &Rectangle, lines: &[Line]) {
    let columns = lines.chunks_exact(share.rows.len().max(1));
    for (panel, lines) in share.panels.clone().zip(columns) {
        all[panel * height..][share.rows.clone()].copy_from_slice(lines);
    }
}

fn cut_out(plane: &Plane, block: usize, share: &Rectangle) -> Vec<Line> {
    let height = plane.blocks().shape(block).rows();
    let all = plane.blocks().block(block);
    let panels = share.panels.clone();
    panels.flat_map(|panel| all[panel * height..][share.rows.clone()].iter().copied()).collect()
}

fn mark(marks: &mut Marks, block: usize, share: &Rectangle, words: &[u64]) {
    let (width, all) = marks.block_mut(block);
    for (row, words) in share.rows.clone().zip(words.chunks_exact(share.panels.len().max(1))) {
        all[row * width..][share.panels.clone()].copy_from_slice(words);
    }
}
