//! What the solver's kernel and the tables' lanes do alike with registers of 32 bytes: AVX2.
//!
//! All is inlined into loops that are compiled with the instructions and entered only where the
//! processor has them. That is what every SAFETY line below relies on.

#![expect(unsafe_code)]

use std::arch::x86_64::*;

/// Bytes among which a processor picks.
pub const PART: usize = 16;

/// By number the bit in a byte.
const BIT: u64 = 0x8040_2010_0804_0201;

/// The same 16 bytes in both halves of a register.
#[inline(always)]
pub fn twice(part: &[u8; PART]) -> __m256i {
    // SAFETY: instructions as above; this many bytes are read.
    unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(part.as_ptr().cast())) }
}

/// Places in the part with this number; the highest bit is set of those in another, for which a
/// shuffle has a zero.
#[inline(always)]
pub fn within(places: __m256i, part: usize) -> __m256i {
    // SAFETY: instructions as above.
    unsafe {
        // 16 or more elsewhere, which the sum carries to the highest bit.
        let at = _mm256_xor_si256(places, _mm256_set1_epi8(((PART * part) as u8).cast_signed()));
        _mm256_adds_epu8(at, _mm256_set1_epi8(0x70))
    }
}

/// The byte of each bit's number, and a mask of the bit in that.
#[inline(always)]
pub fn bit_of(numbers: __m256i) -> (__m256i, __m256i) {
    // SAFETY: instructions as above.
    unsafe {
        let seven = _mm256_set1_epi8(7);
        let byte = _mm256_and_si256(_mm256_srli_epi16::<3>(numbers), seven);
        let masks = _mm256_set1_epi64x(BIT.cast_signed());
        (byte, _mm256_shuffle_epi8(masks, _mm256_and_si256(numbers, seven)))
    }
}

/// A mask for each of 32 lanes.
#[inline(always)]
pub fn half_masks(lanes: u32) -> __m256i {
    const BYTE: [u64; 4] = [0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303];
    // SAFETY: instructions as above; the array is 32 bytes long.
    unsafe {
        let bit = _mm256_set1_epi64x(BIT.cast_signed());
        let byte = _mm256_loadu_si256(BYTE.as_ptr().cast());
        let spread = _mm256_shuffle_epi8(_mm256_set1_epi32(lanes.cast_signed()), byte);
        _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit)
    }
}

/// A mask for each of 64 lanes.
#[inline(always)]
pub fn masks(lanes: u64) -> [__m256i; 2] {
    [half_masks(lanes as u32), half_masks((lanes >> 32) as u32)]
}

/// The highest bits of 32 lanes.
#[inline(always)]
pub fn half_bits(half: __m256i) -> u32 {
    // SAFETY: instructions as above.
    unsafe { _mm256_movemask_epi8(half) }.cast_unsigned()
}

/// The highest bits of 64 lanes.
#[inline(always)]
pub fn bits([low, high]: [__m256i; 2]) -> u64 {
    u64::from(half_bits(low)) | u64::from(half_bits(high)) << 32
}
