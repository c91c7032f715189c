//! The commands for the games beside Oware: those that `--rules` with one of their sheets leads to.
//!
//! They have the names, the options and the JSON of Oware's commands, as far as there is a meaning
//! to them. Commands that are about Oware alone refuse these sheets with a sentence.

pub mod check;
mod moves;
mod page;
mod perft;
mod position;
mod query;
mod stats;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use oware_db::error::Result;
use oware_db::game::mancala::Sheet;

use super::build::general as build;
use super::failure;

/// Endgame databases for Nam Nam and Bao.
#[derive(Parser)]
#[command(name = "oware", version)]
struct Cli {
    /// Print one JSON document on standard output, errors included
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(build::Args),
    Query(query::Args),
    Moves(moves::Args),
    Perft(perft::Args),
    Stats(stats::Args),
    Check(check::Args),
}

/// Runs the command if it is one of a game beside Oware.
pub fn stand(arguments: &[OsString], json: bool) -> Option<ExitCode> {
    if !concerns(arguments) {
        return None;
    }
    Some(match Cli::try_parse_from(arguments) {
        Ok(cli) => cli.run().unwrap_or_else(|error| failure::report(&error, json)),
        Err(error) => failure::misuse(&error, json),
    })
}

/// Whether a command is named that these games have, and one of their sheets.
fn concerns(arguments: &[OsString]) -> bool {
    let words: Vec<&str> = arguments.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let command = words.iter().find(|word| !word.starts_with('-'));
    let has_command = ["build", "query", "moves", "perft", "stats", "check"]
        .iter()
        .any(|name| Some(name) == command);
    let value = |(at, word): (usize, &&str)| match word.strip_prefix("--rules") {
        Some("") => words.get(at + 1).copied().map(str::to_owned),
        Some(rest) => rest.strip_prefix('=').map(str::to_owned),
        None => None,
    };
    let sheet = words.iter().enumerate().find_map(value);
    has_command && sheet.is_some_and(|id| Sheet::by_id(&id).is_some())
}

impl Cli {
    fn run(self) -> Result<ExitCode> {
        match self.command {
            Command::Build(args) => args.run(self.json),
            Command::Query(args) => args.run(self.json),
            Command::Moves(args) => args.run(self.json),
            Command::Perft(args) => args.run(self.json),
            Command::Stats(args) => args.run(self.json),
            Command::Check(args) => args.run(self.json),
        }
    }
}
