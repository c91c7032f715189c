//! The slow, obvious solvers: positions one by one, moves one by one, over and over.
//!
//! They know nothing of rows, blocks or half-boards, and next to nothing of Oware: they solve any
//! [`GameGraph`], that is, any finite set of positions with moves that stay in the set or leave it
//! for a known score. They stay next to the fast solver for ever, as the reference that it has to
//! equal.
//!
//! What play that never leaves is worth is the whole difference between them: nothing
//! ([`solve_even_split`]), the rows as they stand when the cycle is cut ([`solve_own_side`]), or no
//! seed for either player ([`solve_drawn`]). [`OwareLayer`] makes one layer of Oware a game of any
//! of these kinds, [`MancalaLayer`] one of another game.

mod mancala;
mod oware;
mod own_side;

pub use mancala::MancalaLayer;
pub use oware::OwareLayer;
#[cfg(test)]
pub use oware::tests::solved;
pub use own_side::{Forced, OwnSide, solve_drawn, solve_even_split, solve_forced, solve_own_side};

use crate::game::score::Interval;

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It leaves the set of positions for this score of the mover's, as far as that is known.
    Leaves(Interval),
    /// It leads to another position of the set, where the other player moves.
    Stays(usize),
}

/// A set of positions, numbered from 0, in which two players move in turn.
pub trait GameGraph {
    /// How many positions there are.
    fn positions(&self) -> usize;

    /// The moves of a position. A finished game has a single [`Step::Leaves`].
    fn steps(&self, position: usize) -> Vec<Step>;
}
