//! Exceptions: where the strategy does not make the default move, so that circles are broken.
//!
//! Of a layer that default moves have been [closed](Closing::close) in, the wanted claims become a
//! graph: the mover's claim waits for one child's of all that tight moves lead to, the opponent's for
//! every tight reply's. While some mover's claim has a child whose claim is met, but not by its
//! default move, the one of smallest index becomes an exception, and all that follows by default
//! moves is met before the next one. When there is none, the largest set is met that stays at
//! [good](super#claims-that-going-round-may-satisfy) positions.
//!
//! If that meets all wanted claims, all claims of the layer are met. If it meets some, default moves
//! are closed again. If it meets none, all open claims become the graph, for a way out of a circle
//! may lead through claims that are not wanted; and if even that meets none, none can be met.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use arrayvec::ArrayVec;

use super::closing::{Certificate, Closing, Seen};
use super::listed::Scope;
use super::open::{MOVER, OPPONENT};
use crate::error::Result;
use crate::game::board::{Board, HOUSES, House, Seeds};
use crate::game::rules::Rules;
use crate::game::score::Score;
use crate::layer::index::{Cell, Rank, row_at};
use crate::layer::strategy::{Exception, is_good_for_mover};

impl Closing<'_> {
    /// Meets all claims that can be met.
    ///
    /// # Errors
    /// As [`super::close`].
    pub fn close_by_default(&self) -> Result<Certificate> {
        let (mut exceptions, mut scope) = (Vec::new(), Scope::Circles);
        loop {
            let opponents = self.close(scope)?;
            if opponents.is_empty() {
                return Ok(Certificate::new(true, exceptions));
            }
            let mut graph = self.graph(opponents)?;
            exceptions.extend(graph.close());
            if graph.opponents.iter().all(|claim| claim.is_met) {
                return Ok(Certificate::new(true, exceptions));
            }
            let met = graph.met();
            scope = match (met.is_empty(), scope) {
                (true, Scope::Everything) => return Ok(Certificate::new(false, exceptions)),
                (true, Scope::Circles) => Scope::Everything,
                (false, _) => Scope::Circles,
            };
            self.meet(&met);
        }
    }

    /// The claims of the opponent at some positions, and the mover's that they wait for.
    fn graph(&self, mut opponents: Vec<Cell>) -> Result<ChoiceGraph> {
        let plan = self.sweeps.search.plan;
        let pays = pays(plan.rules, plan.layer.seeds());
        let index = |cell: &Cell| plan.layer.rank_at(*cell);
        let indices = |cells: &[Cell]| cells.iter().map(index).collect::<Vec<Rank>>();
        opponents.sort_by_cached_key(index);
        let of_opponents = indices(&opponents);
        let seen = self.see(&opponents)?;
        let replies =
            self.tight(&opponents, |at, child| child.open[MOVER] && child.low == -seen[at].high)?;
        let mut movers: Vec<Cell> = replies.iter().flatten().map(|&(_, cell, _)| cell).collect();
        movers.sort_by_cached_key(index);
        movers.dedup();
        let of_movers = indices(&movers);
        let seen_there = self.see(&movers)?;
        let tight = self.tight(&movers, |at, child| child.high == -seen_there[at].low)?;
        let place = |indices: &[Rank], cell: &Cell| indices.binary_search(&index(cell)).ok();
        let mut graph = ChoiceGraph::default();
        let claims = opponents.iter().zip(of_opponents.clone()).zip(&seen);
        for (((&at, index), seen), replies) in claims.zip(&replies) {
            let place = |(_, cell, _): &(_, _, _)| place(&of_movers, cell).expect("it is listed");
            let is_good = -seen.high <= pays[plan.opponent(at.own)];
            graph.opponents.push(OpenClaim::new(at, index, is_good));
            graph.replies.push(replies.iter().map(place).collect());
        }
        let claims = movers.iter().zip(of_movers.clone()).zip(&seen_there);
        for (((&at, index), seen), tight) in claims.zip(&tight) {
            let target = |(house, cell, child): &(House, Cell, Seen)| {
                let target = match child.open[OPPONENT] {
                    false => Destination::Met,
                    true => {
                        place(&of_opponents, cell).map_or(Destination::Later, Destination::Inside)
                    }
                };
                (*house, target)
            };
            let is_good = seen.low <= pays[at.own];
            graph.movers.push(OpenClaim::new(at, index, is_good));
            graph.moves.push(tight.iter().map(target).collect());
        }
        graph.link();
        Ok(graph)
    }

    /// By position: the quiet moves, house after house, to children that are wanted.
    fn tight(
        &self,
        cells: &[Cell],
        is_wanted: impl Fn(usize, &Seen) -> bool,
    ) -> Result<Vec<Vec<(House, Cell, Seen)>>> {
        let plan = self.sweeps.search.plan;
        let quiet = |&cell: &Cell| {
            let transits = plan.blocks[cell.own].transits(cell.column);
            transits.filter_map(move |played| Some((played.0.house, plan.child(cell, played)?)))
        };
        let children: Vec<Cell> = cells.iter().flat_map(quiet).map(|(_, child)| child).collect();
        let mut seen = self.see(&children)?.into_iter();
        let of = |(at, cell): (usize, &Cell)| {
            let known = quiet(cell).zip(seen.by_ref()).filter(|(_, seen)| is_wanted(at, seen));
            known.map(|((house, child), seen)| (house, child, seen)).collect()
        };
        Ok(cells.iter().enumerate().map(of).collect())
    }
}

/// By block of a layer: the largest claim of the mover that a cycle pays which is cut there.
/// Whether a position is good depends on the seeds in its rows alone.
fn pays(rules: &Rules, seeds: Seeds) -> Vec<i8> {
    let (seeds, most) = (seeds.get(), seeds.get() as i8);
    let pays_in = |own| {
        let board = Board { mover: row_at(own, 0), opponent: row_at(seeds - own, 0) };
        let is_good = |claim: &i8| is_good_for_mover(rules, &board, Score::new(*claim));
        (-most..=most).rev().find(is_good).unwrap_or(i8::MIN)
    };
    (0..=seeds).map(pays_in).collect()
}

/// Where a tight move of the mover's leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Destination {
    /// To a claim of the opponent that is met.
    Met,
    /// To one of the graph.
    Inside(usize),
    /// To one that is open, but not looked at.
    Later,
}

/// An open claim.
struct OpenClaim {
    at: Cell,
    index: Rank,
    /// Whether a cycle pays it that is cut here.
    is_good: bool,
    is_met: bool,
    /// The claims that wait for it.
    awaited_by: Vec<usize>,
}

impl OpenClaim {
    fn new(at: Cell, index: Rank, is_good: bool) -> OpenClaim {
        OpenClaim { at, index, is_good, is_met: false, awaited_by: Vec::new() }
    }
}

/// Open claims, and what they wait for; those of each player smallest index first.
#[derive(Default)]
struct ChoiceGraph {
    movers: Vec<OpenClaim>,
    /// By mover's claim: its tight moves, house after house. The first is the default move.
    moves: Vec<ArrayVec<(House, Destination), HOUSES>>,
    opponents: Vec<OpenClaim>,
    /// By opponent's claim: the mover's claims after its tight replies.
    replies: Vec<ArrayVec<usize, HOUSES>>,
    /// Mover's claims of which a child's claim is met.
    waiting: BinaryHeap<Reverse<usize>>,
}

impl ChoiceGraph {
    /// Notes who waits for each claim.
    fn link(&mut self) {
        for (at, replies) in self.replies.iter().enumerate() {
            replies.iter().for_each(|&reply| self.movers[reply].awaited_by.push(at));
        }
        for (at, moves) in self.moves.iter().enumerate() {
            for (_, target) in moves {
                match *target {
                    Destination::Inside(child) => self.opponents[child].awaited_by.push(at),
                    Destination::Met => self.waiting.push(Reverse(at)),
                    Destination::Later => {}
                }
            }
        }
    }

    /// Meets what can be met, and returns the exceptions that this takes.
    fn close(&mut self) -> Vec<Exception> {
        let mut exceptions = Vec::new();
        loop {
            while let Some(Reverse(at)) = self.waiting.pop() {
                exceptions.extend(self.first_met(at, |_| false));
                self.meet(at);
            }
            let set = self.staying();
            if set.is_empty() {
                return exceptions;
            }
            let is_kept = |at: &usize| set.opponents[*at];
            exceptions
                .extend(set.movers().filter_map(|at| self.first_met(at, |child| is_kept(&child))));
            for at in set.movers() {
                self.meet(at);
            }
            for at in (0..set.opponents.len()).filter(|&at| set.opponents[at]) {
                self.meet_one(at).into_iter().for_each(|mover| self.meet(mover));
            }
        }
    }

    /// The exception that meets an open claim of the mover by a child whose claim is met or kept;
    /// `None` if the default move does, or the claim is met.
    fn first_met(&self, at: usize, is_kept: impl Fn(usize) -> bool) -> Option<Exception> {
        let claim = &self.movers[at];
        let meets = |(_, target): &&(House, Destination)| self.is_met(*target, &is_kept);
        let &(house, _) = self.moves[at].iter().find(meets).filter(|_| !claim.is_met)?;
        (house != self.moves[at][0].0).then_some(Exception { rank: claim.index, house })
    }

    fn is_met(&self, target: Destination, is_kept: impl Fn(usize) -> bool) -> bool {
        match target {
            Destination::Met => true,
            Destination::Inside(child) => self.opponents[child].is_met || is_kept(child),
            Destination::Later => false,
        }
    }

    /// Meets a claim of the mover, and what follows by default moves.
    fn meet(&mut self, at: usize) {
        let mut met = vec![at];
        while let Some(at) = met.pop() {
            if std::mem::replace(&mut self.movers[at].is_met, true) {
                continue;
            }
            for opponent in std::mem::take(&mut self.movers[at].awaited_by) {
                let is_met = |&reply: &usize| self.movers[reply].is_met;
                if self.replies[opponent].iter().all(is_met) {
                    met.extend(self.meet_one(opponent));
                }
            }
        }
    }

    /// Meets a claim of the opponent alone. Returns the mover's claims that this meets by default
    /// moves; the others that wait for it may be exceptions.
    fn meet_one(&mut self, at: usize) -> Vec<usize> {
        if std::mem::replace(&mut self.opponents[at].is_met, true) {
            return Vec::new();
        }
        let mut waiting = std::mem::take(&mut self.opponents[at].awaited_by);
        waiting.retain(|&mover| !self.movers[mover].is_met);
        let is_default = |&mover: &usize| self.moves[mover][0].1 == Destination::Inside(at);
        let (by_default, others): (Vec<_>, Vec<_>) = waiting.into_iter().partition(is_default);
        self.waiting.extend(others.into_iter().map(Reverse));
        by_default
    }

    /// The largest set of open claims at good positions that stays among itself and what is met.
    fn staying(&self) -> Staying {
        let good = |claims: &[OpenClaim]| -> Vec<bool> {
            claims.iter().map(|claim| claim.is_good && !claim.is_met).collect()
        };
        let mut set = Staying { movers: good(&self.movers), opponents: good(&self.opponents) };
        loop {
            let stays = |at: usize, set: &Staying| {
                let is_kept = |child: usize| set.opponents[child];
                self.moves[at].iter().any(|(_, target)| self.is_met(*target, is_kept))
            };
            let leaving = |at: &usize| set.movers[*at] && !stays(*at, &set);
            let movers: Vec<usize> = (0..set.movers.len()).filter(leaving).collect();
            movers.iter().for_each(|&at| set.movers[at] = false);
            let is_kept = |&reply: &usize| self.movers[reply].is_met || set.movers[reply];
            let leaving = |at: &usize| set.opponents[*at] && !self.replies[*at].iter().all(is_kept);
            let opponents: Vec<usize> = (0..set.opponents.len()).filter(leaving).collect();
            opponents.iter().for_each(|&at| set.opponents[at] = false);
            if movers.is_empty() && opponents.is_empty() {
                return set;
            }
        }
    }

    /// The claims that are met.
    fn met(&self) -> Vec<(Cell, usize)> {
        let of = |claims: &[OpenClaim], claim: usize| -> Vec<(Cell, usize)> {
            let met = claims.iter().filter(|claim| claim.is_met);
            met.map(|met| (met.at, claim)).collect()
        };
        [of(&self.movers, MOVER), of(&self.opponents, OPPONENT)].concat()
    }
}

/// Some claims, by player.
struct Staying {
    movers: Vec<bool>,
    opponents: Vec<bool>,
}

impl Staying {
    fn is_empty(&self) -> bool {
        !self.movers.iter().chain(&self.opponents).any(|&stays| stays)
    }

    fn movers(&self) -> impl Iterator<Item = usize> {
        (0..self.movers.len()).filter(|&at| self.movers[at])
    }
}
