//! How the program reports that it has failed, and what it exits with.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use clap::error::ErrorKind;

use crate::error::{Error, Kind, Result};
use crate::game::mancala::Sheet;
use crate::json::error_document;
use crate::probe::address;

use super::{builder, elsewhere, interrupt, output};

/// Reports an error and returns its exit code. A reader of our output who has had enough
/// (`oware ... | head`) is not an error.
pub fn report(error: &Error, json: bool) -> ExitCode {
    if output::has_no_reader(error) {
        return ExitCode::SUCCESS;
    }
    if !json || output::document(&error_document(error.kind(), &message(error))).is_err() {
        output::note(&format!("{} {}", output::who(), message(error)));
    }
    ExitCode::from(interrupt::exit_code(error))
}

/// Reports what has failed on standard error, the result being on standard output. Returns the code
/// of what comes first.
pub fn report_all(done: impl IntoIterator<Item = Result<()>>) -> ExitCode {
    let failed = done.into_iter().filter_map(Result::err);
    let codes: Vec<ExitCode> = failed.map(|error| report(&error, false)).collect();
    codes.first().copied().unwrap_or(ExitCode::SUCCESS)
}

/// Returns what an error says, with a remedy that works on this machine.
pub fn message(error: &Error) -> String {
    remedy(error).map_or_else(
        || output::with_command(error),
        |remedy| format!("{}; {remedy}", error.facts()),
    )
}

/// Returns a remedy that works on this machine, where that takes a look at it.
pub fn remedy(error: &Error) -> Option<String> {
    match error {
        Error::Needed { missing, .. } => remedy(missing),
        Error::MissingTable { dir, rules, seeds, owners } => elsewhere::hint(dir, rules)
            .or_else(|| remedy_of_missing(dir, rules, *seeds, owners.as_deref())),
        _ => None,
    }
}

/// Says how to build a table that is missing.
fn remedy_of_missing(
    dir: &Path,
    rules: &str,
    seeds: usize,
    owners: Option<&str>,
) -> Option<String> {
    let home = &elsewhere::home(dir, rules);
    let remedy = match Sheet::by_id(rules) {
        Some(sheet) => builder::general_forecast::remedy(home, sheet, seeds, owners),
        None => builder::remedy(home, rules, seeds),
    }?;
    Some(match address(dir) {
        Some(_) => format!("use a directory in place of the address; {remedy}"),
        None => remedy,
    })
}

/// Reports what clap made of the command line: help and version on standard output, mistakes as
/// an error of ours.
pub fn misuse(error: &clap::Error, json: bool) -> ExitCode {
    match error.kind() {
        kind @ (ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) if json => {
            let word = if kind == ErrorKind::DisplayHelp { "help" } else { "version" };
            let text = error.render().to_string();
            let text = if kind == ErrorKind::DisplayHelp { &text } else { text.trim_end() };
            let printed = output::document(&BTreeMap::from([(word, text)]));
            printed.map_or_else(|error| report(&error, json), |()| ExitCode::SUCCESS)
        }
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let printed = error.print().map_err(Error::io("writing", output::STANDARD_OUTPUT));
            printed.map_or_else(|error| report(&error, json), |()| ExitCode::SUCCESS)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if !json => {
            let _ = error.print();
            ExitCode::from(Kind::Usage.exit_code())
        }
        _ => {
            let (mistake, tips) = paragraphs(error);
            if json {
                let all: Vec<String> = [mistake].into_iter().chain(tips).collect();
                return report(&Error::Usage(all.join("; ")), json);
            }
            let code = report(&Error::Usage(mistake), json);
            tips.iter().for_each(|tip| output::note(&format!("  {tip}")));
            code
        }
    }
}

/// Returns clap's paragraphs without the usage: the mistake as one sentence, and the tips.
fn paragraphs(error: &clap::Error) -> (String, Vec<String>) {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return ("a command is missing; `oware --help` lists them".to_owned(), Vec::new());
    }
    let rendered = error.render().to_string();
    let message =
        rendered.split("Usage:").next().unwrap_or_default().split("For more information").next();
    let message = message.unwrap_or_default().trim().trim_start_matches("error: ");
    // The space keeps clap from taking a negative number for a flag.
    let message = message.replace("' -", "'-");
    let (tips, mistake): (Vec<&str>, Vec<&str>) = message
        .lines()
        .filter(|line| !line.trim().is_empty())
        .partition(|line| line.trim_start().starts_with("tip: "));
    let mistake = words(&mistake.join(" "));
    let sentence = format!("{mistake}; --help shows how to use the command");
    (sentence, tips.into_iter().map(words).collect())
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
