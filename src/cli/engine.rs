//! `oware engine`: our engine, for any program that speaks the engine protocol.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use oware_db::engine::protocol::{Best, Command, Go, Info, OptionKind, Reply, Setup};
use oware_db::engine::search::{Endgames, Engine, SearchLimits, SearchResult, TranspositionTable};
use oware_db::error::{Error, Result};
use oware_db::game::{Game, Position, Rules, SHEETS};
use oware_db::json::words::with_command;
use oware_db::lines::BoundedLines;
use oware_db::probe::Tables;

use super::options::{DEFAULT_TABLES, RulesArg, open_tables};

/// Play, for any program that speaks the engine protocol
///
/// Reads commands on standard input and replies on standard output. Within the range of the tables
/// it plays their strategy and collects what they promise; above it, or without tables, it
/// searches. Options that can be set over the protocol: TablesPath, Hash (MB), Threads, Rules.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  printf 'position startpos\\ngo depth 10\\n' | oware engine\n  \
                        oware engine --tables /data/tables --rules awari"
)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArg,
    /// Directory of the tables
    #[arg(long, value_name = "DIR", default_value = DEFAULT_TABLES)]
    tables: PathBuf,
    /// Play without tables
    #[arg(long, conflicts_with = "tables")]
    no_tables: bool,
}

impl Args {
    /// Speaks the protocol until `quit` comes or the input ends.
    pub fn run(self) -> Result<ExitCode> {
        let tables = if self.no_tables { PathBuf::new() } else { self.tables };
        let mut player = Player::new(self.rules.rules, &tables)?;
        let (sender, inputs) = channel();
        thread::spawn(move || listen(&sender));
        player.obey(&inputs)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A line that has been read.
enum Input {
    Command(Command),
    /// A search, with the flag that stops it.
    Go(Go, Arc<AtomicBool>),
    /// A line that cannot be read.
    Garbled(Error),
}

/// How long searches go on after the input has ended: someone may have sent all commands at once
/// and be waiting for the answers.
const GRACE: Duration = Duration::from_secs(2);

/// Reads commands, and stops searches as soon as that is asked for, whatever else waits.
fn listen(sender: &Sender<Input>) {
    let mut lines = BoundedLines::new(io::stdin().lock());
    let mut searches = Searches::default();
    while let Ok(Some((line, _))) = lines.next_line() {
        let input = match Command::parse(&line) {
            Ok(None) => continue,
            Ok(Some(Command::Go(go))) => Input::Go(go, searches.add()),
            Ok(Some(command)) => {
                if matches!(command, Command::Stop | Command::Quit) {
                    searches.stop();
                }
                Input::Command(command)
            }
            Err(error) => Input::Garbled(error),
        };
        let ends = matches!(input, Input::Command(Command::Quit));
        if sender.send(input).is_err() || ends {
            return;
        }
    }
    let _ = sender.send(Input::Command(Command::Quit));
    thread::sleep(GRACE);
    searches.stop();
}

/// The flags that stop searches.
#[derive(Default)]
struct Searches(Vec<Arc<AtomicBool>>);

impl Searches {
    /// Adds a search and returns its flag. Searches that have ended are forgotten.
    fn add(&mut self) -> Arc<AtomicBool> {
        self.0.retain(|search| Arc::strong_count(search) > 1);
        let search = Arc::<AtomicBool>::default();
        self.0.push(search.clone());
        search
    }

    /// Stops all searches.
    fn stop(&mut self) {
        for search in self.0.drain(..) {
            search.store(true, Ordering::Relaxed);
        }
    }
}

/// Sends a reply. If nobody listens any more there is nothing left to do.
fn say(reply: &Reply) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{reply}")
        .and_then(|()| out.flush())
        .map_err(Error::io("writing", "standard output"))
}

/// Returns a remark for people.
fn remark(text: impl Into<String>) -> Reply {
    Reply::Info(Info { string: Some(text.into()), ..Info::default() })
}

/// Our engine, its options and the game that it is asked about.
struct Player {
    rules: &'static Rules,
    tables: Option<Tables>,
    transpositions: TranspositionTable,
    threads: usize,
    setup: Setup,
    game: Game,
}

/// Megabytes of the transposition table by default.
const HASH: i64 = 16;
const MOST_HASH: i64 = 1 << 16;
const MOST_THREADS: i64 = 64;

impl Player {
    fn new(rules: &'static Rules, tables: &Path) -> Result<Player> {
        let start = Position::INITIAL;
        Ok(Player {
            rules,
            tables: open(tables)?,
            transpositions: TranspositionTable::new(HASH as usize)?,
            threads: 1,
            setup: Setup::at(start),
            game: Game::new(rules, start),
        })
    }

    /// Does what it is asked to do. A command that fails gets a remark, and changes nothing.
    fn obey(&mut self, inputs: &Receiver<Input>) -> Result<()> {
        for input in inputs {
            let done = match input {
                Input::Command(Command::Quit) => return Ok(()),
                Input::Command(command) => self.act(&command),
                Input::Go(go, stop) => {
                    self.think(&go, &stop)?;
                    continue;
                }
                Input::Garbled(error) => Err(error),
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
            Command::Position(setup) => self.place(setup.clone())?,
            Command::Go(_) | Command::Stop | Command::Quit => {}
        }
        Ok(Vec::new())
    }

    fn introduction(&self) -> Vec<Reply> {
        let tables =
            self.tables.as_ref().map_or(String::new(), |tables| tables.dir().display().to_string());
        let rules = SHEETS.map(|rules| rules.id.to_owned()).to_vec();
        let spin = |default, max| OptionKind::Spin { default, min: 1, max };
        let option = |name: &str, kind| Reply::Option { name: name.to_owned(), kind };
        vec![
            Reply::Name(format!("oware-db {}", env!("CARGO_PKG_VERSION"))),
            Reply::Author("the authors of oware-db".to_owned()),
            option("TablesPath", OptionKind::Text { default: tables }),
            option("Hash", spin(HASH, MOST_HASH)),
            option("Threads", spin(1, MOST_THREADS)),
            option(
                "Rules",
                OptionKind::Combo { default: self.rules.id.to_owned(), choices: rules },
            ),
            Reply::UciOk,
        ]
    }

    /// Sets an option, and returns what to reply.
    fn set(&mut self, name: &str, value: &str) -> Result<Vec<Reply>> {
        match name.to_ascii_lowercase().as_str() {
            "tablespath" => {
                self.tables = open(Path::new(value))?;
                return Ok(vec![remark(self.range())]);
            }
            "hash" => {
                self.transpositions = TranspositionTable::new(number(name, value, MOST_HASH)?)?;
            }
            "threads" => self.threads = number(name, value, MOST_THREADS)?,
            "rules" => {
                let unknown = || Error::UnknownRules { id: value.to_owned(), known: Rules::ids() };
                self.rules = Rules::by_id(value).ok_or_else(unknown)?;
                self.transpositions.clear();
                self.place(self.setup.clone())?;
                return Ok(vec![remark(self.range())]);
            }
            _ => return Err(Error::Usage(format!("there is no option `{name}`"))),
        }
        Ok(Vec::new())
    }

    /// Says in a sentence what the tables know.
    fn range(&self) -> String {
        match Endgames::new(self.tables.as_ref(), self.rules).range() {
            Some(seeds) => format!("tables of `{}` for 0 to {seeds} seeds", self.rules.id),
            None => format!("no tables of `{}`: search alone", self.rules.id),
        }
    }

    fn place(&mut self, setup: Setup) -> Result<()> {
        self.game = setup.game(self.rules)?;
        self.setup = setup;
        Ok(())
    }

    fn think(&self, go: &Go, stop: &AtomicBool) -> Result<()> {
        let engine = Engine::new(self.tables.as_ref(), &self.transpositions, self.threads);
        let start = Instant::now();
        let mut said = Ok(());
        let mut report = |found: &SearchResult| {
            if said.is_ok() {
                said = say(&Reply::Info(found.info(start.elapsed())));
            }
        };
        let found = engine.think(&self.game, &SearchLimits::from(go), stop, &mut report);
        said?;
        if let Some(trouble) = found.as_ref().and_then(|found| found.trouble.clone()) {
            say(&remark(with_command(&trouble)))?;
        }
        while go.infinite && !stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(1));
        }
        let line = found.map_or(Vec::new(), |found| found.line);
        say(&Reply::BestMove(Best { ply: line.first().copied(), ponder: line.get(1).copied() }))
    }
}

/// Opens the tables of a directory; no tables for no name.
fn open(dir: &Path) -> Result<Option<Tables>> {
    if dir == Path::new("") {
        return Ok(None);
    }
    open_tables(dir, false).map(Some)
}

fn number(name: &str, value: &str, most: i64) -> Result<usize> {
    match value.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number as usize),
        _ => Err(Error::Usage(format!("{name} is a number from 1 to {most}"))),
    }
}
