//! What a kernel's file implements: a line of 64 bytes in registers.

use super::operands::{Picks, Tile};
use crate::layer::blocks::Line;

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
    fn transpose(tile: &mut Tile);

    /// The lesser in some lanes.
    #[inline(always)]
    fn lower(self, lanes: Self::Lanes, other: Self) -> Self {
        self.replace(lanes, self.min(other))
    }

    /// Asks for a line that will be read soon.
    #[inline(always)]
    fn fetch(line: &Line) {
        let _ = line;
    }
}
