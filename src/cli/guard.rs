//! `oware --guard`, by which `verify` and `match` start engines. It is not for people, and so not a
//! command.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::engine::driver::{Launch, become_guarded};
use crate::error::{Error, Result};

use super::{failure, output};

/// The first argument, before the number of the parent's process and the words of the engine.
const WORD: &str = "--guard";

/// Becomes the engine if the program was started as a guard. Returns the exit code if that fails.
pub fn stand(arguments: &[OsString]) -> Option<ExitCode> {
    let [_, word, parent, words @ ..] = arguments else { return None };
    if word != WORD {
        return None;
    }
    let become_engine = || {
        let parent = parent.to_str().and_then(|text| text.parse().ok());
        let parent = parent
            .ok_or_else(|| Error::Usage("a guard needs the number of a process".to_owned()))?;
        let (complaint, code) = become_guarded(parent, words)?;
        output::text(&format!("{complaint}\n"))?;
        Ok(ExitCode::from(code as u8))
    };
    Some(become_engine().unwrap_or_else(|error| failure::report(&error, false)))
}

/// Names the options that were to be set and that an engine does not have.
pub fn note_unknown_options(launch: &Launch, engine: &str) {
    for name in launch.introduction().unknown_options {
        output::note(&format!("oware: {engine} has no option `{name}`"));
    }
}

/// Makes a guard start the engine, on systems that have guards.
pub fn guarded(launch: Launch) -> Result<Launch> {
    if !cfg!(target_os = "linux") {
        return Ok(launch);
    }
    let program = std::env::current_exe().map_err(Error::io("finding", "this program"))?;
    let program = program.into_os_string().into_string();
    let program =
        program.map_err(|_| Error::Usage("the path of this program is not UTF-8".to_owned()))?;
    let guard = vec![program, WORD.to_owned(), std::process::id().to_string()];
    Ok(Launch { guard, ..launch })
}
