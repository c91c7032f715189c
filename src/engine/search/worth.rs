//! What a game is worth to the mover, as the search compares it.

use std::ops::Neg;

use crate::game::{Endless, Interval, Rules, Score};

/// What an estimate is at most, whatever it is computed from.
const MOST: i32 = 10_000;

/// How many seeds the mover will have more in the end, in hundredths, whether that is proved or an
/// estimate.
///
/// A proved win is worth no more than its seeds. To add something to it brought nothing (thousands of
/// hundredths, as for a mate in chess: 50.2 % of 800 games without against with it), and where tables
/// are near it costs seeds, as it has the opponent avoid a small proved loss for a larger one that is
/// not proved: of 6,000 positions of 18 to 28 seeds 457 moves lose instead of 232, and as many results
/// are thrown away (105 and 104; 30,000 positions a move, tables to 12 seeds). A seed for it: 255 and 94.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Worth(i32);

impl Worth {
    /// Less than anything.
    pub const LEAST: Worth = Worth(-32_000);
    /// Even.
    pub const ZERO: Worth = Worth(0);

    /// Returns the worth of some hundredths of a seed.
    pub fn estimate(hundredths: i32) -> Worth {
        Worth(hundredths.clamp(-MOST, MOST))
    }

    /// Returns the worth of a game that ends with this difference.
    pub fn result(difference: Score) -> Worth {
        Worth(100 * i32::from(difference.get()))
    }

    /// Returns the worth of a game in which the mover is `ahead` and the rest brings something
    /// within bounds: their mean. Where endless play is drawn, a game that neither player can win is
    /// a draw.
    pub fn within(rules: &Rules, ahead: Score, rest: Interval) -> Worth {
        let [low, high] =
            [rest.low, rest.high].map(|bound| i32::from(ahead.get()) + i32::from(bound.get()));
        match rules.endless {
            Endless::Drawn if low <= 0 && 0 <= high => Worth::ZERO,
            Endless::Drawn | Endless::EvenSplit | Endless::OwnSide(_) => Worth(50 * (low + high)),
        }
    }

    /// Returns the hundredths of a seed.
    pub fn hundredths(self) -> i32 {
        self.0
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
    use crate::game::{ABAPA, MASTERS_DRAWN};

    #[test]
    fn estimates_results_and_bounds_share_a_scale() {
        let result = |difference| Worth::result(Score::new(difference));
        let by = |rules, low, high| {
            let rest = Interval { low: Score::new(low), high: Score::new(high) };
            Worth::within(rules, Score::new(2), rest)
        };
        let within = |low, high| by(&ABAPA, low, high);
        let drawn = |low, high| by(&MASTERS_DRAWN, low, high);
        assert_eq!([drawn(-4, 8), drawn(-2, 6), drawn(-9, -2)], [Worth::ZERO; 3]);
        assert_eq!((drawn(-1, 8), drawn(-9, -3)), (within(-1, 8), within(-9, -3)));
        assert!(result(1) < Worth::estimate(101) && result(1) == Worth::estimate(100));
        assert!(result(48) > result(1) && -result(48) == result(-48));
        assert_eq!((result(0), within(-2, -2)), (Worth::ZERO, Worth::ZERO));
        assert_eq!((within(3, 3), within(-7, -7)), (result(5), result(-5)));
        assert_eq!((within(-2, 0).hundredths(), within(0, 3).hundredths()), (100, 350));
        assert!(
            Worth::estimate(i32::MAX) < -Worth::LEAST && Worth::LEAST < Worth::estimate(-48_00)
        );
        for worth in [result(-48), result(48), Worth::LEAST, within(0, 3)] {
            assert_eq!(Worth::from_bits(worth.bits()), worth);
        }
    }
}
