//! What moves are worth in the middle of a game.
//!
//! Bounds that hold wherever a cycle is cut are looked up without regard to what has been on the
//! board. A score that a search has settled inside them rests on the first repetition, and so on
//! history. It is still worth something after quiet moves
//!
//! * to a player who has made the strategy's moves since history was fresh: who follows it gets
//!   what was claimed then ([`super::claim`]), and the other player no more than the rest;
//! * one move after history was fresh, if the position before cannot recur.
//!
//! For the second, let a position be worth v, and let it lie in no knot for a claim of v or less.
//! Then a play that goes for such a claim never comes back to it (theorem A in
//! [`crate::solver::exact`]), so a child's score holds as far as v; and no move brings more than v.
//! A position with a score has a move stored for every claim up to it for which it lies in a knot.
//!
//! Invariant: what is said of a move beyond the bounds is true of the game with its history.

use super::Prober;
use super::scored_move::{ScoredMove, ScoredMoves};
use crate::error::Result;
use crate::game::{Board, History, Score};
use crate::layer::Layer;

impl Prober {
    /// Returns the legal moves of a game's position with what is known of them there, best first.
    ///
    /// Where history is not fresh, scores that only a search has settled need not hold: bounds
    /// stand in for them, but for what a player has been promised and has played for.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub(crate) fn moves_in_game(&mut self, history: &History) -> Result<ScoredMoves> {
        let board = &history.position().board;
        let moves = self.moves(board)?;
        if !self.rules().endless.is_settled() || !self.has_open_moves(&moves)? {
            return Ok(moves);
        }
        let [mover, opponent] = self.kept_claims(history)?;
        let bounds = self.bounds(board)?;
        let most = opponent.map_or(bounds.high, |claim| claim.after_capture(0));
        let mut moves = self.moves_for(board, mover.or(Some(bounds.low)))?;
        let is_fresh = history.since_capture().len() == 1;
        let scores_hold = is_fresh && !self.may_come_back(board)?;
        for scored in &mut moves {
            if scored.played.captured == 0 && !scores_hold {
                scored.interval = self.bounds(&scored.played.next)?.after_capture(0);
            }
            limit(scored, most);
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

    /// Returns whether play for what a position is worth may return to it, as far as is known.
    fn may_come_back(&mut self, board: &Board) -> Result<bool> {
        if Layer::of(self.rules(), board.seeds()).cell(board).is_none() {
            return Ok(false);
        }
        let is_open = self.interval(board)?.value().is_none();
        let held = self.settlement(board)?;
        Ok(is_open || held.is_some_and(|(settlement, rank)| settlement.is_in_knot(rank)))
    }

    /// Returns what the players were promised when history was last fresh, of the mover first: nothing
    /// if a move since then has not been one of the strategy.
    fn kept_claims(&mut self, history: &History) -> Result<[Option<Score>; 2]> {
        let since = history.since_capture();
        let promised = self.interval(&since[0].board)?;
        let mut kept = [promised.low, promised.high.after_capture(0)].map(Some);
        for (before, after) in since.iter().zip(&since[1..]) {
            if let Some(claim) = kept[0]
                && !self.is_of_strategy(&before.board, claim, &after.board)?
            {
                kept[0] = None;
            }
            kept.reverse();
        }
        Ok(kept)
    }

    /// Returns whether the strategy may go from one position to another to achieve a claim.
    fn is_of_strategy(&mut self, board: &Board, claim: Score, next: &Board) -> Result<bool> {
        let moves = self.moves_for(board, Some(claim))?;
        Ok(moves.iter().any(|scored| scored.collects.is_some() && scored.played.next == *next))
    }
}

/// Says no less of a move than it achieves, and no more than the opponent lets it bring.
fn limit(scored: &mut ScoredMove, most: Score) {
    let interval = &mut scored.interval;
    interval.low = interval.low.max(scored.collects.unwrap_or(interval.low)).min(most);
    interval.high = interval.high.min(most).max(interval.low);
}
