//! Who advises the player that follows the strategy.

use crate::error::Result;
use crate::game::{Board, Interval, Move, Rules, Score};
use crate::probe::Prober;

/// What a playout asks: what positions are worth, and which moves achieve it.
///
/// The worth of a position is taken as given, and compared with what the advice brings. The moves
/// are checked against the rules.
pub trait Adviser {
    /// Returns the rule sheet.
    fn rules(&self) -> &'static Rules;

    /// Returns what a position is worth to the mover with fresh history.
    ///
    /// # Errors
    /// Whatever keeps the adviser from knowing.
    fn interval(&mut self, board: &Board) -> Result<Interval>;

    /// Returns what a position is worth to the mover wherever a cycle is cut.
    ///
    /// # Errors
    /// As [`Adviser::interval`].
    fn bounds(&mut self, board: &Board) -> Result<Interval> {
        self.interval(board)
    }

    /// Returns the moves among which the strategy may choose to achieve what the mover was promised
    /// when history was fresh; none if the game is over. They depend on the position and the
    /// promise alone, and where the bounds pay the promise on the position alone.
    ///
    /// # Errors
    /// As [`Adviser::interval`].
    fn advise(&mut self, board: &Board, promised: Score) -> Result<Vec<Move>>;
}

/// Advises the move of the strategy that achieves the claim.
impl Adviser for Prober {
    fn rules(&self) -> &'static Rules {
        Prober::rules(self)
    }

    fn interval(&mut self, board: &Board) -> Result<Interval> {
        Prober::interval(self, board)
    }

    fn bounds(&mut self, board: &Board) -> Result<Interval> {
        Prober::bounds(self, board)
    }

    fn advise(&mut self, board: &Board, promised: Score) -> Result<Vec<Move>> {
        Ok(self.claiming_move(board, promised)?.into_iter().collect())
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

    fn bounds(&mut self, board: &Board) -> Result<Interval> {
        self.0.bounds(board)
    }

    fn advise(&mut self, board: &Board, promised: Score) -> Result<Vec<Move>> {
        let moves = self.0.moves_for(board, Some(promised))?;
        let collecting = moves.iter().filter(|scored| scored.collects.is_some());
        let collecting: Vec<Move> = collecting.map(|scored| scored.played).collect();
        if collecting.is_empty() { self.0.advise(board, promised) } else { Ok(collecting) }
    }
}
