//! What commands print: text, JSON documents, errors and drawings of the board.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use serde::Serialize;

use oware_db::error::{Error, Kind, Result};
use oware_db::game::{Board, House, Position};
use oware_db::json::ErrorDocument;
pub use oware_db::json::lines::line;
pub use oware_db::json::words::with_command;

/// Prints text on standard output.
pub fn text(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(Error::io("writing", "standard output"))
}

/// Prints a JSON document on standard output.
pub fn document(document: &impl Serialize) -> Result<()> {
    text(&line(document))
}

/// Prints a result: one JSON document, or a text for people.
pub fn result<D: Serialize>(
    json: bool,
    document: &D,
    page: impl FnOnce(&D) -> String,
) -> Result<()> {
    if json { self::document(document) } else { text(&page(document)) }
}

/// Reports an error and returns its exit code. A reader of our output who has had enough
/// (`oware ... | head`) is not an error.
pub fn failure(error: &Error, json: bool) -> ExitCode {
    if matches!(error, Error::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    if !json || document(&ErrorDocument::from(error)).is_err() {
        note(&format!("oware: {}", with_command(error)));
    }
    ExitCode::from(error.kind().exit_code())
}

/// Prints a note on standard error. If that fails there is nowhere to report it.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Reports what clap made of the command line: help and version on standard output, mistakes as
/// an error of ours.
pub fn misuse(error: &clap::Error, json: bool) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let _ = error.print();
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if !json => {
            let _ = error.print();
            ExitCode::from(Kind::Usage.exit_code())
        }
        _ => failure(&Error::Usage(sentence(error)), json),
    }
}

/// Returns clap's paragraphs as one sentence: the mistake and the tips, without the usage.
fn sentence(error: &clap::Error) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "a command is missing; `oware --help` lists them".to_owned();
    }
    let rendered = error.render().to_string();
    let message =
        rendered.split("Usage:").next().unwrap_or_default().split("For more information").next();
    let message = message.unwrap_or_default().trim().trim_start_matches("error: ");
    let paragraphs: Vec<String> = message.split("\n\n").map(|part| words(part.trim())).collect();
    format!("{}; --help shows how to use the command", paragraphs.join("; "))
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reports while the work goes on, for people: on standard output, if that is not for JSON.
#[derive(Clone, Copy)]
pub struct Voice {
    pub json: bool,
}

impl Voice {
    /// Prints a line.
    pub fn say(self, line: &str) -> Result<()> {
        if self.json { Ok(()) } else { text(&format!("{line}\n")) }
    }
}

/// Draws the board as people look at it:
///
/// ```text
///      f  e  d  c  b  a
///      0  3  0  0  0  1   opponent
///      0  0  0  0  1  2   to move
///      A  B  C  D  E  F
/// ```
pub fn drawing(position: Position) -> String {
    let Board { mover, opponent } = position.board;
    let captured =
        |count: Option<u8>| count.map_or(String::new(), |count| format!(", {count} captured"));
    let row = |cells: [String; 6]| cells.map(|cell| format!("{cell:>3}")).concat();
    let above = House::ALL.map(House::opposite);
    let lines = [
        row(above.map(|house| house.opponent_letter().to_string())),
        row(above.map(|house| opponent[house].to_string()))
            + "   opponent"
            + &captured(position.stores.map(|stores| stores.opponent)),
        row(House::ALL.map(|house| mover[house].to_string()))
            + "   to move"
            + &captured(position.stores.map(|stores| stores.mover)),
        row(House::ALL.map(|house| house.to_string())),
    ];
    lines.map(|line| format!("  {line}\n")).concat()
}

/// `1 seed`, `2 seeds`.
pub fn count_seeds(count: usize) -> String {
    format!("{count} seed{}", if count == 1 { "" } else { "s" })
}
