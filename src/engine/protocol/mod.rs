//! The text protocol of Oware engines, adapted from the Universal Chess Interface: commands of the
//! program that drives the engine ([`Command`]), and replies of the engine ([`Reply`]). Each is one
//! line of words between white space.
//!
//! | command | reply |
//! |---|---|
//! | `uci` | `id name …`, `id author …`, `option name … type …`, `uciok` |
//! | `isready` | `readyok` |
//! | `ucinewgame`, `setoption name N value V` | |
//! | `position startpos \| fen A-…-S\|N [moves FfBe…]` | |
//! | `go depth N \| movetime MS \| nodes N \| infinite` | `info …`, `bestmove X [ponder Y]` |
//! | `go wtime MS btime MS [winc MS] [binc MS] [movestogo N]` | the same |
//! | `go searchmoves M…` with any of these | the same, of these moves alone |
//! | `go ponder …` with any of these, then `ponderhit` or `stop` | the same, after that |
//! | `stop`, `ponderhit`, `quit` | |
//!
//! A position is in the engines' form (see [`crate::game::Position`]). Moves are letters, `A`..`F`
//! South's and `a`..`f` North's, run together or with white space between them. `bestmove 0000`
//! says that there is no move, since the game is over or the question could not be read. South's
//! clock is `wtime`.
//!
//! Both ends skip words that they do not know, as in the original. What begins as a command and
//! cannot be read is an error. Whether moves are legal is not checked here: that is a matter of
//! rules.

mod command;
mod reply;

pub use command::{Clock, Command, Go, Setup};
pub use reply::{Best, Info, OptionKind, Reply};

use crate::error::Error;
use crate::lines;

/// Returns the error for something that cannot be read.
fn wrong(what: impl Into<String>) -> Error {
    Error::Usage(what.into())
}

/// Returns at most forty characters of a text that was received.
pub(crate) fn shown(text: &str) -> String {
    lines::shown(text, 40)
}
