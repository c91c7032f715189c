//! What a table stores of one position, and which values can occur.

use crate::game::ScoreRange;

/// Which bounds a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Planes {
    /// The lower bounds, which are the upper ones, too.
    Low,
    /// The lower and the upper bounds.
    LowAndHigh,
}

impl Planes {
    /// Returns how many planes the file has: 1 or 2.
    pub const fn count(self) -> usize {
        match self {
            Planes::Low => 1,
            Planes::LowAndHigh => 2,
        }
    }
}

/// What is coded of one position: both bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value {
    /// The lower bound.
    pub base: i8,
    /// By how much the upper bound is higher.
    pub spread: u8,
}

impl Value {
    /// Returns the bytes that stand for the value.
    pub fn to_bytes(self) -> [u8; 2] {
        [self.base as u8, self.spread]
    }

    /// Returns the value that has these bytes.
    pub fn of_bytes([base, spread]: [u8; 2]) -> Value {
        Value { base: base as i8, spread }
    }

    /// Returns the upper bound.
    pub fn high(self) -> i8 {
        self.base.wrapping_add_unsigned(self.spread)
    }
}

/// Which values can occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The scores of the layer.
    pub scores: ScoreRange,
    /// The bounds that the file holds.
    pub planes: Planes,
}

impl Range {
    /// Returns the value that has these numbers in a [code](super::code), low and high.
    pub fn value(self, [low, high]: [u8; 2]) -> Value {
        let spread = match self.planes {
            Planes::Low => 0,
            Planes::LowAndHigh => high.wrapping_sub(low),
        };
        Value { base: low.wrapping_sub(self.offset()) as i8, spread }
    }

    /// Returns what a number of a code is more than the value.
    pub fn offset(self) -> u8 {
        self.scores.end() as u8
    }

    /// Returns what a position with no value at all brings the number of its bound to, less: twice
    /// all seeds, and 1.
    pub fn turned(self) -> u8 {
        2 * self.offset() + 1
    }

    /// Returns whether `value` can occur.
    pub fn contains(self, value: Value) -> bool {
        let (low, most) = (i16::from(value.base), i16::from(self.scores.end()));
        let high = low + i16::from(value.spread);
        -most <= low && high <= most && (value.spread == 0 || self.planes == Planes::LowAndHigh)
    }
}
