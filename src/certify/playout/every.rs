//! Every defence, exactly.
//!
//! The player's moves depend on the position alone, so what the defender can reach is a graph: its
//! nodes are claims, those where the player moves have an edge for each move that is advised (one
//! of several is the defender's to choose), the others an edge for each legal move. Captures and
//! finished games leave it. A play closes a cycle if and only if the graph has one there, and each
//! position of a strongly connected component that has one lies on a cycle that the defender can
//! close, coming from anywhere before it. So what a claim brings when cycles may be cut anywhere is
//! the least of what can be reached from it: exits, and the cuts of all such components.
//!
//! That is exact, and no cut that stops at a repetition can pay less: it pays somewhere on a
//! cycle. Nor is it less for a claim that is met in the middle of a play, when history is not
//! fresh: a cycle that closes later on is a cycle that can be reached from there.
//!
//! # Knots
//!
//! Where a sheet's first repetition ends the game a promise may be more than the bound that holds
//! wherever a cycle is cut. The player's moves then depend on the promise as well, so it is part of
//! a node. In a component with such nodes every play is followed with its history up to the first
//! repetition that counts, or the second.

use rustc_hash::FxHashMap;

use super::adviser::Adviser;
use super::claim::{Claim, CycleCut, Player};
use crate::error::Result;
use crate::game::{Board, Score, Seeds};
use crate::layer::{Domain, Layer, Rank};
use crate::scc::each_component;

/// The result of playing claims out against every defence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trial {
    /// Number of claims.
    pub claims: u64,
    /// Number of claims that can end on a cycle.
    pub circling: u64,
    /// The claims that bring less than was promised, with what they bring.
    pub shortfalls: Vec<(Claim, Score)>,
}

/// Plays the claims out against every defence: those of both players of each of these positions,
/// which are all different. Cycles are cut where they are worst for the player, but in knots, where
/// the sheet's first repetition decides, at `cut`.
///
/// # Errors
/// Whatever the adviser fails with.
pub fn prove_with(
    adviser: &mut impl Adviser,
    boards: impl IntoIterator<Item = Board>,
    cut: CycleCut,
) -> Result<Trial> {
    let both = |board| [Player::Mover, Player::Opponent].map(|player| Claim { board, player });
    let claims: Vec<Claim> = boards.into_iter().flat_map(both).collect();
    let mut trial = Trial { claims: claims.len() as u64, ..Trial::default() };
    for (claim, outcome) in claims.iter().zip(outcomes(adviser, &claims, cut)?) {
        trial.circling += u64::from(outcome.circling);
        if outcome.worst < claim.promise(adviser, cut)?.get() {
            trial.shortfalls.push((*claim, Score::new(outcome.worst)));
        }
    }
    Ok(trial)
}

/// Plays all claims of a layer out against every defence, including those of positions that no
/// table holds. Cycles are cut as the sheet has it. It takes about 100 bytes for each.
///
/// # Errors
/// Whatever the adviser fails with.
pub fn prove_layer(adviser: &mut impl Adviser, seeds: Seeds) -> Result<Trial> {
    let is_settled = adviser.rules().endless.is_settled();
    let cut = if is_settled { CycleCut::First } else { CycleCut::Anywhere };
    let layer = Layer::new(seeds, Domain::All);
    let boards = (0..layer.positions()).filter_map(|rank| layer.position(Rank(rank)));
    prove_with(adviser, boards, cut)
}

/// Returns the least that the player of each claim can get if cycles may be cut anywhere. The
/// claims are all different.
///
/// # Errors
/// Whatever the adviser fails with.
#[cfg(test)]
pub fn worst_outcomes(adviser: &mut impl Adviser, claims: &[Claim]) -> Result<Vec<Score>> {
    let outcomes = outcomes(adviser, claims, CycleCut::Anywhere)?;
    Ok(outcomes.iter().map(|outcome| Score::new(outcome.worst)).collect())
}

/// What a claim can come to.
#[derive(Clone, Copy)]
struct Outcome {
    /// The least that the player gets.
    worst: i8,
    /// Whether the defender can close a cycle.
    circling: bool,
}

impl Outcome {
    const NONE: Outcome = Outcome { worst: i8::MAX, circling: false };

    fn or(self, other: Outcome) -> Outcome {
        Outcome { worst: self.worst.min(other.worst), circling: self.circling | other.circling }
    }
}

fn outcomes(adviser: &mut impl Adviser, claims: &[Claim], cut: CycleCut) -> Result<Vec<Outcome>> {
    let graph = Graph::from(adviser, claims, cut)?;
    let mut outcomes = vec![Outcome::NONE; graph.nodes.len()];
    let successors = |node: u32| graph.successors(node).to_vec();
    each_component(graph.nodes.len(), successors, |members| {
        // Components that can be reached from this one came before.
        let joined = members
            .iter()
            .map(|&node| graph.here(node, members.len() > 1))
            .fold(Outcome::NONE, Outcome::or);
        let after = members
            .iter()
            .flat_map(|&node| graph.successors(node))
            .map(|&next| outcomes[next as usize]);
        let outcome = after.fold(joined, Outcome::or);
        assert!(outcome.worst < i8::MAX, "every play ends, or comes to a position that counts");
        let mut plays = Plays { graph: &graph, outcomes: &outcomes, effort: EFFORT, path: vec![] };
        let is_knot =
            members.len() > 1 && members.iter().any(|&node| graph.reached[node as usize].is_knot);
        let worst = |&node: &u32| {
            // After too much effort some of the last play is left.
            plays.path.clear();
            if is_knot { plays.worst(node) } else { None }
        };
        let worst: Vec<Option<i8>> = members.iter().map(worst).collect();
        for (&node, worst) in members.iter().zip(worst) {
            let worst = worst.unwrap_or(outcome.worst);
            outcomes[node as usize] = Outcome { worst, ..outcome };
        }
    });
    Ok(outcomes[..claims.len()].to_vec())
}

/// Positions that may be visited to play a knot out. What is found of claims after that is what
/// they bring if cycles are cut anywhere, which is no more.
const EFFORT: u64 = 20_000_000;

/// Nodes of one play, each of which takes some of the stack; beyond them it is too much effort, too.
const DEPTH: usize = 1 << 12;

/// Every play in a knot, with its history.
struct Plays<'a, A> {
    graph: &'a Graph<'a, A>,
    /// What the nodes of other components come to.
    outcomes: &'a [Outcome],
    effort: u64,
    path: Vec<u32>,
}

impl<A> Plays<'_, A> {
    /// Returns the least that play from a node comes to after `path`; `None` if that is too much
    /// effort.
    fn worst(&mut self, node: u32) -> Option<i8> {
        let Reached { exit, cut, .. } = self.graph.reached[node as usize];
        if let Some(cut) = cut
            && self.path.iter().filter(|&&before| before == node).count() == self.times_before()
        {
            return Some(cut.get());
        }
        if self.path.len() == DEPTH {
            return None;
        }
        self.effort = self.effort.checked_sub(1)?;
        let mut worst = exit;
        self.path.push(node);
        for &next in self.graph.successors(node) {
            // Components that come later can be reached from this one, but not the other way.
            let known = self.outcomes[next as usize].worst;
            worst = worst.min(if known < i8::MAX { known } else { self.worst(next)? });
        }
        self.path.pop();
        Some(worst)
    }

    /// How often a node has been visited before where play is cut.
    fn times_before(&self) -> usize {
        if self.graph.cut == CycleCut::Third { 2 } else { 1 }
    }
}

/// A claim, and what its player was promised when history was fresh: at least the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    claim: Claim,
    promised: Score,
}

/// What a node leads to.
#[derive(Clone, Copy)]
struct Reached {
    /// Whether the promise is more than the bound.
    is_knot: bool,
    /// The least that leaving at once brings the player.
    exit: i8,
    /// The worth of a cut, if it counts.
    cut: Option<Score>,
    /// Where its part of `edges` ends.
    end: usize,
}

/// All that a defender can reach.
struct Graph<'a, A> {
    adviser: &'a mut A,
    cut: CycleCut,
    nodes: Vec<Node>,
    numbers: FxHashMap<Node, u32>,
    reached: Vec<Reached>,
    edges: Vec<u32>,
}

impl<'a, A: Adviser> Graph<'a, A> {
    /// The first nodes are `claims`.
    fn from(adviser: &'a mut A, claims: &[Claim], cut: CycleCut) -> Result<Graph<'a, A>> {
        let (nodes, numbers) = (Vec::new(), FxHashMap::default());
        let (reached, edges) = (Vec::new(), Vec::new());
        let mut graph = Graph { adviser, cut, nodes, numbers, reached, edges };
        for &claim in claims {
            let promised = claim.promise(graph.adviser, cut)?;
            graph.number(Node { claim, promised });
        }
        assert_eq!(graph.nodes.len(), claims.len(), "a claim is there twice");
        while let Some(&node) = graph.nodes.get(graph.reached.len()) {
            graph.expand(node)?;
        }
        Ok(graph)
    }

    fn number(&mut self, node: Node) -> u32 {
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        })
    }

    fn expand(&mut self, Node { claim, promised }: Node) -> Result<()> {
        let rules = self.adviser.rules();
        let moves = claim.moves(self.adviser, promised)?;
        let mut exit = if moves.is_empty() { claim.own_rows().get() } else { i8::MAX };
        for played in moves {
            let next = claim.after(&played);
            if played.captured > 0 {
                let promise = next.promise(self.adviser, self.cut)?;
                exit = exit.min(claim.with_capture(&played, promise).get());
            } else {
                // Where the bound pays the promise the strategy looks at the position alone.
                let promised = promised.max(next.bound(self.adviser)?);
                let number = self.number(Node { claim: next, promised });
                self.edges.push(number);
            }
        }
        let is_knot = promised > claim.bound(self.adviser)?;
        let (cut, end) = (claim.worth_of_cut(rules), self.edges.len());
        self.reached.push(Reached { is_knot, exit, cut, end });
        Ok(())
    }
}

impl<A> Graph<'_, A> {
    fn successors(&self, node: u32) -> &[u32] {
        let start = node.checked_sub(1).map_or(0, |before| self.reached[before as usize].end);
        &self.edges[start..self.reached[node as usize].end]
    }

    /// What a node comes to if play leaves there, or stops there on a cycle.
    fn here(&self, node: u32, circling: bool) -> Outcome {
        let Reached { exit, cut, .. } = self.reached[node as usize];
        let cut = cut.filter(|_| circling).map_or(i8::MAX, Score::get);
        Outcome { worst: exit.min(cut), circling }
    }
}
