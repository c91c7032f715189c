//! `oware completions`: scripts with which shells complete our command line.

use std::process::ExitCode;

use clap_complete::Shell;
use serde::Serialize;

use oware_db::error::Result;

use super::output;

/// Print a shell completion script
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
                  oware completions bash > ~/.local/share/bash-completion/completions/oware")]
pub struct Args {
    /// Shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Serialize)]
struct Document {
    shell: String,
    script: String,
}

impl Args {
    /// Prints the script that completes the command line of `program`.
    pub fn run(self, mut program: clap::Command, json: bool) -> Result<ExitCode> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "oware", &mut script);
        let script = String::from_utf8(script).expect("completion scripts are text");
        let document = Document { shell: self.shell.to_string(), script };
        if json {
            output::document(&document)?
        } else {
            output::text(&document.script)?
        }
        Ok(ExitCode::SUCCESS)
    }
}
