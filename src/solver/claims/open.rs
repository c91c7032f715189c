//! The open claims of a layer, as bits.
//!
//! A bit is set once its claim is met. A claim about which nothing need be done counts as met from
//! the beginning, and so does every column of a panel that no position has: what is open are the
//! bits that are 0. Bits are only ever set.

use std::sync::atomic::{AtomicU64, Ordering};

use zerocopy::{FromBytes, IntoBytes};

use crate::game::rules::{Endless, Rules};
use crate::game::score_range::ScoreRange;
use crate::layer::arena::Memory;
use crate::layer::index::rows;
use crate::layer::line::{LINE, Line};
use crate::simd::eight_bits;

/// Whose claim: the mover's, or the opponent's.
pub const MOVER: usize = 0;
pub const OPPONENT: usize = 1;

/// The moves by which the mover's claims are met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TightMoves {
    /// Default moves, and exceptions that are found: a strategy.
    ByDefault,
    /// Any tight moves: whether all claims are met shows sooner.
    ByAny,
}

/// The claims about which something need be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asking {
    /// They are larger than this: smaller ones any play brings.
    above: i8,
    /// They are at most this: larger ones are met.
    most: i8,
}

impl Asking {
    /// All that some play does not bring. Any play brings the least score of the range.
    pub fn all(rules: &Rules, range: ScoreRange) -> Asking {
        let above = match rules.endless {
            Endless::EvenSplit => 0,
            Endless::OwnSide(_) | Endless::Drawn => -range.end(),
        };
        Asking { above, most: i8::MAX }
    }

    /// Those that are closed in one plane: for a strategy all of them.
    pub fn of(rules: &Rules, range: ScoreRange, play: TightMoves) -> Asking {
        match play {
            TightMoves::ByDefault => Asking::all(rules, range),
            TightMoves::ByAny => Asking::all(rules, range).not_above_zero(),
        }
    }

    /// Without those above 0, which are met in any case where scores were found from 0 on. Then a
    /// score above 0 has only grown since, each time because of replies that had been found before;
    /// so claims above 0 are met, in the order in which they were found.
    pub fn not_above_zero(self) -> Asking {
        Asking { most: 0, ..self }
    }

    /// Given the negative bounds of a line of lanes, those whose claims ask for something: the mover's
    /// by lower bounds, or the opponent's by upper ones.
    #[inline(always)]
    pub fn lanes(self, claim: usize, negative: &Line) -> u64 {
        let Asking { above: idle, most } = self;
        match claim {
            MOVER => above(negative, -most - 1) & !above(negative, -idle - 1),
            _ => above(negative, idle) & !above(negative, most),
        }
    }
}

/// The lanes of a line that are above a score.
#[inline(always)]
fn above(line: &Line, most: i8) -> u64 {
    let above = line.0.map(|score| u8::from(score > most));
    let (chunks, _) = above.as_chunks::<8>();
    (0..)
        .zip(chunks)
        .fold(0, |lanes, (at, &bytes)| lanes | u64::from(eight_bits(bytes)) << (8 * at))
}

/// 64 columns of a block and 64 of its lanes.
#[derive(Clone, Copy)]
pub struct TileOf {
    pub own: usize,
    pub columns: usize,
    pub panel: usize,
}

impl TileOf {
    /// How many strips it has: one row of the mover and 64 of the opponent's rows each.
    pub fn strips(self) -> usize {
        (rows(self.own) - self.columns * LINE).min(LINE)
    }
}

pub fn load(word: &AtomicU64) -> u64 {
    word.load(Ordering::Relaxed)
}

/// Adds lanes to a word that no other thread writes to meanwhile.
pub fn add(word: &AtomicU64, lanes: u64) {
    word.store(load(word) | lanes, Ordering::Relaxed);
}

/// Memory as numbers that threads share.
pub fn shared<T: FromBytes + IntoBytes>(memory: &mut Memory) -> &[T] {
    let count = memory.bytes().len() / size_of::<T>();
    cut(&mut memory.bytes_mut(), count)
}

/// The first this many numbers of some memory, which loses them.
pub fn cut<'a, T: FromBytes + IntoBytes>(memory: &mut &'a mut [u8], count: usize) -> &'a mut [T] {
    let bytes = memory.split_off_mut(..count * size_of::<T>()).expect("as much as was taken");
    <[T]>::mut_from_bytes(bytes).expect("larger numbers come first, from the beginning of a page")
}

/// The first this many of some numbers, which lose them.
pub fn taken<'a, T>(numbers: &mut &'a [T], count: usize) -> &'a [T] {
    let (first, rest) = numbers.split_at(count);
    *numbers = rest;
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Dice;

    #[test]
    fn lanes_above_a_score_are_found() {
        let mut dice = Dice::new(3);
        for _ in 0..1000 {
            let line = Line(std::array::from_fn(|_| dice.below(3) as i8 - 1));
            let slowly = (0..LINE).filter(|&lane| line.0[lane] > 0);
            assert_eq!(above(&line, 0), slowly.fold(0, |all, lane| all | 1 << lane));
        }
    }
}
