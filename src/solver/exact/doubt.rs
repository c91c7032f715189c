//! The open positions of a game, settled threshold by threshold and component by component.
//!
//! For each threshold t, the positions with `low` < t ≤ `high` are the graph of theorem A in
//! `solver::exact`. Its strongly connected components are settled from the last to the first, and
//! who wins from a position narrows its interval. Wins above a claim that is not won are dropped,
//! and all is settled again until no win is dropped.
//!
//! Invariant: within a round intervals only become narrower; what the limits leave unsettled stays open.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::scale::Scale;
use crate::game::{Interval, Score, Seat};
use crate::scc::each_component;
use crate::solver::game_graph::{OwnSide, Step};
use crate::solver::settle::{
    Arena, Limits, Settled, TokenMove as TokenStep, Vertex, settle as settle_arena,
};

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
    /// Which of its moves, in the order of [`crate::solver::game_graph::GameGraph::steps`].
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

/// Vertices of arenas that are remembered: some megabytes.
const REMEMBERED: usize = 1 << 16;

/// Settles the `open` positions of a game, which are in order, each with its proved interval. If
/// `ended` says so between two components, what comes out means nothing.
pub fn settle_open(
    game: &impl OwnSide,
    open: &[(usize, Interval)],
    limits: Limits,
    wins: Wins,
    ended: &dyn Fn() -> bool,
) -> Exact {
    let (scale, dropped, in_vain) = (Scale::of(game, open), HashSet::new(), RefCell::default());
    let mut doubt = Doubt { game, open, scale, limits, wins, dropped, in_vain, ended };
    loop {
        let (exact, stairs) = doubt.settle();
        if ended() || !doubt.drop_above_gaps(&stairs) {
            return exact;
        }
    }
}

/// The open positions of a game, numbered by their order. A position is two vertices: `2 ×` its
/// number if South moves there, one more if North does.
struct Doubt<'a, G> {
    game: &'a G,
    open: &'a [(usize, Interval)],
    scale: Scale,
    limits: Limits,
    wins: Wins,
    /// Wins of a player from a vertex that do not count, because a smaller claim has not been won.
    dropped: HashSet<Win>,
    /// What searches came to that left something open, most of which took all the effort there
    /// was: the next round asks for them again.
    in_vain: RefCell<Vec<(Arena, Option<Settled>)>>,
    /// Whether the answer is no longer needed.
    ended: &'a dyn Fn() -> bool,
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

/// The steps of a vertex that do not lose at once: their numbers, and the vertices inside that they
/// lead to; `None` for one that leaves to what may be either.
type Targets = Vec<(usize, Option<usize>)>;

impl<G: OwnSide> Doubt<'_, G> {
    fn settle(&self) -> (Exact, Stairs) {
        let mut exact = Exact { intervals: self.open.to_vec(), moves: Vec::new() };
        let mut stairs = Stairs::new();
        for threshold in self.scale.thresholds(self.open) {
            let winners = self.settle_threshold(threshold, &mut exact);
            for (node, (_, interval)) in exact.intervals.iter_mut().enumerate() {
                self.scale.narrow(interval, threshold, winners[2 * node], winners[2 * node + 1]);
            }
            stairs.push((threshold, winners));
        }
        exact.moves.sort();
        (exact, stairs)
    }

    /// Drops the wins of claims above one that has not been won. Returns whether there are any.
    fn drop_above_gaps(&mut self, stairs: &Stairs) -> bool {
        let before = self.dropped.len();
        for vertex in 0..2 * self.open.len() {
            // A player's claims from the smallest up: what North goes for on the other side of the
            // board is what South goes for here.
            let claim = |(threshold, winners): &(i8, Vec<_>), vertex: usize, winner| {
                let is_won = winners[vertex] == Some(winner);
                (Win { threshold: *threshold, vertex, winner }, is_won)
            };
            let other_side = stairs.iter().rev().map(|step| claim(step, vertex ^ 1, Seat::North));
            let this_side = stairs.iter().map(|step| claim(step, vertex, Seat::South));
            let claims = other_side.chain(this_side);
            let claims = claims.filter(|(win, _)| self.is_inside(win.vertex, win.threshold));
            let above = claims.skip_while(|&(_, is_won)| is_won);
            let wins: Vec<Win> = above.filter(|&(_, is_won)| is_won).map(|(win, _)| win).collect();
            self.dropped.extend(wins);
        }
        self.dropped.len() > before
    }

    /// The winner from each vertex; `None` outside, and where it is not settled.
    fn settle_threshold(&self, threshold: i8, exact: &mut Exact) -> Vec<Option<Seat>> {
        let mut winners = vec![None; 2 * self.open.len()];
        if (self.ended)() {
            return winners;
        }
        let targets: Vec<Targets> =
            (0..winners.len()).map(|vertex| self.targets(vertex, threshold)).collect();
        let successors = |vertex: u32| {
            let inside = targets[vertex as usize].iter().filter_map(|(_, target)| *target);
            inside.map(|to| to as u32).collect()
        };
        each_component(winners.len(), successors, |members| {
            let component = Component { members, targets: &targets, threshold, doubt: self };
            component.settle(&mut winners, exact);
        });
        winners
    }

    /// Settles a component. What was searched in vain is not searched again, as far as it is
    /// remembered.
    fn settle_arena(&self, arena: &Arena) -> Option<Settled> {
        let mut in_vain = self.in_vain.borrow_mut();
        if let Some((_, settled)) = in_vain.iter().find(|(known, _)| known == arena) {
            return settled.clone();
        }
        let settled = settle_arena(arena, self.limits);
        let is_complete = settled.as_ref().is_some_and(|found| !found.steps.contains(&None));
        if !is_complete && arena.vertices.len() <= self.limits.vertices {
            let with_it = in_vain.iter().map(|(known, _)| known).chain([arena]);
            if with_it.map(|arena| arena.vertices.len()).sum::<usize>() <= REMEMBERED {
                in_vain.push((arena.clone(), settled.clone()));
            }
        }
        settled
    }

    /// Whether South gets the threshold from a vertex is open.
    fn is_inside(&self, vertex: usize, threshold: i8) -> bool {
        straddles(self.open[vertex / 2].1, seat_of(vertex), threshold)
    }

    fn targets(&self, vertex: usize, threshold: i8) -> Targets {
        if !self.is_inside(vertex, threshold) {
            return Vec::new();
        }
        let target = |step: &Step| match *step {
            Step::Stays(to) => {
                let node = self.open.binary_search_by_key(&to, |held| held.0).ok()?;
                let next = 2 * node + seat_of(vertex).other() as usize;
                self.is_inside(next, threshold).then_some(Some(next))
            }
            Step::Leaves(interval) => {
                straddles(interval, seat_of(vertex), threshold).then_some(None)
            }
        };
        let steps = self.game.steps(self.open[vertex / 2].0);
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
    targets: &'a [Targets],
    threshold: i8,
    doubt: &'a Doubt<'a, G>,
}

impl<G: OwnSide> Component<'_, G> {
    fn settle(&self, winners: &mut [Option<Seat>], exact: &mut Exact) {
        if !self.doubt.is_inside(self.members[0] as usize, self.threshold) {
            return;
        }
        let is_knot = self.goes_round();
        if is_knot && (self.doubt.ended)() {
            return;
        }
        // What is unknown is taken for the other player's, so that neither player wins by it.
        let arenas = [Seat::North, Seat::South].map(|unknown| self.arena(winners, unknown));
        let Some(for_south) = self.doubt.settle_arena(&arenas[0]) else { return };
        let for_north = if arenas[1] == arenas[0] {
            Some(for_south.clone())
        } else {
            self.doubt.settle_arena(&arenas[1])
        };
        let Some(for_north) = for_north else { return };
        let by_seat = [for_south, for_north];
        let counts = Seat::BOTH.map(|seat| {
            self.drops_none(seat) && (!is_knot || self.has_steps(&by_seat[seat as usize], seat))
        });
        for (local, &vertex) in self.members.iter().enumerate() {
            let [least, most] = by_seat.each_ref().map(|settled| settled.winners[local]);
            winners[vertex as usize] = (least == most && counts[least as usize]).then_some(least);
            let seat = seat_of(vertex as usize);
            // In a mirrored graph the moves of North are those of South on the other side.
            let is_new = seat == Seat::South || !self.doubt.scale.is_mirrored(self.threshold);
            if is_knot
                && is_new
                && let Some(step) = by_seat[seat as usize].steps[local]
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
        let mut targets = self.targets[first].iter().map(|(_, target)| *target);
        self.members.len() > 1 || targets.any(|target| target == Some(first))
    }

    fn arena(&self, winners: &[Option<Seat>], unknown: Seat) -> Arena {
        // The place of each member among the members.
        let local: HashMap<u32, u32> = self.members.iter().copied().zip(0..).collect();
        let step = |&(_, target): &(usize, Option<usize>)| match target {
            None => TokenStep::Ends(unknown),
            Some(to) => match local.get(&(to as u32)) {
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
        let rows = self.doubt.game.own_rows(self.doubt.open[vertex / 2].0)?.get();
        let for_south = if seat_of(vertex) == Seat::South { rows } else { -rows };
        Some(if for_south >= self.threshold { Seat::South } else { Seat::North })
    }

    fn knot_move(&self, vertex: usize, chosen: usize) -> PositionMove {
        let claim = self.doubt.scale.claim(seat_of(vertex), self.threshold);
        let position = self.doubt.open[vertex / 2].0;
        PositionMove { position, claim: Score::new(claim), step: self.targets[vertex][chosen].0 }
    }
}
