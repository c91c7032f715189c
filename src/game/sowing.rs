//! Sowing and harvesting, on *half-boards*.
//!
//! What a sowing does to the mover's row does not depend on the opponent's, and what it does to the
//! opponent's row depends only on how many seeds cross over ([`Crossing`]). The solver builds its
//! plans from the same functions that [`legal_moves`](super::legal_moves) composes.

use crate::game::board::{HOUSES, House, Seeds, Side};
use crate::game::rules::{Harvest, Origin, Rules};

/// Houses of both players.
pub(super) const RING: usize = 2 * HOUSES;

/// The seeds of a sowing that reach the opponent's row, and whether the last of all does.
///
/// Seeds cross from the opponent's house `a` on, one by one, so six and a rest of `t` mean one in
/// each house and another in the first `t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Crossing {
    /// Seeds sown into the opponent's row.
    pub seeds: u8,
    /// Whether the last seed of the sowing is sown there.
    pub ends_there: bool,
}

impl Crossing {
    /// Returns the opponent's row after the sowing.
    pub fn land(self, row: Side) -> Side {
        Side::from_word(row.word() + CROSSED[usize::from(self.seeds)])
    }

    /// Returns the opponent's house that got the last seed, if one did.
    pub fn last(self) -> Option<House> {
        if !self.ends_there {
            return None;
        }
        House::new((self.seeds as usize + HOUSES - 1) % HOUSES)
    }

    /// Returns how many houses of `landed`, the opponent's row after the sowing, are hit: the one
    /// that got the last seed and the houses before it, as long as each holds 2 or 3. They are the
    /// houses `last - hits + 1 ..= last`.
    pub fn hits(self, landed: Side) -> usize {
        let Some(last) = self.last() else { return 0 };
        // A byte of this is 0 or 1 where the house holds 2 or 3; the last house comes first.
        let differs = (landed.word() ^ TWOS) & !ONES;
        let before = differs << (8 * (7 - last.index()));
        (before.leading_zeros() as usize / 8).min(last.index() + 1)
    }

    /// Returns the `hits` houses that are hit, seen from their owner.
    pub fn hit_houses(self, hits: usize) -> impl Iterator<Item = House> {
        let end = self.last().map_or(0, |last| last.index() + 1);
        (end - hits..end).filter_map(House::new)
    }
}

/// The effect of sowing one house, whatever the opponent's row holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sowing {
    /// The mover's row after it.
    pub own: Side,
    /// What crosses into the opponent's row.
    pub crossing: Crossing,
}

/// What a sowing of some number of seeds from some house does, worked out once: sowing is what a
/// search does most, and the numbers are few.
#[derive(Clone, Copy)]
struct Sown {
    /// What the mover's row gains; the origin, which is emptied first, what laps bring back to it.
    gains: u64,
    crossing: Crossing,
}

/// A one and a two in each house, as [`Side::word`] has them.
const ONES: u64 = 0x0101_0101_0101;
const TWOS: u64 = 2 * ONES;

/// What the opponent's row gains by so many seeds, as [`Side::word`] has it.
static CROSSED: [u64; Seeds::MAX.get() + 1] = {
    let mut gains = [0; Seeds::MAX.get() + 1];
    let mut seeds = 1;
    while seeds < gains.len() {
        gains[seeds] = gains[seeds - 1] + (1 << (8 * ((seeds - 1) % HOUSES)));
        seeds += 1;
    }
    gains
};

/// By house and number of seeds.
type Sowings = [[Sown; Seeds::MAX.get() + 1]; HOUSES];

static SKIPPING: Sowings = sowings(Origin::Skipped);
static NOT_SKIPPING: Sowings = sowings(Origin::Sown);

const fn sowings(origin_rule: Origin) -> Sowings {
    let nothing = Sown { gains: 0, crossing: Crossing { seeds: 0, ends_there: false } };
    let mut found = [[nothing; Seeds::MAX.get() + 1]; HOUSES];
    let mut origin = 0;
    while origin < HOUSES {
        let mut seeds = 1;
        while seeds <= Seeds::MAX.get() {
            found[origin][seeds] = sown(origin_rule, origin, seeds);
            seeds += 1;
        }
        origin += 1;
    }
    found
}

/// Returns how many houses beyond its origin a sowing ends.
pub const fn reach(origin_rule: Origin, seeds: usize) -> usize {
    match origin_rule {
        Origin::Skipped if seeds > 0 => (seeds - 1) % (RING - 1) + 1,
        Origin::Skipped | Origin::Sown => seeds % RING,
    }
}

/// Works out what at least one seed does.
const fn sown(origin_rule: Origin, origin: usize, seeds: usize) -> Sown {
    // A lap gives every house a seed but, where it is skipped, the origin.
    let (lap, is_skipped) = match origin_rule {
        Origin::Skipped => (RING - 1, true),
        Origin::Sown => (RING, false),
    };
    let (laps, rest) = (seeds / lap, seeds % lap);
    let mut gains = 0;
    let mut crossed = 0;
    let mut at = 0;
    while at < RING {
        let is_passed = at <= origin + rest && at > origin || at + RING <= origin + rest;
        let gain = if at == origin && is_skipped { 0 } else { laps + is_passed as usize };
        if at < HOUSES {
            gains += (gain as u64) << (8 * at);
        } else {
            crossed += gain;
        }
        at += 1;
    }
    let ends_there = (origin + reach(origin_rule, seeds)) % RING >= HOUSES;
    Sown { gains, crossing: Crossing { seeds: crossed as u8, ends_there } }
}

/// Sows `house` of the row `own`; returns `None` if it is empty.
pub fn sow(rules: &Rules, own: Side, house: House) -> Option<Sowing> {
    let seeds = own[house];
    if seeds == 0 {
        return None;
    }
    let sowings = match rules.origin {
        Origin::Skipped => &SKIPPING,
        Origin::Sown => &NOT_SKIPPING,
    };
    let Sown { gains, crossing } = sowings[house.index()][usize::from(seeds)];
    let left = own.word() - (u64::from(seeds) << (8 * house.index()));
    Some(Sowing { own: Side::from_word(left + gains), crossing })
}

/// A sowing with its harvest: seeds taken and the rows they leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Harvested {
    /// Seeds taken off the board.
    pub captured: u8,
    /// The mover's row afterwards.
    pub own: Side,
    /// The opponent's row afterwards.
    pub opponent: Side,
}

/// Harvests `hits` hit houses, whether or not a grand slam counts. `landed` is the opponent's row
/// after the sowing.
pub fn harvest(rules: &Rules, sowing: Sowing, landed: Side, hits: usize) -> Harvested {
    let mut result = Harvested { captured: 0, own: sowing.own, opponent: landed };
    for house in sowing.crossing.hit_houses(hits) {
        let emptied = match rules.harvest {
            Harvest::LastHouses => &mut result.opponent[house],
            Harvest::Opposite => &mut result.own[house.opposite()],
        };
        result.captured += std::mem::take(emptied);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules::{ABAPA, PLAIN};

    /// Seed by seed: what [`sow`] works out at once.
    fn sown_one_by_one(rules: &Rules, own: Side, house: House) -> Option<Sowing> {
        let seeds = own[house];
        if seeds == 0 {
            return None;
        }
        let mut ring = [0u8; RING];
        ring[..HOUSES].copy_from_slice(&own.0);
        ring[house.index()] = 0;
        let mut at = house.index();
        for _ in 0..seeds {
            at = (at + 1) % ring.len();
            match rules.origin {
                Origin::Skipped if at == house.index() => at = (at + 1) % ring.len(),
                Origin::Skipped | Origin::Sown => {}
            }
            ring[at] += 1;
        }
        let crossed = ring[HOUSES..].iter().sum();
        Some(Sowing {
            own: Side(std::array::from_fn(|i| ring[i])),
            crossing: Crossing { seeds: crossed, ends_there: at >= HOUSES },
        })
    }

    #[test]
    fn sowing_is_what_it_is_seed_by_seed() {
        for (rules, house) in
            [&ABAPA, &PLAIN].into_iter().flat_map(|rules| House::ALL.map(|house| (rules, house)))
        {
            for seeds in 0..=48 {
                let mut own = Side([0, 1, 2, 3, 4, 5]);
                own[house] = seeds;
                assert_eq!(
                    sow(rules, own, house),
                    sown_one_by_one(rules, own, house),
                    "{house} {seeds}"
                );
            }
        }
    }
}
