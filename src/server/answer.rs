//! Answers and failures as HTTP has them.

use std::sync::Arc;

use axum::extract::{FromRequestParts, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;

use super::failure::Failure;
use super::state::AppState;
use crate::answers::Document;
use crate::answers::game::GameParams;
use crate::answers::parameters::parameters;
use crate::answers::query::{LineParams, MovesParams, QueryParams};
use crate::answers::stats::StatsParams;
use crate::answers::tables::TablesParams;

/// What a route gives.
pub type Answer = Result<Document, Failure>;

impl IntoResponse for Document {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.into_bytes()).into_response()
    }
}

/// Parameters behind the question mark.
pub struct Params<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Params<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Params<T>, Failure> {
        Ok(Params(parameters(parts.uri.query().unwrap_or_default())?))
    }
}

/// `GET /v1/query`, on the thread that serves the connection.
pub async fn query(
    State(state): State<Arc<AppState>>,
    Params(params): Params<QueryParams>,
) -> Answer {
    let count = |prober: &mut _, board: &_| state.metrics.count_query(prober, board);
    Ok(state.answers.query(params, count)?)
}

/// `GET /v1/moves`, likewise.
pub async fn moves(
    State(state): State<Arc<AppState>>,
    Params(params): Params<MovesParams>,
) -> Answer {
    Ok(state.answers.moves(params)?)
}

/// `GET /v1/line`.
pub async fn line(
    State(state): State<Arc<AppState>>,
    Params(params): Params<LineParams>,
) -> Answer {
    state.offload(|state| state.answers.line(params)).await
}

/// `GET /v1/game`.
pub async fn game(
    State(state): State<Arc<AppState>>,
    Params(params): Params<GameParams>,
) -> Answer {
    state.offload(|state| state.answers.game(params)).await
}

/// `GET /v1/stats`.
pub async fn stats(
    State(state): State<Arc<AppState>>,
    Params(params): Params<StatsParams>,
) -> Answer {
    Ok(state.answers.stats(params)?)
}

/// `GET /v1/tables`, which reads whole files.
pub async fn tables(
    State(state): State<Arc<AppState>>,
    Params(params): Params<TablesParams>,
) -> Answer {
    state.offload_in_turn(|state| state.answers.tables(params)).await
}

/// `GET /v1/sheets`.
pub async fn sheets(State(state): State<Arc<AppState>>) -> Answer {
    Ok(state.answers.sheets()?)
}
