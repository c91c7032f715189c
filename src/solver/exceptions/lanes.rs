//! Lanes of a strip as the bits of a word.

use crate::layer::blocks::{LINE, Line, eight_bits};
use crate::solver::kernel::Window;

/// The lanes that are set in a word.
#[inline(always)]
pub fn set(mut lanes: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = lanes.trailing_zeros() as usize;
        lanes &= lanes.wrapping_sub(1);
        (lane < LINE).then_some(lane)
    })
}

/// What a window picks for each lane; anything for those that are not in it.
#[inline(always)]
pub fn picked(line: &Line, window: &Window) -> [i8; LINE] {
    window.picks.0.map(|pick| line.0[usize::from(pick) % LINE])
}

/// The lanes where two lines agree.
#[inline(always)]
pub fn equal_lanes(one: &[i8; LINE], other: &[i8; LINE]) -> u64 {
    let mut equal = [0; LINE];
    for (equal, (one, other)) in equal.iter_mut().zip(one.iter().zip(other)) {
        *equal = u8::from(one == other);
    }
    let (chunks, _) = equal.as_chunks::<8>();
    (0..)
        .zip(chunks)
        .fold(0, |lanes, (at, &bytes)| lanes | u64::from(eight_bits(bytes)) << (8 * at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Dice;

    #[test]
    fn lanes_that_agree_are_found() {
        let mut dice = Dice::new(3);
        for _ in 0..1000 {
            let [one, other] = [(); 2].map(|()| std::array::from_fn(|_| dice.below(3) as i8));
            let slowly = (0..LINE).filter(|&lane| one[lane] == other[lane]);
            assert_eq!(equal_lanes(&one, &other), slowly.fold(0, |all, lane| all | 1 << lane));
        }
    }
}
