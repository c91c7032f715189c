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
//! A home move is legal whenever both rows hold seeds: that is when bounds are used. So bounds hold
//! on every sheet; a tile for which they did not would be written without them. What is known
//! beforehand is its [ground](super::ground).
//!
//! A reader goes this way. A writer knows where it leads, and takes the same steps in another order
//! ([`super::encoder`]).

use arrayvec::ArrayVec;

use super::code::{Code, Mark};
use super::ground::{CAN_CAPTURE, Ground, Square};
use super::groups::{GROUP, HOME};
use super::tiles::Twin;

/// Home moves of the half-boards of a group, at most.
const HOMES: usize = GROUP * HOME;

/// Marks of a row: of the columns of a tile, and of one that is not there.
pub type RowMarks = [Mark; GROUP + 8];

/// One side of a tile on the way.
struct Half {
    marks: [RowMarks; GROUP + 1],
    numbers: [Square; 2],
    /// What each position brings to the lower and the upper bound of those that lead to it, and 1;
    /// 0 if it is not stored exactly.
    brings: [Square; 2],
}

impl Default for Half {
    fn default() -> Half {
        let square = [[[0; GROUP]; GROUP]; 2];
        let marks = [[Mark::default(); GROUP + 8]; GROUP + 1];
        Half { marks, numbers: square, brings: square }
    }
}

/// What stands in a tile.
#[derive(Default)]
pub struct Cells {
    halves: [Half; 2],
}

impl Cells {
    fn clear(&mut self, edge: Mark) {
        for half in &mut self.halves {
            half.marks = [[edge; GROUP + 8]; GROUP + 1];
            half.brings = [[[0; GROUP]; GROUP]; 2];
            half.numbers = [[[0; GROUP]; GROUP]; 2];
        }
    }

    /// The lower or the upper numbers of a row of one side.
    pub fn row(&self, twin: Twin, bound: usize, row: usize) -> &[u8; GROUP] {
        &self.halves[twin as usize].numbers[bound][row]
    }
}

/// Who says which numbers a position gets.
pub trait Choose {
    /// What is stored of a position with this context, low and high, before it is raised to what
    /// children bring.
    fn choose(&mut self, code: &Code, context: usize) -> [u8; 2];
}

/// Goes through a tile.
pub fn walk(code: &Code, ground: &Ground, cells: &mut Cells, chooser: &mut impl Choose) {
    match code.planes() {
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
    cells.clear(code.edge());
    let bounded = ground.is_bounded();
    let homes: ArrayVec<(usize, usize), HOMES> =
        ground.homes_of_columns().filter(|_| bounded).collect();
    for row in 0..ground.tile().height {
        let [larger, smaller] = &mut cells.halves;
        let mut brought = [[0; GROUP]; 2];
        for home in ground.rows.homes(row).filter(|_| bounded) {
            for (brought, brings) in brought.iter_mut().zip(&larger.brings).take(PLANES) {
                let both = brought.iter_mut().zip(&brings[home]);
                both.for_each(|(most, &brings)| *most = brings.max(*most));
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
    let held = ground.held(twin, row);
    if held == 0 {
        return;
    }
    let above = half.marks[usize::from(ground.rows.references[row])];
    let flags = ground.flags(twin, row);
    let turned = code.turned();
    let marks = &mut half.marks[row];
    for column in 0..ground.tile().width {
        if held >> column & 1 == 0 {
            continue;
        }
        let left = marks[usize::from(ground.columns.references[column])];
        let brought: [u8; 2] = [brought[0][column], brought[1][column]];
        let kind = usize::from(4 * twin as u8 + flags[column]);
        let context = code.context(kind, left, above[column], brought[0]);
        let is_exact = ground.is_bounded() && flags[column] & CAN_CAPTURE == 0;
        let [mut low, mut high] = chooser.choose(code, context);
        low = low.max(brought[0].saturating_sub(1));
        high = if PLANES == 1 { low } else { high.max(brought[1].saturating_sub(1)).max(low) };
        marks[column] = code.mark([low, high]);
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
