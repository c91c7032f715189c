//! `oware match`: two engines play each other.

mod contestants;
mod recorder;
mod report;
mod schedule;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use oware_db::engine::arena::{Match, Openings, Pace, Sprt, TimeControl};
use oware_db::engine::driver::Launch;
use oware_db::engine::protocol::Go;
use oware_db::error::{Error, Result};
use oware_db::game::Game;
use oware_db::probe::Tables;

use super::input::name;
use super::judging::note_gaps;
use super::options::{DEFAULT_SEEDS, RulesArg, TablesArgs, parse_option};
use super::result_file::ResultFile;
use super::{failure, guard, output, setups};
use contestants::Contestants;
use recorder::Recorder;
use report::MatchReport;
use schedule::{Played, Schedule};

/// What an engine may take beyond its time; more loses the game.
const MARGIN: Duration = Duration::from_millis(500);
/// What the start of an engine may take.
const START: Duration = Duration::from_secs(60);
/// Games to play where nothing says how many.
const USUAL_GAMES: u64 = 100;

/// Let two engines play each other, and measure by how much one is stronger
///
/// Both engines speak the engine protocol. Games come in pairs: an opening, random or from a file, is
/// played twice, with sides swapped. A game ends when a player has 25 seeds, when a position is repeated, as the
/// rule sheet says, or at the cap on moves; an engine that is late, crashes or plays an illegal
/// move loses the game. The start of an engine has its own limit and costs no game: an engine that
/// does not speak the protocol, since it exits at once or babbles, ends the match. What has been played
/// is reported then, and also after Ctrl-C. The score comes with bounds between which the true
/// score lies with 95 % confidence (Wilson's interval).
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware match --engine \"oware engine\" \
                  --engine \"oware engine --no-tables\" --games 100 --movetime 50\n  \
                  oware match --engine ./new --engine ./old --tc 10+0.1 --games 2000 --sprt 0,20\n  \
                  oware match --engine ./new --engine ./old --openings openings.txt --adjudicate")]
pub struct Args {
    #[command(flatten)]
    rules: RulesArg,
    /// Command line of an engine; give two. Words are split as a shell does, nothing is expanded
    #[arg(long = "engine", value_name = "CMD", required = true)]
    engines: Vec<String>,
    /// Games to play; an odd number is rounded up. If left out 100, or with --openings two of each
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
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
    /// games are played: a sequential probability ratio test over pairs of games. A wrong decision
    /// has a probability of 5 %, or of ALPHA where the first difference is true and BETA where the
    /// second is
    #[arg(long, value_name = "ELO,ELO[,ALPHA,BETA]", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Take the openings of a file: positions in any form, perhaps with `moves` and letters, or
    /// letters alone from the beginning, one a line. Each is played with both sides; with more
    /// --games they are played again
    #[arg(long, value_name = "FILE", conflicts_with_all = ["openings_seed", "opening_plies"])]
    openings: Option<PathBuf>,
    /// Seed of the random openings
    #[arg(long, value_name = "S", default_value_t = 1)]
    openings_seed: u64,
    /// Random plies of an opening
    #[arg(long, value_name = "N", default_value_t = 8)]
    opening_plies: u32,
    /// Plies after the opening, at most; what is left is then counted as on a cycle
    #[arg(long, value_name = "N", default_value_t = 400)]
    most_plies: usize,
    /// End a game as soon as the tables know who wins if both play as well as can be: at the
    /// beginning or after a capture, where no earlier position can come back, and by the repetition
    /// rule of the sheet. The record says so
    #[arg(long)]
    adjudicate: bool,
    /// Table directory for --adjudicate, as for `oware query` [env: OWARE_TABLES] [default: tables]
    #[arg(long, value_name = "DIR", requires = "adjudicate")]
    tables: Vec<PathBuf>,
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
        let terms = self.terms()?;
        let tables = if self.adjudicate { Some(self.judges()?) } else { None };
        let recorder = ResultFile::open_any(self.record.as_deref())?
            .map(|file| Recorder::new(self.rules.rules, file));
        let played = Played::new(Contestants::new(self.engines.clone()), recorder);
        let schedule = Schedule::new(&terms, &launches, self.games(&terms), played)
            .with_test(self.sprt)
            .with_tables(tables);
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
        let planned = self.games(terms);
        let openings = self.openings.as_deref().map(name);
        let report =
            MatchReport::new(terms, played, planned, trouble.as_ref(), self.sprt, openings);
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
            Some(_) => Err("the game is over there; leave it out".to_owned()),
        };
        let setups = setups::read(file, self.rules.rules, goes_on)?;
        if setups.is_empty() {
            return Err(Error::Usage(format!("{}: there is no opening in it", name(file))));
        }
        Ok(Openings::Given(setups))
    }

    fn terms(&self) -> Result<Match> {
        Ok(Match {
            rules: self.rules.rules,
            openings: self.openings()?,
            pace: Pace {
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
        let launch = Launch::new(command)?
            .with_options(self.options.clone())
            .with_rules(self.rules.rules)
            .with_startup(START)
            .with_restarts(u32::MAX);
        guard::guarded(launch)
    }

    fn go(&self) -> Go {
        let limited = self.depth.is_some() || self.nodes.is_some() || self.tc.is_some();
        let movetime = self.movetime.or((!limited).then_some(100)).map(Duration::from_millis);
        Go { depth: self.depth, nodes: self.nodes, movetime, ..Go::default() }
    }
}
