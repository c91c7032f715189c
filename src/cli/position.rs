//! Positions as arguments: in quotes, as separate numbers, or one a line on standard input, which are
//! answered to standard output ([`crate::json::lines`]).

use std::io;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Result;
use crate::game::{ABAPA, Rules, is_of_play_strategy};
use crate::json::lines::{add_line, converse};
use crate::json::{Game, error_document};
use crate::pool::Pool;

use super::{output, threads};

/// The argument of commands that look at a position, or at many.
#[derive(clap::Args)]
pub struct PositionArgs {
    /// Twelve numbers, mover first (A B C D E F a b c d e f), quoted or not
    ///
    /// Also `4-4-4-4-4-4-4-4-4-4-4-4-0-0-S` with both stores, `0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4`,
    /// PlayStrategy's `4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S` (played by `abapa`: the first
    /// repetition with seeds on both sides ends the game), and `startpos`, optionally followed by
    /// `moves` and moves. Other games: one number per pit, the mover's first; Nam Nam optionally
    /// followed by the owners of the houses, as in `mmmmmmoooooo`.
    #[arg(value_name = "POSITION", required_unless_present = "batch", num_args = 1..)]
    position: Vec<String>,
    /// Read one position per line from standard input and print one JSON object per line
    #[arg(long, conflicts_with = "position")]
    batch: bool,
}

impl PositionArgs {
    /// Says so if the position comes from games by another sheet than is asked.
    pub fn note_sheet(&self, rules: &Rules) {
        if *rules != ABAPA && is_of_play_strategy(&self.position.join(" ")) {
            output::note(
                "oware: PlayStrategy plays by `abapa`, in which the first repetition with seeds on \
                 both sides ends a game; omit --rules to use it",
            );
        }
    }

    /// Returns the position, which the shell may have cut into words; `None` if there are many, on
    /// standard input.
    pub fn of<G: Game>(&self, game: G) -> Result<Option<G::Position>> {
        if self.batch { Ok(None) } else { game.read(&self.position.join(" ")).map(Some) }
    }
}

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
                    let message = output::with_command(&error);
                    add_line(&error_document(error.kind(), &message), lines);
                }
            }
        });
    };
    converse(io::stdin().lock(), &mut io::stdout(), &|text, responses| {
        responses.answer_lines(text, respond)
    })?;
    Ok(if failed.into_inner() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
