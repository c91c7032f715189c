//! What is done around every request: figures, the log, and what is refused whatever is asked.

use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use tokio::sync::OwnedSemaphorePermit;

use super::caller::Caller;
use super::failure::Detail;
use super::state::AppState;
use crate::answers::Refusal;
use crate::error::Result;

/// Counts a request by its route, and writes to the log what its answer keeps from the client.
pub(super) async fn watch(
    State(state): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Response {
    let begun = Instant::now();
    let path = request.extensions().get::<MatchedPath>().cloned();
    let asked = state.config.logs_access.then(|| asked(&request));
    let response = next.run(request).await;
    let log = &state.config.log;
    let route = path.as_ref().map_or("none", MatchedPath::as_str);
    if let Some(Detail(detail)) = response.extensions().get() {
        log(&format!("{route}: {detail}"));
    }
    if let Some(asked) = asked {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        let (status, micros) = (response.status().as_u16(), begun.elapsed().as_micros());
        log(&format!("answered time={now:.3} {asked} status={status} micros={micros}"));
    }
    state.metrics.count_request(route, response.status().as_u16(), begun.elapsed());
    response
}

/// What the access log says of a request that has not been answered.
fn asked(request: &Request) -> String {
    let client = Caller::of(request).client;
    format!("client={client} method={} uri={}", request.method(), request.uri())
}

/// A client's place for a longer request. Work that goes on after the client has left keeps it.
pub type Place = Arc<Option<OwnedSemaphorePermit>>;

/// Lets a client's longer requests wait for each other, a few at a time.
pub(super) async fn in_turn(
    State(state): State<Arc<AppState>>,
    mut request: Request,
    next: Next,
) -> Response {
    let work = state.clients.work(Caller::of(&request).client);
    let place: Place = Arc::new(work.acquire_owned().await.ok());
    request.extensions_mut().insert(place.clone());
    let response = next.run(request).await;
    drop(place);
    response
}

/// Refuses requests that no route is to see.
pub(super) async fn refuse(
    State(state): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    check_address(&request, state.config.limits.address)?;
    state.hosts.check(&request)?;
    check_encoding(&request)?;
    Ok(next.run(request).await)
}

/// Refuses an address of more than `limit` bytes.
fn check_address(request: &Request, limit: usize) -> Result<(), Refusal> {
    let length = request.uri().path_and_query().map_or(0, |text| text.as_str().len());
    if length > limit {
        let message = format!("the address is longer than {limit} bytes");
        return Err(Refusal::usage(StatusCode::URI_TOO_LONG, message));
    }
    Ok(())
}

/// Refuses a body that is encoded: it would be taken for something else.
fn check_encoding(request: &Request) -> Result<(), Refusal> {
    let encoded = request.headers().get_all(header::CONTENT_ENCODING).iter();
    let is_plain = |value: &HeaderValue| value.as_bytes().eq_ignore_ascii_case(b"identity");
    let Some(encoding) = encoded.into_iter().find(|value| !is_plain(value)) else { return Ok(()) };
    let encoding = String::from_utf8_lossy(encoding.as_bytes());
    let message =
        format!("content encodings are not supported; send the body without `{encoding}`");
    Err(Refusal::usage(StatusCode::UNSUPPORTED_MEDIA_TYPE, message))
}
