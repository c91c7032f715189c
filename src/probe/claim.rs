//! What a player may count on in the middle of a game.
//!
//! Scores are for fresh history. From there on a player *claims* what the position was worth then,
//! until the next capture makes history fresh again. Where bounds that hold wherever a cycle is cut
//! pay the claim, the strategy depends on the position alone. In knots, where only the first
//! repetition decides, it is a map from position and claim to a move: the two ends of a knot are
//! won by different moves.
//!
//! Invariant: whoever has made the move for their claim since history was fresh gets it.

use crate::error::Result;
use crate::game::{Board, History, Move, Score};

use super::Prober;
use super::scored_move::{ScoredMove, ScoredMoves, of_strategy};

/// What each player has been promised since history was last fresh, in seeds from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claims {
    /// Of the player to move.
    pub mover: Score,
    /// Of the other player.
    pub opponent: Score,
}

impl Claims {
    /// Returns the claims after a move that captures nothing.
    pub fn after_a_quiet_move(self) -> Claims {
        Claims { mover: self.opponent, opponent: self.mover }
    }
}

impl Prober {
    /// Returns the claims in a position with fresh history.
    pub(super) fn claims(&mut self, board: &Board) -> Result<Claims> {
        let interval = self.interval(board)?;
        Ok(Claims { mover: interval.low, opponent: interval.high.after_capture(0) })
    }

    /// Returns what the player to move may count on in a game, in seeds from now on: what the
    /// position was worth to that player when history was last fresh.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    #[doc(hidden)]
    pub fn claim(&mut self, history: &History) -> Result<Score> {
        let fresh = history.since_capture()[0];
        let claims = self.claims(&fresh.board)?;
        let is_mover = fresh.seat == history.position().seat;
        Ok(if is_mover { claims.mover } else { claims.opponent })
    }

    /// Returns the move by which the strategy of the tables secures what the position is worth
    /// with fresh history; `None` if the game is over.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub fn strategy_move(&mut self, board: &Board) -> Result<Option<Move>> {
        Ok(of_strategy(&self.moves(board)?))
    }

    /// Returns the move by which the strategy collects a claim; `None` if the game is over. A claim
    /// that is lost is given up for what the position is worth with fresh history.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    #[doc(hidden)]
    pub fn claiming_move(&mut self, board: &Board, claim: Score) -> Result<Option<Move>> {
        Ok(of_strategy(&self.moves_for(board, claim)?))
    }

    /// Returns the legal moves of a game's position with what is known of them there, best first.
    ///
    /// Where history is not fresh, scores that only a search has settled need not hold: bounds
    /// stand in for them. A move of the strategy brings what it collects.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    #[doc(hidden)]
    pub fn moves_in_game(&mut self, history: &History) -> Result<ScoredMoves> {
        let board = &history.position().board;
        let mut moves = self.moves(board)?;
        if !self.rules().endless.is_settled() {
            return Ok(moves);
        }
        let is_stale = history.since_capture().len() > 1 && self.has_open_moves(&moves)?;
        if is_stale {
            let claim = self.claim(history)?;
            moves = self.moves_for(board, claim)?;
        }
        for scored in &mut moves {
            if let Some(claim) = scored.collects {
                scored.interval.low = scored.interval.low.max(claim);
                scored.interval.high = scored.interval.high.max(claim);
            } else if is_stale && !scored.certified {
                scored.interval = self.bounds(&scored.played.next)?.after_capture(0);
            }
        }
        moves.sort_by_key(ScoredMove::order);
        Ok(moves)
    }

    /// Returns whether some move leads to a position of which bounds leave the score open, but a
    /// search may have settled it.
    fn has_open_moves(&mut self, moves: &[ScoredMove]) -> Result<bool> {
        for scored in moves.iter().filter(|scored| scored.played.captured == 0) {
            let next = &scored.played.next;
            if self.has_settled(next.seeds())? && self.bounds(next)?.value().is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the moves of [`Prober::moves`], those marked that the strategy may make to collect a
    /// claim.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    #[doc(hidden)]
    pub fn moves_for(&mut self, board: &Board, claim: Score) -> Result<ScoredMoves> {
        self.marked_moves(board, Some(claim))
    }
}
