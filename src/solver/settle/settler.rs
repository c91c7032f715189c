//! What is known of an arena while it is settled.

use super::arena::{Arena, TokenMove};
use super::facts::{Fact, Facts};

/// A set of vertices as bits.
#[derive(Clone, Debug)]
pub struct VertexSet(Vec<u64>);

impl VertexSet {
    /// The empty set of this many vertices.
    pub fn none(vertices: usize) -> VertexSet {
        VertexSet(vec![0; vertices.div_ceil(64)])
    }

    pub fn set(&mut self, vertex: u32) {
        self.0[vertex as usize / 64] |= 1 << (vertex % 64);
    }

    pub fn clear(&mut self, vertex: u32) {
        self.0[vertex as usize / 64] &= !(1 << (vertex % 64));
    }

    /// The first member from a vertex on.
    pub fn first_from(&self, vertex: u32) -> Option<u32> {
        let (word, bit) = (vertex as usize / 64, vertex % 64);
        let first = self.0.get(word)? & (u64::MAX << bit);
        if first != 0 {
            return Some(word as u32 * 64 + first.trailing_zeros());
        }
        let further = word + 1 + self.0[word + 1..].iter().position(|&word| word != 0)?;
        Some(further as u32 * 64 + self.0[further].trailing_zeros())
    }
}

/// From which vertices steps lead to each, and out of the graph.
#[derive(Debug)]
pub struct Sources {
    /// Where those of each vertex begin among all, and where the last ones end.
    begins: Vec<u32>,
    all: Vec<u32>,
    pub of_ends: VertexSet,
}

impl Sources {
    /// Those of an arena.
    pub fn of(arena: &Arena) -> Sources {
        let vertices = arena.vertices.len();
        let (mut begins, mut of_ends) = (vec![0; vertices + 1], VertexSet::none(vertices));
        each_step(arena, |from, step| match step {
            TokenMove::To(to) => begins[to as usize] += 1,
            TokenMove::Ends(_) => of_ends.set(from),
        });
        let mut sum = 0;
        for begin in &mut begins {
            sum += *begin;
            *begin = sum;
        }
        // Filled from behind, so that the ends become the beginnings.
        let mut all = vec![0; sum as usize];
        each_step(arena, |from, step| {
            if let TokenMove::To(to) = step {
                begins[to as usize] -= 1;
                all[begins[to as usize] as usize] = from;
            }
        });
        Sources { begins, all, of_ends }
    }

    /// The vertices from which steps lead to one.
    pub fn to(&self, vertex: u32) -> &[u32] {
        let ends = [self.begins[vertex as usize], self.begins[vertex as usize + 1]];
        &self.all[ends[0] as usize..ends[1] as usize]
    }
}

fn each_step(arena: &Arena, mut visit: impl FnMut(u32, TokenMove)) {
    for (from, vertex) in (0..).zip(&arena.vertices) {
        vertex.steps.iter().for_each(|&step| visit(from, step));
    }
}

/// What has been found out about an arena.
#[derive(Debug)]
pub struct Settler<'a> {
    pub arena: &'a Arena,
    pub sources: Sources,
    pub facts: Facts,
    /// The step by which each vertex was first won with nothing visited, by who moves there.
    pub first_steps: Vec<Option<TokenMove>>,
    /// Nodes that may still be visited.
    pub nodes_left: u64,
}

impl<'a> Settler<'a> {
    /// Nothing, with this many nodes to visit.
    pub fn new(arena: &'a Arena, nodes_left: u64) -> Settler<'a> {
        let (sources, facts) = (Sources::of(arena), Facts::new(arena));
        Settler { arena, sources, facts, first_steps: vec![None; arena.vertices.len()], nodes_left }
    }

    /// Adds a fact.
    pub fn learn(&mut self, vertex: u32, fact: Fact) {
        if fact.need.is_empty() && self.first_steps[vertex as usize].is_none() {
            self.first_steps[vertex as usize] = fact.step;
        }
        self.facts.add(vertex, fact);
    }
}
