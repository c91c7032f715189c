//! The fixed-width vectors of WebAssembly, which a module is compiled with or not.

#![expect(unsafe_code)]

use std::arch::wasm32::*;

use super::register::{Register, WIDTH};

/// 16 bytes.
#[derive(Clone, Copy)]
pub struct Simd128(v128);

impl Register for Simd128 {
    #[inline(always)]
    fn read(bytes: &[u8; WIDTH]) -> Simd128 {
        // SAFETY: this many bytes are there, and any address will do.
        Simd128(unsafe { v128_load(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn write(self, bytes: &mut [u8; WIDTH]) {
        // SAFETY: likewise.
        unsafe { v128_store(bytes.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn splat(byte: u8) -> Simd128 {
        Simd128(u8x16_splat(byte))
    }

    #[inline(always)]
    fn min(self, other: Simd128) -> Simd128 {
        Simd128(i8x16_min(self.0, other.0))
    }

    #[inline(always)]
    fn max(self, other: Simd128) -> Simd128 {
        Simd128(i8x16_max(self.0, other.0))
    }

    #[inline(always)]
    fn minus(self, other: Simd128) -> Simd128 {
        Simd128(u8x16_sub(self.0, other.0))
    }

    #[inline(always)]
    fn and(self, other: Simd128) -> Simd128 {
        Simd128(v128_and(self.0, other.0))
    }

    #[inline(always)]
    fn or(self, other: Simd128) -> Simd128 {
        Simd128(v128_or(self.0, other.0))
    }

    #[inline(always)]
    fn equal(self, other: Simd128) -> Simd128 {
        Simd128(u8x16_eq(self.0, other.0))
    }

    #[inline(always)]
    fn replace(self, mask: Simd128, other: Simd128) -> Simd128 {
        Simd128(v128_bitselect(other.0, self.0, mask.0))
    }

    #[inline(always)]
    fn right<const BITS: u32>(self) -> Simd128 {
        Simd128(u8x16_shr(self.0, BITS))
    }

    #[inline(always)]
    fn left<const BITS: u32>(self) -> Simd128 {
        Simd128(u8x16_shl(self.0, BITS))
    }

    #[inline(always)]
    fn zip_low(self, other: Simd128) -> Simd128 {
        Simd128(u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(
            self.0, other.0,
        ))
    }

    #[inline(always)]
    fn zip_high(self, other: Simd128) -> Simd128 {
        Simd128(u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(
            self.0, other.0,
        ))
    }

    #[inline(always)]
    fn evens(self, other: Simd128) -> Simd128 {
        Simd128(u8x16_shuffle::<0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>(
            self.0, other.0,
        ))
    }

    #[inline(always)]
    fn odds(self, other: Simd128) -> Simd128 {
        Simd128(u8x16_shuffle::<1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31>(
            self.0, other.0,
        ))
    }

    #[inline(always)]
    fn pick(self, at: Simd128) -> Simd128 {
        Simd128(u8x16_swizzle(self.0, at.0))
    }

    #[inline(always)]
    fn bits([a, b, c, d]: [Simd128; 4]) -> u64 {
        let lower = u64::from(u8x16_bitmask(a.0)) | u64::from(u8x16_bitmask(b.0)) << 16;
        let upper = u64::from(u8x16_bitmask(c.0)) | u64::from(u8x16_bitmask(d.0)) << 16;
        lower | upper << 32
    }
}
