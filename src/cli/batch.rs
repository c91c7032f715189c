//! Many positions at once, from standard input to standard output ([`oware_db::json::lines`]).

use std::io;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use oware_db::error::Result;
use oware_db::json::lines::{add_error, add_line, converse};

/// Answers every line of standard input. A line that has no answer gets an error object, and makes
/// the exit code a failure in the end.
pub fn answer_lines<T: Serialize>(answer: impl Fn(&[u8]) -> Result<T> + Sync) -> Result<ExitCode> {
    let failed = AtomicBool::new(false);
    let respond = |bytes: &[u8], lines: &mut Vec<u8>| match answer(bytes) {
        Ok(document) => add_line(&document, lines),
        Err(error) => {
            failed.store(true, Ordering::Relaxed);
            add_error(&error, lines);
        }
    };
    converse(io::stdin().lock(), &mut io::stdout().lock(), &|text, responses| {
        responses.to_lines(text, respond)
    })?;
    Ok(if failed.into_inner() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
