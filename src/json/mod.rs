//! Answers: everything that is said of a position, and the JSON documents that say it.
//!
//! Commands, the HTTP API and the page tell the same things, so they take them from here. The
//! fields are a contract with scripts; the README lists them.

pub mod doubt;
mod fields;
pub mod lines;
mod probers;
pub mod words;

use serde::Serialize;

use crate::error::Result;
use crate::game::{House, Interval, Position, Rules, legal_moves};
use crate::probe::{Line, LineEnd, Prober, ScoredMove, ScoredMoves, best_of};
use crate::verify::Outcome;

pub use fields::{ErrorDocument, MoveFields, PositionFields, ScoreFields, ScoredMoveFields};
pub use probers::Probers;

/// Everything that the tables know of a position.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The sheet.
    pub rules: &'static Rules,
    /// The position.
    pub position: Position,
    /// What it is worth to the mover.
    pub interval: Interval,
    /// The legal moves, best first.
    pub moves: ScoredMoves,
    /// Whether the game is over.
    pub over: bool,
    /// A line of best play.
    pub line: Line,
}

impl Answer {
    /// Asks the tables, for a line of at most `limit` moves.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub fn of(prober: &mut Prober, position: Position, limit: usize) -> Result<Answer> {
        let moves = prober.moves(&position.board)?;
        Ok(Answer {
            rules: prober.rules(),
            position,
            interval: best_of(&moves).unwrap_or(Interval::exact(position.board.own_rows())),
            over: moves.is_empty(),
            moves,
            line: prober.line(&position.board, limit)?,
        })
    }

    /// Who wins the game, if the seeds captured before are known.
    pub fn outcome(&self) -> Option<Outcome> {
        outcome(self.position, self.interval)
    }

    /// Whether a move is certified to bring all that can be secured.
    pub fn secures(&self, scored: &ScoredMove) -> bool {
        scored.certified && scored.interval.low == self.interval.low
    }
}

fn outcome(position: Position, interval: Interval) -> Option<Outcome> {
    position.stores.map(|stores| Outcome::of(&position.board, stores, interval))
}

/// The text of a move: the house, in upper case for the player who moves first, in lower case for the
/// other. `ply` counts from 0.
pub fn letter(ply: usize, house: House) -> char {
    if ply.is_multiple_of(2) { house.letter() } else { house.opponent_letter() }
}

/// What the rules say of a position: the document of `oware moves`.
#[derive(Clone, Debug, Serialize)]
pub struct MovesDocument {
    #[serde(flatten)]
    position: PositionFields,
    moves: Vec<MoveFields>,
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    end: Option<i8>,
}

impl MovesDocument {
    /// The legal moves of a position.
    pub fn of(rules: &Rules, position: Position) -> MovesDocument {
        let moves = legal_moves(rules, &position.board);
        MovesDocument {
            position: position.into(),
            end: moves.is_empty().then(|| position.board.own_rows().get()),
            moves: moves.iter().map(MoveFields::from).collect(),
        }
    }
}

/// The score of a position without its moves: the document of `oware query --scores-only`.
#[derive(Clone, Debug, Serialize)]
pub struct ScoreDocument {
    #[serde(flatten)]
    position: PositionFields,
    #[serde(flatten)]
    score: ScoreFields,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
}

impl ScoreDocument {
    /// Asks the tables.
    ///
    /// # Errors
    /// As [`Prober::interval`].
    pub fn of(prober: &mut Prober, position: Position) -> Result<ScoreDocument> {
        let interval = prober.interval(&position.board)?;
        let outcome = outcome(position, interval);
        Ok(ScoreDocument { position: position.into(), score: interval.into(), outcome })
    }
}

/// A line of play: a part of documents.
#[derive(Clone, Debug, Serialize)]
pub struct LineFields {
    line: Vec<String>,
    line_end: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle_after: Option<usize>,
    until_capture: Option<usize>,
}

impl From<&Line> for LineFields {
    fn from(line: &Line) -> LineFields {
        LineFields {
            line: line
                .moves
                .iter()
                .enumerate()
                .map(|(ply, &(house, _))| letter(ply, house).to_string())
                .collect(),
            line_end: match line.ends {
                LineEnd::GameOver => "game_over",
                LineEnd::Cycle { .. } => "cycle",
                LineEnd::Limit => "limit",
            },
            cycle_after: match line.ends {
                LineEnd::Cycle { after } => Some(after),
                LineEnd::GameOver | LineEnd::Limit => None,
            },
            until_capture: line.until_capture(),
        }
    }
}

/// What the tables say of a position: the document of `oware query`.
#[derive(Clone, Debug, Serialize)]
pub struct QueryDocument {
    #[serde(flatten)]
    position: PositionFields,
    #[serde(flatten)]
    score: ScoreFields,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
    moves: Vec<ScoredMoveFields>,
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    end: Option<i8>,
    best: Vec<char>,
    #[serde(flatten)]
    line: LineFields,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<&'static str>,
}

impl QueryDocument {
    /// The same with the reason why the scores are what they are.
    pub fn explained(mut self, explanation: Option<&'static str>) -> QueryDocument {
        self.explanation = explanation;
        self
    }
}

impl From<&Answer> for QueryDocument {
    fn from(answer: &Answer) -> QueryDocument {
        let secures = |each: &&ScoredMove| answer.secures(each);
        QueryDocument {
            position: answer.position.into(),
            score: answer.interval.into(),
            outcome: answer.outcome(),
            end: answer.over.then(|| answer.interval.low.get()),
            best: answer
                .moves
                .iter()
                .filter(secures)
                .map(|each| each.played.house.letter())
                .collect(),
            line: (&answer.line).into(),
            moves: answer.moves.iter().map(ScoredMoveFields::from).collect(),
            explanation: None,
        }
    }
}
