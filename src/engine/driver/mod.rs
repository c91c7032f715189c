//! Driving an engine: a child process that speaks [`crate::engine::protocol`], and may misbehave.
//!
//! Everything an engine does is an [`Attempt`]: timeouts, crashes, illegal moves, garbage, endless
//! output and silence are values, not errors. An engine that has died or stopped listening is
//! started again, as often as the [`Launch`] allows.
//!
//! Bounds are set to the time for each step, the length of a line, the output that
//! is read for one answer ([`MOST_OUTPUT`]), the output that waits to be read, and the commands that
//! wait to be written. What an engine writes to standard error is dropped.
//!
//! # No child survives
//!
//! * A child that is dropped is asked to quit, and killed a moment later. On Unix it leads a
//!   process group of its own, and the group is killed, so that scripts take their engines with
//!   them.
//! * If *we* are killed, the kernel kills the child, on Linux, if it was started by a
//!   [guard](Launch::guard): a process that asks for that and then becomes the engine. Elsewhere,
//!   and for what the child has started itself, there is only the end of its input, which makes an
//!   engine that keeps the protocol quit.

mod attempt;
mod child;
mod launch;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

pub use attempt::Attempt;
pub use child::become_guarded;
pub use launch::{Introduction, Launch};

use crate::engine::protocol::{Command, Go, Reply, Setup, shown};
use crate::error::{Error, Result};
use crate::game::Game;
use child::Child;

/// Bytes that an engine may write for one answer. Every line counts as at least 64.
pub const MOST_OUTPUT: usize = 16 << 20;

/// How long an engine that was asked to stop may take to say what it would play.
const GRACE: Duration = Duration::from_millis(500);

/// The option of engines that know several rule sheets.
const RULES: &str = "Rules";

/// An engine that is driven. It is started when it is first needed.
#[derive(Debug)]
pub struct Driver<'a> {
    launch: &'a Launch,
    /// Asks for an end of everything, from another thread.
    interrupt: &'a AtomicBool,
    child: Option<Child>,
    started: bool,
    /// The time that the last answer took.
    took: Duration,
}

/// What an engine was heard to say, or why nothing was heard.
type Heard<T> = std::result::Result<T, Silence>;

/// Why nothing was heard of an engine.
enum Silence {
    TimedOut,
    Flooded,
    Ended,
    /// The user asked for an end of everything.
    Interrupted,
}

impl<'a> Driver<'a> {
    /// Makes a driver of an engine that has not been started.
    pub fn new(launch: &'a Launch, interrupt: &'a AtomicBool) -> Driver<'a> {
        Driver { launch, interrupt, child: None, started: false, took: Duration::ZERO }
    }

    /// Returns how long the engine thought about the last answer; its start does not count.
    pub fn took(&self) -> Duration {
        self.took
    }

    /// Tells a running engine that what follows belongs to another game.
    pub fn new_game(&mut self) {
        if let Some(child) = &mut self.child {
            child.say(&Command::NewGame);
        }
    }

    /// Asks what to play in `game`, which `setup` describes. The engine has the time that `go`
    /// gives for a move, and the time-out.
    ///
    /// # Errors
    /// [`Error::Io`] if the engine's program cannot be started, [`Error::Stopped`] if the user asks
    /// for it.
    pub fn ask(&mut self, game: &Game, setup: &Setup, go: &Go) -> Result<Attempt> {
        self.ask_within(self.launch.timeout + go.movetime.unwrap_or_default(), game, setup, go)
    }

    /// Asks as [`Driver::ask`] does, with another limit. A clock that is to run while the engine
    /// thinks may be read from [`Driver::took`].
    ///
    /// # Errors
    /// As [`Driver::ask`].
    pub fn ask_within(
        &mut self,
        limit: Duration,
        game: &Game,
        setup: &Setup,
        go: &Go,
    ) -> Result<Attempt> {
        self.took = Duration::ZERO;
        if let Some(answer) = self.ensure_running()? {
            return Ok(answer);
        }
        let child = self.child.as_mut().expect("it is running");
        child.forget();
        child.say(&Command::Position(setup.clone()));
        child.say(&Command::Go(go.clone()));
        let asked = Instant::now();
        let answer = self.best_move(limit, game);
        self.took = asked.elapsed();
        match answer {
            Err(Silence::TimedOut) => self.late(game),
            answer => answer.or_else(|silence| self.give_up(&silence)),
        }
    }

    /// Starts the engine if it is not running, so that no clock runs meanwhile.
    ///
    /// # Errors
    /// As [`Driver::ask`], and [`Error::Usage`] if it does not speak the protocol.
    pub fn prepare(&mut self) -> Result<()> {
        let Some(answer) = self.ensure_running()? else { return Ok(()) };
        let command = shown(&self.launch.words.join(" "));
        Err(cannot_start(&format!("`{command}` does not speak the engine protocol: {answer}")))
    }

    /// Starts the engine if it is not running. Returns what to answer if that fails.
    fn ensure_running(&mut self) -> Result<Option<Attempt>> {
        if self.child.is_some() {
            return Ok(None);
        }
        if self.started && !self.launch.restart() {
            return Ok(Some(Attempt::GaveUp));
        }
        self.started = true;
        self.child = Some(Child::start(&self.launch.guard, &self.launch.words)?);
        match self.greet() {
            Ok(()) => Ok(None),
            Err((Silence::TimedOut, asked)) => {
                self.child = None;
                Ok(Some(Attempt::Unresponsive { asked, within: self.launch.startup }))
            }
            Err((silence, _)) => self.give_up(&silence).map(Some),
        }
    }

    /// Exchanges the first words with an engine: who it is, and its options. Of one that is silent
    /// returns what it was asked, too.
    fn greet(&mut self) -> std::result::Result<(), (Silence, &'static str)> {
        self.say(&Command::Uci);
        let mut name = None;
        let mut known = Vec::new();
        self.listen(self.launch.startup, |line| match Reply::parse(line).ok()?? {
            Reply::Name(said) => {
                name = Some(said);
                None
            }
            Reply::Option { name, .. } => {
                known.push(name);
                None
            }
            reply => (reply == Reply::UciOk).then_some(()),
        })
        .map_err(|silence| (silence, "uci"))?;
        let unknown_options = self.set_options(&known);
        self.launch.introduce(Introduction { name, unknown_options });
        self.say(&Command::NewGame);
        self.be_ready(self.launch.startup).map_err(|silence| (silence, "isready"))
    }

    /// Waits until the engine has done all that it was told.
    fn be_ready(&mut self, time: Duration) -> Heard<()> {
        self.say(&Command::IsReady);
        self.listen(time, |line| (Reply::parse(line).ok()?? == Reply::ReadyOk).then_some(()))
    }

    /// Sets the options of an engine that knows options of the names `known`, and returns those that
    /// it does not know.
    fn set_options(&mut self, known: &[String]) -> Vec<String> {
        let launch = self.launch;
        let is_known = |name: &str| known.iter().any(|known| known.eq_ignore_ascii_case(name));
        let sheet = launch.sheet.filter(|_| known.iter().any(|known| known == RULES));
        let sheet = sheet.map(|sheet| (RULES.to_owned(), sheet.to_owned()));
        for (name, value) in sheet.iter().chain(&launch.options) {
            self.say(&Command::SetOption { name: name.clone(), value: Some(value.clone()) });
        }
        let names = launch.options.iter().map(|(name, _)| name);
        names.filter(|name| !is_known(name)).cloned().collect()
    }

    fn say(&mut self, command: &Command) {
        self.child.as_mut().expect("it is running").say(command);
    }

    /// Waits for a `bestmove`, and judges it.
    fn best_move(&mut self, time: Duration, game: &Game) -> Heard<Attempt> {
        self.listen(time, |line| match Reply::parse(line) {
            Ok(Some(Reply::BestMove(best))) => {
                let word = line.split_whitespace().nth(1).unwrap_or_default();
                Some(Attempt::of(game, best, shown(word)))
            }
            Ok(_) => None,
            Err(_) => Some(Attempt::Garbled { said: shown(line) }),
        })
    }

    /// Listens for at most `time`, until a line is `wanted`.
    fn listen<T>(&mut self, time: Duration, mut wanted: impl FnMut(&str) -> Option<T>) -> Heard<T> {
        let child = self.child.as_mut().expect("it is running");
        let until = Instant::now() + time;
        let mut read = 0;
        loop {
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(Silence::Interrupted);
            }
            let (line, taken) = match child.hear(until) {
                Ok(heard) => heard,
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended),
                Err(RecvTimeoutError::Timeout) if Instant::now() < until => continue,
                Err(RecvTimeoutError::Timeout) => return Err(Silence::TimedOut),
            };
            read += taken.max(64);
            if let Some(found) = wanted(&line) {
                return Ok(found);
            }
            if read > MOST_OUTPUT {
                return Err(Silence::Flooded);
            }
            if Instant::now() >= until {
                return Err(Silence::TimedOut);
            }
        }
    }

    /// Time is up. An engine that still says what it would play when asked to stop goes on with the
    /// next position, once it is ready: its own answer and one to `stop` may both be under way. Any
    /// other engine is ended: a later answer of its might belong to either.
    fn late(&mut self, game: &Game) -> Result<Attempt> {
        self.say(&Command::Stop);
        match self.best_move(GRACE, game).and_then(|_| self.be_ready(GRACE)) {
            Ok(()) => {}
            Err(Silence::Interrupted) => return Err(Error::Stopped),
            Err(_) => self.child = None,
        }
        Ok(Attempt::TimedOut)
    }

    /// Ends an engine that is of no use any more.
    fn give_up(&mut self, silence: &Silence) -> Result<Attempt> {
        let attempt = match silence {
            Silence::Interrupted => return Err(Error::Stopped),
            Silence::Ended => {
                let child = self.child.take().expect("it is running");
                let how = child.end().map_err(|why| cannot_start(&why))?;
                return Ok(Attempt::Crashed { how });
            }
            Silence::TimedOut => Attempt::TimedOut,
            Silence::Flooded => Attempt::Flooded,
        };
        self.child = None;
        Ok(attempt)
    }
}

fn cannot_start(why: &str) -> Error {
    Error::Usage(format!("the engine cannot be started: {why}"))
}
