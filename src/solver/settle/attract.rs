//! What the facts that are known decide in one history, backwards along steps.

use std::collections::VecDeque;
use std::rc::Rc;

use super::facts::{Fact, Set};
use super::{Arena, Settler, Step};
use crate::game::Seat;

/// From which vertices steps lead to each.
#[derive(Debug)]
pub struct Sources(Vec<Vec<u32>>);

impl Sources {
    pub fn of(arena: &Arena) -> Sources {
        let mut sources = vec![Vec::new(); arena.vertices.len()];
        for (from, vertex) in (0..).zip(&arena.vertices) {
            for step in &vertex.steps {
                if let &Step::To(to) = step {
                    sources[to as usize].push(from);
                }
            }
        }
        Sources(sources)
    }
}

/// A fact about `wanted` that holds where `visited` has been visited, if the facts decide it.
pub fn one(settler: &Settler, visited: &Set, wanted: u32) -> Option<Fact> {
    let mut spread = Spread::new(settler, visited);
    while spread.found[wanted as usize].is_none() && spread.advance().is_some() {}
    spread.found[wanted as usize].take().map(|fact| (*fact).clone())
}

/// Facts about all vertices that the facts decide, as they are found.
pub fn all(settler: &Settler, visited: &Set) -> Vec<(u32, Fact)> {
    let mut spread = Spread::new(settler, visited);
    let mut order: Vec<u32> =
        (0..).zip(&spread.found).filter_map(|(v, f)| f.is_some().then_some(v)).collect();
    while let Some(vertex) = spread.advance() {
        order.push(vertex);
    }
    let fact = |vertex: u32| spread.found[vertex as usize].as_deref().cloned();
    order.into_iter().filter_map(|vertex| Some((vertex, fact(vertex)?))).collect()
}

/// Facts that one history meets, while others are derived from them.
struct Spread<'s, 'a> {
    settler: &'s Settler<'a>,
    visited: &'s Set,
    /// What holds where the game has ended, by winner.
    ended: [Rc<Fact>; 2],
    found: Vec<Option<Rc<Fact>>>,
    /// Vertices about which something may follow.
    queue: VecDeque<u32>,
    is_queued: Vec<bool>,
}

impl<'s, 'a> Spread<'s, 'a> {
    fn new(settler: &'s Settler<'a>, visited: &'s Set) -> Spread<'s, 'a> {
        let vertices = settler.arena.vertices.len();
        let met = |vertex| settler.facts.met(vertex, visited).cloned();
        let found = (0..vertices as u32).map(met).collect();
        let queue = (0..vertices as u32).collect();
        let ended = Seat::BOTH.map(|winner| Rc::new(Fact::always(winner, vertices)));
        Spread { settler, visited, ended, found, queue, is_queued: vec![true; vertices] }
    }

    /// Derives one fact more, and returns which vertex it is about.
    fn advance(&mut self) -> Option<u32> {
        while let Some(vertex) = self.queue.pop_front() {
            self.is_queued[vertex as usize] = false;
            if self.found[vertex as usize].is_none()
                && let Some(fact) = self.derive(vertex)
            {
                self.found[vertex as usize] = Some(Rc::new(fact));
                self.look_at_sources(vertex);
                return Some(vertex);
            }
        }
        None
    }

    fn look_at_sources(&mut self, vertex: u32) {
        for &source in &self.settler.sources.0[vertex as usize] {
            if !self.is_queued[source as usize] {
                self.is_queued[source as usize] = true;
                self.queue.push_back(source);
            }
        }
    }

    /// A fact about a vertex from those about the targets of its steps.
    fn derive(&self, number: u32) -> Option<Fact> {
        let arena = self.settler.arena;
        let vertex = &arena.vertices[number as usize];
        let is_visited = vertex.favours.is_some() && self.visited.contains(number);
        // The history meets what has been found, so only the vertex itself may stand against it.
        let stands = |winner| vertex.favours == Some(winner) || !is_visited;
        if stands(vertex.to_move) {
            let won = vertex.steps.iter().filter_map(|&step| Some((step, self.after(step)?)));
            let mut won = won.filter(|(_, fact)| fact.winner == vertex.to_move);
            let before = |(step, fact): (Step, &Fact)| {
                Fact { step: Some(step), ..fact.clone() }.before(number, vertex)
            };
            if let Some(fact) = won.find_map(before) {
                return Some(fact);
            }
        }
        let winner = vertex.to_move.other();
        let ends = || vertex.steps.iter().map(|&step| self.after(step));
        // Most vertices are not decided: nothing is made for them.
        if !stands(winner) || !ends().all(|fact| fact.is_some_and(|fact| fact.winner == winner)) {
            return None;
        }
        let mut lost = Fact::always(winner, arena.vertices.len());
        ends().flatten().for_each(|fact| lost.unite(fact));
        lost.before(number, vertex)
    }

    /// What has been found about the target of a step.
    fn after(&self, step: Step) -> Option<&Fact> {
        match step {
            Step::To(to) => self.found[to as usize].as_deref(),
            Step::Ends(winner) => Some(&self.ended[winner as usize]),
        }
    }
}
