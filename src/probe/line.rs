//! A line of best play.

use rustc_hash::FxHashMap;

use crate::error::Result;
use crate::game::{Board, Endless, House, Interval, Score, Seat, final_score};

use super::Prober;

/// A line of best play from a position: the moves, and how it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// The house emptied and the seeds captured by each move, of both players in turn; each house
    /// is counted by its owner.
    pub moves: Vec<(House, u8)>,
    /// Why there is no further move.
    pub ends: LineEnd,
    /// What the player who moves first gets of the seeds left at the end minus what the other one
    /// gets; `None` if the line stops before the game is over, or the rules do not say.
    pub rest: Option<Score>,
}

/// How a line of play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "line_end", rename_all = "snake_case"))]
pub enum LineEnd {
    /// The game is over.
    GameOver,
    /// The last move leads to a position that the line has been through, and that counts as a
    /// repetition.
    Cycle {
        /// How many moves lead to the cycle; those after them cycle.
        #[cfg_attr(feature = "serde", serde(rename = "cycle_after"))]
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

    /// Returns after how many moves the player who moves first has got `promise` for good: what is
    /// captured later, or left at the end, changes the difference no more. `None` if the line does
    /// not come to its end, or brings something else.
    ///
    /// This is the distance along the strategy of the tables. It is not the shortest one: the
    /// strategy achieves what is promised, in however many moves.
    pub fn collected_after(&self, promise: Score) -> Option<usize> {
        let (mut sum, mut last) = (self.rest?.get(), 0);
        for (played, &(_, captured)) in self.moves.iter().enumerate() {
            let gain = captured as i8;
            sum += if played % 2 == 0 { gain } else { -gain };
            last = if captured > 0 { played + 1 } else { last };
        }
        let last = if self.rest == Some(Score::ZERO) { last } else { self.moves.len() };
        (sum == promise.get()).then_some(last)
    }
}

/// The moves of a line up to its next capture.
#[derive(Clone, Debug)]
struct Stretch {
    moves: Vec<(House, u8)>,
    /// The position after them.
    at: Board,
    /// Why there is no further move; `None` after a capture.
    ends: Option<LineEnd>,
}

/// The moves that lead from positions to the ends of their lines, as far as they are known: lines
/// from many positions run together after captures. [`Prober::plies`] fills it.
#[derive(Debug, Default)]
pub struct KnownPlies(FxHashMap<Board, usize>);

/// The positions that are kept; there may be more to ask for.
const MOST_KNOWN: usize = 1 << 20;

/// Moves that lead from a capture to the next, at most, to be counted as plies of a line.
const LONGEST_STRETCH: usize = 1000;

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
    pub(crate) fn line_from(
        &mut self,
        board: &Board,
        score: Interval,
        limit: usize,
    ) -> Result<Line> {
        let (mut moves, mut at, mut claims) = (Vec::new(), *board, score);
        loop {
            let stretch = self.stretch(&at, claims, limit - moves.len())?;
            let before = moves.len();
            moves.extend(stretch.moves);
            at = stretch.at;
            let ends = match stretch.ends {
                None => {
                    claims = self.interval(&at)?;
                    continue;
                }
                Some(LineEnd::Cycle { after }) => LineEnd::Cycle { after: before + after },
                Some(ends) => ends,
            };
            let rest = self.rest(&at, ends);
            let rest =
                rest.map(|rest| if moves.len() % 2 == 0 { rest } else { rest.after_capture(0) });
            return Ok(Line { moves, ends, rest });
        }
    }

    /// Returns how many moves the line of best play from a position has, of which the score is
    /// known; `None` if there is no telling within a thousand moves without a capture.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub fn plies(
        &mut self,
        board: &Board,
        score: Interval,
        known: &mut KnownPlies,
    ) -> Result<Option<usize>> {
        let stretch = self.stretch(board, score, LONGEST_STRETCH)?;
        let moves = stretch.moves.len();
        match stretch.ends {
            Some(LineEnd::Limit) => return Ok(None),
            Some(_) => return Ok(Some(moves)),
            None => {}
        }
        let next = stretch.at;
        if let Some(rest) = known.0.get(&next) {
            return Ok(Some(moves + rest));
        }
        let score = self.interval(&next)?;
        let rest = self.plies(&next, score, known)?;
        if let Some(rest) = rest {
            if known.0.len() == MOST_KNOWN {
                known.0.clear();
            }
            known.0.insert(next, rest);
        }
        Ok(rest.map(|rest| moves + rest))
    }

    /// Returns the moves of a line up to its next capture, `limit` at most, by which the players go
    /// for what they claim.
    fn stretch(&mut self, board: &Board, mut claims: Interval, limit: usize) -> Result<Stretch> {
        let (mut moves, mut visited, mut at) = (Vec::new(), Vec::new(), *board);
        while moves.len() < limit {
            visited.push(at);
            let played = match claims.value() {
                Some(score) => self.keeping_move(&at, score)?,
                None => self.claiming_move(&at, claims.low)?,
            };
            let Some(played) = played else {
                return Ok(Stretch { moves, at, ends: Some(LineEnd::GameOver) });
            };
            moves.push((played.house, played.captured));
            at = played.next;
            if played.captured > 0 {
                return Ok(Stretch { moves, at, ends: None });
            }
            claims = claims.after_capture(0);
            // With the same player to move.
            let same_player = visited.iter().enumerate().skip(visited.len() % 2).step_by(2);
            let mut before = same_player.filter(|(_, seen)| **seen == at);
            if let Some((after, _)) = before.next() {
                // A repetition that does not count ends no game; going round twice brings none that
                // does.
                let ends = self.rules().worth_of_repetition(&at).is_some();
                if ends || before.next().is_some() {
                    return Ok(Stretch { moves, at, ends: Some(LineEnd::Cycle { after }) });
                }
            }
        }
        let over = final_score(self.rules(), &at).is_some();
        let ends = if over { LineEnd::GameOver } else { LineEnd::Limit };
        Ok(Stretch { moves, at, ends: Some(ends) })
    }

    /// Returns what the player to move gets of the seeds left where a line ends, minus what the
    /// other one gets.
    fn rest(&self, at: &Board, ends: LineEnd) -> Option<Score> {
        match ends {
            LineEnd::GameOver => final_score(self.rules(), at),
            LineEnd::Cycle { .. } if self.rules().endless == Endless::Drawn => None,
            LineEnd::Cycle { .. } => self.rules().worth_of_repetition(at),
            LineEnd::Limit => None,
        }
    }
}
