//! What a layer keeps beside its scores where repetition decides them.
//!
//! Scores alone do not tell how to collect them where play goes round and the first repetition
//! ends the game. Strategies certify *bounds* that hold wherever a cycle is cut; where these differ,
//! the score rests on a search ([`crate::solver::exact`]), which also finds how to play in the
//! knots: the components in which play can go round.

use crate::game::board::House;
use crate::game::score::{Interval, Score};
use crate::layer::index::Rank;
use crate::layer::plane::Plane;

/// The bounds behind settled scores, and how they were settled.
#[derive(Clone, Debug, PartialEq)]
pub struct Knots {
    /// What the mover secures wherever a cycle is cut.
    pub low: Plane,
    /// What the mover cannot exceed wherever a cycle is cut.
    pub high: Plane,
    /// What was settled where they differ.
    pub settlement: Settlement,
}

/// What has been settled of the open positions of a layer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settlement {
    /// The interval of each open position, smallest rank first: one score, unless the search for it
    /// came to its limits.
    pub intervals: Vec<(Rank, Interval)>,
    /// How to play in the knots, by rank and then by claim.
    pub moves: Vec<KnotMove>,
}

/// The move in a knot by which the mover collects a claim, from every start in the knot from which
/// it can be collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KnotMove {
    /// The position.
    pub rank: Rank,
    /// What the mover goes for: more than the lower bound, and no more than the upper one.
    pub claim: Score,
    /// The house that is emptied.
    pub house: House,
}

impl Knots {
    /// Returns the positions whose bounds differ, and their bounds, smallest rank first.
    pub fn open(&self) -> impl Iterator<Item = (Rank, Interval)> {
        open(&self.low, &self.high)
    }
}

impl Settlement {
    /// Returns what was settled of a position; `None` if it was not open.
    pub fn interval(&self, rank: Rank) -> Option<Interval> {
        let at = self.intervals.binary_search_by_key(&rank, |(rank, _)| *rank);
        at.ok().map(|at| self.intervals[at].1)
    }

    /// Returns the move by which the mover of a position in a knot goes for a claim.
    pub fn house(&self, rank: Rank, claim: Score) -> Option<House> {
        let at = self.moves.binary_search_by_key(&(rank, claim), |held| (held.rank, held.claim));
        at.ok().map(|at| self.moves[at].house)
    }

    /// Returns whether the mover of a position has a move in a knot, whatever the claim.
    pub fn is_in_knot(&self, rank: Rank) -> bool {
        self.moves.binary_search_by_key(&rank, |held| held.rank).is_ok()
    }
}

/// Returns the positions in which two planes differ, with both of their scores.
pub fn open(low: &Plane, high: &Plane) -> impl Iterator<Item = (Rank, Interval)> {
    let layer = low.layer();
    low.blocks().differences(high.blocks()).map(move |(cell, [low, high])| {
        (layer.rank_at(cell), Interval { low: Score::new(low), high: Score::new(high) })
    })
}
