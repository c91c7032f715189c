//! Replies of an engine.

use std::fmt;
use std::time::Duration;

use super::{shown, wrong};
use crate::error::Result;
use crate::game::Ply;

/// A reply of an engine: one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reply {
    /// Its name.
    Name(String),
    /// Its authors.
    Author(String),
    /// An option that can be set.
    Option {
        /// Its name, which may have spaces.
        name: String,
        /// The values that it takes.
        kind: OptionKind,
    },
    /// Name, author and options are complete.
    UciOk,
    /// All that was asked before has been done.
    ReadyOk,
    /// Progress of its thinking.
    Info(Info),
    /// The move that it plays.
    BestMove(Best),
}

/// The values that an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionKind {
    /// A number between two bounds.
    Spin {
        /// The value if none is set.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// Any text.
    Text {
        /// The value if none is set.
        default: String,
    },
    /// A choice among words.
    Combo {
        /// The value if none is set.
        default: String,
        /// The words.
        choices: Vec<String>,
    },
    /// Yes or no.
    Check {
        /// The value if none is set.
        default: bool,
    },
    /// Another type, which is not read further.
    Other(String),
}

/// What an engine reports while it thinks. Any of it may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Plies looked ahead.
    pub depth: Option<u32>,
    /// Plies of the longest line that was looked at.
    pub seldepth: Option<u32>,
    /// Which of the best moves this is about, from 1 on.
    pub multipv: Option<u32>,
    /// Hundredths of a seed that the mover will have more in the end than the opponent, seeds
    /// captured before included.
    pub score: Option<i32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Positions visited a second.
    pub nps: Option<u64>,
    /// Time it took.
    pub time: Option<Duration>,
    /// Positions found in tables.
    pub tbhits: Option<u64>,
    /// Thousandths of the hash table that are in use.
    pub hashfull: Option<u32>,
    /// The expected line of play.
    pub pv: Vec<Ply>,
    /// A remark for people, up to the end of the line.
    pub string: Option<String>,
}

/// The move that an engine plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Best {
    /// The move; `None` if there is none, written `0000` and also read as `(none)`.
    pub ply: Option<Ply>,
    /// The opponent's reply that it expects.
    pub ponder: Option<Ply>,
}

impl Reply {
    /// Reads a line; `None` if its first word is not the name of a reply.
    ///
    /// # Errors
    /// [`crate::error::Error::Usage`] if a `bestmove` cannot be read.
    pub fn parse(line: &str) -> Result<Option<Reply>> {
        let mut words = line.split_whitespace();
        Ok(match words.next() {
            Some("id") => identity(words.next(), &rest(words)),
            Some("option") => option(&words.collect::<Vec<_>>()),
            Some("uciok") => Some(Reply::UciOk),
            Some("readyok") => Some(Reply::ReadyOk),
            Some("info") => Some(Reply::Info(Info::parse(words))),
            Some("bestmove") => Some(Reply::BestMove(Best::parse(&words.collect::<Vec<_>>())?)),
            _ => None,
        })
    }
}

fn rest<'t>(words: impl Iterator<Item = &'t str>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

fn identity(what: Option<&str>, text: &str) -> Option<Reply> {
    match what {
        Some("name") => Some(Reply::Name(text.to_owned())),
        Some("author") => Some(Reply::Author(text.to_owned())),
        _ => None,
    }
}

/// Reads `name N type T [default D] [min A] [max B] [var V]...`.
fn option(words: &[&str]) -> Option<Reply> {
    let split = words.iter().position(|word| *word == "type")?;
    match words.split_at(split) {
        (["name", name @ ..], [_, kind, fields @ ..]) if !name.is_empty() => {
            Some(Reply::Option { name: name.join(" "), kind: kind_of(kind, fields) })
        }
        _ => None,
    }
}

/// What stands for an empty text, so that no field is without a word.
const EMPTY: &str = "<empty>";

fn kind_of(kind: &str, words: &[&str]) -> OptionKind {
    let fields = fields(words);
    let text = |name| fields.iter().find(|field| field.0 == name).map(|field| field.1.clone());
    let number = |name| text(name).and_then(|text| text.parse().ok());
    let default = || text("default").filter(|text| text != EMPTY).unwrap_or_default();
    match kind {
        "spin" => OptionKind::Spin {
            default: number("default").unwrap_or_default(),
            min: number("min").unwrap_or(i64::MIN),
            max: number("max").unwrap_or(i64::MAX),
        },
        "check" => OptionKind::Check { default: default() == "true" },
        "string" => OptionKind::Text { default: default() },
        "combo" => {
            let choices = fields.iter().filter(|(name, value)| *name == "var" && !value.is_empty());
            OptionKind::Combo {
                default: default(),
                choices: choices.map(|field| field.1.clone()).collect(),
            }
        }
        other => OptionKind::Other(other.to_owned()),
    }
}

/// Returns the names of fields, each with what follows it up to the next.
fn fields<'t>(words: &[&'t str]) -> Vec<(&'t str, String)> {
    let begins = |word: &str| matches!(word, "default" | "min" | "max" | "var");
    let fields = words.chunk_by(|_, next| !begins(next)).filter_map(|field| field.split_first());
    fields.map(|(name, value)| (*name, value.join(" "))).collect()
}

impl Info {
    fn parse<'t>(mut words: impl Iterator<Item = &'t str> + Clone) -> Info {
        let mut info = Info::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(&mut words),
                "seldepth" => info.seldepth = number(&mut words),
                "multipv" => info.multipv = number(&mut words),
                "nps" => info.nps = number(&mut words),
                "hashfull" => info.hashfull = number(&mut words),
                "cp" => info.score = number(&mut words),
                "nodes" => info.nodes = number(&mut words),
                "tbhits" => info.tbhits = number(&mut words),
                "time" => info.time = number(&mut words).map(Duration::from_millis),
                "pv" => info.pv = plies(&mut words),
                "string" => info.string = Some(rest(&mut words)),
                _ => {}
            }
        }
        info
    }
}

/// Reads the next word if it is a number.
fn number<'t, T: std::str::FromStr>(
    words: &mut (impl Iterator<Item = &'t str> + Clone),
) -> Option<T> {
    let value = words.clone().next()?.parse().ok()?;
    words.next();
    Some(value)
}

/// Reads the moves that come next: words that consist of their letters alone.
fn plies<'t>(words: &mut (impl Iterator<Item = &'t str> + Clone)) -> Vec<Ply> {
    let mut found = Vec::new();
    let read = |word: &str| word.chars().map(Ply::from_letter).collect::<Option<Vec<_>>>();
    while let Some(plies) = words.clone().next().and_then(read) {
        found.extend(plies);
        words.next();
    }
    found
}

impl Best {
    fn parse(words: &[&str]) -> Result<Best> {
        let [word, rest @ ..] = words else { return Err(wrong("bestmove without a move")) };
        let ply = single(word);
        if ply.is_none() && !["0000", "(none)"].contains(word) {
            return Err(wrong(format!("bestmove `{}`", shown(word))));
        }
        let ponder = if let ["ponder", word, ..] = rest { single(word) } else { None };
        Ok(Best { ply, ponder })
    }
}

fn single(word: &str) -> Option<Ply> {
    let mut letters = word.chars();
    let (letter, None) = (letters.next()?, letters.next()) else { return None };
    Ply::from_letter(letter)
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Name(name) => write!(f, "id name {name}"),
            Reply::Author(author) => write!(f, "id author {author}"),
            Reply::Option { name, kind } => write!(f, "option name {name} type {kind}"),
            Reply::UciOk => f.write_str("uciok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => write!(f, "info{info}"),
            Reply::BestMove(best) => write!(f, "bestmove {best}"),
        }
    }
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Text { default } if default.is_empty() => {
                write!(f, "string default {EMPTY}")
            }
            OptionKind::Text { default } => write!(f, "string default {default}"),
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Other(kind) => f.write_str(kind),
        }
    }
}

impl fmt::Display for Info {
    /// Writes each field with a space before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        field(f, "depth", self.depth)?;
        field(f, "seldepth", self.seldepth)?;
        field(f, "multipv", self.multipv)?;
        field(f, "score cp", self.score)?;
        field(f, "nodes", self.nodes)?;
        field(f, "nps", self.nps)?;
        field(f, "time", self.time.map(|time| time.as_millis()))?;
        field(f, "tbhits", self.tbhits)?;
        field(f, "hashfull", self.hashfull)?;
        field(f, "pv", one_word(&self.pv))?;
        field(f, "string", self.string.as_ref())
    }
}

/// Writes a field if it is known.
pub(super) fn field(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    value.iter().try_for_each(|value| write!(f, " {name} {value}"))
}

/// Returns moves as one word, as the protocol's other programs read them; `None` if there are none.
pub(super) fn one_word(plies: &[Ply]) -> Option<String> {
    (!plies.is_empty()).then(|| plies.iter().map(Ply::to_string).collect())
}

impl fmt::Display for Best {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ply {
            Some(ply) => write!(f, "{ply}")?,
            None => f.write_str("0000")?,
        }
        self.ponder.iter().try_for_each(|ply| write!(f, " ponder {ply}"))
    }
}
