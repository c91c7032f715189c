//! From where each placement is reached.

use rayon::prelude::*;

use super::work::PIECE;

/// The edges of a layer, turned round.
pub struct Predecessors {
    /// Where those of each placement begin, and the end.
    starts: Vec<u32>,
    /// Placements by the one that they have a move to.
    from: Vec<u32>,
}

impl Predecessors {
    /// Turns edges round: counts those into each placement, and then puts each where it belongs.
    /// Edges that nobody `needs`, from one placement to another, are left out.
    ///
    /// Each thread has a band of placements and looks at all edges, of which it takes those into its
    /// band. That is faster than to share them out, for then every count would have to be atomic,
    /// and the processor would wait for each.
    ///
    /// # Panics
    /// If there are 2³² edges or more.
    pub fn of(
        quiet: &[u8],
        edges: Vec<Vec<u32>>,
        needs: impl Fn(u32, u32) -> bool + Sync,
    ) -> Predecessors {
        let made: usize = edges.iter().map(Vec::len).sum();
        assert!(u32::try_from(made).is_ok(), "edges have numbers of 32 bits");
        let mut starts = vec![0; quiet.len() + 1];
        let band = starts.len().div_ceil(rayon::current_num_threads());
        starts.par_chunks_mut(band).enumerate().for_each(|(number, counts)| {
            let first = (number * band) as u32;
            each(quiet, &edges, |from, to| {
                if let Some(count) = counts.get_mut(to.wrapping_sub(first) as usize)
                    && needs(from, to)
                {
                    *count += 1;
                }
            });
        });
        let mut sum = 0;
        for end in &mut starts {
            sum += *end;
            *end = sum;
        }
        let mut from = vec![0; sum as usize];
        let bands = bands(&mut starts, &mut from, band);
        bands.into_par_iter().for_each(|band| band.fill(quiet, &edges, &needs));
        Predecessors { starts, from }
    }

    /// Returns the placements that have a move to this one, as often as they have one.
    pub fn of_rank(&self, rank: u32) -> &[u32] {
        let rank = rank as usize;
        &self.from[self.starts[rank] as usize..self.starts[rank + 1] as usize]
    }
}

/// Some placements next to each other, and what leads to them.
struct Band<'a> {
    first: u32,
    /// Where the edges into each end; when all are in their places, where they begin.
    ends: &'a mut [u32],
    /// Where the band's edges begin.
    offset: u32,
    from: &'a mut [u32],
}

/// Cuts the counts, and the edges that are counted, into bands of so many placements.
fn bands<'a>(starts: &'a mut [u32], mut from: &'a mut [u32], size: usize) -> Vec<Band<'a>> {
    let (mut bands, mut first, mut offset) = (Vec::new(), 0, 0);
    for ends in starts.chunks_mut(size) {
        let end = ends.last().copied().unwrap_or(offset);
        let (own, rest) = from.split_at_mut((end - offset) as usize);
        let length = ends.len() as u32;
        bands.push(Band { first, ends, offset, from: own });
        (from, offset, first) = (rest, end, first + length);
    }
    bands
}

impl Band<'_> {
    fn fill(self, quiet: &[u8], edges: &[Vec<u32>], needs: impl Fn(u32, u32) -> bool) {
        each(quiet, edges, |from, to| {
            if let Some(end) = self.ends.get_mut(to.wrapping_sub(self.first) as usize)
                && needs(from, to)
            {
                *end -= 1;
                self.from[(*end - self.offset) as usize] = from;
            }
        });
    }
}

/// Visits all edges: where each begins and where it ends.
fn each(quiet: &[u8], edges: &[Vec<u32>], mut visit: impl FnMut(u32, u32)) {
    for (piece, edges) in edges.iter().enumerate() {
        let first = piece * PIECE;
        let mut edges = edges.iter();
        for (from, &count) in (first as u32..).zip(quiet[first..].iter().take(PIECE)) {
            for &to in edges.by_ref().take(usize::from(count)) {
                visit(from, to);
            }
        }
    }
}
