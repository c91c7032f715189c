//! Positions of the games beside Oware as arguments, or one a line on standard input.

use std::io;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use oware_db::error::Result;
use oware_db::game::mancala::{Placement, Sheet};
use oware_db::json::general::read_line;
use oware_db::json::lines::{add_error, add_line, converse};

/// The argument of commands that look at a position, or at many.
#[derive(clap::Args)]
pub struct PositionArgs {
    /// As many numbers as the board has places, the mover's first, in quotes or not; in Nam Nam
    /// perhaps with the owners of the houses, as in `mmmmmmoooooo`
    #[arg(value_name = "POSITION", required_unless_present = "batch", num_args = 1..)]
    position: Vec<String>,
    /// Read one position a line from standard input and write one JSON object a line
    #[arg(long, conflicts_with = "position")]
    batch: bool,
}

impl PositionArgs {
    /// Returns the position; `None` if there are many, on standard input.
    pub fn one(&self, sheet: &Sheet) -> Result<Option<Placement>> {
        if self.batch { Ok(None) } else { sheet.parse(&self.position.join(" ")).map(Some) }
    }
}

/// Answers every line of standard input. A line that has no answer gets an error object, and makes
/// the exit code a failure in the end.
pub fn answer_lines<T: Serialize>(
    sheet: &Sheet,
    answer: impl Fn(Placement) -> Result<T> + Sync,
) -> Result<ExitCode> {
    let failed = AtomicBool::new(false);
    let respond =
        |bytes: &[u8], lines: &mut Vec<u8>| match read_line(sheet, bytes).and_then(&answer) {
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
