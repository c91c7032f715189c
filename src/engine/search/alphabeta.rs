//! Principal variation search, one thread's.
//!
//! Invariant: `search(depth, alpha, beta)` gives what [`super::plain::minimax`] gives to the same
//! depth, or a bound of it on the right side of the window.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::hash::{Bound, Entry};
use super::order::Order;
use super::{DEEPEST, Endgames, Line, Shared, Worth};
use crate::error::Error;
use crate::game::{Game, House, Moves};

/// Positions between two looks at the clock. One that reads a table's file may take a tenth of a
/// millisecond.
const UNWATCHED: u64 = 256;

/// A thread's search of a position.
pub struct Searcher<'a> {
    line: Line,
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
    /// A search that has not begun.
    pub fn new(game: &Game, endgames: Endgames, shared: &'a Shared<'a>) -> Searcher<'a> {
        let order = Order::new(DEEPEST as usize + 1);
        Searcher {
            line: Line::of(game),
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

    /// What the position is worth, looking so many plies ahead; `None` if there was no time. The
    /// first ply does not look at the clock.
    pub fn root(&mut self, depth: u32) -> Option<Worth> {
        self.first = depth == 1;
        let worth = self.moves(&self.line.moves(), depth, Worth::LEAST, -Worth::LEAST);
        self.shared.nodes.fetch_add(std::mem::take(&mut self.nodes), Ordering::Relaxed);
        self.shared.hits.fetch_add(self.endgames.take_hits(), Ordering::Relaxed);
        (!self.stopped).then_some(worth)
    }

    /// Positions visited and found in tables, by all threads as far as they have told.
    pub fn counts(&self) -> (u64, u64) {
        (self.shared.nodes.load(Ordering::Relaxed), self.shared.hits.load(Ordering::Relaxed))
    }

    /// A table that could not be read.
    pub fn trouble(&self) -> Option<Arc<Error>> {
        self.endgames.trouble().cloned()
    }

    /// The line that is expected: the best move, and what the table of transpositions remembers
    /// after it.
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
            next = self.shared.hash.get(line.key()).and_then(|entry| entry.house);
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
        match depth {
            0 => self.quiet(&moves, alpha, beta),
            _ => self.moves(&moves, depth, alpha, beta),
        }
    }

    /// The best of some moves, at least one if this is not the root.
    fn moves(&mut self, moves: &Moves, depth: u32, alpha: Worth, beta: Worth) -> Worth {
        let key = self.line.key();
        let known = self.shared.hash.get(key);
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
                self.order.praise(&played, self.ply, depth);
                break;
            }
        }
        self.remember(key, depth, best, alpha, beta);
        best.0
    }

    /// What a move is worth that has been made: the first with the whole window, others first with
    /// an empty one.
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
        let bound = match () {
            () if worth >= beta => Bound::AtLeast,
            () if worth <= alpha => Bound::AtMost,
            () => Bound::Exact,
        };
        if self.ply == 0 {
            self.best = house;
        }
        let house = house.filter(|_| bound != Bound::AtMost);
        self.shared.hash.set(key, Entry { worth, bound, depth, house });
    }

    /// The best of stopping here and of captures, and so on. Whoever would rather not capture has
    /// a quiet move that keeps things as they are: that is assumed, not known.
    fn quiet(&mut self, moves: &Moves, alpha: Worth, beta: Worth) -> Worth {
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
