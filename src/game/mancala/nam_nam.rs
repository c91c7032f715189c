//! Oware Nam Nam, one round: a ring of twelve houses, each with an owner.
//!
//! A move empties any own house that holds seeds and sows them one by one counter-clockwise; every
//! house gets one, that of origin included. Whenever a seed makes a house hold exactly *four*, the
//! four leave the board at once, also in the middle of a sowing, and go to the house's owner; but
//! if that seed was the last in hand, they go to the mover, and the turn ends. If the last seed
//! falls into an empty house the turn ends, too; if it falls into any other, all of it is taken up
//! and sown on. A player without seeds misses the turn; there is no duty to feed. Who captures when
//! eight seeds are left, in hand and on the board, gets all eight, and the round is over.
//!
//! # Readings of the source
//!
//! * "If the player captures the next four, they also take the last four": any capture counts, also
//!   one in the middle of a sowing, and it ends the round there and then.
//! * "If no seeds are held when it is the player's turn, they miss a round": no duty to feed.
//! * "A fifth seed … the chance is lost" speaks of a player who overlooks a capture; here that
//!   cannot happen. Only a house of four that is untouched since the start can come to hold five.
//! * Of a sowing that never ends the text says nothing. It is no legal move, and if there is no
//!   other the turn is missed. They exist from twelve seeds on.
//! * Of play that cycles it says nothing either; what is left is halved.
//!
//! # The match
//!
//! After a round the leader owns as many houses as seeds captured fill with four each, and chooses
//! them; rounds are played until one player owns all twelve. A match is thus a finite graph above
//! the rounds, whose vertices are who owns what and who begins, and whose edges are the results of
//! rounds. The tables' unit is a class of owners: up to the turning of the board the six of the
//! leader's side and any others, which is 32 classes.

use super::Mancala;
use super::endless::Watch;
use super::outcome::{Label, Outcome, Outcomes};
use super::placement::{Placement, count, sown, turned_owners};

/// Houses of the ring.
const RING: usize = 12;

/// What a house holds when it is captured.
const FOUR: u8 = 4;

/// Seeds of which the next capture takes all.
const LAST: u8 = 8;

/// A round of Oware Nam Nam.
pub struct NamNam;

impl Mancala for NamNam {
    fn add_outcomes(&self, placement: &Placement, found: &mut Outcomes) {
        let seeds = placement.seeds() as u8;
        if seeds == 0 {
            return;
        }
        let before = Sowing::new(placement, seeds);
        let turned = turned_owners(placement.owners(), RING / 2);
        let mut origins = before.owned & above_zero(before.houses);
        while origins > 0 {
            let origin = origins.trailing_zeros() as usize / 8;
            origins &= origins - 1;
            if let Some(after) = before.play(origin) {
                found.push(after.ended(placement, turned, origin));
            }
        }
        if found.is_empty() {
            let next = placement.turned();
            found.push(Outcome { label: Label::Missed, mover: 0, opponent: 0, again: false, next });
        }
    }
}

/// A sowing on its way.
#[derive(Clone, Copy)]
struct Sowing {
    /// A byte for each house.
    houses: u128,
    /// The highest bit of the byte of each house of the mover's.
    owned: u128,
    /// Seeds in hand and on the board.
    left: u8,
    mover: u8,
    opponent: u8,
}

impl Sowing {
    fn new(placement: &Placement, seeds: u8) -> Sowing {
        let (houses, owned) = (placement.first_sixteen(), spread_bits(placement.owners()));
        Sowing { houses, owned, left: seeds, mover: 0, opponent: 0 }
    }

    /// All laps of a move; `None` if they never end.
    fn play(mut self, origin: usize) -> Option<Sowing> {
        let mut at = origin;
        let mut watch = Watch::new((self.houses, at));
        loop {
            at = self.lap(at);
            if self.left == 0 || count(self.houses, at) <= 1 {
                return Some(self);
            }
            if watch.has_been((self.houses, at)) {
                return None;
            }
        }
    }

    /// Takes up a house and sows it. Returns the house of the last seed.
    ///
    /// All seeds at once, unless they go all the way round, or one of the captures is of the last
    /// eight: then the order of the captures matters.
    fn lap(&mut self, from: usize) -> usize {
        let hand = count(self.houses, from);
        if hand >= RING {
            return self.lap_by_seeds(from);
        }
        let sown = SOWN[from][hand];
        let houses = (self.houses - ((hand as u128) << (8 * from))) + sown;
        let at = if from + hand < RING { from + hand } else { from + hand - RING };
        let fours = equal_to_four(houses) & (sown << 7);
        if fours == 0 {
            self.houses = houses;
            return at;
        }
        let captures = fours.count_ones() as u8;
        if self.left < LAST + FOUR * captures {
            return self.lap_by_seeds(from);
        }
        let to_mover = (fours & (self.owned | 0x80 << (8 * at))).count_ones() as u8;
        self.houses = houses & !(fours | (fours - (fours >> 7)));
        self.left -= FOUR * captures;
        self.mover += FOUR * to_mover;
        self.opponent += FOUR * (captures - to_mover);
        at
    }

    /// The same, seed by seed.
    fn lap_by_seeds(&mut self, from: usize) -> usize {
        let mut houses = self.houses.to_le_bytes();
        let (mut hand, mut at) = (std::mem::take(&mut houses[from]), from);
        while hand > 0 && self.left > 0 {
            at = if at + 1 == RING { 0 } else { at + 1 };
            houses[at] += 1;
            hand -= 1;
            if houses[at] == FOUR {
                houses[at] = 0;
                self.capture(at, hand == 0);
            }
        }
        self.houses = u128::from_le_bytes(houses);
        at
    }

    fn capture(&mut self, house: usize, is_last: bool) {
        let taken = if self.left == LAST { LAST } else { FOUR };
        self.left -= taken;
        if is_last || self.owned >> (8 * house + 7) & 1 == 1 {
            self.mover += taken;
        } else {
            self.opponent += taken;
        }
    }

    /// The move, from the view in which the owners are `turned`.
    fn ended(self, placement: &Placement, turned: u32, origin: usize) -> Outcome {
        const HALF: u32 = 8 * RING as u32 / 2;
        let houses = if self.left == 0 { 0 } else { self.houses };
        let houses = houses >> HALF | (houses & ((1 << HALF) - 1)) << HALF;
        Outcome {
            label: Label::House(origin as u8),
            mover: self.mover,
            opponent: self.opponent,
            again: false,
            next: placement.with_first_sixteen(houses).with_owners(turned),
        }
    }
}

/// The seeds of sowings.
static SOWN: [[u128; RING]; RING] = sown(0);

/// The highest bit of each byte that is four. No byte is above 127.
fn equal_to_four(houses: u128) -> u128 {
    const FOURS: u128 = u128::from_le_bytes([FOUR; 16]);
    !((houses ^ FOURS) + LOW) & !LOW
}

/// The highest bit of each byte that is not zero. No byte is above 127.
fn above_zero(houses: u128) -> u128 {
    (houses + LOW) & !LOW
}

/// All bits of each byte but the highest.
const LOW: u128 = u128::from_le_bytes([0x7f; 16]);

/// The highest bit of a byte for each bit.
///
/// Of half the ring, bit h times 2^(7h + 7) is what is wanted. No two of the products meet: 7h + j
/// is another number for each h and j below 7.
fn spread_bits(bits: u32) -> u128 {
    const HALF: usize = RING / 2;
    const FACTORS: u64 = 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28 | 1 << 35 | 1 << 42;
    const HIGHEST: u64 = 0x8080_8080_8080;
    let half = |bits: u32| u128::from((u64::from(bits & 0x3f) * FACTORS) & HIGHEST);
    half(bits) | half(bits >> HALF) << (8 * HALF)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Dice;

    #[test]
    fn bits_are_spread_one_by_one() {
        for bits in 0..1 << RING {
            let expected = (0..RING)
                .fold(0, |spread, house| spread | u128::from(bits >> house & 1) << (8 * house + 7));
            assert_eq!(spread_bits(bits), expected);
            assert_eq!(above_zero(expected / 0x80 * 3), expected);
        }
    }

    #[test]
    fn a_lap_at_once_is_a_lap_seed_by_seed() {
        let mut dice = Dice::new(17);
        let (mut captures, mut last) = (0, 0);
        for _ in 0..200_000 {
            let seeds = 4 * (2 + dice.below(11)) as usize;
            let mut counts = [0; RING];
            (0..seeds).for_each(|_| counts[dice.below(RING as u64) as usize] += 1);
            let owners = 1 + dice.below(4094) as u32;
            let placement = Placement::new(&counts).with_owners(owners);
            let from = dice.below(RING as u64) as usize;
            if counts[from] == 0 {
                continue;
            }
            let mut once = Sowing::new(&placement, seeds as u8);
            let mut slow = once;
            assert_eq!(once.lap(from), slow.lap_by_seeds(from), "{placement}");
            assert_eq!((once.mover, once.opponent), (slow.mover, slow.opponent), "{placement}");
            assert_eq!((once.left, once.houses), (slow.left, slow.houses), "{placement}");
            captures += u32::from(once.mover > 0 && once.opponent > 0);
            last += u32::from(once.left == 0);
        }
        assert!(captures > 100 && last > 100, "{captures} {last}");
    }
}
