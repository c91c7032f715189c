//! Facts about vertices, and the sets of vertices that they speak of.

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
pub struct Facts {
    of: Vec<Vec<Fact>>,
    /// Vertices with facts that need nothing.
    free: Vec<u32>,
    /// For each vertex those with facts of which it is the first need. A fact that has been dropped
    /// since leaves its vertex there.
    by_need: Vec<Vec<u32>>,
}

impl Facts {
    /// What is known from the start: to come back to a vertex that counts ends the game.
    pub fn new(arena: &Arena) -> Facts {
        let vertices = arena.vertices.len();
        let mut facts = Facts {
            of: vec![Vec::new(); vertices],
            free: Vec::new(),
            by_need: vec![Vec::new(); vertices],
        };
        for (number, vertex) in (0..).zip(&arena.vertices) {
            if let Some(winner) = vertex.favours {
                let mut fact = Fact::always(winner);
                fact.need.insert(number);
                facts.add(number, fact);
            }
        }
        facts
    }

    /// Calls `take` with each vertex about which a fact is met by a history, and with the first such
    /// fact, in no order; some may come twice.
    pub fn each_met<'f>(&'f self, history: &History, mut take: impl FnMut(u32, &'f Fact)) {
        let needing = history.path.iter().flat_map(|&vertex| &self.by_need[vertex as usize]);
        for &vertex in self.free.iter().chain(needing) {
            let met = self.of[vertex as usize].iter().find(|fact| fact.is_met(&history.visited));
            if let Some(fact) = met {
                take(vertex, fact);
            }
        }
    }

    /// Adds a fact, unless one that is known implies it.
    pub fn add(&mut self, vertex: u32, fact: Fact) {
        let known = &mut self.of[vertex as usize];
        if known.iter().any(|other| other.implies(&fact)) {
            return;
        }
        match fact.need.first() {
            Some(first) => self.by_need[first as usize].push(vertex),
            None if known.iter().any(|other| other.need.is_empty()) => {}
            None => self.free.push(vertex),
        }
        known.retain(|other| !fact.implies(other));
        known.push(fact);
    }

    /// Some step by which `player` wins from `vertex` in some history.
    pub fn step(&self, vertex: u32, player: Seat) -> Option<Step> {
        let won = self.of[vertex as usize].iter().filter(|fact| fact.winner == player);
        won.filter_map(|fact| fact.step).next()
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
