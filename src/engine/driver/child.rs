//! A child process with two threads that read and write its pipes, so that no caller waits
//! longer than it wants to; and the process that starts it, so that it does not outlive us.

use std::convert::Infallible;
use std::ffi::OsString;
use std::io::Write;
use std::process::{
    Child as Process, ChildStdin, ChildStdout, Command as Program, ExitStatus, Stdio,
};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::protocol::Command;
use crate::error::{Error, Result};
use crate::lines::BoundedLines;

/// Lines that wait to be read, and commands that wait to be written.
const WAITING: usize = 64;

/// The longest time between two looks at what else is going on.
const SLICE: Duration = Duration::from_millis(50);

/// How long a child that was asked to quit may take.
const PATIENCE: Duration = Duration::from_millis(200);

/// What a guard says before it ends with [`CANNOT_START`].
pub(super) const COMPLAINT: &str = "info string cannot start ";
/// The exit code of shells for a command that cannot be run.
pub(super) const CANNOT_START: i32 = 127;

/// A running engine.
#[derive(Debug)]
pub struct Child {
    process: Process,
    commands: Option<SyncSender<String>>,
    lines: Receiver<(String, usize)>,
    complaint: Option<String>,
    /// Set once it has been waited for.
    reaped: bool,
}

impl Child {
    /// Starts a program, through the `guard` if there is one.
    pub fn start(guard: &[String], words: &[String]) -> Result<Child> {
        let mut all = guard.iter().chain(words);
        let program = all.next().expect("a command line has a word");
        let mut command = Program::new(program);
        command.args(all).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command.spawn().map_err(Error::io("starting", program))?;
        let input = process.stdin.take().expect("a pipe");
        let output = process.stdout.take().expect("a pipe");
        let (commands, written) = sync_channel(WAITING);
        let (read, lines) = sync_channel(WAITING);
        // Both end when the pipes are closed, which is when the child and its group are dead.
        let writing = thread::Builder::new().spawn(move || write(input, &written));
        let listening = thread::Builder::new().spawn(move || listen(output, &read));
        let child =
            Child { process, commands: Some(commands), lines, complaint: None, reaped: false };
        // Without them the child, which is there now, is dropped and so ended.
        writing.and(listening).map_err(Error::io("starting", "a thread"))?;
        Ok(child)
    }

    /// Sends a command. A child that has stopped listening misses it, and will be late.
    pub fn say(&mut self, command: &Command) {
        if let Some(commands) = &self.commands {
            let _ = commands.try_send(format!("{command}\n"));
        }
    }

    /// Drops lines that were sent and not read, but no more than may be waiting.
    pub fn forget(&mut self) {
        self.lines.try_iter().take(WAITING).for_each(drop);
    }

    /// Waits for a line, not beyond `until` and not longer than [`SLICE`]. Returns it, and how many
    /// bytes it took.
    pub fn hear(
        &mut self,
        until: Instant,
    ) -> std::result::Result<(String, usize), RecvTimeoutError> {
        let time = until.saturating_duration_since(Instant::now()).min(SLICE);
        let heard = self.lines.recv_timeout(time)?;
        if let Some(complaint) = heard.0.strip_prefix(COMPLAINT) {
            self.complaint = Some(complaint.to_owned());
        }
        Ok(heard)
    }

    /// Ends a child that has closed its output, and reports in words how it ended.
    ///
    /// # Errors
    /// Why it could not be started, if that is the reason.
    pub fn end(mut self) -> std::result::Result<String, String> {
        // It gets a moment to end by itself, so that its own exit code is reported.
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until && !self.has_ended() {
            thread::sleep(Duration::from_millis(1));
        }
        let killed = !self.has_ended();
        let status = self.kill();
        let code = status.and_then(|status| status.code());
        match (self.complaint.take(), status) {
            (Some(why), _) if code == Some(CANNOT_START) => Err(why),
            _ if killed => Ok("it closed its output".to_owned()),
            (_, Some(status)) => Ok(format!("it ended with {status}")),
            (_, None) => Ok("it ended".to_owned()),
        }
    }

    /// Returns whether it has ended by itself. It is not waited for, so that its group can still be
    /// named.
    #[cfg(unix)]
    fn has_ended(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(&self.process)), options), Ok(None))
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }

    /// Kills the child and all of its group. Until it has been waited for, no other process has its
    /// process id.
    fn kill(&mut self) -> Option<ExitStatus> {
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&self.process),
            rustix::process::Signal::KILL,
        );
        let _ = self.process.kill();
        self.reaped = true;
        self.process.wait().ok()
    }

    /// Asks the child to quit, and waits a moment for it.
    fn quit(&mut self) {
        self.say(&Command::Quit);
        self.commands = None;
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until && self.hear(until) != Err(RecvTimeoutError::Disconnected) {}
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.reaped {
            self.quit();
            self.kill();
        }
    }
}

fn write(mut input: ChildStdin, commands: &Receiver<String>) {
    for command in commands {
        if input.write_all(command.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn listen(output: ChildStdout, lines: &SyncSender<(String, usize)>) {
    let mut read = BoundedLines::new(output);
    while let Ok(Some(line)) = read.next_line() {
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// Becomes the program of `words`, which the kernel kills when the process `parent`, our parent, is
/// dead. If that fails, returns what to write on standard output and the exit code to end with.
///
/// Linux kills the child when the *thread* that started it ends, so a thread that starts an engine
/// must outlive it.
///
/// # Errors
/// [`Error::Usage`] if there is no program.
pub fn become_guarded(parent: u32, words: &[OsString]) -> Result<(String, i32)> {
    let [program, arguments @ ..] = words else {
        return Err(Error::Usage("`` is not a command line".to_owned()));
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
