//! The graph that is settled, within which limits, and what comes out.

use crate::game::Seat;

/// A graph on which the token moves. Each cycle has a vertex that counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arena {
    /// The vertices.
    pub vertices: Vec<Vertex>,
}

/// A place of the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vertex {
    /// Who moves the token from here.
    pub to_move: Seat,
    /// Who wins where the token comes back; `None` for a vertex that does not count.
    pub favours: Option<Seat>,
    /// Where the token may go: at least one step.
    pub steps: Vec<TokenMove>,
}

/// A move of the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenMove {
    /// To another vertex.
    To(u32),
    /// Out of the graph, where this player wins whatever has been visited.
    Ends(Seat),
}

/// How much a search may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Open positions of a layer; where there are more they are left alone, since a search holds
    /// some 500 bytes for each.
    pub open: usize,
    /// Vertices of an arena; larger ones are left alone.
    pub vertices: usize,
    /// Nodes of the searches for the winners of an arena, times its vertices. For each player, what
    /// they leave is there to look for steps.
    pub effort: u64,
}

/// Some seconds for an arena.
pub const LIMITS: Limits = Limits { open: 1 << 18, vertices: 20_000, effort: 4_000_000 };

/// Who wins an arena, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The winner from each vertex with nothing visited.
    pub winners: Vec<Seat>,
    /// The step at each vertex with which the player who moves there wins from all starts that
    /// this player wins; `None` at all vertices of a player for whom none were found.
    pub steps: Vec<Option<TokenMove>>,
}
