//! Exact scores where the first repetition ends the game: what intervals leave open is settled.
//!
//! `solver::fixpoint::repetition` proves an interval for every position, which holds
//! wherever a cycle is cut. Where the sheet says that the first repetition cuts it
//! ([`Endless::is_settled`](crate::game::Endless::is_settled)), each open position has one
//! score, and this module finds it. Positions are *open* if their bounds differ although the
//! scores of lower layers are known.
//!
//! # Theorem A: what is open is a game on a graph
//!
//! Let t be a score. Look at positions with a seat for each player, from South's side: South gets
//! at least `low` and at most `high`. Let O be the positions with `low` < t ≤ `high`, and f what
//! South's row holds more than North's. Then South gets t or more from a position of O with fresh
//! history if and only if South wins this game: a token moves by quiet moves inside O, and the
//! first position that counts and comes back decides; South wins if f ≥ t there.
//!
//! *Proof.* (1) Every position of O has a move inside. If South moves, some move holds up `high` ≥
//! t. It is no capture, because the values of captures are exact and would raise `low` to t as
//! well. So it is quiet, and its target has `high` ≥ t, and `low` < t, or it would raise `low`. For
//! North the same holds with the roles of the bounds exchanged. (2) Who leaves O loses. A capture
//! by South brings less than t, by `low` < t. A quiet move of South's to a position outside leads
//! to one with `high` < t, for its `low` is below t. There North has a strategy that looks at the
//! position alone and keeps South below t (`solver::fixpoint::repetition`, theorem 1); it
//! keeps play among positions with `high` < t, where nothing of what was visited inside O lies, so
//! that the first position to come back is on a cycle of that strategy. Every cut of such a cycle
//! pays less than t. For North likewise. (3) A play that stays inside is cut at the first position
//! that recurs and counts, and pays f there. ∎
//!
//! A token cannot return to a strongly connected component that it has left. So each component is a
//! game of its own ([`crate::solver::settle`]) in which leaving means what is known of the target,
//! and the components are settled from the last to the first. A component in which play can cycle
//! is a **knot**. All other components are single positions, which one look at their moves settles:
//! doubt, and its removal, is *handed up*.
//!
//! # What cannot be settled
//!
//! The search for a knot has [limits](crate::solver::settle::Limits). Beyond them positions stay
//! open, and so may layers above. Then a capture may bring an interval with `low` < t ≤ `high`, and
//! a move may lead to a component that is not settled. Such a step is tried both ways, as if it won
//! for South and as if it won for North, and only what comes out the same is concluded. (1) to (3)
//! hold for either.
//!
//! Who wins is not all: tables hold a move for each position of a knot, which a reader who
//! doubts the score can play out. In a knot of `abapa-every` with 4 seeds there are no moves by
//! position that win all starts (each start has some), in others none were found: what a player
//! wins in such a knot does not count, and positions stay open there, too ([`Wins::ByPosition`]).
//!
//! Nor does a win count while a smaller claim of the same player from the same position does not:
//! a player who goes for t may then lead play to any position that is worth t or more, and find the
//! moves for t there. What one play leads to in a knot another one needs, so there all of a
//! player's wins of a claim count, or none.

mod doubt;
mod scale;

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::game::{Board, Interval, Move, Rules, Score, Seeds, legal_moves};
use crate::layer::arena::Arena;
use crate::layer::knots::{self, KnotMove};
use crate::layer::{Layer, Rank, Settlement, Solved};
use crate::solver::game_graph::{GameGraph, OwnSide, Step};
use crate::solver::plan::LayerPlan;
use crate::solver::settle::Limits;
use crate::solver::{Layers, Observer};
pub use doubt::{PositionMove, Wins, settle_open};

/// Settles what the bounds of a layer leave open, if the sheet has one score for each position, as
/// far as the limits allow.
///
/// # Errors
/// [`Error::Interrupted`] if the observer asks for it, and whatever `lower` fails with.
pub fn settle(
    rules: &Rules,
    bounds: Solved,
    lower: &dyn Layers,
    arena: &Arena,
    limits: Limits,
    observer: &dyn Observer,
) -> Result<Solved> {
    let (true, Some(high)) = (rules.endless.is_settled(), &bounds.high) else { return Ok(bounds) };
    let open = knots::open(&bounds.low, high).take(limits.open + 1).collect();
    match settle_listed(rules, bounds.layer(), open, lower, limits, observer)? {
        Some(settlement) => bounds.settled_in(arena, settlement),
        None => Ok(bounds),
    }
}

/// Settles the positions of a layer whose bounds differ, which come smallest rank first with their
/// bounds: all that has to be known of the layer. `None` if there are too many. The observer is asked
/// between two knots, which take some seconds at most.
///
/// # Errors
/// [`Error::Interrupted`] if the observer asks for it, and whatever `lower` fails with.
pub fn settle_listed(
    rules: &Rules,
    layer: Layer,
    open: Vec<(Rank, Interval)>,
    lower: &dyn Layers,
    limits: Limits,
    observer: &dyn Observer,
) -> Result<Option<Settlement>> {
    if open.len() > limits.open {
        return Ok(None);
    }
    let open = open.into_iter().map(|(rank, interval)| (rank.0 as usize, interval));
    let open: Vec<(usize, Interval)> = open.collect();
    let layer = OpenLayer::new(rules, layer, lower)?;
    let ended = || observer.interrupted();
    let exact = settle_open(&layer, &open, limits, Wins::ByPosition, &ended);
    if observer.interrupted() {
        return Err(Error::Interrupted);
    }
    let moves = exact.moves.iter().map(|held| layer.knot_move(held)).collect();
    let settled = exact.intervals.into_iter().map(|(rank, found)| (Rank(rank as u64), found));
    Ok(Some(Settlement { intervals: settled.collect(), moves }))
}

/// The layers that captures may lead into in which not all positions have one score.
fn inexact(rules: &Rules, seeds: Seeds, lower: &dyn Layers) -> impl Iterator<Item = Result<Seeds>> {
    let least = rules.least_capture();
    let reached = seeds.below().filter(move |below| below.get() + least <= seeds.get());
    reached.filter_map(|below| match lower.lower(below) {
        Ok(found) => (!found.is_exact()).then_some(Ok(below)),
        Err(error) => Some(Err(error)),
    })
}

/// Whether there are none.
pub(super) fn leads_to_exact(plan: &LayerPlan, lower: &dyn Layers) -> Result<bool> {
    let first = inexact(plan.rules, plan.layer.seeds(), lower).next();
    Ok(first.transpose()?.is_none())
}

/// A layer of Oware, of which only the open positions are looked at. What captures bring is known as
/// far as it is not one score.
pub(super) struct OpenLayer<'a> {
    rules: &'a Rules,
    layer: Layer,
    inexact: Vec<Arc<Solved>>,
}

impl<'a> OpenLayer<'a> {
    /// A layer above others.
    ///
    /// # Errors
    /// Whatever `lower` fails with.
    pub fn new(rules: &'a Rules, layer: Layer, lower: &dyn Layers) -> Result<OpenLayer<'a>> {
        let inexact = inexact(rules, layer.seeds(), lower);
        let inexact = inexact.map(|below| lower.solved(below?)).collect::<Result<_>>()?;
        Ok(OpenLayer { rules, layer, inexact })
    }

    /// The position of a number.
    pub fn board(&self, position: usize) -> Board {
        self.layer.position(Rank(position as u64)).expect("a rank of the layer")
    }

    /// What a capture brings, which matters only if it is not exact.
    fn after_capture(&self, played: &Move) -> Interval {
        let of_layer = |solved: &&Arc<Solved>| solved.layer().seeds() == played.next.seeds();
        match self.inexact.iter().find(of_layer) {
            Some(solved) => {
                let child = solved.interval(&played.next).expect("captures lead into the layers");
                child.after_capture(played.captured)
            }
            None => Interval::exact(Score::new(self.layer.seeds().get() as i8)),
        }
    }

    fn knot_move(&self, held: &PositionMove) -> KnotMove {
        let board = self.board(held.position);
        let played = legal_moves(self.rules, &board).iter().nth(held.step).expect("a legal move");
        KnotMove { rank: Rank(held.position as u64), claim: held.claim, house: played.house }
    }
}

impl GameGraph for OpenLayer<'_> {
    fn steps(&self, position: usize) -> Vec<Step> {
        let rank = |next: &Board| self.layer.rank(next).expect("quiet moves stay").0 as usize;
        let step = |played: Move| match played.captured {
            0 => Step::Stays(rank(&played.next)),
            _ => Step::Leaves(self.after_capture(&played)),
        };
        legal_moves(self.rules, &self.board(position)).iter().map(step).collect()
    }
}

impl OwnSide for OpenLayer<'_> {
    fn own_rows(&self, position: usize) -> Option<Score> {
        self.rules.worth_of_repetition(&self.board(position))
    }
}
