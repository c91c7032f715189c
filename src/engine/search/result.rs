//! What a search has found.

use std::sync::Arc;
use std::time::Duration;

use super::worth::Worth;
use crate::engine::protocol::Info;
use crate::error::Error;
use crate::game::{House, Ply, Seat};

/// What a search has found: the best move, what it is worth, and the line that follows.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The move to play, and what is expected after it.
    pub line: Vec<Ply>,
    /// What the game is worth to the mover.
    pub worth: Worth,
    /// Plies looked ahead.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Positions found in tables.
    pub hits: u64,
    /// A table that could not be read, and is not asked again in this search.
    pub trouble: Option<Arc<Error>>,
}

impl PartialEq for SearchResult {
    /// Compares everything; errors are equal if their messages are.
    fn eq(&self, other: &SearchResult) -> bool {
        let figures =
            |result: &SearchResult| (result.worth, result.depth, result.nodes, result.hits);
        let trouble = |result: &SearchResult| result.trouble.as_ref().map(ToString::to_string);
        self.line == other.line
            && figures(self) == figures(other)
            && trouble(self) == trouble(other)
    }
}

impl SearchResult {
    /// Returns the result as engines report it, after thinking for `time`.
    pub fn info(&self, time: Duration) -> Info {
        Info {
            depth: Some(self.depth),
            score: Some(self.worth.hundredths()),
            nodes: Some(self.nodes),
            time: Some(time),
            tbhits: Some(self.hits),
            pv: self.line.clone(),
            string: None,
        }
    }
}

/// Returns the moves of a line that begins with a move of `seat`.
pub(super) fn plies(seat: Seat, line: &[House]) -> Vec<Ply> {
    let seats = [seat, seat.other()].into_iter().cycle();
    line.iter().zip(seats).map(|(&house, seat)| Ply { seat, house }).collect()
}
