//! Lanes in registers of 64 bytes: AVX-512 with VBMI, which picks bytes, VBMI2, which moves some of
//! them together, and BITALG, which picks bits.

#![expect(unsafe_code)]

use std::arch::x86_64::*;
use std::borrow::Borrow;

use super::vector::{BOTH, Bytes, GROUP, Half, Lanes, Loop, Picks, Words};

/// See the module.
pub enum Avx512 {}

/// Runs a loop compiled with the instructions. Only `Instructions::run` enters it.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,bmi2")]
pub fn run<T: Loop>(work: T) -> T::Output {
    work.run::<Avx512>()
}

// The methods are inlined into loops that are compiled with the instructions and entered only where
// the processor has them. That is what every SAFETY line below relies on; all that is read and
// written at once are arrays of 64 bytes, or of 16 words, by their type.
impl Lanes for Avx512 {
    const IS_WIDE: bool = true;

    type Picker<'p> = (&'p Picks, Bytes);

    #[inline(always)]
    fn picker(picks: &Picks) -> (&Picks, Bytes) {
        let mut places = [0; BOTH];
        places[..GROUP].copy_from_slice(picks.places());
        (picks, places)
    }

    #[inline(always)]
    fn pick_lines<const ROWS: usize, B: Borrow<Bytes>>(
        (picks, places): &(&Picks, Bytes),
        line: impl Fn(u32, usize) -> B,
    ) -> [Half; ROWS] {
        // SAFETY: instructions as above.
        let mut picked = [unsafe { _mm512_setzero_si512() }; ROWS];
        for &(panel, lanes) in picks.by_panel() {
            for (row, picked) in picked.iter_mut().enumerate() {
                let (line, lanes) = (loaded(line(panel, row).borrow()), u64::from(lanes));
                // SAFETY: instructions as above.
                *picked =
                    unsafe { _mm512_mask_permutexvar_epi8(*picked, lanes, loaded(places), line) };
            }
        }
        picked.map(|row| *stored::<u8, BOTH>(row).first_chunk().expect("half of the lanes"))
    }

    #[inline(always)]
    fn pick_words((picks, places): &(&Picks, Bytes), word: impl Fn(u32) -> u64) -> u32 {
        let mut picked = 0;
        for &(panel, lanes) in picks.by_panel() {
            // SAFETY: instructions as above.
            let bits = unsafe {
                let word = _mm512_set1_epi64(word(panel).cast_signed());
                _mm512_bitshuffle_epi64_mask(word, loaded(places))
            };
            picked |= bits as u32 & lanes;
        }
        picked
    }

    #[inline(always)]
    fn pick_half(bytes: &Half, from: &Half) -> Half {
        // SAFETY: instructions as above. Behind the first half of the register there are zeros.
        unsafe {
            let (bytes, from) = (half_loaded(bytes), half_loaded(from));
            let picked = _mm512_permutexvar_epi8(from, bytes);
            *stored::<u8, BOTH>(picked).first_chunk().expect("half of the lanes")
        }
    }

    #[inline(always)]
    fn pick_halves(bytes: &Bytes, from: &Bytes) -> Bytes {
        // SAFETY: instructions as above. A lane of 32 picks nothing.
        unsafe {
            let (bytes, from) = (loaded(bytes), loaded(from));
            let first =
                _mm512_inserti64x4::<1>(_mm512_setzero_si512(), _mm256_set1_epi8(GROUP as i8));
            let there = _mm512_cmplt_epu8_mask(from, _mm512_set1_epi8(GROUP as i8));
            stored(_mm512_maskz_permutexvar_epi8(there, _mm512_or_si512(from, first), bytes))
        }
    }

    #[inline(always)]
    fn interleave(first: &Bytes, second: &Bytes) -> [Bytes; 2] {
        const FROM: [Bytes; 2] = {
            let mut from = [[0; BOTH]; 2];
            let mut at = 0;
            while at < 2 * BOTH {
                from[at / BOTH][at % BOTH] = (at / 2 + at % 2 * BOTH) as u8;
                at += 1;
            }
            from
        };
        let (first, second) = (loaded(first), loaded(second));
        // SAFETY: instructions as above. A lane's seven lower bits pick from both rows.
        FROM.map(|from| stored(unsafe { _mm512_permutex2var_epi8(first, loaded(&from), second) }))
    }

    #[inline(always)]
    fn translate([first, second]: [&[u8; 256]; 2], bytes: &Bytes) -> [Bytes; 2] {
        let bytes = loaded(bytes);
        [stored(translated(first, bytes)), stored(translated(second, bytes))]
    }

    #[inline(always)]
    fn look_up(table: &[u32], at: &Words) -> Words {
        let mut found = [0; BOTH];
        let places = at.as_chunks::<16>().0.iter();
        for (at, found) in places.zip(found.as_chunks_mut::<16>().0) {
            // SAFETY: instructions as above; `are_below` lets no place pass that is outside the
            // table, or negative as the `i32` that the gather takes it for.
            unsafe {
                let at = loaded(at);
                assert!(are_below(at, table.len()), "a place outside the table");
                *found = stored(_mm512_i32gather_epi32::<4>(at, table.as_ptr().cast()));
            }
        }
        found
    }

    #[inline(always)]
    fn look_up_bytes(table: &[u8], at: &Words) -> Bytes {
        let mut found = [0; BOTH];
        let places = at.as_chunks::<16>().0.iter();
        for (at, found) in places.zip(found.as_chunks_mut::<16>().0) {
            assert!(are_below(loaded(at), table.len()), "a place outside the table");
            // SAFETY: `are_below` has just let all places pass.
            let byte = |lane| unsafe { *table.get_unchecked(at[lane] as usize) }.cast_signed();
            *found = sixteen(std::array::from_fn(byte));
        }
        found
    }

    #[inline(always)]
    fn masks(lanes: u64) -> Bytes {
        // SAFETY: instructions as above.
        unsafe { stored(_mm512_movm_epi8(lanes)) }
    }

    #[inline(always)]
    fn lanes(bytes: &Bytes) -> u64 {
        // SAFETY: instructions as above.
        unsafe { _mm512_test_epi8_mask(loaded(bytes), loaded(bytes)) }
    }

    #[inline(always)]
    fn gather(bytes: &Bytes, wanted: u64, into: &mut Bytes) {
        // SAFETY: instructions as above.
        *into = unsafe { stored(_mm512_maskz_compress_epi8(wanted, loaded(bytes))) };
    }
}

/// Lanes in a register.
#[inline(always)]
fn loaded<T: Copy, const N: usize>(lanes: &[T; N]) -> __m512i {
    const { assert!(size_of::<[T; N]>() == size_of::<__m512i>()) };
    // SAFETY: as many bytes; see the methods for instructions.
    unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
}

/// Sixteen bytes, put into a register one by one: a processor reads them faster so than it gathers
/// them.
#[inline(always)]
fn sixteen([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]: [i8; 16]) -> [u8; 16] {
    // SAFETY: see the methods for instructions. As many bytes, and any bytes make such lanes.
    unsafe { std::mem::transmute(_mm_setr_epi8(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)) }
}

/// Half a row in a register, with zeros behind it.
#[inline(always)]
fn half_loaded(lanes: &Half) -> __m512i {
    // SAFETY: this many bytes are read; see the methods for instructions.
    unsafe { _mm512_zextsi256_si512(_mm256_loadu_si256(lanes.as_ptr().cast())) }
}

/// A register as lanes.
#[inline(always)]
fn stored<T: zerocopy::FromBytes + Copy, const N: usize>(register: __m512i) -> [T; N] {
    const { assert!(size_of::<[T; N]>() == size_of::<__m512i>()) };
    // SAFETY: as many bytes, and any bytes make such lanes.
    unsafe { std::mem::transmute_copy(&register) }
}

/// The contents of a table for each byte.
#[inline(always)]
fn translated(table: &[u8; 256], bytes: __m512i) -> __m512i {
    let (quarters, _) = table.as_chunks::<64>();
    // SAFETY: see the methods for instructions. A lane's seven lower bits pick from one half of the
    // table or the other, its highest one says from which.
    unsafe {
        let lower = _mm512_permutex2var_epi8(loaded(&quarters[0]), bytes, loaded(&quarters[1]));
        let upper = _mm512_permutex2var_epi8(loaded(&quarters[2]), bytes, loaded(&quarters[3]));
        _mm512_mask_mov_epi8(lower, _mm512_movepi8_mask(bytes), upper)
    }
}

/// Whether all of 16 places are in a table so long; none is in one too long for its gathers.
#[inline(always)]
fn are_below(at: __m512i, length: usize) -> bool {
    let length = length.min(i32::MAX as usize) as i32;
    // SAFETY: see the methods for instructions.
    unsafe { _mm512_cmpge_epu32_mask(at, _mm512_set1_epi32(length)) == 0 }
}
