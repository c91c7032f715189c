//! What there is to ask, in the words of OpenAPI.

use axum::http::header;
use axum::response::IntoResponse;

/// The document.
const DOCUMENT: &str = include_str!("openapi.json");

/// `GET /openapi.json`.
pub async fn document() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-cache")], DOCUMENT)
}
