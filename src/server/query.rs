//! A single position: `GET /v1/query`, `GET /v1/moves` and `GET /v1/line`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::failure::Failure;
use super::params::{Params, at_most, other_sheet, position, sheet};
use super::state::AppState;
use crate::error::{Error, Result};
use crate::game::mancala::Sheet;
use crate::game::{Board, Interval, Move, Position, Rules, legal_moves};
use crate::json::{Asked, Game};
use crate::probe::{Line, Prober};

/// Moves of best play if nobody says how many.
pub const LINE: usize = 40;
/// Moves of best play at most in an answer that is given on the spot.
pub const LONGEST_LINE: usize = 100;
/// Moves of best play at most.
const LONGEST: usize = 1000;

/// The parameters of `GET /v1/query`.
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

/// `GET /v1/query`: the document of `oware query`, or its score alone.
pub async fn query(
    State(state): State<Arc<AppState>>,
    Params(params): Params<QueryParams>,
) -> Result<Response, Failure> {
    let QueryParams { board, rules, line, scores_only, explain } = params;
    let asked = Asked { line: at_most("line", line, LINE, LONGEST_LINE)?, scores_only, explain };
    if let Some(sheet) = other_sheet(rules.as_deref()) {
        if explain {
            return Err(Error::Usage("`explain` is about Oware alone".to_owned()).into());
        }
        let placement = position(sheet, board.as_deref())?;
        let probers = state.others(sheet);
        return Ok(probers.with(|prober| answer::<&Sheet>(prober, placement, asked))?);
    }
    let rules = sheet(rules.as_deref())?;
    let position = position(rules, board.as_deref())?;
    let answer = state.probers(rules).with(|prober| {
        state.metrics.count_query(prober, &position.board)?;
        answer::<&Rules>(prober, position, asked)
    });
    Ok(answer?)
}

fn answer<G: Game>(
    prober: &mut G::Prober,
    position: G::Position,
    asked: Asked,
) -> Result<Response> {
    Ok(match asked.scores_only {
        true => Json(G::score(prober, position)?).into_response(),
        false => Json(G::analysis(prober, position, asked)?).into_response(),
    })
}

/// The parameters of `GET /v1/moves`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovesParams {
    board: Option<String>,
    rules: Option<String>,
}

/// `GET /v1/moves`: the document of `oware moves`, which needs no tables.
pub async fn moves(Params(params): Params<MovesParams>) -> Result<Response, Failure> {
    let MovesParams { board, rules } = params;
    if let Some(sheet) = other_sheet(rules.as_deref()) {
        return Ok(Json(sheet.moves(position(sheet, board.as_deref())?)).into_response());
    }
    let rules = sheet(rules.as_deref())?;
    Ok(Json(rules.moves(position(rules, board.as_deref())?)).into_response())
}

/// The parameters of `GET /v1/line`.
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
    position: Position,
    #[serde(flatten)]
    interval: Interval,
    #[serde(flatten)]
    line: Line,
    steps: Vec<Move>,
}

/// `GET /v1/line`: a line of best play.
pub async fn line(
    State(state): State<Arc<AppState>>,
    Params(params): Params<LineParams>,
) -> Result<Json<LineDocument>, Failure> {
    let rules = sheet(params.rules.as_deref())?;
    let position = position(rules, params.board.as_deref())?;
    let limit = at_most("limit", params.limit, LINE, LONGEST)?;
    let work = move |state: &AppState| {
        state.probers(rules).with(|prober| LineDocument::of(prober, position, limit))
    };
    Ok(Json(state.offload(work).await?))
}

impl LineDocument {
    fn of(prober: &mut Prober, position: Position, limit: usize) -> Result<LineDocument> {
        let interval = prober.interval(&position.board)?;
        let line = prober.line(&position.board, limit)?;
        let steps = steps(prober.rules(), position.board, &line);
        Ok(LineDocument { position, interval, line, steps })
    }
}

/// Returns the moves of a line, each with the position that it leads to.
fn steps(rules: &Rules, mut board: Board, line: &Line) -> Vec<Move> {
    let mut steps = Vec::with_capacity(line.moves.len());
    for &(house, _) in &line.moves {
        let legal = legal_moves(rules, &board);
        let played = legal.iter().find(|played| played.house == house);
        steps.push(played.expect("lines are made of legal moves"));
        board = steps[steps.len() - 1].next;
    }
    steps
}
