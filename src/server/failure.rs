//! Refusals as answers: those of a question, and those of a server that has enough to do.

use std::any::Any;
use std::fmt;
use std::time::Duration;

use axum::BoxError;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::answers::Refusal;
use crate::error::Kind;

/// What only the log gets; it travels in the extensions of the response.
#[derive(Clone, Debug)]
pub struct Detail(pub String);

/// When it is worth trying again if nothing better is known.
const SOON: Duration = Duration::from_secs(1);

impl Refusal {
    /// Returns the refusal of what is the client's mistake.
    pub(super) fn usage(status: StatusCode, message: impl Into<String>) -> Refusal {
        Refusal::new(status.as_u16(), Kind::Usage, message)
    }

    /// Returns the refusal of a server that has enough to do.
    pub(super) fn busy(status: StatusCode, message: impl Into<String>) -> Refusal {
        let refusal = Refusal::new(status.as_u16(), Kind::Io, message);
        Refusal { retry_after: Some(SOON), ..refusal }
    }

    /// Returns the refusal of a server that ends.
    pub(super) fn stopping() -> Refusal {
        Refusal::busy(
            StatusCode::SERVICE_UNAVAILABLE,
            "the server is shutting down; try again later",
        )
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).expect("refusals have statuses of HTTP");
        let mut response = (status, self.document()).into_response();
        if let Some(time) = self.retry_after {
            let seconds = time.as_secs_f64().ceil().max(1.0) as u64;
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        if let Some(detail) = self.detail {
            response.extensions_mut().insert(Detail(detail));
        }
        response
    }
}

/// Returns the refusal of a body that breaks off or is not framed as its head says.
pub fn malformed() -> Refusal {
    Refusal::usage(
        StatusCode::BAD_REQUEST,
        "the body ends too early, or its chunks are malformed; send it again",
    )
}

/// Returns the refusal of a batch of more than `limit` bytes.
pub fn too_long(limit: u64) -> Refusal {
    let message = format!("the batch is longer than {limit} bytes; send it in parts");
    Refusal::usage(StatusCode::PAYLOAD_TOO_LARGE, message)
}

/// Returns the refusal of a batch of which nothing has come for a while, or not all in time.
pub fn late() -> Refusal {
    Refusal::busy(StatusCode::REQUEST_TIMEOUT, "the batch was not sent or read to its end")
}

/// Returns the refusal of a batch whose place has been given to another client.
pub fn lost() -> Refusal {
    Refusal::busy(
        StatusCode::TOO_MANY_REQUESTS,
        "the batch came too slowly while others waited; send the rest again",
    )
}

/// Returns the refusal on a connection for which there is no place.
pub fn crowded() -> Refusal {
    Refusal::busy(
        StatusCode::SERVICE_UNAVAILABLE,
        "too many connections, of this client or of all; try again later",
    )
}

/// Answers requests that ran out of time.
pub(super) async fn too_slow(_: BoxError) -> Refusal {
    Refusal::busy(StatusCode::SERVICE_UNAVAILABLE, "the answer takes too long; try again later")
}

/// Answers requests that came to nothing because of a mistake in this program.
pub fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    Refusal::internal(format!("a panic: {}", text.unwrap_or("without words"))).into_response()
}
