//! The moves of a layer that stay in it, by where they lead to.
//!
//! A layer is cut into *pieces* where moves begin, and into *bands* where they end. A band is a
//! run of placements that is short enough for their counts to stay in the processor's cache.
//! The thread that has made the moves of a piece sorts them by band:
//!
//! ```text
//!               band 0   band 1   band 2
//!     piece 0   ▒▒▒▒▒▒   ▒▒▒      ▒        a bundle
//!     piece 1   ▒▒       ▒▒▒▒▒▒   ▒▒▒▒
//!     piece 2   ▒        ▒▒       ▒▒▒▒▒▒
//! ```
//!
//! A piece has 2¹⁴ placements and a band 2¹⁸, so that an edge between them takes 32 bits. Bands that
//! are turned round one after the other ([`super::predecessors`]) are a *group*, which has its part
//! of all bundles in one stretch of memory: what has been turned round is given back before the next
//! group is.

use std::sync::{Mutex, PoisonError};

use super::work::PIECE;
use crate::parallel;
use crate::pool::locked;

/// Placements of a band.
pub const BAND: usize = 1 << BAND_BITS;

/// Bits of a place in a band.
const BAND_BITS: u32 = 18;

const _: () = assert!(PIECE.ilog2() + BAND_BITS == u32::BITS, "an edge takes 32 bits");

/// Groups of a large layer at most, and bands of a group in a small one: threads share these.
pub const GROUPS: usize = 32;
const BANDS: usize = 8;

/// Edges of a placement that there is room for from the beginning. Untouched memory costs
/// nothing, and what has room need not be moved.
const EDGES: usize = 2;

/// An edge: the place in the piece that it comes from, and that in the band that it leads to.
#[derive(Clone, Copy, Default)]
pub struct Edge(u32);

impl Edge {
    fn new(from: u32, to: u32) -> Edge {
        Edge((from << BAND_BITS) | (to % BAND as u32))
    }

    /// The place in the piece that it comes from.
    pub fn from(self) -> usize {
        (self.0 >> BAND_BITS) as usize
    }

    /// The place in the band that it leads to.
    pub fn to(self) -> usize {
        self.0 as usize % BAND
    }
}

/// The band that a rank is in.
fn band_of(rank: u32) -> usize {
    (rank >> BAND_BITS) as usize
}

/// The edges of a layer.
pub struct Bundles {
    positions: usize,
    bands_of_group: usize,
    groups: Vec<Mutex<BandGroup>>,
}

impl Bundles {
    /// Those of a layer of this many placements, before there are any.
    pub fn new(positions: usize) -> Bundles {
        let bands = positions.div_ceil(BAND);
        let bands_of_group = bands.div_ceil(GROUPS).max(BANDS).next_power_of_two();
        let firsts = (0..bands).step_by(bands_of_group);
        let room = EDGES * positions.min(BAND * bands_of_group);
        let group = |first: usize| BandGroup::new(first, bands_of_group.min(bands - first), room);
        let groups = firsts.map(|first| Mutex::new(group(first))).collect();
        Bundles { positions, bands_of_group, groups }
    }

    /// Placements of the layer.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// The binary logarithm of the placements of a group.
    pub fn bits_of_group(&self) -> u32 {
        BAND_BITS + self.bands_of_group.ilog2()
    }

    /// Adds the edges of a piece: this many from each of its placements, which lead to these ranks.
    pub fn add(&self, piece: usize, quiet: &[u8], to: &[u32]) {
        let (edges, ends) = sorted(quiet, to, self.positions.div_ceil(BAND));
        let mut begin = 0;
        for (group, ends) in self.groups.iter().zip(ends.chunks(self.bands_of_group)) {
            let end = *ends.last().expect("a group has bands") as usize;
            let mut group = locked(group);
            group.add(piece, &edges[begin..end], begin as u32, ends);
            begin = end;
        }
    }

    /// The groups, each with its pieces in order.
    pub fn into_groups(self) -> impl Iterator<Item = BandGroup> {
        self.groups.into_iter().map(|group| {
            let mut group = group.into_inner().unwrap_or_else(PoisonError::into_inner);
            group.parts.sort_unstable_by_key(|part| part.piece);
            group
        })
    }

    /// All edges of all pieces, from one rank to another.
    pub fn for_each(&self, visit: impl Fn(usize, usize) + Sync) {
        parallel::each_of(&self.groups, |group| {
            let group = locked(group);
            for band in group.bands() {
                for (piece, edges) in group.of_band(band) {
                    edges.iter().for_each(|edge| {
                        visit(piece * PIECE + edge.from(), band * BAND + edge.to());
                    });
                }
            }
        });
    }
}

/// Sorts the edges of a piece by band, in order of where they come from. Returns also where those
/// into each band end.
fn sorted(quiet: &[u8], to: &[u32], bands: usize) -> (Vec<Edge>, Vec<u32>) {
    let mut ends = vec![0u32; bands];
    to.iter().for_each(|&to| ends[band_of(to)] += 1);
    let mut sum = 0;
    for end in &mut ends {
        // Where those into the band begin, until they are there.
        (*end, sum) = (sum, sum + *end);
    }
    let (mut edges, mut rest) = (vec![Edge::default(); to.len()], to.iter());
    for (from, &count) in (0u32..).zip(quiet) {
        for &to in rest.by_ref().take(usize::from(count)) {
            let end = &mut ends[band_of(to)];
            edges[*end as usize] = Edge::new(from, to);
            *end += 1;
        }
    }
    (edges, ends)
}

/// The edges into some bands that follow each other.
pub struct BandGroup {
    first: usize,
    bands: usize,
    parts: Vec<BandEdges>,
    edges: Vec<Edge>,
    /// By part and band: where edges end, counted from where those of the part begin.
    ends: Vec<u32>,
}

/// The edges of a piece into the bands of a group.
struct BandEdges {
    piece: usize,
    /// Where its edges begin.
    edges: usize,
    /// Where its ends begin.
    ends: usize,
}

impl BandGroup {
    fn new(first: usize, bands: usize, room: usize) -> BandGroup {
        let edges = Vec::with_capacity(room);
        BandGroup { first, bands, parts: Vec::new(), edges, ends: Vec::new() }
    }

    /// Adds the edges of a piece, whose ends are counted from somewhere before them.
    fn add(&mut self, piece: usize, edges: &[Edge], begin: u32, ends: &[u32]) {
        self.parts.push(BandEdges { piece, edges: self.edges.len(), ends: self.ends.len() });
        self.edges.extend_from_slice(edges);
        self.ends.extend(ends.iter().map(|end| end - begin));
    }

    /// The bands, by their numbers in the layer.
    pub fn bands(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.bands
    }

    /// The edges into a band, by the piece that they come from.
    pub fn of_band(&self, band: usize) -> impl Iterator<Item = (usize, &[Edge])> {
        let band = band - self.first;
        self.parts.iter().map(move |part| {
            let ends = &self.ends[part.ends..part.ends + self.bands];
            let begin = if band == 0 { 0 } else { ends[band - 1] };
            let edges = &self.edges[part.edges..];
            (part.piece, &edges[begin as usize..ends[band] as usize])
        })
    }
}
