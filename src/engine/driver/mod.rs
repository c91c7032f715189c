//! Driving an engine: a child process that speaks [`crate::engine::protocol`], and need not mean well.
//!
//! Whatever an engine does is an [`Answer`]: time-outs, crashes, illegal moves, garbage, endless
//! output and silence are values, not errors. An engine that has died or does not listen any more is
//! started again, as often as the [`Launch`] allows.
//!
//! What is bounded: the time for each step, the length of a line
//! ([`LONGEST_LINE`](crate::engine::protocol::LONGEST_LINE)), the output that is read for one answer
//! ([`MOST_OUTPUT`]) and that waits to be read, and what waits to be written. What an engine writes to
//! standard error is dropped.
//!
//! # No child survives
//!
//! * A child that is dropped is told to quit, and killed a moment later. On Unix it leads a process
//!   group of its own, and the group is killed, so that scripts take their engines with them.
//! * If *we* are killed, the kernel kills the child, on Linux, if it was started by way of a
//!   [guard](Launch::guarded): a process that asks for that and then becomes the engine. Elsewhere,
//!   and for what the child has started itself, there is only the end of its input, which makes an
//!   engine that keeps the protocol quit.

mod child;
mod guard;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

pub use guard::become_guarded;

use crate::engine::protocol::{Best, Command, Go, Reply, Setup, shown};
use crate::error::{Error, Result};
use crate::game::{Game, House, Rules};
use child::{Child, Heard};

/// Bytes that an engine may write for one answer, a line counting as 64 at least.
pub const MOST_OUTPUT: usize = 16 << 20;

/// How long an engine that has been told to stop may take to say what it would play.
const GRACE: Duration = Duration::from_millis(500);

/// The option of engines that know several sheets.
const RULES: &str = "Rules";

/// How to start an engine and what to expect of it.
#[derive(Debug)]
pub struct Launch {
    words: Vec<String>,
    guard: Vec<String>,
    options: Vec<(String, String)>,
    sheet: Option<&'static str>,
    timeout: Duration,
    /// Starts that are left.
    restarts: AtomicU32,
}

impl Launch {
    /// An engine that is started by this command line, its words split as a shell splits them
    /// (quotes and backslashes; nothing is expanded). It has ten seconds for an answer beyond the
    /// time it was told to think, and is not started again.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no command, or a quote that does not end.
    pub fn new(command: &str) -> Result<Launch> {
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let words = words
            .ok_or_else(|| Error::Usage(format!("`{}` is no command line", shown(command))))?;
        Ok(Launch {
            words,
            guard: Vec::new(),
            options: Vec::new(),
            sheet: None,
            timeout: Duration::from_secs(10),
            restarts: AtomicU32::new(0),
        })
    }

    /// Starts the engine by a program that calls [`become_guarded`] with the words that follow
    /// `guard`.
    pub fn guarded(self, guard: Vec<String>) -> Launch {
        Launch { guard, ..self }
    }

    /// Sets options of the engine, names and values, whenever it is started.
    pub fn with_options(self, options: Vec<(String, String)>) -> Launch {
        Launch { options, ..self }
    }

    /// Has the engine play by a sheet, if it has an option `Rules`.
    pub fn with_rules(self, rules: &'static Rules) -> Launch {
        Launch { sheet: Some(rules.id), ..self }
    }

    /// Waits so long for an answer, beyond the time that the engine was told to think.
    pub fn with_timeout(self, timeout: Duration) -> Launch {
        Launch { timeout, ..self }
    }

    /// Starts the engine so often again, over all of its [`Driver`]s.
    pub fn with_restarts(self, restarts: u32) -> Launch {
        Launch { restarts: AtomicU32::new(restarts), ..self }
    }

    /// How often it may still be started again.
    pub fn restarts_left(&self) -> u32 {
        self.restarts.load(Ordering::Relaxed)
    }

    /// Takes a restart, if one is left.
    fn restart(&self) -> bool {
        self.restarts
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
            .is_ok()
    }
}

/// What an engine made of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A legal move.
    Move(House),
    /// It says that there is no move; so it is.
    NoMove,
    /// A move that is not legal, or none where there is one.
    Illegal {
        /// What it said.
        said: String,
    },
    /// A `bestmove` that cannot be read.
    Garbled {
        /// What it said.
        said: String,
    },
    /// Nothing in time.
    TimedOut,
    /// So much output that nobody reads on.
    Flooded,
    /// It ended, or closed its output.
    Crashed {
        /// How it ended.
        how: String,
    },
    /// It has ended, and may not be started again.
    GaveUp,
}

/// An engine that is driven. It is started when it is first needed.
#[derive(Debug)]
pub struct Driver<'a> {
    launch: &'a Launch,
    /// Asks for an end of everything, from another thread.
    interrupt: &'a AtomicBool,
    child: Option<Child>,
    started: bool,
    name: Option<String>,
}

/// What an engine was heard to say, or why not; the outer failure is ours.
type Listened<T> = Result<std::result::Result<T, Trouble>>;

/// What keeps an engine from going on.
enum Trouble {
    TimedOut,
    Flooded,
    Ended,
}

impl<'a> Driver<'a> {
    /// An engine that has not been started.
    pub fn new(launch: &'a Launch, interrupt: &'a AtomicBool) -> Driver<'a> {
        Driver { launch, interrupt, child: None, started: false, name: None }
    }

    /// What the engine calls itself, if it has been started and said so.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Says that what comes belongs to another game, if the engine is running.
    pub fn new_game(&mut self) {
        if let Some(child) = &mut self.child {
            child.say(&Command::NewGame);
        }
    }

    /// Asks what to play in `game`, which `setup` describes.
    ///
    /// # Errors
    /// [`Error::Io`] if the engine's program cannot be started, [`Error::Stopped`] if that is
    /// asked for.
    pub fn ask(&mut self, game: &Game, setup: &Setup, go: &Go) -> Result<Answer> {
        if let Some(answer) = self.ensure_running()? {
            return Ok(answer);
        }
        let child = self.child.as_mut().expect("it is running");
        child.forget();
        child.say(&Command::Position(setup.clone()));
        child.say(&Command::Go(go.clone()));
        let time = self.launch.timeout + go.movetime.unwrap_or_default();
        match self.best_move(time)? {
            Ok(Ok(best)) => Ok(judge(game, best)),
            Ok(Err(said)) => Ok(Answer::Garbled { said }),
            Err(Trouble::TimedOut) => self.late(),
            Err(trouble) => self.dead(&trouble),
        }
    }

    /// Starts the engine if need be; an answer if that comes to nothing.
    fn ensure_running(&mut self) -> Result<Option<Answer>> {
        if self.child.is_some() {
            return Ok(None);
        }
        if self.started && !self.launch.restart() {
            return Ok(Some(Answer::GaveUp));
        }
        self.started = true;
        self.child = Some(Child::start(&self.launch.guard, &self.launch.words)?);
        match self.greet()? {
            Ok(()) => Ok(None),
            Err(trouble) => self.dead(&trouble).map(Some),
        }
    }

    /// The first words with an engine: who it is, and its options.
    fn greet(&mut self) -> Listened<()> {
        self.say(&Command::Uci);
        let (mut name, mut sheet) = (None, None);
        let known = self.listen(self.launch.timeout, |reply| match reply {
            Reply::Name(said) => {
                name = Some(said);
                None
            }
            Reply::Option { name, .. } => {
                sheet = sheet.take().or((name == RULES).then_some(name));
                None
            }
            reply => (reply == Reply::UciOk).then_some(()),
        })?;
        if let Err(trouble) = known {
            return Ok(Err(trouble));
        }
        self.name = name.or(self.name.take());
        let launch = self.launch;
        let sheet = sheet.zip(launch.sheet.map(str::to_owned));
        for (name, value) in sheet.iter().chain(&launch.options) {
            self.say(&Command::SetOption { name: name.clone(), value: Some(value.clone()) });
        }
        self.say(&Command::NewGame);
        self.say(&Command::IsReady);
        self.listen(self.launch.timeout, |reply| (reply == Reply::ReadyOk).then_some(()))
    }

    fn say(&mut self, command: &Command) {
        self.child.as_mut().expect("it is running").say(command);
    }

    /// Waits for a `bestmove`; the inner error is one that cannot be read.
    #[allow(clippy::type_complexity)]
    fn best_move(
        &mut self,
        time: Duration,
    ) -> Result<std::result::Result<std::result::Result<Best, String>, Trouble>> {
        self.listen_to_lines(time, |line| match Reply::parse(line) {
            Ok(Some(Reply::BestMove(best))) => Some(Ok(best)),
            Ok(_) => None,
            Err(_) => Some(Err(shown(line))),
        })
    }

    fn listen<T>(
        &mut self,
        time: Duration,
        mut wanted: impl FnMut(Reply) -> Option<T>,
    ) -> Listened<T> {
        self.listen_to_lines(time, |line| Reply::parse(line).ok().flatten().and_then(&mut wanted))
    }

    /// Listens for so long at most, until a line is one that was wanted.
    fn listen_to_lines<T>(
        &mut self,
        time: Duration,
        mut wanted: impl FnMut(&str) -> Option<T>,
    ) -> Listened<T> {
        let (child, until) = (self.child.as_mut().expect("it is running"), Instant::now() + time);
        let mut read = 0;
        loop {
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(Error::Stopped);
            }
            let (line, taken) = match child.hear(until) {
                Heard::Line(line, taken) => (line, taken),
                Heard::Nothing if Instant::now() >= until => return Ok(Err(Trouble::TimedOut)),
                Heard::Nothing => continue,
                Heard::End => return Ok(Err(Trouble::Ended)),
            };
            read += taken.max(64);
            if let Some(found) = wanted(&line) {
                return Ok(Ok(found));
            }
            if read > MOST_OUTPUT {
                return Ok(Err(Trouble::Flooded));
            }
            if Instant::now() >= until {
                return Ok(Err(Trouble::TimedOut));
            }
        }
    }

    /// Time is up. An engine that still says what it would play when told to stop goes on with the
    /// next position; no other answer of its can be told from one to that.
    fn late(&mut self) -> Result<Answer> {
        self.say(&Command::Stop);
        if self.best_move(GRACE)?.is_err() {
            self.child = None;
        }
        Ok(Answer::TimedOut)
    }

    /// The engine is of no use any more.
    fn dead(&mut self, trouble: &Trouble) -> Result<Answer> {
        let child = self.child.take();
        Ok(match trouble {
            Trouble::TimedOut => Answer::TimedOut,
            Trouble::Flooded => Answer::Flooded,
            Trouble::Ended => {
                let ending = child.map(Child::end);
                if let Some(why) = ending.as_ref().and_then(|ending| ending.unstartable.clone()) {
                    return Err(Error::Usage(format!("the engine cannot be started: {why}")));
                }
                Answer::Crashed { how: ending.map_or(String::new(), |ending| ending.how) }
            }
        })
    }
}

/// Whether what the engine wants can be played.
fn judge(game: &Game, best: Best) -> Answer {
    let over = || crate::game::legal_moves(game.rules(), game.board()).is_empty();
    match best.ply {
        None if over() => Answer::NoMove,
        None => Answer::Illegal { said: best.to_string() },
        Some(ply) if ply.seat == game.seat() && game.find(ply.house).is_some() => {
            Answer::Move(ply.house)
        }
        Some(ply) => Answer::Illegal { said: ply.to_string() },
    }
}
