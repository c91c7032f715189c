//! Where the tail looks, and what it changes: all scores of a layer, or those that one of several
//! ranks has.

use super::visit::{Asked, Slot, Visit};
use crate::error::Result;

/// Scores that change at their turns.
pub trait Ground: Sync {
    /// The score of a position.
    fn score(&self, slot: Slot) -> i8;

    /// The score of a position that a crossing move leads to, as it was before the pair of the
    /// `parent` began to change.
    fn child(&self, child: Slot, parent: Slot) -> i8;

    /// What the best capture of a position leaves the opponent.
    fn captures(&self, slot: Slot) -> i8;

    /// The bound of a score that has one.
    fn bound(&self, slot: Slot) -> i8;

    /// Changes the score of a position.
    fn write(&mut self, slot: Slot, new: i8);

    /// Called before each turn.
    ///
    /// # Errors
    /// Whatever is to end the solve.
    fn turn_comes(&mut self) -> Result<()> {
        Ok(())
    }

    /// Whether all is at hand that an answer takes. If not, it is as if nothing had been asked.
    fn is_ready(&mut self, slot: Slot, asked: Asked) -> bool {
        let _ = (slot, asked);
        true
    }

    /// Takes a visit to a position that is somewhere else.
    fn takes(&mut self, visit: &Visit) -> bool {
        let _ = visit;
        false
    }
}
