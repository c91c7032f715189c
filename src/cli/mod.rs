//! The command line: one subcommand, one file, each with its `Args` and `run()`.
//!
//! Results go to standard output, everything else to standard error. With `--json` there is one
//! JSON document on standard output, also when something goes wrong. Exit codes: 0 success,
//! 2 wrong usage, 1 any other failure.

mod annotate;
mod batch;
mod build;
mod check;
mod completions;
mod contest;
mod engine;
mod guard;
mod interrupt;
mod man;
mod moves;
mod output;
mod perft;
mod position;
mod query;
#[cfg(feature = "serve")]
mod serve;
mod stats;
mod verify;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};

use oware_db::error::Result;
use oware_db::game::{ABAPA, Rules, SHEETS, Seeds};
use oware_db::probe::Tables;

/// The sheet of every command that is not told another.
const DEFAULT_RULES: &Rules = &ABAPA;
/// Where tables are if nobody says.
const DEFAULT_TABLES: &str = "tables";
/// Seeds of the largest layer that `oware build` makes if nobody says.
const DEFAULT_SEEDS: Seeds = Seeds::new(12).expect("fewer than 48");

/// Endgame databases for Oware: build exact tables and ask them for perfect play.
#[derive(Parser)]
#[command(name = "oware", version, subcommand_required = true, arg_required_else_help = true)]
#[command(after_help = "Examples:\n  oware build\n  oware query \"0 0 0 0 1 2  1 0 0 0 3 0\"")]
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
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    Check(check::Args),
    Verify(verify::Args),
    Annotate(annotate::Args),
    Engine(engine::Args),
    Match(contest::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// The option that chooses a rule sheet.
#[derive(clap::Args)]
struct RulesArg {
    /// Rule sheet
    #[arg(long, value_name = "SHEET", default_value = DEFAULT_RULES.id, value_parser = sheets())]
    rules: &'static Rules,
}

fn sheets() -> impl TypedValueParser<Value = &'static Rules> {
    let values = SHEETS.map(|rules| PossibleValue::new(rules.id).help(rules.title));
    PossibleValuesParser::new(values)
        .map(|id| Rules::by_id(&id).expect("one of the ids that are possible"))
}

/// Reads the value of `--seeds`.
fn parse_seeds(text: &str) -> std::result::Result<Seeds, String> {
    let count: usize =
        text.trim().parse().map_err(|_| "not a number of seeds, 0 to 48".to_owned())?;
    Seeds::new(count).ok_or_else(|| "the game has 48 seeds".to_owned())
}

/// Opens a directory of tables, through memory maps unless `no_mmap` says otherwise.
#[allow(unsafe_code)]
fn open_tables(dir: impl Into<PathBuf>, no_mmap: bool) -> Result<Tables> {
    if no_mmap {
        return Tables::open(dir);
    }
    // SAFETY: this program never changes a table in place, it renames finished files; `--no-mmap`
    // is there for directories in which another program might.
    unsafe { Tables::open_mapped(dir) }
}

/// Parses the command line, runs what it asks for and gives the exit code.
pub fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let Some(code) = guard::stand(&arguments) {
        return code;
    }
    let arguments = numbers_not_flags(arguments.into_iter());
    let json = arguments.iter().any(|argument| argument == "--json");
    match Cli::try_parse_from(arguments) {
        Ok(cli) => cli.run().unwrap_or_else(|error| output::failure(&error, json)),
        Err(error) => output::misuse(&error, json),
    }
}

impl Cli {
    fn run(self) -> Result<ExitCode> {
        match self.command {
            Command::Build(args) => args.run(self.json),
            Command::Query(args) => args.run(self.json),
            Command::Moves(args) => args.run(self.json),
            Command::Perft(args) => args.run(self.json),
            Command::Stats(args) => args.run(self.json),
            #[cfg(feature = "serve")]
            Command::Serve(args) => args.run(self.json),
            Command::Check(args) => args.run(self.json),
            Command::Verify(args) => args.run(self.json),
            Command::Annotate(args) => args.run(self.json),
            Command::Engine(args) => args.run(),
            Command::Match(args) => args.run(self.json),
            Command::Completions(args) => args.run(self.json),
            Command::Man(args) => args.run(self.json),
        }
    }
}

/// Keeps clap from taking a negative number for a flag, so that the reader of positions can say
/// what is wrong with it: no flag of ours begins with a digit, and a space before a number is
/// nothing to any reader of numbers. Names of directories stay as they are.
fn numbers_not_flags(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut found: Vec<OsString> = Vec::new();
    for argument in arguments {
        let names_directory =
            found.last().is_some_and(|before| before == "--out" || before == "--tables");
        let negative = matches!(argument.as_encoded_bytes(), [b'-', b'0'..=b'9', ..]);
        found.push(match negative && !names_directory {
            true => [OsString::from(" "), argument].into_iter().collect(),
            false => argument,
        });
    }
    found
}
