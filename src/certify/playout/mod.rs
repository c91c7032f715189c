//! Playing it out: does the player who follows our strategy get what the tables promise, against
//! every defence, and with the history that a game really has?
//!
//! [`crate::layer::Exceptions`] proves that a claim can be achieved. Here it is tried, by code that
//! knows nothing about default moves: it asks an `Adviser` for moves, plays one, and remembers
//! what has stood on the board since the last capture. One player follows the advice; the other,
//! the *defender*, plays anything.
//!
//! A `Claim` is a position with fresh history and one of its two players: the mover is promised
//! `low`, the opponent `−high`. A game ends by the rules, or a cycle is `CycleCut`.
//!
//! | | defences | cuts |
//! |---|---|---|
//! | [`prove_layer`] | all | anywhere on a cycle, which is the worst of all cuts |
//! | `play` | one | the given one, through captures to the end of the game |
//! | [`play_many`] | one after the other, at random | each for which scores hold (`CycleCut::of`) |
//!
//! In knots, where the sheet's first repetition decides, the first cuts there (`every`). The first two
//! end at a capture: history is fresh then, so what follows is a claim of its own, in a lower layer.
//! The advice depends on the position alone, in knots on the promise too, so whatever the first
//! finds about a layer and all those below holds for whole games. And if it finds that all claims
//! are achieved, every interval is right: each player can see to it that the score does not leave
//! it.

mod adviser;
mod claim;
mod defence;
mod every;
mod many;
#[path = "../../../tests/solver/playout/paths.rs"]
#[cfg(test)]
mod paths;
mod single;

pub use adviser::Certified;
pub use claim::Claim;
pub use every::{Trial, prove_layer};
pub use many::{Plan, Shortfall, Summary, play_many};

// What tests ask.
#[cfg(test)]
pub(crate) use {
    adviser::Adviser,
    claim::{CycleCut, Player},
    defence::Defence,
    every::{prove_with, worst_outcomes},
    paths::worst_on_paths,
    single::{Scenario, play},
};
