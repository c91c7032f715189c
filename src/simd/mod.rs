//! Which instructions there are, and registers of 16 bytes: what NEON and WebAssembly have.
//!
//! `Instructions` is what this machine has, for the solver, for tables and for the engine. A loop of
//! plain arithmetic is compiled for each set of them by `Instructions::run`; `lanes` has what takes
//! more than arithmetic in tables.
//!
//! `Register` says what can be done with one; a file for each set of instructions implements it.
//! All who need more bytes take several, and their loops stand once, over the trait. The instructions
//! are those that the whole program is compiled with, so the processor is not asked. Tests run the
//! same loops over arrays, on every machine. Two hints, to the processor and to the system, say what
//! memory will be wanted.

use std::mem::MaybeUninit;

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
mod instructions;
pub(crate) mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(test, target_arch = "aarch64", target_feature = "simd128"))]
mod register;
#[cfg(target_feature = "simd128")]
mod simd128;
#[cfg(test)]
mod slow;

pub use instructions::Instructions;
pub(crate) use instructions::Set;
#[cfg(target_arch = "aarch64")]
pub use neon::Neon as Sixteen;
#[cfg(any(test, target_arch = "aarch64", target_feature = "simd128"))]
pub use register::Register;
#[cfg(target_feature = "simd128")]
pub use simd128::Simd128 as Sixteen;
#[cfg(all(test, not(any(target_arch = "aarch64", target_feature = "simd128"))))]
pub use slow::Slow as Sixteen;

/// The lanes that are set in a word, the lowest first.
#[inline(always)]
pub fn set_lanes(mut lanes: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = lanes.trailing_zeros() as usize;
        lanes &= lanes.wrapping_sub(1);
        (lane < u64::BITS as usize).then_some(lane)
    })
}

/// Eight bytes that are 0 or 1 as bits, the first one lowest.
#[inline(always)]
pub fn eight_bits(bytes: [u8; 8]) -> u8 {
    // Shifts, for of many words at once a processor shifts faster than it multiplies.
    let word = u64::from_le_bytes(bytes);
    let pairs = word | word >> 7;
    let fours = pairs | pairs >> 14;
    (fours | fours >> 28) as u8
}

/// Asks the processor to have something in its caches soon.
#[inline(always)]
pub(crate) fn fetch<T>(soon: &T) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code)]
    // SAFETY: every such processor has the instruction, which changes nothing.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(soon).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon;
}

/// Asks the system to have memory in large pages. Where there are none, nothing is lost.
#[cfg(target_os = "linux")]
pub(crate) fn ask_for_large_pages<T>(memory: &mut [MaybeUninit<T>]) {
    use rustix::mm::{Advice, madvise};
    let before = memory.as_ptr().align_offset(rustix::param::page_size()).min(memory.len());
    let whole = &mut memory[before..];
    #[expect(unsafe_code)]
    // SAFETY: the memory is lent here, and this advice changes where it lies, not what is in it.
    let _ =
        unsafe { madvise(whole.as_mut_ptr().cast(), size_of_val(whole), Advice::LinuxHugepage) };
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn ask_for_large_pages<T>(_: &mut [MaybeUninit<T>]) {}

#[cfg(test)]
mod tests {
    use super::register::WIDTH;
    use super::slow::Slow;
    use super::*;
    use crate::random::Dice;

    fn written<R: Register>(register: R) -> [u8; WIDTH] {
        let mut bytes = [0; WIDTH];
        register.write(&mut bytes);
        bytes
    }

    /// What each method makes of some bytes.
    fn all<R: Register>(dice: &mut Dice) -> (Vec<[u8; WIDTH]>, [u64; 2]) {
        let mut register = |below| R::read(&std::array::from_fn(|_| dice.below(below) as u8));
        let (one, other, at) = (register(256), register(256), register(20));
        let (mixed, places) = (register(2).equal(register(2)), register(70));
        let table = [(); 4].map(|()| register(256));
        let word = dice.number();
        let masks = R::masks(word);
        let found = [
            R::splat(word as u8),
            one.min(other),
            one.max(other),
            one.minus(other),
            one.and(other),
            one.or(other),
            mixed,
            one.replace(mixed, other),
            one.right::<3>(),
            one.left::<2>(),
            one.zip_low(other),
            one.zip_high(other),
            one.evens(other),
            one.odds(other),
            one.pick(at),
            one.pick(other),
            R::pick_of(table, places),
            R::pick_of(table, other),
            one.bit_of(),
            R::twice(word),
        ];
        let found = found.into_iter().chain(masks).map(written);
        (found.collect(), [word, R::bits(masks)])
    }

    #[test]
    fn registers_do_as_arrays_do() {
        for seed in 0..500 {
            let found = all::<Sixteen>(&mut Dice::new(seed));
            assert_eq!(found, all::<Slow>(&mut Dice::new(seed)));
            assert_eq!(found.1[0], found.1[1], "masks are the bits that they are made of");
        }
    }

    #[test]
    fn nothing_stands_behind_a_table() {
        let table = [(); 4].map(|()| Sixteen::splat(7));
        for at in 0..=255 {
            let at_all = Sixteen::splat(at);
            assert_eq!(written(table[0].pick(at_all)), [if at < 16 { 7 } else { 0 }; WIDTH]);
            assert_eq!(
                written(Sixteen::pick_of(table, at_all)),
                [if at < 64 { 7 } else { 0 }; WIDTH]
            );
        }
    }
}
