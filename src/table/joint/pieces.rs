//! The cells of a tile that a rank has, as bytes to be sent.
//!
//! ```text
//!   side of the larger half-board, then side of the smaller one, each
//!     by plane     by row, by column   u8   the number of a cell
//!     by marks     by row              u32  a bit for each column: where captures attain the bound
//! ```
//!
//! Which rows and columns a rank has follows from the tile, so nothing else is sent. Blocks are cut
//! among ranks one way only: on each side of a tile, all cells of a row have one owner, or else all
//! of a column.

use crate::layer::{Blocks, Marks};
use crate::simd::lanes::{Instructions, Lanes, Loop};
use crate::simd::set_lanes;
use crate::solver::cluster::{Shares, SpreadLayer};
use crate::table::cutting::{Cutout, Window};
use crate::table::groups::{GROUP, Groups};
use crate::table::tiles::{Tile, Tiling, Twin};
use crate::table::truth::TileValues;

/// All columns of a tile.
const ALL: u64 = u32::MAX as u64;

/// No rank: what is not in the layer.
const NOBODY: u16 = u16::MAX;

/// A layer on one rank, as tiles are cut out of it.
pub struct Pieces<'a> {
    pub tiling: &'a Tiling,
    shares: &'a Shares,
    rank: usize,
    /// Lower bounds, and perhaps upper ones.
    planes: &'a [Blocks],
    marks: &'a [Marks],
    /// What a number is more than the contents of a plane.
    offset: u8,
}

/// Who has which cells of a tile, by side.
pub struct Owners([OfSide; 2]);

/// Who has which cells of one side.
struct OfSide {
    /// Rows and columns that hold something, as bits.
    all: [u32; 2],
    /// Whether it is rows or columns that have owners.
    cut: usize,
    owners: [u16; GROUP],
}

impl OfSide {
    /// The rows and columns of a rank, as bits.
    fn of_rank(&self, rank: usize) -> [u32; 2] {
        let mut found = self.all;
        let is_owner = |at: &usize| usize::from(self.owners[*at]) == rank;
        found[self.cut] &= (0..GROUP).filter(is_owner).fold(0, |bits, at| bits | 1 << at);
        if found.contains(&0) { [0; 2] } else { found }
    }
}

impl<'a> Pieces<'a> {
    /// The bounds of a layer.
    pub fn new(tiling: &'a Tiling, layer: &'a SpreadLayer, rank: usize, offset: u8) -> Pieces<'a> {
        let SpreadLayer { shares, bounds: planes, attained: marks, .. } = layer;
        Pieces { tiling, shares, rank, planes, marks, offset }
    }

    /// Who has which cells of a tile.
    pub fn owners(&self, tile: &Tile) -> Owners {
        Owners(Twin::BOTH.map(|twin| self.owners_of_side(tile, twin)))
    }

    fn owners_of_side(&self, tile: &Tile, twin: Twin) -> OfSide {
        let (mover, opponent) = twin.players();
        let block = tile.seeds[mover];
        let is_by_columns = self.shares.is_by_columns(block);
        let (mut all, mut owners) = ([0; 2], [NOBODY; GROUP]);
        let sizes = [tile.height, tile.width];
        for (at, owner) in owners.iter_mut().enumerate().take(sizes[mover]) {
            all[mover] |= 1 << at;
            if is_by_columns {
                let column = Groups::of(block).rank(tile.groups[mover] * GROUP + at);
                *owner = self.shares.owner(block, 0, column) as u16;
            }
        }
        let opponents = Groups::of(tile.seeds[opponent]);
        for (at, owner) in owners.iter_mut().enumerate().take(sizes[opponent]) {
            let place = tile.groups[opponent] * GROUP + at;
            let Some(row) = opponents.row(self.tiling.domain(), place) else { continue };
            all[opponent] |= 1 << at;
            if !is_by_columns {
                *owner = self.shares.owner(block, row, 0) as u16;
            }
        }
        OfSide { all, cut: if is_by_columns { mover } else { opponent }, owners }
    }

    /// How many bytes the piece of a rank has.
    pub fn bytes(&self, owners: &Owners, rank: usize) -> usize {
        let of_side = |side: &OfSide| {
            let [rows, columns] = side.of_rank(rank).map(|bits| bits.count_ones() as usize);
            rows * (columns * self.planes.len() + size_of::<u32>() * self.marks.len())
        };
        owners.0.iter().map(of_side).sum()
    }

    /// Cuts this rank's piece out; appends it to `bytes`.
    pub fn cut(&self, tile: &Tile, values: &mut TileValues, bytes: &mut Vec<u8>) {
        Instructions::best().run(PieceTiles { pieces: self, tile, values, bytes });
    }

    /// Puts the piece of a rank, which `bytes` begins with, into a tile that was
    /// [cleared](Pieces::clear).
    pub fn enter(&self, owners: &Owners, rank: usize, mut bytes: &[u8], values: &mut TileValues) {
        for (twin, of_side) in Twin::BOTH.into_iter().zip(&owners.0) {
            let [rows, columns] = of_side.of_rank(rank).map(u64::from);
            let first_lane = twin.first_lane();
            for numbers in values.numbers.iter_mut().take(self.planes.len()) {
                for row in set_lanes(rows) {
                    let row = &mut numbers[row][first_lane..][..GROUP];
                    let some = bytes.split_off(..columns.count_ones() as usize);
                    let some = some.expect("a number for each cell");
                    match columns {
                        ALL => row.copy_from_slice(some),
                        _ => {
                            set_lanes(columns).zip(some).for_each(|(at, &number)| row[at] = number)
                        }
                    }
                }
            }
            for of_bound in values.free.iter_mut().take(self.marks.len()) {
                for row in set_lanes(rows) {
                    let (word, rest) = bytes.split_first_chunk().expect("a word for each row");
                    bytes = rest;
                    let word = u32::from_le_bytes(*word);
                    of_bound[row] |= u64::from(word) << first_lane;
                }
            }
        }
        if self.marks.len() == 1 {
            values.free[1] = values.free[0];
        }
    }

    /// Forgets where captures attain bounds.
    pub fn clear(values: &mut TileValues) {
        values.free = Default::default();
    }
}

/// Cuts a piece.
struct PieceTiles<'a> {
    pieces: &'a Pieces<'a>,
    tile: &'a Tile,
    values: &'a mut TileValues,
    bytes: &'a mut Vec<u8>,
}

impl Loop for PieceTiles<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let PieceTiles { pieces, tile, values, bytes } = self;
        for twin in Twin::BOTH {
            let share = &pieces.shares.of_rank(pieces.rank)[tile.seeds[twin.players().0]];
            let window = Window { panels: &share.panels, rows: &share.rows };
            let cutout = Cutout::in_window(pieces.tiling, tile, twin, window);
            let [rows, columns] = cutout.present.map(u64::from);
            if rows == 0 || columns == 0 {
                continue;
            }
            for (plane, numbers) in pieces.planes.iter().zip(&mut values.numbers) {
                let lines = plane.block(cutout.own);
                cutout.copy::<L>(lines, pieces.offset, numbers, || plane.enforce_bound());
                for row in set_lanes(rows).map(|row| &numbers[row][cutout.first_lane..][..GROUP]) {
                    match columns {
                        ALL => bytes.extend_from_slice(row),
                        _ => bytes.extend(set_lanes(columns).map(|column| row[column])),
                    }
                }
            }
            for (marks, bits) in pieces.marks.iter().zip(&mut values.free) {
                cutout.note::<L>(marks.words(cutout.own), bits);
                for row in set_lanes(rows) {
                    let word = bits[row] >> cutout.first_lane & columns;
                    bytes.extend_from_slice(&(word as u32).to_le_bytes());
                }
            }
        }
    }
}
