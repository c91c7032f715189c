//! A legal move with its score, and what the moves of a position say together.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::game::{HOUSES, Interval, Move, Score};

/// A legal move with its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ScoredMove {
    /// The move, and the position that it leads to.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub played: Move,
    /// The score of the player who moves, in seeds, those captured by the move included: the
    /// negated interval of the position that the move leads to, plus the capture.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub interval: Interval,
    /// The largest score that the table of the position which the move leads to distinguishes, if it
    /// is clamped and the game goes on. A capture leads to a table that distinguishes more than that
    /// of the position, so the move's score can be known where the position's is not.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub range: Option<i8>,
    /// Whether `interval.low` is secured by this move and by going on with the strategy of the
    /// tables, wherever a cycle is cut. That is known
    ///
    /// * of a capture, since no earlier position can recur,
    /// * of any move from a position that cannot recur, because no table holds it,
    /// * of the loss of every seed, since nothing is worse,
    /// * of a score of 0 or less under an even split, since that is what a repetition is worth,
    /// * of a move that ends the game, where scores are clamped,
    /// * of a move that keeps a score which a search has settled outside of every knot, because
    ///   nothing that has been comes back,
    /// * of a quiet move that the strategy may make: the only one that keeps the score, the default
    ///   move or the exception to it ([`Exceptions`](crate::layer::Exceptions)), or the move that
    ///   was found for a knot, where the cycle is cut at the first repetition.
    ///
    /// Where tables are without strategies the last is known of an only move alone. A move that is
    /// not certified need not be bad: `low` is what its child is worth with fresh history, and
    /// after a quiet move history is not fresh.
    pub certified: bool,
    /// What the strategy achieves if it makes this move: what the position is worth, or has been
    /// claimed there. `None` if it would make another.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub collects: Option<Score>,
}

/// The scored moves of a position: at most one for each house, kept in place without allocation.
pub type ScoredMoves = ArrayVec<ScoredMove, HOUSES>;

impl ScoredMove {
    /// Returns the key that sorts moves best first: by low, high, and certified before not.
    pub(super) fn order(&self) -> impl Ord + use<> {
        Reverse((self.interval.low, self.interval.high, self.certified))
    }
}

/// Returns the score of the position whose moves these are: the best of them, bound by bound;
/// `None` if there are none.
pub fn best_of(moves: &[ScoredMove]) -> Option<Interval> {
    moves.iter().fold(None, |best, scored| Some(better(best, scored.interval)))
}

/// Returns the move that the strategy makes, given all moves of a position, best first; `None` if
/// there are none.
pub fn of_strategy(moves: &[ScoredMove]) -> Option<Move> {
    let rank = |scored: &&ScoredMove| {
        let Interval { low, high } = scored.interval;
        (scored.collects.is_some(), low, high, scored.played.captured > 0)
    };
    // Of equals the first by house: `max_by_key` takes the last one.
    moves.iter().rev().max_by_key(rank).map(|scored| scored.played)
}

/// Returns the score of a player who may choose between two moves, bound by bound.
pub fn better(best: Option<Interval>, found: Interval) -> Interval {
    best.map_or(found, |best| Interval {
        low: best.low.max(found.low),
        high: best.high.max(found.high),
    })
}
