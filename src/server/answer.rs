//! Handlers of the API, by how long an answer takes: at once, on other threads, or one after the
//! other; and for monitoring, `/healthz` and `/metrics`.

use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::caller::Caller;
use super::failure::malformed;
use super::state::AppState;
use super::stream::is_too_long;
use super::watch::Place;
use crate::answers::parameters::{SheetParams, parameters, sheet};
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
pub(super) async fn query(
    State(state): State<Arc<AppState>>,
    Params(params): Params<QueryParams>,
) -> Answer {
    let count = |prober: &mut _, board: &_| state.metrics.count_query(prober, board);
    Ok(state.answers.query(params, count)?)
}

/// Any other question of the API whose answer is short, likewise.
pub(super) async fn at_once(State(state): State<Arc<AppState>>, uri: Uri) -> Answer {
    answer(&state, &uri)
}

/// One whose answer takes a while.
pub(super) async fn offloaded(
    State(state): State<Arc<AppState>>,
    Extension(place): Extension<Place>,
    uri: Uri,
) -> Answer {
    state.offload(place, move |state| answer(state, &uri)).await
}

/// One whose answer needs whole files.
pub(super) async fn in_turn(
    State(state): State<Arc<AppState>>,
    Extension(place): Extension<Place>,
    uri: Uri,
) -> Answer {
    state.offload_in_turn(place, move |state| answer(state, &uri)).await
}

/// `POST /v1/verify`: the body is a record in OGN or in the plain form, or several.
pub(super) async fn verify(
    State(state): State<Arc<AppState>>,
    Extension(caller): Extension<Caller>,
    Params(params): Params<SheetParams>,
    body: Body,
) -> Answer {
    sheet(params.rules.as_deref())?;
    let text = whole(body, state.config.limits.body).await?;
    // A slow body blocks no other client: it has a place when it is there.
    let place = state.clients.work(caller.client).acquire_owned().await;
    state.offload(place, move |state| Ok(state.answers.verify(params, &text)?)).await
}

/// Reads a body to its end.
async fn whole(body: Body, limit: usize) -> Result<Bytes, Refusal> {
    to_bytes(body, limit).await.map_err(|error| match is_too_long(&error) {
        true => {
            let message = format!("the records are longer than {limit} bytes; send fewer");
            Refusal::usage(StatusCode::PAYLOAD_TOO_LARGE, message)
        }
        false => malformed(),
    })
}

fn answer(state: &AppState, uri: &Uri) -> Answer {
    let (path, parameters) = (uri.path(), uri.query().unwrap_or_default());
    state.answers.answer(&Question { method: "GET", path, parameters, body: &[] })
}

/// The media type of the figures.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// `GET /healthz`: the server is there.
pub(super) async fn health() -> Json<Value> {
    Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

/// `GET /metrics`: the figures, for Prometheus.
pub(super) async fn metrics(
    State(state): State<Arc<AppState>>,
) -> Result<impl IntoResponse, Refusal> {
    let text = state.metrics.text().map_err(|error| Refusal::internal(error.to_string()))?;
    Ok(([(header::CONTENT_TYPE, OPEN_METRICS)], text))
}
