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
/// is thrown away, what is lost at most, and then the position and the move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct CaseKey {
    min: Reverse<u8>,
    keeps_result: bool,
    max: Reverse<u8>,
    board: Board,
    captured: [u8; 2],
    played: House,
    better: Vec<House>,
    thrown_away: Option<ThrownAway>,
}

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

/// Where a case was played first, how often, and a line of best play.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Occurrences {
    location: Location,
    times: u64,
    line: Vec<char>,
}

/// The worst cases, a bounded number of them. A case that is once dropped has so many worse ones
/// that it never comes back, so what is kept does not depend on the order in which cases come, nor
/// on how they are divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstCases {
    limit: usize,
    cases: BTreeMap<CaseKey, Occurrences>,
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
        let thrown_away = scored.thrown_away();
        let key = CaseKey {
            min: Reverse(scored.loss.min),
            keeps_result: thrown_away.is_none(),
            max: Reverse(scored.loss.max),
            board: at.board,
            captured: [at.captured().mover, at.captured().opponent],
            played,
            better: scored.better.clone(),
            thrown_away,
        };
        self.enter(key, Occurrences { location, times: 1, line: Vec::new() });
    }

    /// Whether there is no room for a case that loses `min` seeds for sure.
    fn is_full_of_worse_than(&self, min: u8) -> bool {
        let last = self.cases.last_key_value();
        self.cases.len() >= self.limit && last.is_none_or(|(last, _)| last.min.0 > min)
    }

    fn enter(&mut self, key: CaseKey, found: Occurrences) {
        let entry = self.cases.entry(key).or_insert(Occurrences { times: 0, ..found.clone() });
        entry.times += found.times;
        entry.location = entry.location.min(found.location);
        if self.cases.len() > self.limit {
            self.cases.pop_last();
        }
    }

    /// Adds what another has kept.
    pub fn merge(&mut self, other: WorstCases) {
        for (key, found) in other.cases {
            self.enter(key, found);
        }
    }

    /// Returns the boards of the cases, and where to put a line of best play for each.
    pub fn lines(&mut self) -> impl Iterator<Item = (&Board, &mut Vec<char>)> {
        self.cases.iter_mut().map(|(key, found)| (&key.board, &mut found.line))
    }

    /// Returns the cases, worst first.
    pub fn cases(&self) -> impl Iterator<Item = Case> + '_ {
        self.cases.iter().map(|(key, found)| Case {
            board: key.board,
            captured: key.captured,
            played: key.played,
            loss: Loss { min: key.min.0, max: key.max.0 },
            better: key.better.clone(),
            thrown_away: key.thrown_away,
            location: found.location,
            times: found.times,
            line: found.line.clone(),
        })
    }
}
