//! Some blocks of a layer, where a whole one would take too much memory.
//!
//! Captures lead from all over a layer into all blocks of lower ones, but who enters them may look
//! at a few of those blocks at a time. An [excerpt](crate::layer::Plane::excerpt) is a plane of such
//! *neighbouring* blocks alone.

use std::ops::Range;

use crate::layer::blocks::Blocks;
use crate::layer::index::Layer;
use crate::layer::packing::Packing;
use crate::layer::plane::shapes;

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
    use crate::layer::arena::Arena;
    use crate::layer::index::{Domain, Rank};
    use crate::layer::plane::Plane;

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
            for board in (0..layer().positions()).filter_map(|rank| layer().position(Rank(rank))) {
                if held.contains(&board.mover.seeds()) {
                    assert_eq!(excerpt.score(&board), plane.score(&board));
                }
            }
        }
    }
}
