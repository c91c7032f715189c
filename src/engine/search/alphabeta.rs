//! Principal variation search on one thread.
//!
//! Invariant: `search(depth, alpha, beta)` returns what [`super::plain::minimax`] returns at the
//! same depth, or a bound of it on the right side of the window.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::endgames::Endgames;
use super::limits::DEEPEST;
use super::order::Order;
use super::shared::Shared;
use super::stack::Stack;
use super::transposition::{Bound, Entry};
use super::worth::Worth;
use crate::error::Error;
use crate::game::{Game, House, Moves};

/// Positions between two looks at the clock. A position that reads a table's file may take a tenth
/// of a millisecond.
const UNWATCHED: u64 = 256;

/// A thread's search of a position.
pub struct Searcher<'a> {
    line: Stack,
    endgames: Endgames,
    shared: &'a Shared<'a>,
    order: Order,
    ply: usize,
    nodes: u64,
    best: Option<House>,
    stopped: bool,
    /// The depth that is always finished.
    first: bool,
}

impl<'a> Searcher<'a> {
    /// Makes a search that has not begun.
    pub fn new(game: &Game, endgames: Endgames, shared: &'a Shared<'a>) -> Searcher<'a> {
        let order = Order::new(DEEPEST as usize + 1);
        Searcher {
            line: Stack::new(game),
            endgames,
            shared,
            order,
            ply: 0,
            nodes: 0,
            best: None,
            stopped: false,
            first: false,
        }
    }

    /// Searches `depth` plies deep, and returns what the position is worth; `None` if there was no
    /// time. A search of one ply does not look at the clock.
    pub fn root(&mut self, depth: u32) -> Option<Worth> {
        self.first = depth == 1;
        let worth = self.moves(&self.line.moves(), depth, Worth::LEAST, -Worth::LEAST);
        self.shared.nodes.fetch_add(std::mem::take(&mut self.nodes), Ordering::Relaxed);
        self.shared.hits.fetch_add(self.endgames.take_hits(), Ordering::Relaxed);
        (!self.stopped).then_some(worth)
    }

    /// Returns the number of positions visited, by all threads as far as they have reported.
    pub fn nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed)
    }

    /// Returns the number of positions found in tables, by all threads as far as they have
    /// reported.
    pub fn hits(&self) -> u64 {
        self.shared.hits.load(Ordering::Relaxed)
    }

    /// Returns what is wrong with a table that could not be read.
    pub fn trouble(&self) -> Option<Arc<Error>> {
        self.endgames.trouble().cloned()
    }

    /// Returns the expected line: the best move, and what the transposition table remembers after
    /// it.
    pub fn expected(&self, depth: u32) -> Vec<House> {
        let mut line = self.line.clone();
        let mut houses = Vec::new();
        let mut next = self.best;
        while let Some(played) =
            next.and_then(|house| line.moves().iter().find(|played| played.house == house))
        {
            houses.push(played.house);
            line.push(&played);
            if houses.len() == depth as usize || line.stopped().is_some() {
                break;
            }
            next = self.shared.transpositions.get(line.key()).and_then(|entry| entry.house);
        }
        houses
    }

    fn search(&mut self, depth: u32, alpha: Worth, beta: Worth) -> Worth {
        self.nodes += 1;
        if self.is_interrupted() {
            return Worth::ZERO;
        }
        if let Some(worth) = self.line.stopped() {
            return worth;
        }
        let moves = self.line.moves();
        if moves.is_empty() {
            return self.line.stuck();
        }
        if let Some(worth) = self.endgames.worth(&self.line, depth > 0) {
            return worth;
        }
        if depth == 0 {
            self.quiescence(&moves, alpha, beta)
        } else {
            self.moves(&moves, depth, alpha, beta)
        }
    }

    /// Returns the worth of the best of some moves, of which there is one unless this is the root.
    fn moves(&mut self, moves: &Moves, depth: u32, alpha: Worth, beta: Worth) -> Worth {
        let key = self.line.key();
        let known = self.shared.transpositions.get(key);
        if let Some(entry) = known.filter(|entry| self.ply > 0 && entry.depth == depth) {
            let settled = match entry.bound {
                Bound::Exact => true,
                Bound::AtLeast => entry.worth >= beta,
                Bound::AtMost => entry.worth <= alpha,
            };
            if settled {
                return entry.worth;
            }
        }
        let mut best = (Worth::LEAST, None);
        let remembered = known.and_then(|entry| entry.house);
        for played in self.order.sort(moves, self.ply, remembered) {
            let least = best.0.max(alpha);
            self.line.push(&played);
            self.ply += 1;
            let worth = self.after(depth - 1, least, beta, best.1.is_none());
            self.ply -= 1;
            self.line.pop();
            if self.stopped {
                return best.0;
            }
            if worth > best.0 {
                best = (worth, Some(played.house));
            }
            if worth >= beta {
                self.order.record_cutoff(&played, self.ply, depth);
                break;
            }
        }
        self.remember(key, depth, best, alpha, beta);
        best.0
    }

    /// Returns the worth of a move that has been made. The first move is searched with the `whole`
    /// window, others with an empty one first.
    fn after(&mut self, depth: u32, least: Worth, beta: Worth, whole: bool) -> Worth {
        if !whole {
            let worth = -self.search(depth, -least.next(), -least);
            if worth <= least || worth >= beta {
                return worth;
            }
        }
        -self.search(depth, -beta, -least)
    }

    fn remember(
        &mut self,
        key: u64,
        depth: u32,
        best: (Worth, Option<House>),
        alpha: Worth,
        beta: Worth,
    ) {
        let (worth, house) = best;
        let bound = if worth >= beta {
            Bound::AtLeast
        } else if worth <= alpha {
            Bound::AtMost
        } else {
            Bound::Exact
        };
        if self.ply == 0 {
            self.best = house;
        }
        let house = house.filter(|_| bound != Bound::AtMost);
        self.shared.transpositions.set(key, Entry { worth, bound, depth, house });
    }

    /// Returns the worth of the best of stopping here and of captures, and so on. It is assumed,
    /// not known, that a player who would rather not capture has a quiet move that keeps things as
    /// they are.
    fn quiescence(&mut self, moves: &Moves, alpha: Worth, beta: Worth) -> Worth {
        let mut best = self.line.estimate();
        let ply = self.ply.min(DEEPEST as usize);
        for played in self.order.sort(moves, ply, None).filter(|played| played.captured > 0) {
            if best >= beta {
                break;
            }
            self.line.push(&played);
            let worth = -self.search(0, -beta, -best.max(alpha));
            self.line.pop();
            best = best.max(worth);
        }
        best
    }

    fn is_interrupted(&mut self) -> bool {
        if self.nodes >= UNWATCHED {
            self.shared.nodes.fetch_add(std::mem::take(&mut self.nodes), Ordering::Relaxed);
            self.stopped |= !self.first && self.shared.is_over();
        }
        self.stopped
    }
}
