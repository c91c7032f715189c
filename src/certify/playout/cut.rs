//! Where a cycle is cut.

use serde::Serialize;

/// When a playout that goes round in a cycle is stopped. A *position* is a board and the player to
/// move, and only positions since the last capture matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Cut {
    /// At the first position that counts and occurs for the second time.
    First,
    /// At the first position that counts and occurs for the third time.
    Third,
    /// At any position that counts on a cycle that has been closed: the defender chooses.
    Anywhere,
}

impl Cut {
    /// All cuts.
    pub const ALL: [Cut; 3] = [Cut::First, Cut::Third, Cut::Anywhere];
}
