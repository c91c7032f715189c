//! For monitoring the server: `GET /healthz` and `GET /metrics`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;

use super::failure::Failure;
use super::state::AppState;
use crate::error::Result;

/// The media type of the figures.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The document of `GET /healthz`.
#[derive(Serialize)]
pub struct Health {
    status: &'static str,
    version: &'static str,
}

/// `GET /healthz`: the server is there.
pub async fn health() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}

/// `GET /metrics`: the figures, for Prometheus.
pub async fn metrics(State(state): State<Arc<AppState>>) -> Result<impl IntoResponse, Failure> {
    let text = state.metrics.text().map_err(|error| Failure::internal(error.to_string()))?;
    Ok(([(header::CONTENT_TYPE, OPEN_METRICS)], text))
}
