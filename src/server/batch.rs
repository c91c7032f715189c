//! Many positions in one request: `POST /v1/batch`, a line in, a line out, in the same order.
//!
//! ```text
//!   body → Incoming ──► converse ──► Outgoing → channel of two frames → body
//! ```
//!
//! The conversation is that of `oware query --batch`, on a thread of its own that may wait. Each
//! side waits for the other: a piece is read when the one before has been answered, and answered
//! when the client has taken what came before that. So a batch needs the memory of a few pieces,
//! however long it is. Who takes nothing for a while is cut off, and so is who does not send or take
//! while another client wants the place, or when the time of a batch is over.

use std::io::Write;
use std::sync::Arc;

use axum::Extension;
use axum::body::{Body, HttpBody};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

use super::answer::Params;
use super::caller::Caller;
use super::config::ServerLimits;
use super::failure::{late, too_long};
use super::state::AppState;
use super::stream::{GuardedBody, Incoming, Outgoing};
use crate::answers::Refusal;
use crate::answers::batch::{BatchParams, EachLine};
use crate::error::Error;
use crate::json::lines::{Responses, converse};

/// `POST /v1/batch`.
pub(super) async fn batch(
    State(state): State<Arc<AppState>>,
    Extension(caller): Extension<Caller>,
    Params(params): Params<BatchParams>,
    body: Body,
) -> Result<Response, Refusal> {
    let each = EachLine::of(&params)?;
    let ServerLimits { batch: limit, idle, batch_time, .. } = state.config.limits;
    if body.size_hint().lower() > limit {
        return Err(too_long(limit));
    }
    let (place, lost) =
        state.batches.take(Some(caller.client), &caller.pace).ok_or_else(crowded)?;
    let end = Instant::now() + batch_time;
    let guarded = GuardedBody { body, limit, idle, end, stage: caller.stage, lost };
    let (incoming, mut outgoing, answers) = Incoming::with_answer(guarded);
    tokio::task::spawn_blocking(move || {
        answer_all(each, &state, incoming, &mut outgoing);
        // Who has seen the end of the answer has its place again.
        drop(place);
        drop(outgoing);
    });
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], answers).into_response())
}

fn crowded() -> Refusal {
    let message = "too many batches are in progress; try again later";
    Refusal::busy(StatusCode::TOO_MANY_REQUESTS, message)
}

/// Answers all lines. If that cannot go on, a last line says why, as far as the client still
/// listens.
fn answer_all(each: EachLine, state: &AppState, incoming: Incoming, outgoing: &mut Outgoing) {
    let respond = |asked: &[&[u8]], lines: &mut Vec<u8>| {
        for bytes in asked {
            state.metrics.lines.inc();
            let refusal = each.answer(&state.answers, bytes, lines);
            if let Some(detail) = refusal.and_then(|refusal| refusal.detail) {
                (state.config.log)(&format!("/v1/batch: {detail}"));
            }
        }
    };
    let answer = |text: &[u8], responses: &mut Responses| {
        state.share_out(|| responses.answer_lines(text, respond))
    };
    if let Err(error) = converse(incoming, outgoing, &answer) {
        let mut last = unfinished(error).document().into_bytes();
        last.push(b'\n');
        let _ = outgoing.write_all(&last).and_then(|()| outgoing.flush());
    }
}

/// The refusal that ends a batch.
fn unfinished(error: Error) -> Refusal {
    let why = match error {
        Error::Io { source, .. } => source.downcast().ok(),
        _ => None,
    };
    why.unwrap_or_else(late)
}
