//! What any game answers about a position, Oware under a rule sheet or another game.

use serde::Serialize;

use super::asked::{self, AskedPosition};
use super::lines::{LONGEST_LINE, add_line};
use crate::error::{Error, Result};
use crate::game::Rules;
use crate::game::mancala::Sheet;
use crate::lines::unmarked_bytes;

/// A sheet of any game.
#[derive(Clone, Copy)]
pub enum AnySheet {
    /// One of Oware.
    Oware(&'static Rules),
    /// One of the other games.
    Other(&'static Sheet),
}

impl AnySheet {
    /// Returns the sheet of this id.
    pub fn by_id(id: &str) -> Option<AnySheet> {
        let other = || Sheet::by_id(id).map(AnySheet::Other);
        Rules::by_id(id).map(AnySheet::Oware).or_else(other)
    }

    /// Returns its id.
    pub fn id(self) -> &'static str {
        match self {
            AnySheet::Oware(rules) => rules.id,
            AnySheet::Other(sheet) => sheet.id,
        }
    }
}

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
    /// [`Error::Usage`] and [`Error::Notation`].
    fn read(self, text: &str) -> Result<Self::Position>;

    /// Reads a position that JSON asks about.
    ///
    /// # Errors
    /// As [`Game::read`].
    fn read_asked(self, asked: AskedPosition) -> Result<Self::Position>;

    /// Reads the position on a line: a text, or JSON, which is such a text, a list of numbers, or an
    /// object with one of them as `board`, as the answers are, and perhaps more.
    ///
    /// # Errors
    /// As [`Game::read`], and [`Error::Notation`] if the line is too long or JSON without a position;
    /// [`Error::HandedOn`] of an object with an `error`, which said why there was no answer before.
    fn read_line(self, line: &[u8]) -> Result<Self::Position> {
        let line = unmarked_bytes(line);
        let wrong = |what| Err(Error::Notation { what });
        if line.len() > LONGEST_LINE {
            return wrong(format!("the line is longer than {LONGEST_LINE} bytes"));
        }
        if let Some(b'{' | b'[' | b'"') = line.trim_ascii_start().first() {
            return self.read_asked(asked::read(line)?);
        }
        match std::str::from_utf8(line) {
            Ok(text) => self.read(text),
            Err(_) => wrong("the line is not UTF-8 text".to_owned()),
        }
    }

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
