//! What the facts that are known decide in one history, backwards along steps.

use std::rc::Rc;

use bitvec::prelude::BitVec;

use super::arena::Step;
use super::facts::Fact;
use super::settler::Settler;
use crate::game::Seat;

/// A fact about `wanted` that holds where `visited` has been visited, if the facts decide it.
pub fn one(settler: &Settler, visited: &[bool], wanted: u32) -> Option<Fact> {
    let mut spread = Spread::new(settler, visited);
    while spread.found[wanted as usize].is_none() && spread.advance().is_some() {}
    spread.found[wanted as usize].take().map(|fact| (*fact).clone())
}

/// Facts about all vertices that the facts decide, as they are found.
pub fn all(settler: &Settler, visited: &[bool]) -> Vec<(u32, Fact)> {
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
    visited: &'s [bool],
    /// What holds where the game has ended, by winner.
    ended: [Rc<Fact>; 2],
    found: Vec<Option<Rc<Fact>>>,
    /// Vertices about which something may follow, and the first that is looked at next.
    waiting: BitVec,
    next: usize,
}

impl<'s, 'a> Spread<'s, 'a> {
    fn new(settler: &'s Settler<'a>, visited: &'s [bool]) -> Spread<'s, 'a> {
        let ended = Seat::BOTH.map(|winner| Rc::new(Fact::always(winner)));
        let (found, waiting) = (vec![None; visited.len()], settler.sources.of_ends.clone());
        let mut spread = Spread { settler, visited, ended, found, waiting, next: 0 };
        for vertex in 0..visited.len() as u32 {
            if let Some(fact) = settler.facts.met(vertex, visited) {
                spread.add(vertex, fact.clone());
            }
        }
        spread
    }

    fn add(&mut self, vertex: u32, fact: Rc<Fact>) {
        self.found[vertex as usize] = Some(fact);
        for &source in &self.settler.sources.of[vertex as usize] {
            self.waiting.set(source as usize, true);
        }
    }

    /// Derives one fact more, and returns which vertex it is about.
    fn advance(&mut self) -> Option<u32> {
        while let Some(vertex) = self.first_waiting() {
            self.waiting.set(vertex, false);
            self.next = vertex + 1;
            let vertex = vertex as u32;
            if self.found[vertex as usize].is_none()
                && let Some(fact) = self.derive(vertex)
            {
                self.add(vertex, Rc::new(fact));
                return Some(vertex);
            }
        }
        None
    }

    /// The next vertex that waits, round after round.
    fn first_waiting(&self) -> Option<usize> {
        let further = self.waiting[self.next..].first_one().map(|further| self.next + further);
        further.or_else(|| self.waiting.first_one())
    }

    /// A fact about a vertex from those about the targets of its steps.
    fn derive(&self, number: u32) -> Option<Fact> {
        let arena = self.settler.arena;
        let vertex = &arena.vertices[number as usize];
        let is_visited = vertex.favours.is_some() && self.visited[number as usize];
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
        let mut lost = Fact::always(winner);
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
