//! What is known of an arena while it is settled.

use bitvec::prelude::{BitVec, bitvec};

use super::arena::{Arena, Step};
use super::facts::{Fact, Facts};

/// From which vertices steps lead to each, and out of the graph.
#[derive(Debug)]
pub struct Sources {
    pub of: Vec<Vec<u32>>,
    pub of_ends: BitVec,
}

impl Sources {
    /// Those of an arena.
    pub fn of(arena: &Arena) -> Sources {
        let vertices = arena.vertices.len();
        let mut sources = Sources { of: vec![Vec::new(); vertices], of_ends: bitvec![0; vertices] };
        for (from, vertex) in arena.vertices.iter().enumerate() {
            for step in &vertex.steps {
                match *step {
                    Step::To(to) => sources.of[to as usize].push(from as u32),
                    Step::Ends(_) => sources.of_ends.set(from, true),
                }
            }
        }
        sources
    }
}

/// What has been found out about an arena.
#[derive(Debug)]
pub struct Settler<'a> {
    pub arena: &'a Arena,
    pub sources: Sources,
    pub facts: Facts,
    /// The step by which each vertex was first won with nothing visited, by who moves there.
    pub first_steps: Vec<Option<Step>>,
    /// Nodes that may still be visited.
    pub nodes_left: u64,
}

impl<'a> Settler<'a> {
    /// Nothing, with so many nodes to visit.
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
