//! `oware guard`: not for people. What `oware verify` and `oware match` start engines by.

use std::process::ExitCode;

use oware_db::driver::{Launch, become_guarded};
use oware_db::error::{Error, Result};

use super::output;

/// Become an engine that does not outlive process PARENT
#[derive(clap::Args)]
#[command(hide = true)]
pub struct Args {
    parent: u32,
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    words: Vec<String>,
}

impl Args {
    /// Does not come back, unless something is wrong.
    pub fn run(self) -> Result<ExitCode> {
        let (complaint, code) = become_guarded(self.parent, &self.words)?;
        output::text(&format!("{complaint}\n"))?;
        Ok(ExitCode::from(code as u8))
    }
}

/// Has an engine started by a guard, where there is such a thing.
pub fn guarded(launch: Launch) -> Result<Launch> {
    if !cfg!(target_os = "linux") {
        return Ok(launch);
    }
    let program = std::env::current_exe().map_err(Error::io("finding", "this program"))?;
    let program = program.into_os_string().into_string();
    let program = program.map_err(|_| Error::Usage("the path of this program is no UTF-8".to_owned()))?;
    Ok(launch.guarded(vec![program, "guard".to_owned(), std::process::id().to_string(), "--".to_owned()]))
}
