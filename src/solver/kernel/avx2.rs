//! A line in two registers of 32 bytes: AVX2.
//!
//! There is no permutation of 64 bytes; one of 16 is done four times, each time for the lanes whose
//! child lies in that quarter.

#![expect(unsafe_code)]

use std::arch::x86_64::*;

use zerocopy::transmute_ref;

use super::compiled::compiled;
use super::operands::{LineTile, Picks};
use super::vector::Vector;
use crate::layer::line::{LINE, Line};
use crate::layer::packing::{Codes, Half, Quarter, UNSCORED};
use crate::simd::avx2::{bit_of, bits as highest_bits, masks, twice, within};

/// 64 bytes.
#[derive(Clone, Copy)]
pub struct TwoVectors([__m256i; 2]);

/// By quarter of the source: where in it each lane is; the highest bit set where it is elsewhere.
#[derive(Clone, Copy)]
pub struct Quarters([TwoVectors; 4]);

/// Which byte of a word a bit is in, and which bit of that byte it is, as a mask.
#[derive(Clone, Copy)]
pub struct Bits {
    byte: TwoVectors,
    bit: TwoVectors,
}

impl TwoVectors {
    #[inline(always)]
    fn read(bytes: *const u8) -> TwoVectors {
        // SAFETY: all callers have 64 bytes there; the loops at the end of this file are compiled
        // with the instructions.
        unsafe {
            TwoVectors([_mm256_loadu_si256(bytes.cast()), _mm256_loadu_si256(bytes.add(32).cast())])
        }
    }
}

/// A quarter of a line, in both halves of a register.
#[inline(always)]
fn quarter(line: &Line, number: usize) -> __m256i {
    let bytes: &[u8; LINE] = transmute_ref!(line);
    twice(&bytes.as_chunks().0[number])
}

/// What a half of the lanes picks from the four quarters.
#[inline(always)]
fn picked(quarters: [__m256i; 4], picks: Quarters, half: usize) -> __m256i {
    // SAFETY: instructions as below.
    unsafe {
        let a = _mm256_shuffle_epi8(quarters[0], picks.0[0].0[half]);
        let b = _mm256_shuffle_epi8(quarters[1], picks.0[1].0[half]);
        let c = _mm256_shuffle_epi8(quarters[2], picks.0[2].0[half]);
        let d = _mm256_shuffle_epi8(quarters[3], picks.0[3].0[half]);
        _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d))
    }
}

// The methods are inlined into the loops, which are compiled at the end of this file with the
// instructions and entered only where the processor has them. That is what every SAFETY line below
// relies on. No closures: they would be compiled without the instructions, four times as slow.
impl Vector for TwoVectors {
    type Lanes = TwoVectors;
    type Picks = Quarters;
    type Bits = Bits;

    #[inline(always)]
    fn lanes(bits: u64) -> TwoVectors {
        TwoVectors(masks(bits))
    }

    #[inline(always)]
    fn picks(picks: &Picks) -> Quarters {
        let [low, high] = TwoVectors::read(picks.0.as_ptr()).0;
        Quarters([
            TwoVectors([within(low, 0), within(high, 0)]),
            TwoVectors([within(low, 1), within(high, 1)]),
            TwoVectors([within(low, 2), within(high, 2)]),
            TwoVectors([within(low, 3), within(high, 3)]),
        ])
    }

    #[inline(always)]
    fn bits(picks: &Picks) -> Bits {
        let [low, high] = TwoVectors::read(picks.0.as_ptr()).0;
        let ((a, c), (b, d)) = (bit_of(low), bit_of(high));
        Bits { byte: TwoVectors([a, b]), bit: TwoVectors([c, d]) }
    }

    #[inline(always)]
    fn load(line: &Line) -> TwoVectors {
        TwoVectors::read(line.0.as_ptr().cast())
    }

    #[inline(always)]
    fn store(self, line: &mut Line) {
        let bytes = line.0.as_mut_ptr();
        // SAFETY: a line is 64 aligned bytes; instructions as above.
        unsafe {
            _mm256_store_si256(bytes.cast(), self.0[0]);
            _mm256_store_si256(bytes.add(32).cast(), self.0[1]);
        }
    }

    #[inline(always)]
    fn splat(byte: i8) -> TwoVectors {
        // SAFETY: instructions as above.
        TwoVectors([unsafe { _mm256_set1_epi8(byte) }; 2])
    }

    #[inline(always)]
    fn min(self, other: TwoVectors) -> TwoVectors {
        let ([a, b], [c, d]) = (self.0, other.0);
        // SAFETY: instructions as above.
        unsafe { TwoVectors([_mm256_min_epi8(a, c), _mm256_min_epi8(b, d)]) }
    }

    #[inline(always)]
    fn max(self, other: TwoVectors) -> TwoVectors {
        let ([a, b], [c, d]) = (self.0, other.0);
        // SAFETY: instructions as above.
        unsafe { TwoVectors([_mm256_max_epi8(a, c), _mm256_max_epi8(b, d)]) }
    }

    #[inline(always)]
    fn minus(self, other: TwoVectors) -> TwoVectors {
        let ([a, b], [c, d]) = (self.0, other.0);
        // SAFETY: instructions as above.
        unsafe { TwoVectors([_mm256_sub_epi8(a, c), _mm256_sub_epi8(b, d)]) }
    }

    #[inline(always)]
    fn pick(line: &Line, picks: Quarters) -> TwoVectors {
        let quarters = [quarter(line, 0), quarter(line, 1), quarter(line, 2), quarter(line, 3)];
        TwoVectors([picked(quarters, picks, 0), picked(quarters, picks, 1)])
    }

    #[inline(always)]
    fn members(set: u64, Bits { byte, bit }: Bits) -> u64 {
        let ([a, b], [c, d]) = (byte.0, bit.0);
        // SAFETY: instructions as above.
        unsafe {
            let set = _mm256_set1_epi64x(set.cast_signed());
            let (a, b) = (_mm256_shuffle_epi8(set, a), _mm256_shuffle_epi8(set, b));
            let (a, b) = (_mm256_and_si256(a, c), _mm256_and_si256(b, d));
            highest_bits([_mm256_cmpeq_epi8(a, c), _mm256_cmpeq_epi8(b, d)])
        }
    }

    #[inline(always)]
    fn replace(self, lanes: TwoVectors, other: TwoVectors) -> TwoVectors {
        let ([a, b], [c, d], [e, f]) = (self.0, other.0, lanes.0);
        // SAFETY: instructions as above.
        unsafe { TwoVectors([_mm256_blendv_epi8(a, c, e), _mm256_blendv_epi8(b, d, f)]) }
    }

    #[inline(always)]
    fn differing(self, other: TwoVectors) -> u64 {
        let ([a, b], [c, d]) = (self.0, other.0);
        // SAFETY: instructions as above.
        !highest_bits(unsafe { [_mm256_cmpeq_epi8(a, c), _mm256_cmpeq_epi8(b, d)] })
    }

    #[inline(always)]
    fn load_half(line: &Half, codes: Codes) -> TwoVectors {
        // SAFETY: a half is 32 bytes; instructions as above.
        unsafe {
            let bytes = line.0.as_ptr();
            let low = _mm256_cvtepu8_epi16(_mm_load_si128(bytes.cast()));
            let high = _mm256_cvtepu8_epi16(_mm_load_si128(bytes.add(16).cast()));
            // The upper code of a byte goes to the upper byte of its pair.
            let low = _mm256_or_si256(low, _mm256_slli_epi16::<4>(low));
            let high = _mm256_or_si256(high, _mm256_slli_epi16::<4>(high));
            scores(TwoVectors([low, high]), 0x0f, codes)
        }
    }

    #[inline(always)]
    fn load_quarter(line: &Quarter, codes: Codes) -> TwoVectors {
        // SAFETY: a quarter is 16 bytes; instructions as above.
        unsafe {
            let bytes = _mm_load_si128(line.0.as_ptr().cast());
            let low = _mm256_cvtepu8_epi32(bytes);
            let high = _mm256_cvtepu8_epi32(_mm_srli_si128::<8>(bytes));
            let low = _mm256_or_si256(low, _mm256_slli_epi32::<12>(low));
            let high = _mm256_or_si256(high, _mm256_slli_epi32::<12>(high));
            let low = _mm256_or_si256(low, _mm256_slli_epi32::<6>(low));
            let high = _mm256_or_si256(high, _mm256_slli_epi32::<6>(high));
            scores(TwoVectors([low, high]), 0x03, codes)
        }
    }

    #[inline(always)]
    fn store_half(self, line: &mut Half, codes: Codes) {
        let [low, high] = codes_of(self, codes).0;
        // SAFETY: a half is 32 bytes; instructions as above.
        unsafe {
            let weights = _mm256_set1_epi16(0x1001);
            let (low, high) =
                (_mm256_maddubs_epi16(low, weights), _mm256_maddubs_epi16(high, weights));
            let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(low, high));
            _mm256_store_si256(line.0.as_mut_ptr().cast(), packed);
        }
    }

    #[inline(always)]
    fn store_quarter(self, line: &mut Quarter, codes: Codes) {
        let [low, high] = codes_of(self, codes).0;
        // SAFETY: a quarter is 16 bytes; instructions as above.
        unsafe {
            let (pairs, fours) = (_mm256_set1_epi16(0x0401), _mm256_set1_epi32(0x0010_0001));
            let low = _mm256_madd_epi16(_mm256_maddubs_epi16(low, pairs), fours);
            let high = _mm256_madd_epi16(_mm256_maddubs_epi16(high, pairs), fours);
            let words = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(low, high));
            let (low, high) = (_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words));
            _mm_store_si128(line.0.as_mut_ptr().cast(), _mm_packus_epi16(low, high));
        }
    }

    #[inline(always)]
    fn fetch<T>(line: &T) {
        // SAFETY: a hint about memory that a reference vouches for.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(line).cast()) };
    }

    #[inline(always)]
    fn transpose(tile: &mut LineTile) {
        for row in 0..4 {
            for column in 0..=row {
                let (one, other) = (square(tile, row, column), square(tile, column, row));
                put(tile, row, column, other);
                put(tile, column, row, one);
            }
        }
    }
}

/// The scores that codes stand for, which are some bits of each byte.
#[inline(always)]
fn scores(each: TwoVectors, bits: i8, codes: Codes) -> TwoVectors {
    // SAFETY: instructions as above.
    unsafe {
        let (scores, bits) = (twice(transmute_ref!(codes.scores())), _mm256_set1_epi8(bits));
        let [low, high] = each.0;
        TwoVectors([
            _mm256_shuffle_epi8(scores, _mm256_and_si256(low, bits)),
            _mm256_shuffle_epi8(scores, _mm256_and_si256(high, bits)),
        ])
    }
}

/// The codes of scores.
#[inline(always)]
fn codes_of(scores: TwoVectors, codes: Codes) -> TwoVectors {
    let TwoVectors([low, high]) = scores.min(TwoVectors::splat(UNSCORED));
    TwoVectors([half_codes(low, codes), half_codes(high, codes)])
}

/// The same for 32 scores: each of the four quarters of the codes says what it has at the lowest four
/// bits, and the next two say which counts.
#[inline(always)]
fn half_codes(scores: __m256i, codes: Codes) -> __m256i {
    let (quarters, _) = codes.by_score().as_chunks::<16>();
    // SAFETY: instructions as above.
    unsafe {
        let lowest = _mm256_and_si256(scores, _mm256_set1_epi8(0x0f));
        let mut found = [lowest; 4];
        for (found, quarter) in found.iter_mut().zip(quarters) {
            *found = _mm256_shuffle_epi8(twice(quarter), lowest);
        }
        // A blend looks at the highest bit of each byte.
        let (next, last) = (_mm256_slli_epi16::<3>(scores), _mm256_slli_epi16::<2>(scores));
        let lower = _mm256_blendv_epi8(found[0], found[1], next);
        let upper = _mm256_blendv_epi8(found[2], found[3], next);
        _mm256_blendv_epi8(lower, upper, last)
    }
}

/// A square of 16 rows of 16 bytes, its rows made columns.
#[inline(always)]
fn square(tile: &LineTile, row: usize, column: usize) -> [__m128i; 16] {
    // SAFETY: instructions as above.
    let mut rows = [unsafe { _mm_setzero_si128() }; 16];
    for (bytes, line) in rows.iter_mut().zip(&tile.0[16 * row..16 * row + 16]) {
        // SAFETY: columns of squares are below 4; instructions as above.
        *bytes = unsafe { _mm_load_si128(line.0.as_ptr().add(16 * column).cast()) };
    }
    for _ in 0..4 {
        let mut shuffled = rows;
        for at in 0..8 {
            let (one, other) = (rows[at], rows[at + 8]);
            // SAFETY: instructions as above.
            (shuffled[2 * at], shuffled[2 * at + 1]) =
                unsafe { (_mm_unpacklo_epi8(one, other), _mm_unpackhi_epi8(one, other)) };
        }
        rows = shuffled;
    }
    rows
}

/// Puts a square in its place.
#[inline(always)]
fn put(tile: &mut LineTile, row: usize, column: usize, rows: [__m128i; 16]) {
    for (at, bytes) in rows.into_iter().enumerate() {
        let line = &mut tile.0[16 * row + at];
        // SAFETY: columns of squares are below 4; instructions as above.
        unsafe { _mm_store_si128(line.0.as_mut_ptr().add(16 * column).cast(), bytes) };
    }
}

// To call one from elsewhere takes a processor that has these instructions.
compiled!(TwoVectors, #[target_feature(enable = "avx2")]);
