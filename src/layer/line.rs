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

/// The lanes that are set in a word, the lowest first.
#[inline(always)]
pub fn set_lanes(mut lanes: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = lanes.trailing_zeros() as usize;
        lanes &= lanes.wrapping_sub(1);
        (lane < LINE).then_some(lane)
    })
}

/// Eight bytes that are 0 or 1 as bits, the first one lowest.
#[inline(always)]
pub fn eight_bits(bytes: [u8; 8]) -> u8 {
    // Shifts, for of many words at once a processor shifts faster than it multiplies.
    let word = u64::from_le_bytes(bytes);
    let pairs = word | word >> 7;
    let fours = pairs | pairs >> 14;
    (fours | fours >> 28) as u8
}
