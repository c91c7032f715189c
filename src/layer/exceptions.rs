//! Strategies without stamps: default moves, and where something else has to be done.
//!
//! Stamps ([`crate::layer::Strategy`]) say of every position when its claim settled, and take more
//! bytes than the scores. Nearly everywhere a simple rule does as well. Where the mover's claim
//! needs progress, the **default** move is
//!
//! * a capture that brings the claim at once, if there is one,
//! * otherwise the *lowest house* whose quiet move keeps it: for which −`high` of the child is
//!   `low`.
//!
//! A table holds, unless stamps are asked for, the **exceptions**: positions, each with the house that the
//! strategy empties there. Whether a claim needs progress, and which positions are *good* for it, is
//! said beside stamps.
//!
//! # Theorem 4: when claims are collected
//!
//! Let P make the default moves but for the exceptions. If each of these moves keeps the claim, and
//! no cycle of such moves of P's and of tight quiet replies passes a position that is not good for
//! P's claim, then P's claim is secured as in theorem 3.
//!
//! *Proof.* The claim never falls along a play, as there. On a cycle it is the same everywhere, so
//! all replies on it are tight and none of P's moves on it is a capture: it is one of the cycles of
//! which the theorem speaks. All of its positions are good, so wherever it is cut it pays enough. ∎
//!
//! # Where exceptions come from
//!
//! Default moves alone bring most claims. Call a claim *met* if nothing need be done about it, if a
//! capture or the end of the game brings it at once, or if all that follows it is met: of the
//! mover's claim that is the opponent's after the default move, of the opponent's the mover's after
//! every tight quiet reply. All others are *open*, and only where the mover's claim is open there
//! may be an exception. What is met leads only to what was met before, so no cycle passes a claim
//! that is met.
//!
//! Among open claims exceptions come from stamps ([`crate::solver::exceptions`]). Let the moment of
//! a default move be that of the child it leads to. If after every tight quiet reply the default
//! move's moment is before that of the position replied to, or in the same hold at a good position,
//! then conditions 3 and 4 hold of the moves that are made, and moments never rise round a cycle.
//! Where the default move fails this after *some* reply, the exception is the move to the child with
//! the least moment, which does not. So exceptions are a function of the solved layer alone.
//!
//! A layer with exceptions is a certificate, too, but one that takes more than a look at children:
//! [`crate::certify::proof`] looks for the cycles.

use crate::game::board::House;
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
        let pack = |found: Exception| found.rank.0 << HOUSE | found.house.index() as u64;
        let mut packed: Vec<u64> = all.into_iter().map(pack).collect();
        packed.sort_unstable();
        packed.dedup_by_key(|found| *found >> HOUSE);
        packed.shrink_to_fit();
        Exceptions(packed)
    }

    /// Returns all of them, smallest rank first.
    pub fn iter(&self) -> impl Iterator<Item = Exception> + '_ {
        self.0.iter().map(|&found| unpack(found))
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

fn unpack(found: u64) -> Exception {
    let house = House::new((found & ((1 << HOUSE) - 1)) as usize);
    Exception { rank: Rank(found >> HOUSE), house: house.expect("a house was packed") }
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
