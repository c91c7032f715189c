//! The fields that documents are made of.

use serde::Serialize;

use crate::error::{Error, Kind};
use crate::game::{Interval, Move, Position, Score, Stores};
use crate::probe::ScoredMove;

/// The document that stands for an error: `{"error": {"kind": …, "message": …}}`.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorDocument {
    error: ErrorFields,
}

#[derive(Clone, Debug, Serialize)]
struct ErrorFields {
    kind: &'static str,
    message: String,
}

impl ErrorDocument {
    /// A failure of a kind, in words.
    pub fn new(kind: Kind, message: impl Into<String>) -> ErrorDocument {
        ErrorDocument { error: ErrorFields { kind: kind.name(), message: message.into() } }
    }
}

impl From<&Error> for ErrorDocument {
    fn from(error: &Error) -> ErrorDocument {
        ErrorDocument::new(error.kind(), super::words::with_command(error))
    }
}

/// The fields that every document about a position begins with.
#[derive(Clone, Debug, Serialize)]
pub struct PositionFields {
    board: [u8; 12],
    seeds: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    stores: Option<StoresFields>,
}

#[derive(Clone, Debug, Serialize)]
struct StoresFields {
    mover: u8,
    opponent: u8,
}

impl From<Position> for PositionFields {
    fn from(position: Position) -> PositionFields {
        let fields =
            |stores: Stores| StoresFields { mover: stores.mover, opponent: stores.opponent };
        PositionFields {
            board: position.board.houses(),
            seeds: position.board.seeds().get(),
            stores: position.stores.map(fields),
        }
    }
}

/// The fields of a score.
#[derive(Clone, Debug, Serialize)]
pub struct ScoreFields {
    low: i8,
    high: i8,
    exact: bool,
    value: Option<i8>,
}

impl From<Interval> for ScoreFields {
    fn from(interval: Interval) -> ScoreFields {
        let value = interval.value().map(Score::get);
        ScoreFields {
            low: interval.low.get(),
            high: interval.high.get(),
            exact: value.is_some(),
            value,
        }
    }
}

/// The fields of a move.
#[derive(Clone, Debug, Serialize)]
pub struct MoveFields {
    house: char,
    captured: u8,
    board: [u8; 12],
}

impl From<Move> for MoveFields {
    fn from(played: Move) -> MoveFields {
        MoveFields {
            house: played.house.letter(),
            captured: played.captured,
            board: played.next.houses(),
        }
    }
}

/// The fields of a move with what it is worth.
#[derive(Clone, Debug, Serialize)]
pub struct ScoredMoveFields {
    #[serde(flatten)]
    played: MoveFields,
    #[serde(flatten)]
    score: ScoreFields,
    certified: bool,
}

impl From<&ScoredMove> for ScoredMoveFields {
    fn from(scored: &ScoredMove) -> ScoredMoveFields {
        let ScoredMove { played, interval, certified } = *scored;
        ScoredMoveFields { played: played.into(), score: interval.into(), certified }
    }
}
