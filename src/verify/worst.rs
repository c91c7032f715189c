//! The worst moves, each once, a bounded number of them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::game::{Board, House, Position};

use super::judge::{Loss, Scored};
use super::outcome::Turn;
use super::report::Place;

/// What makes two losing moves the same case, worst first: what is lost for sure, whether a result
/// is thrown away, what is lost at most, and then the position and the move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    min: Reverse<u8>,
    is_no_turn: bool,
    max: Reverse<u8>,
    board: Board,
    captured: [u8; 2],
    played: House,
    better: Vec<House>,
    turn: Option<Turn>,
}

/// A losing move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The position, the mover's row first.
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
    pub turn: Option<Turn>,
    /// Where it was played first.
    pub place: Place,
    /// How often it was played.
    pub times: u64,
    /// A line of best play instead, once it has been [added](super::Report::add_lines).
    pub line: Vec<char>,
}

/// Where a case was found, how often, and a line of best play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Found {
    place: Place,
    times: u64,
    line: Vec<char>,
}

/// The worst cases. A case that is once dropped has so many worse ones that it never comes back, so
/// what is kept does not depend on the order in which cases come, nor how they are divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worst {
    limit: usize,
    cases: BTreeMap<Key, Found>,
}

impl Worst {
    /// Keeps `limit` cases.
    pub fn new(limit: usize) -> Worst {
        Worst { limit, cases: BTreeMap::new() }
    }

    /// Looks at a move, and keeps it if it loses and is among the worst.
    pub fn add(&mut self, at: &Position, played: House, place: Place, scored: &Scored) {
        let Loss { min: 1.., .. } = scored.loss else { return };
        let full = self.cases.len() >= self.limit;
        if full
            && self
                .cases
                .last_key_value()
                .is_none_or(|(last, _)| Reverse(scored.loss.min) > last.min)
        {
            return;
        }
        let turn = scored.turn();
        let key = Key {
            min: Reverse(scored.loss.min),
            is_no_turn: turn.is_none(),
            max: Reverse(scored.loss.max),
            board: at.board,
            captured: [at.captured().mover, at.captured().opponent],
            played,
            better: scored.better.clone(),
            turn,
        };
        self.enter(key, Found { place, times: 1, line: Vec::new() });
    }

    fn enter(&mut self, key: Key, found: Found) {
        let entry = self.cases.entry(key).or_insert(Found { times: 0, ..found.clone() });
        entry.times += found.times;
        entry.place = entry.place.min(found.place);
        if self.cases.len() > self.limit {
            self.cases.pop_last();
        }
    }

    /// Adds what another has kept.
    pub fn merge(&mut self, other: Worst) {
        other.cases.into_iter().for_each(|(key, found)| self.enter(key, found));
    }

    /// The boards of the cases, and where to put a line of best play for each.
    pub fn lines(&mut self) -> impl Iterator<Item = (&Board, &mut Vec<char>)> {
        self.cases.iter_mut().map(|(key, found)| (&key.board, &mut found.line))
    }

    /// The cases, worst first.
    pub fn cases(&self) -> impl Iterator<Item = Case> + '_ {
        self.cases.iter().map(|(key, found)| Case {
            board: key.board,
            captured: key.captured,
            played: key.played,
            loss: Loss { min: key.min.0, max: key.max.0 },
            better: key.better.clone(),
            turn: key.turn,
            place: found.place,
            times: found.times,
            line: found.line.clone(),
        })
    }
}
