//! Strategies: how a score is collected, and the certificate that it can be.
//!
//! Scores alone do not tell how to play. The player who is ahead may keep the score with every move and
//! still go round until the cycle is cut; and after a quiet move, history is no longer fresh, so
//! that even a move that keeps the score may bring less (see
//! `solver::fixpoint::repetition`). So a table says of every position which move makes
//! progress, in few bytes: by a simple rule, and by the positions where that will not do.
//!
//! # Claims
//!
//! In a position with interval `[low, high]` the mover **claims** `low`, the opponent claims
//! `−high`. Let P be either player. P's claim never shrinks along a play in which P's moves keep
//! it: an opponent's move leaves it as it is (such a move is *tight*) or raises it. A quiet move
//! of P's is tight if −`high` of the child is `low`; a quiet reply is tight if its `low` is the
//! claim of the player who did not make it.
//!
//! Nothing need be done about a claim that any play brings: the loss of every seed, and under an
//! even split 0 or less. A position is *good* for a claim if a cycle that passes it and is cut there
//! pays enough: under an even split if the claim is 0 or less, where endless play is drawn if it is
//! the loss of every seed, otherwise if P's row minus the other is at least the claim, or if the
//! position does not count, because no cycle is cut there: on most sheets, where a row is empty.
//!
//! # Default moves
//!
//! Where something need be done about the mover's claim, the **default** move is
//!
//! * a capture that brings the claim at once, if there is one,
//! * otherwise the *lowest house* whose quiet move is tight.
//!
//! A table holds the **exceptions**: positions, each with the house that the strategy empties there.
//!
//! # What a certified layer obeys
//!
//! With intervals of the lower layers that hold:
//!
//! 1. `low` of a position is what the best move brings: captured − `high` of the child, and so on
//!    for `high`; in a finished game both are the difference of the rows.
//! 2. Each move of the strategy keeps the claim, and no cycle of its quiet moves and of tight quiet
//!    replies passes a position that is not good for the claim.
//!
//! # Theorem 3: then claims can be collected
//!
//! Let P make the moves of the strategy. This secures P's claim in a position with fresh history: a
//! play that ends, or leaves the layer, pays P at least the claim, and so does one that goes round,
//! wherever the cycle is cut, at a position that counts or, under an even split, anywhere.
//!
//! *Proof.* A move of P's keeps the claim; an opponent's quiet move does not lower it by 1; a capture
//! by the opponent and the end of the game pay enough by 1 and by induction over layers. So along the
//! play the claim never falls. Suppose a cycle is closed. On it the claim is the same everywhere, so
//! all replies on it are tight, and none of P's moves on it is a capture: it is one of the cycles of
//! which 2 speaks. All of its positions are good, so wherever it is cut it pays enough. ∎
//!
//! The first move matters, too: it is one of the strategy's, so a cycle that closes on the position
//! itself is no different. That is why a quiet move is *certified* if and only if the strategy makes
//! it.
//!
//! None of this need be believed: [`crate::certify::proof`] checks the conditions, and
//! [`crate::certify::playout`] plays.
//!
//! # When claims are met
//!
//! Condition 2 holds if claims can be put in an order: call a claim *met* if nothing need be done
//! about it, if a capture or the end of the game brings it at once, or if all that follows it is met:
//! of the mover's claim that is the opponent's after the strategy's move, of the opponent's the
//! mover's after every tight quiet reply. Claims may also be met together, each at a good position, if
//! all that follows is met before or with them. Then what is met leads only to what was met before, or
//! with it at good positions, and so does every cycle.
//!
//! Default moves alone meet most claims, and of those that they leave open most only lead into a
//! circle that others are in. So there are few exceptions: 508, 259 and 19 from 15 to 17 seeds of
//! `abapa`. [`crate::solver::claims`] says how they are found. They are a function of the bounds.

use std::collections::TryReserveError;

use crate::game::board::{Board, House};
use crate::game::rules::Rules;
use crate::game::score::Score;
use crate::layer::index::Rank;

/// A position in which the strategy does not make the default move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Exception {
    /// The position.
    pub rank: Rank,
    /// The house that the strategy empties there.
    pub house: House,
}

/// All exceptions of a layer, smallest rank first: eight bytes each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exceptions(Vec<u64>);

/// Bits of a house, below the rank.
const HOUSE: u32 = 3;

impl Exceptions {
    /// Collects exceptions, in any order; of two in one position that of the lower house counts.
    pub fn new(all: impl IntoIterator<Item = Exception>) -> Exceptions {
        let mut packed: Vec<u64> = all.into_iter().map(pack).collect();
        packed.sort_unstable();
        packed.dedup_by_key(|found| *found >> HOUSE);
        packed.shrink_to_fit();
        Exceptions(packed)
    }

    /// Makes room for exceptions that come in order, if there is memory for them.
    pub(crate) fn with_room(count: usize) -> Result<Exceptions, TryReserveError> {
        let mut packed = Vec::new();
        packed.try_reserve_exact(count)?;
        Ok(Exceptions(packed))
    }

    /// Adds an exception, whose rank is greater than all before it.
    pub(crate) fn push(&mut self, found: Exception) {
        debug_assert!(self.0.last().is_none_or(|last| last >> HOUSE < found.rank.0), "in order");
        self.0.push(pack(found));
    }

    /// Returns all of them, smallest rank first.
    pub fn iter(&self) -> impl Iterator<Item = Exception> + '_ {
        self.0.iter().map(|&found| unpack(found))
    }

    /// All of them as numbers.
    pub(crate) fn words(&self) -> &[u64] {
        &self.0
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the house that the strategy empties in a position where it does not make the default
    /// move; `None` where it does.
    pub fn house(&self, rank: Rank) -> Option<House> {
        let at = self.0.binary_search_by_key(&rank.0, |found| *found >> HOUSE);
        at.ok().map(|at| unpack(self.0[at]).house)
    }
}

fn pack(found: Exception) -> u64 {
    found.rank.0 << HOUSE | found.house.index() as u64
}

fn unpack(found: u64) -> Exception {
    let house = House::new((found & ((1 << HOUSE) - 1)) as usize);
    Exception { rank: Rank(found >> HOUSE), house: house.expect("a house was packed") }
}

/// Whether a cycle that is cut at `board` pays the mover's `claim`.
pub fn is_good_for_mover(rules: &Rules, board: &Board, claim: Score) -> bool {
    rules.worth_of_repetition(board).is_none_or(|worth| worth >= claim)
}

/// Whether a cycle that is cut at `board` pays the `claim` of the player who is not to move.
pub fn is_good_for_opponent(rules: &Rules, board: &Board, claim: Score) -> bool {
    is_good_for_mover(rules, &board.turned(), claim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_are_found_by_rank() {
        let house = |at| House::new(at).unwrap();
        let exception = |rank, at| Exception { rank: Rank(rank), house: house(at) };
        let all = [exception(70, 5), exception(3, 0), exception(70, 2), exception(0, 4)];
        let found = Exceptions::new(all);
        let sorted = [exception(0, 4), exception(3, 0), exception(70, 2)];
        assert!(found.iter().eq(sorted) && found.len() == 3 && !found.is_empty());
        for rank in 0..100 {
            let expected = sorted.iter().find(|held| held.rank.0 == rank).map(|held| held.house);
            assert_eq!(found.house(Rank(rank)), expected);
        }
    }
}
