//! Lanes one after the other: for any processor, and what the others are compared with.

use super::vector::{BOTH, Bytes, Lanes, Words};
use crate::layer::blocks::set_lanes;
use crate::table::groups::GROUP;

/// See the module.
pub enum Portable {}

impl Lanes for Portable {
    const IS_WIDE: bool = false;

    #[inline(always)]
    fn pick(bytes: &Bytes, from: &Bytes) -> Bytes {
        from.map(|from| bytes[usize::from(from) % BOTH])
    }

    #[inline(always)]
    fn translate(table: &[u8; 256], bytes: &Bytes) -> Bytes {
        bytes.map(|byte| table[usize::from(byte)])
    }

    #[inline(always)]
    fn look_up(table: &[u32], at: &Words) -> Words {
        at.map(|at| table[at as usize])
    }

    #[inline(always)]
    fn look_up_bytes(table: &[u8], at: &Words) -> Words {
        let table = &table[..table.len() - 3];
        at.map(|at| table[at as usize].into())
    }

    #[inline(always)]
    fn bits(words: &[u64], at: &[u32; GROUP], numbers: &[u32; GROUP]) -> u32 {
        let bit = |lane: usize| (words[at[lane] as usize] >> numbers[lane]) as u32 & 1;
        (0..GROUP).fold(0, |bits, lane| bits | bit(lane) << lane)
    }

    #[inline(always)]
    fn gather(bytes: &Bytes, wanted: u64) -> Bytes {
        let mut gathered = [0; BOTH];
        gathered
            .iter_mut()
            .zip(set_lanes(wanted))
            .for_each(|(gathered, lane)| *gathered = bytes[lane]);
        gathered
    }
}
