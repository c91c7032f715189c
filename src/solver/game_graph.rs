//! A finite game as numbers: what the searches of knots and open positions solve, and in tests the
//! slow solvers (`tests/solver/oracle`).

use crate::game::score::{Interval, Score};

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It leaves the set of positions for this score of the mover's, as far as that is known.
    Leaves(Interval),
    /// It leads to another position of the set, where the other player moves.
    Stays(usize),
}

/// A set of numbered positions in which two players move in turn.
pub trait GameGraph {
    /// The moves of a position. A finished game has a single [`Step::Leaves`].
    fn steps(&self, position: usize) -> Vec<Step>;
}

/// A game whose endless plays are cut somewhere and pay what the rows hold there.
///
/// Every cycle of moves must pass through a position that counts.
pub trait OwnSide: GameGraph {
    /// What the mover's row holds more than the other; `None` where that does not count because
    /// a row is empty: no repetition ends the game there.
    fn own_rows(&self, position: usize) -> Option<Score>;
}
