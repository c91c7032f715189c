//! What any game answers about a position, Oware under a rule sheet or another game.

use serde::Serialize;

use super::lines::add_line;
use crate::error::Result;

/// The answers to give about a position.
#[derive(Clone, Copy, Debug)]
pub struct Requested {
    /// Moves of best play at most.
    pub line: usize,
    /// Only the score.
    pub scores_only: bool,
    /// Also why the scores are what they are, in Oware.
    pub explain: bool,
}

/// The rules of a game, and the documents about its positions.
pub trait Game: Copy + Send + Sync + 'static {
    /// A position.
    type Position: Copy;
    /// What asks the tables.
    type Prober: Send;
    /// What the rules say of a position.
    type Moves: Serialize;
    /// The score of a position.
    type Score: Serialize;
    /// Everything that the tables know of a position.
    type Analysis: Serialize;

    /// Reads a position.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) and [`Error::Notation`](crate::Error::Notation).
    fn read(self, text: &str) -> Result<Self::Position>;

    /// Reads the position on a line, a text or JSON.
    ///
    /// # Errors
    /// As [`Game::read`].
    fn read_line(self, line: &[u8]) -> Result<Self::Position>;

    /// Returns how many seeds lie on the board.
    fn seeds(self, position: Self::Position) -> usize;

    /// Returns the moves, as in `A bx2`, through which an answer rests on the layer of `seeds` seeds,
    /// if there are any.
    fn path_to(self, position: Self::Position, seeds: usize, asked: Requested) -> Option<String>;

    /// Returns the legal moves.
    fn moves(self, position: Self::Position) -> Self::Moves;

    /// Asks the tables for the score.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    fn score(prober: &mut Self::Prober, position: Self::Position) -> Result<Self::Score>;

    /// Asks the tables for everything.
    ///
    /// # Errors
    /// As [`Game::score`].
    fn analysis(
        prober: &mut Self::Prober,
        position: Self::Position,
        asked: Requested,
    ) -> Result<Self::Analysis>;

    /// Appends the answer to a line to others.
    ///
    /// # Errors
    /// As [`Game::read`] and [`Game::score`].
    fn add_answer(
        self,
        prober: &mut Self::Prober,
        line: &[u8],
        asked: Requested,
        lines: &mut Vec<u8>,
    ) -> Result<()> {
        let position = self.read_line(line)?;
        match asked.scores_only {
            true => add_line(&Self::score(prober, position)?, lines),
            false => add_line(&Self::analysis(prober, position, asked)?, lines),
        }
        Ok(())
    }
}
