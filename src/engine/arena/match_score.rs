//! The score of a match, with error bars.

use serde::ser::{Serialize, Serializer};
use serde_json::json;

use crate::confidence;

/// Counts the results of the first engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchScore {
    /// Games that it has won.
    pub wins: u32,
    /// Games that neither has won.
    pub draws: u32,
    /// Games that the other has won.
    pub losses: u32,
}

impl MatchScore {
    /// Counts a result: 1, 0.5 or 0.
    pub fn add(&mut self, result: f64) {
        match result {
            won if won > 0.75 => self.wins += 1,
            lost if lost < 0.25 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Returns the points per game, a draw being half a point; 0.5 without games.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games),
        }
    }

    /// Returns the bounds of the true score, with 95 % confidence: Wilson's interval, as if every
    /// game were won or lost. Draws, and openings played by both sides, make it wider than
    /// necessary.
    pub fn bounds(&self) -> (f64, f64) {
        confidence::of_share(self.score(), self.games().into())
    }

    /// Returns the score, its lower and its upper bound as differences of strength on the Elo scale:
    /// 400 times the logarithm to base 10 of the odds. That has no number where an engine has won, or
    /// may be assumed to win, every game.
    pub fn elo(&self) -> [Option<f64>; 3] {
        let (low, high) = self.bounds();
        [self.score(), low, high].map(elo)
    }
}

impl Serialize for MatchScore {
    /// Writes the counts, the score and the difference of strength, both with their bounds.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (low, high) = self.bounds();
        let [value, least, most] = self.elo();
        let fields = json!({
            "games": self.games(), "wins": self.wins, "draws": self.draws, "losses": self.losses,
            "score": self.score(), "score_low": low, "score_high": high,
            "elo": value, "elo_low": least, "elo_high": most,
        });
        fields.serialize(serializer)
    }
}

fn elo(score: f64) -> Option<f64> {
    let odds = score / (1.0 - score);
    (odds > 0.0 && odds.is_finite()).then(|| 400.0 * odds.log10())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strength_follows_the_odds() {
        let elo = |wins, draws, losses| MatchScore { wins, draws, losses }.elo();
        let [value, low, high] = elo(10, 0, 1);
        assert!((value.unwrap() - 400.0).abs() < 1e-9 && low < value && value < high);
        assert_eq!(elo(3, 4, 3)[0], Some(0.0));
        let [value, low, _] = elo(5, 0, 0);
        assert!(value.is_none() && low.is_some());
    }

    #[test]
    fn results_are_counted() {
        let mut score = MatchScore::default();
        for result in [1.0, 0.5, 0.0, 1.0] {
            score.add(result);
        }
        assert_eq!(score, MatchScore { wins: 2, draws: 1, losses: 1 });
        assert_eq!((score.games(), score.score()), (4, 0.625));
    }
}
