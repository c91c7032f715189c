//! `oware completions`: what shells need to complete our commands.

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;
use serde::Serialize;

use oware_db::error::Result;

use super::{Cli, output};

/// Print the completion script of a shell
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  oware completions bash > ~/.local/share/bash-completion/completions/oware"
)]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Serialize)]
struct Document {
    shell: String,
    script: String,
}

impl Args {
    /// Prints the script.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "oware", &mut script);
        let script = String::from_utf8(script).expect("completion scripts are text");
        match json {
            true => output::document(&Document { shell: self.shell.to_string(), script })?,
            false => output::text(&script)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
