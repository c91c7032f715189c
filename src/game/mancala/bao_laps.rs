//! Bao of Kenya with laps: two rows of eight, two seeds in each house, stores only for captives.
//!
//! A move begins in an own house with two seeds or more; only if there is none, in one with a
//! single seed. Seeds are sown counter-clockwise round all sixteen houses, that of origin included.
//! If the last one falls into a house with seeds, of either player, all of it is taken up and sown
//! on; if it falls into an empty house the turn ends, and if that house is the mover's own, the
//! seeds opposite are captured. Who is to move and cannot ends the game, and each player keeps the
//! own row.
//!
//! # Readings of the source
//!
//! * Nothing is said of passing over the house of origin, unlike in the other texts: it is sown.
//! * "Unless all hollows on the near side are singles": no own house holds two or more.
//! * The capturing seed stays, for "all seeds in the opposite hollow" are captured.
//! * Of a sowing that never ends the text says nothing. It is no legal move; the first are at eleven
//!   seeds.
//! * "If both players collect 24 seeds" comes from a game of 48; here it is 16.
//! * The game is drawn "when it becomes clear that the last seeds are only moved about on the
//!   board": that is the sheet `bao-laps-drawn`. In `bao-laps` what is left is halved, which is one
//!   number, and comparable with the other sheets.

use super::Mancala;
use super::endless::Watch;
use super::outcome::{Label, Outcome, Outcomes};
use super::placement::{Placement, count, sown};

/// Houses of a row.
const ROW: usize = 8;

/// Both rows.
const ROUND: usize = 2 * ROW;

/// The Bao of Kenya with laps.
pub struct BaoLaps;

impl Mancala for BaoLaps {
    fn add_outcomes(&self, placement: &Placement, found: &mut Outcomes) {
        let least = if placement.mover().iter().any(|&count| count > 1) { 2 } else { 1 };
        let begins = |&house: &usize| placement.counts()[house] >= least;
        let before = placement.first_sixteen();
        for origin in (0..ROW).filter(begins) {
            if let Some((after, at)) = sow(before, origin) {
                found.push(ended(placement, after, at, origin));
            }
        }
    }
}

/// A sowing with all its laps: the houses after it, a byte for each, and that of the last seed;
/// `None` if it never ends.
fn sow(mut houses: u128, origin: usize) -> Option<(u128, usize)> {
    let mut at = origin;
    let mut watch = Watch::new((houses, at));
    loop {
        at = lap(&mut houses, at);
        if count(houses, at) == 1 {
            return Some((houses, at));
        }
        if watch.has_been((houses, at)) {
            return None;
        }
    }
}

/// The move of a sowing that ends in a house.
fn ended(placement: &Placement, houses: u128, at: usize, origin: usize) -> Outcome {
    let opposite = ROUND - 1 - at;
    let captured = if at < ROW { count(houses, opposite) } else { 0 };
    let houses = houses - ((captured as u128) << (8 * opposite));
    Outcome {
        label: Label::House(origin as u8),
        mover: captured as u8,
        opponent: 0,
        again: false,
        next: placement.with_first_sixteen(houses.rotate_left(u128::BITS / 2)),
    }
}

/// Takes up a house and sows it, all seeds at once. Returns the house of the last seed.
fn lap(houses: &mut u128, from: usize) -> usize {
    let hand = count(*houses, from);
    let (rounds, rest) = (hand / ROUND, hand % ROUND);
    // The house holds what is taken, so that no byte borrows from the next one.
    *houses = houses.wrapping_add(SOWN[from][rest]);
    if rounds > 0 {
        let taken = ((rounds * ROUND) as u128) << (8 * from);
        *houses = *houses - taken + rounds as u128 * ONES;
    }
    (from + hand) % ROUND
}

/// A seed in each house.
const ONES: u128 = u128::from_le_bytes([1; ROUND]);

/// What sowings add, less what they take from the house of origin.
static SOWN: [[u128; ROUND]; ROUND] = sown(1);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Dice;

    #[test]
    fn a_lap_at_once_is_a_lap_seed_by_seed() {
        let mut dice = Dice::new(3);
        for _ in 0..100_000 {
            let mut counts = [0u8; ROUND];
            (0..32).for_each(|_| counts[dice.below(4 * ROUND as u64) as usize % ROUND / 2] += 1);
            let from = dice.below(ROUND as u64) as usize;
            let mut once = u128::from_le_bytes(counts);
            let (mut at, hand) = (from, std::mem::take(&mut counts[from]));
            for _ in 0..hand {
                at = (at + 1) % ROUND;
                counts[at] += 1;
            }
            assert_eq!(lap(&mut once, from), at);
            assert_eq!(once.to_le_bytes(), counts, "{hand} from {from}");
        }
    }
}
