//! The cells of a tile that a rank has, as bytes to be sent.
//!
//! ```text
//!   side of the larger half-board, then side of the smaller one, each
//!     by plane     by row, by column   u8   the number of a cell
//!     by marks     by row              u32  a bit for each column: where captures attain the bound
//! ```
//!
//! Which rows and columns a rank has follows from the tile, so nothing else is sent.

use std::ops::Range;

use crate::layer::{LINE, Rectangle};
use crate::simd::set_lanes;
use crate::solver::cluster::{Shares, SpreadLayer};
use crate::table::cutting::Cutting;
use crate::table::groups::{GROUP, Groups};
use crate::table::tiles::{Tile, Tiling, Twin};
use crate::table::truth::TileValues;

/// All columns of a tile.
const ALL: u64 = u32::MAX as u64;

/// A layer on one rank, as tiles are cut out of it.
pub struct Pieces<'a> {
    pub cutting: Cutting<'a>,
    shares: &'a Shares,
    rank: usize,
}

impl<'a> Pieces<'a> {
    /// The bounds of a layer; `offset` is what a number is more than the contents of a plane.
    pub fn new(tiling: &'a Tiling, layer: &'a SpreadLayer, rank: usize, offset: u8) -> Pieces<'a> {
        let SpreadLayer { shares, bounds, attained, .. } = layer;
        let (planes, marks) = (bounds.iter().collect(), attained.iter().collect());
        Pieces { cutting: Cutting { tiling, planes, marks, offset }, shares, rank }
    }

    /// The sides of a tile of which a rank has cells: which rows and columns, as bits.
    fn sides(&self, tile: &Tile, rank: usize) -> impl Iterator<Item = (Twin, [u64; 2])> {
        let group = |side: usize| &Groups::of(tile.seeds[side]).groups[tile.groups[side]];
        let present = move |twin: Twin| {
            let (mover, opponent) = twin.players();
            let Rectangle { panels, rows } = &self.shares.of_rank(rank)[tile.seeds[mover]];
            let mut found = [0; 2];
            found[mover] = within(&group(mover).ranks, LINE * panels.start..LINE * panels.end);
            if found[mover] != 0 {
                let domain = self.cutting.tiling.layer.domain();
                found[opponent] = within(group(opponent).rows(domain), rows.clone());
            }
            (found[opponent] != 0).then_some((twin, found))
        };
        Twin::BOTH.into_iter().filter_map(present)
    }

    /// How many bytes the piece of a rank has.
    pub fn bytes(&self, tile: &Tile, rank: usize) -> usize {
        let Cutting { planes, marks, .. } = &self.cutting;
        let of_side = |(_, bits): (Twin, [u64; 2])| {
            let [rows, columns] = bits.map(|bits| bits.count_ones() as usize);
            rows * (columns * planes.len() + size_of::<u32>() * marks.len())
        };
        self.sides(tile, rank).map(of_side).sum()
    }

    /// Cuts this rank's piece out; appends it to `bytes`.
    pub fn cut(&self, tile: &Tile, values: &mut TileValues, bytes: &mut Vec<u8>) {
        let Cutting { planes, marks, .. } = &self.cutting;
        for (twin, [rows, columns]) in self.sides(tile, self.rank) {
            self.cutting.cut_side(tile, twin, values);
            let first_lane = twin.first_lane();
            for numbers in values.numbers.iter().take(planes.len()) {
                for row in set_lanes(rows).map(|row| &numbers[row][first_lane..][..GROUP]) {
                    match columns {
                        ALL => bytes.extend_from_slice(row),
                        _ => bytes.extend(set_lanes(columns).map(|column| row[column])),
                    }
                }
            }
            for bits in values.free.iter().take(marks.len()) {
                for row in set_lanes(rows) {
                    let word = bits[row] >> first_lane & columns;
                    bytes.extend_from_slice(&(word as u32).to_le_bytes());
                }
            }
        }
    }

    /// Puts the piece of a rank into a tile in which nothing is free yet.
    pub fn enter(&self, tile: &Tile, rank: usize, mut bytes: &[u8], values: &mut TileValues) {
        let Cutting { planes, marks, .. } = &self.cutting;
        for (twin, [rows, columns]) in self.sides(tile, rank) {
            let first_lane = twin.first_lane();
            for numbers in values.numbers.iter_mut().take(planes.len()) {
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
            for of_bound in values.free.iter_mut().take(marks.len()) {
                for row in set_lanes(rows) {
                    let (word, rest) = bytes.split_first_chunk().expect("a word for each row");
                    bytes = rest;
                    let word = u32::from_le_bytes(*word);
                    of_bound[row] |= u64::from(word) << first_lane;
                }
            }
        }
        if marks.len() == 1 {
            values.free[1] = values.free[0];
        }
    }
}

/// Which of some numbers are in a range, as bits.
fn within(numbers: &[u32], range: Range<usize>) -> u64 {
    let (first, count) = (range.start as u32, range.len() as u32);
    let is_there = |number: u32| u64::from(number.wrapping_sub(first) < count);
    numbers.iter().enumerate().fold(0, |bits, (at, &number)| bits | is_there(number) << at)
}
