//! A register as an array: what loops over registers are tried with on every machine.

use super::register::{Register, WIDTH};

/// 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slow([u8; WIDTH]);

impl Slow {
    fn each(self, other: Slow, byte: impl Fn(u8, u8) -> u8) -> Slow {
        Slow(std::array::from_fn(|at| byte(self.0[at], other.0[at])))
    }

    /// The byte that is there in both, one behind the other.
    fn both(self, other: Slow, from: impl Fn(usize) -> usize) -> Slow {
        Slow(std::array::from_fn(|at| [self.0, other.0].as_flattened()[from(at)]))
    }
}

impl Register for Slow {
    fn read(bytes: &[u8; WIDTH]) -> Slow {
        Slow(*bytes)
    }

    fn write(self, bytes: &mut [u8; WIDTH]) {
        *bytes = self.0;
    }

    fn splat(byte: u8) -> Slow {
        Slow([byte; WIDTH])
    }

    fn min(self, other: Slow) -> Slow {
        self.each(other, |one, other| one.cast_signed().min(other.cast_signed()).cast_unsigned())
    }

    fn max(self, other: Slow) -> Slow {
        self.each(other, |one, other| one.cast_signed().max(other.cast_signed()).cast_unsigned())
    }

    fn minus(self, other: Slow) -> Slow {
        self.each(other, u8::wrapping_sub)
    }

    fn and(self, other: Slow) -> Slow {
        self.each(other, |one, other| one & other)
    }

    fn or(self, other: Slow) -> Slow {
        self.each(other, |one, other| one | other)
    }

    fn equal(self, other: Slow) -> Slow {
        self.each(other, |one, other| if one == other { 255 } else { 0 })
    }

    fn replace(self, mask: Slow, other: Slow) -> Slow {
        Slow(std::array::from_fn(|at| if mask.0[at] == 0 { self.0[at] } else { other.0[at] }))
    }

    fn right<const BITS: u32>(self) -> Slow {
        Slow(self.0.map(|byte| byte >> BITS))
    }

    fn left<const BITS: u32>(self) -> Slow {
        Slow(self.0.map(|byte| byte << BITS))
    }

    fn zip_low(self, other: Slow) -> Slow {
        self.both(other, |at| at / 2 + at % 2 * WIDTH)
    }

    fn zip_high(self, other: Slow) -> Slow {
        self.both(other, |at| 8 + at / 2 + at % 2 * WIDTH)
    }

    fn evens(self, other: Slow) -> Slow {
        self.both(other, |at| 2 * at)
    }

    fn odds(self, other: Slow) -> Slow {
        self.both(other, |at| 2 * at + 1)
    }

    fn pick(self, at: Slow) -> Slow {
        Slow(at.0.map(|at| self.0.get(usize::from(at)).copied().unwrap_or(0)))
    }

    fn bits(masks: [Slow; 4]) -> u64 {
        let bytes = masks.map(|mask| mask.0);
        let lanes = bytes.as_flattened().iter().enumerate();
        lanes.fold(0, |bits, (lane, &byte)| bits | u64::from(byte >> 7) << lane)
    }
}
