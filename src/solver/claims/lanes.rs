//! Lanes of a strip as the bits of a word.

use crate::layer::line::Line;
use crate::simd::eight_bits;

/// The lanes of a line that are above a score.
#[inline(always)]
pub fn above(line: &Line, most: i8) -> u64 {
    let above = line.0.map(|score| u8::from(score > most));
    let (chunks, _) = above.as_chunks::<8>();
    (0..)
        .zip(chunks)
        .fold(0, |lanes, (at, &bytes)| lanes | u64::from(eight_bits(bytes)) << (8 * at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::line::LINE;
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
}
