//! One step for each vertex that wins from all starts at once.
//!
//! First everything is fixed to the step by which a vertex was first won. Where that loses a start,
//! half of the steps are fixed at a time, down to single vertices, whose other steps are tried. A
//! player keeps all wins at every stage, because the graph with some steps fixed is resolved again.
//! For each player all of that together may visit as many nodes as the searches before have left.

use super::arena::{Arena, TokenMove};
use super::settler::Settler;
use crate::game::Seat;

/// Returns the steps of both players; `None` at the vertices of a player for whom none were found
/// within the limit of nodes.
pub fn steps(settler: &Settler, winners: &[Seat]) -> Vec<Option<TokenMove>> {
    let fixed = Seat::BOTH.map(|player| Fixing::new(settler, winners, player).run());
    let step = |(number, player): (usize, Seat)| {
        Some(fixed[player as usize].as_ref()?.vertices[number].steps[0])
    };
    let movers = settler.arena.vertices.iter().map(|vertex| vertex.to_move);
    movers.enumerate().map(step).collect()
}

struct Fixing<'s, 'a> {
    settler: &'s Settler<'a>,
    player: Seat,
    /// What the player wins from. What was lost last comes first, for it is likely to be lost again.
    starts: Vec<u32>,
    /// The arena, with the steps that are fixed so far.
    arena: Arena,
    /// Nodes that may still be visited.
    nodes_left: u64,
}

impl<'s, 'a> Fixing<'s, 'a> {
    fn new(settler: &'s Settler<'a>, winners: &[Seat], player: Seat) -> Fixing<'s, 'a> {
        let (arena, nodes_left) = (settler.arena.clone(), settler.nodes_left);
        let is_won = |&start: &u32| winners[start as usize] == player;
        let starts = (0..winners.len() as u32).filter(is_won).collect();
        Fixing { settler, player, starts, arena, nodes_left }
    }

    fn run(mut self) -> Option<Arena> {
        let own = |&vertex: &u32| self.arena.vertices[vertex as usize].to_move == self.player;
        let own: Vec<u32> = (0..self.arena.vertices.len() as u32).filter(own).collect();
        let wanted: Vec<_> = own.into_iter().map(|vertex| (vertex, self.first(vertex))).collect();
        self.fix(&wanted).then_some(self.arena)
    }

    fn first(&self, vertex: u32) -> TokenMove {
        let first = self.settler.first_steps[vertex as usize];
        first
            .or_else(|| self.settler.facts.step(vertex, self.player))
            .unwrap_or(self.arena.vertices[vertex as usize].steps[0])
    }

    fn fix(&mut self, wanted: &[(u32, TokenMove)]) -> bool {
        for &(vertex, step) in wanted {
            self.arena.vertices[vertex as usize].steps = vec![step];
        }
        if wanted.is_empty() || self.keeps_all_wins() {
            return true;
        }
        if let &[(vertex, _)] = wanted {
            return self.fix_otherwise(vertex);
        }
        for &(vertex, _) in wanted {
            self.arena.vertices[vertex as usize].steps = self.all_steps(vertex);
        }
        let (some, others) = wanted.split_at(wanted.len() / 2);
        self.fix(some) && self.fix(others)
    }

    fn fix_otherwise(&mut self, vertex: u32) -> bool {
        self.all_steps(vertex).into_iter().any(|step| {
            self.arena.vertices[vertex as usize].steps = vec![step];
            self.keeps_all_wins()
        })
    }

    fn all_steps(&self, vertex: u32) -> Vec<TokenMove> {
        self.settler.arena.vertices[vertex as usize].steps.clone()
    }

    fn keeps_all_wins(&mut self) -> bool {
        let mut settler = Settler::new(&self.arena, self.nodes_left);
        let lost = settler.first_lost(self.player, &self.starts);
        self.nodes_left = settler.nodes_left.saturating_sub(1);
        let Some(lost) = lost else { return false };
        let is_lost = lost < self.starts.len();
        if is_lost {
            self.starts[..=lost].rotate_right(1);
        }
        !is_lost
    }
}
