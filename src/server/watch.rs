//! What is done around every request: a bound on its address, figures, and the log.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;

use super::failure::{Detail, Failure};
use super::state::AppState;
use crate::error::Result;

/// Counts a request by its route, and writes to the log what its answer keeps from the client.
pub async fn watch(State(state): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let path = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    let route = path.as_ref().map_or("none", MatchedPath::as_str);
    if let Some(Detail(detail)) = response.extensions().get() {
        (state.log)(&format!("{route}: {detail}"));
    }
    state.metrics.count_request(route, response.status().as_u16(), begun.elapsed());
    response
}

/// Refuses an address of more than `limit` bytes.
pub async fn limit_address(
    State(limit): State<usize>,
    request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let length = request.uri().path_and_query().map_or(0, |text| text.as_str().len());
    if length > limit {
        let message = format!("the address is longer than {limit} bytes");
        return Err(Failure::usage(StatusCode::URI_TOO_LONG, message));
    }
    Ok(next.run(request).await)
}
