//! Who wins the game.

use serde::Serialize;

use crate::notation::Stores;
use crate::score::Interval;

/// Who wins the game, seeds captured before included; seen by the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The mover.
    Win,
    /// Nobody.
    Draw,
    /// The opponent.
    Loss,
    /// The bounds leave it open.
    Undecided,
}

impl Outcome {
    /// Whoever ends with more seeds wins. All 48 are captured or divided in the end, so having
    /// more than the other is having at least 25: this is the 25-seed rule, and it does not
    /// matter that play stops there.
    pub fn of(stores: Stores, interval: Interval) -> Outcome {
        let ahead = i16::from(stores.mover) - i16::from(stores.opponent);
        let margins = (ahead + i16::from(interval.low.get()), ahead + i16::from(interval.high.get()));
        match margins {
            (1.., _) => Outcome::Win,
            (_, ..0) => Outcome::Loss,
            (0, 0) => Outcome::Draw,
            _ => Outcome::Undecided,
        }
    }

    /// The same in a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Outcome::Win => "With the seeds captured before, the mover wins the game.",
            Outcome::Draw => "With the seeds captured before, the game is a draw.",
            Outcome::Loss => "With the seeds captured before, the opponent wins the game.",
            Outcome::Undecided => "With the seeds captured before, the winner is not decided by these bounds.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    #[test]
    fn outcomes_follow_from_both_bounds() {
        let outcome = |mover, opponent, low, high| {
            let interval = Interval { low: Score::new(low), high: Score::new(high) };
            serde_json::to_value(Outcome::of(Stores { mover, opponent }, interval)).unwrap()
        };
        assert_eq!(outcome(20, 21, 2, 4), "win");
        assert_eq!(outcome(20, 21, 1, 1), "draw");
        assert_eq!(outcome(20, 21, -3, 0), "loss");
        assert_eq!(outcome(20, 21, 1, 3), "undecided");
        assert_eq!(outcome(20, 21, 0, 3), "undecided");
        assert_eq!(outcome(20, 21, 0, 1), "undecided");
    }
}
