//! The API's description: `GET /openapi.json`.

use axum::http::header;
use axum::response::IntoResponse;

/// The description, in the words of OpenAPI.
const DOCUMENT: &str = include_str!("openapi.json");

/// `GET /openapi.json`: the description.
pub async fn document() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-cache")], DOCUMENT)
}
