//! The open claims of a layer, as bits.

use std::sync::atomic::{AtomicU64, Ordering};

use zerocopy::{FromBytes, IntoBytes};

use super::search::Search;
use crate::layer::arena::Memory;
use crate::layer::blocks::LINE;
use crate::layer::index::rows;
use crate::solver::plan::OUTSIDE;

/// Whose claim: the mover's, or the opponent's.
pub const MOVER: usize = 0;
pub const OPPONENT: usize = 1;

/// The claims of a block.
pub struct OpenBlock<'a> {
    /// Panels of lanes.
    pub panels: usize,
    /// What is open, by panel of columns, panel of lanes and column: the lanes of the mover's claims
    /// and those of the opponent's.
    pub open: &'a [[AtomicU64; 2]],
}

/// 64 columns of a block and 64 of its lanes.
#[derive(Clone, Copy)]
pub struct TileOf {
    pub own: usize,
    pub columns: usize,
    pub panel: usize,
}

/// One row of the mover and 64 of the opponent's rows.
#[derive(Clone, Copy)]
pub struct Strip {
    pub own: usize,
    pub column: usize,
    pub panel: usize,
}

impl Strip {
    /// The tile that it is in.
    pub fn tile(self) -> TileOf {
        TileOf { own: self.own, columns: self.column / LINE, panel: self.panel }
    }
}

impl TileOf {
    /// Its strips.
    pub fn strips(self) -> impl Iterator<Item = Strip> {
        let TileOf { own, columns, panel } = self;
        let columns = columns * LINE..rows(own).min((columns + 1) * LINE);
        columns.map(move |column| Strip { own, column, panel })
    }
}

pub fn load(word: &AtomicU64) -> u64 {
    word.load(Ordering::Relaxed)
}

/// Adds lanes to a word that nobody else writes to meanwhile.
pub fn add(word: &AtomicU64, lanes: u64) {
    word.store(load(word) | lanes, Ordering::Relaxed);
}

/// Memory as numbers that threads share.
pub fn shared<T: FromBytes + IntoBytes>(memory: &mut Memory) -> &[T] {
    let count = memory.bytes().len() / size_of::<T>();
    cut(&mut memory.bytes_mut(), count)
}

/// The first so many numbers of some memory, which loses them.
pub fn cut<'a, T: FromBytes + IntoBytes>(memory: &mut &'a mut [u8], count: usize) -> &'a mut [T] {
    let bytes = memory.split_off_mut(..count * size_of::<T>()).expect("as much as was taken");
    <[T]>::mut_from_bytes(bytes).expect("larger numbers come first, from the beginning of a page")
}

/// The first so many of some numbers, which lose them.
pub fn taken<'a, T>(numbers: &mut &'a [T], count: usize) -> &'a [T] {
    let (first, rest) = numbers.split_at(count);
    *numbers = rest;
    first
}

impl<'a> OpenBlock<'a> {
    /// Takes its words from some, which lose them.
    pub fn new(search: &Search, own: usize, words: &mut &'a [AtomicU64]) -> OpenBlock<'a> {
        let open = taken(words, 2 * OpenBlock::strips(search, own)).as_chunks().0;
        OpenBlock { panels: search.panels(own), open }
    }

    /// How many strips, with those that its last tiles have too much.
    pub fn strips(search: &Search, own: usize) -> usize {
        padded(rows(own)) * search.panels(own)
    }

    /// The place of a tile's first strip.
    pub fn place(&self, TileOf { columns, panel, .. }: TileOf) -> usize {
        (columns * self.panels + panel) * LINE
    }

    /// What is open in the strips of a tile.
    pub fn tile(&self, tile: TileOf) -> &[[AtomicU64; 2]] {
        &self.open[self.place(tile)..][..LINE]
    }

    /// The lanes of a tile that are positions.
    pub fn lanes(&self, search: &Search, tile: TileOf) -> u64 {
        let rows = search.rows_of(tile.own, tile.panel).iter().enumerate();
        rows.fold(0, |lanes, (lane, &row)| lanes | u64::from(row != OUTSIDE) << lane)
    }
}

/// So many columns in whole panels.
pub fn padded(columns: usize) -> usize {
    columns.next_multiple_of(LINE)
}
