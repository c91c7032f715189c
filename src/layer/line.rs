//! 64 scores side by side, as one vector instruction handles them, and lanes as the bits of a word.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Positions that one vector instruction handles: a cache line.
pub const LINE: usize = 64;

/// The scores of one row in one panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(64))]
pub struct Line(pub [i8; LINE]);

impl Line {
    /// A line that holds `fill` everywhere.
    pub const fn of(fill: i8) -> Line {
        Line([fill; LINE])
    }
}

/// The first `count` lanes of a line, at least one, as the bits of a word.
pub fn first_lanes(count: usize) -> u64 {
    u64::MAX >> (LINE - count)
}
