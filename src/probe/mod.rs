//! Probing: the score, the moves and a line of best play of any position, from a directory of
//! tables.
//!
//! A position is answered from the cheapest source: a finished game needs no table, and
//! one that the layer's table leaves out (see [`Domain`](crate::layer::Domain)) is the best of its
//! moves, each of which leads to positions that are held. For one that is held, the table says what
//! it is worth *unless a capture brings as much*; so its captures are looked at, too, each in a
//! smaller layer. Among positions of 17 seeds that comes to 2.7 look-ups on average and to 20 at
//! most.
//!
//! Invariant: every bound obeys the rule of the game, `low` = the largest of captured − high of the
//! child over all moves, and `high` likewise with low. Where the first repetition ends the game, a
//! search has settled the few positions whose bounds differ; these scores are for fresh history,
//! and in some of them the best move leads to a child whose own score would not explain it.

mod certificate;
mod claim;
pub mod general;
mod in_game;
mod line;
mod prober;
#[cfg(feature = "remote")]
mod remote;
mod scored_move;
mod tabled;
mod tables;

pub use line::{KnownPlies, Line, LineEnd};
pub use prober::Prober;
pub use scored_move::{ScoredMove, ScoredMoves};
pub use tabled::Tabled;
pub use tables::{DEFAULT_CACHE, Tables, directories};

pub(crate) use scored_move::{best_of, better, of_strategy};
pub(crate) use tables::address;
