//! Lanes one after the other: for any processor, and what the others are compared with.

use super::vector::{BOTH, Bytes, GROUP, Half, Lanes, Picks};
use crate::simd::{eight_bits, set_lanes};
use std::borrow::Borrow;

/// A mask for each bit, the lowest first.
#[inline(always)]
pub fn masks<const N: usize>(bits: impl Into<u64>) -> [u8; N] {
    let mut masks = [0; N];
    for (masks, byte) in masks.as_chunks_mut().0.iter_mut().zip(bits.into().to_le_bytes()) {
        *masks = MASKS[usize::from(byte)];
    }
    masks
}

/// By byte: a mask for each of its bits, the lowest first.
static MASKS: [[u8; 8]; 256] = {
    let mut masks = [[0; 8]; 256];
    let mut at = 0;
    while at < 8 * masks.len() {
        masks[at / 8][at % 8] = if (at / 8) >> (at % 8) & 1 == 1 { u8::MAX } else { 0 };
        at += 1;
    }
    masks
};

/// By which of eight lanes are wanted: their numbers.
#[cfg(any(test, target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128"))]
pub static LANES_OF: [[u8; 8]; 256] = {
    let mut lanes = [[0; 8]; 256];
    let mut wanted = 0;
    while wanted < lanes.len() {
        let (mut lane, mut end) = (0, 0);
        while lane < 8 {
            if wanted >> lane & 1 == 1 {
                lanes[wanted][end] = lane as u8;
                end += 1;
            }
            lane += 1;
        }
        wanted += 1;
    }
    lanes
};

/// See the module.
pub enum Portable {}

impl Lanes for Portable {
    const IS_WIDE: bool = false;

    type Picker<'p> = &'p Picks;

    #[inline(always)]
    fn picker(picks: &Picks) -> &Picks {
        picks
    }

    #[inline(always)]
    fn pick_lines<const ROWS: usize, B: Borrow<Bytes>>(
        picks: &&Picks,
        line: impl Fn(u32, usize) -> B,
    ) -> [Half; ROWS] {
        std::array::from_fn(|row| {
            let mut picked = [0; GROUP];
            for (picked, (panel, place)) in picked.iter_mut().zip(picks.lanes()) {
                *picked = line(panel, row).borrow()[usize::from(place) % BOTH];
            }
            picked
        })
    }

    #[inline(always)]
    fn pick_words(picks: &&Picks, word: impl Fn(u32) -> u64) -> u32 {
        let mut picked = 0;
        for (lane, (panel, place)) in picks.lanes().enumerate() {
            picked |= ((word(panel) >> (place % 64) & 1) as u32) << lane;
        }
        picked
    }

    #[inline(always)]
    fn pick_half(bytes: &Half, from: &Half) -> Half {
        from.map(|from| bytes.get(usize::from(from)).copied().unwrap_or(0))
    }

    #[inline(always)]
    fn pick_halves(bytes: &Bytes, from: &Bytes) -> Bytes {
        let mut picked = [0; BOTH];
        let halves = bytes.as_chunks().0.iter().zip(from.as_chunks().0);
        for (picked, (bytes, from)) in picked.as_chunks_mut().0.iter_mut().zip(halves) {
            *picked = Portable::pick_half(bytes, from);
        }
        picked
    }

    #[inline(always)]
    fn interleave(first: &Bytes, second: &Bytes) -> [Bytes; 2] {
        let byte = |at: usize| if at.is_multiple_of(2) { first[at / 2] } else { second[at / 2] };
        [0, BOTH].map(|start| std::array::from_fn(|at| byte(start + at)))
    }

    #[inline(always)]
    fn translate(tables: [&[u8; 256]; 2], bytes: &Bytes) -> [Bytes; 2] {
        tables.map(|table| bytes.map(|byte| table[usize::from(byte)]))
    }

    #[inline(always)]
    fn masks(lanes: u64) -> Bytes {
        masks(lanes)
    }

    #[inline(always)]
    fn lanes(bytes: &Bytes) -> u64 {
        let mut lanes = [0; BOTH / 8];
        for (lanes, bytes) in lanes.iter_mut().zip(bytes.as_chunks().0) {
            *lanes = eight_bits(bytes.map(|byte: u8| u8::from(byte != 0)));
        }
        u64::from_le_bytes(lanes)
    }

    #[inline(always)]
    fn gather(bytes: &Bytes, wanted: u64, into: &mut Bytes) {
        into.iter_mut().zip(set_lanes(wanted)).for_each(|(into, lane)| *into = bytes[lane]);
    }
}
