//! The worst moves, each once, a bounded number of them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

#[cfg(feature = "serde")]
use serde::{Serialize, Serializer};

use crate::game::{Board, House, Position};

use super::judge::{Loss, Scored};
use super::outcome::ThrownAway;

/// Where a move was played. Earlier locations come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// Which of the [sources](super::Report::sources), from 0 on.
    pub source: usize,
    /// Number of the game or position in it, from 1 on.
    pub game: usize,
    /// Number of the move, from 1 on; the moves of both players count.
    pub ply: usize,
}

/// What makes two losing moves the same case, worst first: what is lost for sure, whether a result
/// is kept, what is lost at most, and then the position, with what has been captured, and the move.
type CaseKey =
    (Reverse<u8>, bool, Reverse<u8>, (Board, [u8; 2]), House, Vec<House>, Option<ThrownAway>);

/// A move that gives seeds away, with all that a report says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Case {
    /// The position, the mover's row first.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "as_position"))]
    pub board: Board,
    /// Seeds captured by the mover and by the other player.
    pub captured: [u8; 2],
    /// The move.
    pub played: House,
    /// What it gives away.
    pub loss: Loss,
    /// The best moves.
    pub better: Vec<House>,
    /// The result that it throws away.
    #[cfg_attr(feature = "serde", serde(rename = "turn"))]
    pub thrown_away: Option<ThrownAway>,
    /// A line of best play instead, once it has been [added](super::Report::add_lines).
    pub line: Vec<char>,
    /// How often it was played.
    pub times: u64,
    /// Where it was played first.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub location: Location,
}

#[cfg(feature = "serde")]
fn as_position<S: Serializer>(board: &Board, serializer: S) -> Result<S::Ok, S::Error> {
    Position::from(*board).serialize(serializer)
}

impl Case {
    fn key(&self) -> CaseKey {
        let Case { loss: Loss { min, max }, thrown_away, .. } = *self;
        let (position, better) = ((self.board, self.captured), self.better.clone());
        let keeps_result = thrown_away.is_none();
        (Reverse(min), keeps_result, Reverse(max), position, self.played, better, thrown_away)
    }
}

/// The worst cases, a bounded number of them. A case that is once dropped has so many worse ones
/// that it never comes back, so what is kept does not depend on the order in which cases come, nor
/// on how they are divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstCases {
    limit: usize,
    cases: BTreeMap<CaseKey, Case>,
}

impl WorstCases {
    /// Returns an empty list that will keep `limit` cases.
    pub fn new(limit: usize) -> WorstCases {
        WorstCases { limit, cases: BTreeMap::new() }
    }

    /// Looks at a move, and keeps it if it loses and is among the worst.
    pub fn add(&mut self, at: &Position, played: House, location: Location, scored: &Scored) {
        let Loss { min: 1.., .. } = scored.loss else { return };
        if self.is_full_of_worse_than(scored.loss.min) {
            return;
        }
        self.enter(Case {
            board: at.board,
            captured: [at.captured().mover, at.captured().opponent],
            played,
            loss: scored.loss,
            better: scored.better.clone(),
            thrown_away: scored.thrown_away(),
            line: Vec::new(),
            times: 1,
            location,
        });
    }

    /// Whether there is no room for a case that loses `min` seeds for sure.
    fn is_full_of_worse_than(&self, min: u8) -> bool {
        let last = self.cases.last_key_value();
        self.cases.len() >= self.limit && last.is_none_or(|(_, last)| last.loss.min > min)
    }

    fn enter(&mut self, case: Case) {
        let entry = self.cases.entry(case.key()).or_insert(Case { times: 0, ..case.clone() });
        entry.times += case.times;
        entry.location = entry.location.min(case.location);
        if self.cases.len() > self.limit {
            self.cases.pop_last();
        }
    }

    /// Adds what another has kept.
    pub fn merge(&mut self, other: WorstCases) {
        other.cases.into_values().for_each(|case| self.enter(case));
    }

    /// Returns the cases, worst first.
    pub fn cases(&self) -> impl Iterator<Item = &Case> {
        self.cases.values()
    }

    /// Returns the cases, to put a line of best play into each.
    pub fn cases_mut(&mut self) -> impl Iterator<Item = &mut Case> {
        self.cases.values_mut()
    }
}
