//! Where a cycle is cut.

use crate::game::{Endless, Repetition, Rules};

/// When a playout that cycles is stopped. A *position* is a board and the player to
/// move, and only positions since the last capture matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
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

    /// Returns the cuts for which the scores of a sheet hold. Where the first repetition ends the
    /// game they need not hold for a cut anywhere. That those of `abapa` do for the third
    /// occurrence is no theorem, but what has been computed so far; if an empty row counts as well,
    /// that has come to an end for too few layers (`tests/solver/exact.rs`).
    pub fn of(rules: &Rules) -> &'static [Cut] {
        match rules.endless {
            Endless::OwnSide(Repetition::First) => &[Cut::First, Cut::Third],
            Endless::OwnSide(Repetition::FirstOfAny) => &[Cut::First],
            Endless::OwnSide(Repetition::Agreed) | Endless::EvenSplit | Endless::Drawn => &Cut::ALL,
        }
    }
}
