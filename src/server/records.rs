//! Recorded games: `POST /v1/verify`.

use std::sync::Arc;

use axum::Extension;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::State;
use axum::http::StatusCode;

use super::answer::{Answer, Params};
use super::caller::Caller;
use super::failure::malformed;
use super::state::AppState;
use super::stream::is_too_long;
use crate::answers::Refusal;
use crate::answers::records::VerifyParams;

/// `POST /v1/verify`: the body is a record in OGN or in the plain form, or several.
pub async fn verify(
    State(state): State<Arc<AppState>>,
    Extension(caller): Extension<Caller>,
    Params(params): Params<VerifyParams>,
    body: Body,
) -> Answer {
    params.sheet()?;
    let text = whole(body, state.config.limits.body).await?;
    // A slow body blocks no other client: it has a place when it is there.
    let place = state.clients.work(caller.client).acquire_owned().await;
    // The work goes on if the client leaves; its place is free when it is done.
    let work = move |state: &AppState| {
        let _place = place;
        Ok(state.answers.verify(params, &text)?)
    };
    state.offload(work).await
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
