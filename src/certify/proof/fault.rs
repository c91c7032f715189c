//! What is wrong with a position.

use std::fmt;

use crate::game::Board;

/// A position that breaks a condition of the certificate, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    /// The position.
    pub board: Board,
    /// What is wrong there.
    pub fault: Fault,
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.board, self.fault)
    }
}

/// In which way a position breaks a condition of the certificate, see [`crate::layer::Exceptions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Its bounds are not an interval of scores that the layer can have.
    NoInterval {
        /// Its lower bound.
        low: i8,
        /// Its upper bound.
        high: i8,
    },
    /// Condition 1: its bounds are not what its moves bring.
    Bounds {
        /// The bounds it has.
        claimed: (i8, i8),
        /// What its moves bring; where there are none, the difference of the rows, twice.
        found: (i8, i8),
    },
    /// Its bounds differ, and what is said to be settled between them does not hold.
    Unsettled {
        /// The interval that is claimed; `None` if it is only part of a knot.
        claimed: Option<(i8, i8)>,
    },
    /// Condition 2: default moves and exceptions do not show how one of its claims is achieved.
    Circles {
        /// Its lower bound.
        low: i8,
        /// Its upper bound.
        high: i8,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::NoInterval { low, high } => {
                write!(f, "its bounds {low}..{high} are no interval of possible scores")
            }
            Fault::Bounds { claimed, found } => write!(
                f,
                "its bounds are {}..{}, its moves give {}..{} (condition 1)",
                claimed.0, claimed.1, found.0, found.1
            ),
            Fault::Unsettled { claimed: Some((low, high)) } => write!(
                f,
                "it is said to be settled as {low}..={high}, which no play of the token shows"
            ),
            Fault::Unsettled { claimed: None } => {
                write!(f, "it has a move in a knot, but nothing is said to be settled there")
            }
            Fault::Circles { low, high } => write!(
                f,
                "its bounds are {low}..{high}, but default moves and exceptions may cycle for ever \
                 without achieving one of them (condition 2)"
            ),
        }
    }
}
