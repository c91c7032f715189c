//! What a position and its moves are worth: the answers of `oware query` and `oware moves`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::desk::Desk;
use super::failure::Failure;
use super::params::{Params, at_most, position, sheet};
use crate::error::Result;
use crate::game::{Move, Position, legal_moves};
use crate::json::{
    Answer, LineFields, MoveFields, MovesDocument, PositionFields, QueryDocument, ScoreDocument,
};
use crate::json::{ScoreFields, doubt};
use crate::probe::{Line, Prober};

/// Moves of best play if nobody says how many.
pub const LINE: usize = 40;
/// Moves of best play at most in an answer that is given at once.
pub const LONGEST_LINE: usize = 100;
/// Moves of best play at most.
const LONGEST: usize = 1000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueryParams {
    board: Option<String>,
    rules: Option<String>,
    line: Option<usize>,
    #[serde(default)]
    scores_only: bool,
    #[serde(default)]
    explain: bool,
}

/// `GET /v1/query`.
pub async fn query(
    State(desk): State<Arc<Desk>>,
    Params(params): Params<QueryParams>,
) -> std::result::Result<Response, Failure> {
    let rules = sheet(params.rules.as_deref())?;
    let position = position(params.board.as_deref())?;
    let limit = at_most("line", params.line, LINE, LONGEST_LINE)?;
    let explanation = params.explain.then(|| doubt::reason(rules));
    Ok(desk.probers(rules).with(|prober| {
        desk.metrics.asked(prober, &position.board)?;
        Ok(match params.scores_only {
            true => Json(ScoreDocument::of(prober, position)?).into_response(),
            false => {
                let answer = Answer::of(prober, position, limit)?;
                Json(QueryDocument::from(&answer).explained(explanation)).into_response()
            }
        })
    })?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovesParams {
    board: Option<String>,
    rules: Option<String>,
}

/// `GET /v1/moves`: it needs no tables.
pub async fn moves(
    Params(params): Params<MovesParams>,
) -> std::result::Result<Json<MovesDocument>, Failure> {
    let rules = sheet(params.rules.as_deref())?;
    Ok(Json(MovesDocument::of(rules, position(params.board.as_deref())?)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineParams {
    board: Option<String>,
    rules: Option<String>,
    limit: Option<usize>,
}

/// A line of best play with every position on it.
#[derive(Serialize)]
pub struct LineDocument {
    #[serde(flatten)]
    position: PositionFields,
    #[serde(flatten)]
    score: ScoreFields,
    #[serde(flatten)]
    line: LineFields,
    steps: Vec<MoveFields>,
}

/// `GET /v1/line`.
pub async fn line(
    State(desk): State<Arc<Desk>>,
    Params(params): Params<LineParams>,
) -> std::result::Result<Json<LineDocument>, Failure> {
    let rules = sheet(params.rules.as_deref())?;
    let position = position(params.board.as_deref())?;
    let limit = at_most("limit", params.limit, LINE, LONGEST)?;
    let work = move |desk: &Desk| {
        desk.probers(rules).with(|prober| LineDocument::of(prober, position, limit))
    };
    Ok(Json(desk.elsewhere(work).await?))
}

impl LineDocument {
    fn of(prober: &mut Prober, position: Position, limit: usize) -> Result<LineDocument> {
        let line = prober.line(&position.board, limit)?;
        Ok(LineDocument {
            position: position.into(),
            score: prober.interval(&position.board)?.into(),
            line: (&line).into(),
            steps: steps(prober, position, &line),
        })
    }
}

/// The moves of a line, each with the position that it leads to.
fn steps(prober: &Prober, position: Position, line: &Line) -> Vec<MoveFields> {
    let mut board = position.board;
    let mut step = |house| -> Move {
        let legal = legal_moves(prober.rules(), &board);
        let played = legal
            .iter()
            .find(|played| played.house == house)
            .expect("lines are made of legal moves");
        board = played.next;
        played
    };
    line.moves.iter().map(|&(house, _)| step(house).into()).collect()
}
