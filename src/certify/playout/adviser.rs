//! Who advises the player that follows the strategy.

use crate::error::Result;
use crate::game::{Board, Interval, Move, Rules};
use crate::probe::Prober;

/// What a playout asks: what positions are worth, and which moves collect it.
///
/// The worth of a position is taken as given, and compared with what the advice brings. The moves
/// are checked against the rules.
pub trait Adviser {
    /// Returns the rule sheet.
    fn rules(&self) -> &'static Rules;

    /// Returns what a position is worth to the mover.
    ///
    /// # Errors
    /// Whatever keeps the adviser from knowing.
    fn interval(&mut self, board: &Board) -> Result<Interval>;

    /// Returns the moves among which the strategy may choose for the mover's claim; none if the
    /// game is over. They depend on the position alone.
    ///
    /// # Errors
    /// As [`Adviser::interval`].
    fn advise(&mut self, board: &Board) -> Result<Vec<Move>>;
}

/// Advises the move of the strategy ([`Prober::strategy_move`]).
impl Adviser for Prober {
    fn rules(&self) -> &'static Rules {
        Prober::rules(self)
    }

    fn interval(&mut self, board: &Board) -> Result<Interval> {
        Prober::interval(self, board)
    }

    fn advise(&mut self, board: &Board) -> Result<Vec<Move>> {
        Ok(self.strategy_move(board)?.into_iter().collect())
    }
}

/// Advises every certified move that secures the mover's claim, or the move of the strategy where
/// no move is certified. So it shows what certificates are worth: even a player who takes now this
/// certified move and now that gets what was promised.
pub struct Certified(pub Prober);

impl Adviser for Certified {
    fn rules(&self) -> &'static Rules {
        self.0.rules()
    }

    fn interval(&mut self, board: &Board) -> Result<Interval> {
        self.0.interval(board)
    }

    fn advise(&mut self, board: &Board) -> Result<Vec<Move>> {
        let mut moves = self.0.moves(board)?;
        let low = moves.first().map(|best| best.interval.low);
        moves.retain(|scored| scored.certified && Some(scored.interval.low) == low);
        if moves.is_empty() {
            return self.0.advise(board);
        }
        Ok(moves.iter().map(|scored| scored.played).collect())
    }
}
