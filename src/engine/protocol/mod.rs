//! The text protocol of Oware engines, adapted from the Universal Chess Interface: what the one who
//! drives says ([`Command`]), and what the engine answers ([`Reply`]). One line each way, words
//! between white space.
//!
//! | command | answer |
//! |---|---|
//! | `uci` | `id name …`, `id author …`, `option name … type …`, `uciok` |
//! | `isready` | `readyok` |
//! | `ucinewgame`, `setoption name N value V` | |
//! | `position startpos \| fen A-…-S\|N [moves FfBe…]` | |
//! | `go depth N \| movetime MS \| nodes N \| infinite` | `info …`, `bestmove X [ponder Y]` |
//! | `stop`, `quit` | |
//!
//! A position is in the engines' form (see [`crate::game::Position`]). Moves are letters, `A`..`F` South's
//! and `a`..`f` North's, run together or with white space between them.
//!
//! Both ends skip words that they do not know, as the original has it. What begins as a command and
//! cannot be read is an error; whether moves are legal is not asked here, for that is a matter of
//! rules.

mod command;
mod reply;

#[doc(hidden)]
pub use crate::lines::{LONGEST_LINE, Lines};
pub use command::{Command, Go, Setup};
pub use reply::{Best, Info, OptionKind, Reply};

use crate::error::Error;

fn wrong(what: impl Into<String>) -> Error {
    Error::Usage(what.into())
}

/// At most forty characters of what somebody sent, none of them a control character.
pub(crate) fn shown(text: &str) -> String {
    let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", text[..end].chars().map(plain).collect::<String>()),
        None => text.chars().map(plain).collect(),
    }
}
