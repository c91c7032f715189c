//! A line in two registers of 32 bytes: AVX2.
//!
//! There is no permutation of 64 bytes; one of 16 is done four times, each time for the lanes whose
//! child lies in that quarter.

#![expect(unsafe_code)]

use std::arch::x86_64::*;

use super::vector::{Tile, Vector};
use super::{Follow, Lead, Log, Picks, Settle, Source};
use super::{follow_loop, lead_loop, opposite_loop, pull_loop, settle_loop};
use crate::layer::plane::{LINE, Line};

/// 64 bytes.
#[derive(Clone, Copy)]
pub struct Pair([__m256i; 2]);

/// By quarter of the source: where in it each lane is; the highest bit set where it is elsewhere.
#[derive(Clone, Copy)]
pub struct Quarters([Pair; 4]);

impl Pair {
    #[inline(always)]
    fn read(bytes: *const u8) -> Pair {
        // SAFETY: all callers have 64 bytes there; the loops at the end of this file are compiled
        // with the instructions.
        unsafe {
            Pair([_mm256_loadu_si256(bytes.cast()), _mm256_loadu_si256(bytes.add(32).cast())])
        }
    }

    #[inline(always)]
    fn with(self, other: Pair, each: impl Fn(__m256i, __m256i) -> __m256i) -> Pair {
        Pair([each(self.0[0], other.0[0]), each(self.0[1], other.0[1])])
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        // SAFETY: instructions as below.
        let [low, high] = self.0.map(|half| unsafe { _mm256_movemask_epi8(half) }.cast_unsigned());
        u64::from(low) | u64::from(high) << 32
    }
}

// The methods are inlined into the loops at the end of this file, which are compiled with the
// instructions and entered only where the processor has them. That is what every SAFETY line below
// relies on.
impl Vector for Pair {
    type Lanes = Pair;
    type Picks = Quarters;

    #[inline(always)]
    fn lanes(bits: u64) -> Pair {
        const BIT: [u8; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
        // SAFETY: instructions as above.
        unsafe {
            let bit = _mm256_set1_epi64x(i64::from_le_bytes(BIT));
            let byte = _mm256_setr_epi8(
                0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3,
                3, 3, 3, 3,
            );
            let half = |bits: u32| {
                let spread = _mm256_shuffle_epi8(_mm256_set1_epi32(bits.cast_signed()), byte);
                _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit)
            };
            Pair([half(bits as u32), half((bits >> 32) as u32)])
        }
    }

    #[inline(always)]
    fn picks(picks: &Picks) -> Quarters {
        let picks = Pair::read(picks.0.as_ptr());
        // SAFETY: instructions as above.
        Quarters(std::array::from_fn(|quarter| unsafe {
            let first = _mm256_set1_epi8(16 * quarter as i8);
            let most = _mm256_set1_epi8(15);
            // Below the quarter the difference is negative, so its highest bit is set.
            let elsewhere = |at| _mm256_cmpgt_epi8(_mm256_sub_epi8(at, first), most);
            Pair(picks.0.map(|at| _mm256_or_si256(_mm256_sub_epi8(at, first), elsewhere(at))))
        }))
    }

    #[inline(always)]
    fn load(line: &Line) -> Pair {
        Pair::read(line.0.as_ptr().cast())
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
    fn splat(byte: i8) -> Pair {
        // SAFETY: instructions as above.
        Pair([unsafe { _mm256_set1_epi8(byte) }; 2])
    }

    #[inline(always)]
    fn min(self, other: Pair) -> Pair {
        // SAFETY: instructions as above.
        self.with(other, |one, other| unsafe { _mm256_min_epi8(one, other) })
    }

    #[inline(always)]
    fn max(self, other: Pair) -> Pair {
        // SAFETY: instructions as above.
        self.with(other, |one, other| unsafe { _mm256_max_epi8(one, other) })
    }

    #[inline(always)]
    fn minus(self, other: Pair) -> Pair {
        // SAFETY: instructions as above.
        self.with(other, |one, other| unsafe { _mm256_sub_epi8(one, other) })
    }

    #[inline(always)]
    fn pick(self, picks: Quarters) -> Pair {
        let [low, high] = self.0;
        // SAFETY: instructions as above.
        unsafe {
            let quarters = [
                _mm256_permute2x128_si256::<0x00>(low, low),
                _mm256_permute2x128_si256::<0x11>(low, low),
                _mm256_permute2x128_si256::<0x00>(high, high),
                _mm256_permute2x128_si256::<0x11>(high, high),
            ];
            let half = |half: usize| {
                let from = |quarter: usize| {
                    _mm256_shuffle_epi8(quarters[quarter], picks.0[quarter].0[half])
                };
                let (low, high) =
                    (_mm256_or_si256(from(0), from(1)), _mm256_or_si256(from(2), from(3)));
                _mm256_or_si256(low, high)
            };
            Pair([half(0), half(1)])
        }
    }

    #[inline(always)]
    fn replace(self, lanes: Pair, other: Pair) -> Pair {
        // SAFETY: instructions as above.
        Pair(std::array::from_fn(|half| unsafe {
            _mm256_blendv_epi8(self.0[half], other.0[half], lanes.0[half])
        }))
    }

    #[inline(always)]
    fn differing(self, other: Pair) -> u64 {
        // SAFETY: instructions as above.
        !self.with(other, |one, other| unsafe { _mm256_cmpeq_epi8(one, other) }).bits()
    }

    #[inline(always)]
    fn negative(self) -> u64 {
        self.bits()
    }

    #[inline(always)]
    fn fetch(line: &Line) {
        // SAFETY: a hint about memory that a reference vouches for.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(line.0.as_ptr()) };
    }

    #[inline(always)]
    fn transpose(tile: &mut Tile) {
        for (row, column) in (0..4).flat_map(|row| (0..=row).map(move |column| (row, column))) {
            let (one, other) = (square(tile, row, column), square(tile, column, row));
            put(tile, row, column, other);
            put(tile, column, row, one);
        }
    }
}

/// A square of 16 rows of 16 bytes, its rows made columns.
#[inline(always)]
fn square(tile: &Tile, row: usize, column: usize) -> [__m128i; 16] {
    // SAFETY: rows and columns of squares are below 4; instructions as above.
    let mut rows: [__m128i; 16] = std::array::from_fn(|at| unsafe {
        _mm_load_si128(tile.0[16 * row + at].0.as_ptr().add(16 * column).cast())
    });
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
fn put(tile: &mut Tile, row: usize, column: usize, rows: [__m128i; 16]) {
    for (at, bytes) in rows.into_iter().enumerate() {
        let line = &mut tile.0[16 * row + at];
        // SAFETY: columns of squares are below 4; instructions as above.
        unsafe { _mm_store_si128(line.0.as_mut_ptr().add(16 * column).cast(), bytes) };
    }
}

// The loops, compiled with these instructions: to call one from elsewhere takes a processor that has
// them.

#[target_feature(enable = "avx2")]
pub fn pull<'a>(out: &mut [Line], stride: usize, sources: impl Iterator<Item = Source<'a>>) {
    pull_loop::<Pair, false>(out, stride, sources);
}

#[target_feature(enable = "avx2")]
pub fn pull_captures<'a>(out: &mut [Line], sources: impl Iterator<Item = Source<'a>>) {
    pull_loop::<Pair, true>(out, 1, sources);
}

#[target_feature(enable = "avx2")]
pub fn lead(lead: Lead) {
    lead_loop::<Pair>(lead);
}

#[target_feature(enable = "avx2")]
pub fn follow(follow: Follow, log: &mut Log) {
    follow_loop::<Pair>(follow, log);
}

#[target_feature(enable = "avx2")]
pub fn settle(settle: Settle, log: &mut Log) {
    settle_loop::<Pair>(settle, log);
}

#[target_feature(enable = "avx2")]
pub fn transpose(tile: &mut Tile) {
    Pair::transpose(tile);
}

#[target_feature(enable = "avx2")]
pub fn opposite(tile: &Tile, others: &[Line; LINE]) -> [u64; LINE] {
    opposite_loop::<Pair>(tile, others)
}
