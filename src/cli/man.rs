//! `oware man`: the manual pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap_mangen::Man;
use serde::Serialize;

use oware_db::error::{Error, Result};

use super::output;

/// Print the manual page, or write those of all commands into a directory
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  oware man | man -l -\n  oware man --out ~/.local/share/man/man1"
)]
pub struct Args {
    /// Directory to write all pages into; made if it is missing
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Serialize)]
struct Page {
    name: String,
    text: String,
}

#[derive(Serialize)]
struct Document {
    pages: Vec<Page>,
}

impl Args {
    /// Prints or writes the pages of `program`.
    pub fn run(self, program: clap::Command, json: bool) -> Result<ExitCode> {
        let pages = pages(program);
        if let Some(dir) = &self.out {
            write_into(dir, &pages)?;
        }
        if json {
            output::document(&Document { pages })?;
        } else if self.out.is_none() {
            output::text(&pages[0].text)?;
        }
        Ok(ExitCode::SUCCESS)
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
    Man::new(command).render(&mut text).expect("writing to memory does not fail");
    Page {
        name: format!("{name}.1"),
        text: String::from_utf8(text).expect("manual pages are text"),
    }
}

fn write_into(dir: &Path, pages: &[Page]) -> Result<()> {
    fs::create_dir_all(dir).map_err(Error::io("making the directory", dir))?;
    for page in pages {
        let path = dir.join(&page.name);
        fs::write(&path, &page.text).map_err(Error::io("writing", path))?;
    }
    Ok(())
}
