//! Proof and playout of the other games.
//!
//! A solved layer is a certificate. In a position with bounds `low` and `high` the mover claims
//! `low`, the opponent −`high`; a move is *tight* if it leaves the opponent's claim as it is. The
//! byte of a position is the **stamp** of the claim of the player who is not to move: the round in
//! which it settled, 0 where going round pays it. Given that the layers below obey them, too, these
//! are the conditions:
//!
//! 1. both bounds are what the best moves bring, or the end of the game;
//! 2. the stamp is 0 if and only if going round pays the claim: if it is 0 or less where endless play
//!    is an even split, the loss of every seed where it is drawn;
//! 3. if the stamp is not 0, then after every tight reply that stays in the layer the claim is had at
//!    once, by a move that leaves the layer or the end of the game, or some tight move leads to an
//!    earlier stamp.
//!
//! A player who makes that move achieves the claim: along such a play it never falls, so on a cycle
//! all replies are tight, and stamps that are not 0 would fall for ever. Conditions are looked at
//! position by position, move by move. Nothing is shared with the solver but the rules and the
//! containers of its results.
//!
//! Where nothing leaves the board, every position has the plies to its end instead, and what has to
//! hold is: a finished game has its result and 0 plies; a position is won if a move leads to a lost
//! one, and its plies are one more than the fewest of these; it is lost if all moves lead to won
//! ones, and its plies are one more than the most; it is drawn otherwise. Plies are finite, so a won
//! game comes to its end, and a drawn one need not: that is the whole proof.
//!
//! In games that never go round there is nothing but the minimax equation to obey, and that they
//! never do is seen in each quiet move: it carries seeds of the mover's row to the right.

use std::collections::BTreeMap;

use crate::game::mancala::{Circling, Layers, Outcome, Outcomes, Placement};
use crate::layer::general::{GeneralLayer, GeneralSolved, NEVER};
use crate::parallel;

/// Positions that one task looks at.
const PIECE: u64 = 1 << 12;

/// A position that breaks a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneralObjection {
    /// The position.
    pub placement: Placement,
    /// What is wrong there.
    pub what: &'static str,
}

/// The result of checking the certificate of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneralProof {
    /// Number of positions.
    pub positions: u64,
    /// Number of positions whose bounds agree.
    pub exact: u64,
    /// Number of positions that break a condition.
    pub failing: u64,
    /// One of them.
    pub first: Option<GeneralObjection>,
}

/// Judges a layer, given those below, which are proved.
///
/// # Panics
/// If a layer is missing into which a move leads.
pub fn judge(below: &BTreeMap<usize, GeneralSolved>, claimed: &GeneralSolved) -> GeneralProof {
    let judge = Judge { below, claimed };
    let positions = claimed.layer.positions();
    let found = parallel::map_of((0..positions).step_by(PIECE as usize), |first| {
        let mut found = judge.objections(first, (positions - first).min(PIECE) as usize);
        let first = found.next();
        (u64::from(first.is_some()) + found.count() as u64, first)
    });
    let join = |(some, first): (u64, Option<_>), (more, next)| (some + more, first.or(next));
    let (failing, first) = found.into_iter().fold((0, None), join);
    let bounds = claimed.low.iter().zip(claimed.high());
    let exact = bounds.filter(|(low, high)| low == high).count() as u64;
    GeneralProof { positions, exact, failing, first }
}

struct Judge<'a> {
    below: &'a BTreeMap<usize, GeneralSolved>,
    claimed: &'a GeneralSolved,
}

impl Judge<'_> {
    fn objections(&self, first: u64, count: usize) -> impl Iterator<Item = GeneralObjection> {
        self.claimed.layer.placements(first, count).filter_map(|placement| {
            self.objection(&placement).map(|what| GeneralObjection { placement, what })
        })
    }

    fn objection(&self, placement: &Placement) -> Option<&'static str> {
        let outcomes = self.layer().sheet().outcomes(placement);
        let (low, high) = self.claimed.bounds(placement);
        if low > high || low < -self.layer().most() || high > self.layer().most() {
            return Some("its bounds are no interval of possible scores");
        }
        if (low, high) != self.brought(placement, &outcomes) {
            return Some("its bounds do not follow from its moves (condition 1)");
        }
        match (self.layer().sheet().layers, self.layer().sheet().circling) {
            (Layers::Alone, _) => self.wrong_plies(placement, &outcomes),
            (Layers::BySeeds, Circling::Never) => self.goes_round(placement, &outcomes),
            (Layers::BySeeds, _) => self.no_progress(placement, &outcomes),
        }
    }

    fn layer(&self) -> &GeneralLayer {
        &self.claimed.layer
    }

    fn bounds(&self, placement: &Placement) -> (i8, i8) {
        match placement.seeds() {
            seeds if seeds == self.layer().seeds() => self.claimed.bounds(placement),
            seeds => self.below[&seeds].bounds(placement),
        }
    }

    /// What the best moves bring, or the end of the game.
    fn brought(&self, placement: &Placement, outcomes: &Outcomes) -> (i8, i8) {
        let brings = |outcome: &Outcome| outcome.bounds(self.bounds(&outcome.next));
        let best = outcomes
            .iter()
            .map(brings)
            .reduce(|one, other| (one.0.max(other.0), one.1.max(other.1)));
        let score = || self.layer().sheet().game.final_score(placement);
        best.unwrap_or_else(|| (score(), score()))
    }

    fn stamp(&self, placement: &Placement) -> u8 {
        let stamps = self.claimed.stamps.as_ref();
        stamps.map_or(NEVER, |stamps| stamps[self.layer().rank(placement) as usize])
    }

    /// Conditions 2 and 3, for the claim of the player who is not to move.
    fn no_progress(&self, placement: &Placement, outcomes: &Outcomes) -> Option<&'static str> {
        let (stamp, claim) = (self.stamp(placement), -self.bounds(placement).1);
        if self.is_good(claim) {
            // Any cycle pays the claim, and a tight reply has the same one.
            return (stamp != 0)
                .then_some("its claim needs nothing, but its stamp is not 0 (condition 2)");
        }
        if stamp == 0 {
            return Some("its stamp is 0, but a cycle does not pay the claim (condition 2)");
        }
        if stamp == NEVER {
            return Some(
                "it has no stamp, so nothing shows how the claim against its mover is met",
            );
        }
        let quiet = outcomes.iter().filter(|outcome| !outcome.leaves_layer());
        let late = quiet
            .filter(|reply| self.bounds(&reply.next).0 == claim)
            .any(|reply| self.moment(&reply.next, claim).is_some_and(|moment| moment >= stamp));
        late.then_some("a tight quiet reply leads to nothing that settled earlier (condition 3)")
    }

    /// When the mover's claim settles; `None` if it is had at once.
    fn moment(&self, placement: &Placement, claim: i8) -> Option<u8> {
        let outcomes = self.layer().sheet().outcomes(placement);
        let is_tight = |outcome: &&Outcome| outcome.bounds(self.bounds(&outcome.next)).0 == claim;
        if outcomes.is_empty() || outcomes.iter().filter(is_tight).any(Outcome::leaves_layer) {
            return None;
        }
        let stamps = outcomes.iter().filter(is_tight).map(|outcome| self.stamp(&outcome.next));
        Some(stamps.min().unwrap_or(NEVER))
    }

    /// Whether going round pays a claim.
    fn is_good(&self, claim: i8) -> bool {
        match self.layer().sheet().circling {
            Circling::EvenSplit | Circling::Never => claim <= 0,
            Circling::Drawn => claim == -self.layer().most(),
        }
    }

    fn wrong_plies(&self, placement: &Placement, outcomes: &Outcomes) -> Option<&'static str> {
        let after = outcomes
            .iter()
            .map(|outcome| (self.bounds(&outcome.next).0, self.stamp(&outcome.next)));
        let plies = match self.bounds(placement).0 {
            _ if outcomes.is_empty() => Some(0),
            0 => return (self.stamp(placement) != NEVER).then_some("it is drawn, and has plies"),
            1 => after
                .filter(|next| next.0 == -1)
                .map(|next| next.1)
                .min()
                .and_then(|plies| plies.checked_add(1)),
            _ => after.map(|next| next.1).max().and_then(|plies| plies.checked_add(1)),
        };
        (plies != Some(self.stamp(placement)) || plies == Some(NEVER))
            .then_some("its plies are not what its moves lead to")
    }

    /// Whether a quiet move does anything else than to carry seeds of the mover's row to the right.
    fn goes_round(&self, placement: &Placement, outcomes: &Outcomes) -> Option<&'static str> {
        let quiet = outcomes.iter().filter(|outcome| !outcome.leaves_layer());
        let is_ordered = |outcome: &Outcome| {
            let before = outcome.next.turned();
            !outcome.again
                && before.opponent() == placement.opponent()
                && before.mover() < placement.mover()
        };
        let mut quiet = quiet.map(is_ordered);
        (!quiet.all(|ordered| ordered)).then_some("a quiet move does not carry seeds to the right")
    }
}
