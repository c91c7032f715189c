//! Mistakes in what is said, and how they are quoted.

use crate::error::Error;
use crate::lines;

/// Returns the error for something that cannot be read.
pub fn wrong(what: impl Into<String>) -> Error {
    Error::Usage(what.into())
}

/// Returns at most forty characters of a text that was received.
pub fn shown(text: &str) -> String {
    lines::shown(text, 40)
}
