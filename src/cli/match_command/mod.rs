//! `oware match`: two engines play each other.

mod recorder;
mod report;
mod schedule;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use oware_db::engine::arena::{Match, Pace, Sprt, TimeControl};
use oware_db::engine::driver::Launch;
use oware_db::engine::protocol::Go;
use oware_db::error::{Error, Result};

use super::options::{RulesArg, parse_option};
use super::result_file::ResultFile;
use super::{failure, guard, output};
use recorder::Recorder;
use report::{Contestants, MatchReport};
use schedule::{Played, Schedule};

/// What an engine may take beyond its time; more loses the game.
const MARGIN: Duration = Duration::from_millis(500);
/// What the start of an engine may take.
const START: Duration = Duration::from_secs(60);

/// Let two engines play each other, and measure by how much one is stronger
///
/// Both engines speak the engine protocol. Games come in pairs: a random opening is played twice,
/// with sides swapped. A game ends when a player has 25 seeds, when a position is repeated, as the
/// rule sheet says, or at the cap on moves; an engine that is late, crashes or plays an illegal
/// move loses the game. The start of an engine has its own limit and costs no game: an engine that
/// does not speak the protocol, since it exits at once or babbles, ends the match. What has been played
/// is reported then, and also after Ctrl-C. The score comes with bounds between which the true
/// score lies with 95 % confidence (Wilson's interval).
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware match --engine \"oware engine\" \
                  --engine \"oware engine --no-tables\" --games 100 --movetime 50\n  \
                  oware match --engine ./new --engine ./old --tc 10+0.1 --games 2000 --sprt 0,20")]
pub struct Args {
    #[command(flatten)]
    rules: RulesArg,
    /// Command line of an engine; give two. Words are split as a shell does, nothing is expanded
    #[arg(long = "engine", value_name = "CMD", required = true)]
    engines: Vec<String>,
    /// Games to play; an odd number is rounded up
    #[arg(long, value_name = "N", default_value_t = 100)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Milliseconds for a move; 100 if nothing else limits it
    #[arg(long, value_name = "MS", conflicts_with_all = ["depth", "nodes", "tc"])]
    movetime: Option<u64>,
    /// Plies to look ahead, instead of a time
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Positions to visit for a move, instead of a time
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// A clock for each game: seconds, and what each move adds
    #[arg(long, value_name = "SECONDS[+SECONDS]")]
    tc: Option<TimeControl>,
    /// Stop as soon as it is clear which of two Elo differences the first engine has, or when all
    /// games are played (sequential probability ratio test, 5 % error)
    #[arg(long, value_name = "ELO,ELO", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Seed of the random openings
    #[arg(long, value_name = "S", default_value_t = 1)]
    openings_seed: u64,
    /// Random plies of an opening
    #[arg(long, value_name = "N", default_value_t = 8)]
    opening_plies: u32,
    /// Plies after the opening, at most; what is left is then counted as on a cycle
    #[arg(long, value_name = "N", default_value_t = 400)]
    most_plies: usize,
    /// Milliseconds to wait for a move where no time is set, as with --depth
    #[arg(long, value_name = "MS", default_value_t = 60_000, conflicts_with_all = ["movetime", "tc"])]
    timeout: u64,
    /// Set an option of both engines
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// Write the games in OGN, for `oware verify --games` and others, each as soon as it is over
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Games played at the same time
    #[arg(long, value_name = "N", default_value = "1")]
    concurrency: NonZeroUsize,
}

impl Args {
    /// Plays the match.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        let [first, second] = &self.engines[..] else {
            return Err(Error::Usage("a match has two engines; give --engine twice".to_owned()));
        };
        let launches = [self.launch(first)?, self.launch(second)?];
        let terms = self.terms();
        let recorder = ResultFile::open_any(self.record.as_deref())?
            .map(|file| Recorder::new(self.rules.rules, file));
        let played = Played::new(Contestants::new(self.engines.clone()), recorder);
        let schedule = Schedule::new(&terms, &launches, self.games(), self.sprt, played);
        self.report(&terms, schedule.play(self.concurrency), json)
    }

    /// Writes and prints what has been played, though not all of that may succeed. Returns the code
    /// of what went wrong first.
    fn report(&self, terms: &Match, mut played: Played, json: bool) -> Result<ExitCode> {
        let recorded = played.recorder.take().map_or(Ok(()), Recorder::finish);
        let trouble = played.trouble.take();
        if played.games.is_empty()
            && let Some(error) = trouble
        {
            return Err(error);
        }
        played.contestants.note_unknown_options();
        let report = MatchReport::new(terms, played, self.games(), trouble.as_ref(), self.sprt);
        let printed = output::dear_result(json, &report, MatchReport::text);
        Ok(failure::report_all([trouble.map_or(Ok(()), Err), recorded, printed]))
    }

    /// Returns how many games are to be played: whole pairs.
    fn games(&self) -> u64 {
        u64::from(self.games).next_multiple_of(2)
    }

    fn terms(&self) -> Match {
        Match {
            rules: self.rules.rules,
            seed: self.openings_seed,
            opening: self.opening_plies,
            pace: Pace {
                go: self.go(),
                control: self.tc,
                margin: MARGIN,
                timeout: Duration::from_millis(self.timeout),
            },
            most_plies: self.most_plies,
        }
    }

    /// Returns how to start an engine: again for each game, should that be necessary.
    fn launch(&self, command: &str) -> Result<Launch> {
        let launch = Launch::new(command)?
            .with_options(self.options.clone())
            .with_rules(self.rules.rules)
            .with_startup(START)
            .with_restarts(self.games.saturating_add(1));
        guard::guarded(launch)
    }

    fn go(&self) -> Go {
        let limited = self.depth.is_some() || self.nodes.is_some() || self.tc.is_some();
        let movetime = self.movetime.or((!limited).then_some(100)).map(Duration::from_millis);
        Go { depth: self.depth, nodes: self.nodes, movetime, ..Go::default() }
    }
}
