//! What a kernel's file implements: [`Vector`], a line of 64 bytes in registers; and how lines
//! that memory keeps packed are loaded into it and stored ([`KeptLine`]).
//!
//! Every implementation computes the same bytes as the portable one.

use super::operands::{LineTile, Picks};
use crate::layer::line::Line;
use crate::layer::lines::Lines;
use crate::layer::packing::{Codes, Half, Quarter, Stored, Third};

/// Loads and stores lines of several scores in a byte by way of lines of a byte each.
macro_rules! by_lines {
    ($($load:ident $store:ident $line:ident $how:literal;)*) => {$(
        #[doc = concat!("From memory, ", $how)]
        #[inline(always)]
        fn $load(line: &$line, codes: Codes) -> Self {
            Self::load(&line.unpacked(codes))
        }

        #[doc = concat!("To memory, ", $how)]
        #[inline(always)]
        fn $store(self, line: &mut $line, codes: Codes) {
            let mut scores = Line::of(0);
            self.store(&mut scores);
            line.pack(&scores, codes);
        }
    )*};
}

/// 64 signed bytes.
pub trait Vector: Copy {
    /// A set of lanes.
    type Lanes: Copy;
    /// Where each lane is picked from.
    type Picks: Copy;
    /// The bit of a word that each lane stands for.
    type Bits: Copy;

    /// The lanes that are bits of a word.
    fn lanes(bits: u64) -> Self::Lanes;
    /// Picks, ready for use.
    fn picks(picks: &Picks) -> Self::Picks;
    /// Picks of bits, ready for use.
    fn bits(picks: &Picks) -> Self::Bits;
    /// From memory.
    fn load(line: &Line) -> Self;
    /// To memory.
    fn store(self, line: &mut Line);
    /// The same byte everywhere.
    fn splat(byte: i8) -> Self;
    /// The lesser of each lane.
    fn min(self, other: Self) -> Self;
    /// The greater of each lane.
    fn max(self, other: Self) -> Self;
    /// The difference of each lane, wrapping.
    fn minus(self, other: Self) -> Self;
    /// Each lane from where the picks say.
    fn pick(line: &Line, picks: Self::Picks) -> Self;
    /// The lanes that pick a member of a set.
    fn members(set: u64, bits: Self::Bits) -> u64;
    /// `other` in some lanes.
    fn replace(self, lanes: Self::Lanes, other: Self) -> Self;
    /// The lanes that differ.
    fn differing(self, other: Self) -> u64;
    /// Makes rows columns.
    fn transpose(tile: &mut LineTile);

    /// The lesser in some lanes.
    #[inline(always)]
    fn lower(self, lanes: Self::Lanes, other: Self) -> Self {
        self.replace(lanes, self.min(other))
    }

    by_lines! {
        load_half store_half Half "two scores in a byte.";
        load_third store_third Third "three scores in a byte.";
        load_quarter store_quarter Quarter "four scores in a byte.";
    }

    /// Each lane from where the picks say.
    #[inline(always)]
    fn picked(self, picks: Self::Picks) -> Self {
        let mut line = Line::of(0);
        self.store(&mut line);
        Self::pick(&line, picks)
    }

    /// Asks for a line that will be read soon.
    #[inline(always)]
    fn fetch<T>(line: &T) {
        let _ = line;
    }
}

/// A line as it is kept, to and from registers.
pub trait KeptLine: Stored {
    /// All of these, if they are kept so; or else none.
    fn all(lines: Lines<'_>) -> &[Self];
    /// From memory.
    fn load<V: Vector>(&self, codes: Codes) -> V;
    /// To memory.
    fn store<V: Vector>(&mut self, scores: V, codes: Codes);

    /// Each lane from where the picks say.
    #[inline(always)]
    fn pick<V: Vector>(&self, picks: V::Picks, codes: Codes) -> V {
        self.load::<V>(codes).picked(picks)
    }
}

impl KeptLine for Line {
    #[inline(always)]
    fn all(lines: Lines<'_>) -> &[Line] {
        if let Lines::Byte(lines) = lines { lines } else { &[] }
    }

    #[inline(always)]
    fn load<V: Vector>(&self, _: Codes) -> V {
        V::load(self)
    }

    #[inline(always)]
    fn store<V: Vector>(&mut self, scores: V, _: Codes) {
        scores.store(self);
    }

    #[inline(always)]
    fn pick<V: Vector>(&self, picks: V::Picks, _: Codes) -> V {
        V::pick(self, picks)
    }
}

/// Implements [`KeptLine`] for lines of several scores in a byte.
macro_rules! kept {
    ($($line:ident: $load:ident, $store:ident;)*) => {$(
        impl KeptLine for $line {
            #[inline(always)]
            fn all(lines: Lines<'_>) -> &[$line] {
                if let Lines::$line(lines, _) = lines { lines } else { &[] }
            }

            #[inline(always)]
            fn load<V: Vector>(&self, codes: Codes) -> V {
                V::$load(self, codes)
            }

            #[inline(always)]
            fn store<V: Vector>(&mut self, scores: V, codes: Codes) {
                scores.$store(self, codes);
            }
        }
    )*};
}

kept! {
    Half: load_half, store_half;
    Third: load_third, store_third;
    Quarter: load_quarter, store_quarter;
}
