//! Layers of the games beside Oware: all placements of this many seeds, numbered.
//!
//! The rank of a placement is its place among the `compositions` of its seeds.
//! Up to sixteen places it is counted from the other end: after a placement come those that first
//! differ from it in some place and hold more there. If `s` seeds lie after that place, in `m`
//! places, then fewer than `s` do so in these: `W(m + 1, s − 1)` placements. All the `s` come from
//! one multiplication, and no sum waits for the one before.
//!
//! Where houses have owners, the player to move may own either part of them; a layer then has both
//! halves, first the placements of the player whose houses it is called after.

use crate::game::mancala::placement::{PLACES, Placement, own_half, owners_text, turned_owners};
use crate::game::mancala::{Layers, Sheet};
use crate::layer::compositions::{SEEDS, advance, ways, ways_before};

/// Places of which a placement can be numbered at once.
const AT_ONCE: usize = 16;

/// Ways to put fewer seeds than this number into places, by places and by seeds. There is an entry for
/// each byte, so that no index needs a look.
static FEWER: [[u64; 256]; AT_ONCE] = {
    let mut fewer = [[0; 256]; AT_ONCE];
    let mut places = 1;
    while places < AT_ONCE {
        let mut seeds = 1;
        while seeds < SEEDS {
            fewer[places][seeds] = ways(places + 1, seeds - 1);
            seeds += 1;
        }
        places += 1;
    }
    fewer
};

/// All placements of a sheet with this many seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneralLayer {
    sheet: &'static Sheet,
    seeds: usize,
    /// What the mover owns, in either part.
    owners: [u32; 2],
}

impl GeneralLayer {
    /// Returns the layer of `seeds` seeds in which each player owns a half of the board.
    pub fn new(sheet: &'static Sheet, seeds: usize) -> GeneralLayer {
        GeneralLayer::of_owners(sheet, seeds, own_half(sheet.half))
    }

    /// Returns the layer of `seeds` seeds in which one player owns `owners`, as that player sees
    /// them.
    pub fn of_owners(sheet: &'static Sheet, seeds: usize, owners: u32) -> GeneralLayer {
        assert!(seeds < SEEDS, "seeds of a layer");
        GeneralLayer { sheet, seeds, owners: [owners, turned_owners(owners, sheet.half)] }
    }

    /// Returns the layer that holds a placement.
    pub fn around(sheet: &'static Sheet, placement: &Placement) -> GeneralLayer {
        let owners = placement.owners().max(turned_owners(placement.owners(), sheet.half));
        GeneralLayer::of_owners(sheet, placement.seeds(), owners)
    }

    /// Returns the layer of the same owners with other seeds.
    pub fn with_seeds(self, seeds: usize) -> GeneralLayer {
        GeneralLayer { seeds, ..self }
    }

    /// Returns the sheet.
    pub fn sheet(&self) -> &'static Sheet {
        self.sheet
    }

    /// Returns the seeds.
    pub fn seeds(&self) -> usize {
        self.seeds
    }

    /// Returns what the mover owns in the first part.
    pub fn owners(&self) -> u32 {
        self.owners[0]
    }

    /// Returns whose the houses are as text, where not each player's are the own half.
    pub fn owners_text(&self) -> Option<String> {
        let half = self.sheet.half;
        let owners = self.owners();
        (owners != own_half(half)).then(|| owners_text(owners, half))
    }

    /// Returns the placements of a part.
    fn of_part(&self) -> u64 {
        ways(2 * self.sheet.half, self.seeds)
    }

    /// Returns how many placements there are; `u64::MAX` for more than that.
    pub fn positions(&self) -> u64 {
        self.of_part().saturating_mul(if self.owners[0] == self.owners[1] { 1 } else { 2 })
    }

    /// Returns the greatest difference of seeds that a score can be.
    pub fn most(&self) -> i8 {
        match self.sheet.layers {
            Layers::BySeeds => self.seeds as i8,
            Layers::Alone => 1,
        }
    }

    /// Returns the number of a placement of the layer. Of any other placement it means nothing;
    /// only builds with debug assertions look whether owners and seeds are the layer's.
    #[inline]
    pub fn rank(&self, placement: &Placement) -> u64 {
        let part = u64::from(placement.owners() != self.owners[0]);
        debug_assert!(self.owners.contains(&placement.owners()) && placement.seeds() == self.seeds);
        let within = match placement.counts().len() {
            8 => self.rank_at_once::<8>(placement.first_sixteen()),
            12 => self.rank_at_once::<12>(placement.first_sixteen()),
            AT_ONCE => self.rank_at_once::<AT_ONCE>(placement.first_sixteen()),
            places => ways_before(placement.counts(), places, self.seeds),
        };
        part * self.of_part() + within
    }

    /// The number within its part, from what comes after it. The places are known beforehand so that
    /// there is no loop.
    #[inline]
    fn rank_at_once<const COUNT: usize>(&self, houses: u128) -> u64 {
        const ONES: u128 = u128::from_le_bytes([1; AT_ONCE]);
        let up_to = houses.wrapping_mul(ONES);
        let after = (self.seeds as u128 * ONES).wrapping_sub(up_to).to_le_bytes();
        let mut rank = ways(COUNT, self.seeds) - 1;
        for place in 0..COUNT - 1 {
            rank -= FEWER[COUNT - 1 - place][usize::from(after[place])];
        }
        rank
    }

    /// Returns the placement of a number.
    ///
    /// # Panics
    /// If the layer has no such number.
    pub fn placement(&self, rank: u64) -> Placement {
        assert!(rank < self.positions(), "a rank of the layer");
        let part = (rank / self.of_part()) as usize;
        let mut rank = rank % self.of_part();
        let mut counts = [0; PLACES];
        let places = 2 * self.sheet.half;
        let mut left = self.seeds;
        for (place, placed) in counts[..places].iter_mut().enumerate() {
            let ways = |seeds| ways(places - place, seeds);
            let before = |count: usize| ways(left) - ways(left - count);
            let count = (0..=left).rev().find(|&count| before(count) <= rank).expect("0 fits");
            rank -= before(count);
            *placed = count as u8;
            left -= count;
        }
        Placement::new(&counts[..places]).with_owners(self.owners[part])
    }

    /// Steps to the placement with the next number, if it is in the same part.
    #[inline]
    pub fn advance(placement: &mut Placement) -> bool {
        match placement.counts().len() {
            places @ 1..=AT_ONCE => advance_at_once(placement, places),
            _ => advance(placement.counts_mut()),
        }
    }

    /// Returns the placements of the numbers from `first` on, as many as `count`.
    pub fn placements(&self, first: u64, count: usize) -> impl Iterator<Item = Placement> {
        let layer = *self;
        let mut next = (count > 0).then(|| layer.placement(first));
        (first..first + count as u64).map(move |rank| {
            let found = next.expect("a placement for each number");
            let mut after = found;
            next = if GeneralLayer::advance(&mut after) {
                Some(after)
            } else {
                (rank + 1 < layer.positions()).then(|| layer.placement(rank + 1))
            };
            found
        })
    }
}

/// Takes the seeds of the last place that has any, puts one before it and the others at the end.
#[inline]
fn advance_at_once(placement: &mut Placement, places: usize) -> bool {
    let houses = placement.first_sixteen();
    let place = (u128::BITS - houses.leading_zeros()).div_ceil(8) as usize;
    if place <= 1 {
        return false;
    }
    let shift = 8 * (place - 1);
    let rest = (houses >> shift) - 1;
    let without = houses & ((1 << shift) - 1);
    let after = without + (1 << (shift - 8)) + (rest << (8 * (places - 1)));
    *placement = placement.with_first_sixteen(after);
    true
}

/// The stamp of a claim that settled too late to have a number, and the plies of a drawn position.
pub const NEVER: u8 = 255;

/// What is known of a layer: by rank, the bounds of every placement and how they are collected.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneralSolved {
    /// The layer.
    pub layer: GeneralLayer,
    /// What the mover secures.
    pub low: Vec<i8>,
    /// What the mover cannot exceed; `None` where one number is both.
    pub high: Option<Vec<i8>>,
    /// The stamp of the claim of the player who is not to move: in which round it settled
    /// ([`crate::certify::general`]). In games that nothing leaves the plies to the end, [`NEVER`] if
    /// there is none. `None` in games that never go round.
    pub stamps: Option<Vec<u8>>,
}

impl GeneralSolved {
    /// Returns the upper bounds, whether or not they are kept apart.
    pub fn high(&self) -> &[i8] {
        self.high.as_deref().unwrap_or(&self.low)
    }

    /// Returns both bounds of a placement of the layer.
    pub fn bounds(&self, placement: &Placement) -> (i8, i8) {
        let rank = self.layer.rank(placement) as usize;
        (self.low[rank], self.high()[rank])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::mancala::{BAO_LAPS, MANCALAS, NAM_NAM};
    use crate::random::Dice;

    #[test]
    fn ranks_are_places_in_lexicographic_order() {
        for sheet in MANCALAS {
            let seeds = 4;
            let layer = GeneralLayer::new(sheet, seeds);
            let positions = layer.positions();
            let all: Vec<Placement> = layer.placements(0, positions as usize).collect();
            assert!(all.is_sorted_by(|one, other| one.counts() < other.counts()), "{}", sheet.id);
            for (rank, placement) in all.iter().enumerate() {
                assert_eq!(layer.rank(placement), rank as u64);
                assert_eq!(layer.placement(rank as u64), *placement);
                assert_eq!(placement.seeds(), seeds);
            }
        }
    }

    #[test]
    fn what_is_done_at_once_is_as_place_by_place() {
        let mut dice = Dice::new(5);
        for sheet in MANCALAS.into_iter().filter(|sheet| 2 * sheet.half <= AT_ONCE) {
            for seeds in [1, 2, 17, 48, 64] {
                let layer = GeneralLayer::new(sheet, seeds);
                let mut placement = layer.placement(0);
                for _ in 0..10_000 {
                    let places = placement.counts().len();
                    let by_places = ways_before(placement.counts(), places, seeds);
                    assert_eq!(layer.rank(&placement), by_places, "{placement}");
                    let mut counts = placement.counts().to_vec();
                    let has_next = advance(&mut counts);
                    assert_eq!(GeneralLayer::advance(&mut placement), has_next, "{placement}");
                    assert_eq!(placement.counts(), counts);
                    if !has_next || dice.below(2) == 0 {
                        placement = layer.placement(dice.below(layer.positions()));
                    }
                }
            }
        }
    }

    #[test]
    fn layers_of_unequal_owners_have_two_parts() {
        let layer = GeneralLayer::of_owners(&NAM_NAM, 8, 0b111_1111);
        assert_eq!(layer.positions(), 2 * 75_582);
        let placements = layer.placements(75_580, 4);
        for (rank, placement) in (75_580..).zip(placements) {
            assert_eq!(layer.rank(&placement), rank);
            assert_eq!(placement.owners() == 0b111_1111, rank < 75_582);
            assert_eq!(GeneralLayer::around(&NAM_NAM, &placement), layer);
        }
    }

    #[test]
    fn sizes_are_those_of_the_formula() {
        assert_eq!(GeneralLayer::new(&BAO_LAPS, 32).positions(), 751_616_304_549);
        assert_eq!(GeneralLayer::new(&NAM_NAM, 48).positions(), 279_871_768_995);
        assert_eq!(ways(32, 64), u64::MAX);
    }
}
