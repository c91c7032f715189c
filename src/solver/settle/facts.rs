//! Facts about vertices, and the sets of vertices that they speak of.

use std::rc::Rc;

use super::arena::{Arena, Step, Vertex};
use crate::game::Seat;

/// A set of vertices, smallest number first. What a fact asks for are few of thousands: five to eight
/// on average in the layer of 8 seeds of `abapa`. With a `BTreeSet` its search takes half as long again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set(Vec<u32>);

impl Set {
    pub fn insert(&mut self, vertex: u32) {
        if let Err(place) = self.0.binary_search(&vertex) {
            self.0.insert(place, vertex);
        }
    }

    pub fn remove(&mut self, vertex: u32) {
        if let Ok(place) = self.0.binary_search(&vertex) {
            self.0.remove(place);
        }
    }

    pub fn contains(&self, vertex: u32) -> bool {
        self.0.binary_search(&vertex).is_ok()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn unite(&mut self, other: &Set) {
        self.0.extend_from_slice(&other.0);
        // Two runs, which it finds and merges.
        self.0.sort();
        self.0.dedup();
    }

    pub fn is_subset(&self, other: &Set) -> bool {
        self.0.iter().all(|&vertex| other.contains(vertex))
    }
}

/// If every vertex of `need` and none of `forbid` has been visited, `winner` wins.
#[derive(Clone, Debug)]
pub struct Fact {
    pub winner: Seat,
    pub need: Set,
    pub forbid: Set,
    /// The winner's step, if it is the winner who moves.
    pub step: Option<Step>,
}

impl Fact {
    /// The fact without conditions.
    pub fn always(winner: Seat) -> Fact {
        Fact { winner, need: Set::default(), forbid: Set::default(), step: None }
    }

    /// Whether a history meets it that says of each vertex whether it has been visited.
    pub fn is_met(&self, visited: &[bool]) -> bool {
        let is_visited = |&vertex: &u32| visited[vertex as usize];
        self.need.0.iter().all(is_visited) && !self.forbid.0.iter().any(is_visited)
    }

    /// Whether it says what `other` says, under conditions that are met wherever those of `other`
    /// are.
    fn implies(&self, other: &Fact) -> bool {
        self.winner == other.winner
            && self.need.is_subset(&other.need)
            && self.forbid.is_subset(&other.forbid)
    }

    pub fn unite(&mut self, other: &Fact) {
        self.need.unite(&other.need);
        self.forbid.unite(&other.forbid);
    }

    /// Turns what holds at the targets of steps into what holds at the vertex that they start
    /// from; `None` if it must not have been visited then.
    pub fn before(mut self, number: u32, vertex: &Vertex) -> Option<Fact> {
        let Some(favours) = vertex.favours else { return Some(self) };
        if self.forbid.contains(number) {
            return None;
        }
        self.need.remove(number);
        if favours != self.winner {
            self.forbid.insert(number);
        }
        Some(self)
    }
}

/// The facts about each vertex, none implied by another.
#[derive(Debug)]
pub struct Facts(Vec<Vec<Rc<Fact>>>);

impl Facts {
    /// What is known from the start: to come back to a vertex that counts ends the game.
    pub fn new(arena: &Arena) -> Facts {
        let mut facts = Facts(vec![Vec::new(); arena.vertices.len()]);
        for (number, vertex) in (0..).zip(&arena.vertices) {
            if let Some(winner) = vertex.favours {
                let mut fact = Fact::always(winner);
                fact.need.insert(number);
                facts.add(number, fact);
            }
        }
        facts
    }

    /// A fact about `vertex` that a history meets.
    pub fn met(&self, vertex: u32, visited: &[bool]) -> Option<&Rc<Fact>> {
        self.0[vertex as usize].iter().find(|fact| fact.is_met(visited))
    }

    /// Adds a fact, unless one that is known implies it.
    pub fn add(&mut self, vertex: u32, fact: Fact) {
        let known = &mut self.0[vertex as usize];
        if !known.iter().any(|other| other.implies(&fact)) {
            known.retain(|other| !fact.implies(other));
            known.push(Rc::new(fact));
        }
    }

    /// Some step by which `player` wins from `vertex` in some history.
    pub fn step(&self, vertex: u32, player: Seat) -> Option<Step> {
        let won = self.0[vertex as usize].iter().filter(|fact| fact.winner == player);
        won.filter_map(|fact| fact.step).next()
    }
}
