//! Many positions in one request: `POST /v1/batch`, a line in, a line out, in the same order.
//!
//! ```text
//!   body → Incoming ──► converse ──► Outgoing → channel of two frames → body
//! ```
//!
//! The conversation is that of `oware query --batch`, on a thread of its own that may wait. Each
//! side waits for the other: a piece is read when the one before has been answered, and answered
//! when the client has taken what came before that. So a batch needs the memory of a few pieces,
//! however long it is; who does not read for a while is cut off, and so is who keeps a place waiting
//! that another client wants.
//!
//! A line is a position in any form, a JSON string or list of one, or an object with `board` and,
//! if known, `stores`, which is what the answers begin with.

use std::io::Write;
use std::sync::Arc;

use axum::Extension;
use axum::body::{Body, HttpBody};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::caller::Caller;
use super::config::ServerLimits;
use super::failure::{Failure, malformed};
use super::params::{Params, at_most, other_sheet, sheet};
use super::query::{LINE, LONGEST_LINE};
use super::state::AppState;
use super::stream::{BrokenOff, Incoming, Outgoing, Source};
use crate::error::{Error, Result};
use crate::game::Rules;
use crate::game::mancala::Sheet;
use crate::json::lines::{Responses, add_line, converse, line};
use crate::json::{Asked, Game};

/// The parameters of `POST /v1/batch`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchParams {
    rules: Option<String>,
    line: Option<usize>,
    #[serde(default)]
    scores_only: bool,
}

/// `POST /v1/batch`.
pub async fn batch(
    State(state): State<Arc<AppState>>,
    Extension(caller): Extension<Caller>,
    Params(params): Params<BatchParams>,
    body: Body,
) -> Result<Response, Failure> {
    let limit = at_most("line", params.line, LINE, LONGEST_LINE)?;
    let asked = Asked { line: limit, scores_only: params.scores_only, explain: false };
    let task = match other_sheet(params.rules.as_deref()) {
        Some(sheet) => Task::Other(sheet, asked),
        None => Task::Oware(sheet(params.rules.as_deref())?, asked),
    };
    let ServerLimits { batch: limit, idle, batch_time, .. } = state.limits;
    if body.size_hint().lower() > limit {
        return Err(broken_off(&state, BrokenOff::TooLong));
    }
    let (place, lost) =
        state.batches.take(Some(caller.client), &caller.pace).ok_or_else(crowded)?;
    let end = Instant::now() + batch_time;
    let incoming = Incoming::new(Source { body, limit, idle, end, stage: caller.stage, lost });
    let (mut outgoing, answers) = Outgoing::new();
    tokio::task::spawn_blocking(move || {
        task.run(&state, incoming, &mut outgoing);
        // Who has seen the end of the answer has its place again.
        drop(place);
        drop(outgoing);
    });
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], answers).into_response())
}

fn crowded() -> Failure {
    let message = "as many batches as there may be are under way; try again later";
    Failure::busy(StatusCode::TOO_MANY_REQUESTS, message)
}

/// What is asked of each line.
enum Task {
    Oware(&'static Rules, Asked),
    Other(&'static Sheet, Asked),
}

impl Task {
    /// Answers all lines. If that cannot go on, a last line says why, as far as the client still
    /// listens.
    fn run(&self, state: &AppState, incoming: Incoming, outgoing: &mut Outgoing) {
        let respond = |asked: &[&[u8]], lines: &mut Vec<u8>| {
            for bytes in asked {
                state.metrics.count_line();
                self.answer(state, bytes, lines)
                    .unwrap_or_else(|error| add_line(&failure(state, error), lines));
            }
        };
        let answer = |text: &[u8], responses: &mut Responses| {
            state.share_out(|| responses.to_lines(text, respond))
        };
        if let Err(error) = converse(incoming, outgoing, &answer) {
            let last = line(&unfinished(state, &error).document());
            let _ = outgoing.write_all(last.as_bytes()).and_then(|()| outgoing.flush());
        }
    }

    /// Appends the answer to a line.
    fn answer(&self, state: &AppState, bytes: &[u8], lines: &mut Vec<u8>) -> Result<()> {
        match *self {
            Task::Oware(rules, asked) => {
                state.probers(rules).with(|prober| rules.add_answer(prober, bytes, asked, lines))
            }
            Task::Other(sheet, asked) => {
                state.others(sheet).with(|prober| sheet.add_answer(prober, bytes, asked, lines))
            }
        }
    }
}

/// The failure that ends a batch.
fn unfinished(state: &AppState, error: &Error) -> Failure {
    let why = match error {
        Error::Io { source, .. } => BrokenOff::of_reading(source),
        _ => None,
    };
    broken_off(state, why.unwrap_or(BrokenOff::Late))
}

fn broken_off(state: &AppState, why: BrokenOff) -> Failure {
    let limit = state.limits.batch;
    match why {
        BrokenOff::TooLong => {
            let message = format!("the batch is longer than {limit} bytes; send it in parts");
            Failure::usage(StatusCode::PAYLOAD_TOO_LARGE, message)
        }
        BrokenOff::Malformed => malformed(),
        BrokenOff::Late => {
            Failure::busy(StatusCode::REQUEST_TIMEOUT, "the batch was not sent or taken to its end")
        }
        BrokenOff::Lost => Failure::busy(
            StatusCode::TOO_MANY_REQUESTS,
            "the batch came slowly while others waited for its place; send the rest again",
        ),
        BrokenOff::Stopped => Failure::stopping(),
    }
}

/// Returns the document in place of an answer, and logs what the client should not see.
fn failure(state: &AppState, error: Error) -> impl Serialize + use<> {
    let failure = Failure::from(error);
    if let Some(detail) = failure.detail() {
        (state.log)(&format!("/v1/batch: {detail}"));
    }
    failure.document()
}
