//! Lanes in two registers of 32 bytes: AVX2.
//!
//! Bytes are picked within 16 of them only. So a table of more is looked at in parts of 16, each time
//! for the lanes whose byte stands in that part.

#![expect(unsafe_code)]

use std::arch::x86_64::*;
use std::borrow::Borrow;

use arrayvec::ArrayVec;

use super::portable::LANES_OF;
use super::vector::{BOTH, Bytes, GROUP, Half, Lanes, Loop, Picks, Words};
use crate::simd::avx2::{PART, bit_of, bits, half_bits, half_masks, masks, twice, within};

/// See the module.
pub enum Avx2 {}

/// Runs a loop compiled with the instructions. Only `Instructions::run` enters it.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn run<T: Loop>(work: T) -> T::Output {
    work.run::<Avx2>()
}

/// 64 lanes.
type Halves = [__m256i; 2];

// The methods are inlined into loops that are compiled with the instructions and entered only where
// the processor has them. That is what every SAFETY line below relies on; all that is read and
// written at once are arrays of 16, 32 or 64 bytes by their type.
impl Lanes for Avx2 {
    const IS_WIDE: bool = true;

    type Picker<'p> = Picker;

    #[inline(always)]
    fn picker(picks: &Picks) -> Picker {
        Picker::new(picks)
    }

    #[inline(always)]
    fn pick_lines<const ROWS: usize, B: Borrow<Bytes>>(
        picker: &Picker,
        line: impl Fn(u32, usize) -> B,
    ) -> [Half; ROWS] {
        let mut found = [zeros(); ROWS];
        for part in &picker.parts {
            for (row, found) in found.iter_mut().enumerate() {
                let line = line(part.panel, row);
                let (parts, _) = line.borrow().as_chunks::<PART>();
                // SAFETY: instructions as above.
                unsafe {
                    let part = _mm256_shuffle_epi8(twice(&parts[part.number]), part.at);
                    *found = _mm256_or_si256(*found, part);
                }
            }
        }
        found.map(half_stored)
    }

    #[inline(always)]
    fn pick_words(picker: &Picker, word: impl Fn(u32) -> u64) -> u32 {
        let mut found = zeros();
        for &(panel, at) in &picker.words {
            // SAFETY: instructions as above.
            unsafe {
                let word = _mm256_set1_epi64x(word(panel).cast_signed());
                found = _mm256_or_si256(found, _mm256_shuffle_epi8(word, at));
            }
        }
        // SAFETY: instructions as above.
        let found = unsafe { _mm256_cmpeq_epi8(_mm256_and_si256(found, picker.bit), picker.bit) };
        half_bits(found)
    }

    #[inline(always)]
    fn pick_half(bytes: &Half, from: &Half) -> Half {
        half_stored(half_parts(bytes, half_loaded(from)))
    }

    #[inline(always)]
    fn pick_halves(bytes: &Bytes, from: &Bytes) -> Bytes {
        let ((bytes, _), [low, high]) = (bytes.as_chunks(), loaded(from));
        stored([half_parts(&bytes[0], low), half_parts(&bytes[1], high)])
    }

    #[inline(always)]
    fn interleave(first: &Bytes, second: &Bytes) -> [Bytes; 2] {
        let (first, second) = (loaded(first), loaded(second));
        [stored(interleaved(first[0], second[0])), stored(interleaved(first[1], second[1]))]
    }

    #[inline(always)]
    fn translate(tables: [&[u8; 256]; 2], bytes: &Bytes) -> [Bytes; 2] {
        let largest = bytes.iter().fold(0, |largest, &byte| byte.max(largest));
        let used = usize::from(largest) / PART + 1;
        let [first, second] =
            parts(tables.map(|table| &table.as_chunks().0[..used]), loaded(bytes));
        [stored(first), stored(second)]
    }

    #[inline(always)]
    fn look_up(table: &[u32], at: &Words) -> Words {
        looked_up(table, at)
    }

    #[inline(always)]
    fn look_up_bytes(table: &[u8], at: &Words) -> Bytes {
        looked_up(table, at)
    }

    #[inline(always)]
    fn masks(lanes: u64) -> Bytes {
        stored(masks(lanes))
    }

    #[inline(always)]
    fn lanes(bytes: &Bytes) -> u64 {
        let [low, high] = loaded(bytes);
        // SAFETY: instructions as above.
        !bits(unsafe { [_mm256_cmpeq_epi8(low, zeros()), _mm256_cmpeq_epi8(high, zeros())] })
    }

    #[inline(always)]
    fn gather(bytes: &Bytes, wanted: u64, into: &mut Bytes) {
        let mut end = 0;
        for (eight, wanted) in bytes.as_chunks::<8>().0.iter().zip(wanted.to_le_bytes()) {
            let picks = &LANES_OF[usize::from(wanted)];
            // SAFETY: instructions as above; eight bytes are read and picked.
            let picked = unsafe {
                let eight = _mm_cvtsi64_si128(i64::from_le_bytes(*eight));
                let picks = _mm_cvtsi64_si128(i64::from_le_bytes(*picks));
                _mm_cvtsi128_si64(_mm_shuffle_epi8(eight, picks))
            };
            into[end..end + 8].copy_from_slice(&picked.to_le_bytes());
            end += wanted.count_ones() as usize;
        }
    }
}

/// What is picked from lines and from words.
pub struct Picker {
    parts: ArrayVec<PartPick, GROUP>,
    /// By panel, where the bytes with the bits are; the highest bit set in other lanes.
    words: ArrayVec<(u32, __m256i), GROUP>,
    /// By lane the bit in its byte.
    bit: __m256i,
}

/// What is picked from a part of a line.
struct PartPick {
    panel: u32,
    number: usize,
    /// The places in the part; the highest bit set in other lanes.
    at: __m256i,
}

impl Picker {
    #[inline(always)]
    fn new(picks: &Picks) -> Picker {
        let places = half_loaded(picks.places());
        let (byte, bit) = bit_of(places);
        let mut picker = Picker { parts: ArrayVec::new(), words: ArrayVec::new(), bit };
        for &(panel, lanes) in picks.by_panel() {
            // SAFETY: instructions as above.
            let others = unsafe { _mm256_xor_si256(half_masks(lanes), _mm256_set1_epi8(-1)) };
            // SAFETY: instructions as above.
            picker.words.push((panel, unsafe { _mm256_or_si256(byte, others) }));
            for number in 0..BOTH / PART {
                // SAFETY: instructions as above.
                let at = unsafe { _mm256_or_si256(within(places, number), others) };
                if half_bits(at) != u32::MAX {
                    picker.parts.push(PartPick { panel, number, at });
                }
            }
        }
        picker
    }
}

/// What stands at some places in a table, all of which are compared with its length at once.
#[inline(always)]
fn looked_up<T: Copy>(table: &[T], at: &Words) -> [T; BOTH] {
    let largest = at.iter().fold(0, |largest, &at| at.max(largest));
    assert!((largest as usize) < table.len(), "a place outside the table");
    // SAFETY: no place is behind the largest, and that has just been compared with the length.
    at.map(|at| unsafe { *table.get_unchecked(at as usize) })
}

/// Each lane from where `from` says in each of some tables of the same length.
#[inline(always)]
fn parts<const TABLES: usize>(tables: [&[[u8; PART]]; TABLES], from: Halves) -> [Halves; TABLES] {
    let mut found = [[zeros(); 2]; TABLES];
    for number in 0..tables[0].len() {
        let at = [within(from[0], number), within(from[1], number)];
        // SAFETY: instructions as above.
        unsafe {
            for (found, table) in found.iter_mut().zip(tables) {
                let part = twice(&table[number]);
                found[0] = _mm256_or_si256(found[0], _mm256_shuffle_epi8(part, at[0]));
                found[1] = _mm256_or_si256(found[1], _mm256_shuffle_epi8(part, at[1]));
            }
        }
    }
    found
}

/// Each lane of a half from where `from` says in a half; a zero for 32.
#[inline(always)]
fn half_parts(table: &Half, from: __m256i) -> __m256i {
    let (parts, _) = table.as_chunks();
    // SAFETY: instructions as above.
    unsafe {
        let lower = _mm256_shuffle_epi8(twice(&parts[0]), within(from, 0));
        _mm256_or_si256(lower, _mm256_shuffle_epi8(twice(&parts[1]), within(from, 1)))
    }
}

#[inline(always)]
fn zeros() -> __m256i {
    // SAFETY: instructions as above.
    unsafe { _mm256_setzero_si256() }
}

/// Bytes of one register and of another by turns. As a closure in `interleave` this is compiled by
/// itself, without the instructions, and each of them is a call.
#[inline(always)]
fn interleaved(first: __m256i, second: __m256i) -> Halves {
    // SAFETY: instructions as above.
    unsafe {
        let low = _mm256_unpacklo_epi8(first, second);
        let high = _mm256_unpackhi_epi8(first, second);
        [_mm256_permute2x128_si256::<0x20>(low, high), _mm256_permute2x128_si256::<0x31>(low, high)]
    }
}

/// Lanes in registers.
#[inline(always)]
fn loaded(lanes: &Bytes) -> Halves {
    let (halves, _) = lanes.as_chunks();
    [half_loaded(&halves[0]), half_loaded(&halves[1])]
}

#[inline(always)]
fn half_loaded(lanes: &Half) -> __m256i {
    // SAFETY: instructions as above; this many bytes are read.
    unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }
}

#[inline(always)]
fn half_stored(half: __m256i) -> Half {
    // SAFETY: as many bytes, and any bytes make lanes.
    unsafe { std::mem::transmute(half) }
}

/// Registers as lanes.
#[inline(always)]
fn stored(halves: Halves) -> Bytes {
    // SAFETY: as many bytes, and any bytes make lanes.
    unsafe { std::mem::transmute(halves) }
}
