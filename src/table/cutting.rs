//! Cutting tiles out of planes, and pasting them in.
//!
//! The half-boards of the mover stand in some nine panels of their block. So a row of the block is
//! copied panel by panel, where the processor picks many bytes of a line at once; on the smaller
//! side, whose movers are the rows of the tile, rows and columns change places behind that.

use arrayvec::ArrayVec;
use zerocopy::IntoBytes;

use super::ground::Square;
use super::groups::{GROUP, Groups};
use super::tiles::{Tile, Tiling, Twin};
use super::truth::TileValues;
use crate::layer::{Blocks, LINE, Lines, LinesMut, Marks, Rectangle};
use crate::simd::lanes::{Bytes, Instructions, Lanes, Loop, Picks};

/// What tiles are cut out of: a layer, or what is here of it.
pub struct Cutting<'a> {
    /// How the layer is cut.
    pub tiling: &'a Tiling,
    /// Lower bounds, and perhaps upper ones.
    pub planes: ArrayVec<&'a Blocks, 2>,
    /// Where captures attain lower bounds, and upper ones where that is known apart.
    pub marks: ArrayVec<&'a Marks, 2>,
    /// What a number is more than the contents of a plane.
    pub offset: u8,
}

impl Cutting<'_> {
    /// Copies the contents of a tile, and how free it is.
    pub fn cut(&self, tile: &Tile, values: &mut TileValues) {
        Twin::BOTH.into_iter().for_each(|twin| self.cut_side(tile, twin, values));
    }

    /// Copies those of one side. Something of its block has to be here; what is elsewhere is copied
    /// from anywhere.
    pub fn cut_side(&self, tile: &Tile, twin: Twin, values: &mut TileValues) {
        Instructions::best().run(SideCut { cutting: self, tile, twin, values });
    }
}

/// Cuts a side of a tile.
struct SideCut<'a> {
    cutting: &'a Cutting<'a>,
    tile: &'a Tile,
    twin: Twin,
    values: &'a mut TileValues,
}

impl Loop for SideCut<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let SideCut { cutting, tile, twin, values } = self;
        let part = cutting.planes[0].shape(tile.seeds[twin.players().0]).rectangle();
        let cutout = Cutout::of(cutting.tiling, tile, twin, &part);
        for (numbers, plane) in values.numbers.iter_mut().zip(&cutting.planes) {
            let lines = plane.block(cutout.own);
            cutout.copy::<L>(lines, cutting.offset, numbers, || plane.enforce_bound());
        }
        for (bits, marks) in values.free.iter_mut().zip(&cutting.marks) {
            cutout.note::<L>(marks.words(cutout.own), bits);
        }
        if cutting.marks.len() == 1 {
            values.free[1] = values.free[0];
        }
    }
}

/// Puts the values of one side of a tile, row by row, where they belong in their block.
pub fn paste(tiling: &Tiling, tile: &Tile, twin: Twin, values: &[u8], block: LinesMut) {
    match block {
        LinesMut::Byte(lines) => {
            let bytes = lines.as_mut_bytes();
            paste_each(tiling, tile, twin, values, |place, value| bytes[place] = value);
        }
        mut lines => paste_each(tiling, tile, twin, values, |place, value| {
            lines.set(place / LINE, place % LINE, value.cast_signed());
        }),
    }
}

/// Says of each value which byte of the block it is, if that has a byte for each.
#[inline(always)]
fn paste_each(
    tiling: &Tiling,
    tile: &Tile,
    twin: Twin,
    values: &[u8],
    mut put: impl FnMut(usize, u8),
) {
    let (mover, opponent) = twin.players();
    let whole = Rectangle::whole(tiling.layer.block_shape(tile.seeds[mover]));
    let parts = Cutout::of(tiling, tile, twin, &whole).bytes();
    let opponents = tiling.opponents(tile);
    let (rows, columns) = (&parts[usize::from(mover == 1)], &parts[usize::from(opponent == 1)]);
    for (row, values) in values.chunks_exact(tile.width).enumerate() {
        let held = tile.held(opponents, twin, row);
        for (column, &value) in values.iter().enumerate() {
            if held >> column & 1 == 1 {
                put(rows[row] + columns[column], value);
            }
        }
    }
}

/// Rows that are picked together: what a pick takes is prepared once for all of them, and none waits
/// for another.
const TOGETHER: usize = 4;

/// Where the positions of one side of a tile are in their block, or in a part of it. The mover's
/// half-boards have columns there, the opponent's have rows.
struct Cutout {
    /// The block.
    own: usize,
    twin: Twin,
    /// How many half-boards of the tile the mover has, and the opponent.
    sizes: [usize; 2],
    /// Lines of a panel of the part.
    lines: usize,
    /// By half-board of the opponent: the row in the part.
    rows: [u32; GROUP],
    /// By half-board of the mover: the panel in the part, and the column in that.
    picks: Picks,
}

impl Cutout {
    /// In a part of the block.
    fn of(tiling: &Tiling, tile: &Tile, twin: Twin, part: &Rectangle) -> Cutout {
        let (mover, opponent) = twin.players();
        let (own, sizes) = (tile.seeds[mover], [tile.height, tile.width]);
        let (picks, _) = Picks::of(&Groups::of(own).groups[tile.groups[mover]].ranks, &part.panels);
        let (first, lines) = (part.rows.start as u32, part.rows.len());
        let group = &Groups::of(tile.seeds[opponent]).groups[tile.groups[opponent]];
        let mut rows = [0; GROUP];
        for (place, &row) in rows.iter_mut().zip(group.rows(tiling.layer.domain())) {
            let row = row.wrapping_sub(first);
            *place = if row < lines as u32 { row } else { 0 };
        }
        Cutout { own, twin, sizes: [sizes[mover], sizes[opponent]], lines, rows, picks }
    }

    /// What half-boards of the mover and of the opponent add to the place of a byte in the part.
    fn bytes(&self) -> [[usize; GROUP]; 2] {
        let mut columns = [0; GROUP];
        for (column, (panel, place)) in columns.iter_mut().zip(self.picks.lanes()) {
            *column = panel as usize * self.lines * LINE + usize::from(place);
        }
        [columns, self.rows.map(|row| row as usize * LINE)]
    }

    /// Copies what stands there, given the lines of the part. Before each row the caller enforces the
    /// program's bound of memory.
    #[inline(always)]
    fn copy<L: Lanes>(
        &self,
        lines: Lines,
        offset: u8,
        numbers: &mut [Bytes; GROUP],
        enforce_bound: impl Fn(),
    ) {
        let (mut square, picker) = ([[0; GROUP]; GROUP], L::picker(&self.picks));
        // Rows that the tile has not are the first one of the part.
        let rows = self.rows.as_chunks::<TOGETHER>().0.iter();
        let some = rows.zip(square.as_chunks_mut().0).take(self.sizes[1].div_ceil(TOGETHER));
        for (rows, picked) in some {
            enforce_bound();
            let line = |panel: u32, row: usize| panel as usize * self.lines + rows[row] as usize;
            *picked = match lines {
                Lines::Byte(lines) => {
                    let lines = lines.as_bytes().as_chunks().0;
                    L::pick_lines::<TOGETHER, _>(&picker, |panel, row| &lines[line(panel, row)])
                }
                lines => {
                    let line = |panel, row| lines.line(line(panel, row)).0.map(i8::cast_unsigned);
                    L::pick_lines::<TOGETHER, _>(&picker, line)
                }
            };
        }
        if self.twin == Twin::Smaller {
            transpose::<L>(&mut square);
        }
        square.as_flattened_mut().iter_mut().for_each(|byte| *byte = byte.wrapping_add(offset));
        for (numbers, line) in numbers.iter_mut().zip(&square) {
            numbers.as_chunks_mut().0[self.twin.first_lane() / GROUP] = *line;
        }
    }

    /// Notes where a bound is marked, given the words of the part: by row, a bit for each lane.
    #[inline(always)]
    fn note<L: Lanes>(&self, marks: &[u64], bits: &mut [u64; GROUP]) {
        let (mut square, picker) = ([0; GROUP], L::picker(&self.picks));
        for (line, &row) in square.iter_mut().zip(&self.rows[..self.sizes[1]]) {
            let word_of = |panel: u32| marks[panel as usize * self.lines + row as usize];
            *line = L::pick_words(&picker, word_of);
        }
        if self.twin == Twin::Smaller {
            transpose_bits(&mut square);
        }
        let first_lane = self.twin.first_lane();
        for (bits, &line) in bits.iter_mut().zip(&square) {
            let others = u64::from(u32::MAX) << (GROUP - first_lane);
            *bits = *bits & others | u64::from(line) << first_lane;
        }
    }
}

/// Rows become columns. The number of a byte, row before column, is ten bits; if each byte of the
/// first half comes before the one of the second half, they are turned round by one.
#[inline(always)]
fn transpose<L: Lanes>(square: &mut Square) {
    for _ in 0..GROUP.ilog2() {
        let before = *square;
        let (first, second) = before.as_flattened().split_at(GROUP * GROUP / 2);
        let halves = first.as_chunks().0.iter().zip(second.as_chunks().0);
        let turned = square.as_flattened_mut().as_chunks_mut().0.as_chunks_mut().0;
        for ((first, second), turned) in halves.zip(turned) {
            *turned = L::interleave(first, second);
        }
    }
}

/// Likewise for rows of bits: halves, quarters and so on change places across the diagonal.
#[inline(always)]
fn transpose_bits(rows: &mut [u32; GROUP]) {
    for (by, kept) in
        [(16, 0x0000_ffff), (8, 0x00ff_00ff), (4, 0x0f0f_0f0f), (2, 0x3333_3333), (1, 0x5555_5555)]
    {
        for at in (0..GROUP).filter(|at| at & by == 0) {
            let changed = (rows[at] >> by ^ rows[at + by]) & kept;
            rows[at] ^= changed << by;
            rows[at + by] ^= changed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Dice;

    /// Turns a square with some instructions.
    struct Turning(Square);

    impl Loop for Turning {
        type Output = Square;

        #[inline(always)]
        fn run<L: Lanes>(self) -> Square {
            let mut square = self.0;
            transpose::<L>(&mut square);
            square
        }
    }

    #[test]
    fn rows_become_columns() {
        let mut dice = Dice::new(1);
        let square: Square =
            std::array::from_fn(|_| std::array::from_fn(|_| dice.below(256) as u8));
        let before: [u32; GROUP] = std::array::from_fn(|_| dice.number() as u32);
        let mut rows = before;
        transpose_bits(&mut rows);
        for instructions in Instructions::available() {
            let turned = instructions.run(Turning(square));
            for (row, column) in
                (0..GROUP).flat_map(|row| (0..GROUP).map(move |column| (row, column)))
            {
                assert_eq!(turned[row][column], square[column][row], "{instructions:?}");
                assert_eq!(rows[row] >> column & 1, before[column] >> row & 1);
            }
        }
    }
}
