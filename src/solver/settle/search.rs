//! Proof-number search for the winner from one vertex with nothing visited.
//!
//! A node of the tree is a play, not a vertex, for who wins depends on what has been visited.
//! What decides a node is a fact ([`super`]), which later searches use at any other node.

use std::ops::Range;

use super::arena::{Arena, TokenMove};
use super::attract;
use super::facts::{Fact, History};
use super::settler::Settler;
use crate::game::Seat;

/// Returns who wins from `start` with nothing visited; `None` beyond the limit.
pub fn winner(settler: &mut Settler, start: u32) -> Option<Seat> {
    let mut search = TokenSearch { tree: vec![Node::leaf(TokenMove::To(start), None)], settler };
    while search.tree[0].fact.is_none() {
        search.settler.nodes_left = search.settler.nodes_left.checked_sub(1)?;
        let (leaf, history) = search.descend();
        search.visit(leaf, &history);
        search.back_up(leaf);
    }
    search.tree[0].fact.as_ref().map(|fact| fact.winner)
}

impl Settler<'_> {
    /// The winner from each vertex with nothing visited; `None` beyond the limit.
    pub fn winners(&mut self) -> Option<Vec<Seat>> {
        let mut winners = vec![None; self.arena.vertices.len()];
        for start in 0..winners.len() as u32 {
            self.winner_from(start, &mut winners)?;
        }
        winners.into_iter().collect()
    }

    /// Returns the place of the first of some starts that a player does not win with nothing visited,
    /// `starts.len()` if all are won; `None` beyond the limit.
    pub fn first_lost(&mut self, player: Seat, starts: &[u32]) -> Option<usize> {
        let mut winners = vec![None; self.arena.vertices.len()];
        for (place, &start) in starts.iter().enumerate() {
            if self.winner_from(start, &mut winners)? != player {
                return Some(place);
            }
        }
        Some(starts.len())
    }

    /// Returns the winner from a start, given those that are known, and adds what is found.
    fn winner_from(&mut self, start: u32, winners: &mut [Option<Seat>]) -> Option<Seat> {
        if winners[start as usize].is_none() {
            winners[start as usize] = Some(winner(self, start)?);
            self.spread_to(winners);
        }
        winners[start as usize]
    }

    /// Adds the winners that follow from facts without a search.
    fn spread_to(&mut self, winners: &mut [Option<Seat>]) {
        let nothing = History::fresh(self.arena.vertices.len());
        for (vertex, fact) in attract::all(self, &nothing) {
            if winners[vertex as usize].is_none() {
                winners[vertex as usize] = Some(fact.winner);
                self.learn(vertex, fact);
            }
        }
    }
}

/// A play from the start, by its last step.
struct Node {
    step: TokenMove,
    parent: Option<u32>,
    children: Range<u32>,
    /// The proof numbers: how many leaves at least must still be won for South, and for North.
    effort: [u32; 2],
    /// What decides it.
    fact: Option<Fact>,
}

impl Node {
    fn leaf(step: TokenMove, parent: Option<u32>) -> Node {
        Node { step, parent, children: 0..0, effort: [1, 1], fact: None }
    }
}

struct TokenSearch<'s, 'a> {
    tree: Vec<Node>,
    settler: &'s mut Settler<'a>,
}

impl<'a> TokenSearch<'_, 'a> {
    fn arena(&self) -> &'a Arena {
        self.settler.arena
    }

    fn vertex(&self, node: u32) -> u32 {
        match self.tree[node as usize].step {
            TokenMove::To(vertex) => vertex,
            TokenMove::Ends(_) => unreachable!("a step that ends the game is decided at once"),
        }
    }

    /// The most-proving leaf, and what is visited before the token is there.
    fn descend(&self) -> (u32, History) {
        let mut history = History::fresh(self.arena().vertices.len());
        let mut at = 0;
        while !self.tree[at as usize].children.is_empty() {
            let number = self.vertex(at);
            let vertex = &self.arena().vertices[number as usize];
            if vertex.favours.is_some() {
                history.visit(number);
            }
            let effort = |&child: &u32| self.tree[child as usize].effort[vertex.to_move as usize];
            at = self.tree[at as usize].children.clone().min_by_key(effort).expect("children");
        }
        (at, history)
    }

    /// Decides a leaf by facts, or gives it children.
    fn visit(&mut self, leaf: u32, history: &History) {
        let number = self.vertex(leaf);
        if let Some(fact) = attract::one(self.settler, history, number) {
            return self.close(leaf, fact);
        }
        let first = self.tree.len() as u32;
        for &step in &self.arena().vertices[number as usize].steps {
            self.tree.push(Node::leaf(step, Some(leaf)));
            if let TokenMove::Ends(winner) = step {
                self.decide(self.tree.len() as u32 - 1, Fact::always(winner));
            }
        }
        self.tree[leaf as usize].children = first..self.tree.len() as u32;
    }

    fn decide(&mut self, node: u32, fact: Fact) {
        let node = &mut self.tree[node as usize];
        node.effort[fact.winner as usize] = 0;
        node.effort[fact.winner.other() as usize] = u32::MAX;
        node.children = 0..0;
        node.fact = Some(fact);
    }

    /// Decides a node and keeps what decides it for all searches.
    fn close(&mut self, node: u32, fact: Fact) {
        self.settler.learn(self.vertex(node), fact.clone());
        self.decide(node, fact);
    }

    /// Brings the nodes above a leaf up to date.
    fn back_up(&mut self, leaf: u32) {
        let mut next = Some(leaf);
        while let Some(node) = next {
            if !self.tree[node as usize].children.is_empty() {
                match self.conclusion(node) {
                    Some(fact) => self.close(node, fact),
                    None => self.count_effort(node),
                }
            }
            next = self.tree[node as usize].parent;
        }
    }

    /// The fact that follows from what decides the children of a node.
    fn conclusion(&self, node: u32) -> Option<Fact> {
        let number = self.vertex(node);
        let vertex = &self.arena().vertices[number as usize];
        let children = &self.tree[range(&self.tree[node as usize].children)];
        let is_won =
            |child: &&Node| child.fact.as_ref().is_some_and(|fact| fact.winner == vertex.to_move);
        let fact = if let Some(won) = children.iter().find(is_won) {
            Fact { step: Some(won.step), ..won.fact.clone()? }
        } else {
            let mut lost = Fact::always(vertex.to_move.other());
            for child in children {
                lost.unite(child.fact.as_ref()?);
            }
            lost
        };
        Some(fact.before(number, vertex).expect("the history meets the facts of the children"))
    }

    fn count_effort(&mut self, node: u32) {
        let mover = self.arena().vertices[self.vertex(node) as usize].to_move;
        let children = &self.tree[range(&self.tree[node as usize].children)];
        let efforts = |seat: Seat| children.iter().map(move |child| child.effort[seat as usize]);
        let easiest = efforts(mover).min().expect("children");
        let sum = efforts(mover.other()).fold(0u32, u32::saturating_add);
        self.tree[node as usize].effort[mover as usize] = easiest;
        self.tree[node as usize].effort[mover.other() as usize] = sum;
    }
}

fn range(children: &Range<u32>) -> Range<usize> {
    children.start as usize..children.end as usize
}
