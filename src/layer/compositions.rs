//! Ways to put seeds into places, in lexicographic order, the first place most significant.
//!
//! With `r` seeds in it and the `m` places after it, a place that holds `x` of them has
//! `W(m + 1, r) − W(m + 1, r − x)` compositions before it, where `W(m, r)` is the number of ways to
//! put `r` seeds into `m` places. So a number is a sum of as many differences as there are places.

use crate::game::mancala::placement::PLACES;

/// Seeds that are put into places at most, and one.
pub const SEEDS: usize = 65;

/// Ways to put seeds into places, by places and by seeds; the largest number for more than there
/// are.
static WAYS: [[u64; SEEDS]; PLACES + 1] = {
    let mut ways = [[0u64; SEEDS]; PLACES + 1];
    ways[0][0] = 1;
    let mut places = 1;
    while places <= PLACES {
        let (mut seeds, mut fewer) = (0, 0);
        while seeds < SEEDS {
            ways[places][seeds] = ways[places - 1][seeds].saturating_add(fewer);
            fewer = ways[places][seeds];
            seeds += 1;
        }
        places += 1;
    }
    ways
};

/// Returns in how many ways seeds can be put into places; `u64::MAX` for more than that.
#[inline]
pub const fn ways(places: usize, seeds: usize) -> u64 {
    WAYS[places][seeds]
}

/// Returns how many ways to put `seeds` into `places` come before those that begin with `counts`.
#[inline]
pub fn ways_before(counts: &[u8], places: usize, seeds: usize) -> u64 {
    let (mut left, mut before) = (seeds, 0);
    for (place, &count) in counts.iter().enumerate() {
        let ways = &WAYS[places - place];
        before += ways[left] - ways[left - usize::from(count)];
        left -= usize::from(count);
    }
    before
}

/// Steps to the next way to put as many seeds into as many places, if there is one.
#[inline]
pub fn advance(counts: &mut [u8]) -> bool {
    match counts.iter().rposition(|&count| count > 0) {
        None | Some(0) => false,
        Some(place) => {
            let count = std::mem::take(&mut counts[place]);
            counts[place - 1] += 1;
            counts[counts.len() - 1] = count - 1;
            true
        }
    }
}
