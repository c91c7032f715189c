//! Where doubt is born: cycles of play that leave the score of a layer's positions open.
//!
//! A position is *open* if its bounds differ, those that hold wherever a cycle is cut; where the
//! first repetition ends the game, a search may have settled its score all the same. Each of its
//! bounds is held up by moves: `low` by those with captured − high of the child = `low`, `high` by
//! those with captured − low of the child = `high`. A move *carries doubt* if it holds up a bound
//! and leads to an open position. Quiet moves that carry doubt are the edges of a graph over the
//! open positions of a layer, and a **component** is a group of them that reach each other, so that
//! play can cycle.
//!
//! Doubt is **born** in a component that is *closed*, a **knot**: no move that carries doubt
//! leaves it, neither quietly nor by a capture. Everything outside that its bounds rest on is then
//! exact, so nothing else can have brought the doubt in. A component that is not closed goes round
//! as well, but its bounds also rest on positions that are open themselves: doubt is at least
//! partly handed to it. Nothing is overlooked: every open position has a move that carries doubt
//! (what holds up `high` cannot lead to an exact position, or `low` would be as high), so a player
//! who follows such moves ends in a knot.
//!
//! Edges that hold up no bound are left out, because a move that neither player would play passes
//! on nothing; they would only join components with what surrounds them (4,100 positions instead of
//! 1,826 in the layer of 8 seeds of `abapa`).

use std::collections::{BTreeMap, HashSet};

use crate::error::Result;
use crate::game::board::{Board, Seeds};
use crate::game::rules::Rules;
use crate::game::score::{Interval, Score};
use crate::layer::index::Rank;
use crate::layer::knots;
use crate::layer::solved::Solved;
use crate::scc::each_component;
use crate::solver::exact::OpenLayer;
use crate::solver::game_graph::{GameGraph, Step};
use crate::solver::observer::Layers;

/// What is in doubt in one layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The layer.
    pub seeds: Seeds,
    /// Positions whose bounds differ.
    pub open: u64,
    /// Those of which a search has settled the score nevertheless.
    pub settled: u64,
    /// Its components, the largest first.
    pub components: Vec<Component>,
}

/// Open positions of a layer that reach each other by quiet moves that carry doubt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// How many positions it has.
    pub positions: u64,
    /// Their intervals, and how many positions have each; lowest first.
    pub intervals: Vec<(Interval, u64)>,
    /// Its position with the smallest rank.
    pub example: Board,
    /// Quiet moves that carry doubt and lead out of it.
    pub quiet_exits: u64,
    /// Captures that carry doubt.
    pub captures: u64,
}

impl Component {
    /// Returns whether it is a knot, where doubt is born: nothing outside that the bounds rest on
    /// is open.
    pub fn is_closed(&self) -> bool {
        self.quiet_exits == 0 && self.captures == 0
    }
}

impl Doubt {
    /// What is in doubt in `solved`, a layer of `rules`; `lower` has all layers below.
    ///
    /// # Errors
    /// Whatever `lower` fails with.
    pub fn of(rules: &Rules, solved: &Solved, lower: &dyn Layers) -> Result<Doubt> {
        let (low, high) = solved.bounds();
        let differing = (!std::ptr::eq(low, high)).then(|| knots::open(low, high));
        let positions = differing.into_iter().flatten();
        let positions = positions.map(|(rank, bounds)| (rank.0 as usize, bounds)).collect();
        let open = Open { game: OpenLayer::new(rules, solved.layer(), lower)?, positions };
        let mut components = Vec::new();
        let successors = |node| open.quiet(node).collect();
        each_component(open.positions.len(), successors, |members| {
            components.extend(open.component(members))
        });
        components.sort_by_key(|each| (std::cmp::Reverse(each.positions), each.example.houses()));
        let settlement = solved.knots.as_ref().map(|knots| &knots.settlement.intervals);
        let is_settled = |held: &&(Rank, Interval)| held.1.value().is_some();
        let settled = settlement.into_iter().flatten().filter(is_settled).count() as u64;
        let open = open.positions.len() as u64;
        Ok(Doubt { seeds: solved.layer().seeds(), open, settled, components })
    }
}

/// The open positions of a layer, numbered by their ranks' order.
struct Open<'a> {
    game: OpenLayer<'a>,
    /// By number: the rank, and the bounds.
    positions: Vec<(usize, Interval)>,
}

impl Open<'_> {
    /// Where the moves lead that hold up a bound and lead to an open position; captures to `None`.
    fn carrying(&self, node: u32) -> impl Iterator<Item = Option<u32>> {
        let (rank, own) = self.positions[node as usize];
        let carries = move |found: Interval| {
            found.value().is_none() && (found.low == own.low || found.high == own.high)
        };
        let target = move |step| match step {
            Step::Leaves(found) => carries(found).then_some(None),
            Step::Stays(to) => {
                let to = self.positions.binary_search_by_key(&to, |held| held.0).ok()?;
                carries(self.positions[to].1.after_capture(0)).then_some(Some(to as u32))
            }
        };
        self.game.steps(rank).into_iter().filter_map(target)
    }

    /// Where the quiet ones among them lead.
    fn quiet(&self, node: u32) -> impl Iterator<Item = u32> {
        self.carrying(node).flatten()
    }

    /// Returns what is known of a component; `None` for a position that play cannot return to.
    fn component(&self, members: &[u32]) -> Option<Component> {
        if let &[alone] = members
            && self.quiet(alone).all(|to| to != alone)
        {
            return None;
        }
        let inside: HashSet<u32> = members.iter().copied().collect();
        let quiet_exits =
            |&node: &u32| self.quiet(node).filter(|to| !inside.contains(to)).count() as u64;
        let captures = |&node: &u32| self.carrying(node).filter(Option::is_none).count() as u64;
        let first = *members.iter().min().expect("at least one");
        Some(Component {
            positions: members.len() as u64,
            intervals: self.intervals(members),
            example: self.game.board(self.positions[first as usize].0),
            quiet_exits: members.iter().map(quiet_exits).sum(),
            captures: members.iter().map(captures).sum(),
        })
    }

    fn intervals(&self, members: &[u32]) -> Vec<(Interval, u64)> {
        let mut counts: BTreeMap<(Score, Score), u64> = BTreeMap::new();
        for &node in members {
            let Interval { low, high } = self.positions[node as usize].1;
            *counts.entry((low, high)).or_default() += 1;
        }
        counts.into_iter().map(|((low, high), count)| (Interval { low, high }, count)).collect()
    }
}
