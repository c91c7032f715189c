//! What a player may count on in the middle of a game.
//!
//! Scores are for fresh history. From there on a player *claims* what the position was worth then,
//! until the next capture makes history fresh again: of an interval the mover claims `low`, the
//! opponent −`high`, and a quiet move turns it round. Where bounds that hold wherever a cycle is cut
//! pay the claim, the strategy depends on the position alone. In knots, where only the first
//! repetition decides, it is a map from position and claim to a move: the two ends of a knot are
//! won by different moves.
//!
//! Invariant: a player who has made the move for their claim since history was fresh gets it.

use crate::error::Result;
use crate::game::{Board, Interval, Move, Score, legal_moves};

use super::Prober;
use super::scored_move::of_strategy;

impl Prober {
    /// Returns the move by which the strategy of the tables secures what the position is worth
    /// with fresh history; `None` if the game is over.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub fn strategy_move(&mut self, board: &Board) -> Result<Option<Move>> {
        Ok(of_strategy(&self.moves(board)?))
    }

    /// Returns the move by which the strategy achieves a claim; `None` if the game is over. A claim
    /// that is lost is given up for what the position is worth with fresh history.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub(crate) fn claiming_move(&mut self, board: &Board, claim: Score) -> Result<Option<Move>> {
        Ok(of_strategy(&self.moves_for(board, Some(claim))?))
    }

    /// Returns what [`Prober::claiming_move`] does where the claim is the exact score: it looks at moves
    /// only until the strategy's is found. A capture that keeps the score comes first, then the
    /// exception of the table, then the first move that keeps it.
    pub(super) fn keeping_move(&mut self, board: &Board, score: Score) -> Result<Option<Move>> {
        if self.has_settled(board.seeds())? {
            return self.claiming_move(board, score);
        }
        let moves = legal_moves(self.rules(), board);
        if moves.is_empty() {
            return Ok(None);
        }
        let captures = moves.iter().filter(|played| played.captured > 0);
        if let Some(capture) = self.first_keeping(captures, board, score)? {
            return Ok(Some(capture));
        }
        let exception = self.exception(board, score)?;
        let named = |played: &Move| exception.is_none_or(|house| played.house == house);
        let quiet = moves.iter().filter(|played| played.captured == 0 && named(played));
        if let Some(quiet) = self.first_keeping(quiet, board, score)? {
            return Ok(Some(quiet));
        }
        self.claiming_move(board, score)
    }

    /// Returns the first of the moves of a position that keeps its exact score.
    fn first_keeping(
        &mut self,
        mut moves: impl Iterator<Item = Move>,
        board: &Board,
        score: Score,
    ) -> Result<Option<Move>> {
        let range = self.range(board.seeds())?;
        let mut keeps = |played: &Move| {
            let found = self.interval(&played.next)?.after_capture(played.captured);
            Ok(range.known(found) == Interval::exact(score))
        };
        moves
            .find_map(|played| keeps(&played).map(|keeps| keeps.then_some(played)).transpose())
            .transpose()
    }
}
