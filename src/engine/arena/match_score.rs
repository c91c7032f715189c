//! The score of a match, with error bars.

#[cfg(feature = "serde")]
use serde::ser::{Serialize, SerializeStruct, Serializer};

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

/// A difference of strength on the Elo scale: 400 times the logarithm to base 10 of the odds. It
/// has no number where an engine has won, or may be assumed to win, every game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The difference that follows from the score.
    pub value: Option<f64>,
    /// The difference that follows from the score's lower bound.
    pub low: Option<f64>,
    /// The difference that follows from the score's upper bound.
    pub high: Option<f64>,
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

    /// Returns the score and its bounds as differences of strength.
    pub fn elo(&self) -> Elo {
        let (low, high) = self.bounds();
        Elo { value: elo(self.score()), low: elo(low), high: elo(high) }
    }
}

#[cfg(feature = "serde")]
impl Serialize for MatchScore {
    /// Writes the counts, the score and the difference of strength, both with their bounds.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (low, high) = self.bounds();
        let elo = self.elo();
        let mut fields = serializer.serialize_struct("MatchScore", 10)?;
        fields.serialize_field("games", &self.games())?;
        fields.serialize_field("wins", &self.wins)?;
        fields.serialize_field("draws", &self.draws)?;
        fields.serialize_field("losses", &self.losses)?;
        fields.serialize_field("score", &self.score())?;
        fields.serialize_field("score_low", &low)?;
        fields.serialize_field("score_high", &high)?;
        fields.serialize_field("elo", &elo.value)?;
        fields.serialize_field("elo_low", &elo.low)?;
        fields.serialize_field("elo_high", &elo.high)?;
        fields.end()
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
        let elo = MatchScore { wins: 10, draws: 0, losses: 1 }.elo();
        assert!(
            (elo.value.unwrap() - 400.0).abs() < 1e-9
                && elo.low < elo.value
                && elo.value < elo.high
        );
        assert_eq!(MatchScore { wins: 3, draws: 4, losses: 3 }.elo().value, Some(0.0));
        assert_eq!(MatchScore { wins: 5, draws: 0, losses: 0 }.elo().value, None);
        assert!(MatchScore { wins: 5, draws: 0, losses: 0 }.elo().low.is_some());
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
