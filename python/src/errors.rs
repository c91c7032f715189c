//! Exceptions: the library's text, by its four kinds of failure. The classes are in
//! `package/oware_db/_errors.py`.

use std::io::ErrorKind;

use oware_db::error::{Error, Kind};
use oware_db::game::Rules;
use oware_db::json::words::{owned, quoted};
use oware_db::probe::directories;
use pyo3::exceptions::{
    PyFileNotFoundError, PyMemoryError, PyNotADirectoryError, PyOSError, PyPermissionError,
};
use pyo3::prelude::*;

pyo3::import_exception!(oware_db._errors, CorruptTableError);
pyo3::import_exception!(oware_db._errors, MissingTableError);
pyo3::import_exception!(oware_db._errors, OwareError);
pyo3::import_exception!(oware_db._errors, UsageError);

/// A failure of the library, in one of many questions or in none.
pub struct Failed {
    /// Which of many, and what was asked.
    pub question: Option<(usize, String)>,
    pub error: Error,
}

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        Failed { question: None, error }
    }
}

impl Failed {
    /// Returns the exception. What is wrong with a file or the machine is not the question's.
    pub fn exception(&self) -> PyErr {
        let of_question = matches!(self.error.kind(), Kind::Usage | Kind::MissingTable);
        match self.question.as_ref().filter(|_| of_question) {
            Some((number, asked)) => {
                named(&self.error, &format!("boards[{number}], {asked}: {}", text(&self.error)))
            }
            None => exception(&self.error),
        }
    }
}

/// Returns the exception for a failure of the library. The operating system's are `OSError`, and
/// memory that it does not give is a `MemoryError`.
pub fn exception(error: &Error) -> PyErr {
    named(error, &text(error))
}

fn named(error: &Error, text: &str) -> PyErr {
    let text = text.to_owned();
    match error {
        Error::OutOfMemory { .. } | Error::TooLittleMemory { .. } => PyMemoryError::new_err(text),
        Error::NoDirectory { .. } => PyFileNotFoundError::new_err(text),
        Error::Io { source, .. } => with_number(refusal(source.kind(), text), source),
        _ => match error.kind() {
            Kind::Usage => UsageError::new_err(text),
            Kind::MissingTable => MissingTableError::new_err(text),
            Kind::CorruptTable => CorruptTableError::new_err(text),
            Kind::Io => PyOSError::new_err(text),
        },
    }
}

/// Returns the exception that Python has for a refusal of the system.
fn refusal(kind: ErrorKind, text: String) -> PyErr {
    match kind {
        ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
        ErrorKind::NotADirectory => PyNotADirectoryError::new_err(text),
        ErrorKind::PermissionDenied => PyPermissionError::new_err(text),
        _ => PyOSError::new_err(text),
    }
}

/// Gives an exception the number that the system has for what it is.
fn with_number(raised: PyErr, source: &std::io::Error) -> PyErr {
    if let Some(number) = source.raw_os_error() {
        // An exception that takes no attribute says the same in words.
        Python::attach(|py| raised.value(py).setattr("errno", number)).unwrap_or_default();
    }
    raised
}

/// What happened, and what helps in Python.
fn text(error: &Error) -> String {
    match remedy(error) {
        Some(remedy) => format!("{}; {remedy}", error.facts()),
        None => error.to_string(),
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
        Error::MissingTable { dir, rules, seeds, .. } if *seeds <= FEW && is_oware(rules) => {
            format!("`oware_db.build({rules:?}, {seeds}, {:?})` builds it", directories(dir)[0])
        }
        Error::MissingTable { dir, rules, seeds, owners } => {
            let (dir, owners) = (quoted(&directories(dir)[0]), owned(owners.as_deref()));
            format!(
                "`oware build --rules {rules} --seeds {seeds}{owners} --tables {dir}` builds it"
            )
        }
        _ => return None,
    })
}

/// Returns the exception for a mistake of the caller.
pub fn usage(text: impl Into<String>) -> PyErr {
    UsageError::new_err(text.into())
}
