//! [`Register`] for NEON, which every 64-bit ARM processor has.

#![expect(unsafe_code)]

use std::arch::aarch64::*;

use super::register::{Register, WIDTH};

/// 16 bytes.
#[derive(Clone, Copy)]
pub struct Neon(uint8x16_t);

/// Makes a register of what an intrinsic returns.
macro_rules! neon {
    ($value:expr) => {
        // SAFETY: the module is compiled only where the whole program is compiled with NEON, and
        // nothing here takes an address but of an array of 16 bytes.
        Neon(unsafe { $value })
    };
}

/// The same for intrinsics that tell signs.
macro_rules! signed {
    ($intrinsic:ident, $one:expr, $other:expr) => {
        neon!(vreinterpretq_u8_s8($intrinsic(
            vreinterpretq_s8_u8($one),
            vreinterpretq_s8_u8($other)
        )))
    };
}

impl Register for Neon {
    #[inline(always)]
    fn read(bytes: &[u8; WIDTH]) -> Neon {
        neon!(vld1q_u8(bytes.as_ptr()))
    }

    #[inline(always)]
    fn write(self, bytes: &mut [u8; WIDTH]) {
        // SAFETY: as above.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn splat(byte: u8) -> Neon {
        neon!(vdupq_n_u8(byte))
    }

    #[inline(always)]
    fn min(self, other: Neon) -> Neon {
        signed!(vminq_s8, self.0, other.0)
    }

    #[inline(always)]
    fn max(self, other: Neon) -> Neon {
        signed!(vmaxq_s8, self.0, other.0)
    }

    #[inline(always)]
    fn minus(self, other: Neon) -> Neon {
        neon!(vsubq_u8(self.0, other.0))
    }

    #[inline(always)]
    fn and(self, other: Neon) -> Neon {
        neon!(vandq_u8(self.0, other.0))
    }

    #[inline(always)]
    fn or(self, other: Neon) -> Neon {
        neon!(vorrq_u8(self.0, other.0))
    }

    #[inline(always)]
    fn equal(self, other: Neon) -> Neon {
        neon!(vceqq_u8(self.0, other.0))
    }

    #[inline(always)]
    fn replace(self, mask: Neon, other: Neon) -> Neon {
        neon!(vbslq_u8(mask.0, other.0, self.0))
    }

    #[inline(always)]
    fn right<const BITS: u32>(self) -> Neon {
        neon!(vshlq_u8(self.0, vdupq_n_s8(-(BITS as i8))))
    }

    #[inline(always)]
    fn left<const BITS: u32>(self) -> Neon {
        neon!(vshlq_u8(self.0, vdupq_n_s8(BITS as i8)))
    }

    #[inline(always)]
    fn zip_low(self, other: Neon) -> Neon {
        neon!(vzip1q_u8(self.0, other.0))
    }

    #[inline(always)]
    fn zip_high(self, other: Neon) -> Neon {
        neon!(vzip2q_u8(self.0, other.0))
    }

    #[inline(always)]
    fn evens(self, other: Neon) -> Neon {
        neon!(vuzp1q_u8(self.0, other.0))
    }

    #[inline(always)]
    fn odds(self, other: Neon) -> Neon {
        neon!(vuzp2q_u8(self.0, other.0))
    }

    #[inline(always)]
    fn pick(self, at: Neon) -> Neon {
        neon!(vqtbl1q_u8(self.0, at.0))
    }

    #[inline(always)]
    fn pick_of([a, b, c, d]: [Neon; 4], at: Neon) -> Neon {
        neon!(vqtbl4q_u8(uint8x16x4_t(a.0, b.0, c.0, d.0), at.0))
    }

    /// Each byte keeps a bit of its own, and neighbours are added three times.
    #[inline(always)]
    fn bits(masks: [Neon; 4]) -> u64 {
        const OWN: [u8; WIDTH] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        let own = Neon::read(&OWN);
        let [a, b, c, d] = masks;
        let (a, b, c, d) = (a.and(own), b.and(own), c.and(own), d.and(own));
        // SAFETY: as above.
        unsafe {
            let fours = vpaddq_u8(vpaddq_u8(a.0, b.0), vpaddq_u8(c.0, d.0));
            vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(fours, fours)))
        }
    }
}
