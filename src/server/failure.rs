//! Failures as answers: a status and the JSON document of the contract.
//!
//! Errors of the library name files and directories, for whoever runs the server. Clients learn
//! what the matter is and who can help.

use std::any::Any;
use std::time::Duration;

use axum::BoxError;
use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::error::{Error, Kind};
use crate::json::ErrorDocument;
use crate::json::words::with_command;

/// An answer that reports a failure.
#[derive(Debug)]
pub struct Failure {
    status: StatusCode,
    kind: Kind,
    message: String,
    /// What only the log gets.
    detail: Option<Detail>,
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
            "the server stops; ask again when it is back",
        )
    }

    fn new(status: StatusCode, kind: Kind, message: impl Into<String>) -> Failure {
        Failure { status, kind, message: message.into(), detail: None, retry_after: None }
    }

    /// Returns the failure that should not happen; only the log gets its `detail`.
    pub fn internal(detail: impl Into<String>) -> Failure {
        let message = "the server failed; its log says why";
        let failure = Failure::new(StatusCode::INTERNAL_SERVER_ERROR, Kind::Io, message);
        Failure { detail: Some(Detail(detail.into())), ..failure }
    }

    /// Returns the document.
    pub fn document(&self) -> ErrorDocument {
        ErrorDocument::new(self.kind, &self.message)
    }

    /// Returns what only the log gets.
    pub fn detail(&self) -> Option<&str> {
        self.detail.as_ref().map(|detail| detail.0.as_str())
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let detail = Some(Detail(with_command(&error)));
        match &error {
            Error::MissingTable { rules, seeds, .. } => {
                let message = format!(
                    "this server has no {rules} table for {seeds} seeds; `GET /v1/sheets` lists \
                     those that it has, `oware build --rules {rules} --seeds {seeds}`, where it \
                     runs, makes it, and says with --dry-run what that takes"
                );
                Failure::new(StatusCode::NOT_FOUND, error.kind(), message)
            }
            Error::MissingStrategy { rules, seeds, .. } => {
                let message = format!(
                    "the {rules} table for {seeds} seeds of this server holds no strategy; \
                     `oware build --force --rules {rules} --seeds {seeds}`, where it runs, makes \
                     one that does"
                );
                Failure::new(StatusCode::NOT_FOUND, error.kind(), message)
            }
            Error::HandedOn { kind, message } => {
                Failure::new(StatusCode::BAD_REQUEST, *kind, message.clone())
            }
            _ if error.kind() == Kind::Usage => {
                Failure::usage(StatusCode::BAD_REQUEST, error.to_string())
            }
            _ if error.kind() == Kind::CorruptTable => {
                let message =
                    "a table of this server is damaged; its log names the file and the remedy";
                let status = StatusCode::INTERNAL_SERVER_ERROR;
                Failure { detail, ..Failure::new(status, error.kind(), message) }
            }
            _ => Failure::internal(with_command(&error)),
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.document())).into_response();
        if let Some(time) = self.retry_after {
            let seconds = time.as_secs_f64().ceil().max(1.0) as u64;
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        if let Some(detail) = self.detail {
            response.extensions_mut().insert(detail);
        }
        response
    }
}

/// Returns the failure of a body that breaks off or is not framed as its head says.
pub fn malformed() -> Failure {
    Failure::usage(
        StatusCode::BAD_REQUEST,
        "the body ends too early, or its chunks are not as HTTP has them; send it again",
    )
}

/// Answers paths that nothing is at.
pub async fn no_such_path() -> Failure {
    Failure::usage(
        StatusCode::NOT_FOUND,
        "there is nothing here; /openapi.json lists what there is",
    )
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
    Failure::usage(
        StatusCode::METHOD_NOT_ALLOWED,
        "not with this method; /openapi.json says which one",
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_learn_no_names_of_files() {
        let dir = std::path::PathBuf::from("/secret/place");
        for (error, status) in [
            (Error::MissingTable { dir: dir.clone(), rules: "abapa".to_owned(), seeds: 9 }, 404),
            (Error::MissingStrategy { dir: dir.clone(), rules: "abapa".to_owned(), seeds: 9 }, 404),
            (Error::CorruptTable { path: dir.clone(), what: "it is empty".to_owned() }, 500),
            (Error::WrongVersion { path: dir.clone(), found: 1, known: 2 }, 500),
            (Error::io("reading", dir)(std::io::ErrorKind::NotFound.into()), 500),
        ] {
            let kind = error.kind();
            let failure = Failure::from(error);
            assert_eq!((failure.status.as_u16(), failure.kind), (status, kind));
            assert!(!failure.message.contains("secret"), "{}", failure.message);
            let logged = failure.detail().is_some_and(|detail| detail.contains("/secret/place"));
            assert_eq!(logged, status == 500, "{failure:?}");
        }
    }
}
