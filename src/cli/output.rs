//! What commands print: text, JSON documents, errors and drawings of the board.

use std::fmt::Display;
use std::io::{self, Write};

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Effects, Style};
use serde::Serialize;

use oware_db::error::{Error, Result};
use oware_db::game::{Board, House, Position};
pub use oware_db::json::lines::line;
pub use oware_db::json::words::with_command;
use oware_db::probe::LineEnd;

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

/// Returns who speaks on standard error.
pub fn who() -> String {
    let name = "oware:";
    if shows_colours(&io::stderr()) { painted(RED, name) } else { name.to_owned() }
}

const RED: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);

/// Returns text in bold where standard output shows that: on a terminal, unless `NO_COLOR` is set.
pub fn strong(text: &str) -> String {
    on_terminal(Style::new().bold(), text)
}

/// Returns text in a colour where standard output shows that.
pub fn coloured(colour: AnsiColor, text: &str) -> String {
    on_terminal(colour.on_default(), text)
}

fn on_terminal(style: Style, text: &str) -> String {
    if shows_colours(&io::stdout()) { painted(style, text) } else { text.to_owned() }
}

fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

fn shows_colours(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}

/// Prints a note on standard error. If that fails there is nowhere to report it.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
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

/// `the mover gets 3 seeds more than the opponent`.
pub fn ahead(score: i8) -> String {
    let seeds = count_seeds(score.unsigned_abs().into());
    match score {
        0 => "both get as many seeds".to_owned(),
        1.. => format!("the mover gets {seeds} more than the opponent"),
        _ => format!("the opponent gets {seeds} more than the mover"),
    }
}

/// Puts the moves of a line into a sentence; `round` says what a cycle means.
pub fn best_play(moves: &[String], ends: LineEnd, round: &str) -> String {
    let text = match ends {
        LineEnd::GameOver => format!("{}, and the game is over.", moves.join(" ")),
        LineEnd::Limit => format!("{}, and so on.", moves.join(" ")),
        LineEnd::Cycle { after } => {
            let (before, cycle) = moves.split_at(after);
            let before: String = before.iter().map(|each| format!("{each} ")).collect();
            format!("{before}[{}], {round}.", cycle.join(" "))
        }
    };
    format!("Best play: {text}")
}

/// A row of a table, each cell at the right of its column.
pub fn row<const COLUMNS: usize>(widths: [usize; COLUMNS], cells: [String; COLUMNS]) -> String {
    let cells = cells.iter().zip(widths).map(|(cell, width)| format!("  {cell:>width$}"));
    cells.collect::<String>() + "\n"
}

/// `7`, or `3..7` where the bounds differ.
pub fn span<T: Display + PartialEq>(low: T, high: T) -> String {
    if low == high { low.to_string() } else { format!("{low}..{high}") }
}
