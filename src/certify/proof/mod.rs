//! Proof: every score of a solved layer, and how it is achieved, derived again from rules and
//! index alone.
//!
//! A solver is a large program, and a table may come from anybody. Neither need be believed: a
//! layer with a strategy is a certificate, and this module checks it against the conditions of
//! [`crate::layer::Exceptions`]. It shares no code with the solver but the containers that hold its
//! results.
//!
//! # What a pass proves
//!
//! If the layer passes and all layers below have passed, then for every position with fresh history
//!
//! ```text
//!     low  ≤  value  ≤  high
//! ```
//!
//! wherever a cycle is cut: under [`Endless::OwnSide`](crate::game::Endless::OwnSide) at the first
//! position that counts and occurs for the second time since the last capture, or for the third, or
//! at any that counts on a cycle that has been closed; under
//! [`Endless::EvenSplit`](crate::game::Endless::EvenSplit) a cycle is worth 0. Both bounds are
//! achieved by the strategy of theorem 3, which looks at the position alone. So a score is *exact*
//! where `low == high`. Where scores are [clamped](crate::game::ScoreRange), the least score is no
//! claim, the largest says "at least", and so does what is proved. It rests on theorem 3, on
//! [`crate::game::legal_moves`], [`crate::layer::Layer`], [`crate::game::Board`] and
//! [`crate::game::Rules`], on what [`crate::layer::Exceptions`] defines, and on this module.
//!
//! It does **not** prove that an interval is as narrow as the definition in
//! `solver::fixpoint::repetition` allows: where `low < high`, a smaller interval might be
//! as true.
//!
//! # Why the minimax equations would not do
//!
//! That every bound is what its best move brings, which is condition 1, holds of wrong tables, too.
//! Where play can cycle, wrong scores support each other: A claims 2 because B claims −2, and B
//! because A does, though neither player ever gets a seed. The scores of `abapa` to seven seeds
//! solve the equations of `abapa-even` in every position, since the moves are the same, and 5,186
//! of them are wrong there (`tests/solver/proof.rs` has this and other such tables). What is
//! missing is progress, which is condition 2: the strategy cycles only where a cycle pays
//! enough.
//!
//! # How it is done
//!
//! [`Prover::judge`] goes through half-boards. A claim is *met* if what follows it is; passes go
//! on until nothing changes, then those that may be kept for ever at good positions are met together;
//! and again. [`Prover::judge_plainly`] goes through positions and their legal moves, and looks for
//! the cycles themselves, as strongly connected components. What is left is reported, position by
//! position. Tests hold the two against each other.

mod claims;
mod fault;
mod half_boards;
mod knots;
mod next;
mod position;
mod progress;
mod scan;

pub use claims::{Bounds, Claims};
pub use fault::{Fault, Objection};

use crate::error::{Error, Result};
use crate::game::{Rules, Seeds};
use crate::layer::{Layer, Rank};
use next::{Failing, Next};

/// Bytes that are needed for each position of a layer while it is proved: its bounds as stored, by
/// rank and as scores, and which claims are met.
const BYTES: u64 = 8;

/// Checks the certificates of the layers of a sheet, fewest seeds first.
#[derive(Debug)]
pub struct Prover {
    rules: &'static Rules,
    proved: Vec<Bounds>,
    layers: Vec<Layer>,
}

impl Prover {
    /// Makes a prover that knows the rules and nothing else.
    pub fn new(rules: &'static Rules) -> Prover {
        Prover { rules, proved: Vec::new(), layers: Vec::new() }
    }

    /// Asks the system for as much memory as the proof of a layer takes and gives it back, so that too
    /// little is an error, and no end of the program in the middle of a proof.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if the system has no memory to give.
    pub fn make_sure_of_room(layer: Layer) -> Result<()> {
        let bytes = layer.positions().saturating_mul(BYTES);
        let room =
            usize::try_from(bytes).ok().map(|bytes| Vec::<u8>::new().try_reserve_exact(bytes));
        room.and_then(std::result::Result::ok).ok_or(Error::OutOfMemory { bytes })
    }

    /// Makes sure that the layers proved so far tell apart the scores that captures from another one ask
    /// of them.
    ///
    /// # Errors
    /// [`Error::NarrowRange`] if one does not.
    pub fn make_sure_of_range(&self, layer: Layer) -> Result<()> {
        self.layers.iter().try_for_each(|below| below.make_sure_it_serves(layer))
    }

    /// Raises the bounds that a table stores to the values of captures, and in finished games to
    /// what the rows say: a table may store less there ([`crate::table`]).
    ///
    /// # Panics
    /// As [`Prover::judge`].
    pub fn complete(&self, claims: &mut Claims) {
        let mut bounds = std::mem::take(&mut claims.bounds);
        scan::complete(&self.next(claims), &mut bounds);
        claims.bounds = bounds;
    }

    /// Judges the next layer and, if it is proved, relies on its bounds from then on.
    ///
    /// # Panics
    /// As [`Prover::judge`].
    pub fn admit(&mut self, claims: Claims) -> ProofReport {
        let report = self.judge(&claims);
        if report.is_proved() {
            self.proved.push(claims.scores().into_owned());
            self.layers.push(claims.layer);
        }
        report
    }

    /// Judges claims about the next layer: the one above all that were admitted.
    ///
    /// # Panics
    /// If they are about another layer, or one whose range asks more of those below than they tell apart.
    pub fn judge(&self, claims: &Claims) -> ProofReport {
        let next = self.next(claims);
        report(&next, progress::failing(&next))
    }

    /// Judges the same claims slowly: position by position, move by move.
    ///
    /// # Panics
    /// As [`Prover::judge`].
    pub fn judge_plainly(&self, claims: &Claims) -> ProofReport {
        let next = self.next(claims);
        report(&next, position::failing(&next))
    }

    fn next<'a>(&'a self, claims: &'a Claims) -> Next<'a> {
        let range = claims.layer.range();
        let expected = Seeds::new(self.proved.len()).map(|seeds| Layer::of(self.rules, seeds));
        let expected = expected.map(|layer| layer.with_range(range));
        assert_eq!(Some(claims.layer), expected, "layers come in order, over their sheet's domain");
        self.make_sure_of_range(claims.layer).expect("layers below tell apart enough scores");
        Next { rules: self.rules, below: &self.proved, claims }
    }
}

/// The positions that fail; if there are none, those whose settled scores do.
fn report(next: &Next, failing: Failing) -> ProofReport {
    let (failing, fault): (_, fn(&Next, Rank) -> Fault) = match failing.count {
        0 => (knots::failing(next), knots::fault),
        _ => (failing, position::fault),
    };
    let spell = |rank| Objection { board: next.board(rank), fault: fault(next, rank) };
    ProofReport {
        seeds: next.claims.layer.seeds(),
        positions: next.claims.layer.positions(),
        exact: next.claims.stats().exact,
        failing: failing.count,
        objections: failing.ranks().map(spell).collect(),
    }
}

/// The result of checking the certificate of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProofReport {
    /// The layer.
    pub seeds: Seeds,
    /// Number of its positions.
    pub positions: u64,
    /// Number of positions whose bounds agree: exact scores, if the layer is proved.
    pub exact: u64,
    /// Number of positions that break a condition. The strategy is not checked before all bounds are
    /// right.
    pub failing: u64,
    /// The first of them, by rank.
    pub objections: Vec<Objection>,
}

impl ProofReport {
    /// Returns whether every position obeys every condition.
    pub fn is_proved(&self) -> bool {
        self.failing == 0
    }
}
