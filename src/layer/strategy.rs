//! Strategies: how a score is collected, and the certificate that it can be.
//!
//! Scores alone do not tell how to play. Whoever is ahead may keep the score with every move and
//! still go round until the cycle is cut; and after a quiet move, history is no longer fresh, so
//! that even a move that keeps the score may bring less (see
//! [`crate::solver::fixpoint::repetition`]). So a solver keeps also *when* each bound settled, and
//! whoever plays towards what settled earlier makes progress.
//!
//! # Claims
//!
//! In a position with interval `[low, high]` the mover **claims** `low`, the opponent claims
//! `−high`. Let P be either player. P's claim never shrinks along a play in which P's moves keep
//! it: an opponent's move leaves it as it is (such a move is *tight*) or raises it. A quiet move
//! of P's is tight if −`high` of the child is `low`; a quiet reply is tight if its `low` is the
//! claim of the player who did not make it.
//!
//! A table holds one byte for each position q, the [stamp](Moment::stamp) of the claim of the
//! player who is *not* to move there. Together with the [turn](Turn) of q it makes a [`Moment`],
//! and moments are ordered by stamp, then by turn. The stamp is 0 where nothing need be done about
//! that claim: under an even split where it is 0 or less, and where endless play is drawn where it
//! is the loss of every seed. In a position p the claim of the
//! mover has no byte; its moment follows from those of the children:
//!
//! * p is *done* if a capture, or the end of the game, brings `low` at once,
//! * otherwise its moment is the least one of all children that tight quiet moves lead to.
//!
//! Some stamps are [holds](Holds): there the claim may be kept by going round. A position is
//! *good* for a claim if a cycle that passes it and is cut there pays enough: under an even split
//! if the claim is 0 or less, where endless play is drawn if it is the loss of every seed,
//! otherwise if P's row minus the other is at least the claim, or if one row is empty, because no
//! cycle is cut there.
//!
//! # What a certified layer obeys
//!
//! With intervals of the lower layers that hold:
//!
//! 1. `low` of p is what the best move brings: captured − high of the child, and so on for `high`;
//!    in a finished game both are the difference of the rows.
//! 2. If p is not done, some quiet move of p is tight (that is part of 1).
//! 3. If the stamp of q is no hold, then every tight quiet reply is done or has a moment before
//!    q's.
//! 4. If the stamp of q is a hold, then q is good for the claim, and every tight quiet reply is
//!    done, or has an earlier stamp, or has the same stamp and is good for the claim, too.
//!
//! # Theorem 3: then claims can be collected
//!
//! Let P play so: in a done position, a move that brings `low` at once; otherwise a tight quiet
//! move to a child with the least moment, or, where its stamp is a hold, to any child with that
//! stamp. This secures P's claim in a position with fresh history: a play that ends, or leaves the
//! layer, pays P at least the claim, and so does one that goes round, wherever the cycle is cut, at
//! a position that counts or, under an even split, anywhere. (If the claim is the loss of every
//! seed, any move will do.)
//!
//! *Proof.* A move of P's keeps the claim, by its choice; an opponent's quiet move does not lower
//! it by 1; a capture by the opponent and the end of the game pay enough by 1 and by induction over
//! layers. So along the play the claim never falls. Suppose a cycle is closed. On it the claim is
//! the same everywhere, so all replies on it are tight, no position on it is done, and by 3 and 4
//! the stamps of the positions where the opponent moves never rise from one to the next; so they
//! are all the same one. If that is no hold, then by 3 the moments would fall for ever, on a cycle.
//! So it is a hold, and by 4 every position of the cycle is good for the claim. Under an even split
//! the claim is then 0 or less, and the cycle pays 0; otherwise a cut at any position that counts
//! pays P at least the claim. ∎
//!
//! The first move matters, too: it is one of the strategy's, so a cycle that closes on p itself is
//! no different. That is why a quiet move is *certified* if and only if this strategy may make it.
//!
//! # Why the solver's stamps obey 3 and 4
//!
//! A sweep computes positions in the order of their [turns](Turn), and a bound is computed from
//! bounds of earlier *moments* only: of this sweep and an earlier turn, or of an earlier sweep.
//! Which of the two does not matter; what stands at the same turn does, and is not read
//! ([`crate::solver::sweep`] says how that is seen to, whoever computes what when). The stamp of q
//! is the number of the sweep in which `high` of q last changed.
//!
//! Let `high` of q have reached its final value at moment m. Every reply r had, as it was read
//! then, a low bound of the claim or more, and those that are tight had their final one; let that
//! have been computed at m', so m' is before m. It rested on a capture, or on the `high` of a child
//! as it was read at m'. That `high` is the final one, or r would claim more than its moves bring;
//! so it settled before m'. Hence the least moment of r's children is before that of q, which is
//! condition 3. To read what is *stale*, of the last sweep though this one has something better, is
//! harmless: it settled even earlier. To read what changes at the same moment is not, for then two
//! claims may rest on each other. (A sweep that wrote the larger block of a pair at once, while
//! moves from that block into itself were read, broke condition 3 in 29, 82 and 272 positions of
//! 10, 12 and 14 seeds.)
//!
//! What a safe core adds ([`crate::solver::fixpoint::repetition`]) gets a stamp of its own, which
//! is a hold: its positions are good by the equations of the core.
//!
//! None of this need be believed: [`crate::certify::proof`] checks the conditions position by
//! position, and [`crate::certify::playout`] plays.

use std::cmp::Ordering;
use std::fmt;

use bitvec::prelude::{BitArray, Lsb0};

use crate::game::board::Board;
use crate::game::rules::{Endless, Rules};
use crate::game::score::Score;
use crate::layer::index::row_rank;

/// Stamp of a claim that settled too late to have a number: nothing is certified by it.
pub const UNSTAMPED: u8 = u8::MAX;

/// When a claim settled. Earlier is smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    /// The sweep, or the core.
    pub stamp: u8,
    /// When in a sweep.
    pub turn: Turn,
}

impl Moment {
    /// The moment of the claim against the mover of `board`.
    pub fn new(stamp: u8, board: &Board) -> Moment {
        Moment { stamp, turn: Turn::of(board) }
    }
}

impl fmt::Display for Moment {
    /// `stamp 3, turn 2.17`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Moment { stamp, turn: Turn { pair, step } } = self;
        write!(f, "stamp {stamp}, turn {pair}.{step}")
    }
}

/// When in a sweep over a layer a position is computed.
///
/// Blocks k and n − k are a *pair*, q is the smaller of the two numbers. Pairs come in the order of
/// q; within a pair all positions that share the half-board with more seeds come together, in the
/// order of its rank: first those where it is the mover's, then those where it is the opponent's.
/// Where both have n/2 seeds the one of larger rank counts; if both are the same, that position
/// comes between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn {
    /// The pair.
    pub pair: u8,
    /// When in the pair.
    pub step: u32,
}

impl Turn {
    /// The turn of a position.
    pub fn of(board: &Board) -> Turn {
        let (own, seeds) = (board.mover.seeds(), board.seeds().get());
        let step =
            turn_in_pair(seeds, own, row_rank(board.mover) as u32, row_rank(board.opponent) as u32);
        Turn { pair: own.min(seeds - own) as u8, step }
    }
}

/// When in its pair a position of block `own` is computed, given the ranks of its half-boards among
/// all with as many seeds.
#[inline(always)]
pub fn turn_in_pair(seeds: usize, own: usize, own_rank: u32, opponent_rank: u32) -> u32 {
    match own.cmp(&(seeds - own)) {
        Ordering::Greater => 2 * own_rank,
        Ordering::Less => 2 * opponent_rank + 1,
        Ordering::Equal => match own_rank.cmp(&opponent_rank) {
            Ordering::Greater => 4 * own_rank,
            Ordering::Equal => 4 * own_rank + 1,
            Ordering::Less => 4 * opponent_rank + 2,
        },
    }
}

/// The set of stamps whose claims may be kept by going round in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holds(BitArray<[u64; 4], Lsb0>);

impl Holds {
    /// Returns the holds of a sheet before any core is computed: the 0 of claims that need nothing,
    /// under an even split or where endless play is drawn.
    pub fn of(rules: &Rules) -> Holds {
        let mut holds = Holds::default();
        match rules.endless {
            Endless::EvenSplit | Endless::Drawn => holds.insert(0),
            Endless::OwnSide(_) => {}
        }
        holds
    }

    /// Adds a stamp.
    pub fn insert(&mut self, stamp: u8) {
        self.0.set(stamp.into(), true);
    }

    /// Whether a stamp is one.
    pub fn contains(&self, stamp: u8) -> bool {
        self.0[usize::from(stamp)]
    }

    /// As 256 bits, lowest stamp first.
    pub fn to_words(self) -> [u64; 4] {
        self.0.into_inner()
    }

    /// The inverse of [`Holds::to_words`].
    pub fn from_words(words: [u64; 4]) -> Holds {
        Holds(BitArray::new(words))
    }
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
    fn holds_are_a_set() {
        let mut holds = Holds::default();
        for stamp in [0, 63, 64, 200, 255] {
            assert!(!holds.contains(stamp));
            holds.insert(stamp);
            assert!(holds.contains(stamp));
        }
        assert_eq!((0..=255).filter(|&stamp| holds.contains(stamp)).count(), 5);
        assert_eq!(Holds::from_words(holds.to_words()), holds);
    }
}
