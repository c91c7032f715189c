//! The program `oware`, whole: one subcommand, one file, each with its `Args` and `run()`.
//!
//! Results go to standard output, everything else to standard error. With `--json` there is one
//! JSON document on standard output, also when something goes wrong. Exit codes: 0 success,
//! 2 wrong usage, 1 any other failure; 130 and 143 after Ctrl-C and SIGTERM (`interrupt`).

mod annotate;
mod builder;
mod check;
mod completions;
mod dataset;
mod elsewhere;
mod engine;
mod export;
mod failure;
mod general;
mod guard;
mod index;
mod input;
mod interrupt;
mod judging;
mod man;
mod match_command;
mod moves;
mod options;
mod output;
#[cfg(feature = "serve")]
mod page;
mod perft;
mod position;
mod progress;
mod puzzles;
mod query;
mod result_file;
mod rounds;
#[cfg(feature = "serve")]
mod serve;
mod setups;
mod stats;
mod threads;
mod unindex;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// Endgame databases for Oware, Nam Nam and Bao: build exact tables and query them for perfect
/// play.
#[derive(Parser)]
#[command(name = "oware", version, subcommand_required = true, arg_required_else_help = true)]
#[command(after_help = "Examples:\n  oware build\n  oware query \"0 0 0 0 1 2  1 0 0 0 3 0\"")]
struct Cli {
    /// Print one JSON document on standard output, also for errors
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(builder::Args),
    Query(query::Args),
    Moves(moves::Args),
    Perft(perft::Args),
    Stats(stats::Args),
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    #[cfg(feature = "serve")]
    Page(page::Args),
    Check(check::Args),
    Export(export::Args),
    Dataset(dataset::Args),
    Puzzles(puzzles::Args),
    Index(index::Args),
    Unindex(unindex::Args),
    Rounds(rounds::Args),
    Verify(verify::Args),
    Annotate(annotate::Args),
    Engine(engine::Args),
    Match(match_command::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Runs the program with the arguments of this process and gives its exit code.
pub fn run() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let Some(code) = guard::stand(&arguments) {
        return code;
    }
    interrupt::outlive_limits_of_files();
    let arguments = numbers_not_flags(arguments.into_iter());
    let json = arguments.iter().any(|argument| argument == "--json");
    match Cli::try_parse_from(arguments) {
        Ok(cli) => cli.run(),
        Err(error) => failure::misuse(&error, json),
    }
}

impl Cli {
    /// Runs the command and gives the exit code. One that may find something wrong says itself with
    /// which code it ends.
    fn run(self) -> ExitCode {
        let Cli { command, json } = self;
        let done = |()| ExitCode::SUCCESS;
        let ended = match command {
            Command::Build(args) => args.run(json).map(done),
            Command::Query(args) => args.run(json),
            Command::Moves(args) => args.run(json),
            Command::Perft(args) => args.run(json).map(done),
            Command::Stats(args) => args.run(json).map(done),
            #[cfg(feature = "serve")]
            Command::Serve(args) => args.run(json),
            #[cfg(feature = "serve")]
            Command::Page(args) => args.run(json).map(done),
            Command::Check(args) => args.run(json),
            Command::Export(args) => args.run(json).map(done),
            Command::Dataset(args) => args.run(json).map(done),
            Command::Puzzles(args) => args.run(json).map(done),
            Command::Index(args) => args.run(json).map(done),
            Command::Unindex(args) => args.run(json).map(done),
            Command::Rounds(args) => args.run(json).map(done),
            Command::Verify(args) => args.run(json),
            Command::Annotate(args) => args.run(json),
            Command::Engine(args) => args.run().map(done),
            Command::Match(args) => args.run(json),
            Command::Completions(args) => args.run(Cli::command(), json).map(done),
            Command::Man(args) => args.run(Cli::command(), json).map(done),
        };
        ended.unwrap_or_else(|error| failure::report(&error, json))
    }
}

/// Keeps clap from taking a negative number for a flag, so that the reader of positions can say
/// what is wrong with it: no flag of ours begins with a digit, and a space before a number is
/// nothing to any reader of numbers. Other words and names of directories stay as they are.
fn numbers_not_flags(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut found: Vec<OsString> = Vec::new();
    for argument in arguments {
        let names_directory =
            found.last().is_some_and(|before| before == "--out" || before == "--tables");
        let bytes = argument.as_encoded_bytes().strip_prefix(b"-").unwrap_or_default();
        let first = bytes.split(|byte| !byte.is_ascii_alphanumeric()).next().unwrap_or_default();
        let negative = !first.is_empty() && first.iter().all(u8::is_ascii_digit);
        if negative && !names_directory {
            found.push([OsString::from(" "), argument].into_iter().collect());
        } else {
            found.push(argument);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_numbers_are_no_flags_and_names_stay() {
        let read = |words: &[&str]| -> Vec<String> {
            let words = numbers_not_flags(words.iter().map(OsString::from));
            words.into_iter().map(|word| word.into_string().unwrap()).collect()
        };
        assert_eq!(read(&["-1", "-12 0 x", "-3,4"]), [" -1", " -12 0 x", " -3,4"]);
        for words in [["--out", "-1"], ["--tables", "-1"], ["--scratch", "-1x"], ["-h", "--seeds"]]
        {
            assert_eq!(read(&words), words);
        }
    }
}
