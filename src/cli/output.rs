//! What commands print: text, JSON documents, errors and drawings of the board.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Effects, Style};
use serde::Serialize;

use crate::error::{Error, Result};
use crate::game::{Board, House, Position};
use crate::json::lines::OUTPUT;
pub use crate::json::lines::line;
pub use crate::json::words::with_command;
use crate::probe::LineEnd;

/// What errors call it.
pub const STANDARD_OUTPUT: &str = "standard output";

/// Returns whether a reader of our output has had enough.
pub fn has_no_reader(error: &Error) -> bool {
    let Error::Io { path, source, .. } = error else { return false };
    let is_ours = [STANDARD_OUTPUT, OUTPUT].iter().any(|name| path.as_os_str() == *name);
    is_ours && source.kind() == io::ErrorKind::BrokenPipe
}

/// Prints text on standard output; on a terminal [escaped].
pub fn text(text: &str) -> Result<()> {
    if io::stdout().is_terminal() { print(&escaped(text)) } else { print(text) }
}

fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(Error::io("writing", STANDARD_OUTPUT))
}

/// Returns a text in which nothing moves the cursor, sets colours or turns the direction of reading
/// but ends of lines and tabs: names in records and manifests are whatever others have written. What
/// would is written as JSON has it, `\u001b`, so that JSON stays what it is.
fn escaped(text: &str) -> Cow<'_, str> {
    let turns = |c: char| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let acts = |c: char| c.is_control() && c != '\n' && c != '\t' || turns(c);
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| if acts(c) { format!("\\u{:04x}", c as u32) } else { c.to_string() };
    Cow::Owned(text.chars().map(shown).collect())
}

/// Prints a JSON document on standard output.
pub fn document(document: &impl Serialize) -> Result<()> {
    text(&line(document))
}

/// Prints a result: one JSON document, or a text for people, which fits a terminal if that shows it.
pub fn result<D: Serialize>(
    json: bool,
    document: &D,
    page: impl FnOnce(&D) -> String,
) -> Result<()> {
    print(&rendered(json, document, |document| escaped_for_terminals(page(document))))
}

/// Prints a result as [`result`] does, with a page of our own words and numbers, and colours.
pub fn styled_result<D: Serialize>(
    json: bool,
    document: &D,
    page: impl FnOnce(&D) -> String,
) -> Result<()> {
    print(&rendered(json, document, page))
}

fn escaped_for_terminals(text: String) -> String {
    if io::stdout().is_terminal() { escaped(&text).into_owned() } else { text }
}

/// Prints a result that took long. Where standard output takes nothing any more, as on a full disk,
/// it goes to standard error, which is an error all the same.
pub fn dear_result<D: Serialize>(
    json: bool,
    document: &D,
    page: impl FnOnce(&D) -> String,
) -> Result<()> {
    let rendered = rendered(json, document, |document| escaped_for_terminals(page(document)));
    print(&rendered).inspect_err(|error| {
        if !has_no_reader(error) {
            note(rendered.trim_end());
        }
    })
}

fn rendered<D: Serialize>(json: bool, document: &D, page: impl FnOnce(&D) -> String) -> String {
    match json {
        true => escaped_for_terminals(line(document)),
        // Programs read whole sentences.
        false if io::stdout().is_terminal() => wrapped(&page(document)),
        false => page(document),
    }
}

/// Returns who speaks on standard error.
pub fn who() -> String {
    painted(&io::stderr(), RED, "oware:")
}

const RED: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);

/// Returns text in bold where standard output shows that: on a terminal, unless `NO_COLOR` is set.
pub fn strong(text: &str) -> String {
    painted(&io::stdout(), Style::new().bold(), text)
}

/// Returns text in a colour where standard output shows that.
pub fn coloured(colour: AnsiColor, text: &str) -> String {
    painted(&io::stdout(), colour.on_default(), text)
}

fn painted(stream: &impl RawStream, style: Style, text: &str) -> String {
    match AutoStream::choice(stream) {
        ColorChoice::Never => text.to_owned(),
        _ => format!("{style}{text}{style:#}"),
    }
}

/// Prints a note on standard error, on a terminal [escaped] but for who speaks. If that fails there is
/// nowhere to report it.
pub fn note(text: &str) {
    let who = who();
    let (speaker, said) = text.strip_prefix(&who).map_or(("", text), |said| (&who[..], said));
    let _ = match io::stderr().is_terminal() {
        true => writeln!(io::stderr(), "{}", wrapped(&format!("{speaker}{}", escaped(said)))),
        false => writeln!(io::stderr(), "{text}"),
    };
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
pub fn count_seeds(seeds: usize) -> String {
    count(seeds as u64, "seed")
}

/// `1 file`, `2 files`: a number of what `noun` is one of.
pub fn count(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// `the mover gets 3 seeds more than the opponent`.
pub fn ahead(score: i8) -> String {
    let seeds = count_seeds(score.unsigned_abs().into());
    match score {
        0 => "both get the same number of seeds".to_owned(),
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

/// Columns of the terminals that all output fits.
pub const WIDTH: usize = 80;

/// A table: its head, then its rows, each cell at the right of its column. Columns with nothing below
/// their heads are left out. A table that is too wide is cut into several, which all begin with the
/// first column.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let longest = rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
        (longest > 0).then(|| longest.max(head[column].len()) + 2)
    };
    let mut columns = (0..head.len()).filter_map(|column| Some((column, width(column)?)));
    let Some(first) = columns.next() else { return String::new() };
    let mut parts = vec![vec![first]];
    for column in columns {
        let part = parts.last().expect("one at least");
        let used: usize = part.iter().map(|(_, width)| width).sum();
        match used + column.1 <= WIDTH {
            true => parts.last_mut().expect("one at least").push(column),
            false => parts.push(vec![first, column]),
        }
    }
    let lines = |part: &Vec<(usize, usize)>| {
        let line = |cell: &dyn Fn(usize) -> String| {
            let cells = part.iter().map(|&(column, width)| format!("{:>width$}", cell(column)));
            cells.collect::<String>() + "\n"
        };
        let rows = rows.iter().map(|row| line(&|column| row[column].clone()));
        line(&|column| head[column].to_owned()) + &rows.collect::<String>()
    };
    parts.iter().map(lines).collect::<Vec<_>>().join("\n")
}

/// Cuts lines that are too wide at spaces. What follows is indented as its line was.
pub fn wrapped(text: &str) -> String {
    text.split_inclusive('\n').map(wrapped_line).collect()
}

fn wrapped_line(line: &str) -> String {
    let indent = &line[..line.len() - line.trim_start_matches(' ').len()];
    let (mut text, mut at) = (String::new(), 0);
    for word in line.split_inclusive(' ') {
        let shown = columns(word.trim_end());
        if at + shown > WIDTH && at > indent.len() {
            text.truncate(text.trim_end().len());
            text.push('\n');
            text.push_str(indent);
            at = indent.len();
        }
        text.push_str(word);
        at += columns(word.trim_end_matches('\n'));
    }
    text
}

/// Returns the columns that a text takes, without what sets colours.
fn columns(text: &str) -> usize {
    let mut parts = text.split('\u{1b}');
    let plain = parts.next().map_or(0, |part| part.chars().count());
    let after = |part: &str| part.split_once('m').map_or(0, |(_, rest)| rest.chars().count());
    plain + parts.map(after).sum::<usize>()
}

/// `7`, or `3..7` where the bounds differ.
pub fn span<T: Display + PartialEq>(low: T, high: T) -> String {
    if low == high { low.to_string() } else { format!("{low}..{high}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_acts_on_a_terminal() {
        for (name, shown) in [
            ("Ayo", "Ayo"),
            ("two\tlines\n", "two\tlines\n"),
            ("\u{1b}]0;title\u{7}", "\\u001b]0;title\\u0007"),
            ("\u{1b}[31mred", "\\u001b[31mred"),
            ("back\u{8}\rhome\u{7f}", "back\\u0008\\u000dhome\\u007f"),
            ("\u{9b}2J", "\\u009b2J"),
            ("a\u{202e}b\u{2066}c", "a\\u202eb\\u2066c"),
            ("Kwame Nkrumah – \u{5d0}é", "Kwame Nkrumah – \u{5d0}é"),
        ] {
            assert_eq!(escaped(name), shown);
            let json = escaped(&line(&name)).into_owned();
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), name);
        }
    }

    #[test]
    fn whatever_is_shown_fits_a_terminal() {
        let head = ["seeds", "positions", "wins", "none", "sum of scores", "file"];
        let row = |seeds: u64| {
            let number = 10u64.pow(19) * seeds;
            let [low, high] = [format!("{number}"), format!("-{number}..{number}")];
            vec![seeds.to_string(), low.clone(), low, String::new(), high, "61.3 GB".to_owned()]
        };
        let table = table(&head, &[row(0), row(1)]);
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines.iter().all(|line| line.len() <= WIDTH && !line.contains("none")), "{table}");
        let of_part = |part: &[&str]| part.iter().all(|line| line.len() == part[0].len());
        assert!(lines.split(|line| line.is_empty()).all(of_part), "{table}");
        assert_eq!(lines.iter().filter(|line| line.starts_with("  seeds")).count(), 2, "{table}");

        let sentence = "a red word, ".repeat(30);
        let red = format!("  {}\n\n  next\n", sentence.replace("red", "\u{1b}[31mred\u{1b}[0m"));
        let shown = wrapped(&red);
        assert_eq!(shown.replace("\n  ", " ").matches("word, a").count(), 29, "{shown}");
        let widths: Vec<usize> = shown.lines().map(columns).collect();
        assert!(widths[0] > WIDTH - 8 && widths.iter().all(|&width| width <= WIDTH), "{shown}");
        assert!(shown.ends_with("\n\n  next\n"), "{shown}");
        let fits = format!("{}\n", "x".repeat(WIDTH));
        assert_eq!(wrapped(&fits), fits);
    }
}
