//! What is done for every request: its limits, its time, the headers of its answer, the figures
//! and the log.

use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::state::AppState;
use super::failure::{Detail, Failure};

/// What browsers are told to keep to: nothing comes from elsewhere, and nothing is written into
/// the page's own text.
const HEADERS: [(HeaderName, HeaderValue); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
    ),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// Answers a request, and sees to all of that.
pub async fn watch(State(state): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let path = request.extensions().get::<MatchedPath>().cloned();
    let mut response = answer(&state, request, next).await;
    let route = path.as_ref().map_or("none", MatchedPath::as_str);
    if let Some(Detail(detail)) = response.extensions().get() {
        (state.log)(&format!("{route}: {detail}"));
    }
    state.metrics.answered(route, response.status().as_u16(), begun.elapsed());
    complete(response.headers_mut());
    response
}

async fn answer(state: &AppState, request: Request, next: Next) -> Response {
    let limits = &state.limits;
    let length = request.uri().path_and_query().map_or(0, |text| text.as_str().len());
    if length > limits.address {
        let message = format!("the address is longer than {} bytes", limits.address);
        return Failure::usage(StatusCode::URI_TOO_LONG, message).into_response();
    }
    match tokio::time::timeout(limits.answer, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Failure::busy(
            StatusCode::SERVICE_UNAVAILABLE,
            "the answer takes too long; try again later",
        )
        .into_response(),
    }
}

fn complete(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.insert(name, value);
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

/// The answer in place of one that came to nothing because of a mistake in this program.
pub fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    Failure::internal(format!("a panic: {}", text.unwrap_or("without words"))).into_response()
}
