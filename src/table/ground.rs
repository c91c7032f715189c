//! What is known of a tile before any of it is decoded: who can capture, which half-boards lead to
//! which, and which positions it holds.
//!
//! Whether a capture is legal, and what it takes, differs from sheet to sheet; that there is none
//! without a *hit* does not: some seeds cross over and the last of them makes a two or a three.
//! Which numbers of seeds a half-board can send, and which of them hit another, are two words of
//! bits; a position's mover can capture, maybe, if the words have a bit in common.

use super::groups::{GROUP, Group, Groups};
use super::tiles::{Tile, Tiling, Twin};
use crate::game::{HOUSES, House, Rules, Seeds, Side, sow};
use crate::simd::lanes::{BOTH, Bytes, Instructions, Lanes};

/// A number for each cell of a tile, by row and column.
pub type Square = [[u8; GROUP]; GROUP];

/// What captures in a sheet need to know of half-boards: which sowings of each house end in the
/// opponent's row, as the number of seeds that get there.
#[derive(Clone, Debug)]
pub struct Crossings {
    by_house: [[u32; Seeds::MAX.get() + 1]; HOUSES],
}

impl Crossings {
    /// Those of a sheet.
    pub fn of(rules: &Rules) -> Crossings {
        let crossing = |house: House, seeds: usize| {
            let mut side = Side::EMPTY;
            side[house] = seeds as u8;
            let crossing = sow(rules, side, house)?.crossing;
            crossing.last().and_then(|_| 1u32.checked_shl(crossing.seeds.into()))
        };
        let by_house = House::ALL
            .map(|house| std::array::from_fn(|seeds| crossing(house, seeds).unwrap_or(0)));
        Crossings { by_house }
    }

    /// The numbers of seeds with which some sowing of a half-board ends in the opponent's row, as
    /// bits.
    fn reached(&self, side: Side) -> u32 {
        let bits = self.by_house.iter().zip(side.0);
        bits.fold(0, |all, (house, seeds)| all | house[usize::from(seeds)])
    }
}

/// By house and its seeds, three for all that are more: the numbers of seeds that hit it, as bits.
/// After as many rounds the last one makes two or three.
const HITS: [[u32; 4]; HOUSES] = {
    let (rounds, mut hits) = ([[1, 2], [0, 1], [0, 0]], [[0; 4]; HOUSES]);
    let mut house = 0;
    while house < HOUSES {
        let mut seeds = 0;
        while seeds < 3 {
            let [first, last] = rounds[seeds];
            hits[house][seeds] =
                1 << (HOUSES * first + house + 1) | 1 << (HOUSES * last + house + 1);
            seeds += 1;
        }
        house += 1;
    }
    hits
};

/// The numbers of seeds that hit a house of a half-board if they are sown into it, as bits: the
/// last seed makes it two or three.
fn hit(side: Side) -> u32 {
    HITS.iter().zip(side.0).fold(0, |all, (house, seeds)| all | house[usize::from(seeds.min(3))])
}

/// The flag of a position whose mover can capture, maybe.
pub const CAN_CAPTURE: u8 = 2;

/// See the module.
pub struct Ground {
    /// The tile.
    pub tile: Tile,
    /// The half-boards of the rows.
    pub rows: &'static Group,
    /// By column: that of its reference, [`GROUP`] for none.
    pub left: [u8; GROUP],
    /// The half-boards of the columns.
    pub columns: &'static Group,
    /// By row: the flags of its positions.
    pub flags: [Bytes; GROUP],
    /// Rows and columns whose half-boards can be the opponent's, as bits.
    opponents: [u32; 2],
    /// Whether bounds from children are used.
    pub is_bounded: bool,
}

impl Ground {
    /// Looks at a tile; `wants_bounds` says whether its values are bounded by those of children.
    pub fn of(crossings: &Crossings, tiling: &Tiling, tile: Tile, wants_bounds: bool) -> Ground {
        let [rows, columns] =
            [0, 1].map(|side| &Groups::of(tile.seeds[side]).groups[tile.groups[side]]);
        let flags = flags(crossings, rows, columns);
        let opponents = tiling.opponents(&tile);
        let is_bounded = wants_bounds && tile.seeds[0] > 0;
        Ground { tile, rows, left: columns.references, columns, flags, opponents, is_bounded }
    }

    /// The columns in which a row holds positions of a side, the first one in the lowest bit.
    #[inline(always)]
    pub fn held(&self, twin: Twin, row: usize) -> u32 {
        self.tile.held(self.opponents, twin, row)
    }

    /// The lanes in which a row holds positions.
    #[inline(always)]
    pub fn lanes(&self, row: usize) -> u64 {
        let [smaller, larger] =
            [Twin::Smaller, Twin::Larger].map(|twin| u64::from(self.held(twin, row)));
        smaller | larger << GROUP
    }

    /// The flags of the positions of a side in a row.
    #[inline(always)]
    pub fn flags_of(&self, twin: Twin, row: usize) -> &[u8; GROUP] {
        self.flags[row][twin.first_lane()..].first_chunk().expect("as many as columns")
    }

    /// Masks of the positions of a row that are stored exactly but for the bounds from children:
    /// those whose mover cannot capture.
    #[inline(always)]
    pub fn exact<L: Lanes>(&self, row: usize) -> Bytes {
        exact(&self.flags[row], L::masks(self.lanes(row)))
    }
}

/// Masks of the positions that are held and cannot capture.
#[inline(always)]
pub fn exact<const N: usize>(flags: &[u8; N], mut held: [u8; N]) -> [u8; N] {
    for (held, flags) in held.iter_mut().zip(flags) {
        *held &= if flags & CAN_CAPTURE == 0 { u8::MAX } else { 0 };
    }
    held
}

/// By row: the flags of the positions of a tile.
fn flags(crossings: &Crossings, rows: &Group, columns: &Group) -> [Bytes; GROUP] {
    let [reached, reached_by_columns] =
        [rows, columns].map(|group| by_place(group, |side| crossings.reached(side)));
    let [hits, hits_of_columns] = [rows, columns].map(|group| by_place(group, hit));
    let mut flags = [[0; BOTH]; GROUP];
    Instructions::best().run(
        #[inline(always)]
        || {
            for (row, flags) in flags.iter_mut().enumerate() {
                let (reached, hit) = (reached[row], hits[row]);
                let (smaller, larger) = flags.split_at_mut(GROUP);
                for column in 0..GROUP {
                    let by_column = u8::from(reached_by_columns[column] & hit != 0);
                    let by_row = u8::from(hits_of_columns[column] & reached != 0);
                    larger[column] = CAN_CAPTURE * by_column + by_row;
                    smaller[column] = CAN_CAPTURE * by_row + by_column;
                }
            }
        },
    );
    flags
}

/// By place in a group: a number of its half-board, 0 where there is none.
fn by_place(group: &Group, number: impl Fn(Side) -> u32) -> [u32; GROUP] {
    let mut numbers = [0; GROUP];
    numbers.iter_mut().zip(&group.sides).for_each(|(found, &side)| *found = number(side));
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Board, Harvest, SHEETS, captures, legal_moves};
    use crate::layer::{Layer, Rank};

    /// Who can capture has the flag, on every sheet, and few have it who cannot.
    #[test]
    fn without_the_flag_there_is_no_capture() {
        for rules in SHEETS {
            let crossings = Crossings::of(rules);
            let (mut flagged, mut capturing) = (0, 0);
            for seeds in [2, 5, 8] {
                let layer = Layer::of(rules, Seeds::new(seeds).unwrap());
                for board in (0..layer.positions()).map(|rank| layer.position(Rank(rank)).unwrap())
                {
                    let flag = crossings.reached(board.mover) & hit(board.opponent) != 0;
                    let captures = !captures(rules, &board).is_empty();
                    assert!(flag || !captures, "{board}");
                    flagged += u32::from(flag);
                    capturing += u32::from(captures);
                }
            }
            // A hit on houses whose opposite ones are empty takes nothing.
            let most = match rules.harvest {
                Harvest::LastHouses => capturing * 3 / 2,
                Harvest::Opposite => capturing * 3,
            };
            assert!(flagged < most, "{}: {flagged}, {capturing}", rules.id);
        }
    }

    /// The flag is what the rules say of every sowing, also of those that go round.
    #[test]
    fn hits_are_those_of_the_rules() {
        for rules in SHEETS {
            let crossings = Crossings::of(rules);
            for (house, seeds) in
                House::ALL.into_iter().flat_map(|house| (1..=40).map(move |seeds| (house, seeds)))
            {
                let mut mover = Side::EMPTY;
                mover[house] = seeds;
                for opponent in [[0, 1, 2, 3, 4, 0], [1; 6], [0; 6], [2, 0, 1, 0, 3, 2]].map(Side) {
                    let crossing = sow(rules, mover, house).unwrap().crossing;
                    let hits = crossing.hits(crossing.land(opponent)) > 0;
                    assert_eq!(
                        crossings.reached(mover) & hit(opponent) != 0,
                        hits,
                        "{house} {seeds}"
                    );
                }
            }
        }
    }

    /// A home move is legal if both rows hold seeds, and captures nothing.
    #[test]
    fn home_moves_are_quiet_moves_on_every_sheet() {
        for rules in SHEETS {
            let opponents = [[0, 0, 1, 0, 0, 0], [2; 6]].map(Side);
            for (group, opponent) in Groups::of(5)
                .groups
                .iter()
                .flat_map(|group| opponents.map(|opponent| (group, opponent)))
            {
                for (at, home) in (0..group.sides.len())
                    .flat_map(|at| group.homes(at).map(move |home| (at, home)))
                {
                    let moves = legal_moves(rules, &Board { mover: group.sides[at], opponent });
                    let child = Board { mover: opponent, opponent: group.sides[home] };
                    assert!(moves.iter().any(|found| found.captured == 0 && found.next == child));
                }
            }
        }
    }
}
