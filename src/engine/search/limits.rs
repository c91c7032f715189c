//! When a search stops.

use std::time::Duration;

use crate::engine::protocol::Go;

/// The most plies that a search looks ahead.
pub const DEEPEST: u32 = 64;

/// When a search stops: at a depth, after a time or a number of nodes, or when it is asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Plies to look ahead.
    pub depth: u32,
    /// Time to take.
    pub time: Option<Duration>,
    /// Positions to visit, by all threads together; checked now and then.
    pub nodes: u64,
}

/// Time to take where nothing else limits the search.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

impl From<&Go> for SearchLimits {
    fn from(go: &Go) -> SearchLimits {
        let limited = go.depth.is_some() || go.nodes.is_some() || go.infinite;
        SearchLimits {
            depth: go.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST),
            time: go.movetime.or((!limited).then_some(DEFAULT_TIME)),
            nodes: go.nodes.unwrap_or(u64::MAX),
        }
    }
}
