//! Passages: what a sowing looks like from the opponent's side.

use crate::game::board::{Seeds, Side};
use crate::game::rules::{GrandSlam, Harvest, Rules};
use crate::game::sowing::{Crossing, Sowing, harvest};

/// A sowing as the opponent's row sees it: everything that decides which lanes are quiet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Passage {
    /// The seeds that cross.
    pub crossing: Crossing,
    /// The smallest number of hit houses that brings a harvest; 7 where none does. It is 1 unless
    /// the harvest lies in the mover's own row, where hit houses may face empty ones.
    pub capturing_hits: u8,
}

/// What a passage does to one row of the opponent.
pub enum Meeting {
    /// Nothing is harvested; the row is now this.
    Quiet(Side),
    /// Hit houses bring a harvest.
    Capture {
        /// The row before the harvest.
        landed: Side,
        /// How many houses are hit.
        hits: usize,
    },
    /// A harvest of everything, where the sheet forbids that while another move exists.
    Starving,
}

impl Passage {
    /// More than any number.
    pub const NUMBERS: usize = (Seeds::MAX.get() + 1) << 4;

    /// A number that no other passage has.
    pub fn number(self) -> usize {
        let Crossing { seeds, ends_there } = self.crossing;
        usize::from(seeds) << 4 | usize::from(ends_there) << 3 | usize::from(self.capturing_hits)
    }

    /// How the opponent's row sees a sowing.
    pub fn of(rules: &Rules, sowing: Sowing) -> Passage {
        let takes = |&hits: &usize| harvest(rules, sowing, Side([2; 6]), hits).captured > 0;
        let most = sowing.crossing.last().map_or(0, |last| last.index() + 1);
        let capturing_hits = (1..=most).find(takes).unwrap_or(7) as u8;
        Passage { crossing: sowing.crossing, capturing_hits }
    }

    /// What happens to `row` of the opponent.
    pub fn meet(self, rules: &Rules, row: Side) -> Meeting {
        let landed = self.crossing.land(row);
        let hits = self.crossing.hits(landed);
        let slam = hits > 0
            && rules.harvest == Harvest::LastHouses
            && self.spares(landed, hits).is_empty();
        match rules.grand_slam {
            _ if hits < self.capturing_hits as usize => Meeting::Quiet(landed),
            GrandSlam::CapturesNothing if slam => Meeting::Quiet(landed),
            GrandSlam::IllegalUnlessForced if slam => Meeting::Starving,
            GrandSlam::CapturesNothing | GrandSlam::Captures | GrandSlam::IllegalUnlessForced => {
                Meeting::Capture { landed, hits }
            }
        }
    }

    /// The opponent's row once the hit houses are emptied.
    pub fn spares(self, landed: Side, hits: usize) -> Side {
        let mut row = landed;
        self.crossing.hit_houses(hits).for_each(|house| row[house] = 0);
        row
    }
}
