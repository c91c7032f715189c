//! The open claims of a layer, as bits.

use std::sync::atomic::{AtomicU64, Ordering};

use zerocopy::{FromBytes, IntoBytes};

use crate::layer::arena::Memory;
use crate::layer::blocks::LINE;
use crate::layer::index::rows;

/// Whose claim: the mover's, or the opponent's.
pub const MOVER: usize = 0;
pub const OPPONENT: usize = 1;

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
