//! The process that starts an engine: it makes sure that the engine does not outlive us.

use std::convert::Infallible;
use std::ffi::OsString;
use std::process::Command as Program;

use super::child::{CANNOT_START, COMPLAINT};
use crate::error::{Error, Result};

/// Becomes the program of `words`, which the kernel kills when the process `parent`, our parent, is
/// dead. If that fails, returns what to write on standard output and the exit code to end with.
///
/// Linux kills the child when the *thread* that started it ends, so a thread that starts an engine
/// must outlive it.
///
/// # Errors
/// [`Error::CommandLine`] if there is no program.
pub fn become_guarded(parent: u32, words: &[OsString]) -> Result<(String, i32)> {
    let [program, arguments @ ..] = words else {
        return Err(Error::CommandLine { command: String::new() });
    };
    die_with(parent)?;
    let mut command = Program::new(program);
    command.args(arguments);
    let Err(error) = replace_with(&mut command);
    Ok((format!("{COMPLAINT}{}: {error}", program.display()), CANNOT_START))
}

#[cfg(unix)]
fn replace_with(command: &mut Program) -> std::io::Result<Infallible> {
    Err(std::os::unix::process::CommandExt::exec(command))
}

#[cfg(not(unix))]
fn replace_with(_: &mut Program) -> std::io::Result<Infallible> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// Asks the kernel for a signal at the death of `parent`, and checks that it was not too late.
#[cfg(target_os = "linux")]
fn die_with(parent: u32) -> Result<()> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    let asked = set_parent_process_death_signal(Some(Signal::KILL));
    asked.map_err(|error| Error::io("guarding", "the engine")(error.into()))?;
    match getppid().map(|pid| pid.as_raw_nonzero().get() as u32) {
        Some(found) if found == parent => Ok(()),
        _ => Err(Error::Stopped),
    }
}

#[cfg(not(target_os = "linux"))]
fn die_with(_: u32) -> Result<()> {
    Ok(())
}
