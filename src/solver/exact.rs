//! Exact scores where the first repetition ends the game: what intervals leave open is settled.
//!
//! [`crate::solver::fixpoint::repetition`] proves an interval for every position, which holds
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
//! t. It is no capture, because what captures bring is exact and would raise `low` to t as well. So
//! it is quiet, and its target has `high` ≥ t, and `low` < t, or it would raise `low`. For North
//! the same holds with the roles of the bounds exchanged. (2) Who leaves O loses. A capture by
//! South brings less than t, by `low` < t. A quiet move of South's to a position outside leads to
//! one with `high` < t, for its `low` is below t. There North has a strategy that looks at the
//! position alone and keeps South below t ([`crate::solver::fixpoint::repetition`], theorem 1); it
//! keeps play among positions with `high` < t, where nothing of what was visited inside O lies, so
//! that the first position to come back is on a cycle of that strategy. Every cut of such a cycle
//! pays less than t. For North likewise. (3) A play that stays inside is cut at the first position
//! that comes back and counts, and pays f there. ∎
//!
//! A token cannot come back to a strongly connected component that it has left. So each component
//! is a game of its own ([`crate::solver::settle`]) in which leaving means what is known of the
//! target, and the components are settled from the last to the first. A component in which play can
//! go round is a **knot**. All other components are single positions, which one look at their moves
//! settles: doubt, and its removal, is *handed up*.
//!
//! # What cannot be settled
//!
//! The search for a knot has [limits](crate::solver::settle::Limits). Beyond them positions stay
//! open, and so may layers above. Then a capture may bring an interval with `low` < t ≤ `high`, and
//! a move may lead to a component that is not settled. Such a step is tried both ways, as if it won
//! for South and as if it won for North, and only what comes out the same is concluded. (1) to (3)
//! hold for either.
//!
//! Who wins is not all: tables hold a move for each position of a knot, which whoever doubts the
//! score can play out. In a knot of `abapa-every` with 4 seeds there are no moves by position that
//! win all starts (each start has some), in others none were found: what a player wins
//! in such a knot does not count, and positions stay open there, too ([`Wins::ByPosition`]).
//!
//! Nor does a win count while a smaller claim of the same player from the same position does not:
//! whoever goes for t may then lead play to any position that is worth t or more, and find the
//! moves for t there. What one play leads to in a knot another one needs, so there all of a player's
//! wins of a claim count, or none.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::error::Result;
use crate::game::{Board, Interval, Move, Rules, Score, Seat, Seeds, legal_moves};
use crate::layer::knots::{self, KnotMove};
use crate::layer::{Layer, Rank, Settlement, Solved};
use crate::scc::each_component;
use crate::solver::Layers;
use crate::solver::oracle::{GameGraph, OwnSide, Step};
use crate::solver::settle::{
    Arena, LIMITS, Limits, Settled, Step as TokenStep, Vertex, settle as settle_arena,
};

/// Open positions of a layer; where there are more they are left alone, since a search holds some
/// 500 bytes for each.
const MOST_OPEN: usize = 1 << 18;

/// Settles what the bounds of a layer leave open, if the sheet has one score for each position.
///
/// # Errors
/// Whatever `lower` fails with.
pub fn settle(rules: &Rules, bounds: Solved, lower: &dyn Layers) -> Result<Solved> {
    let (true, Some(high)) = (rules.endless.is_settled(), &bounds.high) else { return Ok(bounds) };
    let (open, intervals): (Vec<usize>, Vec<Interval>) =
        knots::open(&bounds.low, high).map(|(rank, interval)| (rank.0 as usize, interval)).unzip();
    if open.len() > MOST_OPEN {
        return Ok(bounds);
    }
    let inexact = inexact_layers(bounds.layer().seeds(), lower)?;
    let layer = OpenLayer { rules, layer: bounds.layer(), inexact };
    let exact = settle_open(
        &layer,
        &open,
        |position| intervals[open.binary_search(&position).expect("an open position")],
        LIMITS,
        Wins::ByPosition,
    );
    let moves = exact.moves.iter().map(|held| layer.knot_move(held)).collect();
    let settled = exact.intervals.into_iter().map(|(rank, found)| (Rank(rank as u64), found));
    Ok(bounds.settled(Settlement { intervals: settled.collect(), moves }))
}

/// The layers below with positions that are not settled.
fn inexact_layers(seeds: Seeds, lower: &dyn Layers) -> Result<Vec<Arc<Solved>>> {
    let mut inexact = Vec::new();
    for below in seeds.below() {
        let solved = lower.solved(below)?;
        if solved.high.is_some() {
            inexact.push(solved);
        }
    }
    Ok(inexact)
}

/// A layer of Oware, of which only the open positions are looked at.
struct OpenLayer<'a> {
    rules: &'a Rules,
    layer: Layer,
    inexact: Vec<Arc<Solved>>,
}

impl OpenLayer<'_> {
    fn board(&self, position: usize) -> Board {
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
    fn positions(&self) -> usize {
        self.layer.positions() as usize
    }

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

/// What has been found out about the open positions of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exact {
    /// The bounds of each open position now, smallest number first.
    pub intervals: Vec<(usize, Interval)>,
    /// How to play inside the knots, smallest position first.
    pub moves: Vec<PositionMove>,
}

/// The move in a knot with which the mover gets `claim` from every start inside from which that
/// can be got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PositionMove {
    /// The position.
    pub position: usize,
    /// What the mover goes for: more than the lower bound, and no more than the upper one.
    pub claim: Score,
    /// Which of its moves, in the order of [`crate::solver::oracle::GameGraph::steps`].
    pub step: usize,
}

/// Which wins in knots count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wins {
    /// All.
    All,
    /// Those by moves that depend on the position alone.
    ByPosition,
}

/// Settles the `open` positions of a game, which are in order, given proved intervals of all.
pub fn settle_open(
    game: &impl OwnSide,
    open: &[usize],
    interval: impl Fn(usize) -> Interval,
    limits: Limits,
    wins: Wins,
) -> Exact {
    let intervals: Vec<Interval> = open.iter().map(|&position| interval(position)).collect();
    let scale = Scale::of(game, open, &intervals);
    let dropped = HashSet::new();
    let mut doubt = Doubt { game, open, intervals: &intervals, scale, limits, wins, dropped };
    loop {
        let (exact, stairs) = doubt.settle();
        if !doubt.drop_above_gaps(&stairs) {
            return exact;
        }
    }
}

/// Which scores can occur: all, or in Oware those that are odd or even as the seeds are.
///
/// South gets less than t if and only if North gets `step` − t or more. So thresholds above 0 are
/// enough: the others are the same graphs with the players exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    All,
    Even,
    Odd,
}

impl Scale {
    fn of(game: &impl OwnSide, open: &[usize], intervals: &[Interval]) -> Scale {
        let rows = open.iter().filter_map(|&position| game.own_rows(position));
        let outside = open.iter().flat_map(|&position| game.steps(position));
        let outside = outside.filter_map(|step| match step {
            Step::Leaves(interval) => Some(interval),
            Step::Stays(_) => None,
        });
        let bounds = intervals.iter().copied().chain(outside);
        let scores = bounds.flat_map(|bounds| [bounds.low, bounds.high]).chain(rows);
        let mut odd = scores.map(|score| score.get() % 2 != 0);
        let Some(first) = odd.next() else { return Scale::All };
        match (odd.all(|other| other == first), first) {
            (false, _) => Scale::All,
            (true, false) => Scale::Even,
            (true, true) => Scale::Odd,
        }
    }

    fn step(self) -> i8 {
        if self == Scale::All { 1 } else { 2 }
    }

    fn thresholds(self, intervals: &[Interval]) -> impl Iterator<Item = i8> + use<> {
        let least = if self == Scale::Even { 2 } else { 1 };
        let most = intervals.iter().map(|bounds| bounds.high.get().max(-bounds.low.get())).max();
        (least..=most.unwrap_or(0)).step_by(self.step() as usize)
    }

    /// What North goes for where South goes for `threshold`.
    fn claim(self, seat: Seat, threshold: i8) -> i8 {
        match seat {
            Seat::South => threshold,
            Seat::North => self.step() - threshold,
        }
    }

    /// Whether a graph is its own mirror: every position is there twice, once for each seat.
    fn is_mirrored(self, threshold: i8) -> bool {
        self.claim(Seat::North, threshold) == threshold
    }

    /// Takes the winners of the two games that start from a position into its interval: in the
    /// first the mover is South, in the second North.
    fn narrow(
        self,
        interval: &mut Interval,
        threshold: i8,
        south: Option<Seat>,
        north: Option<Seat>,
    ) {
        for (seat, winner) in Seat::BOTH.into_iter().zip([south, north]) {
            let claim = self.claim(seat, threshold);
            if winner == Some(seat) {
                interval.low = interval.low.max(Score::new(claim));
            } else if winner.is_some() {
                interval.high = interval.high.min(Score::new(claim - self.step()));
            }
        }
    }
}

/// The open positions of a game, numbered by their order. A position is two vertices: `2 ×` its
/// number if South moves there, one more if North does.
struct Doubt<'a, G> {
    game: &'a G,
    open: &'a [usize],
    intervals: &'a [Interval],
    scale: Scale,
    limits: Limits,
    wins: Wins,
    /// Wins of a player from a vertex that do not count, because a smaller claim has not been won.
    dropped: HashSet<Win>,
}

/// Who wins from each vertex, by threshold; `None` where that is not known.
type Stairs = Vec<(i8, Vec<Option<Seat>>)>;

/// A player's win from a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Win {
    threshold: i8,
    vertex: usize,
    winner: Seat,
}

/// What is known of a step while a threshold is settled.
#[derive(Clone, Copy)]
enum Target {
    /// It stays inside.
    Inside(usize),
    /// It leaves to what may be either.
    Unknown,
}

impl<G: OwnSide> Doubt<'_, G> {
    fn settle(&self) -> (Exact, Stairs) {
        let mut exact = Exact::default();
        let mut found = self.intervals.to_vec();
        let mut stairs = Stairs::new();
        for threshold in self.scale.thresholds(self.intervals) {
            let winners = self.settle_threshold(threshold, &mut exact);
            for (node, interval) in found.iter_mut().enumerate() {
                self.scale.narrow(interval, threshold, winners[2 * node], winners[2 * node + 1]);
            }
            stairs.push((threshold, winners));
        }
        exact.intervals = self.open.iter().copied().zip(found).collect();
        exact.moves.sort();
        (exact, stairs)
    }

    /// Drops the wins of claims above one that has not been won. Returns whether there are any.
    fn drop_above_gaps(&mut self, stairs: &Stairs) -> bool {
        let before = self.dropped.len();
        for vertex in 0..2 * self.open.len() {
            // A player's claims from the smallest up: what North goes for on the other side of the
            // board is what South goes for here.
            let other_side = stairs.iter().rev().map(|step| (step, vertex ^ 1, Seat::North));
            let this_side = stairs.iter().map(|step| (step, vertex, Seat::South));
            let claims = other_side
                .chain(this_side)
                .filter(|&((threshold, _), vertex, _)| self.is_inside(vertex, *threshold));
            let above = claims.skip_while(|((_, winners), at, seat)| winners[*at] == Some(*seat));
            let won = above.filter(|((_, winners), at, seat)| winners[*at] == Some(*seat));
            let wins: Vec<Win> = won
                .map(|((threshold, _), vertex, winner)| Win {
                    threshold: *threshold,
                    vertex,
                    winner,
                })
                .collect();
            self.dropped.extend(wins);
        }
        self.dropped.len() > before
    }

    /// The winner from each vertex; `None` outside, and where it is not settled.
    fn settle_threshold(&self, threshold: i8, exact: &mut Exact) -> Vec<Option<Seat>> {
        let mut winners = vec![None; 2 * self.open.len()];
        let targets: Vec<Vec<(usize, Target)>> =
            (0..winners.len()).map(|vertex| self.targets(vertex, threshold)).collect();
        let successors = |vertex: u32| {
            let inside = |&(_, target): &(usize, Target)| match target {
                Target::Inside(to) => Some(to as u32),
                Target::Unknown => None,
            };
            targets[vertex as usize].iter().filter_map(inside).collect()
        };
        each_component(winners.len(), successors, |members| {
            let component = Component { members, targets: &targets, threshold, doubt: self };
            component.settle(&mut winners, exact);
        });
        winners
    }

    /// Whether South gets the threshold from a vertex is open.
    fn is_inside(&self, vertex: usize, threshold: i8) -> bool {
        straddles(self.intervals[vertex / 2], seat_of(vertex), threshold)
    }

    /// The steps of a vertex that do not lose at once, with their numbers.
    fn targets(&self, vertex: usize, threshold: i8) -> Vec<(usize, Target)> {
        if !self.is_inside(vertex, threshold) {
            return Vec::new();
        }
        let target = |step: &Step| match *step {
            Step::Stays(to) => {
                let node = self.open.binary_search(&to).ok()?;
                let next = 2 * node + seat_of(vertex).other() as usize;
                self.is_inside(next, threshold).then_some(Target::Inside(next))
            }
            Step::Leaves(interval) => {
                straddles(interval, seat_of(vertex), threshold).then_some(Target::Unknown)
            }
        };
        let steps = self.game.steps(self.open[vertex / 2]);
        let targets = steps.iter().map(target).enumerate();
        targets.filter_map(|(number, target)| Some((number, target?))).collect()
    }
}

fn seat_of(vertex: usize) -> Seat {
    Seat::BOTH[vertex % 2]
}

/// Whether it is open if South gets the threshold, given what the player of a seat gets.
fn straddles(interval: Interval, seat: Seat, threshold: i8) -> bool {
    let (low, high) = match seat {
        Seat::South => (interval.low.get(), interval.high.get()),
        Seat::North => (-interval.high.get(), -interval.low.get()),
    };
    low < threshold && threshold <= high
}

/// Vertices that reach each other.
struct Component<'a, G> {
    members: &'a [u32],
    targets: &'a [Vec<(usize, Target)>],
    threshold: i8,
    doubt: &'a Doubt<'a, G>,
}

impl<G: OwnSide> Component<'_, G> {
    fn settle(&self, winners: &mut [Option<Seat>], exact: &mut Exact) {
        if !self.doubt.is_inside(self.members[0] as usize, self.threshold) {
            return;
        }
        let is_knot = self.goes_round();
        // What is unknown is taken for the other player's, so that nobody wins by it.
        let arenas = [Seat::North, Seat::South].map(|unknown| self.arena(winners, unknown));
        let limits = self.doubt.limits;
        let Some(for_south) = settle_arena(&arenas[0], limits) else { return };
        let for_north = if arenas[1] == arenas[0] {
            for_south.clone()
        } else {
            let Some(for_north) = settle_arena(&arenas[1], limits) else { return };
            for_north
        };
        let by_seat = [&for_south, &for_north];
        let counts = Seat::BOTH.map(|seat| {
            self.drops_none(seat) && (!is_knot || self.has_steps(by_seat[seat as usize], seat))
        });
        for (local, &vertex) in self.members.iter().enumerate() {
            let least = for_south.winners[local];
            let is_known = least == for_north.winners[local] && counts[least as usize];
            winners[vertex as usize] = is_known.then_some(least);
            let seat = seat_of(vertex as usize);
            let settled = by_seat[seat as usize];
            // In a mirrored graph the moves of North are those of South on the other side.
            let is_new = seat == Seat::South || !self.doubt.scale.is_mirrored(self.threshold);
            if is_knot
                && is_new
                && let Some(step) = settled.steps[local]
            {
                let steps = &arenas[seat as usize].vertices[local].steps;
                let chosen = steps.iter().position(|other| *other == step);
                exact.moves.push(self.knot_move(vertex as usize, chosen.expect("a step of it")));
            }
        }
    }

    /// Whether steps that show a player's wins in a knot were found, or are not asked for.
    fn has_steps(&self, settled: &Settled, seat: Seat) -> bool {
        let mut own = self.members.iter().zip(&settled.steps);
        self.doubt.wins == Wins::All
            || own.all(|(&vertex, step)| seat_of(vertex as usize) != seat || step.is_some())
    }

    /// Whether all of a player's wins may count. One play leads to others, so they stand together.
    fn drops_none(&self, winner: Seat) -> bool {
        !self.members.iter().any(|&vertex| {
            let win = Win { threshold: self.threshold, vertex: vertex as usize, winner };
            self.doubt.dropped.contains(&win)
        })
    }

    fn goes_round(&self) -> bool {
        let first = self.members[0] as usize;
        let to_itself =
            |&(_, target): &(usize, Target)| matches!(target, Target::Inside(to) if to == first);
        self.members.len() > 1 || self.targets[first].iter().any(to_itself)
    }

    fn arena(&self, winners: &[Option<Seat>], unknown: Seat) -> Arena {
        let local = places(self.members);
        let step = |&(_, target): &(usize, Target)| match target {
            Target::Unknown => TokenStep::Ends(unknown),
            Target::Inside(to) => match local.get(&(to as u32)) {
                Some(&local) => TokenStep::To(local),
                None => TokenStep::Ends(winners[to].unwrap_or(unknown)),
            },
        };
        let vertices = self.members.iter().map(|&vertex| {
            let vertex = vertex as usize;
            let steps = self.targets[vertex].iter().map(&step).collect();
            Vertex { to_move: seat_of(vertex), favours: self.favours(vertex), steps }
        });
        Arena { vertices: vertices.collect() }
    }

    /// Who wins if a cycle is cut there.
    fn favours(&self, vertex: usize) -> Option<Seat> {
        let rows = self.doubt.game.own_rows(self.doubt.open[vertex / 2])?.get();
        let for_south = if seat_of(vertex) == Seat::South { rows } else { -rows };
        Some(if for_south >= self.threshold { Seat::South } else { Seat::North })
    }

    fn knot_move(&self, vertex: usize, chosen: usize) -> PositionMove {
        let claim = self.doubt.scale.claim(seat_of(vertex), self.threshold);
        let position = self.doubt.open[vertex / 2];
        PositionMove { position, claim: Score::new(claim), step: self.targets[vertex][chosen].0 }
    }
}

/// The place of each member among the members.
fn places(members: &[u32]) -> HashMap<u32, u32> {
    members.iter().zip(0..).map(|(&vertex, local)| (vertex, local)).collect()
}
