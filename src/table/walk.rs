//! The way through a tile, the same for its writer and its reader.
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
//! A home move is legal whenever both rows hold seeds: that is when bounds are used. So bounds hold
//! on every sheet; a tile for which they did not would be written without them. What is known
//! beforehand is its [ground](super::ground).
//!
//! What is known of a position are the positions just before it, so a processor waits for each of
//! them. A reader goes through several tiles side by side, its *lanes*, each by itself: what it
//! waits for in one it does in the others.
//!
//! A reader goes this way. A writer knows where it leads, and takes the same steps in another order
//! ([`super::encoder`]).

use std::array;

use super::code::{Code, ContextMark, RowContexts, larger};
use super::decoder::Reading;
use super::ground::{Ground, Square, exact};
use super::groups::GROUP;
use super::tiles::Twin;
use crate::simd::lanes::masks;

/// Tiles that are gone through side by side.
pub const LANES: usize = 4;

/// Marks of a row: of the columns of a tile, and of one that is not there.
pub type RowMarks = [ContextMark; GROUP + 8];

/// One side of a tile on the way.
struct TileSide {
    marks: [RowMarks; GROUP + 1],
    numbers: [Square; 2],
    /// What each position brings to the lower and the upper bound of those that lead to it, and 1;
    /// 0 if it is not stored exactly.
    brings: [Square; 2],
}

impl Default for TileSide {
    fn default() -> TileSide {
        let square = [[[0; GROUP]; GROUP]; 2];
        let marks = [[ContextMark::default(); GROUP + 8]; GROUP + 1];
        TileSide { marks, numbers: square, brings: square }
    }
}

/// The contents of a tile.
#[derive(Default)]
pub struct Cells {
    halves: [TileSide; 2],
}

impl Cells {
    fn clear(&mut self, edge: ContextMark) {
        for half in &mut self.halves {
            half.marks = [[edge; GROUP + 8]; GROUP + 1];
            half.numbers = [[[0; GROUP]; GROUP]; 2];
        }
    }

    /// The lower or the upper numbers of a row of one side.
    pub fn row(&self, twin: Twin, bound: usize, row: usize) -> &[u8; GROUP] {
        &self.halves[twin as usize].numbers[bound][row]
    }
}

/// Goes through tiles, in each of them as if it were alone.
pub fn walk<const LANES: usize>(
    code: &Code,
    grounds: &[Ground; LANES],
    cells: &mut [Cells; LANES],
    readings: &mut [Reading; LANES],
) {
    match code.planes() {
        1 => walk_planes::<1, LANES>(code, grounds, cells, readings),
        _ => walk_planes::<2, LANES>(code, grounds, cells, readings),
    }
}

fn walk_planes<const PLANES: usize, const LANES: usize>(
    code: &Code,
    grounds: &[Ground; LANES],
    cells: &mut [Cells; LANES],
    readings: &mut [Reading; LANES],
) {
    cells.iter_mut().for_each(|cells| cells.clear(code.edge));
    let rows = grounds.iter().map(|ground| ground.tile.height).max().unwrap_or(0);
    let mut sides: [Side; LANES] = array::from_fn(|_| Side::default());
    for row in 0..rows {
        for twin in [Twin::Smaller, Twin::Larger] {
            for ((side, ground), cells) in sides.iter_mut().zip(grounds).zip(cells.iter()) {
                side.set::<PLANES>(code, ground, cells, (twin, row));
            }
            walk_row::<PLANES, LANES>(code, grounds, cells, &sides, readings, (twin, row));
            for (side, cells) in sides.iter().zip(cells.iter_mut()) {
                side.bring::<PLANES>(code, &mut cells.halves[twin as usize], row);
            }
        }
    }
}

/// A row of a side of a tile.
#[derive(Default)]
struct Side {
    held: u32,
    contexts: RowContexts,
    /// By bound: the most that children bring, 0 for nothing.
    least: [[u8; GROUP]; 2],
    /// Masks of the positions that are stored exactly but for the bounds from children.
    exact: [u8; GROUP],
}

impl Side {
    #[inline(always)]
    fn set<const PLANES: usize>(
        &mut self,
        code: &Code,
        ground: &Ground,
        cells: &Cells,
        (twin, row): (Twin, usize),
    ) {
        // What is behind the last row is not there.
        self.held = if row < ground.tile.height { ground.held(twin, row) } else { 0 };
        self.exact = [0; GROUP];
        if self.held == 0 {
            return;
        }
        let mut brought = [[0; GROUP]; 2];
        if ground.is_bounded {
            self.exact = exact(ground.flags_of(twin, row), masks(self.held));
            (0..PLANES).for_each(|bound| {
                bring_to_row(ground, cells, (twin, row), bound, &mut brought[bound]);
            });
        }
        for (least, brought) in self.least.iter_mut().zip(&brought).take(PLANES) {
            *least = brought.map(|brought| brought.saturating_sub(1));
        }
        let above = &cells.halves[twin as usize].marks[usize::from(ground.rows.references[row])];
        let above = above.first_chunk().expect("as many as columns");
        let flags = ground.flags_of(twin, row);
        self.contexts.set(code, twin as usize, flags, above, &brought[0]);
    }

    /// Notes what the positions of the row bring to those that lead to them.
    #[inline(always)]
    fn bring<const PLANES: usize>(&self, code: &Code, half: &mut TileSide, row: usize) {
        for bound in 0..PLANES {
            let numbers = &half.numbers[PLANES - 1 - bound][row];
            let brings = &mut half.brings[bound][row];
            for column in 0..GROUP {
                brings[column] = code.turned.wrapping_sub(numbers[column]) & self.exact[column];
            }
        }
    }
}

/// Takes the most that children bring to a bound of the positions of a row.
#[inline(always)]
fn bring_to_row(
    ground: &Ground,
    cells: &Cells,
    (twin, row): (Twin, usize),
    bound: usize,
    most: &mut [u8; GROUP],
) {
    let [larger, smaller] = &cells.halves;
    match twin {
        Twin::Smaller => {
            for home in ground.rows.homes(row) {
                let brings = &larger.brings[bound][home];
                for column in 0..GROUP {
                    most[column] = brings[column].max(most[column]);
                }
            }
        }
        Twin::Larger => {
            let brings = &smaller.brings[bound][row];
            for &(column, home) in &ground.columns.home_moves {
                let (column, home) = (usize::from(column) % GROUP, usize::from(home) % GROUP);
                most[column] = brings[home].max(most[column]);
            }
        }
    }
}

#[inline(always)]
fn walk_row<const PLANES: usize, const LANES: usize>(
    code: &Code,
    grounds: &[Ground; LANES],
    cells: &mut [Cells; LANES],
    sides: &[Side; LANES],
    readings: &mut [Reading; LANES],
    (twin, row): (Twin, usize),
) {
    let held = sides.iter().fold(0, |held, side| held | side.held);
    for column in (0..GROUP).filter(|column| held >> column & 1 == 1) {
        for lane in 0..LANES {
            let side = &sides[lane];
            if side.held >> column & 1 == 0 {
                continue;
            }
            let half = &mut cells[lane].halves[twin as usize];
            let marks = &mut half.marks[row];
            let left = marks[usize::from(grounds[lane].left[column])];
            let [low, high] = readings[lane].next(code, side.contexts.of(column, left));
            let low = larger(low, side.least[0][column]);
            half.numbers[0][row][column] = low;
            marks[column] = match PLANES {
                1 => code.mark_of_one(low),
                _ => {
                    let high = larger(larger(high, side.least[1][column]), low);
                    half.numbers[1][row][column] = high;
                    code.mark([low, high])
                }
            };
        }
    }
}
