//! Positions as arguments: in quotes, as separate numbers, or one a line on standard input.

use oware_db::error::Result;
use oware_db::game::Position;
use oware_db::game::mancala::{Placement, Sheet};

/// The argument of commands that look at a position, or at many.
#[derive(clap::Args)]
pub struct PositionArgs {
    /// Twelve numbers, mover first (A B C D E F a b c d e f), in quotes or not; also
    /// `4-4-4-4-4-4-4-4-4-4-4-4-0-0-S` with both stores and `0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4`.
    /// Of the games beside Oware as many numbers as the board has places, the mover's first; in Nam
    /// Nam perhaps with the owners of the houses, as in `mmmmmmoooooo`
    #[arg(value_name = "POSITION", required_unless_present = "batch", num_args = 1..)]
    position: Vec<String>,
    /// Read one position a line from standard input and write one JSON object a line
    #[arg(long, conflicts_with = "position")]
    batch: bool,
}

/// Where the positions are.
pub enum Source {
    /// On the command line.
    One(Position),
    /// On standard input, one a line.
    Batch,
}

impl PositionArgs {
    /// Returns where the positions are.
    pub fn source(&self) -> Result<Source> {
        if self.batch { Ok(Source::Batch) } else { from_words(&self.position).map(Source::One) }
    }

    /// Returns the position of a game beside Oware; `None` if there are many, on standard input.
    pub fn placement(&self, sheet: &Sheet) -> Result<Option<Placement>> {
        if self.batch { Ok(None) } else { placement_from_words(sheet, &self.position).map(Some) }
    }
}

/// Reads a position that the shell may have cut into words.
pub fn from_words(words: &[String]) -> Result<Position> {
    words.join(" ").parse()
}

/// Reads a position of a game beside Oware that the shell may have cut into words.
pub fn placement_from_words(sheet: &Sheet, words: &[String]) -> Result<Placement> {
    sheet.parse(&words.join(" "))
}
