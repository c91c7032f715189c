//! Principal variation search on one thread.
//!
//! Invariant, unless the search is selective: `search(depth, alpha, beta)` returns what
//! plain minimax (`tests/engine/plain.rs`) returns at the same depth, or a bound of it on the right side of the
//! window.
//!
//! A selective search looks at late quiet moves less deep first ([`Searcher::reduction`]), leaves
//! positions alone that are far above the window ([`Searcher::is_far_above`]) or that a shallower
//! search finds clearly outside it ([`Searcher::foretold`], the ProbCut of Buro, 1995), and takes
//! what the transposition table knows from a deeper look. Then a depth is a measure, not a promise.
//!
//! Measured by matches of our engine against itself at equal numbers of positions a move,
//! differences in Elo with 95 % bounds. With tables to 14 seeds: reductions, deeper entries, four
//! slots a line and a window at the root +115 (+44 to +187, 100 games, 10,000 positions); far above
//! the window +70 (+1 to +139, 100 games, 6,000 positions). With tables to 12 seeds, a shallower
//! search first: +35 (−5 to +74, 300 games, 80,000 positions), and margins of 60 to 200 hundredths
//! +13, +19, +5 and +14 (± 28, 600 games each, 20,000 positions); of 6,000 positions of 18 to 28 seeds
//! it throws 97 results away instead of 127 (30,000 positions).
//!
//! A window at the root of 30 hundredths that widens in steps, instead of one of 100 that gives way at
//! once: of 30,000 positions of 17 to 29 seeds 1,463 moves lose instead of 1,623, and 599 results are
//! thrown away instead of 688 (10,000 positions a move, tables to 12 seeds); of the 6,000 positions 207
//! and 83 instead of 232 and 104. Windows of 40 and 50 hundredths: 1,458 and 605, 1,410 and 585 of the
//! 30,000; of 50 in the 6,000, 229 and 99.
//!
//! Tried and dropped: reductions from the second move on −3, from depth 2 on −24, a third ply −17;
//! captures alone where the estimate is far below the window +3 and +14; a null move, where the
//! estimate is above the window, two plies less deep from depth 4 on: −98 (−154 to −42, 160 games, 4,000
//! positions, no tables). It takes for granted that to move is better than to pass; in Oware it
//! is not, as [`super::weights::TEMPO`] says, too. A ply less where no move is remembered −2 (± 22,
//! 800 games, 20,000 positions); 40 hundredths for far above +12 (± 28, 600 games), but more moves that
//! lose; entries of all moves looked up before any is made: as many positions, in 1.2 times the time.
//! On the 6,000 positions, where 232 moves lose and 104 results are thrown away before the narrow window,
//! 207 and 83 with it, nothing gained: a ply more for a move without which the position is worth clearly
//! less (229 and 98 before), captures alone far below the window (258 and 112 before), a third ply less
//! from depth 9 on (240 and 104 before), a history that forgets (242 and 103 before), a margin
//! of 60 for the shallower search (241 and 110 before), three plies less for it (222 and 96), positions
//! left alone up to depth 4 (210 and 85), 40 hundredths for far above (217 and 94).

use std::sync::atomic::Ordering;

use super::endgames::Endgames;
use super::limits::DEEPEST;
use super::order::Order;
use super::result::{SearchResult, plies};
use super::shared::Shared;
use super::stack::Stack;
use super::taken::{MoveTurns, Turn};
use super::transposition::{Entry, EntryBound};
use super::worth::Worth;
use crate::game::{House, Move, Moves, Seat};

/// Positions between two looks at the clock. A position that reads a table's file may take a tenth
/// of a millisecond.
const UNWATCHED: u64 = 256;

/// The first depth that is searched with a window around what was found before, half the width of the
/// window in hundredths of a seed, and how far beyond what is found outside it the next ones reach.
const WINDOWED: u32 = 4;
const WINDOW: i32 = 30;
const WIDER: [i32; 2] = [100, 200];

/// Quiet moves from this place in order on are looked at less deep, at this depth or more.
const LATE: usize = 2;
const DEEP_ENOUGH: u32 = 3;

/// Up to this depth a position is left alone whose estimate is above the window by this many
/// hundredths of a seed for each ply.
const SHALLOW: u32 = 3;
const FAR: i32 = 60;

/// From this depth on a search of fewer plies, so many, says whether a position is outside the window,
/// if it finds it outside by this many hundredths of a seed more.
const FORETOLD: u32 = 5;
const FEWER: u32 = 4;
const CLEARLY: i32 = 90;

/// From this depth on threads leave each other's moves alone.
const SHARED: u32 = 4;

/// A thread's search of a position.
pub struct Searcher<'a> {
    line: Stack,
    endgames: Endgames,
    shared: &'a Shared<'a>,
    order: Order,
    ply: usize,
    /// The longest line so far.
    longest: usize,
    nodes: u64,
    /// Moves of the root that are not to be looked at.
    excluded: Vec<House>,
    /// The best move of the root at the present depth, as far as moves have been looked at.
    best: Option<(Worth, House)>,
    stopped: bool,
    /// The depth that is always finished.
    first: bool,
    /// Whether this is a shallower search that says whether to search deeper.
    foretelling: bool,
}

impl<'a> Searcher<'a> {
    /// Makes a search that has not begun.
    pub fn new(line: Stack, endgames: Endgames, shared: &'a Shared<'a>) -> Searcher<'a> {
        let order = Order::new(DEEPEST as usize + 1);
        Searcher {
            line,
            endgames,
            shared,
            order,
            ply: 0,
            longest: 0,
            nodes: 0,
            excluded: Vec::new(),
            best: None,
            stopped: false,
            first: false,
            foretelling: false,
        }
    }

    /// Leaves moves of the root out, as others have been found before.
    pub fn exclude(&mut self, houses: &[House]) {
        self.excluded = houses.to_vec();
    }

    /// Searches `depth` plies deep, and returns what the position is worth; `None` if there was no
    /// time. A search of one ply does not look at the clock. The worth is looked for near `guess`
    /// first.
    pub fn root(&mut self, depth: u32, guess: Option<Worth>) -> Option<Worth> {
        self.first = depth == 1;
        self.best = None;
        // Shallow searches are shorter than it takes to look up once.
        self.stopped |= !self.first && self.shared.is_over();
        if self.stopped {
            return None;
        }
        let moves = self.line.moves().without(&self.excluded);
        let (mut alpha, mut beta) = match guess {
            Some(guess) if depth >= WINDOWED => (guess.plus(-WINDOW), guess.plus(WINDOW)),
            _ => (Worth::LEAST, -Worth::LEAST),
        };
        let mut wider = WIDER.iter();
        let worth = loop {
            let worth = self.moves(&moves, self.line.key(), depth, alpha, beta);
            match worth {
                _ if self.stopped => break None,
                low if low <= alpha && alpha > Worth::LEAST => {
                    alpha = wider.next().map_or(Worth::LEAST, |more| low.plus(-more));
                }
                high if high >= beta && beta < -Worth::LEAST => {
                    beta = wider.next().map_or(-Worth::LEAST, |more| high.plus(*more));
                }
                worth => break Some(worth),
            }
        };
        self.shared.nodes.fetch_add(std::mem::take(&mut self.nodes), Ordering::Relaxed);
        self.shared.hits.fetch_add(self.endgames.take_hits(), Ordering::Relaxed);
        worth
    }

    /// Returns what the best move of the root is worth among those that were looked at to the
    /// present depth before time was up; `None` if there is none.
    pub fn best(&self) -> Option<Worth> {
        self.best.map(|(worth, _)| worth)
    }

    /// Returns the number of positions visited, by all threads as far as they have reported.
    pub fn nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed)
    }

    /// Returns what was found of a move of `seat` at the root, number `rank` of those looked at to
    /// this depth; `None` if there is none.
    pub fn result(&self, seat: Seat, depth: u32, rank: u32, worth: Worth) -> Option<SearchResult> {
        let line = self.expected(depth);
        (!line.is_empty()).then(|| SearchResult {
            line: plies(seat, line),
            worth,
            rank,
            depth,
            longest: depth.max(self.longest as u32),
            full: self.shared.transpositions.full(),
            nodes: self.nodes(),
            hits: self.shared.hits.load(Ordering::Relaxed),
            trouble: self.endgames.trouble().cloned(),
        })
    }

    /// Returns the expected line: the best move, and what the transposition table remembers after
    /// it.
    fn expected(&self, depth: u32) -> Vec<House> {
        let mut line = self.line.clone();
        let mut houses = Vec::new();
        let mut next = self.best.map(|(_, house)| house);
        while let Some(played) =
            next.and_then(|house| line.moves().iter().find(|played| played.house == house))
        {
            houses.push(played.house);
            line.game.make(&played);
            if houses.len() == depth as usize || line.game.stopped().is_some() {
                break;
            }
            next = self.shared.transpositions.get(line.key()).and_then(|entry| entry.house);
        }
        houses
    }

    fn search(&mut self, depth: u32, alpha: Worth, beta: Worth) -> Worth {
        self.nodes += 1;
        self.longest = self.longest.max(self.ply);
        if self.is_interrupted() {
            return Worth::ZERO;
        }
        if let Some(worth) = self.line.stopped() {
            return worth;
        }
        if depth == 0 { self.leaf(alpha, beta) } else { self.inner(depth, alpha, beta) }
    }

    fn leaf(&mut self, alpha: Worth, beta: Worth) -> Worth {
        if self.line.is_stuck() {
            return self.line.stuck();
        }
        match self.endgames.worth(&self.line.game, false) {
            Some(worth) => worth,
            None => self.quiescence(alpha, beta),
        }
    }

    fn inner(&mut self, depth: u32, alpha: Worth, beta: Worth) -> Worth {
        let key = self.line.key();
        self.shared.transpositions.fetch(key);
        let moves = self.line.moves();
        if moves.is_empty() {
            return self.line.stuck();
        }
        match self.endgames.worth(&self.line.game, true) {
            Some(worth) => worth,
            None => self.moves(&moves, key, depth, alpha, beta),
        }
    }

    /// Returns the worth of the best of some moves, of which there is one unless this is the root.
    fn moves(&mut self, moves: &Moves, key: u64, depth: u32, alpha: Worth, beta: Worth) -> Worth {
        let mut known = self.shared.transpositions.get(key);
        if let Some(entry) = known.filter(|entry| self.ply > 0 && self.is_deep(entry, depth))
            && entry.settles(alpha, beta)
        {
            return entry.worth;
        }
        if let Some(worth) = self.is_far_above(depth, alpha, beta) {
            return worth;
        }
        if depth >= FORETOLD {
            if let Some(worth) = self.foretold(moves, key, depth, alpha, beta) {
                return worth;
            }
            // The shallower search may have found a move to begin with.
            known = self.shared.transpositions.get(key).or(known);
        }
        let mut best = (Worth::LEAST, None);
        let remembered = known.and_then(|entry| entry.house);
        let taken = self.shared.taken.as_ref().filter(|_| depth >= SHARED);
        let sorted = self.order.sort(moves, self.ply, remembered);
        for Turn { place, played, _mark } in MoveTurns::new(key, sorted, taken) {
            let least = best.0.max(alpha);
            self.line.game.make(&played);
            self.ply += 1;
            let reduction = self.reduction(place, &played, depth);
            let worth = self.after(depth - 1, least, beta, place, reduction);
            self.ply -= 1;
            self.line.game.take_back();
            if self.stopped {
                return best.0;
            }
            if worth > best.0 {
                best = (worth, Some(played.house));
                if self.ply == 0 && worth > alpha {
                    self.best = Some((worth, played.house));
                }
            }
            if worth >= beta {
                self.order.record_cutoff(&played, self.ply, depth);
                break;
            }
        }
        self.remember(key, depth, best, alpha, beta);
        best.0
    }

    /// Returns whether an entry stands for a look of `depth` plies.
    fn is_deep(&self, entry: &Entry, depth: u32) -> bool {
        if self.shared.selective { entry.depth >= depth } else { entry.depth == depth }
    }

    /// Returns what a position is worth at least, by estimate, if that is so far above the window
    /// that few plies hardly bring it down.
    fn is_far_above(&self, depth: u32, alpha: Worth, beta: Worth) -> Option<Worth> {
        if depth > SHALLOW || !self.takes_bounds(alpha, beta) {
            return None;
        }
        let estimate = self.line.estimate();
        (estimate.plus(-FAR * depth as i32) >= beta).then_some(estimate)
    }

    /// Returns whether a likely bound of a position's worth will do in its place.
    fn takes_bounds(&self, alpha: Worth, beta: Worth) -> bool {
        self.shared.selective && self.ply > 0 && beta == alpha.next()
    }

    /// Returns a bound of the window if a shallower search finds the position clearly beyond it, on
    /// the side where the estimate lies. A shallower search does not ask another one.
    fn foretold(
        &mut self,
        moves: &Moves,
        key: u64,
        depth: u32,
        alpha: Worth,
        beta: Worth,
    ) -> Option<Worth> {
        if self.foretelling || !self.takes_bounds(alpha, beta) {
            return None;
        }
        let is_above = self.line.estimate() >= beta;
        let clear = if is_above { beta.plus(CLEARLY - 1) } else { alpha.plus(-CLEARLY) };
        self.foretelling = true;
        let worth = self.moves(moves, key, depth - FEWER, clear, clear.next());
        self.foretelling = false;
        match is_above {
            true if worth > clear => Some(beta),
            false if worth <= clear => Some(alpha),
            _ => None,
        }
    }

    /// Returns by how many plies less a move is looked at first, number `place` in order.
    fn reduction(&self, place: usize, played: &Move, depth: u32) -> u32 {
        let late = self.shared.selective && place >= LATE && depth >= DEEP_ENOUGH;
        if !late || played.captured > 0 {
            return 0;
        }
        1 + u32::from(place > LATE && depth > 2 * DEEP_ENOUGH)
    }

    /// Returns the worth of a move that has been made, number `place` in order. The first is
    /// searched with the whole window, others with an empty one first, perhaps less deep.
    fn after(
        &mut self,
        depth: u32,
        least: Worth,
        beta: Worth,
        place: usize,
        reduction: u32,
    ) -> Worth {
        if place == 0 {
            return -self.search(depth, -beta, -least);
        }
        let mut worth = -self.search(depth - reduction, -least.next(), -least);
        if reduction > 0 && worth > least {
            worth = -self.search(depth, -least.next(), -least);
        }
        if worth <= least || worth >= beta {
            return worth;
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
        if self.ply == 0 && !self.excluded.is_empty() {
            return;
        }
        let (worth, house) = best;
        let bound = if worth >= beta {
            EntryBound::AtLeast
        } else if worth <= alpha {
            EntryBound::AtMost
        } else {
            EntryBound::Exact
        };
        let house = house.filter(|_| bound != EntryBound::AtMost);
        self.shared.transpositions.set(key, Entry { worth, bound, depth, house });
    }

    /// Returns the worth of the best of stopping here and of captures, and so on. It is assumed,
    /// not known, that a player who would rather not capture has a quiet move that keeps things as
    /// they are.
    fn quiescence(&mut self, alpha: Worth, beta: Worth) -> Worth {
        let mut best = self.line.estimate();
        if best >= beta {
            return best;
        }
        let ply = self.ply.min(DEEPEST as usize);
        for played in self.order.sort(&self.line.captures(), ply, None) {
            self.line.game.make(&played);
            self.ply += 1;
            let worth = -self.search(0, -beta, -best.max(alpha));
            self.ply -= 1;
            self.line.game.take_back();
            best = best.max(worth);
            if best >= beta {
                break;
            }
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
