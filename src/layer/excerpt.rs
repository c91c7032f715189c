//! Some blocks of a layer, where a whole one would take too much memory.
//!
//! Captures lead from all over a layer into all blocks of lower ones, but who enters them may look
//! at a few of those blocks at a time. An [`Excerpt`] is memory for such *neighbouring* blocks,
//! laid out as in a [`Plane`]; a [`Part`] is what is read of either.

use std::ops::Range;

use crate::error::Result;
use crate::game::board::Board;
use crate::game::score::Score;
use crate::layer::arena::Arena;
use crate::layer::blocks::Blocks;
use crate::layer::index::{Cell, Layer};
use crate::layer::packing::Packing;
use crate::layer::plane::{Plane, shapes};
use crate::layer::spill::Spill;

/// Memory for neighbouring blocks of a layer.
#[derive(Debug)]
pub struct Excerpt {
    layer: Layer,
    held: Range<usize>,
    blocks: Blocks,
}

/// The scores of neighbouring blocks of a layer.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// The layer.
    pub layer: Layer,
    /// Which blocks are there; the others are empty.
    pub held: Range<usize>,
    /// All blocks.
    pub blocks: &'a Blocks,
}

impl Excerpt {
    /// Room for some blocks, in memory of an arena; nothing in it means anything.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if the system has no memory to give.
    pub fn in_arena(arena: &Arena, layer: Layer, held: Range<usize>) -> Result<Excerpt> {
        let packing = Packing::of(layer.range());
        let blocks = Blocks::held_in_arena(arena, shapes(layer), &held, packing, 0)?;
        Ok(Excerpt { layer, held, blocks })
    }

    /// Which blocks it has room for.
    pub fn held(&self) -> Range<usize> {
        self.held.clone()
    }

    /// The bytes of its blocks, to write: those of a plane at [`span`].
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.blocks.bytes_mut()
    }

    /// Replaces a score of one of its blocks.
    pub fn set(&mut self, Cell { own, row, column }: Cell, score: Score) {
        self.blocks.set(own, row, column, score.get());
    }

    /// Who keeps the program to its bound of memory, if a file is behind its blocks; to be asked
    /// after every few pieces that are written.
    pub fn spill(&self) -> Option<Spill> {
        self.blocks.spill()
    }

    /// Its blocks.
    pub fn part(&self) -> Part<'_> {
        Part { layer: self.layer, held: self.held(), blocks: &self.blocks }
    }
}

impl Plane {
    /// The plane that an excerpt of all blocks is.
    ///
    /// # Panics
    /// If it has room for some of them only.
    pub fn of_excerpt(excerpt: Excerpt) -> Plane {
        assert_eq!(excerpt.held, 0..excerpt.layer.seeds().get() + 1, "all blocks");
        Plane::of_blocks(excerpt.layer, excerpt.blocks)
    }

    /// All blocks.
    pub fn part(&self) -> Part<'_> {
        Part { layer: self.layer(), held: 0..self.seeds().get() + 1, blocks: self.blocks() }
    }
}

impl Part<'_> {
    /// The score of a position, if its block is there.
    pub fn score(&self, board: &Board) -> Option<Score> {
        let Cell { own, row, column } = self.layer.cell(board)?;
        self.held.contains(&own).then(|| Score::new(self.blocks.score(own, row, column)))
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

/// Cuts a number of blocks into neighbours that take no more than this many bytes together, or just one
/// block. `size` says what some take.
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
    use crate::game::board::Seeds;
    use crate::layer::index::{Domain, Rank};

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
            let mut excerpt = Excerpt::in_arena(&Arena::default(), layer(), held.clone()).unwrap();
            let span = span(layer(), held.clone());
            let bytes = &plane.blocks().bytes()[span.start as usize..span.end as usize];
            excerpt.bytes_mut().copy_from_slice(bytes);
            for board in (0..layer().positions()).filter_map(|rank| layer().position(Rank(rank))) {
                let there = held.contains(&board.mover.seeds());
                let expected = plane.score(&board).filter(|_| there);
                assert_eq!(excerpt.part().score(&board), expected);
                assert_eq!(plane.part().score(&board), plane.score(&board));
            }
        }
    }
}
