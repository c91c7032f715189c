//! `oware engine`: our engine, for any program that speaks the engine protocol.

mod listening;
mod player;

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;

use crate::engine::level::Level;
use crate::engine::search::Network;
use crate::error::{Error, Result};
use crate::table::open_file;

use crate::cli::options::{RulesArg, TablesArgs};
use crate::cli::output;
use listening::listen;
use player::{MOST_THREADS, Player};

/// Run an engine for any program that speaks the engine protocol
///
/// Reads commands on standard input and replies on standard output. Within the range of the tables
/// it plays their strategy and achieves their scores; beyond it, or without tables, it searches.
/// Protocol options: TablesPath, Hash (MB), Threads, Level, MultiPV, Ponder, OwnBook, Rules.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  printf 'position startpos\\ngo depth 10\\n' | oware engine\n  \
                        oware engine --tables /data/tables --rules awari"
)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    tables: TablesArgs,
    /// Play without tables
    #[arg(long, conflicts_with = "dirs")]
    no_tables: bool,
    /// File with weights of the evaluation [default: built in]
    #[arg(long, value_name = "FILE")]
    evaluation: Option<PathBuf>,
    /// Number of search threads; one thread without a time limit always plays the same moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    threads: u16,
    /// Playing strength, 1 (beginner) to 5 (best); lower levels sometimes make mistakes
    #[arg(long, value_name = "1..5", default_value_t = Level::BEST.number())]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=5))]
    level: u8,
}

impl Args {
    /// Speaks the protocol until `quit` comes or the input ends.
    pub fn run(self) -> Result<()> {
        let tables = if self.no_tables { PathBuf::new() } else { self.tables.dir()? };
        let network = network(self.evaluation.as_deref());
        let mut player = Player::new(self.rules.rules, &tables, network)?;
        player.threads = self.threads.into();
        player.level = Level::new(self.level).unwrap_or(Level::BEST);
        if let Some(flaw) = player.flaw() {
            output::note(&format!("oware: {flaw}"));
        }
        if let Some(lack) = player.lack() {
            output::note(&format!("oware: {lack}; use --no-tables if this is intended"));
        }
        let (sender, inputs) = channel();
        let listening = thread::Builder::new().spawn(move || listen(&sender));
        listening.map_err(Error::io("starting", "a thread"))?;
        player.obey(&inputs)
    }
}

/// Bytes of a file of weights that are read at most; more than any has.
const MOST_WEIGHTS: u64 = 1 << 20;

/// Reads the weights of a file, or takes those that are built in.
fn network(file: Option<&Path>) -> Result<Arc<Network>> {
    let Some(file) = file else {
        return Network::built_in();
    };
    let unread = |error: io::Error| match error.kind() {
        io::ErrorKind::InvalidInput => Error::Evaluation { why: "it is not a file" },
        _ => Error::Evaluation { why: "the file cannot be read" },
    };
    let mut bytes = Vec::new();
    let weights = open_file(file).map_err(unread)?;
    weights.take(MOST_WEIGHTS).read_to_end(&mut bytes).map_err(unread)?;
    Network::read(&bytes).map(Arc::new)
}
