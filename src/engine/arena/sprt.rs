//! Wald's sequential probability ratio test: a match ends as soon as its result is clear.
//!
//! Two hypotheses are compared, that the first engine is stronger by `low` Elo and by `high`. The
//! logarithm of the ratio of their likelihoods is approximated as M. Van den Bergh proposes ("A
//! practical introduction to the GSPRT", 2017): with `n` pairs of games, and the mean `m` and the
//! variance `v` of what a pair brings a game, `n (s1 − s0) (2m − s0 − s1) / 2v`.
//! A pair of games has one opening, played with both sides.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result};

/// The probability of either wrong decision where nothing else is said.
const ERROR: f64 = 0.05;
/// The greatest probability of a wrong decision; beyond it the two bounds would meet.
const MOST_ERROR: f64 = 0.49;

/// The two hypotheses, and how often a wrong one may be accepted.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Sprt {
    /// The difference of strength by the first hypothesis.
    #[serde(rename = "elo0")]
    pub low: f64,
    /// The difference of strength by the second, which is greater.
    #[serde(rename = "elo1")]
    pub high: f64,
    /// The probability that the second is accepted though the first is true.
    pub alpha: f64,
    /// The probability that the first is accepted though the second is true.
    pub beta: f64,
}

/// What a test has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TestVerdict {
    /// The first hypothesis: the engine is not stronger by so much.
    Rejected,
    /// The second.
    Accepted,
    /// Neither, so far.
    Open,
}

/// How far a test has come.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct SprtState {
    #[serde(flatten)]
    test: Sprt,
    /// The logarithm of the ratio of likelihoods.
    pub llr: f64,
    /// That from which on the second hypothesis is accepted.
    pub bound: f64,
    /// That down to which the first is accepted.
    pub lower_bound: f64,
    /// Pairs of games that were counted, by what they brought.
    pub pairs: Pairs,
    /// What is decided.
    pub verdict: TestVerdict,
}

impl FromStr for Sprt {
    type Err = Error;

    /// Reads two differences of strength, as in `0,20`, and perhaps the probabilities of accepting
    /// the second and the first wrongly, as in `0,20,0.05,0.1`.
    fn from_str(text: &str) -> Result<Sprt> {
        let numbers: Option<Vec<f64>> =
            text.split(',').map(|word| word.trim().parse().ok()).collect();
        let test = match numbers.as_deref() {
            Some(&[low, high]) => Some(Sprt { low, high, alpha: ERROR, beta: ERROR }),
            Some(&[low, high, alpha, beta]) => Some(Sprt { low, high, alpha, beta }),
            _ => None,
        };
        test.filter(Sprt::makes_sense).ok_or_else(|| {
            let what = "two Elo differences, the smaller first, as in 0,20, optionally with the \
                        probabilities of wrong decisions, as in 0,20,0.05,0.05";
            Error::Usage(what.to_owned())
        })
    }
}

impl Sprt {
    fn makes_sense(&self) -> bool {
        let is_elo = |elo: f64| elo.abs() <= 1000.0;
        let is_error = |error: f64| error > 0.0 && error <= MOST_ERROR;
        let Sprt { low, high, alpha, beta } = *self;
        low < high && is_elo(low) && is_elo(high) && is_error(alpha) && is_error(beta)
    }

    /// Returns how far the test has come.
    pub fn state(self, pairs: Pairs) -> SprtState {
        let llr = self.ratio(pairs);
        let bound = ((1.0 - self.beta) / self.alpha).ln();
        let lower_bound = (self.beta / (1.0 - self.alpha)).ln();
        let verdict = match llr {
            llr if llr >= bound => TestVerdict::Accepted,
            llr if llr <= lower_bound => TestVerdict::Rejected,
            _ => TestVerdict::Open,
        };
        SprtState { test: self, llr, bound, lower_bound, pairs, verdict }
    }

    fn ratio(self, pairs: Pairs) -> f64 {
        let [mut count, mut mean, mut square] = [0.0; 3];
        for (result, pairs) in pairs.shares() {
            count += pairs;
            mean += pairs * result;
            square += pairs * result * result;
        }
        let (mean, square) = (mean / count, square / count);
        let [low, high] = [self.low, self.high].map(|elo| 1.0 / (1.0 + 10f64.powf(-elo / 400.0)));
        count * (high - low) * (2.0 * mean - low - high) / (2.0 * (square - mean * mean))
    }
}

impl fmt::Display for SprtState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { low, high, .. } = self.test;
        let verdict = match self.verdict {
            TestVerdict::Accepted => format!("{high:+} Elo accepted"),
            TestVerdict::Rejected => format!("{low:+} Elo accepted"),
            TestVerdict::Open => "undecided".to_owned(),
        };
        let &SprtState { llr, bound, lower_bound, pairs, .. } = self;
        let pairs = pairs.0.map(|count| count.to_string()).join(" ");
        write!(
            f,
            "SPRT of {low:+} against {high:+} Elo: {verdict} (log ratio {llr:.2}, from \
             {lower_bound:.2} to {bound:.2}; pairs of games with 0 to 2 points: {pairs})"
        )
    }
}

/// Counts pairs by what the first engine got of them: nothing, half a point, a point, one and a
/// half, both points.
///
/// An opening that favours a side brings each engine a point, which says nothing about strength.
/// Games counted one by one take that for luck; pairs do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub struct Pairs(pub [u32; 5]);

impl Pairs {
    /// Counts the pairs both of whose games are there, given the results of games by their numbers,
    /// from 1 on and in any order. The first two numbers are a pair, and so on.
    pub fn of(results: impl IntoIterator<Item = (u64, f64)>) -> Pairs {
        let mut results: Vec<(u64, f64)> = results.into_iter().collect();
        results.sort_by_key(|&(number, _)| number);
        let mut pairs = Pairs::default();
        for two in results.chunk_by(|one, next| one.0.div_ceil(2) == next.0.div_ceil(2)) {
            if let [(_, one), (_, other)] = two {
                pairs.0[(2.0 * (one + other)) as usize] += 1;
            }
        }
        pairs
    }

    /// Returns how often each result of a pair came about, as points a game, with half a pair of
    /// each in addition to what was counted, so that no variance is zero.
    pub(super) fn shares(self) -> impl Iterator<Item = (f64, f64)> {
        (0..).map(|quarters| f64::from(quarters) / 4.0).zip(self.0.map(|n| f64::from(n) + 0.5))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Openings that a side always wins are even pairs, and say so at once; single games would look
    /// like luck. Wrong decisions may be rarer.
    #[test]
    fn clear_results_are_decided_and_others_not() {
        for (test, pairs, verdict) in [
            ("0,50", [0; 5], TestVerdict::Open),
            ("0,50", [5, 2, 10, 4, 24], TestVerdict::Accepted),
            ("0,50", [24, 4, 10, 2, 5], TestVerdict::Rejected),
            ("0,50", [3, 1, 3, 1, 3], TestVerdict::Open),
            ("0,20", [0, 0, 60, 0, 0], TestVerdict::Rejected),
            ("0,50", [5, 2, 10, 4, 21], TestVerdict::Accepted),
            ("0,50,0.01,0.001", [5, 2, 10, 4, 21], TestVerdict::Open),
        ] {
            let state = test.parse::<Sprt>().unwrap().state(Pairs(pairs));
            assert_eq!(state.verdict, verdict, "{state}");
            let is_told = state.to_string().contains("+50 Elo accepted");
            assert_eq!(is_told, verdict == TestVerdict::Accepted, "{state}");
        }
        let strict = "0,50,0.01,0.001".parse::<Sprt>().unwrap().state(Pairs::default());
        assert!((strict.bound - 99.9_f64.ln()).abs() < 1e-9, "{strict}");
        assert!((strict.lower_bound - (0.001_f64 / 0.99).ln()).abs() < 1e-9, "{strict}");
    }

    /// The ratio of two normal distributions of the mean is what is approximated; with many pairs
    /// and a small difference it is also that of the multinomial ones nearest to what was counted.
    #[test]
    fn the_ratio_is_near_the_exact_one() {
        let test: Sprt = "0,20".parse().unwrap();
        let counts = [110, 60, 600, 80, 150];
        let exact = tilted(counts, test.high) - tilted(counts, test.low);
        let found = test.state(Pairs(counts)).llr;
        assert!((found - exact).abs() < 0.15, "{found} {exact}");
    }

    /// The greatest log likelihood of counts under distributions of this mean: shares `c / (1 + t
    /// (r - mean))` of the counted ones, where `t` makes the mean right.
    fn tilted(counts: [u32; 5], elo: f64) -> f64 {
        let mean = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let total: f64 = counts.iter().map(|&count| f64::from(count)).sum();
        let results = || (0..).map(|quarters| f64::from(quarters) / 4.0 - mean).zip(counts);
        let [mut low, mut high] = [-1.0 / (1.0 - mean) + 1e-9, 1.0 / mean - 1e-9];
        for _ in 0..200 {
            let tilt = (low + high) / 2.0;
            let sum: f64 = results().map(|(r, c)| f64::from(c) * r / (1.0 + tilt * r)).sum();
            (low, high) = if sum > 0.0 { (tilt, high) } else { (low, tilt) };
        }
        results().map(|(r, c)| f64::from(c) * (f64::from(c) / total / (1.0 + low * r)).ln()).sum()
    }

    #[test]
    fn the_smaller_difference_comes_first() {
        for wrong in [
            "",
            "5",
            "5,0",
            "0,0",
            "a,b",
            "0,nan",
            "0,1e9",
            "0,5,0.05",
            "0,5,0,0.05",
            "0,5,0.5,0.1",
            "0,5,0.1,nan",
            "0,5,0.1,0.1,1",
        ] {
            assert!(wrong.parse::<Sprt>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn whole_pairs_are_counted_in_any_order() {
        let results = [(4, 0.5), (1, 1.0), (7, 1.0), (3, 0.0), (2, 1.0), (5, 0.0), (6, 1.0)];
        assert_eq!(Pairs::of(results).0, [0, 1, 1, 0, 1]);
        assert_eq!(Pairs::of([(2, 1.0), (3, 1.0)]), Pairs::default());
    }
}
