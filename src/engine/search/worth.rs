//! What a game is worth to the mover, as the search compares it.

use std::ops::Neg;

use crate::game::{Interval, Score};

/// How many seeds the mover will have more in the end, in hundredths. A won game is worth more than
/// any other, a lost game less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Worth(i32);

/// What winning adds. No difference of seeds comes near it.
const WIN: i32 = 20_000;

impl Worth {
    /// Less than anything.
    pub const LEAST: Worth = Worth(-32_000);
    /// Even.
    pub const ZERO: Worth = Worth(0);

    /// Returns an estimate in hundredths of a seed.
    pub fn estimate(hundredths: i32) -> Worth {
        Worth(hundredths.clamp(-WIN / 2, WIN / 2))
    }

    /// Returns the worth of a game that ends with this difference.
    pub fn result(difference: Score) -> Worth {
        Worth::decided(difference, 100 * i32::from(difference.get()))
    }

    /// Returns the worth of a game that the player who is `ahead` wins, by this many hundredths of
    /// a seed.
    pub fn decided(ahead: Score, hundredths: i32) -> Worth {
        Worth(hundredths.clamp(-WIN / 2, WIN / 2) + WIN * i32::from(ahead.get().signum()))
    }

    /// Returns the worth of a game in which the mover is `ahead` and the rest brings something
    /// within bounds. Who wins is known if the bounds agree on it.
    pub fn within(ahead: Score, rest: Interval) -> Worth {
        let total = |rest: Score| i32::from(ahead.get()) + i32::from(rest.get());
        let (low, high) = (total(rest.low), total(rest.high));
        let sign = if low > 0 { 1 } else { high.min(0).signum() };
        Worth(50 * (low + high) + WIN * sign)
    }

    /// Returns whether the mover is proved to win.
    pub fn is_won(self) -> bool {
        self.0 > WIN / 2
    }

    /// Returns whether neither player is proved to win.
    pub(super) fn is_open(self) -> bool {
        self.0.abs() <= WIN / 2
    }

    /// Returns the hundredths of a seed, without what winning adds.
    pub fn hundredths(self) -> i32 {
        match self.0 {
            won if won > WIN / 2 => won - WIN,
            lost if lost < -WIN / 2 => lost + WIN,
            open => open,
        }
    }

    /// Returns the worth as the transposition table stores it.
    pub(super) fn bits(self) -> u16 {
        self.0 as i16 as u16
    }

    /// Reads what [`Worth::bits`] returns.
    pub(super) fn from_bits(bits: u16) -> Worth {
        Worth(i32::from(bits as i16))
    }

    /// Returns the worth of this many hundredths of a seed more, within what there is.
    pub(super) fn plus(self, hundredths: i32) -> Worth {
        Worth((self.0 + hundredths).clamp(Worth::LEAST.0, -Worth::LEAST.0))
    }

    /// Returns the least worth that is greater.
    pub(super) fn next(self) -> Worth {
        Worth(self.0 + 1)
    }
}

impl Neg for Worth {
    type Output = Worth;
    fn neg(self) -> Worth {
        Worth(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_before_seeds() {
        let result = |difference| Worth::result(Score::new(difference));
        let within = |low, high| {
            Worth::within(Score::new(2), Interval { low: Score::new(low), high: Score::new(high) })
        };
        assert!(result(1) > Worth::estimate(100_000) && Worth::estimate(-100_000) > result(-1));
        assert!(result(48) > result(1) && -result(48) == result(-48));
        assert_eq!((result(0), within(-2, -2)), (Worth::ZERO, Worth::ZERO));
        assert_eq!((within(3, 3), within(-7, -7)), (result(5), result(-5)));
        assert_eq!((within(-2, 0).hundredths(), within(-2, 0).is_won()), (100, false));
        assert!(within(-1, 1).is_won() && (-within(-5, -3)).is_won());
        assert_eq!(within(-1, 1).hundredths(), 200);
        assert!(Worth::estimate(-100_000).is_open() && Worth::ZERO.is_open());
        assert!(![result(1), result(-1), Worth::LEAST].into_iter().any(Worth::is_open));
        for worth in [result(-48), result(48), Worth::LEAST, within(0, 3)] {
            assert_eq!(Worth::from_bits(worth.bits()), worth);
        }
    }
}
