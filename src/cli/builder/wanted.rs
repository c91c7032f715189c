//! What is built, and how much memory and disk that takes.
//!
//! While a layer is solved, these are in memory: what the solver works on, solved layers below as
//! far as they fit, and layers that are still being encoded. One large layer waits to be encoded at
//! a time, but any number of small ones. If not all of that fits, the layer just solved is still
//! encoded meanwhile if there is room for it, or else before; small layers stay as far as they
//! fit, and the others are on disk. They are read while captures are entered, into memory for
//! scores of the new layer that are not there yet. Where scores are on disk, what they hold of
//! memory is whatever is left.

use crate::game::{Rules, ScoreRange, Seeds};
use crate::layer::{Layer, Plane};
use crate::solver::cluster::Needs;
use crate::solver::{Way, disk, marks, memory, planes, plenty, reading};
use crate::table::expected_bytes;

use super::ranks;

/// Bytes for the program itself, and its buffers for decoding and encoding small layers.
pub const PROGRAM: u64 = 45_000_000;

/// Bytes for a thread that encodes, and for what it keeps of freed memory, unless the layer is
/// small. Measured with 1, 2 and 4 threads at 16 and 18 seeds; `keeps_to_its_memory` in
/// `tests/cli/build.rs` holds it.
const THREAD: u64 = 18_000_000;

/// Most bytes that encoding a layer works on, in addition to the layer.
const ENCODER: u64 = 8_000_000;

/// Bytes that layers may hold while they wait to be encoded, whether or not they are small compared
/// with the layer being solved.
const SMALL: u64 = 32_000_000;

/// Bytes of a [stream](super::stream) for a score, rather too many than too few.
const STREAM_BYTES: f64 = 0.4;

/// Of a rank's part on disk one in this many bytes is wanted in memory at least.
const MAPPED: u64 = 10;

/// What is built.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub rules: &'static Rules,
    /// Whether tables get strategies.
    pub strategies: bool,
    /// Seeds of the games that are to be decided, if scores are clamped to that.
    pub game: Option<Seeds>,
    /// How many processes share the work, if `mpirun` has started them; needs are those of rank 0.
    pub ranks: Option<usize>,
}

impl Wanted {
    /// Returns the seeds of the largest layer there is.
    pub fn most(self) -> Seeds {
        self.game.unwrap_or(Seeds::MAX)
    }

    /// Returns a layer, with the scores that are kept apart.
    pub fn layer(self, seeds: Seeds) -> Layer {
        let range = ScoreRange::deciding(self.rules, seeds, self.game);
        Layer::of(self.rules, seeds).with_range(range)
    }

    /// Returns the positions in the table of a layer.
    pub fn positions(self, seeds: Seeds) -> u64 {
        self.layer(seeds).positions()
    }

    /// Returns the bytes of a layer's table, as far as they can be foreseen.
    pub fn table(self, seeds: Seeds) -> u64 {
        expected_bytes(self.positions(seeds), self.strategies, self.share(seeds))
    }

    /// Returns the part of what scores take in files that is left where they are clamped, rather
    /// too much than too little. Of tables of `awari` to 34 seeds for games of as many: 0.37, 0.52,
    /// 0.65, 0.75 and 0.83 of 1.6 bits a position where scores beyond 1, 2, 3, 4 and 5 are not
    /// distinguished.
    fn share(self, seeds: Seeds) -> f64 {
        let end = self.layer(seeds).range().clamp_end();
        end.map_or(1.0, |end| (0.3 + 0.15 * f64::from(end)).min(1.0))
    }

    /// Returns the bytes that solving a layer takes when all that can be on disk is there.
    pub fn least_memory(self, seeds: Seeds) -> u64 {
        let ways = Way::ALL.into_iter().map(|way| self.solving(seeds, way));
        ways.min().expect("some way")
    }

    /// Returns the way to solve a layer under a ceiling.
    pub fn way(self, seeds: Seeds, ceiling: u64) -> Way {
        let least = self.least_memory(seeds);
        let fits = |way: &Way| self.solving(seeds, *way) <= ceiling.max(least);
        Way::ALL.into_iter().find(fits).expect("the least fits")
    }

    /// Returns the bytes that solving a layer under a ceiling takes.
    fn solving_under(self, seeds: Seeds, ceiling: u64) -> u64 {
        self.solving(seeds, self.way(seeds, ceiling))
    }

    /// Returns the bytes that it takes with all layers below in memory, the last of them still
    /// being encoded.
    pub fn most_memory(self, seeds: Seeds) -> u64 {
        self.with_all_below(seeds) + self.encoding_last(seeds)
    }

    /// Returns the bytes that it takes where there is no ceiling.
    pub fn usual_memory(self, seeds: Seeds) -> u64 {
        self.with_all_below(seeds) + self.backlog(seeds)
    }

    /// Returns the bytes of a layer that is solved in memory, and of all below.
    fn with_all_below(self, seeds: Seeds) -> u64 {
        let below: u64 = seeds.below().map(|below| self.size(below)).sum();
        self.solving(seeds, Way::InMemory) + below
    }

    /// Returns whether there is memory for more than what a layer needs.
    pub fn has_plenty(self, seeds: Seeds, ceiling: u64) -> bool {
        self.usual_memory(seeds) + plenty(self.rules, self.layer(seeds)) <= ceiling
    }

    /// Returns the bytes that a layer holds until it is encoded: in addition to its scores, which
    /// are kept anyway; of a rank's part all.
    pub fn encoding(self, seeds: Seeds) -> u64 {
        let alone = || marks(self.rules, self.layer(seeds));
        self.of_ranks(seeds).map_or_else(alone, |needs| needs.kept) + self.encoder(seeds)
    }

    /// Returns the bytes that encoding a layer takes in addition to what is held of it. Ranks send
    /// each other the tiles of the sample and of some frames, too.
    fn encoder(self, seeds: Seeds) -> u64 {
        let encoder = ENCODER.min(8 * self.size(seeds));
        if self.ranks.is_some() { 2 * encoder } else { encoder }
    }

    /// Returns the bytes that layers being encoded may hold under a ceiling while this one is being
    /// solved.
    pub fn room_for_encoding(self, seeds: Seeds, ceiling: u64) -> u64 {
        if self.most_memory(seeds) > ceiling {
            return self.beside(seeds, ceiling).map_or(0, |_| self.encoding_last(seeds));
        }
        self.backlog(seeds).min(ceiling - self.with_all_below(seeds))
    }

    /// Returns the bytes of memory that the layer below, put on disk, takes while it is encoded, if
    /// there is room for that while this one is being solved.
    fn beside(self, seeds: Seeds, ceiling: u64) -> Option<u64> {
        let below = seeds.below().next()?;
        let encoded = match (self.ranks, self.way(below, ceiling)) {
            (_, Way::ScoresOnDisk) => self.encoder(below),
            (Some(_), Way::InMemory | Way::CapturesOnDisk) => self.encoding(below),
            (None, Way::InMemory | Way::CapturesOnDisk) => self.encoding(below) + self.size(below),
        };
        (self.solving_under(seeds, ceiling) + encoded <= ceiling).then_some(encoded)
    }

    fn backlog(self, seeds: Seeds) -> u64 {
        let all: u64 = seeds.below().map(|below| self.encoding(below)).sum();
        all.min(self.encoding_last(seeds).max(SMALL))
    }

    /// Returns the bytes that the layer below holds until it is encoded.
    fn encoding_last(self, seeds: Seeds) -> u64 {
        seeds.below().next().map_or(0, |below| self.encoding(below))
    }

    /// Returns how many of the smallest layers stay in memory under a ceiling while this one is
    /// being solved; the others are on disk, and read once. Where more is on disk, which is read in
    /// every sweep, room that is left is for that.
    pub fn staying(self, seeds: Seeds, ceiling: u64) -> usize {
        if self.most_memory(seeds) <= ceiling {
            return seeds.get();
        }
        if self.way(seeds, ceiling) != Way::InMemory {
            return 0;
        }
        let mut room = ceiling.saturating_sub(self.solving_under(seeds, ceiling));
        room -= self.beside(seeds, ceiling).unwrap_or(0);
        self.fitting(seeds.below().rev(), room)
    }

    /// Returns how many of some layers, one after the other, have room in this many bytes.
    pub fn fitting(self, layers: impl Iterator<Item = Seeds>, mut room: u64) -> usize {
        let fits = |seeds: &Seeds| {
            let left = room.checked_sub(self.size(*seeds));
            room = left.unwrap_or(room);
            left.is_some()
        };
        layers.take_while(fits).count()
    }

    /// Returns the bytes of disk for what is put there while a layer is solved, as far as they can
    /// be foreseen: layers below, and the values of captures.
    pub fn scratch(self, seeds: Seeds, ceiling: u64) -> u64 {
        let streams = seeds.below().rev().skip(self.staying(seeds, ceiling));
        let streams = streams.map(|below| (self.size(below) as f64 * STREAM_BYTES) as u64);
        let way = self.way(seeds, ceiling);
        let solving = match (self.of_ranks(seeds), way) {
            (None, _) => disk(self.rules, self.layer(seeds), way, self.strategies),
            (Some(_), Way::InMemory | Way::CapturesOnDisk) => 0,
            (Some(Needs { share, .. }), Way::ScoresOnDisk) => {
                share * ranks::on_this_machine() as u64
            }
        };
        // The layer below may still be there to be encoded.
        let on_disk = |below: &Seeds| self.way(*below, ceiling) == Way::ScoresOnDisk;
        let held = |below| self.size(below) + marks(self.rules, self.layer(below));
        let encoded = seeds.below().next().filter(on_disk).map_or(0, held);
        streams.sum::<u64>() + encoded + solving
    }

    /// Returns the bytes that are read from disk while a layer is solved, at most.
    pub fn reading(self, seeds: Seeds, ceiling: u64) -> u64 {
        if self.ranks.is_some() {
            // Not known.
            return 0;
        }
        let way = self.way(seeds, ceiling);
        reading(self.rules, self.layer(seeds), way, ceiling.saturating_sub(self.program(seeds)))
    }

    /// Returns the bytes that solving a layer takes. A rank's part is in memory, or on disk: it has
    /// nothing to put there before that.
    fn solving(self, seeds: Seeds, way: Way) -> u64 {
        let solving = match (self.of_ranks(seeds), way) {
            (None, _) => memory(self.rules, self.layer(seeds), way, self.strategies),
            (Some(Needs { share, common, .. }), Way::InMemory | Way::CapturesOnDisk) => {
                common + share
            }
            (Some(Needs { share, loose, common, .. }), Way::ScoresOnDisk) => {
                common + loose + (share - loose) / MAPPED
            }
        };
        self.program(seeds) + solving
    }

    /// Returns whether a rank has room for its part of a layer in memory.
    pub fn part_fits(self, seeds: Seeds, ceiling: u64) -> bool {
        self.ranks.is_none() || self.solving(seeds, Way::InMemory) <= ceiling
    }

    /// Returns what a layer takes that several processes share, if there are several.
    fn of_ranks(self, seeds: Seeds) -> Option<Needs> {
        let needs = |ranks| Needs::of(self.rules, self.layer(seeds), ranks, self.strategies);
        self.ranks.map(needs)
    }

    /// Returns the bytes of a layer's scores.
    pub fn size(self, seeds: Seeds) -> u64 {
        planes(self.rules) * Plane::memory(self.layer(seeds))
    }

    /// Returns the bytes of the program itself and of its buffers.
    fn program(self, seeds: Seeds) -> u64 {
        let buffers = THREAD * rayon::current_num_threads() as u64;
        let buffers = buffers.min(4 * self.size(seeds));
        PROGRAM + buffers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{ABAPA, AWARI};

    #[test]
    fn layers_being_encoded_keep_to_the_ceiling() {
        for rules in [&AWARI, &ABAPA] {
            for strategies in [false, true] {
                for ranks in [None, Some(2), Some(5)] {
                    let wanted = Wanted { rules, strategies, game: None, ranks };
                    Seeds::new(20).unwrap().up_to().skip(1).for_each(|seeds| {
                        assert_encoded_under_the_ceiling(wanted, seeds);
                    });
                }
            }
        }
    }

    fn assert_encoded_under_the_ceiling(wanted: Wanted, seeds: Seeds) {
        let (most, usual) = (wanted.most_memory(seeds), wanted.usual_memory(seeds));
        assert!(most <= usual && usual <= most + SMALL);
        let encoded = wanted.encoding(seeds.below().next().unwrap());
        for tight in [most - 1, wanted.least_memory(seeds)] {
            let room = wanted.room_for_encoding(seeds, tight);
            assert!(room == 0 || room == encoded);
            let beside = wanted.beside(seeds, tight);
            assert_eq!(room == 0, beside.is_none());
            let count = wanted.staying(seeds, tight);
            let staying: u64 = seeds.up_to().take(count).map(|below| wanted.size(below)).sum();
            let all = wanted.solving_under(seeds, tight) + beside.unwrap_or(0) + staying;
            assert!(all <= tight);
            // The next one has no room.
            let next = seeds.below().rev().nth(count).map(|next| wanted.size(next));
            let is_full = next.is_none_or(|next| all + next > tight);
            assert!(is_full || wanted.way(seeds, tight) != Way::InMemory);
        }
        for ceiling in [most, (most + usual) / 2, usual, usual + 1000] {
            let room = wanted.room_for_encoding(seeds, ceiling);
            assert!(room >= encoded);
            let held = wanted.with_all_below(seeds) + room;
            assert!(held <= ceiling && held <= usual);
        }
    }

    /// Parts shrink with the number of ranks, and are all that a rank has of a layer.
    #[test]
    fn ranks_need_their_parts() {
        let seeds = Seeds::new(30).unwrap();
        for (rules, strategies) in
            [(&AWARI, false), (&AWARI, true), (&ABAPA, false), (&ABAPA, true)]
        {
            let [few, many] =
                [2, 8].map(|ranks| Wanted { rules, strategies, game: None, ranks: Some(ranks) });
            let [in_memory, captures, least] = Way::ALL.map(|way| few.solving(seeds, way));
            assert!(least < captures && captures == in_memory);
            let [two, eight] = [few, many].map(|wanted| {
                let needs = wanted.of_ranks(seeds).unwrap();
                assert!(needs.kept < needs.share && needs.loose < needs.share);
                needs
            });
            assert!(eight.share < two.share / 3 && eight.kept < two.kept / 3);
            assert!(many.solving(seeds, Way::InMemory) < in_memory);
            assert_eq!(few.way(seeds, in_memory - 1), Way::ScoresOnDisk);
            assert!(few.part_fits(seeds, in_memory) && !few.part_fits(seeds, in_memory - 1));
            assert!(few.scratch(seeds, least) > few.scratch(seeds, u64::MAX));
        }
    }

    /// From less to more memory: scores on disk, captures on disk, all in memory.
    #[test]
    fn what_is_on_disk_depends_on_memory() {
        let seeds = Seeds::new(24).unwrap();
        for rules in [&AWARI, &ABAPA] {
            let wanted = Wanted { rules, strategies: false, game: None, ranks: None };
            let [in_memory, captures, least] = Way::ALL.map(|way| wanted.solving(seeds, way));
            assert!(least < captures && captures < in_memory);
            assert_eq!(wanted.least_memory(seeds), least);
            for (memory, way) in [
                (least - 1, Way::ScoresOnDisk),
                (captures - 1, Way::ScoresOnDisk),
                (captures, Way::CapturesOnDisk),
                (in_memory - 1, Way::CapturesOnDisk),
                (in_memory, Way::InMemory),
            ] {
                assert_eq!(wanted.way(seeds, memory), way);
                assert!(
                    wanted.scratch(seeds, memory) >= disk(rules, wanted.layer(seeds), way, false)
                );
            }
            let reading = |memory| wanted.reading(seeds, memory);
            assert!(reading(least) > reading(captures - 1) && reading(captures) > 0);
            assert!(reading(captures - 1) >= reading(captures));
            assert_eq!((reading(in_memory), wanted.scratch(seeds, u64::MAX)), (0, 0));
        }
    }
}
