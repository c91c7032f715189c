//! `oware man`: the manual pages.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use serde::Serialize;
use serde_json::json;

use crate::error::{Error, Result};

use super::options::TABLES_VARIABLE;
use super::output;

/// Print the manual page, or write the pages of all commands to a directory
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  oware man | man -l -\n  oware man --out ~/.local/share/man/man1"
)]
pub struct Args {
    /// Output directory for the pages of all commands, created if missing
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Serialize)]
struct Page {
    name: String,
    text: String,
}

impl Args {
    /// Prints or writes the pages of `program`.
    pub fn run(self, program: clap::Command, json: bool) -> Result<()> {
        let pages = pages(program);
        if let Some(dir) = &self.out {
            write_into(dir, &pages)?;
        }
        if json {
            output::document(&json!({ "pages": pages }))?;
        } else if self.out.is_none() {
            output::text(&pages[0].text)?;
        }
        Ok(())
    }
}

/// Returns the page of the program, then those of its commands.
fn pages(program: clap::Command) -> Vec<Page> {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let commands = program.get_subcommands().map(|command| {
        let name = format!("oware-{}", command.get_name());
        page(name.clone(), command.clone().display_name(name))
    });
    std::iter::once(page("oware".to_owned(), program.clone())).chain(commands).collect()
}

fn page(name: String, command: clap::Command) -> Page {
    let mut text = Vec::new();
    render(command, &mut text).expect("writing to memory does not fail");
    Page {
        name: format!("{name}.1"),
        text: String::from_utf8(text).expect("manual pages are text"),
    }
}

/// Writes a page with the sections that people look for.
fn render(command: clap::Command, text: &mut Vec<u8>) -> io::Result<()> {
    let examples = examples(&command);
    let has_commands = command.has_subcommands();
    let man = Man::new(command);
    man.render_title(text)?;
    man.render_name_section(text)?;
    man.render_synopsis_section(text)?;
    man.render_description_section(text)?;
    man.render_options_section(text)?;
    if has_commands {
        man.render_subcommands_section(text)?;
    }
    listed("EXIT STATUS", EXIT_STATUS).to_writer(text)?;
    listed("ENVIRONMENT", ENVIRONMENT).to_writer(text)?;
    examples.to_writer(text)?;
    if has_commands {
        man.render_version_section(text)?;
    }
    Ok(())
}

const EXIT_STATUS: &[(&str, &str)] = &[
    ("0", "Success."),
    (
        "1",
        "Failure: a table is missing or damaged, a check failed, or the system reported an error.",
    ),
    ("2", "Wrong usage."),
    ("130", "Stopped by Ctrl-C (SIGINT)."),
    ("143", "Stopped by SIGTERM."),
];

const ENVIRONMENT: &[(&str, &str)] = &[
    (
        TABLES_VARIABLE,
        "Table directory, or several separated as in PATH, used if --tables is not given.",
    ),
    ("NO_COLOR", "Disables colours if set and not empty."),
];

/// Returns a section that explains words.
fn listed(title: &str, words: &[(&str, &str)]) -> Roff {
    let mut section = Roff::new();
    section.control("SH", [title]);
    for (word, meaning) in words {
        section.control("TP", []);
        section.text([bold(*word)]);
        section.text([roman(*meaning)]);
    }
    section
}

/// Returns the examples of the help as a section, as they are typed.
fn examples(command: &clap::Command) -> Roff {
    let mut section = Roff::new();
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = help.lines().map(str::trim).filter(|line| !line.is_empty());
    section.control("SH", ["EXAMPLES"]);
    section.control("nf", []);
    for line in lines.filter(|line| !line.ends_with("xamples:") && !line.ends_with("xample:")) {
        section.text([roman(line)]);
    }
    section.control("fi", []);
    section
}

fn write_into(dir: &Path, pages: &[Page]) -> Result<()> {
    fs::create_dir_all(dir).map_err(Error::io("creating the directory", dir))?;
    for page in pages {
        let path = dir.join(&page.name);
        fs::write(&path, &page.text).map_err(Error::io("writing", path))?;
    }
    Ok(())
}
