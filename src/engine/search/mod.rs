//! The playing engine's search: alpha-beta above the tables, their strategy below.
//!
//! * Within the tables' range nothing is searched: the engine plays the certified strategy
//!   ([`Prober::strategy_move`](crate::probe::Prober::strategy_move)), and looks at the game's real
//!   history for cycles that a move would close (`endgames`). So from a position with fresh history
//!   it collects what the tables promise, against any opponent.
//! * Above it, iterative deepening with principal variations (`alphabeta`), a table of
//!   transpositions that threads share (`hash`), and a quiescence search on captures. A capture that
//!   comes within range ends the line there, with the exact score: history is fresh then.
//! * What a line is worth is counted for the whole game (`worth`): 25 seeds decide it, and a
//!   repetition, in the game or in the line, ends it as the sheet has it.
//!
//! More threads search the same position and meet in the table of transpositions. One thread, the
//! same depth and an empty table give the same move each time.
//!
//! [`plain`] is the slow and obvious twin: minimax without any of it.
//!
//! What is not exact: a result in the table of transpositions does not know by which way a line came
//! to a position since the root. A cycle within a line takes twelve plies or more, for each house
//! must be emptied, so deep searches alone are concerned. The *game's* history is part of the key.

mod alphabeta;
mod endgames;
mod hash;
mod line;
mod order;
#[doc(hidden)]
pub mod plain;
mod worth;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[doc(hidden)]
pub use endgames::{Advice, Endgames};
pub use hash::Hash;
pub use worth::Worth;

use crate::engine::protocol::{Go, Info};
use crate::error::Error;
use crate::game::{Game, House, Ply, Seat, legal_moves};
use crate::probe::Tables;
use alphabeta::Searcher;
use line::Line;

/// Plies looked ahead at most.
pub const DEEPEST: u32 = 64;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: u32,
    /// Time to take.
    pub time: Option<Duration>,
    /// Positions to visit, of all threads; checked now and then.
    pub nodes: u64,
}

/// What is thought about for as long as nobody says anything.
const UNTOLD: Duration = Duration::from_secs(1);

impl From<&Go> for Limits {
    fn from(go: &Go) -> Limits {
        let told = go.depth.is_some() || go.nodes.is_some() || go.infinite;
        Limits {
            depth: go.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST),
            time: go.movetime.or((!told).then_some(UNTOLD)),
            nodes: go.nodes.unwrap_or(u64::MAX),
        }
    }
}

/// What a search has come to.
#[derive(Clone, Debug)]
pub struct Found {
    /// The move to play, and what is expected after it.
    pub line: Vec<Ply>,
    /// What the game is worth to the mover.
    pub worth: Worth,
    /// Plies looked ahead.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Positions found in tables.
    pub hits: u64,
    /// A table that could not be read, and is not asked again in this search.
    pub trouble: Option<Arc<Error>>,
}

impl PartialEq for Found {
    /// Errors are equal if their messages are.
    fn eq(&self, other: &Found) -> bool {
        let facts = |found: &Found| (found.worth, found.depth, found.nodes, found.hits);
        let trouble = |found: &Found| found.trouble.as_ref().map(ToString::to_string);
        self.line == other.line && facts(self) == facts(other) && trouble(self) == trouble(other)
    }
}

impl Found {
    /// As engines tell it.
    pub fn info(&self, time: Duration) -> Info {
        Info {
            depth: Some(self.depth),
            score: Some(self.worth.hundredths()),
            nodes: Some(self.nodes),
            time: Some(time),
            tbhits: Some(self.hits),
            pv: self.line.clone(),
            string: None,
        }
    }
}

/// What the threads of a search have in common.
pub(crate) struct Shared<'a> {
    hash: &'a Hash,
    stop: &'a AtomicBool,
    /// Set when the first thread has finished.
    done: AtomicBool,
    nodes: AtomicU64,
    hits: AtomicU64,
    until: Option<Instant>,
    most_nodes: u64,
}

impl Shared<'_> {
    /// Whether to stop at once.
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.done.load(Ordering::Relaxed)
            || self.nodes.load(Ordering::Relaxed) >= self.most_nodes
            || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// An engine: it may have tables, and remembers from one search to the next.
pub struct Engine<'t> {
    tables: Option<Tables>,
    hash: &'t Hash,
    threads: usize,
}

impl<'t> Engine<'t> {
    /// An engine that thinks with so many threads, at least one.
    pub fn new(tables: Option<&Tables>, hash: &'t Hash, threads: usize) -> Engine<'t> {
        Engine { tables: tables.cloned(), hash, threads: threads.max(1) }
    }

    /// Finds a move; `None` if there is none. `report` is told after each depth. The first depth is
    /// always finished, so that there is a move.
    pub fn think(
        &self,
        game: &Game,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Found),
    ) -> Option<Found> {
        let mut endgames = Endgames::new(self.tables.as_ref(), game.rules());
        if let Some(advice) = endgames.advise(game) {
            let found = advice.found(game.seat());
            report(&found);
            return Some(found);
        }
        let shared = Shared {
            hash: self.hash,
            stop,
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            hits: AtomicU64::new(0),
            until: limits.time.map(|time| Instant::now() + time),
            most_nodes: limits.nodes,
        };
        std::thread::scope(|scope| {
            for helper in 1..self.threads {
                let searcher =
                    Searcher::new(game, Endgames::new(self.tables.as_ref(), game.rules()), &shared);
                // Whoever cannot be started does not help.
                let _ = std::thread::Builder::new()
                    .spawn_scoped(scope, move || help(searcher, limits, helper));
            }
            let found = deepen(Searcher::new(game, endgames, &shared), game, limits, report);
            shared.done.store(true, Ordering::Relaxed);
            found
        })
    }
}

/// Searches deeper and deeper, until told to stop or the game's result is clear.
fn deepen(
    mut searcher: Searcher,
    game: &Game,
    limits: &Limits,
    report: &mut dyn FnMut(&Found),
) -> Option<Found> {
    let only = legal_moves(game.rules(), game.board()).len() <= 1 && limits.time.is_some();
    let mut best = None;
    for depth in 1..=limits.depth {
        let Some(worth) = searcher.root(depth) else { break };
        let line = searcher.expected(depth);
        if line.is_empty() {
            return None;
        }
        let (nodes, hits) = searcher.counts();
        let trouble = searcher.trouble();
        let found = Found { line: written(game.seat(), &line), worth, depth, nodes, hits, trouble };
        report(&found);
        best = Some(found);
        if only || worth.is_won() {
            break;
        }
    }
    best
}

/// The same for the other threads, half of them a ply ahead.
fn help(mut searcher: Searcher, limits: &Limits, helper: usize) {
    for depth in 1 + (helper as u32 & 1)..=limits.depth {
        if searcher.root(depth).is_none() {
            break;
        }
    }
}

/// The houses of a line with who empties them.
fn written(seat: Seat, line: &[House]) -> Vec<Ply> {
    let turns = [seat, seat.other()].into_iter().cycle();
    line.iter().zip(turns).map(|(&house, seat)| Ply { seat, house }).collect()
}
