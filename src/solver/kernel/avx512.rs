//! A line in one register: AVX-512 with VBMI, whose byte permutation is a window's whole work.
//!
//! (How much faster than the others: `benches/solve.rs`.)

#![expect(unsafe_code)]

use std::arch::x86_64::*;

use super::compiled::compiled;
use super::operands::{LineTile, Picks};
use super::vector::Vector;
use crate::layer::line::{LINE, Line};
use crate::layer::packing::{Codes, Half, Quarter, THIRDS, Third, UNSCORED};

/// 64 bytes.
#[derive(Clone, Copy)]
pub struct Wide(__m512i);

// The methods are inlined into the loops, which are compiled at the end of this file with the
// instructions and entered only where the processor has them. That is what every SAFETY line below
// relies on; lines are 64 aligned bytes by their type.
impl Vector for Wide {
    type Lanes = __mmask64;
    type Picks = __m512i;
    type Bits = __m512i;

    #[inline(always)]
    fn lanes(bits: u64) -> __mmask64 {
        bits
    }

    #[inline(always)]
    fn picks(picks: &Picks) -> __m512i {
        // SAFETY: picks are 64 bytes; instructions as above.
        unsafe { _mm512_loadu_si512(picks.0.as_ptr().cast()) }
    }

    #[inline(always)]
    fn bits(picks: &Picks) -> __m512i {
        Wide::picks(picks)
    }

    #[inline(always)]
    fn load(line: &Line) -> Wide {
        // SAFETY: a line is 64 aligned bytes; instructions as above.
        Wide(unsafe { _mm512_load_si512(line.0.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, line: &mut Line) {
        // SAFETY: a line is 64 aligned bytes; instructions as above.
        unsafe { _mm512_store_si512(line.0.as_mut_ptr().cast(), self.0) };
    }

    #[inline(always)]
    fn splat(byte: i8) -> Wide {
        // SAFETY: instructions as above.
        Wide(unsafe { _mm512_set1_epi8(byte) })
    }

    #[inline(always)]
    fn min(self, other: Wide) -> Wide {
        // SAFETY: instructions as above.
        Wide(unsafe { _mm512_min_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Wide) -> Wide {
        // SAFETY: instructions as above.
        Wide(unsafe { _mm512_max_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Wide) -> Wide {
        // SAFETY: instructions as above.
        Wide(unsafe { _mm512_sub_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn pick(line: &Line, picks: __m512i) -> Wide {
        // SAFETY: instructions as above.
        Wide(unsafe { _mm512_permutexvar_epi8(picks, Wide::load(line).0) })
    }

    #[inline(always)]
    fn replace(self, lanes: __mmask64, other: Wide) -> Wide {
        // SAFETY: instructions as above.
        Wide(unsafe { _mm512_mask_mov_epi8(self.0, lanes, other.0) })
    }

    #[inline(always)]
    fn lower(self, lanes: __mmask64, other: Wide) -> Wide {
        // SAFETY: instructions as above.
        Wide(unsafe { _mm512_mask_min_epi8(self.0, lanes, self.0, other.0) })
    }

    #[inline(always)]
    fn differing(self, other: Wide) -> u64 {
        // SAFETY: instructions as above.
        unsafe { _mm512_cmpneq_epi8_mask(self.0, other.0) }
    }

    #[inline(always)]
    fn members(set: u64, bits: __m512i) -> u64 {
        // SAFETY: instructions as above.
        unsafe { _mm512_bitshuffle_epi64_mask(_mm512_set1_epi64(set.cast_signed()), bits) }
    }

    #[inline(always)]
    fn picked(self, picks: __m512i) -> Wide {
        // SAFETY: instructions as above.
        Wide(unsafe { _mm512_permutexvar_epi8(picks, self.0) })
    }

    #[inline(always)]
    fn load_half(line: &Half, codes: Codes) -> Wide {
        // SAFETY: a half is 32 bytes; instructions as above.
        unsafe {
            let pairs = _mm512_cvtepu8_epi16(_mm256_load_si256(line.0.as_ptr().cast()));
            // The upper code of a byte goes to the upper byte of its pair.
            let codes_apart = _mm512_or_si512(pairs, _mm512_slli_epi16::<4>(pairs));
            scores(_mm512_and_si512(codes_apart, _mm512_set1_epi8(0x0f)), codes)
        }
    }

    #[inline(always)]
    fn load_third(line: &Third, codes: Codes) -> Wide {
        // SAFETY: the mask leaves the 22 bytes of the line, there are 128 digits; instructions as above.
        unsafe {
            let bytes = _mm256_maskz_loadu_epi8(ALL_THIRDS, line.0.as_ptr().cast());
            let bytes = _mm512_cvtepu8_epi16(bytes);
            // By byte its two lower digits and its highest one, side by side.
            let high = _mm512_mulhi_epu16(bytes, _mm512_set1_epi16((0x1_0000 / 36 + 1) as i16));
            let low = _mm512_sub_epi16(bytes, _mm512_mullo_epi16(high, _mm512_set1_epi16(36)));
            let both = _mm512_or_si512(low, _mm512_slli_epi16::<8>(high));
            let from = Wide::picks(&DIGITS.0);
            let each = _mm512_permutexvar_epi8(from, both);
            let each = _mm512_add_epi8(each, Wide::picks(&DIGITS.1));
            let digits = codes.digits().as_ptr();
            Wide(_mm512_permutex2var_epi8(
                _mm512_loadu_si512(digits.cast()),
                each,
                _mm512_loadu_si512(digits.add(LINE).cast()),
            ))
        }
    }

    #[inline(always)]
    fn load_quarter(line: &Quarter, codes: Codes) -> Wide {
        // SAFETY: a quarter is 16 bytes; instructions as above.
        unsafe {
            let fours = _mm512_cvtepu8_epi32(_mm_load_si128(line.0.as_ptr().cast()));
            let pairs = _mm512_or_si512(fours, _mm512_slli_epi32::<12>(fours));
            let codes_apart = _mm512_or_si512(pairs, _mm512_slli_epi32::<6>(pairs));
            scores(_mm512_and_si512(codes_apart, _mm512_set1_epi8(0x03)), codes)
        }
    }

    #[inline(always)]
    fn store_half(self, line: &mut Half, codes: Codes) {
        // SAFETY: a half is 32 bytes; instructions as above.
        unsafe {
            let pairs = _mm512_maddubs_epi16(codes_of(self, codes), _mm512_set1_epi16(0x1001));
            _mm256_store_si256(line.0.as_mut_ptr().cast(), _mm512_cvtepi16_epi8(pairs));
        }
    }

    #[inline(always)]
    fn store_third(self, line: &mut Third, codes: Codes) {
        // SAFETY: the mask leaves the 22 bytes of the line; instructions as above.
        unsafe {
            let last = codes_of(self, codes);
            let next = _mm512_permutexvar_epi8(Wide::picks(&BEHIND.0), last);
            let first = _mm512_maskz_permutexvar_epi8(HIGHEST, Wide::picks(&BEHIND.1), last);
            let two = six_times(first, next);
            let sum = six_times(two, last);
            let sum = _mm512_castsi512_si256(sum);
            _mm256_mask_storeu_epi8(line.0.as_mut_ptr().cast(), ALL_THIRDS, sum);
        }
    }

    #[inline(always)]
    fn store_quarter(self, line: &mut Quarter, codes: Codes) {
        // SAFETY: a quarter is 16 bytes; instructions as above.
        unsafe {
            let pairs = _mm512_maddubs_epi16(codes_of(self, codes), _mm512_set1_epi16(0x0401));
            let fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x0010_0001));
            _mm_store_si128(line.0.as_mut_ptr().cast(), _mm512_cvtepi32_epi8(fours));
        }
    }

    #[inline(always)]
    fn fetch<T>(line: &T) {
        // SAFETY: a hint about memory that a reference vouches for.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(line).cast()) };
    }

    #[inline(always)]
    fn transpose(tile: &mut LineTile) {
        let mut rows = [Wide::splat(0).0; LINE];
        for (row, line) in rows.iter_mut().zip(&tile.0) {
            *row = Wide::load(line).0;
        }
        for quarter in 0..4 {
            interleave(&mut rows[16 * quarter..16 * quarter + 16]);
        }
        for at in 0..16 {
            let four = join([rows[at], rows[16 + at], rows[32 + at], rows[48 + at]]);
            for (part, line) in four.into_iter().enumerate() {
                Wide(line).store(&mut tile.0[16 * part + at]);
            }
        }
    }
}

/// The bytes of a line of thirds.
const ALL_THIRDS: u32 = (1 << THIRDS) - 1;

/// Those that have a highest digit.
const HIGHEST: u64 = (1 << (LINE - 2 * THIRDS)) - 1;

/// By lane: where its digit is, if the two lower digits of each byte and its highest one lie side by
/// side, and where scores of such digits begin.
const DIGITS: (Picks, Picks) = {
    let (mut from, mut scores, mut lane) = ([0; LINE], [0; LINE], 0);
    while lane < LINE {
        let (at, digit) = (lane % THIRDS, lane / THIRDS);
        from[lane] = (2 * at + digit / 2) as u8;
        scores[lane] = 36 * digit as u8;
        lane += 1;
    }
    (Picks(from), Picks(scores))
};

/// By lane: the one a third of the line behind, and the one two thirds behind.
const BEHIND: (Picks, Picks) = {
    let (mut next, mut first, mut lane) = ([0; LINE], [0; LINE], 0);
    while lane < LINE {
        next[lane] = ((lane + THIRDS) % LINE) as u8;
        first[lane] = ((lane + 2 * THIRDS) % LINE) as u8;
        lane += 1;
    }
    (Picks(next), Picks(first))
};

/// Six times each byte and another one.
#[inline(always)]
fn six_times(bytes: __m512i, others: __m512i) -> __m512i {
    // SAFETY: instructions as above.
    unsafe {
        let two = _mm512_add_epi8(bytes, bytes);
        _mm512_add_epi8(_mm512_add_epi8(two, _mm512_add_epi8(two, two)), others)
    }
}

/// The scores that codes stand for.
#[inline(always)]
fn scores(each: __m512i, codes: Codes) -> Wide {
    // SAFETY: there are 16 scores; instructions as above.
    unsafe {
        let scores = _mm_loadu_si128(codes.scores().as_ptr().cast());
        Wide(_mm512_shuffle_epi8(_mm512_broadcast_i32x4(scores), each))
    }
}

/// The codes of scores.
#[inline(always)]
fn codes_of(scores: Wide, codes: Codes) -> __m512i {
    // SAFETY: there are 64 codes; instructions as above.
    unsafe {
        let by_score = _mm512_loadu_si512(codes.by_score().as_ptr().cast());
        _mm512_permutexvar_epi8(scores.min(Wide::splat(UNSCORED)).0, by_score)
    }
}

/// Makes the rows of four 16 × 16 squares that lie side by side columns: four times, row `i` and
/// row `i + 8` are shuffled into one another like cards.
#[inline(always)]
fn interleave(rows: &mut [__m512i]) {
    for _ in 0..4 {
        let mut shuffled = [rows[0]; 16];
        for at in 0..8 {
            // SAFETY: instructions as above.
            (shuffled[2 * at], shuffled[2 * at + 1]) = unsafe {
                let (one, other) = (rows[at], rows[at + 8]);
                (_mm512_unpacklo_epi8(one, other), _mm512_unpackhi_epi8(one, other))
            };
        }
        rows.copy_from_slice(&shuffled);
    }
}

/// Makes rows of four squares columns of squares.
#[inline(always)]
fn join([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: instructions as above.
    unsafe {
        let (low_ab, high_ab) =
            (_mm512_shuffle_i32x4::<0x44>(a, b), _mm512_shuffle_i32x4::<0xee>(a, b));
        let (low_cd, high_cd) =
            (_mm512_shuffle_i32x4::<0x44>(c, d), _mm512_shuffle_i32x4::<0xee>(c, d));
        [
            _mm512_shuffle_i32x4::<0x88>(low_ab, low_cd),
            _mm512_shuffle_i32x4::<0xdd>(low_ab, low_cd),
            _mm512_shuffle_i32x4::<0x88>(high_ab, high_cd),
            _mm512_shuffle_i32x4::<0xdd>(high_ab, high_cd),
        ]
    }
}

// To call one from elsewhere takes a processor that has these instructions.
compiled!(Wide, #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg")]);
