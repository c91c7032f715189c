//! What is read and said: commands as they come, some of which cannot wait for a search, and
//! replies.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use crate::engine::protocol::{Command, Go, Reply};
use crate::error::{Error, Result};
use crate::lines::BoundedLines;

use crate::cli::output::STANDARD_OUTPUT;

/// A line that has been read.
pub enum Input {
    Command(Command),
    /// A search, with the flags that end it.
    Go(Go, Arc<Flags>),
    /// A line that cannot be read, and the word that began the command.
    Garbled(Error, Option<&'static str>),
}

/// What ends a search from outside.
#[derive(Default)]
pub struct Flags {
    /// Nothing but a command ends the search.
    pub endless: bool,
    /// The engine has to answer.
    pub stop: AtomicBool,
    /// The opponent has made the move that was thought about: the clock runs.
    pub hit: AtomicBool,
    /// Either of these.
    pub any: AtomicBool,
    /// The answer is on its way.
    pub done: AtomicBool,
}

impl Flags {
    /// Sets one of the flags that end the search.
    fn set(&self, flag: &AtomicBool) {
        flag.store(true, Ordering::Release);
        self.any.store(true, Ordering::Release);
    }
}

/// How long a search that only a command would end goes on after the input has ended: all commands
/// may have come at once, from a program that waits for the answers.
const GRACE: Duration = Duration::from_secs(2);

/// Reads commands, and does at once what cannot wait for a search: to stop it, and to say that the
/// engine is there.
pub fn listen(sender: &Sender<Input>) {
    let mut lines = BoundedLines::new(io::stdin().lock());
    let mut searches = Searches::default();
    while let Ok(Some((line, _))) = lines.next_line() {
        let input = match Command::parse(&line) {
            Ok(None) => continue,
            Ok(Some(Command::IsReady)) if searches.are_running() => {
                let _ = say(&Reply::ReadyOk);
                continue;
            }
            Ok(Some(Command::PonderHit)) => {
                searches.0.iter().for_each(|search| search.set(&search.hit));
                continue;
            }
            Ok(Some(Command::Go(go))) => {
                let flags = searches.add(go.infinite || go.ponder);
                Input::Go(go, flags)
            }
            Ok(Some(command)) => {
                if matches!(command, Command::Stop | Command::Quit) {
                    searches.0.iter().for_each(|search| search.set(&search.stop));
                }
                Input::Command(command)
            }
            Err(error) => Input::Garbled(error, Command::keyword(&line)),
        };
        let ends = matches!(input, Input::Command(Command::Quit));
        if sender.send(input).is_err() || ends {
            return;
        }
    }
    let _ = sender.send(Input::Command(Command::Quit));
    searches.run_out();
}

/// The flags of searches.
#[derive(Default)]
struct Searches(Vec<Arc<Flags>>);

impl Searches {
    /// Adds a search and returns its flags. Searches that have ended are forgotten.
    fn add(&mut self, endless: bool) -> Arc<Flags> {
        self.are_running();
        let search = Arc::new(Flags { endless, ..Flags::default() });
        self.0.push(search.clone());
        search
    }

    /// Returns whether a search goes on, or waits for its turn.
    fn are_running(&mut self) -> bool {
        self.0.retain(|search| !search.done.load(Ordering::Acquire));
        !self.0.is_empty()
    }

    /// Waits for the searches, one after the other, and stops those that have no end of their own.
    fn run_out(&self) {
        for search in &self.0 {
            if search.endless {
                thread::sleep(GRACE);
                search.set(&search.stop);
            }
            while !search.done.load(Ordering::Acquire) {
                thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

/// Sends a reply. If the receiver is gone there is nothing left to do.
pub fn say(reply: &Reply) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{reply}")
        .and_then(|()| out.flush())
        .map_err(Error::io("writing", STANDARD_OUTPUT))
}
