//! Our engine as it answers commands.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::Path;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::book::book_move;
use crate::engine::level::Level;
use crate::engine::protocol::{Best, Command, Go, Info, OptionKind, Reply, Setup};
use crate::engine::search::{
    Endgames, Engine, Network, SearchLimits, SearchResult, TranspositionTable,
};
use crate::error::{Error, Result};
use crate::game::{Game, House, Ply, Position, Rules, SHEETS, Seeds, legal_moves};
use crate::json::words::with_command;
use crate::probe::{Prober, Tables};
use crate::random::Dice;

use super::listening::{Flags, Input, say};
use crate::cli::elsewhere;

/// Our engine, its options and the game that it is asked about.
pub struct Player {
    rules: &'static Rules,
    tables: Option<Tables>,
    transpositions: TranspositionTable,
    network: Result<Arc<Network>>,
    pub threads: usize,
    lines: usize,
    pub level: Level,
    dice: Dice,
    own_book: bool,
    setup: Setup,
    game: Game,
    /// Whether the last position that was sent could not be read or reached.
    is_lost: bool,
}

/// Megabytes of the transposition table by default.
const HASH: i64 = 64;
const MOST_HASH: i64 = 1 << 16;
pub const MOST_THREADS: i64 = 64;
/// A position has this many moves at most.
const MOST_LINES: i64 = 6;

impl Player {
    pub fn new(
        rules: &'static Rules,
        tables: &Path,
        network: Result<Arc<Network>>,
    ) -> Result<Player> {
        let start = Position::INITIAL;
        Ok(Player {
            rules,
            tables: open(tables)?,
            transpositions: TranspositionTable::new(HASH as usize)?,
            network,
            threads: 1,
            lines: 1,
            level: Level::BEST,
            dice: Dice::new(anything()),
            own_book: true,
            setup: Setup::at(start),
            game: Game::new(rules, start),
            is_lost: false,
        })
    }

    /// Does what it is asked to do. A command that fails gets a remark, and changes nothing, except
    /// that after a position that cannot be read no move is named until another one comes, and that
    /// a table of hashes for which there is no memory leaves one of 1 MB.
    pub fn obey(&mut self, inputs: &Receiver<Input>) -> Result<()> {
        for input in inputs {
            let done = match input {
                Input::Command(Command::Quit) => return Ok(()),
                Input::Command(command) => self.act(&command),
                Input::Go(go, flags) => {
                    self.think(&go, &flags)?;
                    continue;
                }
                Input::Garbled(error, Some("go")) => {
                    Ok(vec![remark(with_command(&error)), Reply::BestMove(Best::default())])
                }
                Input::Garbled(error, keyword) => {
                    self.is_lost |= keyword == Some("position");
                    Err(error)
                }
            };
            for reply in done.unwrap_or_else(|error| vec![remark(with_command(&error))]) {
                say(&reply)?;
            }
        }
        Ok(())
    }

    /// Obeys a command that asks for no search, and returns what to reply.
    fn act(&mut self, command: &Command) -> Result<Vec<Reply>> {
        match command {
            Command::Uci => return Ok(self.introduction()),
            Command::IsReady => return Ok(vec![Reply::ReadyOk]),
            Command::NewGame => self.transpositions.clear(),
            Command::SetOption { name, value } => {
                return self.set(name, value.as_deref().unwrap_or_default());
            }
            Command::Position(setup) => {
                let placed = self.place(setup.clone());
                self.is_lost = placed.is_err();
                placed?;
            }
            Command::Go(_) | Command::Stop | Command::PonderHit | Command::Quit => {}
        }
        Ok(Vec::new())
    }

    fn introduction(&self) -> Vec<Reply> {
        let tables =
            self.tables.as_ref().map_or(String::new(), |tables| tables.dir().display().to_string());
        let rules = SHEETS.map(|rules| rules.id.to_owned()).to_vec();
        let spin = |default, max| OptionKind::Spin { default, min: 1, max };
        let option = |name: &str, kind| Reply::Option { name: name.to_owned(), kind };
        let mut replies = vec![
            Reply::Name(format!("oware-db {}", env!("CARGO_PKG_VERSION"))),
            Reply::Author("the authors of oware-db".to_owned()),
            option("TablesPath", OptionKind::Text { default: tables }),
            option("Hash", spin(HASH, MOST_HASH)),
            option("Threads", spin(self.threads as i64, MOST_THREADS)),
            option("Level", spin(self.level.number().into(), Level::BEST.number().into())),
            option("MultiPV", spin(1, MOST_LINES)),
            option("Ponder", OptionKind::Check { default: false }),
            option("OwnBook", OptionKind::Check { default: true }),
            option(
                "Rules",
                OptionKind::Combo { default: self.rules.id.to_owned(), choices: rules },
            ),
        ];
        replies.extend(self.lack().into_iter().chain(self.flaw()).map(remark));
        replies.push(Reply::UciOk);
        replies
    }

    /// Sets an option, and returns what to reply.
    fn set(&mut self, name: &str, value: &str) -> Result<Vec<Reply>> {
        match name.to_ascii_lowercase().as_str() {
            "tablespath" => {
                self.tables = open(Path::new(if value == "<empty>" { "" } else { value }))?;
                // What was found without them is worth less.
                self.transpositions.clear();
                return Ok(vec![remark(self.lack().unwrap_or_else(|| self.range()))]);
            }
            "hash" => {
                let megabytes = number(name, value, MOST_HASH)?;
                // The old one is given back before the new one takes memory.
                self.transpositions = TranspositionTable::new(1)?;
                self.transpositions = TranspositionTable::new(megabytes)?;
            }
            "threads" => self.threads = number(name, value, MOST_THREADS)?,
            "level" => {
                let number = number(name, value, Level::BEST.number().into())?;
                self.level = Level::new(number as u8).unwrap_or(Level::BEST);
            }
            "multipv" => self.lines = number(name, value, MOST_LINES)?,
            // The driver of the engine sends `go ponder`; it need not know beforehand.
            "ponder" => drop(truth(name, value)?),
            "ownbook" => self.own_book = truth(name, value)?,
            "rules" => {
                let unknown = || Error::UnknownRules { id: value.to_owned(), known: Rules::ids() };
                self.rules = Rules::by_id(value).ok_or_else(unknown)?;
                self.transpositions.clear();
                let placed = self.place(self.setup.clone());
                self.is_lost |= placed.is_err();
                placed?;
                return Ok(vec![remark(self.range())]);
            }
            _ => return Err(Error::Usage(format!("there is no option `{name}`"))),
        }
        Ok(Vec::new())
    }

    /// Says that a directory is named where there are no tables.
    pub fn lack(&self) -> Option<String> {
        let tables = self.tables.as_ref()?;
        let has_some = Endgames::new(Some(tables), self.rules).range().is_some();
        let hint = || {
            let found = elsewhere::hint(tables.dir(), self.rules.id);
            found.map_or_else(String::new, |hint| format!("; {hint}"))
        };
        let dir = tables.dir().display();
        (!has_some).then(|| format!("{dir} has {}{}", self.range(), hint()))
    }

    /// Says that the evaluation's weights cannot be used.
    pub fn flaw(&self) -> Option<String> {
        self.network.as_ref().err().map(with_command)
    }

    /// Says in a sentence what the tables know.
    fn range(&self) -> String {
        match Endgames::new(self.tables.as_ref(), self.rules).range() {
            Some(seeds) => {
                let known = format!("tables of `{}` for 0 to {seeds} seeds", self.rules.id);
                let prober = self.tables.as_ref().map(|tables| Prober::new(tables, self.rules));
                match prober.and_then(|mut prober| prober.game().ok()?) {
                    Some(game) => format!("{known}, which decide games of {game} seeds"),
                    None => known,
                }
            }
            None => format!("no tables of `{}`: playing by search", self.rules.id),
        }
    }

    fn place(&mut self, setup: Setup) -> Result<()> {
        // If it says what has been captured, no seed is missing or too many.
        if let Some(total) = setup.start.misfit(Seeds::MAX) {
            return Err(Error::Usage(format!(
                "{total} seeds on the board and in the stores; the game has 48 (twelve numbers \
                 alone leave the stores open)"
            )));
        }
        self.game = setup.game(self.rules)?;
        self.setup = setup;
        Ok(())
    }

    /// Thinks, and says what to play.
    fn think(&mut self, go: &Go, flags: &Flags) -> Result<()> {
        let line = self.line(go, flags)?;
        flags.done.store(true, Ordering::Release);
        say(&Reply::BestMove(Best { ply: line.first().copied(), ponder: line.get(1).copied() }))
    }

    /// Returns what to play and what is expected after it, with a remark where no search says so;
    /// nothing where no move can be named.
    fn line(&mut self, go: &Go, flags: &Flags) -> Result<Vec<Ply>> {
        let excluded = match self.excluded(go) {
            Ok(excluded) => excluded,
            Err(error) => {
                say(&remark(with_command(&error)))?;
                return Ok(Vec::new());
            }
        };
        if let Some(ply) = self.by_the_book(go) {
            say(&remark(format!("{ply} by the opening book")))?;
            return Ok(vec![ply]);
        }
        let start = Instant::now();
        let mut found = None;
        if go.ponder {
            let endless = Go { infinite: true, depth: go.depth, ..Go::default() };
            found = self.search(&endless, &excluded, &flags.any, start)?;
            while !flags.any.load(Ordering::Acquire) {
                thread::sleep(Duration::from_millis(1));
            }
        }
        // What was found while the opponent thought is found again in the table of positions.
        if !go.ponder || flags.hit.load(Ordering::Acquire) && !flags.stop.load(Ordering::Acquire) {
            found = self.search(go, &excluded, &flags.stop, Instant::now())?.or(found);
        }
        while go.infinite && !flags.stop.load(Ordering::Acquire) {
            thread::sleep(Duration::from_millis(1));
        }
        if let Some(found) = &found {
            self.report(found, start)?;
        }
        if let Some(trouble) = found.as_ref().and_then(|found| found.trouble.clone()) {
            say(&remark(with_command(&trouble)))?;
        }
        Ok(found.map_or(Vec::new(), |found| found.line))
    }

    /// Returns the move of the opening book. A search without a time limit, with several lines, or
    /// that does not want an answer yet, wants a search; the lower levels do not know it.
    fn by_the_book(&self, go: &Go) -> Option<Ply> {
        let seat = self.game.seat();
        let is_timed = go.movetime.is_some() || go.clock.of(seat).is_some();
        let limited = go.nodes.is_some() || go.infinite || go.ponder || !go.searchmoves.is_empty();
        if !self.own_book || !is_timed || limited || self.lines > 1 || self.level < Level::BEST {
            return None;
        }
        let house = book_move(self.rules, self.game.position())?;
        Some(Ply { seat, house })
    }

    /// Returns the moves that are not to be searched, if it is known where.
    fn excluded(&self, go: &Go) -> Result<Vec<House>> {
        if self.is_lost {
            let what = "the last position was invalid; send another one";
            return Err(Error::Usage(what.to_owned()));
        }
        if go.searchmoves.is_empty() {
            return Ok(Vec::new());
        }
        let seat = self.game.seat();
        let is_legal = |ply: &Ply| ply.seat == seat && self.game.find(ply.house).is_some();
        if let Some(ply) = go.searchmoves.iter().find(|ply| !is_legal(ply)) {
            return Err(Error::Usage(format!("searchmoves: `{ply}` is not a legal move here")));
        }
        let is_asked = |house| go.searchmoves.contains(&Ply { seat, house });
        let legal = legal_moves(self.rules, self.game.board());
        Ok(legal.iter().map(|played| played.house).filter(|&house| !is_asked(house)).collect())
    }

    /// Searches all moves but some, and reports what is found on the way.
    fn search(
        &mut self,
        go: &Go,
        excluded: &[House],
        stop: &AtomicBool,
        start: Instant,
    ) -> Result<Option<SearchResult>> {
        let limits = SearchLimits::of(go, self.game.seat());
        let engine = Engine::new(self.tables.as_ref(), &self.transpositions, self.threads);
        let engine = engine.with_network(self.network.as_ref().ok().cloned());
        let engine = engine.with_lines(self.lines).without(excluded.to_vec());
        let mut said = Ok(());
        let mut report = |found: &SearchResult| {
            // The lower levels look at more moves than anybody asked for.
            if said.is_ok() && found.rank as usize <= self.lines {
                said = self.report(found, start);
                // Nobody reads what else is found.
                stop.fetch_or(said.is_err(), Ordering::Relaxed);
            }
        };
        let mut dice = self.dice.clone();
        let found = self.level.think(engine, &self.game, &limits, stop, &mut dice, &mut report);
        self.dice = dice;
        said.map(|()| found)
    }

    fn report(&self, found: &SearchResult, start: Instant) -> Result<()> {
        let multipv = (self.lines > 1).then_some(found.rank);
        say(&Reply::Info(Info { multipv, ..found.info(start.elapsed()) }))
    }
}

/// Opens the tables of a directory; no tables for no name.
fn open(dir: &Path) -> Result<Option<Tables>> {
    (dir != Path::new("")).then(|| Tables::open_early(dir)).transpose()
}

fn number(name: &str, value: &str, most: i64) -> Result<usize> {
    match value.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number as usize),
        _ => Err(Error::Usage(format!("{name} is a number from 1 to {most}"))),
    }
}

fn truth(name: &str, value: &str) -> Result<bool> {
    value.to_ascii_lowercase().parse().map_err(|_| {
        Error::Usage(format!("{name} is true or false, not `{}`", value.escape_debug()))
    })
}

/// Returns a number that is another one each time.
fn anything() -> u64 {
    RandomState::new().hash_one(process::id())
}

/// Returns a remark for people.
fn remark(text: impl Into<String>) -> Reply {
    Reply::Info(Info { string: Some(text.into()), ..Info::default() })
}
