//! The playing engine's search: alpha-beta above the tables, their strategy below.
//!
//! * Within the tables' range nothing is searched: the engine plays the certified strategy
//!   ([`Prober::strategy_move`](crate::probe::Prober::strategy_move)), and looks at the game's real
//!   history for cycles that a move would close (`endgames`). So from a position with fresh history
//!   it collects what the tables promise, against any opponent.
//! * Above it there is iterative deepening with principal variations (`alphabeta`), a transposition
//!   table that threads share (`transposition`), and a quiescence search on captures. A capture
//!   that comes within range ends the line there, with the exact score: history is fresh then.
//! * The worth of a line is counted for the whole game (`worth`): 25 seeds decide it, and a
//!   repetition, in the game or in the line, ends it as the rule sheet says.
//!
//! More threads search the same position and meet in the transposition table. One thread, the same
//! depth and an empty table give the same move each time.
//!
//! [`plain`] is the slow and obvious twin: minimax without any of it.
//!
//! What is not exact: an entry of the transposition table does not know by which way a line came to
//! its position since the root. A cycle within a line takes twelve plies or more, for each house
//! must be emptied, so deep searches alone are concerned. The *game's* history is part of the key.

mod alphabeta;
mod endgames;
mod limits;
mod order;
#[doc(hidden)]
pub mod plain;
mod result;
mod shared;
mod stack;
mod transposition;
mod worth;

use std::sync::atomic::AtomicBool;

#[doc(hidden)]
pub use endgames::{Advice, Endgames};
pub use limits::{DEEPEST, SearchLimits};
pub use result::SearchResult;
pub use transposition::TranspositionTable;
pub use worth::Worth;

use crate::game::Game;
use crate::game::legal_moves;
use crate::probe::Tables;
use alphabeta::Searcher;
use result::plies;
use shared::Shared;

/// A playing engine. It may have tables, and remembers positions from one search to the next.
pub struct Engine<'t> {
    tables: Option<Tables>,
    transpositions: &'t TranspositionTable,
    threads: usize,
}

impl<'t> Engine<'t> {
    /// Makes an engine that thinks with `threads` threads, at least one.
    pub fn new(
        tables: Option<&Tables>,
        transpositions: &'t TranspositionTable,
        threads: usize,
    ) -> Engine<'t> {
        Engine { tables: tables.cloned(), transpositions, threads: threads.max(1) }
    }

    /// Finds a move; `None` if there is none. Calls `report` after each depth. The first depth is
    /// always finished, so that there is a move.
    pub fn think(
        &self,
        game: &Game,
        limits: &SearchLimits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&SearchResult),
    ) -> Option<SearchResult> {
        let mut endgames = Endgames::new(self.tables.as_ref(), game.rules());
        if let Some(advice) = endgames.advise(game) {
            let result = advice.result(game.seat());
            report(&result);
            return Some(result);
        }
        let shared = Shared::new(self.transpositions, limits, stop);
        std::thread::scope(|scope| {
            for helper in 1..self.threads {
                let searcher =
                    Searcher::new(game, Endgames::new(self.tables.as_ref(), game.rules()), &shared);
                // A thread that cannot be started does not help.
                let _ = std::thread::Builder::new()
                    .spawn_scoped(scope, move || help(searcher, limits, helper));
            }
            let result = deepen(Searcher::new(game, endgames, &shared), game, limits, report);
            shared.finish();
            result
        })
    }
}

/// Searches deeper and deeper, until it is time to stop or the game's result is clear.
fn deepen(
    mut searcher: Searcher,
    game: &Game,
    limits: &SearchLimits,
    report: &mut dyn FnMut(&SearchResult),
) -> Option<SearchResult> {
    let only = legal_moves(game.rules(), game.board()).len() <= 1 && limits.time.is_some();
    let mut best = None;
    for depth in 1..=limits.depth {
        let Some(worth) = searcher.root(depth) else { break };
        let line = searcher.expected(depth);
        if line.is_empty() {
            return None;
        }
        let result = SearchResult {
            line: plies(game.seat(), &line),
            worth,
            depth,
            nodes: searcher.nodes(),
            hits: searcher.hits(),
            trouble: searcher.trouble(),
        };
        report(&result);
        best = Some(result);
        if only || worth.is_won() {
            break;
        }
    }
    best
}

/// Searches deeper and deeper on another thread; half of these are a ply ahead.
fn help(mut searcher: Searcher, limits: &SearchLimits, helper: usize) {
    for depth in 1 + (helper as u32 & 1)..=limits.depth {
        if searcher.root(depth).is_none() {
            break;
        }
    }
}
