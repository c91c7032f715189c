//! Cutting tiles out of planes, and pasting them in.
//!
//! Where the positions of a tile stand in a plane is a sum: one part for the row, one for the
//! column. So a tile is copied by two lists of parts, whichever of its half-boards is the mover's.

use std::ops::Range;

use zerocopy::IntoBytes;

use super::groups::{GROUP, Groups};
use super::lanes::{Bytes, Instructions, Lanes, Loop};
use super::tiles::{Tile, Tiling, Twin};
use super::truth::TileValues;
use crate::layer::{Attained, LINE, Line, Plane};

/// The planes of a part of a file.
pub struct Cutting<'a> {
    /// How the layer is cut.
    pub tiling: &'a Tiling,
    /// Lower and upper bounds, or stamps.
    pub planes: [Option<&'a Plane>; 2],
    /// Where captures attain bounds.
    pub attained: Option<&'a Attained>,
    /// What a number is more than what stands in a plane.
    pub offset: u8,
}

impl Cutting<'_> {
    /// Copies what stands in a tile, and how free it is.
    pub fn cut(&self, tile: &Tile, values: &mut TileValues) {
        Instructions::best().run(Cut { cutting: self, tile, values });
    }

    #[inline(always)]
    fn cut_lanes<L: Lanes>(&self, tile: &Tile, values: &mut TileValues) {
        for twin in Twin::BOTH {
            let cutout = Cutout::of(self.tiling, tile, twin);
            let own = cutout.own;
            for (numbers, plane) in values.numbers.iter_mut().zip(self.planes) {
                if let Some(plane) = plane {
                    let block = plane.blocks().block(own).as_bytes();
                    cutout.copy(block, self.offset, numbers, || plane.blocks().keep());
                }
            }
            if let Some(Attained { low, high }) = self.attained {
                let [of_low, of_high] = &mut values.free;
                cutout.note::<L>(low.block(own).1, of_low);
                match high {
                    Some(high) => cutout.note::<L>(high.block(own).1, of_high),
                    None => *of_high = *of_low,
                }
            }
        }
    }
}

/// Cuts a tile.
struct Cut<'a> {
    cutting: &'a Cutting<'a>,
    tile: &'a Tile,
    values: &'a mut TileValues,
}

impl Loop for Cut<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        self.cutting.cut_lanes::<L>(self.tile, self.values);
    }
}

/// Puts the values of one side of a tile, row by row, where they belong in their block.
pub fn paste(tiling: &Tiling, tile: &Tile, twin: Twin, values: &[u8], block: &mut [Line]) {
    let (cutout, opponents) = (Cutout::of(tiling, tile, twin), tiling.opponents(tile));
    let [rows, columns] = &cutout.bytes;
    let bytes = block.as_mut_bytes();
    for (row, values) in values.chunks_exact(tile.width).enumerate() {
        let held = tile.held(opponents, twin, row);
        for (column, &value) in values.iter().enumerate() {
            if held >> column & 1 == 1 {
                bytes[rows[row] + columns[column]] = value;
            }
        }
    }
}

/// A part of a block: which panels and which rows of it.
#[derive(Clone, Copy, Debug)]
pub struct Window<'a> {
    pub panels: &'a Range<usize>,
    pub rows: &'a Range<usize>,
}

/// Where the positions of one side of a tile are in their block, or in a part of it.
pub struct Cutout {
    /// The block.
    pub own: usize,
    height: usize,
    /// The first lane of the side.
    pub first_lane: usize,
    /// What the rows of the tile and its columns add to the place of a byte in the part.
    bytes: [[usize; GROUP]; 2],
    /// What they add to the place of a word of marks, and of a bit in it.
    words: [[u32; GROUP]; 2],
    bits: [[u32; GROUP]; 2],
    /// Which rows of the tile and which columns are in the part, as bits. What stands elsewhere in
    /// the tile is copied from anywhere.
    pub present: [u32; 2],
}

impl Cutout {
    /// In a whole block.
    fn of(tiling: &Tiling, tile: &Tile, twin: Twin) -> Cutout {
        let own = tile.seeds[twin.players().0];
        let (rows, columns) = tiling.layer().block_shape(own);
        let (panels, rows) = (&(0..columns.div_ceil(LINE)), &(0..rows));
        Cutout::in_window(tiling, tile, twin, Window { panels, rows })
    }

    /// In a part of a block.
    pub fn in_window(tiling: &Tiling, tile: &Tile, twin: Twin, window: Window) -> Cutout {
        let (mover, opponent) = twin.players();
        let own = tile.seeds[mover];
        let Window { panels, rows } = window;
        let (panel, words) = (LINE * rows.len(), panels.len());
        let mut cutout = Cutout {
            own,
            height: tile.height,
            first_lane: twin.first_lane(),
            bytes: [[0; GROUP]; 2],
            words: [[0; GROUP]; 2],
            bits: [[0; GROUP]; 2],
            present: [0; 2],
        };
        let sizes = [tile.height, tile.width];
        for at in 0..sizes[mover] {
            let place = tile.groups[mover] * GROUP + at;
            let column = Groups::of(own).rank(place);
            if panels.contains(&(column / LINE)) {
                let panel_before = column / LINE - panels.start;
                cutout.bytes[mover][at] = panel_before * panel + column % LINE;
                cutout.words[mover][at] = panel_before as u32;
                cutout.bits[mover][at] = (column % LINE) as u32;
                cutout.present[mover] |= 1 << at;
            }
        }
        for at in 0..sizes[opponent] {
            let place = tile.groups[opponent] * GROUP + at;
            let row = Groups::of(tile.seeds[opponent]).row(tiling.domain(), place);
            if let Some(row) = row.filter(|row| rows.contains(row)) {
                cutout.bytes[opponent][at] = LINE * (row - rows.start);
                cutout.words[opponent][at] = (words * (row - rows.start)) as u32;
                cutout.present[opponent] |= 1 << at;
            }
        }
        cutout
    }

    /// Copies what stands there, given the bytes of the part; before each row somebody `keep`s the
    /// program to its bounds.
    #[inline(always)]
    pub fn copy(&self, bytes: &[u8], offset: u8, numbers: &mut [Bytes; GROUP], keep: impl Fn()) {
        let [rows, columns] = &self.bytes;
        for (numbers, row) in numbers[..self.height].iter_mut().zip(rows) {
            keep();
            for (number, column) in numbers[self.first_lane..][..GROUP].iter_mut().zip(columns) {
                *number = bytes[row + column].wrapping_add(offset);
            }
        }
    }

    /// Notes where a bound is marked, given the words of the part: by row, a bit for each lane.
    #[inline(always)]
    pub fn note<L: Lanes>(&self, marks: &[u64], bits: &mut [u64; GROUP]) {
        let [rows, columns] = &self.words;
        let [of_rows, of_columns] = &self.bits;
        for (row, bits) in bits[..self.height].iter_mut().enumerate() {
            let (mut at, mut numbers) = (*columns, *of_columns);
            at.iter_mut().for_each(|at| *at += rows[row]);
            numbers.iter_mut().for_each(|number| *number += of_rows[row]);
            let marked = u64::from(L::bits(marks, &at, &numbers)) << self.first_lane;
            let others = u64::from(u32::MAX) << (GROUP - self.first_lane);
            *bits = *bits & others | marked;
        }
    }
}
