//! Answers as HTTP has them; and for who monitors the server, `/healthz` and
//! `/metrics`.

use std::sync::Arc;

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::state::AppState;
use super::watch::Place;
use crate::answers::parameters::parameters;
use crate::answers::query::QueryParams;
use crate::answers::{Document, Question, Refusal};
use crate::error::Result;

/// What a route gives.
pub type Answer = Result<Document, Refusal>;

impl IntoResponse for Document {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.into_bytes()).into_response()
    }
}

/// Parameters behind the question mark.
pub struct Params<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Params<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Params<T>, Refusal> {
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

/// Any other question of the API whose answer is short, likewise.
pub async fn at_once(State(state): State<Arc<AppState>>, uri: Uri) -> Answer {
    answer(&state, &uri)
}

/// One whose answer takes a while.
pub async fn offloaded(
    State(state): State<Arc<AppState>>,
    Extension(place): Extension<Place>,
    uri: Uri,
) -> Answer {
    state.offload(work(place, uri)).await
}

/// One whose answer needs whole files.
pub async fn in_turn(
    State(state): State<Arc<AppState>>,
    Extension(place): Extension<Place>,
    uri: Uri,
) -> Answer {
    state.offload_in_turn(work(place, uri)).await
}

/// Work that has a place until it is done.
fn work(place: Place, uri: Uri) -> impl FnOnce(&AppState) -> Answer {
    move |state| {
        let _place = place;
        answer(state, &uri)
    }
}

fn answer(state: &AppState, uri: &Uri) -> Answer {
    let (path, parameters) = (uri.path(), uri.query().unwrap_or_default());
    state.answers.answer(&Question { method: "GET", path, parameters, body: &[] })
}

/// The media type of the figures.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// `GET /healthz`: the server is there.
pub async fn health() -> Json<Value> {
    Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

/// `GET /metrics`: the figures, for Prometheus.
pub async fn metrics(State(state): State<Arc<AppState>>) -> Result<impl IntoResponse, Refusal> {
    let text = state.metrics.text().map_err(|error| Refusal::internal(error.to_string()))?;
    Ok(([(header::CONTENT_TYPE, OPEN_METRICS)], text))
}
