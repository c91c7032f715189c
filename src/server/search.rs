//! What the engine makes of a position: `GET /v1/search`.
//!
//! A search takes a processor for as long as it may, so they go by [turns](Turn): each
//! client has one at a time, all clients as many as half of the processors. When a turn is over, or
//! the server stops, the answer is what has been found; when the client leaves, there is none.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;

use super::answer::{Answer, Params};
use super::caller::Caller;
use super::stages::{Follower, Stage, reached};
use super::state::AppState;
use super::turns::Turn;
use crate::answers::Refusal;
use crate::answers::search::{Search, SearchParams};

/// `GET /v1/search`: what the engine makes of a position, or of a game so far.
pub(super) async fn search(
    State(state): State<Arc<AppState>>,
    Extension(caller): Extension<Caller>,
    Params(params): Params<SearchParams>,
) -> Answer {
    let search = Search::new(&params, state.config.limits.search)?;
    let turn = Arc::new(turn(&state, &caller, search.time).await?);
    let stop = Stop::default();
    let (ends, turned) = (stop.0.clone(), turn.clone());
    let mut work =
        tokio::task::spawn_blocking(move || search.run(&state.answers, &ends, || turned.left()));
    let found = tokio::select! {
        found = &mut work => found,
        () = until_over(&turn, &caller.stage) => {
            drop(stop);
            work.await
        }
    };
    found.map_err(|error| Refusal::internal(error.to_string()))
}

/// Waits for a turn.
async fn turn(state: &AppState, caller: &Caller, time: Duration) -> Result<Turn, Refusal> {
    let turn = tokio::select! {
        turn = state.searches.take(caller.client, time) => turn,
        () = reached(&caller.stage, Stage::Closing) => return Err(Refusal::stopping()),
    };
    turn.map_err(|wait| {
        let message = "too many searches are waiting; try again after the time in Retry-After";
        let refusal = Refusal::busy(StatusCode::TOO_MANY_REQUESTS, message);
        Refusal { retry_after: Some(wait), ..refusal }
    })
}

async fn until_over(turn: &Turn, stage: &Follower) {
    tokio::select! {
        () = turn.over() => {}
        () = reached(stage, Stage::Closing) => {}
    }
}

/// Ends a search when it is dropped, as it is when no client waits for the answer any more.
#[derive(Default)]
struct Stop(Arc<AtomicBool>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
