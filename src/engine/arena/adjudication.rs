//! Games that end as soon as the tables know who wins.
//!
//! A table's scores are for fresh history. Where positions that were on the board may recur, and so
//! end the game, they need not hold; so a game is adjudicated at the positions that captures lead
//! to, and where it starts. That loses nothing: a game comes into the tables' range by a capture.
//! Where a score has two ends, both must let the same player win.

use crate::error::{Error, Result};
use crate::game::{Game, Interval, Score, Seeds};
use crate::probe::Prober;

/// What the tables say of the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// What the player to move gets in the end more than the opponent, if both play as well as can
    /// be.
    pub margin: Score,
    /// Whether that is all, and not just so much that the winner has it for sure.
    pub is_exact: bool,
}

/// Returns what the tables say of a game, if they know who wins. No seeds must be missing.
///
/// # Errors
/// Whatever is wrong with a table. One that is missing is no error.
pub fn adjudicated(prober: &mut Prober, game: &Game) -> Result<Option<Adjudication>> {
    let is_fresh = game.history().since_capture().len() == 1;
    let is_whole = game.position().misfit(Seeds::MAX).is_none();
    if !is_fresh || !is_whole {
        return Ok(None);
    }
    match prober.interval(game.board()) {
        Ok(interval) => Ok(settled(game.ahead(), interval)),
        Err(Error::MissingTable { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the end of the margin that is next to 0, if both ends are won by the same player.
fn settled(ahead: Score, interval: Interval) -> Option<Adjudication> {
    let margin = |score: Score| Score::new(ahead.get() + score.get());
    let (low, high) = (margin(interval.low), margin(interval.high));
    let settled = |margin| Some(Adjudication { margin, is_exact: low == high });
    match (low.get(), high.get()) {
        (1.., _) | (0, 0) => settled(low),
        (_, ..0) => settled(high),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_must_be_won_by_the_same_player() {
        for (ahead, low, high, expected) in [
            (0, 3, 3, Some(3)),
            (-2, 3, 5, Some(1)),
            (2, -7, -4, Some(-2)),
            (4, -4, -4, Some(0)),
            (0, 0, 1, None),
            (1, -1, 0, None),
            (0, -1, 1, None),
        ] {
            let interval = Interval { low: Score::new(low), high: Score::new(high) };
            let found = settled(Score::new(ahead), interval);
            assert_eq!(found.map(|found| found.margin.get()), expected, "{ahead} {low} {high}");
            assert!(found.is_none_or(|found| found.is_exact == (low == high)));
        }
    }
}
