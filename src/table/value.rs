//! What a table stores of one position, and which values can occur.

use crate::game::Seeds;

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

/// What is coded of one position: both bounds, or a stamp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value {
    /// The lower bound, or the stamp.
    pub base: i8,
    /// By how much the upper bound is higher.
    pub spread: u8,
}

impl Value {
    /// Returns the value as one number, for an escape.
    pub fn to_word(self) -> u16 {
        u16::from_le_bytes([self.base as u8, self.spread])
    }

    /// Returns the value whose [`Value::to_word`] is `word`.
    pub fn from_word(word: u16) -> Value {
        let [base, spread] = word.to_le_bytes();
        Value { base: base as i8, spread }
    }

    /// Returns the upper bound.
    pub fn high(self) -> i8 {
        self.base.wrapping_add_unsigned(self.spread)
    }
}

/// Which values can occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Both bounds of a layer with so many seeds, of which a file may hold just one.
    Bounds(Seeds, Planes),
    /// Any byte, and nothing else.
    Stamps,
}

impl Range {
    /// Returns how many planes such values come from: 1 or 2.
    pub fn planes(self) -> usize {
        match self {
            Range::Bounds(_, planes) => planes.count(),
            Range::Stamps => 1,
        }
    }

    /// Returns the value that has these numbers in a [code](super::code), low and high.
    pub fn value(self, [low, high]: [u8; 2]) -> Value {
        let spread = if self.planes() == 2 { high.wrapping_sub(low) } else { 0 };
        Value { base: low.wrapping_sub(self.offset()) as i8, spread }
    }

    /// Returns what a number of a code is more than the value.
    pub fn offset(self) -> u8 {
        match self {
            Range::Bounds(seeds, _) => seeds.get() as u8,
            Range::Stamps => 0,
        }
    }

    /// Returns whether `value` can occur.
    pub fn contains(self, value: Value) -> bool {
        match self {
            Range::Stamps => value.spread == 0,
            Range::Bounds(seeds, planes) => {
                let (low, most) = (i16::from(value.base), seeds.get() as i16);
                let high = low + i16::from(value.spread);
                -most <= low && high <= most && (value.spread == 0 || planes == Planes::LowAndHigh)
            }
        }
    }
}
