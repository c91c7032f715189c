//! Proof: every score and every stamp of a solved layer, derived anew from rules and index alone.
//!
//! A solver is a large program, and a table may come from anybody. Neither need be believed: a
//! layer with a strategy is a certificate, and this module checks it, one position after the other,
//! against the four conditions of [`crate::layer::Strategy`]. It shares no code with the solver but the
//! containers that hold its results.
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
//! collected by the strategy of theorem 3, which looks at the position alone. So a score is *exact*
//! where `low == high`. It rests on theorem 3, on [`crate::game::legal_moves`], [`crate::layer::Layer`],
//! [`crate::game::Board`] and [`crate::game::Rules`], on what [`crate::layer::Strategy`] defines, and on this module.
//!
//! It does **not** prove that an interval is as narrow as the definition in
//! [`crate::solver::repetition`] allows: where `low < high`, a smaller interval might be as true.
//!
//! # Why the minimax equations would not do
//!
//! That every bound is what its best move brings, which is condition 1, holds of wrong tables, too.
//! Where play can go round, wrong scores support each other: A claims 2 because B claims −2, and B
//! because A does, though nobody ever gets a seed. The scores of `abapa` to seven seeds solve the
//! equations of `abapa-even` in every position, since the moves are the same, and 5,186 of them are
//! wrong there (`tests/proof.rs` has this and other such tables). What is missing is progress. The
//! stamps show it: a claim is held up by one that settled *earlier*, or by a cycle that pays
//! enough.
//!
//! # How it is done
//!
//! Condition 3 looks two plies ahead: at the replies, and at the children that those lead to. Two
//! scans over the layer, each one ply deep, do the same with less:
//!
//! 1. the first compares the bounds of each position with what its moves bring, and notes the
//!    *moment* of its mover's claim: nothing to wait for if the position is done, otherwise the
//!    least moment of the children that tight quiet moves lead to;
//! 2. the second compares each stamp with the moments of the tight quiet replies.
//!
//! [`Prover::judge`] goes through half-boards, [`Prover::judge_plainly`] through positions and
//! their legal moves; it looks two plies ahead where that is what a condition says, and words what
//! is found. Tests hold the two against each other. On one thread of a shared Intel Xeon, layers of
//! 10 to 17 seeds of `abapa`, half-boards take 60 to 90 ns for a position, legal moves 900 to 1,200.

mod halves;
mod position;
mod scan;

use std::fmt;

use rayon::prelude::*;

use crate::game::{Board, Rules, Seeds};
use crate::layer::{Holds, Layer, LayerStats, Moment, Plane, Rank, Solved, Strategy};

/// How many objections a verdict spells out.
const SPELT: usize = 10;

/// The bounds of a layer, by rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// What the mover is said to secure.
    pub low: Vec<i8>,
    /// What the mover is said not to exceed; `None` where it equals `low` for every position.
    pub high: Option<Vec<i8>>,
}

impl Bounds {
    /// The upper bounds, whether or not they are kept apart.
    pub fn high(&self) -> &[i8] {
        self.high.as_deref().unwrap_or(&self.low)
    }
}

/// What a solved layer claims: bounds and stamps by rank, and which stamps are holds. None of it is
/// believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// The layer.
    pub layer: Layer,
    /// The bounds.
    pub bounds: Bounds,
    /// The stamp of each position, see [`crate::layer::Strategy`].
    pub stamps: Vec<u8>,
    /// The stamps that are said to be holds.
    pub holds: Holds,
}

impl Claims {
    /// Those of a solved layer and a strategy for it.
    ///
    /// # Panics
    /// If the strategy belongs to another layer.
    pub fn of(solved: Solved, strategy: Strategy) -> Claims {
        let layer = solved.layer();
        assert_eq!(strategy.stamps.layer(), layer, "a strategy for this layer");
        let by_rank = |plane: Plane| -> Vec<i8> { plane.stretches().collect::<Vec<_>>().concat() };
        let bounds = Bounds { low: by_rank(solved.low), high: solved.high.map(by_rank) };
        let stamps = by_rank(strategy.stamps).into_iter().map(i8::cast_unsigned).collect();
        Claims { bounds, stamps, holds: strategy.holds, layer }
    }

    /// The figures of the layer, if the bounds are right.
    pub fn stats(&self) -> LayerStats {
        LayerStats::of_bounds(self.layer.seeds(), &self.bounds.low, self.bounds.high())
    }

    /// How many positions have bounds that agree.
    fn exact(&self) -> u64 {
        let pairs = self.bounds.low.par_iter().zip(self.bounds.high());
        pairs.filter(|(low, high)| low == high).count() as u64
    }
}

/// Judges the layers of a sheet, fewest seeds first.
#[derive(Debug)]
pub struct Prover {
    rules: &'static Rules,
    proved: Vec<Bounds>,
}

impl Prover {
    /// One that knows the rules and nothing else.
    pub fn new(rules: &'static Rules) -> Prover {
        Prover { rules, proved: Vec::new() }
    }

    /// Raises the bounds that a table stores to what captures bring, and in finished games to what the
    /// rows say: a table may store less there ([`crate::table`]).
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
    pub fn admit(&mut self, claims: Claims) -> Verdict {
        let verdict = self.judge(&claims);
        if verdict.is_proved() {
            self.proved.push(claims.bounds);
        }
        verdict
    }

    /// Judges claims about the next layer: the one above all that were admitted.
    ///
    /// # Panics
    /// If they are about another layer.
    pub fn judge(&self, claims: &Claims) -> Verdict {
        let next = self.next(claims);
        self.verdict(claims, scan::failing(&next))
    }

    /// The same, slowly: position by position, move by move.
    ///
    /// # Panics
    /// As [`Prover::judge`].
    pub fn judge_plainly(&self, claims: &Claims) -> Verdict {
        let next = self.next(claims);
        self.verdict(claims, position::failing(&next))
    }

    fn next<'a>(&'a self, claims: &'a Claims) -> Next<'a> {
        let expected = Seeds::new(self.proved.len()).map(|seeds| Layer::of(self.rules, seeds));
        assert_eq!(Some(claims.layer), expected, "layers come in order, over their sheet's domain");
        Next { rules: self.rules, below: &self.proved, claims }
    }

    fn verdict(&self, claims: &Claims, failing: Failing) -> Verdict {
        let next = self.next(claims);
        let spell =
            |rank| Objection { board: next.board(rank), fault: position::fault(&next, rank) };
        Verdict {
            seeds: claims.layer.seeds(),
            positions: claims.layer.positions(),
            exact: claims.exact(),
            failing: failing.count,
            objections: failing.ranks().map(spell).collect(),
        }
    }
}

/// A layer to judge, and what it may rely on.
struct Next<'a> {
    rules: &'a Rules,
    /// The bounds of all layers below, by number of seeds.
    below: &'a [Bounds],
    claims: &'a Claims,
}

impl Next<'_> {
    fn board(&self, rank: Rank) -> Board {
        self.claims.layer.position(rank).expect("a rank of the layer")
    }
}

/// Positions that break a condition.
#[derive(Debug, Default)]
struct Failing {
    count: u64,
    /// Some of them, among them the first.
    some: Vec<Rank>,
}

impl Failing {
    fn note(&mut self, rank: u64) {
        self.count += 1;
        self.some.push(Rank(rank));
        if self.some.len() > 4 * SPELT {
            self.some.sort_unstable();
            self.some.truncate(SPELT);
        }
    }

    fn join(mut self, other: Failing) -> Failing {
        other.some.iter().for_each(|rank| self.note(rank.0));
        self.count += other.count - other.some.len() as u64;
        self
    }

    /// The first of them.
    fn ranks(mut self) -> impl Iterator<Item = Rank> {
        self.some.sort_unstable();
        self.some.into_iter().take(SPELT)
    }
}

/// What has come of judging a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The layer.
    pub seeds: Seeds,
    /// How many positions it has.
    pub positions: u64,
    /// How many of them have bounds that agree: scores, if the layer is proved.
    pub exact: u64,
    /// How many positions break a condition. Stamps are not looked at before all bounds are right.
    pub failing: u64,
    /// The first of them, by rank.
    pub objections: Vec<Objection>,
}

impl Verdict {
    /// Whether every position obeys every condition.
    pub fn is_proved(&self) -> bool {
        self.failing == 0
    }
}

/// A position that breaks a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    /// The position.
    pub board: Board,
    /// What is wrong there.
    pub fault: Fault,
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.board, self.fault)
    }
}

/// How a position breaks a condition of [`crate::layer::Strategy`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Its bounds are no interval of scores that the layer can have.
    NoInterval {
        /// Its lower bound.
        low: i8,
        /// Its upper bound.
        high: i8,
    },
    /// Condition 1: its bounds are not what its moves bring.
    Bounds {
        /// The bounds it has.
        claimed: (i8, i8),
        /// What its moves bring; where there are none, the difference of the rows, twice.
        found: (i8, i8),
    },
    /// It has no stamp: the claim against its mover settled too late to have a number.
    Unstamped,
    /// Condition 3: a tight quiet reply leads to nothing that settled earlier.
    NoProgress {
        /// When the claim against its mover settled.
        moment: Moment,
        /// The position after the reply.
        reply: Board,
        /// When the claim settled there.
        later: Moment,
    },
    /// Condition 4: its stamp is a hold, but a cycle that is cut there does not pay the claim.
    NotGood {
        /// Its stamp.
        stamp: u8,
        /// The claim of the player who is not to move.
        claim: i8,
    },
    /// Condition 4: its stamp is a hold, and a tight quiet reply neither leads to an earlier stamp
    /// nor to the same one where a cycle pays the claim.
    NotKept {
        /// Its stamp.
        stamp: u8,
        /// The claim of the player who is not to move.
        claim: i8,
        /// The position after the reply.
        reply: Board,
        /// When the claim settled there.
        moment: Moment,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::NoInterval { low, high } => {
                write!(f, "its bounds {low}..{high} are no interval of possible scores")
            }
            Fault::Bounds { claimed, found } => write!(
                f,
                "its bounds are {}..{}, its moves bring {}..{} (condition 1)",
                claimed.0, claimed.1, found.0, found.1
            ),
            Fault::Unstamped => write!(
                f,
                "it has no stamp, so nothing shows how the claim against its mover is met"
            ),
            Fault::NoProgress { moment, reply, later } => write!(
                f,
                "it settled at {moment}, but the reply to `{reply}` leads to {later} at best (condition 3)"
            ),
            Fault::NotGood { stamp, claim } => write!(
                f,
                "its stamp {stamp} is a hold, but a cycle cut there does not pay the claim of {claim} (condition 4)"
            ),
            Fault::NotKept { stamp, claim, reply, moment } => write!(
                f,
                "its stamp {stamp} is a hold, but the reply to `{reply}` leads to stamp {} at best, and a cycle cut \
                 there need not pay the claim of {claim} (condition 4)",
                moment.stamp
            ),
        }
    }
}
