//! Facts about vertices, and the sets of vertices that they speak of.

use std::rc::Rc;

use super::{Arena, Step, Vertex};
use crate::game::Seat;

/// A set of vertices: a bit each, in words, because facts are compared in the innermost loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set(Box<[u64]>);

impl Set {
    pub fn empty(vertices: usize) -> Set {
        Set(vec![0; vertices.div_ceil(64)].into())
    }

    pub fn insert(&mut self, vertex: u32) {
        self.0[vertex as usize / 64] |= 1 << (vertex % 64);
    }

    pub fn remove(&mut self, vertex: u32) {
        self.0[vertex as usize / 64] &= !(1 << (vertex % 64));
    }

    pub fn contains(&self, vertex: u32) -> bool {
        self.0[vertex as usize / 64] >> (vertex % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub fn unite(&mut self, other: &Set) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    pub fn is_subset(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).all(|(word, other)| word & !other == 0)
    }

    pub fn is_disjoint(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).all(|(word, other)| word & other == 0)
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
    pub fn always(winner: Seat, vertices: usize) -> Fact {
        Fact { winner, need: Set::empty(vertices), forbid: Set::empty(vertices), step: None }
    }

    pub fn is_met(&self, visited: &Set) -> bool {
        self.need.is_subset(visited) && self.forbid.is_disjoint(visited)
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
                let mut fact = Fact::always(winner, arena.vertices.len());
                fact.need.insert(number);
                facts.add(number, fact);
            }
        }
        facts
    }

    /// A fact about `vertex` that a history meets.
    pub fn met(&self, vertex: u32, visited: &Set) -> Option<&Rc<Fact>> {
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
