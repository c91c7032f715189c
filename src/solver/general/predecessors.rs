//! From where each placement is reached.
//!
//! Edges are turned round band by band: a band is so many placements next to each other that what is
//! counted of them stays in the processor's cache. Whoever has made the moves of a piece sorts them
//! by the band that they lead to ([`Bundle`]). A band then takes its part of each bundle, counts the
//! edges into each placement, and puts each where it belongs:
//!
//! ```text
//!               band 0   band 1   band 2
//!     piece 0   ▒▒▒▒▒▒   ▒▒▒      ▒        a bundle
//!     piece 1   ▒▒       ▒▒▒▒▒▒   ▒▒▒▒
//!     piece 2   ▒        ▒▒       ▒▒▒▒▒▒
//! ```
//!
//! A piece has 2¹⁴ placements and a band 2¹⁸, so that an edge between them takes 32 bits. With
//! bands there is one owner to each count. None is atomic, and no thread looks at the edges of
//! another, as it would have to if threads shared the placements among them. With this, ranks from one
//! multiplication, and steps that wait for many placements at once ([`super::retrograde`]), Nam Nam
//! with 16 seeds takes about 0.8 of the processor time that it took with a share of the placements for
//! each thread, who all looked at all edges, and so does Bao with laps and 12 seeds (one thread of a
//! busy machine, three runs each, which scatter by a fifth).
//!
//! Invariant: every edge that somebody needs is in its band once, and edges into a placement are in
//! the order of those that they come from.

use rayon::prelude::*;

use super::work::{Keeper, PIECE, unless_stopped};
use crate::error::Result;

/// Placements of a band.
const BAND: usize = 1 << BAND_BITS;

/// Bits of a place in a band.
const BAND_BITS: u32 = 18;

const _: () = assert!(PIECE.ilog2() + BAND_BITS == u32::BITS, "an edge takes 32 bits");

/// The moves of a piece that stay in the layer, by the band that they lead to.
#[derive(Default)]
pub struct Bundle {
    /// By band, and there in the order of ranks: the place in the piece that an edge comes from,
    /// and that in the band that it leads to.
    edges: Vec<u32>,
    /// Where those into each band end.
    ends: Vec<u32>,
}

impl Bundle {
    /// Sorts edges by band: so many from each placement of a piece, which lead to these ranks of a
    /// layer of so many placements.
    pub fn new(quiet: &[u8], to: &[u32], positions: usize) -> Bundle {
        let mut ends = vec![0u32; positions.div_ceil(BAND)];
        to.iter().for_each(|&to| ends[band_of(to)] += 1);
        let mut sum = 0;
        for end in &mut ends {
            // Where those into the band begin, until they are there.
            (*end, sum) = (sum, sum + *end);
        }
        let (mut edges, mut rest) = (vec![0; to.len()], to.iter());
        for (from, &count) in (0u32..).zip(quiet) {
            for &to in rest.by_ref().take(usize::from(count)) {
                let end = &mut ends[band_of(to)];
                edges[*end as usize] = (from << BAND_BITS) | (to % BAND as u32);
                *end += 1;
            }
        }
        Bundle { edges, ends }
    }

    /// All edges: the places in the piece that they come from, and the ranks that they lead to.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        let bands = (0..self.ends.len()).map(|band| (band * BAND, self.of_band(band)));
        bands.flat_map(|(first, edges)| edges.map(move |(from, to)| (from, first + to)))
    }

    /// The edges into a band: the places that they come from and those that they lead to.
    fn of_band(&self, band: usize) -> impl Iterator<Item = (usize, usize)> {
        let begin = band.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        let edges = &self.edges[begin..self.ends[band] as usize];
        edges.iter().map(|&edge| ((edge >> BAND_BITS) as usize, edge as usize % BAND))
    }
}

fn band_of(rank: u32) -> usize {
    (rank >> BAND_BITS) as usize
}

/// The edges of a layer, turned round.
pub struct Predecessors {
    bands: Vec<Band>,
}

/// The edges into a band.
struct Band {
    /// Where those into each placement begin, and the end.
    starts: Vec<u32>,
    /// Placements by the one that they have a move to.
    from: Vec<u32>,
}

impl Predecessors {
    /// Turns the edges of a layer round. Those that nobody `needs`, from one placement to another,
    /// are left out.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) soon after the keeper wants a stop.
    pub fn of(
        positions: usize,
        bundles: &[Bundle],
        needs: impl Fn(usize, usize) -> bool + Sync,
        keeper: &dyn Keeper,
    ) -> Result<Predecessors> {
        let bands = (0..positions.div_ceil(BAND)).into_par_iter().map(|band| {
            unless_stopped(keeper)?;
            let length = BAND.min(positions - band * BAND);
            Ok(Band::of(band, length, bundles, &needs))
        });
        Ok(Predecessors { bands: bands.collect::<Result<_>>()? })
    }

    /// Returns the placements that have a move to this one, as often as they have one.
    pub fn of_rank(&self, rank: u32) -> &[u32] {
        let (band, place) = (&self.bands[band_of(rank)], rank as usize % BAND);
        &band.from[band.starts[place] as usize..band.starts[place + 1] as usize]
    }
}

impl Band {
    fn of(
        band: usize,
        length: usize,
        bundles: &[Bundle],
        needs: impl Fn(usize, usize) -> bool,
    ) -> Band {
        let edges = || {
            bundles.iter().enumerate().flat_map(|(piece, bundle)| {
                bundle.of_band(band).map(move |(from, to)| (piece * PIECE + from, to))
            })
        };
        let needed = || edges().filter(|&(from, to)| needs(from, band * BAND + to));
        let mut starts = vec![0u32; length + 1];
        needed().for_each(|(_, to)| starts[to] += 1);
        let mut sum = 0;
        for start in &mut starts {
            (*start, sum) = (sum, sum + *start);
        }
        let mut from = vec![0; sum as usize];
        needed().for_each(|(before, to)| {
            from[starts[to] as usize] = before as u32;
            starts[to] += 1;
        });
        // Each has become the end, which is where the next one begins.
        starts.rotate_right(1);
        starts[0] = 0;
        Band { starts, from }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::random::Dice;

    #[test]
    fn every_edge_is_turned_round_once() {
        let (positions, mut dice) = (2 * BAND + 77, Dice::new(9));
        let quiet: Vec<u8> = (0..positions).map(|_| dice.below(4) as u8).collect();
        let edges: Vec<Vec<u32>> = quiet
            .iter()
            .map(|&count| (0..count).map(|_| dice.below(positions as u64) as u32).collect())
            .collect();
        let pieces = quiet.chunks(PIECE).zip(edges.chunks(PIECE));
        let bundles: Vec<Bundle> =
            pieces.map(|(quiet, edges)| Bundle::new(quiet, &edges.concat(), positions)).collect();
        let needs = |from: usize, to: usize| !(from ^ to).is_multiple_of(3);
        let keeper = AtomicBool::new(false);
        let found = Predecessors::of(positions, &bundles, needs, &keeper).unwrap();
        let mut expected = vec![Vec::new(); positions];
        for (from, edges) in edges.iter().enumerate() {
            for &to in edges.iter().filter(|&&to| needs(from, to as usize)) {
                expected[to as usize].push(from as u32);
            }
        }
        for (rank, expected) in expected.iter().enumerate() {
            assert_eq!(found.of_rank(rank as u32), expected, "{rank}");
        }
        keeper.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(Predecessors::of(positions, &bundles, needs, &keeper).is_err());
    }
}
