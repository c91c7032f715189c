//! Passages: what a sowing looks like from the opponent's side; and transits: where the children of
//! all rows of the opponent are, for one passage.

use crate::game::board::{Seeds, Side};
use crate::game::rules::{GrandSlam, Harvest, Rules};
use crate::game::sowing::{Crossing, Sowing, harvest};
use crate::layer::index::row_rank;
use crate::solver::windows::Windows;

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

/// What a passage does to every row of some number of opponent's seeds.
#[derive(Debug)]
pub struct Transit {
    /// Seeds that cross.
    pub crossed: usize,
    /// The quiet lanes.
    pub quiet: Windows,
    /// The rows of the block against which captures are made: by the number of seeds captured from
    /// them, or where the harvest lies in the mover's own row by the number of hit houses.
    pub captures: Vec<Windows>,
    /// Rows of the block whose harvest would starve the opponent, legal only when nothing else is.
    pub starving: Vec<u32>,
}

/// Lanes or rows, each with the column it leads to.
type Children = Vec<(usize, usize)>;

impl Transit {
    /// What `passage` does to all half-boards with some number of seeds, in order; each comes with the
    /// row of the block that it is, if it is one.
    pub fn new(
        rules: &Rules,
        sides: impl Iterator<Item = (Side, Option<usize>)>,
        passage: Passage,
    ) -> Transit {
        let (mut quiet, mut starving) = (Children::new(), Vec::new());
        let (mut captures, mut lanes, mut rows) = (Vec::<Children>::new(), 0, 0);
        for (side, row) in sides {
            match (passage.meet(rules, side), row) {
                (Meeting::Quiet(landed), _) => quiet.push((lanes, row_rank(landed))),
                (_, None) => {}
                (Meeting::Starving, Some(row)) => starving.push(row as u32),
                (Meeting::Capture { landed, hits }, Some(row)) => {
                    let (kind, left) = match rules.harvest {
                        Harvest::LastHouses => {
                            let spared = passage.spares(landed, hits);
                            (landed.seeds() - spared.seeds(), spared)
                        }
                        Harvest::Opposite => (hits, landed),
                    };
                    if captures.len() <= kind {
                        captures.resize_with(kind + 1, Children::new);
                    }
                    captures[kind].push((row, row_rank(left)));
                }
            }
            (lanes, rows) = (lanes + 1, rows + usize::from(row.is_some()));
        }
        let windows = |children: Children| Windows::new(rows, children);
        Transit {
            crossed: passage.crossing.seeds as usize,
            quiet: Windows::new(lanes, quiet),
            captures: captures.into_iter().map(windows).collect(),
            starving,
        }
    }
}
