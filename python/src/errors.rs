//! Exceptions: the library's text, by its four kinds of failure.

use oware_db::error::{Error, Kind};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError};
use pyo3::prelude::*;

create_exception!(oware_db, OwareError, PyException, "Whatever this package fails with.");
create_exception!(oware_db, UsageError, OwareError, "A mistake of the caller, and what to do.");
create_exception!(oware_db, MissingTableError, OwareError, "A table that has not been built.");
create_exception!(oware_db, CorruptTableError, OwareError, "A table that is damaged or foreign.");

/// Returns the exception for a failure of the library. The operating system's are `OSError`.
pub fn exception(error: &Error) -> PyErr {
    let text = error.to_string();
    match error.kind() {
        Kind::Usage => UsageError::new_err(text),
        Kind::MissingTable => MissingTableError::new_err(text),
        Kind::CorruptTable => CorruptTableError::new_err(text),
        Kind::Io => PyOSError::new_err(text),
    }
}

/// Returns the exception for a mistake of the caller.
pub fn usage(text: impl Into<String>) -> PyErr {
    UsageError::new_err(text.into())
}
