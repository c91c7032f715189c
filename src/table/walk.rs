//! The way through a tile, the same for who writes it and who reads it.
//!
//! Rows are gone through from the first to the last, in each the positions of the smaller side,
//! then those of the larger side, column after column. What is known of a position before its
//! number is:
//!
//! * *references*: the signs of the positions of its side in the column and in the row that are
//!   most similar to its own ([`super::groups`]);
//! * *bounds from children*: a home move captures nothing and leads to a cell of the same row or
//!   column that was there before. A child whose mover cannot capture is stored exactly, so the
//!   position is worth at least what it brings. What is stored is raised to that;
//! * *flags*: whether its mover can capture, and the opponent if it were theirs to move, as far as
//!   half-boards say so: some seeds cross over and the last of them makes a two or a three.
//!
//! Whether a capture is legal, and what it takes, differs from sheet to sheet; that there is none
//! without a hit does not. And a home move is legal whenever both rows hold seeds: that is when
//! bounds are used. So bounds hold on every sheet; a tile for which they did not would be written
//! without them.

use super::groups::{GROUP, Group, Groups};
use super::model::{Model, STEPS as STEPS_COUNT};
use super::tiles::{Tile, Tiling, Twin};
use super::value::{Range, Value};
use crate::game::{HOUSES, House, Rules, Seeds, Side, sow};

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

/// The numbers of seeds that hit a house of a half-board if they are sown into it, as bits: the
/// last seed makes it two or three.
fn hit(side: Side) -> u32 {
    /// By seeds of a house: the rounds after which it has two or three.
    const ROUNDS: [u32; 3] = [0b110, 0b11, 0b1];
    side.0.iter().enumerate().fold(0, |all, (house, &seeds)| {
        let rounds = ROUNDS.get(usize::from(seeds)).copied().unwrap_or(0);
        (0..3)
            .filter(|round| rounds >> round & 1 == 1)
            .fold(all, |all, round| all | 1 << (HOUSES * round + house + 1))
    })
}

/// The flag of a position whose mover can capture, maybe.
const CAN_CAPTURE: u8 = 2;

/// What is known of a tile before any of it is decoded.
pub struct Ground {
    tile: Tile,
    rows: Group<'static>,
    columns: Group<'static>,
    /// By row and column: the flags of the larger side.
    flags: [[u8; GROUP]; GROUP],
    /// Rows and columns whose half-boards can be the opponent's, as bits.
    opponents: [u32; 2],
    /// Whether bounds from children are used.
    is_bounded: bool,
}

impl Ground {
    /// Looks at a tile; `wants_bounds` says whether its values are bounded by those of children.
    pub fn of(crossings: &Crossings, tiling: &Tiling, tile: Tile, wants_bounds: bool) -> Ground {
        let [rows, columns] =
            [0, 1].map(|side| Groups::of(tile.seeds[side]).group(tile.groups[side]));
        let of_columns: [(u32, u32); GROUP] = std::array::from_fn(|column| {
            columns.sides.get(column).map_or((0, 0), |&side| (crossings.reached(side), hit(side)))
        });
        let mut flags = [[0; GROUP]; GROUP];
        for (flags, &side) in flags.iter_mut().zip(rows.sides) {
            let (reached, hit) = (crossings.reached(side), hit(side));
            for (flags, of_column) in flags.iter_mut().zip(&of_columns) {
                let (larger, smaller) = (of_column.0 & hit != 0, reached & of_column.1 != 0);
                *flags = (CAN_CAPTURE * u8::from(larger)) | u8::from(smaller);
            }
        }
        let opponents = tiling.opponents(&tile);
        let is_bounded = wants_bounds && tile.seeds[0] > 0;
        Ground { tile, rows, columns, flags, opponents, is_bounded }
    }

    /// The same without bounds from children.
    pub fn without_bounds(self) -> Ground {
        Ground { is_bounded: false, ..self }
    }

    /// Whether bounds from children are used.
    pub fn is_bounded(&self) -> bool {
        self.is_bounded
    }

    /// The tile.
    pub fn tile(&self) -> &Tile {
        &self.tile
    }
}

/// A [`Model`] with all that makes the way fast. Values are *numbers* here: bounds from 0 on, that
/// is, more by all seeds; stamps as they are.
#[derive(Debug)]
pub struct Code {
    /// Letters and the two special signs.
    pub signs: usize,
    /// By sign: its lower number, for the middle of two references.
    middles: Vec<u8>,
    contexts: Vec<u8>,
    /// By lower number and spread.
    sign_of: Vec<u8>,
    spreads: usize,
    /// What a number is more than the value.
    offset: u8,
    edge: u8,
}

impl Code {
    /// The code of a model for values in a range.
    pub fn new(model: &Model, range: Range) -> Code {
        let (offset, lows, spreads) = match range {
            Range::Bounds(seeds, planes) => {
                let numbers = 2 * seeds.get() + 1;
                (seeds.get() as u8, numbers, if planes.count() == 2 { numbers } else { 1 })
            }
            Range::Stamps => (0, 1 << 8, 1),
        };
        let low = |value: &Value| (value.base as u8).wrapping_add(offset);
        let mut middles = vec![0; model.signs()];
        let mut sign_of = vec![model.rare(); lows * spreads];
        for (letter, value) in model.values.iter().enumerate() {
            middles[letter] = low(value);
            let number = usize::from(low(value)) * spreads + usize::from(value.spread);
            // What the layer cannot have has no sign.
            sign_of.get_mut(number).into_iter().for_each(|sign| *sign = letter as u8);
        }
        let contexts = model.contexts.clone();
        Code {
            signs: model.signs(),
            middles,
            contexts,
            sign_of,
            spreads,
            offset,
            edge: model.edge(),
        }
    }

    /// The numbers of a value: low and high.
    #[inline(always)]
    pub fn numbers(&self, value: Value) -> [u8; 2] {
        let low = (value.base as u8).wrapping_add(self.offset);
        [low, low.wrapping_add(value.spread)]
    }

    /// The lower bound or stamp that a number stands for.
    #[inline(always)]
    pub fn base(&self, number: u8) -> u8 {
        number.wrapping_sub(self.offset)
    }

    /// The sign of a value.
    #[inline(always)]
    pub fn sign(&self, [low, high]: [u8; 2]) -> u8 {
        let spread = if self.spreads == 1 { 0 } else { usize::from(high.wrapping_sub(low)) };
        let number = usize::from(low) * self.spreads + spread;
        self.sign_of.get(number).copied().unwrap_or(self.edge - 1)
    }

    /// How many contexts there are.
    pub fn contexts(&self) -> usize {
        self.contexts.len()
    }

    /// The class of a context.
    #[inline(always)]
    pub fn class(&self, context: usize) -> usize {
        self.contexts[context].into()
    }
}

/// How far what children bring is above what references say, in eight steps; by the difference
/// and 256.
const STEPS: [u8; 512] = {
    let mut steps = [0; 512];
    let mut at = 0;
    while at < 512 {
        steps[at] = match at as i32 - 256 {
            ..=-4 => 0,
            -3 | -2 => 1,
            -1 => 2,
            0 => 3,
            1 => 4,
            2 | 3 => 5,
            4.. => 6,
        };
        at += 1;
    }
    steps
};

/// Columns that a row of signs has room for: those of a tile, and one that is not there.
const STRIDE: usize = GROUP + 8;

/// One side of a tile on the way.
struct Half {
    signs: [[u8; STRIDE]; GROUP + 1],
    numbers: [[[u8; GROUP]; GROUP]; 2],
    /// What each position brings to the lower and the upper bound of those that lead to it, and 1;
    /// 0 if it is not stored exactly.
    brings: [[[u8; GROUP]; GROUP]; 2],
}

impl Default for Half {
    fn default() -> Half {
        let square = [[[0; GROUP]; GROUP]; 2];
        Half { signs: [[0; STRIDE]; GROUP + 1], numbers: square, brings: square }
    }
}

/// What stands in a tile.
#[derive(Default)]
pub struct Cells {
    halves: [Half; 2],
}

impl Cells {
    fn clear(&mut self, edge: u8) {
        for half in &mut self.halves {
            half.signs = [[edge; STRIDE]; GROUP + 1];
            half.brings = [[[0; GROUP]; GROUP]; 2];
            half.numbers = [[[0; GROUP]; GROUP]; 2];
        }
    }

    /// The lower or the upper numbers of a row of one side.
    pub fn row(&self, twin: Twin, bound: usize, row: usize) -> &[u8; GROUP] {
        &self.halves[twin as usize].numbers[bound][row]
    }
}

/// A position on the way.
#[derive(Clone, Copy)]
pub struct Spot {
    /// The side it is of.
    pub twin: Twin,
    /// Its row.
    pub row: usize,
    /// Its column.
    pub column: usize,
    /// What children bring to its bounds, and 1; 0 for nothing.
    pub brought: [u8; 2],
    /// Whether it is known to be stored exactly but for what children bring.
    pub is_exact: bool,
    /// See [`Model`].
    pub context: usize,
}

/// Who says which numbers a position gets.
pub trait Choose {
    /// What is stored of a position, low and high, before it is raised to what children bring.
    fn choose(&mut self, code: &Code, spot: Spot) -> [u8; 2];
}

/// Goes through a tile.
pub fn walk(code: &Code, ground: &Ground, cells: &mut Cells, chooser: &mut impl Choose) {
    match code.spreads {
        1 => walk_planes::<1>(code, ground, cells, chooser),
        _ => walk_planes::<2>(code, ground, cells, chooser),
    }
}

fn walk_planes<const PLANES: usize>(
    code: &Code,
    ground: &Ground,
    cells: &mut Cells,
    chooser: &mut impl Choose,
) {
    cells.clear(code.edge);
    let mut homes = Vec::new();
    if ground.is_bounded {
        let of_column = |column| ground.columns.homes(column).map(move |home| (column, home));
        homes.extend((0..ground.tile.width).flat_map(of_column));
    }
    for row in 0..ground.tile.height {
        let [larger, smaller] = &mut cells.halves;
        let mut brought = [[0; GROUP]; 2];
        if ground.is_bounded {
            for home in ground.rows.homes(row) {
                for (brought, brings) in brought.iter_mut().zip(&larger.brings).take(PLANES) {
                    let both = brought.iter_mut().zip(&brings[home]);
                    both.for_each(|(most, &brings)| *most = brings.max(*most));
                }
            }
        }
        walk_row::<PLANES>(code, ground, smaller, Twin::Smaller, row, &brought, chooser);
        brought = [[0; GROUP]; 2];
        for &(column, home) in &homes {
            for (brought, brings) in brought.iter_mut().zip(&smaller.brings).take(PLANES) {
                brought[column] = brings[row][home].max(brought[column]);
            }
        }
        walk_row::<PLANES>(code, ground, larger, Twin::Larger, row, &brought, chooser);
    }
}

#[inline(always)]
fn walk_row<const PLANES: usize>(
    code: &Code,
    ground: &Ground,
    half: &mut Half,
    twin: Twin,
    row: usize,
    brought: &[[u8; GROUP]; 2],
    chooser: &mut impl Choose,
) {
    let held = ground.tile.held(ground.opponents, twin, row);
    if held == 0 {
        return;
    }
    let above = half.signs[usize::from(ground.rows.references[row])];
    let flags = match twin {
        Twin::Larger => ground.flags[row],
        Twin::Smaller => ground.flags[row].map(|flags| flags >> 1 | (flags & 1) << 1),
    };
    // Twice all seeds, and 1.
    let turned = 2 * code.offset + 1;
    let signs = &mut half.signs[row];
    for column in 0..ground.tile.width {
        if held >> column & 1 == 0 {
            continue;
        }
        let left = usize::from(signs[usize::from(ground.columns.references[column])]);
        let above = usize::from(above[column]);
        let brought: [u8; 2] = [brought[0][column], brought[1][column]];
        let middle = (usize::from(code.middles[left]) + usize::from(code.middles[above])) / 2;
        let step = match brought[0] {
            0 => 7,
            brought => STEPS[usize::from(brought) + 255 - middle],
        };
        let kind = usize::from(4 * twin as u8 + flags[column]);
        let context =
            ((kind * code.signs + left) * code.signs + above) * STEPS_COUNT + usize::from(step);
        let is_exact = ground.is_bounded && flags[column] & CAN_CAPTURE == 0;
        let spot = Spot { twin, row, column, brought, is_exact, context };
        let [mut low, mut high] = chooser.choose(code, spot);
        low = low.max(brought[0].saturating_sub(1));
        high = if PLANES == 1 { low } else { high.max(brought[1].saturating_sub(1)).max(low) };
        signs[column] = code.sign([low, high]);
        half.numbers[0][row][column] = low;
        if PLANES == 2 {
            half.numbers[1][row][column] = high;
        }
        if is_exact {
            half.brings[0][row][column] = turned.wrapping_sub(high);
            if PLANES == 2 {
                half.brings[1][row][column] = turned.wrapping_sub(low);
            }
        }
    }
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
            let groups = Groups::of(5);
            for (number, opponent) in (0..groups.len().div_ceil(GROUP))
                .flat_map(|number| [[0, 0, 1, 0, 0, 0], [2; 6]].map(|side| (number, Side(side))))
            {
                let group = groups.group(number);
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
