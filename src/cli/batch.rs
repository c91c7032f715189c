//! Many positions at once, from standard input to standard output ([`oware_db::json::lines`]).

use std::io;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use oware_db::error::Result;
use oware_db::json::lines::{add_error, converse};
use oware_db::pool::Pool;

use super::threads;

/// Answers every line of standard input, each with one of `tools`: `answer` appends what it makes
/// of a line. A line that has no answer gets an error object, and makes the exit code a failure in
/// the end.
pub fn answer_lines<T: Send>(
    tools: &Pool<T>,
    answer: impl Fn(&mut T, &[u8], &mut Vec<u8>) -> Result<()> + Sync,
) -> Result<ExitCode> {
    threads::start(None)?;
    let failed = AtomicBool::new(false);
    let respond = |asked: &[&[u8]], lines: &mut Vec<u8>| {
        tools.with(|tool| {
            for bytes in asked {
                if let Err(error) = answer(tool, bytes, lines) {
                    failed.store(true, Ordering::Relaxed);
                    add_error(&error, lines);
                }
            }
        });
    };
    converse(io::stdin().lock(), &mut io::stdout(), &|text, responses| {
        responses.to_lines(text, respond)
    })?;
    Ok(if failed.into_inner() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
