//! Failures as answers: those of a question, and those of a server that has enough to do.

use std::any::Any;
use std::time::Duration;

use axum::BoxError;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::answers::{Document, Refusal};
use crate::error::{Error, Kind};

/// An answer that reports a failure.
#[derive(Debug)]
pub struct Failure {
    refusal: Refusal,
    /// After which it is worth trying again.
    retry_after: Option<Duration>,
}

/// What only the log gets; it travels in the extensions of the response.
#[derive(Clone, Debug)]
pub struct Detail(pub String);

/// When it is worth trying again if nothing better is known.
const SOON: Duration = Duration::from_secs(1);

impl Failure {
    /// Returns the failure that is the client's mistake.
    pub fn usage(status: StatusCode, message: impl Into<String>) -> Failure {
        Failure::new(status, Kind::Usage, message)
    }

    /// Returns the failure of a server that has enough to do.
    pub fn busy(status: StatusCode, message: impl Into<String>) -> Failure {
        Failure { retry_after: Some(SOON), ..Failure::new(status, Kind::Io, message) }
    }

    /// Returns the failure of a server that knows when it will have less to do.
    pub fn busy_for(time: Duration, message: impl Into<String>) -> Failure {
        let failure = Failure::busy(StatusCode::TOO_MANY_REQUESTS, message);
        Failure { retry_after: Some(time), ..failure }
    }

    /// Returns the failure of a server that ends.
    pub fn stopping() -> Failure {
        Failure::busy(
            StatusCode::SERVICE_UNAVAILABLE,
            "the server is shutting down; try again later",
        )
    }

    fn new(status: StatusCode, kind: Kind, message: impl Into<String>) -> Failure {
        Refusal::new(status.as_u16(), kind, message).into()
    }

    /// Returns the failure that should not happen; only the log gets its `detail`.
    pub fn internal(detail: String) -> Failure {
        Refusal::internal(detail).into()
    }

    /// Returns the document.
    pub fn document(&self) -> Document {
        self.refusal.document()
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure { refusal, retry_after: None }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Refusal::from(error).into()
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.refusal.status);
        let status = status.expect("refusals have statuses of HTTP");
        let mut response = (status, self.refusal.document()).into_response();
        if let Some(time) = self.retry_after {
            let seconds = time.as_secs_f64().ceil().max(1.0) as u64;
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        if let Some(detail) = self.refusal.detail {
            response.extensions_mut().insert(Detail(detail));
        }
        response
    }
}

/// Returns the failure of a body that breaks off or is not framed as its head says.
pub fn malformed() -> Failure {
    Failure::usage(
        StatusCode::BAD_REQUEST,
        "the body ends too early, or its chunks are malformed; send it again",
    )
}

/// Answers paths that nothing is at.
pub async fn no_such_path() -> Failure {
    Refusal::no_such_path().into()
}

/// Answers on a connection for which there is no place.
pub async fn crowded() -> Failure {
    Failure::busy(
        StatusCode::SERVICE_UNAVAILABLE,
        "too many connections, of this client or of all; try again later",
    )
}

/// Answers requests with the wrong method.
pub async fn not_with_this_method() -> Failure {
    Refusal::not_with_this_method().into()
}

/// Answers requests that ran out of time.
pub async fn too_slow(_: BoxError) -> Failure {
    Failure::busy(StatusCode::SERVICE_UNAVAILABLE, "the answer takes too long; try again later")
}

/// Answers requests that came to nothing because of a mistake in this program.
pub fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    Failure::internal(format!("a panic: {}", text.unwrap_or("without words"))).into_response()
}
