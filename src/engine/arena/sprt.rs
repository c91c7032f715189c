//! Wald's sequential probability ratio test: a match ends as soon as its result is clear.
//!
//! Two hypotheses are compared, that the first engine is stronger by `low` Elo and by `high`. The
//! logarithm of the ratio of their likelihoods is approximated for games with three results as
//! M. Van den Bergh proposes ("A practical introduction to the GSPRT", 2017): with the mean `m` and
//! the variance `v` of the results, `n (s1 − s0) (2m − s0 − s1) / 2v`.

use std::fmt;
use std::str::FromStr;

use super::match_score::MatchScore;
use crate::error::{Error, Result};

/// The probability of either wrong decision.
const ERROR: f64 = 0.05;

/// The two hypotheses.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Sprt {
    /// The difference of strength by the first hypothesis.
    #[cfg_attr(feature = "serde", serde(rename = "elo0"))]
    pub low: f64,
    /// The difference of strength by the second, which is greater.
    #[cfg_attr(feature = "serde", serde(rename = "elo1"))]
    pub high: f64,
}

/// What a test has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Verdict {
    /// The first hypothesis: the engine is not stronger by so much.
    Rejected,
    /// The second.
    Accepted,
    /// Neither, so far.
    Open,
}

/// How far a test has come.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SprtState {
    #[cfg_attr(feature = "serde", serde(flatten))]
    test: Sprt,
    /// The logarithm of the ratio of likelihoods.
    pub llr: f64,
    /// The ratio beyond which the test ends, on both sides.
    pub bound: f64,
    /// What is decided.
    pub verdict: Verdict,
}

impl FromStr for Sprt {
    type Err = Error;

    /// Reads two differences of strength, as in `0,20`.
    fn from_str(text: &str) -> Result<Sprt> {
        let wrong =
            || Error::Usage("two Elo differences, the smaller first, as in 0,20".to_owned());
        let (low, high) = text.split_once(',').ok_or_else(wrong)?;
        let elo = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= 1000.0);
        match (elo(low), elo(high)) {
            (Some(low), Some(high)) if low < high => Ok(Sprt { low, high }),
            _ => Err(wrong()),
        }
    }
}

impl Sprt {
    /// Returns how far the test has come.
    pub fn state(self, score: &MatchScore) -> SprtState {
        let llr = self.ratio(score);
        let bound = ((1.0 - ERROR) / ERROR).ln();
        let verdict = match llr {
            llr if llr >= bound => Verdict::Accepted,
            llr if llr <= -bound => Verdict::Rejected,
            _ => Verdict::Open,
        };
        SprtState { test: self, llr, bound, verdict }
    }

    fn ratio(self, score: &MatchScore) -> f64 {
        // Half a game of each result, so that the variance is never zero.
        let counts = [score.wins, score.draws, score.losses].map(|count| f64::from(count) + 0.5);
        let games: f64 = counts.iter().sum();
        let mean = (counts[0] + counts[1] / 2.0) / games;
        let square = (counts[0] + counts[1] / 4.0) / games;
        let [low, high] = [self.low, self.high].map(|elo| 1.0 / (1.0 + 10f64.powf(-elo / 400.0)));
        games * (high - low) * (2.0 * mean - low - high) / (2.0 * (square - mean * mean))
    }
}

impl fmt::Display for SprtState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { low, high } = self.test;
        let verdict = match self.verdict {
            Verdict::Accepted => format!("{high:+} Elo accepted"),
            Verdict::Rejected => format!("{low:+} Elo accepted"),
            Verdict::Open => "undecided".to_owned(),
        };
        let (llr, bound) = (self.llr, self.bound);
        write!(
            f,
            "SPRT of {low:+} against {high:+} Elo: {verdict} (log ratio {llr:.2}, ±{bound:.2})"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_results_are_decided_and_others_not() {
        let test: Sprt = "0,50".parse().unwrap();
        let verdict = |wins, draws, losses| test.state(&MatchScore { wins, draws, losses }).verdict;
        assert_eq!(verdict(0, 0, 0), Verdict::Open);
        assert_eq!(verdict(60, 10, 20), Verdict::Accepted);
        assert_eq!(verdict(20, 10, 60), Verdict::Rejected);
        assert_eq!(verdict(11, 0, 9), Verdict::Open);
        let state = test.state(&MatchScore { wins: 60, draws: 10, losses: 20 });
        assert!(state.to_string().contains("+50 Elo accepted"), "{state}");
    }

    /// Without draws a game is a coin, and the exact ratio is known.
    #[test]
    fn the_ratio_is_near_the_exact_one() {
        let test = Sprt { low: 0.0, high: 20.0 };
        let (wins, losses) = (530, 470);
        let chance = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let [p0, p1] = [chance(0.0), chance(20.0)];
        let exact =
            f64::from(wins) * (p1 / p0).ln() + f64::from(losses) * ((1.0 - p1) / (1.0 - p0)).ln();
        let found = test.state(&MatchScore { wins, draws: 0, losses }).llr;
        assert!((found - exact).abs() < 0.05, "{found} {exact}");
    }

    #[test]
    fn the_smaller_difference_comes_first() {
        for wrong in ["", "5", "5,0", "0,0", "a,b", "0,nan", "0,1e9"] {
            assert!(wrong.parse::<Sprt>().is_err(), "{wrong}");
        }
    }
}
