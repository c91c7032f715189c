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
            if graph.claims.iter().all(|claim| claim.is_met || claim.player == MOVER) {
                return Ok(Certificate::new(true, exceptions));
            }
            let met = graph.claims.iter().filter(|claim| claim.is_met);
            let met: Vec<_> = met.map(|claim| (claim.at, claim.player)).collect();
            scope = match (met.is_empty(), scope) {
                (true, Scope::Everything) => return Ok(Certificate::new(false, exceptions)),
                (true, Scope::Circles) => Scope::Everything,
                (false, _) => Scope::Circles,
            };
            self.meet(&met);
        }
    }

    /// The claims of the opponent at some positions, which come in order, and the mover's that they
    /// wait for.
    fn graph(&self, opponents: Vec<Cell>) -> Result<ChoiceGraph> {
        let plan = self.sweeps.search.plan;
        let pays = pays(plan.rules, plan.layer.seeds());
        let index = |cell: &Cell| plan.layer.rank_at(*cell);
        let seen = self.see(&opponents)?;
        let replies =
            self.tight(&opponents, |at, child| child.open[MOVER] && child.low == -seen[at].high)?;
        let mut movers: Vec<(Cell, Seen)> =
            replies.iter().flatten().map(|&(_, cell, seen)| (cell, seen)).collect();
        movers.sort_by_cached_key(|(cell, _)| index(cell));
        movers.dedup();
        let (movers, seen_there): (Vec<Cell>, Vec<Seen>) = movers.into_iter().unzip();
        let tight = self.tight(&movers, |at, child| child.high == -seen_there[at].low)?;
        let indices =
            [&movers, &opponents].map(|cells| cells.iter().map(index).collect::<Vec<Rank>>());
        let place = |player: usize, cell: &Cell| {
            let place = indices[player].binary_search(&index(cell)).ok()?;
            Some(if player == MOVER { place } else { movers.len() + place })
        };
        let mut claims = Vec::with_capacity(movers.len() + opponents.len());
        let of_players =
            [(MOVER, &movers, &seen_there, tight), (OPPONENT, &opponents, &seen, replies)];
        for (player, cells, seen, moves) in of_players {
            let target = |(house, cell, child): (House, Cell, Seen)| {
                let target = match child.open[1 - player] {
                    false => Destination::Met,
                    true => place(1 - player, &cell)
                        .map_or(Destination::Later, |place| Destination::Inside(place as u32)),
                };
                (house, target)
            };
            let known = cells.iter().zip(&indices[player]).zip(seen);
            for (((&at, &index), seen), moves) in known.zip(moves) {
                let is_good = match player {
                    MOVER => seen.low <= pays[at.own],
                    _ => -seen.high <= pays[plan.opponent(at.own)],
                };
                let (moves, awaited_by) = (moves.into_iter().map(target).collect(), Vec::new());
                let is_met = false;
                claims.push(OpenClaim { at, index, player, moves, is_good, is_met, awaited_by });
            }
        }
        Ok(ChoiceGraph::new(claims))
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

/// Where a tight move leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Destination {
    /// To a claim that is met.
    Met,
    /// To one of the graph.
    Inside(u32),
    /// To one that is open, but not looked at.
    Later,
}

/// An open claim.
struct OpenClaim {
    at: Cell,
    index: Rank,
    /// Whose it is.
    player: usize,
    /// The tight moves there, house after house. The mover's claim waits for one of them, of which the
    /// first is the default move, the opponent's for all.
    moves: ArrayVec<(House, Destination), HOUSES>,
    /// Whether a cycle pays it that is cut here.
    is_good: bool,
    is_met: bool,
    /// The claims that wait for it.
    awaited_by: Vec<u32>,
}

/// Open claims, and what they wait for: the mover's, then the opponent's, smallest index first.
struct ChoiceGraph {
    claims: Vec<OpenClaim>,
    /// Mover's claims of which a child's claim is met.
    waiting: BinaryHeap<Reverse<usize>>,
}

impl ChoiceGraph {
    /// Notes who waits for each claim.
    fn new(claims: Vec<OpenClaim>) -> ChoiceGraph {
        let mut graph = ChoiceGraph { claims, waiting: BinaryHeap::new() };
        for at in 0..graph.claims.len() {
            for (_, target) in graph.claims[at].moves.clone() {
                match target {
                    Destination::Inside(child) => {
                        graph.claims[child as usize].awaited_by.push(at as u32)
                    }
                    Destination::Met => graph.waiting.push(Reverse(at)),
                    Destination::Later => {}
                }
            }
        }
        graph
    }

    /// Meets what can be met, and returns the exceptions that this takes.
    fn close(&mut self) -> Vec<Exception> {
        let mut exceptions = Vec::new();
        loop {
            while let Some(Reverse(at)) = self.waiting.pop() {
                exceptions.extend(self.first_met(at, |_| false));
                self.meet(at);
            }
            let stays = self.staying();
            let staying: Vec<usize> = (0..stays.len()).filter(|&at| stays[at]).collect();
            if staying.is_empty() {
                return exceptions;
            }
            let movers = staying.iter().filter(|&&at| self.claims[at].player == MOVER);
            exceptions.extend(movers.filter_map(|&at| self.first_met(at, |child| stays[child])));
            staying.into_iter().for_each(|at| self.meet(at));
        }
    }

    /// The exception that meets an open claim of the mover by a child whose claim is met or kept;
    /// `None` if the default move does, or the claim is met.
    fn first_met(&self, at: usize, is_kept: impl Fn(usize) -> bool) -> Option<Exception> {
        let OpenClaim { index, ref moves, is_met, .. } = self.claims[at];
        let meets = |(_, target): &&(House, Destination)| self.is_met(*target, &is_kept);
        let &(house, _) = moves.iter().find(meets).filter(|_| !is_met)?;
        (house != moves[0].0).then_some(Exception { rank: index, house })
    }

    fn is_met(&self, target: Destination, is_kept: impl Fn(usize) -> bool) -> bool {
        match target {
            Destination::Met => true,
            Destination::Inside(child) => {
                self.claims[child as usize].is_met || is_kept(child as usize)
            }
            Destination::Later => false,
        }
    }

    /// Meets a claim, and what follows by default moves; other claims of the mover that wait for one
    /// that is met may be exceptions.
    fn meet(&mut self, at: usize) {
        let mut met = vec![at];
        while let Some(at) = met.pop() {
            if std::mem::replace(&mut self.claims[at].is_met, true) {
                continue;
            }
            for at in std::mem::take(&mut self.claims[at].awaited_by) {
                let OpenClaim { player, ref moves, is_met, .. } = self.claims[at as usize];
                let awaited = if player == MOVER { &moves[..1] } else { &moves[..] };
                if !is_met && awaited.iter().all(|(_, target)| self.is_met(*target, |_| false)) {
                    met.push(at as usize);
                } else if !is_met && player == MOVER {
                    self.waiting.push(Reverse(at as usize));
                }
            }
        }
    }

    /// The largest set of open claims at good positions that stays among itself and what is met: by
    /// place, whether a claim is in it.
    fn staying(&self) -> Vec<bool> {
        let is_good = |claim: &OpenClaim| claim.is_good && !claim.is_met;
        let mut stays: Vec<bool> = self.claims.iter().map(is_good).collect();
        loop {
            let mut has_left = false;
            for (at, OpenClaim { player, moves, .. }) in self.claims.iter().enumerate() {
                let keeps =
                    |(_, target): &(House, Destination)| self.is_met(*target, |child| stays[child]);
                let is_kept = match *player {
                    MOVER => moves.iter().any(keeps),
                    _ => moves.iter().all(keeps),
                };
                if stays[at] && !is_kept {
                    (stays[at], has_left) = (false, true);
                }
            }
            if !has_left {
                return stays;
            }
        }
    }
}
