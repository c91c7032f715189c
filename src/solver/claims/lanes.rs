//! Lanes of a strip as the bits of a word.

use crate::layer::blocks::{LINE, Line, eight_bits};

/// The lanes of a line that are above a score.
#[inline(always)]
pub fn above(line: &Line, most: i8) -> u64 {
    let above = line.0.map(|score| u8::from(score > most));
    let (chunks, _) = above.as_chunks::<8>();
    (0..)
        .zip(chunks)
        .fold(0, |lanes, (at, &bytes)| lanes | u64::from(eight_bits(bytes)) << (8 * at))
}

/// Makes bits of words words of bits: bit `l` of word `w` becomes bit `w` of word `l`.
pub fn transpose(words: &mut [u64; LINE]) {
    let (mut width, mut low) = (LINE / 2, u64::MAX >> (LINE / 2));
    while width > 0 {
        // Squares of `width` bits above the diagonal change places with those below it.
        for squares in words.chunks_exact_mut(2 * width) {
            let (upper, lower) = squares.split_at_mut(width);
            for (upper, lower) in upper.iter_mut().zip(lower) {
                let moved = (*upper >> width ^ *lower) & low;
                *upper ^= moved << width;
                *lower ^= moved;
            }
        }
        width /= 2;
        low ^= low << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Dice;

    #[test]
    fn lanes_above_a_score_are_found() {
        let mut dice = Dice::new(3);
        for _ in 0..1000 {
            let line = Line(std::array::from_fn(|_| dice.below(3) as i8 - 1));
            let slowly = (0..LINE).filter(|&lane| line.0[lane] > 0);
            assert_eq!(above(&line, 0), slowly.fold(0, |all, lane| all | 1 << lane));
        }
    }

    #[test]
    fn bits_are_turned_round() {
        let mut dice = Dice::new(4);
        let words: [u64; LINE] = std::array::from_fn(|_| dice.number());
        let mut turned = words;
        transpose(&mut turned);
        let bit = |words: &[u64; LINE], word: usize, bit: usize| words[word] >> bit & 1;
        for (word, lane) in (0..LINE).flat_map(|word| (0..LINE).map(move |lane| (word, lane))) {
            assert_eq!(bit(&words, word, lane), bit(&turned, lane, word));
        }
    }
}
