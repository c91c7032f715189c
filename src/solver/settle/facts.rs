//! Facts about vertices of the token's graph, the sets of vertices that are their conditions, and
//! the history that they are compared with.
//!
//! Invariant: of the facts about one vertex none implies another. Those that a new one implies
//! go.

use super::arena::{Arena, TokenMove, Vertex};
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

    pub fn first(&self) -> Option<u32> {
        self.0.first().copied()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn unite(&mut self, other: &Set) {
        if other.0.is_empty() {
            return;
        }
        let (mut one, mut two) = (std::mem::take(&mut self.0).into_iter().peekable(), &other.0[..]);
        self.0.reserve(one.len() + two.len());
        while let Some(&next) = one.peek() {
            let before = two.iter().take_while(|&&vertex| vertex < next).count();
            self.0.extend_from_slice(&two[..before]);
            two = &two[before + usize::from(two.get(before) == Some(&next))..];
            self.0.extend(one.next());
        }
        self.0.extend_from_slice(two);
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
    pub step: Option<TokenMove>,
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
///
/// A history meets few of them. So they are listed by the first vertex that they need, and only lists of
/// vertices that have been visited are gone through: layers of 0 to 5 seeds of `abapa-every`, with many
/// facts about each vertex, take a third of the time.
#[derive(Debug)]
pub struct Facts {
    /// All that have been added, and about which vertex.
    all: Vec<(u32, Fact)>,
    /// By vertex: those about it, first added first.
    of: Vec<Vec<u32>>,
    /// By first need: those with it, and behind those of all vertices those that need nothing.
    by_need: Vec<Vec<u32>>,
}

impl Facts {
    /// What is known from the start: to come back to a vertex that counts ends the game.
    pub fn new(arena: &Arena) -> Facts {
        let vertices = arena.vertices.len();
        let (of, by_need) = (vec![Vec::new(); vertices], vec![Vec::new(); vertices + 1]);
        let mut facts = Facts { all: Vec::new(), of, by_need };
        for (number, vertex) in (0..).zip(&arena.vertices) {
            if let Some(winner) = vertex.favours {
                let mut fact = Fact::always(winner);
                fact.need.insert(number);
                facts.add(number, fact);
            }
        }
        facts
    }

    /// Returns the facts that are met by a history with the vertices that they are about, first added
    /// first. There may be several about a vertex.
    pub fn met(&self, history: &History) -> impl Iterator<Item = (u32, &Fact)> {
        let needing = history.path.iter().flat_map(|&vertex| &self.by_need[vertex as usize]);
        let listed = self.by_need[self.of.len()].iter().chain(needing).copied();
        let is_met = |&fact: &u32| self.all[fact as usize].1.is_met(&history.visited);
        let mut met: Vec<u32> = listed.filter(is_met).collect();
        met.sort_unstable();
        met.into_iter().map(|fact| (self.all[fact as usize].0, &self.all[fact as usize].1))
    }

    /// Adds a fact, unless one that is known implies it.
    pub fn add(&mut self, vertex: u32, fact: Fact) {
        if self.about(vertex).any(|(_, known)| known.implies(&fact)) {
            return;
        }
        let implied: Vec<u32> =
            self.about(vertex).filter(|(_, known)| fact.implies(known)).map(|(at, _)| at).collect();
        for at in implied {
            self.of[vertex as usize].retain(|&known| known != at);
            let first = self.first_need(at);
            self.by_need[first].retain(|&known| known != at);
        }
        let at = self.all.len() as u32;
        self.all.push((vertex, fact));
        self.of[vertex as usize].push(at);
        let first = self.first_need(at);
        self.by_need[first].push(at);
    }

    fn about(&self, vertex: u32) -> impl Iterator<Item = (u32, &Fact)> {
        self.of[vertex as usize].iter().map(|&at| (at, &self.all[at as usize].1))
    }

    fn first_need(&self, at: u32) -> usize {
        self.all[at as usize].1.need.first().map_or(self.of.len(), |first| first as usize)
    }

    /// Some step by which `player` wins from `vertex` in some history.
    pub fn step(&self, vertex: u32, player: Seat) -> Option<TokenMove> {
        let mut won = self.about(vertex).filter(|(_, fact)| fact.winner == player);
        won.find_map(|(_, fact)| fact.step)
    }
}

/// What has been visited.
#[derive(Debug)]
pub struct History {
    /// Whether each vertex has been.
    pub visited: Vec<bool>,
    /// Those that have been.
    pub path: Vec<u32>,
}

impl History {
    /// Nothing of this many vertices.
    pub fn fresh(vertices: usize) -> History {
        History { visited: vec![false; vertices], path: Vec::new() }
    }

    pub fn visit(&mut self, vertex: u32) {
        self.visited[vertex as usize] = true;
        self.path.push(vertex);
    }
}
