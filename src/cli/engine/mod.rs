//! `oware engine`: our engine, for any program that speaks the engine protocol.

mod listening;
mod player;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::thread;

use oware_db::error::{Error, Result};

use crate::cli::options::{RulesArg, TablesArgs};
use crate::cli::output;
use listening::listen;
use player::Player;

/// Play, for any program that speaks the engine protocol
///
/// Reads commands on standard input and replies on standard output. Within the range of the tables
/// it plays their strategy and collects what they promise; above it, or without tables, it
/// searches. Options that can be set over the protocol: TablesPath, Hash (MB), Threads, MultiPV,
/// OwnBook, Rules.
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
}

impl Args {
    /// Speaks the protocol until `quit` comes or the input ends.
    pub fn run(self) -> Result<ExitCode> {
        let tables = if self.no_tables { PathBuf::new() } else { self.tables.dir()? };
        let mut player = Player::new(self.rules.rules, &tables)?;
        if let Some(lack) = player.lack() {
            output::note(&format!("oware: {lack}; --no-tables says that this is meant"));
        }
        let (sender, inputs) = channel();
        let listening = thread::Builder::new().spawn(move || listen(&sender));
        listening.map_err(Error::io("starting", "a thread"))?;
        player.obey(&inputs)?;
        Ok(ExitCode::SUCCESS)
    }
}
