//! What the threads of a search share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::limits::SearchLimits;
use super::taken::Taken;
use super::transposition::TranspositionTable;
use crate::clock::Instant;

/// What the threads of a search share.
pub struct Shared<'a> {
    /// What has been found out about positions.
    pub transpositions: &'a TranspositionTable,
    /// What each thread is looking at, if there are several.
    pub taken: Option<Taken>,
    /// Whether lines that promise little are looked at less deep.
    pub selective: bool,
    /// Positions visited.
    pub nodes: AtomicU64,
    /// Positions found in tables.
    pub hits: AtomicU64,
    /// Set from outside, to end the search.
    stop: &'a AtomicBool,
    /// Set when the first thread has finished.
    done: AtomicBool,
    until: Option<Instant>,
    most_nodes: u64,
}

impl<'a> Shared<'a> {
    /// Begins a search, whose time runs from now on.
    pub fn new(
        transpositions: &'a TranspositionTable,
        limits: &SearchLimits,
        stop: &'a AtomicBool,
        threads: usize,
        selective: bool,
    ) -> Shared<'a> {
        transpositions.begin_search();
        Shared {
            transpositions,
            taken: (threads > 1).then(Taken::new),
            selective,
            nodes: AtomicU64::new(0),
            hits: AtomicU64::new(0),
            stop,
            done: AtomicBool::new(false),
            until: limits.time.map(|time| Instant::now() + time),
            most_nodes: limits.nodes,
        }
    }

    /// Ends the search of all threads.
    pub fn finish(&self) {
        self.done.store(true, Ordering::Relaxed);
    }

    /// Returns whether to stop at once.
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.done.load(Ordering::Relaxed)
            || self.nodes.load(Ordering::Relaxed) >= self.most_nodes
            || self.until.is_some_and(|until| Instant::now() >= until)
    }
}
