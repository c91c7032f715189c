//! A line of best play.

use serde::Serialize;

use crate::error::Result;
use crate::game::{Board, House, Interval, Seat, final_score};

use super::Prober;
use super::claim::Claims;

/// A line of best play from a position: the moves, and how it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The house emptied and the seeds captured by each move, of both players in turn; each house
    /// is counted by its owner.
    pub moves: Vec<(House, u8)>,
    /// Why there is no further move.
    pub ends: LineEnd,
}

/// How a line of play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "line_end", rename_all = "snake_case")]
pub enum LineEnd {
    /// The game is over.
    GameOver,
    /// The last move leads to a position that the line has been through.
    Cycle {
        /// How many moves lead to the cycle; those after them go round.
        #[serde(rename = "cycle_after")]
        after: usize,
    },
    /// The line is as long as was asked for.
    Limit,
}

impl Line {
    /// Returns the letters of the moves: `A`..`F` for the player who moves first, `a`..`f` for the
    /// other.
    pub fn letters(&self) -> impl Iterator<Item = char> {
        let seats = Seat::BOTH.into_iter().cycle();
        self.moves.iter().zip(seats).map(|(&(house, _), seat)| seat.letter(house))
    }

    /// Returns how many moves it takes until the next capture, that one included, or until the game
    /// is over; `None` if the line ends before, or in a cycle.
    pub fn until_capture(&self) -> Option<usize> {
        let capture = self.moves.iter().position(|&(_, captured)| captured > 0);
        capture.map(|at| at + 1).or((self.ends == LineEnd::GameOver).then_some(self.moves.len()))
    }
}

impl Prober {
    /// Returns a line of best play from `board`, at most `limit` moves long: both players follow
    /// the strategy.
    ///
    /// Where the tables hold strategies, a line that ends in a cycle is one that neither player can
    /// improve on: any cut of the cycle pays within the interval of its positions.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub fn line(&mut self, board: &Board, limit: usize) -> Result<Line> {
        let score = self.interval(board)?;
        self.line_from(board, score, limit)
    }

    /// Returns the line of [`Prober::line`] from a position of which the score is known.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    #[doc(hidden)]
    pub fn line_from(&mut self, board: &Board, score: Interval, limit: usize) -> Result<Line> {
        let (mut moves, mut visited) = (Vec::new(), Vec::new());
        let mut at = *board;
        let mut claims = Claims::from(score);
        while moves.len() < limit {
            visited.push(at);
            let Some(played) = self.claiming_move(&at, claims.mover)? else {
                return Ok(Line { moves, ends: LineEnd::GameOver });
            };
            moves.push((played.house, played.captured));
            at = played.next;
            claims = match played.captured {
                0 => claims.after_a_quiet_move(),
                _ => self.claims(&at)?,
            };
            if let Some(after) = visited.iter().position(|seen| *seen == at) {
                return Ok(Line { moves, ends: LineEnd::Cycle { after } });
            }
        }
        let over = final_score(self.rules(), &at).is_some();
        Ok(Line { moves, ends: if over { LineEnd::GameOver } else { LineEnd::Limit } })
    }
}
