//! `oware completions`: scripts with which shells complete our command line.

use clap_complete::Shell;
use serde_json::json;

use crate::error::Result;

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

impl Args {
    /// Prints the script that completes the command line of `program`.
    pub fn run(self, mut program: clap::Command, json: bool) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "oware", &mut script);
        let script = String::from_utf8(script).expect("completion scripts are text");
        if json {
            output::document(&json!({ "shell": self.shell.to_string(), "script": script }))
        } else {
            output::text(&script)
        }
    }
}
