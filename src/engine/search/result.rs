//! What a search has found.

use std::sync::Arc;
use std::time::Duration;

use super::worth::Worth;
use crate::engine::protocol::Info;
use crate::error::Error;
use crate::game::{House, Ply, Seat};

/// What a search has found: the best move, what it is worth, and the line that follows.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SearchResult {
    /// The move to play, and what is expected after it.
    pub line: Vec<Ply>,
    /// What the game is worth to the mover.
    pub worth: Worth,
    /// Which of the best moves this is about, from 1 on.
    pub rank: u32,
    /// Plies looked ahead.
    pub depth: u32,
    /// Plies of the longest line that was looked at, captures at its end included.
    pub longest: u32,
    /// Thousandths of the transposition table that are in use.
    pub full: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Positions found in tables.
    pub hits: u64,
    /// A table that could not be read, and is not asked again in this search.
    pub trouble: Option<Arc<Error>>,
}

impl SearchResult {
    /// Returns the result as engines report it, after thinking for `time`.
    pub fn info(&self, time: Duration) -> Info {
        let micros = time.as_micros().max(1);
        Info {
            depth: Some(self.depth),
            seldepth: Some(self.longest),
            multipv: (self.rank > 1).then_some(self.rank),
            score: Some(self.worth.hundredths()),
            nodes: Some(self.nodes),
            nps: Some((u128::from(self.nodes) * 1_000_000 / micros) as u64),
            time: Some(time),
            tbhits: Some(self.hits),
            hashfull: Some(self.full),
            pv: self.line.clone(),
            string: None,
        }
    }
}

/// Returns the moves of a line that begins with a move of `seat`.
pub(super) fn plies(seat: Seat, line: impl IntoIterator<Item = House>) -> Vec<Ply> {
    let seats = [seat, seat.other()].into_iter().cycle();
    line.into_iter().zip(seats).map(|(house, seat)| Ply { seat, house }).collect()
}
