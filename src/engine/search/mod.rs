//! The playing engine's search: alpha-beta above the tables, their strategy below.
//!
//! * Within the tables' range nothing is searched: the engine plays the certified strategy
//!   ([`Prober::strategy_move`](crate::probe::Prober::strategy_move)), and looks at the game's real
//!   history for cycles that a move would close (`endgames`). So from a position with fresh history
//!   it achieves what the tables promise, against any opponent.
//! * Above it there is iterative deepening with principal variations (`alphabeta`), a transposition
//!   table that threads share (`transposition`), and a quiescence search on captures. A capture
//!   that comes within range ends the line there, with the exact score: history is fresh then.
//! * The worth of a line is counted for the whole game (`worth`): 25 seeds decide who
//!   wins, and the others count after that; a repetition, in the game or in the line, ends it as the
//!   rule sheet says.
//!
//! More threads search the same position to the same depths, leave each other's moves for later
//! (`taken`), and meet in the transposition table, where each finds what the others have looked at
//! as deep or deeper. One thread, the same depth and an empty table give the same move each time.
//!
//! The search is selective: moves that promise little are looked at less deep. With
//! [`Engine::full_width`] it is not, and `plain` is its slow and obvious twin: minimax without
//! any of it.
//!
//! What is not exact: an entry of the transposition table does not know by which way a line came to
//! its position since the root. A cycle within a line takes twelve plies or more, for each house
//! must be emptied, so deep searches alone are concerned. The *game's* history is part of the key,
//! but not who is to move, which matters where the players have captured as many seeds.

mod alphabeta;
mod endgames;
pub mod estimate;
mod limits;
pub mod network;
mod order;
#[path = "../../../tests/engine/plain.rs"]
#[cfg(test)]
pub(crate) mod plain;
mod result;
mod shared;
mod stack;
mod taken;
mod transposition;
mod weights;
mod worth;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(crate) use endgames::Endgames;
pub use endgames::best_move;
pub use limits::{DEEPEST, SearchLimits};
pub use network::Network;
pub use result::SearchResult;
pub use transposition::TranspositionTable;
pub use worth::Worth;

use crate::game::{Game, House, legal_moves};
use crate::probe::Tables;
use alphabeta::Searcher;
use endgames::Advice;
use shared::Shared;
use stack::Stack;

/// A playing engine. It may have tables, and remembers positions from one search to the next.
pub struct Engine<'t> {
    tables: Option<Tables>,
    transpositions: &'t TranspositionTable,
    threads: usize,
    lines: usize,
    selective: bool,
    network: Option<Arc<Network>>,
    /// Excluded moves.
    excluded: Vec<House>,
}

impl<'t> Engine<'t> {
    /// Makes an engine that thinks with `threads` threads, at least one.
    pub fn new(
        tables: Option<&Tables>,
        transpositions: &'t TranspositionTable,
        threads: usize,
    ) -> Engine<'t> {
        Engine {
            tables: tables.cloned(),
            transpositions,
            threads: threads.max(1),
            lines: 1,
            selective: true,
            network: Network::built_in().ok(),
            excluded: Vec::new(),
        }
    }

    /// Makes the engine look at every move as deep as at every other, so that it finds what
    /// `plain::minimax` finds.
    pub fn full_width(self) -> Engine<'t> {
        Engine { selective: false, ..self }
    }

    /// Makes the engine estimate by other weights than the built-in ones; by numbers of seeds alone
    /// if there are none.
    pub fn with_network(self, network: Option<Arc<Network>>) -> Engine<'t> {
        Engine { network, ..self }
    }

    /// Makes the engine report the `lines` best moves, at least one, each with a line of play.
    pub fn with_lines(self, lines: usize) -> Engine<'t> {
        Engine { lines: lines.max(1), ..self }
    }

    /// Makes the engine leave moves out.
    pub fn without(self, excluded: Vec<House>) -> Engine<'t> {
        Engine { excluded, ..self }
    }

    /// Finds a move; `None` if there is none. Calls `report` after each depth, for each of the best
    /// moves that are wanted, and for all of them once more if they come in another order. The first
    /// depth is always finished, so that there is a move.
    pub fn think(
        &self,
        game: &Game,
        limits: &SearchLimits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchResult),
    ) -> Option<SearchResult> {
        self.look(game, limits, stop, report).map(|(best, _)| best)
    }

    /// Finds a move as [`Engine::think`] does. Returns with it what the last look says of all of the
    /// best moves that are wanted, or if there was no time for all of them the one before.
    pub(super) fn look(
        &self,
        game: &Game,
        limits: &SearchLimits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchResult),
    ) -> Option<(SearchResult, Vec<SearchResult>)> {
        let mut endgames = Endgames::new(self.tables.as_ref(), game.rules());
        let advice = endgames.advise_best(game, self.lines, &self.excluded);
        if !advice.is_empty() {
            let ranked = (1..).zip(advice);
            let result = |(rank, advice): (_, Advice)| SearchResult { rank, ..advice.found };
            let found: Vec<SearchResult> = ranked.map(result).collect();
            found.iter().for_each(report);
            return Some((found.first()?.clone(), found));
        }
        let line = Stack::new(game, self.network.clone());
        let shared = Shared::new(self.transpositions, limits, stop, self.threads, self.selective);
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                let endgames = Endgames::new(self.tables.as_ref(), game.rules());
                let mut searcher = Searcher::new(line.clone(), endgames, &shared);
                searcher.exclude(&self.excluded);
                // A thread that cannot be started does not help.
                let _ =
                    std::thread::Builder::new().spawn_scoped(scope, move || help(searcher, limits));
            }
            let searcher = Searcher::new(line, endgames, &shared);
            let excluded = &self.excluded;
            let result = Deepening { searcher, game, limits, excluded, report }.search(self.lines);
            shared.finish();
            result
        })
    }
}

/// A search that looks deeper and deeper, and reports.
struct Deepening<'a, 's> {
    searcher: Searcher<'s>,
    game: &'a Game,
    limits: &'a SearchLimits,
    excluded: &'a [House],
    report: &'a mut dyn FnMut(&SearchResult),
}

impl Deepening<'_, '_> {
    /// Searches until it is time to stop, for the `lines` best moves. Where the game is won that is
    /// for seeds. Returns what [`Engine::look`] does.
    fn search(mut self, lines: usize) -> Option<(SearchResult, Vec<SearchResult>)> {
        let moves = legal_moves(self.game.rules(), self.game.board());
        let moves = moves.without(self.excluded).len();
        let only = moves <= 1 && self.limits.time.is_some();
        let lines = lines.min(moves);
        let (mut best, mut all) = (None, Vec::new());
        for depth in 1..=self.limits.depth {
            let (mut found, complete) = self.depth(depth, lines, &all);
            if found.is_empty() {
                break;
            }
            self.put_in_order(&mut found);
            best = found.first().cloned();
            if found.len() >= all.len() {
                all = found;
            }
            if !complete || only {
                break;
            }
        }
        let nodes = self.searcher.nodes();
        Some((SearchResult { nodes, ..best? }, all))
    }

    /// Searches for the best moves at a depth, and returns whether there was time for all. Moves
    /// that were the best at the depth `before` are looked for near what they were worth.
    fn depth(
        &mut self,
        depth: u32,
        lines: usize,
        before: &[SearchResult],
    ) -> (Vec<SearchResult>, bool) {
        let mut found: Vec<SearchResult> = Vec::new();
        for rank in 0..lines {
            let found_before = found.iter().map(|result| result.line[0].house);
            let houses: Vec<House> = found_before.chain(self.excluded.iter().copied()).collect();
            self.searcher.exclude(&houses);
            let guess = before.get(rank).map(|before| before.worth);
            let worth = self.searcher.root(depth, guess);
            // What was found before time was up is better than what a smaller depth says.
            let (seat, number) = (self.game.seat(), rank as u32 + 1);
            let result = |worth| self.searcher.result(seat, depth, number, worth);
            let Some(result) = worth.or(self.searcher.best()).and_then(result) else {
                return (found, false);
            };
            (self.report)(&result);
            found.push(result);
            if worth.is_none() {
                return (found, false);
            }
        }
        (found, true)
    }

    /// Sorts moves best first, and reports them anew if they were not: a later look may find more
    /// where one before it had the table of positions less full.
    fn put_in_order(&mut self, found: &mut [SearchResult]) {
        if found.is_sorted_by(|one, next| one.worth >= next.worth) {
            return;
        }
        found.sort_by_key(|result| std::cmp::Reverse(result.worth));
        for (rank, result) in (1..).zip(found) {
            (result.rank, result.nodes) = (rank, self.searcher.nodes());
            (self.report)(result);
        }
    }
}

/// Searches deeper and deeper on another thread.
fn help(mut searcher: Searcher, limits: &SearchLimits) {
    let mut guess = None;
    for depth in 1..=limits.depth {
        let Some(worth) = searcher.root(depth, guess) else { break };
        guess = Some(worth);
    }
}
