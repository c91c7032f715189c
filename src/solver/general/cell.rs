//! What is known of a placement while its layer is solved.
//!
//! A cell has one byte for each plane, and one more:
//!
//! ```text
//!     bound    ┌ 7 bits ─────────────┬ 1 bit ┐
//!              │ a score             │ 0     │   open: what leaving the layer brings
//!              │                     │ 1     │   settled: the bound
//!              └─────────────────────┴───────┘
//!     count    upper bound open: quiet moves that do not lead into S yet; settled: the stamp
//! ```
//!
//! Once a bound is settled, the value of leaving is not needed, nor the number of quiet moves that
//! are left once the opponent's claim is. So each two share a byte, and a layer takes two or three
//! bytes a position until its bounds and stamps are cut out of it.

use std::sync::atomic::{AtomicI8, AtomicU8, Ordering::Relaxed};

/// What leaving is worth where no move does: less than any score.
pub const NOTHING: i8 = i8::MIN >> 1;

/// Says of a bound in a checkpoint that it is not settled.
pub const OPEN: i8 = i8::MIN;

/// What is known of a placement, side by side: code that reads one of these reads others.
/// `PLANES` is 1 if one number is both bounds.
pub struct Cell<const PLANES: usize> {
    bounds: [AtomicBound; PLANES],
    count: AtomicU8,
}

impl<const PLANES: usize> Cell<PLANES> {
    /// Bytes of a cell in a checkpoint: one for each plane, and one more.
    pub const BYTES: usize = PLANES + 1;

    /// A placement of which nothing is settled: what leaving the layer brings at least and at most,
    /// and how many moves do not leave it.
    pub fn new(leaving: [i8; PLANES], quiet: u8) -> Self {
        Cell { bounds: leaving.map(AtomicBound::new), count: AtomicU8::new(quiet) }
    }

    /// What the mover secures.
    pub fn low(&self) -> &AtomicBound {
        &self.bounds[0]
    }

    /// What the mover cannot exceed.
    pub fn high(&self) -> &AtomicBound {
        &self.bounds[PLANES - 1]
    }

    /// Counts a quiet move that leads into S now. Returns whether it was the last.
    #[inline]
    pub fn count_down(&self) -> bool {
        self.count.fetch_sub(1, Relaxed) == 1
    }

    /// Whether the upper bound is settled, or there is a quiet move that does not lead into S.
    pub fn may_have_quiet(&self) -> bool {
        self.count.load(Relaxed) > 0 || !self.high().is_open()
    }

    /// Whether the opponent's claim is not settled and all quiet moves lead into S.
    pub fn is_exhausted(&self) -> bool {
        self.high().is_open() && self.count.load(Relaxed) == 0
    }

    /// Settles what the opponent secures, with its stamp.
    pub fn enter_opponent(&self, level: i8, stamp: u8) {
        self.high().settle(-level);
        self.count.store(stamp, Relaxed);
    }

    /// The stamp of the opponent's claim, 0 if there is none: one number of both bounds is a claim
    /// of the mover's if it is positive.
    pub fn stamp(&self) -> u8 {
        let is_claim = match self.high().settled() {
            None => false,
            Some(bound) => PLANES > 1 || bound < 0,
        };
        if is_claim { self.count.load(Relaxed) } else { 0 }
    }

    /// Takes what a checkpoint has of it: a byte for each plane, and the stamp.
    pub fn take(&mut self, bytes: &[u8]) {
        for (bound, &byte) in self.bounds.iter().zip(bytes) {
            if byte.cast_signed() != OPEN {
                bound.settle(byte.cast_signed());
            }
        }
        if !self.high().is_open() {
            self.count = AtomicU8::new(bytes[PLANES]);
        }
    }

    /// Adds the cell as it is: its bounds and the count.
    pub fn add_as_it_is(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.bounds.iter().map(|bound| bound.byte().cast_unsigned()));
        bytes.push(self.count.load(Relaxed));
    }

    /// The cell of such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let bound = |plane: usize| AtomicBound(AtomicI8::new(bytes[plane].cast_signed()));
        Cell { bounds: std::array::from_fn(bound), count: AtomicU8::new(bytes[PLANES]) }
    }

    /// Adds what a checkpoint has of it, unless the level at hand has found that: bounds and the stamp.
    pub fn add_settled(&self, level: i8, bytes: &mut Vec<u8>) {
        let (found_now, mut is_new) = ([level, -level], false);
        for (plane, bound) in self.bounds.iter().enumerate() {
            let settled = bound.settled();
            let found_now = if PLANES == 1 { &found_now[..] } else { &found_now[plane..=plane] };
            is_new = settled.is_some_and(|bound| found_now.contains(&bound));
            bytes.push(settled.filter(|_| !is_new).unwrap_or(OPEN).cast_unsigned());
        }
        // The last bound is the one that the stamp is of.
        bytes.push(if is_new { 0 } else { self.stamp() });
    }
}

/// A bound, or what leaving brings before it is settled.
pub struct AtomicBound(AtomicI8);

impl AtomicBound {
    fn new(leaving: i8) -> AtomicBound {
        AtomicBound(AtomicI8::new(open(leaving)))
    }

    /// The byte: who looks for open bounds of one kind compares it with [`open`].
    #[inline]
    pub fn byte(&self) -> i8 {
        self.0.load(Relaxed)
    }

    /// Whether it is not settled.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.byte() & 1 == 0
    }

    /// What leaving the layer brings, while it is open.
    #[inline]
    pub fn leaving(&self) -> i8 {
        self.byte() >> 1
    }

    /// The bound, if it is settled.
    #[inline]
    pub fn settled(&self) -> Option<i8> {
        let byte = self.byte();
        (byte & 1 == 1).then_some(byte >> 1)
    }

    /// Settles it.
    #[inline]
    pub fn settle(&self, score: i8) {
        self.0.store(open(score) | 1, Relaxed);
    }

    /// Settles it, unless another thread has. Returns whether it was open.
    #[inline]
    pub fn settle_first(&self, score: i8) -> bool {
        // Most are settled, and looking is cheaper than trying.
        let byte = self.byte();
        byte & 1 == 0 && self.0.compare_exchange(byte, open(score) | 1, Relaxed, Relaxed).is_ok()
    }
}

/// The byte of an open bound of whom leaving brings so much.
#[inline]
pub fn open(leaving: i8) -> i8 {
    debug_assert!(leaving.unsigned_abs() <= NOTHING.unsigned_abs(), "a score has 7 bits");
    2 * leaving
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_what_leaving_brings_until_it_is_settled() {
        for leaving in NOTHING..-NOTHING {
            let bound = AtomicBound::new(leaving);
            assert!(bound.is_open() && bound.settled().is_none());
            assert_eq!((bound.leaving(), bound.byte()), (leaving, open(leaving)));
            assert!(bound.settle_first(-5) && !bound.settle_first(7));
            assert_eq!((bound.is_open(), bound.settled()), (false, Some(-5)));
            bound.settle(leaving);
            assert_eq!(bound.settled(), Some(leaving));
        }
    }

    #[test]
    fn stamps_are_of_the_opponents_claims() {
        let cell = Cell::new([3], 2);
        assert_eq!((cell.stamp(), cell.is_exhausted()), (0, false));
        assert!(cell.low().settle_first(3));
        assert_eq!((cell.stamp(), cell.is_exhausted()), (0, false), "the mover's claim");
        let cell = Cell::new([NOTHING], 0);
        assert!(cell.is_exhausted());
        cell.enter_opponent(3, 9);
        assert_eq!((cell.high().settled(), cell.stamp()), (Some(-3), 9));
        let cell = Cell::new([NOTHING, 1], 0);
        cell.enter_opponent(-1, 9);
        assert_eq!((cell.low().settled(), cell.high().settled()), (None, Some(1)));
        assert_eq!(cell.stamp(), 9);
    }

    fn settled<const PLANES: usize>(cell: &Cell<PLANES>, level: i8) -> Vec<u8> {
        let mut bytes = Vec::new();
        cell.add_settled(level, &mut bytes);
        bytes
    }

    #[test]
    fn a_checkpoint_has_what_older_levels_have_settled() {
        let cell = Cell::new([NOTHING], 1);
        assert_eq!(settled(&cell, 4), [OPEN.cast_unsigned(), 0]);
        cell.enter_opponent(4, 9);
        assert_eq!(settled(&cell, 4), [OPEN.cast_unsigned(), 0]);
        let kept = settled(&cell, 3);
        assert_eq!(kept, [(-4i8).cast_unsigned(), 9]);
        let mut other = Cell::new([2], 1);
        other.take(&kept);
        assert_eq!(settled(&other, 3), kept);
        let both = Cell::new([NOTHING, 1], 1);
        both.low().settle(4);
        assert_eq!(settled(&both, 4), [OPEN.cast_unsigned(), OPEN.cast_unsigned(), 0]);
        both.enter_opponent(-4, 7);
        assert_eq!(settled(&both, 4), [OPEN.cast_unsigned(), 4, 7]);
        assert_eq!(settled(&both, -4), [4, OPEN.cast_unsigned(), 0]);
    }
}
