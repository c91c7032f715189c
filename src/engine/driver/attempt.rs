//! What came of asking an engine for a move.

use std::fmt;
use std::time::Duration;

use crate::engine::protocol::Best;
use crate::game::{Game, House};

/// What came of asking an engine for a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// A legal move.
    Move(House),
    /// It says that there is no move, and there is none.
    NoMove,
    /// A move that is not legal, or none where there is one.
    Illegal {
        /// What it said.
        said: String,
    },
    /// A `bestmove` that cannot be read.
    Garbled {
        /// What it said.
        said: String,
    },
    /// It says that the game is over, by its own rules: the position came back, but does not count
    /// by the sheet.
    ClaimsEnd,
    /// It did not answer in time.
    TimedOut,
    /// It was started and did not answer a command in time: it may not speak the protocol.
    Unresponsive {
        /// The command.
        asked: &'static str,
        /// The time it had.
        within: Duration,
    },
    /// It wrote more than [`MOST_OUTPUT`](super::MOST_OUTPUT).
    Flooded,
    /// It ended, or closed its output.
    Crashed {
        /// How it ended.
        how: String,
    },
    /// It has ended, and may not be started again.
    GaveUp,
}

impl Attempt {
    /// Judges whether what the engine wants can be played; `said` is its word for it.
    pub(super) fn of(game: &Game, best: Best, said: String) -> Attempt {
        match best.ply {
            None if game.over().is_some() => Attempt::NoMove,
            None if game.history().repeats().next().is_some() => Attempt::ClaimsEnd,
            Some(ply) if ply.seat == game.seat() && game.find(ply.house).is_some() => {
                Attempt::Move(ply.house)
            }
            Some(_) | None => Attempt::Illegal { said },
        }
    }
}

impl fmt::Display for Attempt {
    /// Says why an attempt that is not a move fails.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Attempt::Move(house) => write!(f, "{house}"),
            Attempt::NoMove => f.write_str("it said that there is no move"),
            Attempt::Illegal { said } => write!(f, "illegal move `{said}`"),
            Attempt::Garbled { said } => write!(f, "cannot be understood: `{said}`"),
            Attempt::ClaimsEnd => f.write_str("it says that the game is over, by another rule"),
            Attempt::TimedOut => f.write_str("time-out"),
            Attempt::Unresponsive { asked, within } => {
                let seconds = within.as_secs_f64();
                write!(f, "`{asked}` was not answered within {seconds} s after the start")
            }
            Attempt::Flooded => f.write_str("endless output"),
            Attempt::Crashed { how } => write!(f, "crash: {how}"),
            Attempt::GaveUp => f.write_str("it has crashed too often"),
        }
    }
}
