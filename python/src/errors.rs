//! Exceptions: the library's text, by its four kinds of failure.

use oware_db::error::{Error, Kind};
use oware_db::game::Rules;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyMemoryError, PyOSError};
use pyo3::prelude::*;

create_exception!(oware_db, OwareError, PyException, "Whatever this package fails with.");
create_exception!(oware_db, UsageError, OwareError, "A mistake of the caller, and what to do.");
create_exception!(oware_db, MissingTableError, OwareError, "A table that has not been built.");
create_exception!(oware_db, CorruptTableError, OwareError, "A table that is damaged or foreign.");

/// Returns the exception for a failure of the library. The operating system's are `OSError`, and
/// memory that it does not give is a `MemoryError`.
pub fn exception(error: &Error) -> PyErr {
    let text = match remedy(error) {
        Some(remedy) => format!("{}; {remedy}", error.facts()),
        None => error.to_string(),
    };
    match error.kind() {
        _ if matches!(error, Error::OutOfMemory { .. }) => PyMemoryError::new_err(text),
        Kind::Usage => UsageError::new_err(text),
        Kind::MissingTable => MissingTableError::new_err(text),
        Kind::CorruptTable => CorruptTableError::new_err(text),
        Kind::Io => PyOSError::new_err(text),
    }
}

/// Seeds of the largest layer that `build` is recommended for, which holds all layers in memory.
const FEW: usize = 20;

/// Returns whether `build` knows a sheet.
fn is_oware(rules: &str) -> bool {
    Rules::by_id(rules).is_some()
}

/// Returns what to call or type where a table is missing.
fn remedy(error: &Error) -> Option<String> {
    Some(match error {
        Error::MissingTable { dir, rules, seeds } if *seeds <= FEW && is_oware(rules) => {
            format!("`oware_db.build({rules:?}, {seeds}, {dir:?})` makes it")
        }
        Error::MissingTable { dir, rules, seeds } => {
            let dir = dir.display();
            format!("`oware build --rules {rules} --seeds {seeds} --tables {dir}` makes it")
        }
        _ => return None,
    })
}

/// Returns the exception for a mistake of the caller.
pub fn usage(text: impl Into<String>) -> PyErr {
    UsageError::new_err(text.into())
}
