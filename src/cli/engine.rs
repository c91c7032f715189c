//! `oware engine`: our engine for any program that speaks the protocol.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use oware_db::engine::protocol::{Best, Command, Go, Info, Lines, OptionKind, Reply, Setup};
use oware_db::engine::search::{Endgames, Engine, Found, Hash, Limits};
use oware_db::error::{Error, Result};
use oware_db::game::{Game, Position, Rules, SHEETS};
use oware_db::json::words::with_command;
use oware_db::probe::Tables;

use super::{DEFAULT_TABLES, RulesArg, open_tables};

/// Play: an engine for any program that speaks the engines' protocol on standard input and output
///
/// Within the range of the tables it plays their strategy and collects what they promise; above it
/// searches. Without tables it only searches. Options that can be set over the protocol: TablesPath,
/// Hash (MB), Threads, Rules.
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
    /// Speaks the protocol until told to quit, or until the input ends.
    pub fn run(self) -> Result<ExitCode> {
        let tables = if self.no_tables { PathBuf::new() } else { self.tables };
        let mut player = Player::new(self.rules.rules, &tables)?;
        let (sender, commands) = channel();
        thread::spawn(move || listen(&sender));
        player.obey(&commands)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A command that has been read. A search comes with what stops it.
enum Heard {
    Command(Command),
    Go(Go, Arc<AtomicBool>),
    /// Something that cannot be read.
    Garbled(Error),
}

/// How long searches go on after the input has ended: someone may have sent all commands at once
/// and be waiting for the answers.
const GRACE: Duration = Duration::from_secs(2);

/// Reads commands, and stops searches the moment that is asked for, whatever else waits.
fn listen(sender: &Sender<Heard>) {
    let mut lines = Lines::new(io::stdin().lock());
    let mut searches: Vec<Arc<AtomicBool>> = Vec::new();
    let stop = |searches: &mut Vec<Arc<AtomicBool>>| {
        searches.drain(..).for_each(|search| search.store(true, Ordering::Relaxed));
    };
    while let Ok(Some((line, _))) = lines.next_line() {
        let heard = match Command::parse(&line) {
            Ok(None) => continue,
            Ok(Some(Command::Go(go))) => {
                // Those that have ended are forgotten.
                searches.retain(|search| Arc::strong_count(search) > 1);
                searches.push(Arc::default());
                Heard::Go(go, searches.last().expect("just added").clone())
            }
            Ok(Some(command)) => {
                if matches!(command, Command::Stop | Command::Quit) {
                    stop(&mut searches);
                }
                Heard::Command(command)
            }
            Err(error) => Heard::Garbled(error),
        };
        let ends = matches!(heard, Heard::Command(Command::Quit));
        if sender.send(heard).is_err() || ends {
            return;
        }
    }
    let _ = sender.send(Heard::Command(Command::Quit));
    thread::sleep(GRACE);
    stop(&mut searches);
}

/// Says something. If nobody listens any more there is nothing left to do.
fn say(reply: &Reply) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{reply}")
        .and_then(|()| out.flush())
        .map_err(Error::io("writing", "standard output"))
}

/// A remark for people.
fn remark(text: impl Into<String>) -> Result<()> {
    say(&Reply::Info(Info { string: Some(text.into()), ..Info::default() }))
}

/// What the engine has been told.
struct Player {
    rules: &'static Rules,
    tables: Option<Tables>,
    hash: Hash,
    threads: usize,
    setup: Setup,
    game: Game,
}

/// Megabytes of the table of transpositions if nobody says.
const HASH: i64 = 16;
const MOST_HASH: i64 = 1 << 16;
const MOST_THREADS: i64 = 64;

impl Player {
    fn new(rules: &'static Rules, tables: &Path) -> Result<Player> {
        let start = Position::INITIAL;
        Ok(Player {
            rules,
            tables: open(tables)?,
            hash: Hash::new(HASH as usize)?,
            threads: 1,
            setup: Setup::at(start),
            game: Game::new(rules, start),
        })
    }

    /// Does what it is told. What cannot be done is a remark, and changes nothing.
    fn obey(&mut self, commands: &Receiver<Heard>) -> Result<()> {
        for heard in commands {
            let done = match heard {
                Heard::Command(Command::Quit) => return Ok(()),
                Heard::Command(command) => self.act(&command)?,
                Heard::Go(go, stop) => {
                    self.think(&go, &stop)?;
                    Ok(())
                }
                Heard::Garbled(error) => Err(error),
            };
            if let Err(error) = done {
                remark(with_command(&error))?;
            }
        }
        Ok(())
    }

    /// The outer failure ends the engine, the inner one is a remark.
    fn act(&mut self, command: &Command) -> Result<Result<()>> {
        match command {
            Command::Uci => self.introduce()?,
            Command::IsReady => say(&Reply::ReadyOk)?,
            Command::NewGame => self.hash.clear(),
            Command::SetOption { name, value } => {
                return match self.set(name, value.as_deref().unwrap_or_default()) {
                    Ok(remarkable) => remarkable.map_or(Ok(()), remark).map(Ok),
                    Err(error) => Ok(Err(error)),
                };
            }
            Command::Position(setup) => return Ok(self.place(setup.clone())),
            Command::Go(_) | Command::Stop | Command::Quit => {}
        }
        Ok(Ok(()))
    }

    fn introduce(&self) -> Result<()> {
        say(&Reply::Name(format!("oware-db {}", env!("CARGO_PKG_VERSION"))))?;
        say(&Reply::Author("the authors of oware-db".to_owned()))?;
        let tables =
            self.tables.as_ref().map_or(String::new(), |tables| tables.dir().display().to_string());
        let rules = SHEETS.map(|rules| rules.id.to_owned()).to_vec();
        let spin = |default, max| OptionKind::Spin { default, min: 1, max };
        for (name, kind) in [
            ("TablesPath", OptionKind::Text { default: tables }),
            ("Hash", spin(HASH, MOST_HASH)),
            ("Threads", spin(1, MOST_THREADS)),
            ("Rules", OptionKind::Combo { default: self.rules.id.to_owned(), choices: rules }),
        ] {
            say(&Reply::Option { name: name.to_owned(), kind })?;
        }
        say(&Reply::UciOk)
    }

    /// Sets an option, and gives what there is to say about it.
    fn set(&mut self, name: &str, value: &str) -> Result<Option<String>> {
        match name.to_ascii_lowercase().as_str() {
            "tablespath" => {
                self.tables = open(Path::new(value))?;
                return Ok(Some(self.range()));
            }
            "hash" => self.hash = Hash::new(number(name, value, MOST_HASH)?)?,
            "threads" => self.threads = number(name, value, MOST_THREADS)?,
            "rules" => {
                let unknown = || Error::UnknownRules { id: value.to_owned(), known: Rules::ids() };
                self.rules = Rules::by_id(value).ok_or_else(unknown)?;
                self.hash.clear();
                self.place(self.setup.clone())?;
                return Ok(Some(self.range()));
            }
            _ => return Err(Error::Usage(format!("there is no option `{name}`"))),
        }
        Ok(None)
    }

    /// What the tables know, in a sentence.
    fn range(&self) -> String {
        match Endgames::new(self.tables.as_ref(), self.rules).range() {
            Some(seeds) => format!("tables of `{}` for 0 to {seeds} seeds", self.rules.id),
            None => format!("no tables of `{}`: search alone", self.rules.id),
        }
    }

    fn place(&mut self, setup: Setup) -> Result<()> {
        (self.game, self.setup) = (setup.game(self.rules)?, setup);
        Ok(())
    }

    fn think(&self, go: &Go, stop: &AtomicBool) -> Result<()> {
        let engine = Engine::new(self.tables.as_ref(), &self.hash, self.threads);
        let start = Instant::now();
        let mut failed = None;
        let mut told = |found: &Found| {
            if failed.is_none() {
                failed = say(&Reply::Info(found.info(start.elapsed()))).err();
            }
        };
        let found = engine.think(&self.game, &Limits::from(go), stop, &mut told);
        if let Some(error) = failed {
            return Err(error);
        }
        if let Some(trouble) = found.as_ref().and_then(|found| found.trouble.clone()) {
            remark(with_command(&trouble))?;
        }
        while go.infinite && !stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(1));
        }
        let line = found.map_or(Vec::new(), |found| found.line);
        say(&Reply::BestMove(Best { ply: line.first().copied(), ponder: line.get(1).copied() }))
    }
}

/// The tables of a directory; none for no name.
fn open(dir: &Path) -> Result<Option<Tables>> {
    match dir == Path::new("") {
        true => Ok(None),
        false => open_tables(dir, false).map(Some),
    }
}

fn number(name: &str, value: &str, most: i64) -> Result<usize> {
    match value.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number as usize),
        _ => Err(Error::Usage(format!("{name} is a number from 1 to {most}"))),
    }
}
