//! Sowings taken back: from the row that a sowing leaves to the row that it started from.
//!
//! What a sowing adds to the mover's row depends on the house and on its seeds alone. So it is taken
//! back by one subtraction, in all houses at once: six bytes of a word, whose highest bits show
//! where there is too little to take.

use crate::game::board::{HOUSES, House, Seeds, Side};
use crate::game::rules::Rules;
use crate::game::sowing::sow;
use crate::solver::plan::Passage;

/// The highest bit of each house. No house holds that many seeds.
const TOP: u64 = 0x8080_8080_8080;

/// A sowing of some seeds from some house.
#[derive(Clone, Copy, Debug)]
pub struct Sown {
    /// The house.
    pub house: House,
    /// How the opponent's row sees it, if the mover's other houses are empty.
    pub passage: Passage,
    seeds: u8,
    /// What the mover's row gains.
    gains: u64,
}

impl Sown {
    /// The row that became `after`, if it can have.
    #[inline(always)]
    pub fn taken_back(&self, after: Side) -> Option<Side> {
        let place = 8 * self.house.index();
        let kept = (after.word() | TOP).wrapping_sub(self.gains);
        // The house sown has been empty, but for what laps brought back to it.
        if kept & TOP != TOP || kept >> place & 0xff != 0x80 {
            return None;
        }
        Some(Side::from_word((kept ^ TOP) | u64::from(self.seeds) << place))
    }
}

/// All sowings of a layer, by the number of seeds that cross.
#[derive(Debug)]
pub struct Sowings(Vec<Vec<Sown>>);

impl Sowings {
    /// Those of up to this many seeds.
    pub fn new(rules: &Rules, most: Seeds) -> Sowings {
        let mut by_crossing = vec![Vec::new(); most.get() + 1];
        for house in House::ALL {
            for seeds in 1..=most.get() as u8 {
                let mut alone = [0; HOUSES];
                alone[house.index()] = seeds;
                let sowing = sow(rules, Side(alone), house).expect("a house with seeds");
                let passage = Passage::of(rules, sowing);
                let sown = Sown { house, passage, seeds, gains: sowing.own.word() };
                by_crossing[usize::from(passage.crossing.seeds)].push(sown);
            }
        }
        Sowings(by_crossing)
    }

    /// Those with which this many seeds cross.
    pub fn crossing(&self, seeds: usize) -> &[Sown] {
        &self.0[seeds]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules::SHEETS;
    use crate::layer::index::{row_at, rows};
    use std::collections::BTreeSet;

    /// For every row: the sowings that lead to it are those that are found by taking back.
    #[test]
    fn what_is_sown_is_taken_back() {
        for rules in SHEETS {
            let most = Seeds::new(15).unwrap();
            let sowings = Sowings::new(rules, most);
            let mut sown = BTreeSet::new();
            for seeds in [1, 7, 15] {
                for row in (0..rows(seeds)).map(|rank| row_at(seeds, rank)) {
                    for house in House::ALL {
                        let Some(sowing) = sow(rules, row, house) else { continue };
                        sown.insert((sowing.crossing.seeds, sowing.own, house, row));
                    }
                }
            }
            let mut taken_back = BTreeSet::new();
            for seeds in [1, 7, 15] {
                for crossing in 0..=seeds {
                    for after in
                        (0..rows(seeds - crossing)).map(|rank| row_at(seeds - crossing, rank))
                    {
                        for found in sowings.crossing(crossing) {
                            let Some(row) = found.taken_back(after) else { continue };
                            taken_back.insert((crossing as u8, after, found.house, row));
                        }
                    }
                }
            }
            assert_eq!(sown, taken_back, "{}", rules.id);
        }
    }
}
