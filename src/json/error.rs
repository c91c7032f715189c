//! Errors as JSON.

use serde::Serialize;

use super::words::with_command;
use crate::error::{Error, Kind};

/// The document in place of an answer: `{"error": {"kind": …, "message": …}}`.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorDocument {
    error: Description,
}

#[derive(Clone, Debug, Serialize)]
struct Description {
    kind: &'static str,
    message: String,
}

impl ErrorDocument {
    /// Returns the document of a failure of this kind.
    pub fn new(kind: Kind, message: impl Into<String>) -> ErrorDocument {
        ErrorDocument { error: Description { kind: kind.name(), message: message.into() } }
    }
}

impl From<&Error> for ErrorDocument {
    fn from(error: &Error) -> ErrorDocument {
        ErrorDocument::new(error.kind(), with_command(error))
    }
}
