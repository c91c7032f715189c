//! `oware match`: two engines play each other.

mod recorder;
mod report;
mod schedule;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crate::engine::arena::{Match, Openings, PlayingSpeed, Sprt, TimeControl};
use crate::engine::driver::Launch;
use crate::engine::protocol::Go;
use crate::error::{Error, Result};
use crate::game::Game;
use crate::probe::Tables;

use super::input::name;
use super::judging::note_gaps;
use super::options::{DEFAULT_SEEDS, RulesArg, TablesArgs, parse_option};
use super::result_file::{ResultFile, keep_apart};
use super::{failure, guard, output, setups};
use recorder::Recorder;
use report::MatchReport;
use schedule::{Played, Schedule};

/// What an engine may take beyond its time; more loses the game.
const MARGIN: Duration = Duration::from_millis(500);
/// Games to play where nothing says how many.
const USUAL_GAMES: u64 = 100;

/// Play a match between two engines and measure how much stronger one is
///
/// Both engines speak the engine protocol. Games come in pairs: each opening, random or from a
/// file, is played twice, with sides swapped. A game ends when a player has 25 seeds, when a
/// position repeats (if the rule sheet says so), or after --most-plies. An engine that is late,
/// crashes or plays an illegal move loses the game. Starting an engine has its own time limit and
/// costs no game; an engine that exits at once or does not speak the protocol ends the match. The
/// games played until then are reported, as they are after Ctrl-C. The score comes with its 95 %
/// confidence interval (Wilson).
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware match --engine \"oware engine\" \
                  --engine \"oware engine --no-tables\" --games 100 --movetime 50\n  \
                  oware match --engine ./new --engine ./old --tc 10+0.1 --games 2000 --sprt 0,20\n  \
                  oware match --engine ./new --engine ./old --openings openings.txt --adjudicate")]
pub struct Args {
    #[command(flatten)]
    rules: RulesArg,
    /// Engine command, split into words as a shell does, without expansion; give two
    #[arg(long = "engine", value_name = "CMD", required = true)]
    engines: Vec<String>,
    /// Number of games, rounded up to an even number [default: 100; with --openings: two per
    /// opening]
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Milliseconds per move [default: 100 unless another limit is set]
    #[arg(long, value_name = "MS", conflicts_with_all = ["depth", "nodes", "tc"])]
    movetime: Option<u64>,
    /// Search depth in plies, instead of a time
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Positions to visit per move, instead of a time
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Clock for each game: seconds, plus an increment per move
    #[arg(long, value_name = "SECONDS[+SECONDS]")]
    tc: Option<TimeControl>,
    /// Stop once it is clear which of two Elo differences holds for the first engine
    ///
    /// This is a sequential probability ratio test over pairs of games. The probability of a wrong
    /// decision is 0.05, or ALPHA if the first difference is true and BETA if the second is.
    #[arg(long, value_name = "ELO,ELO[,ALPHA,BETA]", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// File of openings, one per line: positions or letters of moves
    ///
    /// A position, in any notation, may be followed by `moves` and letters; letters alone are
    /// moves from the initial position. Each opening is played with both sides, and again if
    /// --games asks for more.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["openings_seed", "opening_plies"])]
    openings: Option<PathBuf>,
    /// Random seed for the openings
    #[arg(long, value_name = "S", default_value_t = 1)]
    openings_seed: u64,
    /// Random plies per opening, or fewer where random games end before
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(..=100))]
    opening_plies: u32,
    /// Maximum plies after the opening; the remaining seeds then count as in a cycle
    #[arg(long, value_name = "N", default_value_t = 400)]
    most_plies: usize,
    /// End a game when the tables know the winner under perfect play
    ///
    /// That is at the start or after a capture, when no earlier position can recur, and by the
    /// repetition rule of the rule sheet. The record notes it.
    #[arg(long)]
    adjudicate: bool,
    /// Table directory for --adjudicate, as in `oware query` [env: OWARE_TABLES] [default: tables]
    #[arg(long, value_name = "DIR", requires = "adjudicate")]
    tables: Vec<PathBuf>,
    /// Milliseconds to wait for a move if no time is set, e.g. with --depth
    #[arg(long, value_name = "MS", default_value_t = 60_000, conflicts_with_all = ["movetime", "tc"])]
    timeout: u64,
    /// Set an option of both engines; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// Write each game to this file in OGN as soon as it is over, e.g. for `oware verify --games`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Number of games to play at the same time
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
        let terms = self.terms()?;
        keep_apart(&[self.record.as_ref()], &self.openings.iter().collect::<Vec<_>>())?;
        let tables = if self.adjudicate { Some(self.judges()?) } else { None };
        let file = self.record.as_deref().map(ResultFile::open).transpose()?;
        let recorder = file.map(|file| Recorder::new(self.rules.rules, file));
        let mut schedule = Schedule::new(&terms, &launches, self.games(&terms), recorder);
        (schedule.sprt, schedule.tables) = (self.sprt, tables);
        let played = schedule.play(self.concurrency);
        self.report(&terms, launches, played, json)
    }

    /// Writes and prints what has been played, though not all of that may succeed. Returns the code
    /// of what went wrong first.
    fn report(
        &self,
        terms: &Match,
        launches: [Launch; 2],
        mut played: Played,
        json: bool,
    ) -> Result<ExitCode> {
        let recorded = played.recorder.take().map_or(Ok(()), Recorder::finish);
        let trouble = played.trouble.take();
        if played.games.is_empty()
            && let Some(error) = trouble
        {
            return Err(error);
        }
        for (launch, engine) in launches.iter().zip(["engine 1", "engine 2"]) {
            guard::note_unknown_options(launch, engine);
        }
        let mut report = MatchReport::new(terms, launches, played, self.games(terms), self.sprt);
        report.openings = self.openings.as_deref().map(name);
        report.cut_short = trouble.as_ref().map(Error::to_string);
        let printed = output::dear_result(json, &report, MatchReport::text);
        Ok(failure::report_all([trouble.map_or(Ok(()), Err), recorded, printed]))
    }

    /// Returns how many games are to be played: whole pairs.
    fn games(&self, terms: &Match) -> u64 {
        let usual = match &terms.openings {
            Openings::Drawn { .. } => USUAL_GAMES,
            Openings::Given(setups) => 2 * setups.len() as u64,
        };
        self.games.map_or(usual, u64::from).next_multiple_of(2)
    }

    /// Opens the tables that end games. There must be some.
    fn judges(&self) -> Result<Tables> {
        let (rules, tables) = (self.rules.rules, TablesArgs::or_usual(self.tables.clone()).open()?);
        match tables.available(rules)?.is_empty() {
            true => Err(tables.missing(rules, DEFAULT_SEEDS)),
            false => note_gaps(&tables, rules).map(|()| tables),
        }
    }

    fn openings(&self) -> Result<Openings> {
        let Some(file) = &self.openings else {
            return Ok(Openings::Drawn { seed: self.openings_seed, plies: self.opening_plies });
        };
        let goes_on = |game: &Game| match game.over() {
            None => Ok(()),
            Some(_) => Err("the game is already over there; remove it".to_owned()),
        };
        let setups = setups::read(file, self.rules.rules, goes_on)?;
        if setups.is_empty() {
            return Err(Error::Usage(format!("{}: it contains no opening", name(file))));
        }
        Ok(Openings::Given(setups))
    }

    fn terms(&self) -> Result<Match> {
        Ok(Match {
            rules: self.rules.rules,
            openings: self.openings()?,
            pace: PlayingSpeed {
                go: self.go(),
                control: self.tc,
                margin: MARGIN,
                timeout: Duration::from_millis(self.timeout),
            },
            most_plies: self.most_plies,
        })
    }

    /// Returns how to start an engine: again for each game, should that be necessary.
    fn launch(&self, command: &str) -> Result<Launch> {
        guard::guarded(Launch {
            options: self.options.clone(),
            sheet: Some(self.rules.rules.id),
            restarts: u32::MAX.into(),
            ..Launch::new(command)?
        })
    }

    fn go(&self) -> Go {
        let limited = self.depth.is_some() || self.nodes.is_some() || self.tc.is_some();
        let movetime = self.movetime.or((!limited).then_some(100)).map(Duration::from_millis);
        Go { depth: self.depth, nodes: self.nodes, movetime, ..Go::default() }
    }
}
