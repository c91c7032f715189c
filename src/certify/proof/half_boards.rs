//! Children by half-boards.
//!
//! What a sowing and its harvest do to the mover's row depends on the opponent's row in one number:
//! how many houses are hit. What they do to the opponent's row depends on the mover's row in two:
//! how many seeds cross, and whether the last one lands there. So both half-boards are worked out
//! once, as a [`Sowings`] and a [`Landing`], and a child's rank is put together from the two. For one
//! play and consecutive opponent's rows the children lie in one row of a block, left to right:
//!
//! ```text
//!   position (row b, column a) of block k          child of block n - k + M
//!
//!            a                                       b' b' b'      b' = landing of b
//!        b  [.]                                 a'  [.][.][.]      a' = play of a
//!        b  [.]            ---- sows M --->
//!        b  [.]
//! ```

use crate::game::board::{HOUSES, House, Side};
use crate::game::rules::{Feeding, GrandSlam, Rules};
use crate::game::sowing::{Crossing, Sowing, harvest, sow};
use crate::layer::index::{Domain, Layer, row_at, row_rank, rows};
use crate::parallel;

/// What a sowing does to an opponent's row.
#[derive(Clone, Copy, Debug)]
pub struct Landing {
    /// Number of the row that it leaves, among all rows with as many seeds.
    column: u32,
    /// Houses hit, 0 where the harvest does not count.
    hits: u8,
    /// Seeds taken out of the row.
    taken: u8,
    legal: Legal,
}

/// When a move may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Legal {
    Always,
    IfForced,
    Never,
}

impl Landing {
    fn new(rules: &Rules, row: Side, crossing: Crossing) -> Landing {
        let landed = crossing.land(row);
        // A harvest takes from each row what stands there, so of an empty row nothing.
        let reap = |hits| harvest(rules, Sowing { own: Side::EMPTY, crossing }, landed, hits);
        let hits = crossing.hits(landed);
        let hits = match rules.grand_slam {
            GrandSlam::CapturesNothing if reap(hits).opponent.is_empty() => 0,
            GrandSlam::CapturesNothing | GrandSlam::Captures | GrandSlam::IllegalUnlessForced => {
                hits
            }
        };
        let reaped = reap(hits);
        let column = row_rank(reaped.opponent) as u32;
        let legal = Legal::new(rules, row, crossing, reaped.opponent);
        Landing { column, hits: hits as u8, taken: reaped.captured, legal }
    }
}

impl Legal {
    /// Of a move that crosses from a row `before` it and leaves `after`.
    fn new(rules: &Rules, before: Side, crossing: Crossing, after: Side) -> Legal {
        let feeds = match rules.feeding {
            Feeding::MustFeed => !before.is_empty() || crossing.seeds > 0,
            Feeding::Free => true,
        };
        match rules.grand_slam {
            _ if !feeds => Legal::Never,
            GrandSlam::IllegalUnlessForced if after.is_empty() => Legal::IfForced,
            GrandSlam::IllegalUnlessForced | GrandSlam::CapturesNothing | GrandSlam::Captures => {
                Legal::Always
            }
        }
    }
}

/// What sowing one house does to a mover's row, and where the children are.
#[derive(Clone, Copy, Debug)]
pub struct Sowings<'a> {
    /// The house.
    house: House,
    /// What it does to each of the opponent's rows.
    landings: &'a [Landing],
    /// Number of the row it leaves, by houses hit.
    rows: [u32; HOUSES + 1],
    /// Seeds taken out of the row, by houses hit.
    taken: [u8; HOUSES + 1],
    /// Block of the children that nothing was taken from, and the rank of the first of them.
    block: usize,
    first: usize,
}

/// Where the children of quiet moves are that sow one house of one row of the mover.
#[derive(Clone, Copy, Debug)]
pub struct Quiet<'a> {
    landings: &'a [Landing],
    /// The first child, which has column 0.
    first: usize,
    /// The block of all of them.
    block: u8,
    /// The row of all of them.
    row: u32,
}

/// Where a position is in its layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinates {
    /// Seeds in the mover's row.
    pub block: usize,
    /// Number of the opponent's row.
    pub row: usize,
    /// Number of the mover's row.
    pub column: usize,
    /// The rank.
    pub rank: usize,
}

impl Quiet<'_> {
    /// Returns where the child against the opponent's row number `row` is, if the move is legal there
    /// and captures nothing.
    #[inline(always)]
    pub fn place(&self, row: usize) -> Coordinates {
        let column = self.landings[row].column as usize;
        let (block, row) = (usize::from(self.block), self.row as usize);
        Coordinates { block, row, column, rank: self.first + column }
    }
}

/// What a legal move leads to.
#[derive(Clone, Copy, Debug)]
pub enum Child {
    /// A position of the layer.
    Quiet {
        /// Its rank.
        rank: usize,
    },
    /// A position of a layer below.
    Capture {
        /// Its rank there.
        rank: usize,
        /// Seeds captured.
        captured: usize,
    },
}

/// The half-boards of a layer.
pub struct HalfBoards<'a> {
    rules: &'a Rules,
    seeds: usize,
    domain: Domain,
    /// Rank of the first position of each block, by seeds of the layer and block.
    starts: Vec<Vec<usize>>,
    /// Landings by seeds in the opponent's row, by crossing, and by row.
    landings: Vec<Vec<Vec<Landing>>>,
}

impl<'a> HalfBoards<'a> {
    /// Works out the half-boards of `layer`.
    pub fn new(rules: &'a Rules, layer: Layer) -> HalfBoards<'a> {
        let seeds = layer.seeds().get();
        let domain = layer.domain();
        let starts = layer.seeds().up_to().map(|seeds| starts(Layer::new(seeds, domain)));
        let of_row = |row| landings(rules, domain, row, seeds - row);
        let landings = parallel::map_of(0..=seeds, of_row);
        HalfBoards { rules, seeds, domain, starts: starts.collect(), landings }
    }

    /// Returns the rank of the first position of a block.
    pub fn start(&self, block: usize) -> usize {
        self.starts[self.seeds][block]
    }

    /// Returns the plays of the mover's row `column` of block `own`.
    pub fn plays(&self, own: usize, column: usize) -> impl Iterator<Item = Sowings<'_>> {
        let row = row_at(own, column);
        House::ALL
            .into_iter()
            .filter_map(move |house| Some(self.play(own, house, sow(self.rules, row, house)?)))
    }

    /// Returns where the quiet moves of a row lead, by house.
    pub fn quiet(&self, own: usize, column: usize) -> [Option<Quiet<'_>>; HOUSES] {
        let mut quiet = [None; HOUSES];
        for Sowings { house, landings, first, block, rows, .. } in self.plays(own, column) {
            let (block, row) = (block as u8, rows[0]);
            quiet[house.index()] = Some(Quiet { landings, first, block, row });
        }
        quiet
    }

    fn play(&self, own: usize, house: House, sowing: Sowing) -> Sowings<'_> {
        let crossing = sowing.crossing;
        let mut rows_left = [0; HOUSES + 1];
        let mut taken = [0; HOUSES + 1];
        for hits in 0..=crossing.last().map_or(0, |last| last.index() + 1) {
            let reaped = harvest(self.rules, sowing, Side::EMPTY, hits);
            rows_left[hits] =
                self.domain.row_rank(reaped.own).expect("moves lead into the layers") as u32;
            taken[hits] = reaped.captured;
        }
        let opponent = self.seeds - own;
        let block = opponent + usize::from(crossing.seeds);
        let first = self.start(block) + rows_left[0] as usize * rows(block);
        Sowings {
            house,
            landings: &self.landings[opponent][number(crossing)],
            rows: rows_left,
            taken,
            block,
            first,
        }
    }

    /// Shows the moves of the position whose mover has these plays and whose opponent's row is number
    /// `row`, in the order of their houses.
    #[inline(always)]
    pub fn each_move(&self, plays: &[Sowings], row: usize, mut see: impl FnMut(House, Child)) {
        for legal in [Legal::Always, Legal::IfForced] {
            let mut any = false;
            for play in plays {
                let landing = play.landings[row];
                if landing.legal == legal {
                    any = true;
                    see(play.house, self.child(play, landing));
                }
            }
            if any {
                return;
            }
        }
    }

    #[inline(always)]
    fn child(&self, play: &Sowings, landing: Landing) -> Child {
        let hits = usize::from(landing.hits);
        let column = landing.column as usize;
        let taken = usize::from(landing.taken);
        let captured = taken + usize::from(play.taken[hits]);
        if captured == 0 {
            return Child::Quiet { rank: play.first + column };
        }
        let block = play.block - taken;
        let row = play.rows[hits] as usize;
        Child::Capture {
            rank: self.starts[self.seeds - captured][block] + row * rows(block) + column,
            captured,
        }
    }
}

fn starts(layer: Layer) -> Vec<usize> {
    (0..=layer.seeds().get()).map(|own| layer.block_start(own) as usize).collect()
}

/// A number for each crossing.
fn number(crossing: Crossing) -> usize {
    2 * usize::from(crossing.seeds) + usize::from(crossing.ends_there)
}

/// The landings of at most `most` seeds in all rows with `seeds` seeds, by [`number`].
fn landings(rules: &Rules, domain: Domain, seeds: usize, most: usize) -> Vec<Vec<Landing>> {
    let rows: Vec<Side> = (0..domain.rows(seeds)).map(|rank| domain.row_at(seeds, rank)).collect();
    let of = |crossing| rows.iter().map(|&row| Landing::new(rules, row, crossing)).collect();
    let both = |seeds| [false, true].map(|ends_there| Crossing { seeds, ends_there });
    let is_possible = |Crossing { seeds, ends_there }| {
        if ends_there { seeds > 0 } else { seeds % HOUSES as u8 == 0 }
    };
    let crossings = (0..=most as u8).flat_map(both);
    crossings.map(|crossing| if is_possible(crossing) { of(crossing) } else { vec![] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{SHEETS, Seeds, legal_moves};
    use crate::layer::Rank;

    /// Each child as (captured, rank in its layer), in order of houses.
    fn by_half_boards(
        half_boards: &HalfBoards,
        own: usize,
        column: usize,
        row: usize,
    ) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let plays: Vec<Sowings> = half_boards.plays(own, column).collect();
        half_boards.each_move(&plays, row, |_, child| {
            found.push(match child {
                Child::Quiet { rank } => (0, rank),
                Child::Capture { rank, captured } => (captured, rank),
            })
        });
        found
    }

    fn assert_legal_moves(rules: &Rules, seeds: usize, step: usize) {
        let layer = Layer::of(rules, Seeds::new(seeds).unwrap());
        let half_boards = HalfBoards::new(rules, layer);
        for own in 0..=seeds {
            let (rows, columns) = layer.block_shape(own);
            for place in (0..rows * columns).step_by(step) {
                let board = layer.position(Rank((half_boards.start(own) + place) as u64)).unwrap();
                let moves = legal_moves(rules, &board);
                let expected: Vec<(usize, usize)> = moves
                    .iter()
                    .map(|played| {
                        let below = Layer::of(rules, played.next.seeds());
                        (usize::from(played.captured), below.rank(&played.next).unwrap().0 as usize)
                    })
                    .collect();
                assert_eq!(
                    by_half_boards(&half_boards, own, place % columns, place / columns),
                    expected,
                    "{} {board}",
                    rules.id
                );
            }
        }
    }

    #[test]
    fn children_are_those_of_legal_moves() {
        for rules in SHEETS {
            for seeds in 0..=6 {
                assert_legal_moves(rules, seeds, 1);
            }
            // Long sowings: past the opponent's row, and round the whole board.
            for (seeds, step) in [(13, 997), (15, 9_973), (18, 99_991)] {
                assert_legal_moves(rules, seeds, step);
            }
        }
    }
}
