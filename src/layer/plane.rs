//! A score for every position of a layer, held in memory: [`Blocks`], one for each number of seeds in
//! the mover's row ([`Layer`]).
//!
//! Captures lead from all over a layer into all blocks of lower ones, but who enters them may look
//! at a few of those blocks at a time, where whole layers would take too much memory. An
//! [excerpt](Plane::excerpt) is a plane of such *neighbouring* blocks alone.

use std::io;
use std::ops::Range;

use crate::error::{Error, Result};
use crate::game::board::{Board, Seeds};
use crate::game::score::Score;
use crate::layer::arena::Arena;
use crate::layer::blocks::Blocks;
use crate::layer::index::{Cell, Layer, Rank};
use crate::layer::line::{LINE, Line};
use crate::layer::packing::Packing;

/// Bytes that are written or read at a time.
const PIECE: usize = 1 << 20;

/// A score for every position of a layer, or of some of its blocks: a byte each, or less where few
/// are told apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    layer: Layer,
    held: Range<usize>,
    blocks: Blocks,
}

pub(super) fn shapes(layer: Layer) -> impl Iterator<Item = (usize, usize)> {
    (0..=layer.seeds().get()).map(move |own| layer.block_shape(own))
}

impl Plane {
    /// A plane that holds `fill` everywhere.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if the system has no memory to give.
    pub fn new(layer: Layer, fill: i8) -> Result<Plane> {
        Plane::in_arena(&Arena::default(), layer, fill)
    }

    /// Makes a plane in memory of an arena that holds `fill` everywhere.
    ///
    /// # Errors
    /// As [`Plane::new`].
    pub fn in_arena(arena: &Arena, layer: Layer, fill: i8) -> Result<Plane> {
        let packing = Packing::of(layer.range());
        let blocks = Blocks::in_arena(arena, shapes(layer), packing, fill)?;
        Ok(Plane { layer, held: 0..layer.seeds().get() + 1, blocks })
    }

    /// Makes room for some neighbouring blocks alone; nothing in it means anything. Its memory is as
    /// that of a whole plane is at `span`.
    ///
    /// # Errors
    /// As [`Plane::new`].
    pub fn excerpt(arena: &Arena, layer: Layer, held: Range<usize>) -> Result<Plane> {
        let packing = Packing::of(layer.range());
        let blocks = Blocks::held_in_arena(arena, shapes(layer), &held, packing, 0)?;
        Ok(Plane { layer, held, blocks })
    }

    /// A copy in memory of an arena.
    ///
    /// # Errors
    /// As [`Plane::new`].
    pub fn copied_in(&self, arena: &Arena) -> Result<Plane> {
        Ok(Plane { blocks: self.blocks.copied_in(arena)?, held: self.held(), ..*self })
    }

    /// Takes over the scores of another plane of the same layer.
    pub fn copy(&mut self, other: &Plane) {
        self.blocks.copy_from(&other.blocks);
    }

    /// A plane with these scores in rank order; 0 where they end early.
    ///
    /// # Panics
    /// If the system has no memory to give.
    pub fn of_scores(layer: Layer, scores: impl IntoIterator<Item = i8>) -> Plane {
        let mut plane = Plane::new(layer, 0).expect("memory for a plane");
        let mut scores = scores.into_iter();
        for own in 0..plane.blocks.count() {
            let lines = plane.blocks.in_rank_order(own);
            let mut block = plane.blocks.block_mut(own);
            for (at, columns) in lines {
                let mut line = Line::of(0);
                line.0
                    .iter_mut()
                    .take(columns)
                    .zip(&mut scores)
                    .for_each(|(slot, score)| *slot = score);
                block.put(at, &line);
            }
        }
        plane
    }

    /// The layer it belongs to.
    pub fn layer(&self) -> Layer {
        self.layer
    }

    /// Seeds on the board.
    pub fn seeds(&self) -> Seeds {
        self.layer.seeds()
    }

    /// Which blocks it has; the others are empty.
    pub fn held(&self) -> Range<usize> {
        self.held.clone()
    }

    /// The scores by block; block `k` has `k` seeds in the mover's row.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// Returns the blocks, mutable.
    pub fn blocks_mut(&mut self) -> &mut Blocks {
        &mut self.blocks
    }

    /// The scores in rank order.
    pub fn scores(&self) -> impl Iterator<Item = i8> {
        self.blocks.scores()
    }

    /// Copies the scores from rank `first` on into `scores`, as many as fit; they must exist.
    pub fn copy_from_rank(&self, first: Rank, mut scores: &mut [i8]) {
        let mut rank = first.0;
        while !scores.is_empty() {
            let Cell { own, row, column } = self.layer.cell_at(Rank(rank)).expect("a rank");
            let (lane, columns) = (column % LINE, self.layer.block_shape(own).1);
            let line = self.blocks.block(own).line(self.blocks.shape(own).line(row, column));
            let count = (columns - column).min(LINE - lane).min(scores.len());
            let part = scores.split_off_mut(..count).expect("as many are left");
            part.copy_from_slice(&line.0[lane..][..count]);
            rank += count as u64;
        }
    }

    /// The score of a position; `None` if it is not in the layer, or not in what is held of it.
    pub fn score(&self, board: &Board) -> Option<Score> {
        let found = self.layer.cell(board).filter(|cell| self.held.contains(&cell.own));
        let Cell { own, row, column } = found?;
        Some(Score::new(self.blocks.score(own, row, column)))
    }

    /// Changes the score of the position with a rank of the layer.
    pub fn set(&mut self, rank: Rank, score: Score) {
        let Cell { own, row, column } = self.layer.cell_at(rank).expect("a rank of the layer");
        self.blocks.set(own, row, column, score.get());
    }

    /// Writes its memory as it is, for [`Plane::read_from`] of the same program.
    ///
    /// # Errors
    /// Whatever `out` fails with.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        self.blocks.bytes().chunks(PIECE).try_for_each(|bytes| {
            self.blocks.enforce_bound();
            out.write_all(bytes)
        })
    }

    /// The inverse of [`Plane::write_to`], in memory of an arena.
    ///
    /// # Errors
    /// Whatever `input` fails with.
    pub fn read_from(arena: &Arena, layer: Layer, input: &mut impl io::Read) -> io::Result<Plane> {
        let mut plane = Plane::in_arena(arena, layer, 0).map_err(|error| match error {
            Error::Io { source, .. } => source,
            _ => io::ErrorKind::OutOfMemory.into(),
        })?;
        for bytes in plane.blocks.bytes_mut().chunks_mut(PIECE) {
            arena.enforce_bound();
            input.read_exact(bytes)?;
        }
        Ok(plane)
    }

    /// How many lines a plane of `layer` has.
    pub fn lines(layer: Layer) -> u64 {
        Blocks::size(shapes(layer), Packing::Byte) / LINE as u64
    }

    /// Bytes of memory that a plane of `layer` takes.
    pub fn memory(layer: Layer) -> u64 {
        Blocks::size(shapes(layer), Packing::of(layer.range()))
    }
}

/// Which bytes of a plane are those of some blocks.
pub fn span(layer: Layer, held: Range<usize>) -> Range<u64> {
    let packing = Packing::of(layer.range());
    let start = Blocks::size(shapes(layer).take(held.start), packing);
    start..start + Blocks::size(shapes(layer).take(held.end).skip(held.start), packing)
}

/// Cuts the blocks of a layer into neighbours that take no more than this many bytes together, or
/// just one block.
pub fn windows(layer: Layer, bytes: u64) -> Vec<Range<usize>> {
    let size = |held| {
        let span = span(layer, held);
        span.end - span.start
    };
    neighbours(layer.seeds().get() + 1, bytes, size)
}

/// Cuts a number of blocks into neighbours that take no more than this many bytes together, or just
/// one block. `size` says what some take.
pub fn neighbours(end: usize, bytes: u64, size: impl Fn(Range<usize>) -> u64) -> Vec<Range<usize>> {
    let (mut found, mut first) = (Vec::new(), 0);
    while first < end {
        let fits = |last: &usize| size(first..last + 1) <= bytes;
        let last = (first..end).take_while(fits).last().unwrap_or(first);
        found.push(first..last + 1);
        first = last + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::index::Domain;

    fn layer() -> Layer {
        Layer::new(Seeds::new(9).unwrap(), Domain::EmptyHouse)
    }

    #[test]
    fn windows_fit_and_leave_nothing_out() {
        let all = Plane::memory(layer());
        for bytes in [0, 5000, 20_000, 100_000, all - 1, all, u64::MAX] {
            let windows = windows(layer(), bytes);
            assert!(windows.iter().cloned().flatten().eq(0..10));
            let mut end = 0;
            for window in &windows {
                let span = span(layer(), window.clone());
                assert!(span.start == end && (window.len() == 1 || span.end - span.start <= bytes));
                end = span.end;
            }
            assert_eq!((end, windows.len() == 1), (all, bytes >= all));
        }
    }

    #[test]
    fn an_excerpt_holds_what_the_plane_holds() {
        let scores = (0..layer().positions()).map(|rank| (rank % 17) as i8 - 8);
        let plane = Plane::of_scores(layer(), scores);
        for held in windows(layer(), 20_000) {
            let mut excerpt = Plane::excerpt(&Arena::default(), layer(), held.clone()).unwrap();
            let span = span(layer(), held.clone());
            let bytes = &plane.blocks().bytes()[span.start as usize..span.end as usize];
            excerpt.blocks_mut().bytes_mut().copy_from_slice(bytes);
            for board in layer().boards(Rank(0)) {
                let is_held = held.contains(&board.mover.seeds());
                assert_eq!(excerpt.score(&board), plane.score(&board).filter(|_| is_held));
            }
        }
    }
}
