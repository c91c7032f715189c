//! Games as text, in two forms that the reader recognizes by itself.
//!
//! **OGN** is to Oware what PGN is to chess: lines of tags, then moves, many games a file.
//!
//! ```text
//! [Variant "abapa"]
//! [FEN "0-0-0-0-1-2-1-0-0-0-3-0-20-21-S"]
//!
//! 1. E {a comment} a (1... e a variation)
//! 2. F ; a comment to the end of the line
//! 25-23
//! ```
//!
//! Moves are `A`..`F` by South and `a`..`f` by North, apart or run together, with or without move
//! numbers, glyphs (`!`, `?`, `$4`), and with or without what they capture, `F+2` as Aualé writes it or
//! `Fx2`; [`Record::contradictions`] holds it against the rules. Moves may also be squares or numbers,
//! as other programs write them: PlayStrategy's `c1f2`, OpenSpiel's 0 to 5, 0 to 11 over both rows,
//! and wikimanqala's pairs, `64`. A game ends with its result: `1-0`, `0-1`, `1/2-1/2`, `*`, or what
//! each player has in the end, with a dash of any kind. Without one it ends where the next game's tags
//! begin; after an empty line, where a tag comes a second time. A game starts where its `FEN` tag
//! says, or at the beginning.
//!
//! The **plain** form is a game a line: a position in any form of [`crate::game::Position`] or
//! `startpos`, the word `moves` or not, and moves; what engines are sent, `position startpos
//! moves FfB`, is of this form. Where the position does not say who is to move it is South. Numbers
//! between commas alone are the moves of a game from its beginning, but twelve of them a position.
//! Lines that begin with `#` or `%` are remarks, in both forms.
//!
//! Reading does not ask whether moves are legal: that depends on the rules.

mod annotation;
mod builder;
mod half_seeds;
mod ogn;
mod plain;
mod reader;
mod result;
mod tags;
mod writer;

pub use annotation::Annotation;
pub use half_seeds::HalfSeeds;
pub use reader::Reader;
#[cfg(test)]
pub(crate) use reader::{LONGEST_GAME, LONGEST_LINE};
pub use result::{Contradiction, RecordEnd};
pub use writer::{CaptureMark, WithCaptures};

use crate::game::position::Position;
use crate::game::rules::Rules;
use crate::game::seat::Ply;

/// What our comments begin with, so that they are known again.
pub(crate) const REMARK: &str = "oware: ";

/// A tag, as in `[South "Player A"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// What stands between the quotes.
    pub value: String,
}

/// A move as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    /// Who moved, and which house.
    pub ply: Ply,
    /// What it captures, as it was written; `None` if it was not written.
    pub captured: Option<u8>,
    /// What is said of it, in the order of the file.
    pub annotations: Vec<Annotation>,
}

impl RecordedMove {
    /// Returns a move of which nothing is said.
    pub const fn new(ply: Ply) -> RecordedMove {
        RecordedMove { ply, captured: None, annotations: Vec::new() }
    }

    /// Returns the comments on it, in their order.
    pub fn comments(&self) -> impl Iterator<Item = &str> {
        self.annotations.iter().filter_map(Annotation::as_comment)
    }
}

/// The record of a game. [`std::fmt::Display`] writes it as OGN, which reads as the same record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The tags in their order. A game of the plain form that has moves before it has a `FEN` tag.
    pub tags: Vec<Tag>,
    /// Where the game starts.
    pub start: Position,
    /// What is said before the first move.
    pub preface: Vec<Annotation>,
    /// The moves.
    pub moves: Vec<RecordedMove>,
    /// The result as it was written after the moves, or else in the `Result` tag; `*` if there is
    /// none.
    pub result: String,
}

impl Record {
    /// Returns the value of the first tag of this name, in capitals or not.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|tag| tag.name.eq_ignore_ascii_case(name))
            .map(|tag| tag.value.as_str())
    }

    /// Returns the rule sheet that the `Variant` tag names by its id; `None` without the tag, or if
    /// it says something else.
    pub fn sheet(&self) -> Option<&'static Rules> {
        Rules::by_id(&self.tag("Variant")?.trim().to_ascii_lowercase())
    }
}
