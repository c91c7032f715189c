//! All positions of a row of a tile at once: what the encoder asks of a processor.
//!
//! A row has 64 *lanes*: the positions of its smaller side, then those of its larger one. Most that
//! is done with lanes is arithmetic, lane by lane, and a compiler finds the instructions for it. The
//! rest is here: to pick lanes, to look things up, and to move some lanes together. Loops are
//! generic over [`Lanes`], compiled once for any processor, once for one with AVX2, and once for one
//! with AVX-512; elsewhere once for NEON or for WebAssembly's simd128.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
#[cfg(any(test, target_arch = "aarch64", target_feature = "simd128"))]
mod sixteens;
mod vector;

use crate::simd::Set;
#[cfg(any(test, target_arch = "aarch64", target_feature = "simd128"))]
use crate::simd::Sixteen;

pub use crate::simd::Instructions;
pub use portable::masks;
pub use vector::{BOTH, Bytes, GROUP, Lanes, Loop, Picks, Words, lanes_where};

impl Instructions {
    /// Runs a loop compiled with these instructions.
    #[inline(always)]
    pub fn run<T: Loop>(self, work: T) -> T::Output {
        match self.set() {
            Set::Portable => work.run::<portable::Portable>(),
            #[cfg(any(test, target_arch = "aarch64", target_feature = "simd128"))]
            Set::Sixteen => work.run::<sixteens::Sixteens<Sixteen>>(),
            // SAFETY: code that makes `Instructions` has asked the processor for all that the loops are
            // compiled with.
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code)]
            Set::Avx2 => unsafe { avx2::run(work) },
            // SAFETY: likewise.
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code)]
            Set::Avx512 => unsafe { avx512::run(work) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Dice;

    /// What each method says of some lanes, and of tables.
    struct Everything(Dice);

    impl Loop for Everything {
        type Output = Vec<Vec<u32>>;

        fn run<L: Lanes>(mut self) -> Vec<Vec<u32>> {
            all::<L>(&mut self.0)
        }
    }

    fn all<L: Lanes>(dice: &mut Dice) -> Vec<Vec<u32>> {
        let mut bytes = |below: u64| -> Bytes { std::array::from_fn(|_| dice.below(below) as u8) };
        let (some, from) = (bytes(256), bytes(BOTH as u64));
        let half = *some.last_chunk().expect("half of the lanes");
        let from_halves = bytes(GROUP as u64 + 1);
        let within = *from_halves.first_chunk().expect("half of the lanes");
        let table: [u8; 256] = std::array::from_fn(|at| (at * at % 251) as u8);
        let other = table.map(|byte| byte.wrapping_mul(7));
        let wide = |bytes: &[u8]| bytes.iter().map(|&byte| byte.into()).collect::<Vec<u32>>();
        let places: Words = std::array::from_fn(|_| dice.below(1000) as u32);
        let numbers: Vec<u32> = (0..1000).map(|at| at * 7919).collect();
        let short: Vec<u8> = (0..1000).map(|at: u32| (at * 31 % 256) as u8).collect();
        let picked = picked::<L>(dice);
        let mut gathered = [0; BOTH];
        let halves = |lanes: u64| vec![lanes as u32, (lanes >> 32) as u32];
        let wanted = dice.number() & dice.number();
        L::gather(&some, wanted, &mut gathered);
        vec![
            wide(&L::pick_half(&half, &within)),
            wide(&L::pick_halves(&some, &from_halves)),
            wide(L::interleave(&some, &from).as_flattened()),
            wide(L::translate([&table, &other], &some).as_flattened()),
            L::look_up(&numbers, &places).to_vec(),
            wide(&L::look_up_bytes(&short, &places)),
            picked,
            wide(&L::masks(wanted)),
            halves(L::lanes(&L::masks(wanted))),
            wide(&gathered[..wanted.count_ones() as usize]),
        ]
    }

    /// What is picked of some lines, and of words.
    fn picked<L: Lanes>(dice: &mut Dice) -> Vec<u32> {
        const PANELS: usize = 5;
        let lines: [Bytes; PANELS] =
            std::array::from_fn(|_| std::array::from_fn(|_| dice.below(256) as u8));
        let words: [u64; PANELS] = std::array::from_fn(|_| dice.number());
        let count = dice.below(1 + GROUP as u64) as usize;
        let mut columns: Vec<u32> =
            (0..count).map(|_| dice.below((2 * PANELS * BOTH) as u64) as u32).collect();
        columns.sort();
        let first = dice.below(PANELS as u64) as usize;
        let (picks, named) = Picks::of(&columns, &(first..first + PANELS));
        let picker = L::picker(&picks);
        let [bytes, shifted] =
            L::pick_lines(&picker, |panel, row| &lines[(panel as usize + row) % PANELS]);
        let bits = L::pick_words(&picker, |panel| words[panel as usize]) & named;
        let named = (0..GROUP).filter(|lane| named >> lane & 1 == 1);
        named.flat_map(|lane| [bytes[lane], shifted[lane]].map(u32::from)).chain([bits]).collect()
    }

    #[test]
    fn all_instructions_do_the_same() {
        for instructions in Instructions::available() {
            for seed in 0..200 {
                let everything = || Everything(Dice::new(seed));
                let expected = Instructions::PORTABLE.run(everything());
                assert_eq!(instructions.run(everything()), expected, "{instructions:?}");
            }
        }
    }

    /// Places outside a table are detected by every lookup.
    #[test]
    fn nobody_looks_outside() {
        struct Outside;

        impl Loop for Outside {
            type Output = [bool; 2];

            fn run<L: Lanes>(self) -> [bool; 2] {
                let panics = |look: &dyn Fn()| {
                    std::panic::catch_unwind(std::panic::AssertUnwindSafe(look)).is_err()
                };
                let mut at = [0; BOTH];
                at[40] = 5;
                [
                    panics(&|| _ = L::look_up(&[0; 5], &at)),
                    panics(&|| _ = L::look_up_bytes(&[0; 5], &at)),
                ]
            }
        }
        for instructions in Instructions::available() {
            assert_eq!(instructions.run(Outside), [true; 2], "{instructions:?}");
        }
    }
}
