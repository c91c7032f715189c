//! The slow, obvious solvers: positions one by one, moves one by one, over and over.
//!
//! They know nothing of rows, blocks or half-boards, and next to nothing of Oware: they solve any
//! [`Finite`] game, that is, any finite set of positions with moves that stay in the set or leave it
//! for a known score. They are the reference that the fast solver has to equal.
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
pub use oware::solved;
pub use own_side::{Forced, solve_drawn, solve_even_split, solve_forced, solve_own_side};

use oware_db::solver::game_graph::GameGraph;

/// A game whose positions are numbered from 0.
pub trait Finite: GameGraph {
    /// How many positions there are.
    fn positions(&self) -> usize;
}
