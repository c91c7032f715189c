//! A line as an array, left to the compiler: what every machine has, and what the others equal.

use super::compiled::compiled;
use super::operands::{LineTile, Picks};
use super::vector::Vector;
use crate::layer::line::{LINE, Line};

/// 64 bytes.
#[derive(Clone, Copy)]
pub struct Bytes([i8; LINE]);

impl Bytes {
    #[inline(always)]
    fn with(self, other: Bytes, each: impl Fn(i8, i8) -> i8) -> Bytes {
        let mut bytes = self;
        for (byte, other) in bytes.0.iter_mut().zip(other.0) {
            *byte = each(*byte, other);
        }
        bytes
    }

    #[inline(always)]
    fn lanes_where(self, is_set: impl Fn(usize, i8) -> bool) -> u64 {
        let lanes = self.0.iter().enumerate();
        lanes.fold(0, |bits, (lane, &byte)| bits | u64::from(is_set(lane, byte)) << lane)
    }
}

impl Vector for Bytes {
    type Lanes = Bytes;
    type Picks = [u8; LINE];
    type Bits = [u8; LINE];

    #[inline(always)]
    fn lanes(bits: u64) -> Bytes {
        Bytes(std::array::from_fn(|lane| -((bits >> lane & 1) as i8)))
    }

    #[inline(always)]
    fn picks(picks: &Picks) -> [u8; LINE] {
        picks.0
    }

    #[inline(always)]
    fn bits(picks: &Picks) -> [u8; LINE] {
        picks.0
    }

    #[inline(always)]
    fn load(line: &Line) -> Bytes {
        Bytes(line.0)
    }

    #[inline(always)]
    fn store(self, line: &mut Line) {
        line.0 = self.0;
    }

    #[inline(always)]
    fn splat(byte: i8) -> Bytes {
        Bytes([byte; LINE])
    }

    #[inline(always)]
    fn min(self, other: Bytes) -> Bytes {
        self.with(other, i8::min)
    }

    #[inline(always)]
    fn max(self, other: Bytes) -> Bytes {
        self.with(other, i8::max)
    }

    #[inline(always)]
    fn minus(self, other: Bytes) -> Bytes {
        self.with(other, i8::wrapping_sub)
    }

    #[inline(always)]
    fn pick(line: &Line, picks: [u8; LINE]) -> Bytes {
        Bytes(picks.map(|at| line.0[usize::from(at) % LINE]))
    }

    #[inline(always)]
    fn members(set: u64, bits: [u8; LINE]) -> u64 {
        let bits = bits.iter().enumerate();
        bits.fold(0, |lanes, (lane, &bit)| lanes | (set >> (bit % 64) & 1) << lane)
    }

    #[inline(always)]
    fn replace(self, lanes: Bytes, other: Bytes) -> Bytes {
        let mut bytes = self;
        for ((byte, other), lane) in bytes.0.iter_mut().zip(other.0).zip(lanes.0) {
            *byte = *byte & !lane | other & lane;
        }
        bytes
    }

    #[inline(always)]
    fn differing(self, other: Bytes) -> u64 {
        // Most often nothing does, which is found out faster.
        if self.0 == other.0 { 0 } else { self.lanes_where(|lane, byte| byte != other.0[lane]) }
    }

    #[inline(always)]
    fn transpose(tile: &mut LineTile) {
        for row in 0..LINE {
            for column in 0..row {
                let byte = tile.0[row].0[column];
                tile.0[row].0[column] = std::mem::replace(&mut tile.0[column].0[row], byte);
            }
        }
    }
}

compiled!(Bytes);
