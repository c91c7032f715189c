//! Commands to an engine.

use std::fmt;
use std::num::IntErrorKind;
use std::time::Duration;

use super::reply::{field, one_word};
use super::{shown, wrong};
use crate::error::Result;
use crate::game::{Game, Ply, Position, Rules, Seat, notation};
use crate::lines::unmarked;

/// A command to an engine: one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Asks for name, author and options, then `uciok`.
    Uci,
    /// Asks for `readyok` when all that came before has been done.
    IsReady,
    /// Announces another game.
    NewGame,
    /// Sets an option.
    SetOption {
        /// Its name, which may have spaces.
        name: String,
        /// The value to set it to; `None` for a button.
        value: Option<String>,
    },
    /// Gives the position to think about.
    Position(Setup),
    /// Asks to think, and to send `bestmove`.
    Go(Go),
    /// Asks to stop thinking, and to send `bestmove`.
    Stop,
    /// Says that the opponent has made the move that was thought about: from now on the clock runs.
    PonderHit,
    /// Asks to end.
    Quit,
}

/// A position as it is sent: where the game started, and the moves since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Where the game started. Stores that are not known count as empty.
    pub start: Position,
    /// The moves since, which need not be legal.
    pub moves: Vec<Ply>,
}

/// How long to think. Without any limit, the engine may choose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Whether to think until `stop` comes.
    pub infinite: bool,
    /// Whether to think until `stop` or `ponderhit` comes, and then within the other limits.
    pub ponder: bool,
    /// What the players' clocks show.
    pub clock: Clock,
    /// The moves to choose among; all if there are none.
    pub searchmoves: Vec<Ply>,
}

/// The clocks of a game. South's is `wtime`, North's `btime`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What South has left.
    pub south: Option<Duration>,
    /// What North has left.
    pub north: Option<Duration>,
    /// What South gets for each move.
    pub south_increment: Option<Duration>,
    /// What North gets for each move.
    pub north_increment: Option<Duration>,
    /// Moves up to the next time that clocks are set.
    pub moves: Option<u32>,
}

impl Clock {
    /// Returns what a player has left, and gets for each move; `None` if the clock is not known.
    pub fn of(&self, seat: Seat) -> Option<(Duration, Duration)> {
        let (left, increment) = match seat {
            Seat::South => (self.south, self.south_increment),
            Seat::North => (self.north, self.north_increment),
        };
        Some((left?, increment.unwrap_or_default()))
    }
}

/// The words that begin a command.
const KEYWORDS: [&str; 9] =
    ["uci", "isready", "ucinewgame", "setoption", "position", "go", "stop", "ponderhit", "quit"];

impl Command {
    /// Returns the word of a line that says which command it is, whether or not the rest can be
    /// read.
    pub fn keyword(line: &str) -> Option<&'static str> {
        let known = |word: &str| KEYWORDS.into_iter().find(|keyword| *keyword == word);
        line.split_whitespace().find_map(known)
    }

    /// Reads a line; `None` if no word of it is a command.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::error::Error::Usage) or
    /// [`Error::Notation`](crate::error::Error::Notation) if a command cannot be
    /// read.
    pub fn parse(line: &str) -> Result<Option<Command>> {
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            let rest: Vec<&str> = words.clone().collect();
            return Ok(Some(match word {
                "uci" => Command::Uci,
                "isready" => Command::IsReady,
                "ucinewgame" => Command::NewGame,
                "setoption" => option(line)?,
                "position" => Command::Position(Setup::parse(&rest)?),
                "go" => Command::Go(Go::parse(&rest)?),
                "stop" => Command::Stop,
                "ponderhit" => Command::PonderHit,
                "quit" => Command::Quit,
                _ => continue,
            }));
        }
        Ok(None)
    }
}

/// Reads `... setoption name N value V`. White space inside the value stays as it is, so that
/// values may be paths.
fn option(line: &str) -> Result<Command> {
    let unnamed = || wrong("setoption without a name; write `setoption name N value V`");
    let (_, rest) = around(line, "setoption").ok_or_else(unnamed)?;
    let (_, named) = around(rest, "name").ok_or_else(unnamed)?;
    let (name, value) = match around(named, "value") {
        Some((name, value)) => (name, Some(value.trim().to_owned())),
        None => (named, None),
    };
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() { Err(unnamed()) } else { Ok(Command::SetOption { name, value }) }
}

/// Returns what stands before and after the first `word` of a text.
fn around<'t>(text: &'t str, word: &str) -> Option<(&'t str, &'t str)> {
    let found = text.split_whitespace().find(|found| *found == word)?;
    let at = found.as_ptr() as usize - text.as_ptr() as usize;
    Some((&text[..at], &text[at + word.len()..]))
}

impl Setup {
    /// Makes a position without moves.
    pub fn at(start: Position) -> Setup {
        Setup { start, moves: Vec::new() }
    }

    /// Returns the game after the moves.
    ///
    /// # Errors
    /// [`crate::error::Error::IllegalMove`] if a move is not legal.
    pub fn game(&self, rules: &'static Rules) -> Result<Game> {
        let mut game = Game::new(rules, self.start);
        self.moves.iter().try_for_each(|&ply| game.play(ply).map(drop))?;
        Ok(game)
    }

    /// Returns the position after the moves; its stores are known if those of the start are.
    ///
    /// # Errors
    /// As [`Setup::game`].
    pub fn position(&self, rules: &'static Rules) -> Result<Position> {
        let position = *self.game(rules)?.position();
        Ok(Position { stores: self.start.stores.and(position.stores), ..position })
    }

    fn parse(words: &[&str]) -> Result<Setup> {
        let is_moves = |word: &&str| word.eq_ignore_ascii_case("moves");
        let split = words.iter().position(is_moves).unwrap_or(words.len());
        let (place, moves) = words.split_at(split);
        let start = match place.iter().position(|word| matches!(*word, "startpos" | "fen")) {
            Some(at) if place[at] == "startpos" => Position::INITIAL,
            Some(at) => place[at + 1..].join(" ").parse::<Position>()?,
            None => return Err(wrong("position without startpos or fen")),
        };
        let text = moves.iter().skip(1).copied().collect::<Vec<_>>().join(" ");
        let moves = notation::read(&text, start.seat)
            .map_err(|word| wrong(format!("`{}` is not a move", shown(word))))?;
        Ok(Setup { start, moves: moves.iter().map(|written| written.ply).collect() })
    }
}

impl Go {
    fn parse(words: &[&str]) -> Result<Go> {
        let mut go = Go::default();
        let mut words = words.iter().peekable();
        while let Some(&word) = words.next() {
            match word {
                "searchmoves" => {
                    while let Some(moves) = words.peek().and_then(|word| notation::read_word(word))
                    {
                        go.searchmoves.extend(moves.into_iter().map(|written| written.ply));
                        words.next();
                    }
                    if go.searchmoves.is_empty() {
                        return Err(wrong("go searchmoves needs moves, as in `searchmoves A C`"));
                    }
                }
                "depth" => {
                    go.depth = Some(number(word, words.next())?.try_into().unwrap_or(u32::MAX))
                }
                "movetime" => {
                    go.movetime = Some(Duration::from_millis(number(word, words.next())?))
                }
                "nodes" => go.nodes = Some(number(word, words.next())?),
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "wtime" => go.clock.south = Some(time(word, words.next())?),
                "btime" => go.clock.north = Some(time(word, words.next())?),
                "winc" => go.clock.south_increment = Some(time(word, words.next())?),
                "binc" => go.clock.north_increment = Some(time(word, words.next())?),
                "movestogo" => {
                    let moves = number(word, words.next())?;
                    go.clock.moves = Some(moves.try_into().unwrap_or(u32::MAX));
                }
                _ => {}
            }
        }
        Ok(go)
    }
}

fn number(word: &str, value: Option<&&str>) -> Result<u64> {
    let value = value.copied().unwrap_or_default();
    let not_one = |_| wrong(format!("go {word} needs a number, not `{}`", shown(value)));
    match value.parse::<u64>() {
        // As much as there can be.
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Ok(u64::MAX),
        parsed => parsed.map_err(not_one),
    }
}

/// Reads what a clock shows. One that has run out may show less than nothing.
fn time(word: &str, value: Option<&&str>) -> Result<Duration> {
    match value.and_then(|value| value.parse::<i64>().ok()) {
        Some(run_out) if run_out < 0 => Ok(Duration::ZERO),
        _ => number(word, value).map(Duration::from_millis),
    }
}

impl std::str::FromStr for Setup {
    type Err = crate::error::Error;

    /// Reads what follows `position`, with or without `fen`: a position in any form and, after
    /// `moves`, moves in any notation.
    fn from_str(text: &str) -> Result<Setup> {
        let text = unmarked(text.trim_start());
        let mut words: Vec<&str> = text.split_whitespace().collect();
        if words.first() == Some(&"position") {
            words.remove(0);
        }
        if !matches!(words.first(), Some(&("startpos" | "fen"))) {
            words.insert(0, "fen");
        }
        Setup::parse(&words)
    }
}

impl std::str::FromStr for Go {
    type Err = crate::error::Error;

    /// Reads what follows `go`, as in `depth 8`.
    fn from_str(text: &str) -> Result<Go> {
        let go = Go::parse(&text.split_whitespace().collect::<Vec<_>>())?;
        if go == Go::default() {
            return Err(wrong("say how long to think: `depth N`, `movetime MS` or `nodes N`"));
        }
        Ok(go)
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::IsReady => f.write_str("isready"),
            Command::NewGame => f.write_str("ucinewgame"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Command::Position(setup) => write!(f, "position {setup}"),
            Command::Go(go) => write!(f, "go{go}"),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.start == Position::INITIAL {
            f.write_str("startpos")?;
        } else if self.start.stores.is_none() {
            write!(f, "fen {}", self.start.board)?;
        } else {
            write!(f, "fen {}", self.start)?;
        }
        field(f, "moves", one_word(&self.moves))
    }
}

impl fmt::Display for Go {
    /// Writes each limit with a space before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        field(f, "depth", self.depth)?;
        field(f, "movetime", milliseconds(self.movetime))?;
        field(f, "nodes", self.nodes)?;
        f.write_str(if self.infinite { " infinite" } else { "" })?;
        f.write_str(if self.ponder { " ponder" } else { "" })?;
        self.clock.fmt(f)?;
        field(f, "searchmoves", one_word(&self.searchmoves))
    }
}

impl fmt::Display for Clock {
    /// Writes what is known, each with a space before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        field(f, "wtime", milliseconds(self.south))?;
        field(f, "btime", milliseconds(self.north))?;
        field(f, "winc", milliseconds(self.south_increment))?;
        field(f, "binc", milliseconds(self.north_increment))?;
        field(f, "movestogo", self.moves)
    }
}

fn milliseconds(time: Option<Duration>) -> Option<u128> {
    time.map(|time| time.as_millis())
}
