//! Ranks packed into bytes: five streams, and one of escapes.
//!
//! The more certain a class is, the more of its ranks go into a byte: then the bytes, too, are
//! certain enough for an entropy coder that works on bytes, and few.
//!
//! | stream | ranks in a byte | as | ranks that fit |
//! |---|---|---|---|
//! | 0 | 8 | bits | 0 |
//! | 1 | 4 | two bits each | 0 to 2 |
//! | 2 | 3 | digits to base 6 | 0 to 4 |
//! | 3, 4 | 2 | four bits each | 0 to 14 |
//!
//! The first rank is in the lowest bits, or is the digit of least weight. A rank that does not fit
//! stands as the first number that is none, and what it is more comes as a byte among the escapes;
//! a value without a letter has two more bytes there: base and spread.

use crate::simd::eight_bits;
use crate::simd::lanes::Instructions;

/// Streams of ranks.
pub const STREAMS: usize = 5;

/// By stream: how many ranks a byte holds.
pub const IN_A_BYTE: [usize; STREAMS] = [8, 4, 3, 2, 2];

/// By stream: the numbers that a place can hold; the largest one stands for those that do not fit.
pub const NUMBERS: [u8; STREAMS] = [2, 4, 6, 16, 16];

/// Returns how many bytes this many ranks take.
pub fn bytes_of(stream: usize, ranks: usize) -> usize {
    ranks.div_ceil(IN_A_BYTE[stream])
}

/// Packs numbers that fit; appends to `bytes`. Many bytes at once, as shifts of whole words: what
/// they move elsewhere is cut off.
pub fn pack(stream: usize, numbers: &[u8], bytes: &mut Vec<u8>) {
    Instructions::best().run(
        #[inline(always)]
        || match stream {
            0 => pack_chunks(numbers, |&numbers| eight_bits(numbers), bytes),
            1 => pack_chunks(numbers, |&numbers| four_pairs(numbers), bytes),
            2 => pack_chunks(numbers, |&[a, b, c]| a + 6 * b + 36 * c, bytes),
            _ => pack_chunks(numbers, |&numbers| two_halves(numbers), bytes),
        },
    );
}

#[inline(always)]
fn four_pairs(numbers: [u8; 4]) -> u8 {
    let word = u32::from_le_bytes(numbers);
    let halves = word | word >> 6;
    (halves | halves >> 12) as u8
}

#[inline(always)]
fn two_halves(numbers: [u8; 2]) -> u8 {
    let word = u16::from_le_bytes(numbers);
    (word | word >> 4) as u8
}

/// Packs this many numbers in each byte; zeros stand for those that the last byte lacks.
#[inline(always)]
fn pack_chunks<const IN_A_BYTE: usize>(
    numbers: &[u8],
    pack: impl Fn(&[u8; IN_A_BYTE]) -> u8,
    bytes: &mut Vec<u8>,
) {
    let (chunks, rest) = numbers.as_chunks::<IN_A_BYTE>();
    bytes.extend(chunks.iter().map(&pack));
    if !rest.is_empty() {
        bytes.push(pack(&std::array::from_fn(|at| rest.get(at).copied().unwrap_or(0))));
    }
}

/// Unpacks as many numbers as `numbers` has room for, from the number `first` on; `bytes` must
/// have them.
pub fn unpack(stream: usize, bytes: &[u8], first: usize, numbers: &mut [u8]) {
    match stream {
        0 => unpack_bytes(bytes, first, numbers, bits::<8>),
        1 => unpack_bytes(bytes, first, numbers, bits::<4>),
        2 => unpack_bytes(bytes, first, numbers, |byte| DIGITS[usize::from(byte)]),
        _ => unpack_bytes(bytes, first, numbers, bits::<2>),
    }
}

#[inline(always)]
fn bits<const IN_A_BYTE: usize>(byte: u8) -> [u8; IN_A_BYTE] {
    let bits = 8 / IN_A_BYTE;
    std::array::from_fn(|at| byte >> (at * bits) & ((1u16 << bits) - 1) as u8)
}

/// By byte: its digits to base 6.
const DIGITS: [[u8; 3]; 256] = {
    let mut digits = [[0; 3]; 256];
    let mut byte = 0;
    while byte < 256 {
        digits[byte] = [(byte % 6) as u8, (byte / 6 % 6) as u8, (byte / 36 % 6) as u8];
        byte += 1;
    }
    digits
};

/// Unpacks byte after byte; of the first one and of the last one perhaps not all.
#[inline(always)]
fn unpack_bytes<const IN_A_BYTE: usize>(
    bytes: &[u8],
    first: usize,
    numbers: &mut [u8],
    unpack: impl Fn(u8) -> [u8; IN_A_BYTE],
) {
    let mut bytes = bytes[first / IN_A_BYTE..].iter().map(|&byte| unpack(byte));
    let begun = match first % IN_A_BYTE {
        0 => 0,
        begun => (IN_A_BYTE - begun).min(numbers.len()),
    };
    let (head, rest) = numbers.split_at_mut(begun);
    if !head.is_empty() {
        let all = bytes.next().expect("there are as many");
        head.copy_from_slice(&all[first % IN_A_BYTE..][..begun]);
    }
    let (whole, rest) = rest.as_chunks_mut();
    for (numbers, all) in whole.iter_mut().zip(&mut bytes) {
        *numbers = all;
    }
    if !rest.is_empty() {
        let all = bytes.next().expect("there are as many");
        rest.copy_from_slice(&all[..rest.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_from_any_place_on() {
        for (stream, &most) in NUMBERS.iter().enumerate() {
            for count in [0, 1, 2, 3, 7, 8, 9, 100] {
                let numbers: Vec<u8> =
                    (0..count).map(|at: usize| (at * at / 3) as u8 % most).collect();
                let mut bytes = Vec::new();
                pack(stream, &numbers, &mut bytes);
                assert_eq!(bytes.len(), bytes_of(stream, count));
                for first in 0..count {
                    let mut found = vec![0; count - first];
                    unpack(stream, &bytes, first, &mut found);
                    assert_eq!(found, numbers[first..]);
                }
            }
        }
    }
}
