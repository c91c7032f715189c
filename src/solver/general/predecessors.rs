//! From where each placement is reached.
//!
//! Edges are turned round band by band ([`super::bundles`]): a band takes its part of each bundle,
//! counts the edges into each placement, and puts each where it belongs. So there is one owner to
//! each count, none is atomic, and no thread looks at the edges of another.
//!
//! What is found of a group's bands is put together, in few large pieces of memory, which the system
//! gets back as soon as they are not needed. Where the edges into a placement begin takes two
//! bytes, counted from where those into the 256 placements around it do. If so many lead there that
//! they have no number of 16 bits, their group has numbers of 32.
//!
//! Invariant: every edge that is needed is in its band once, and edges into a placement are in
//! the order of those that they come from.

use std::ops::Range;

use super::bundles::{BAND, BandGroup, Bundles, Edge};
use super::work::{Keeper, PIECE, unless_stopped};
use crate::error::Result;
use crate::parallel;

/// Placements that count from the same number, and numbers that they take.
const BLOCK: usize = 256;
const NUMBERS: usize = BLOCK + 1;

/// The edges of a layer, turned round.
pub struct Predecessors {
    /// The binary logarithm of the placements of a group.
    bits: u32,
    groups: Vec<Turned>,
}

impl Predecessors {
    /// Turns the edges of a layer round. Those that are not needed (`needs`), from one placement to
    /// another, are left out.
    ///
    /// # Errors
    /// [`Error::Interrupted`](crate::error::Error::Interrupted) soon after the keeper wants a stop.
    pub fn of(
        bundles: Bundles,
        needs: impl Fn(usize, usize) -> bool + Sync,
        keeper: &dyn Keeper,
    ) -> Result<Predecessors> {
        let (positions, bits) = (bundles.positions(), bundles.bits_of_group());
        let turned = |group: BandGroup| {
            let bands = parallel::map_of(group.bands(), |band| {
                unless_stopped(keeper)?;
                let length = BAND.min(positions - band * BAND);
                Ok(Band::of(&group, band, length, &needs))
            });
            Ok(Turned::new(bands.into_iter().collect::<Result<_>>()?))
        };
        let groups = bundles.into_groups().map(turned).collect::<Result<_>>()?;
        Ok(Predecessors { bits, groups })
    }

    /// Returns the placements that have a move to this one, as often as they have one.
    #[inline]
    pub fn of_rank(&self, rank: u32) -> &[u32] {
        let rank = rank as usize;
        let group = &self.groups[rank >> self.bits];
        &group.from[group.starts.of_place(rank & ((1 << self.bits) - 1))]
    }
}

/// The edges into a band.
struct Band {
    /// Where those into each placement begin, and where the last ones end.
    starts: Vec<u32>,
    /// Placements by the one that they have a move to.
    from: Vec<u32>,
}

impl Band {
    fn of(
        group: &BandGroup,
        band: usize,
        length: usize,
        needs: impl Fn(usize, usize) -> bool,
    ) -> Band {
        let mut starts = vec![0u32; length + 1];
        let (mut edges, mut parts) = (Vec::new(), Vec::new());
        for (piece, part) in group.of_band(band) {
            let mut count = edges.len();
            edges.resize(count + part.len(), Edge::default());
            for &edge in part {
                let is_needed = needs(piece * PIECE + edge.from(), band * BAND + edge.to());
                // Without a branch, because it is unpredictable.
                edges[count] = edge;
                count += usize::from(is_needed);
                starts[edge.to()] += u32::from(is_needed);
            }
            edges.truncate(count);
            parts.push((piece, count));
        }
        let mut sum = 0;
        for start in &mut starts {
            (*start, sum) = (sum, sum + *start);
        }
        let mut from = vec![0; edges.len()];
        let mut begin = 0;
        for (piece, end) in parts {
            for edge in &edges[begin..end] {
                let start = &mut starts[edge.to()];
                from[*start as usize] = (piece * PIECE + edge.from()) as u32;
                *start += 1;
            }
            begin = end;
        }
        // Each has become the end, which is where the next one begins.
        starts.rotate_right(1);
        starts[0] = 0;
        Band { starts, from }
    }
}

/// The edges into the bands of a group.
struct Turned {
    starts: Starts,
    /// Placements by the one that they have a move to.
    from: Vec<u32>,
}

impl Turned {
    fn new(bands: Vec<Band>) -> Turned {
        let edges = bands.iter().map(|band| band.from.len()).sum();
        let places = bands.iter().map(|band| band.starts.len() - 1).sum::<usize>();
        let (mut starts, mut from) = (Starts::new(places), Vec::with_capacity(edges));
        for band in bands {
            let first = u32::try_from(from.len()).expect("edges of a group have 32 bits");
            starts.add(first, &band.starts);
            from.extend_from_slice(&band.from);
        }
        Turned { starts, from }
    }
}

/// Where the edges into each placement of a group begin, and where the last ones end.
enum Starts {
    /// By block, and by placement counted from there: where the edges into each begin, and the end.
    Short { blocks: Vec<u32>, within: Vec<u16> },
    /// By placement.
    Long(Vec<u32>),
}

impl Starts {
    /// Those of this many placements, before there are any.
    fn new(places: usize) -> Starts {
        let blocks = places.div_ceil(BLOCK);
        let within = Vec::with_capacity(blocks * NUMBERS);
        Starts::Short { blocks: Vec::with_capacity(blocks), within }
    }

    /// Adds a band's, which are counted from a first number. All bands before it are whole.
    fn add(&mut self, first: u32, starts: &[u32]) {
        match self {
            Starts::Long(all) => {
                all.pop();
                all.extend(starts.iter().map(|start| first + start));
            }
            Starts::Short { blocks, within } => {
                let places = starts.len() - 1;
                let blocks_of = (0..places).step_by(BLOCK);
                let is_short = |begin: usize| {
                    starts[(begin + BLOCK).min(places)] - starts[begin] <= u16::MAX.into()
                };
                if !blocks_of.clone().all(is_short) {
                    self.lengthen();
                    return self.add(first, starts);
                }
                for begin in blocks_of {
                    let of_block = &starts[begin..=(begin + BLOCK).min(places)];
                    blocks.push(first + of_block[0]);
                    within.extend(of_block.iter().map(|start| (start - of_block[0]) as u16));
                }
            }
        }
    }

    /// Goes over to numbers of 32 bits.
    fn lengthen(&mut self) {
        let Starts::Short { blocks, .. } = self else { return };
        let places = 0..blocks.len() * BLOCK;
        let ranges = places.map(|place| self.of_place(place));
        // The first end is where nothing has begun yet.
        let ends = std::iter::once(0).chain(ranges.map(|range| range.end as u32));
        *self = Starts::Long(ends.collect());
    }

    #[inline]
    fn of_place(&self, place: usize) -> Range<usize> {
        match self {
            Starts::Short { blocks, within } => {
                let (block, at) = (place / BLOCK, place / BLOCK * NUMBERS + place % BLOCK);
                let first = blocks[block] as usize;
                first + usize::from(within[at])..first + usize::from(within[at + 1])
            }
            Starts::Long(starts) => starts[place] as usize..starts[place + 1] as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::random::Dice;

    /// Turns the edges of a layer round and compares: some placements have so many before them that
    /// these have no number of 16 bits.
    fn check(positions: usize, mut to: impl FnMut(&mut Dice) -> u64) -> Predecessors {
        let mut dice = Dice::new(9);
        let quiet: Vec<u8> = (0..positions).map(|_| dice.below(4) as u8).collect();
        let edges: Vec<Vec<u32>> =
            quiet.iter().map(|&count| (0..count).map(|_| to(&mut dice) as u32).collect()).collect();
        let bundles = Bundles::new(positions);
        let pieces = quiet.chunks(PIECE).zip(edges.chunks(PIECE)).enumerate();
        parallel::each_of(pieces, |(piece, (quiet, edges))| {
            bundles.add(piece, quiet, &edges.concat());
        });
        let all = Mutex::new(Vec::new());
        bundles.for_each(|from, to| all.lock().unwrap().push((from, to as u32)));
        let mut all = all.into_inner().unwrap();
        all.sort_unstable();
        let mut listed: Vec<(usize, u32)> =
            (0..positions).flat_map(|from| edges[from].iter().map(move |&to| (from, to))).collect();
        listed.sort_unstable();
        assert!(all == listed);
        let needs = |from: usize, to: usize| !(from ^ to).is_multiple_of(3);
        let found = Predecessors::of(bundles, needs, &AtomicBool::new(false)).unwrap();
        let mut expected = vec![Vec::new(); positions];
        for (from, edges) in edges.iter().enumerate() {
            for &to in edges.iter().filter(|&&to| needs(from, to as usize)) {
                expected[to as usize].push(from as u32);
            }
        }
        for (rank, expected) in expected.iter().enumerate() {
            assert_eq!(found.of_rank(rank as u32), expected, "{rank}");
        }
        found
    }

    #[test]
    fn every_edge_is_turned_round_once() {
        let positions = 2 * BAND + 77;
        let found = check(positions, |dice| dice.below(positions as u64));
        assert!(found.groups.iter().all(|group| matches!(group.starts, Starts::Short { .. })));
    }

    #[test]
    fn so_many_edges_into_one_placement_are_turned_round_too() {
        let positions = 2 * BAND + 1000;
        for many in [5, BAND as u64 + 5, 2 * BAND as u64] {
            let found = check(positions, |dice| match dice.below(3) {
                0 => many,
                _ => dice.below(positions as u64),
            });
            assert!(matches!(found.groups[0].starts, Starts::Long(_)));
        }
    }

    #[test]
    fn many_bands_are_turned_round_in_groups() {
        let positions = 9 * BAND + 3;
        let found = check(positions, |dice| dice.below(positions as u64));
        assert_eq!(found.groups.len(), 2);
    }

    #[test]
    fn a_stop_is_heard() {
        let bundles = Bundles::new(5);
        bundles.add(0, &[1], &[3]);
        assert!(Predecessors::of(bundles, |_, _| true, &AtomicBool::new(true)).is_err());
    }
}
