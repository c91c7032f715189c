//! `oware verify --engine`: a live engine is asked for moves, and they are judged.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use indicatif::ProgressBar;

use crate::engine::driver::{Attempt, Driver, Launch};
use crate::engine::protocol::{Go, Setup};
use crate::engine::search::Endgames;
use crate::error::{Error, Result};
use crate::game::{Rules, Seeds};
use crate::probe::{Prober, Tables};
use crate::verify::sample::Sample;
use crate::verify::{Judge, Location, Overruns, Report};

use crate::cli::judging::note_gaps;
use crate::cli::options::{DEFAULT_SEEDS, parse_option, parse_seeds};
use crate::cli::{guard, interrupt, output, progress, setups, threads};

/// Mishaps that are reported one by one.
const REPORTED: u32 = 10;

/// What to ask an engine, and how.
#[derive(clap::Args)]
#[command(next_help_heading = "With --engine")]
#[group(skip)]
pub struct Args {
    /// File of positions to ask about, one per line, in any notation
    ///
    /// Append `moves` and letters if history matters. Letters alone are moves from the initial
    /// position.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sample", "seed", "seeds", "games"])]
    pub positions: Option<PathBuf>,
    /// Number of positions to draw
    ///
    /// Half come from the layers, each layer equally often, half from games of random moves.
    #[arg(long, value_name = "N", default_value_t = 1000, conflicts_with = "games")]
    sample: u64,
    /// Random seed for --sample
    #[arg(long, value_name = "S", default_value_t = 1, conflicts_with = "games")]
    seed: u64,
    /// Largest layer to draw from [default: all that the tables cover]
    #[arg(long, value_name = "K", value_parser = parse_seeds, conflicts_with = "games")]
    seeds: Option<Seeds>,
    /// Search limit: `depth N`, `movetime MS` or `nodes N`
    #[arg(long, value_name = "LIMIT", default_value = "depth 1", value_parser = parse_limit,
          conflicts_with = "games")]
    go: Go,
    /// Milliseconds by which the engine may exceed its time
    #[arg(long, value_name = "MS", default_value_t = 5000, conflicts_with = "games")]
    timeout: u64,
    /// Milliseconds that the engine may take to start
    #[arg(long, value_name = "MS", default_value_t = 60_000, conflicts_with = "games")]
    start_timeout: u64,
    /// Maximum number of restarts after the engine has died
    #[arg(long, value_name = "N", default_value_t = 10, conflicts_with = "games")]
    restarts: u32,
    /// Set an engine option; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    #[arg(conflicts_with = "games")]
    options: Vec<(String, String)>,
    /// Number of engines to run at the same time
    #[arg(long, value_name = "N", default_value = "1", conflicts_with = "games")]
    concurrency: NonZeroUsize,
}

/// Reads the value of `--go`.
fn parse_limit(text: &str) -> std::result::Result<Go, String> {
    let go: Go = text.parse().map_err(|error: Error| error.to_string())?;
    if go.infinite || go.ponder {
        return Err(
            "nothing would stop the engine; use `depth N`, `movetime MS` or `nodes N`".to_owned()
        );
    }
    Ok(go)
}

/// Positions by their numbers: the lines of a file, or what is drawn.
struct Positions {
    count: u64,
    get: Box<dyn Fn(u64) -> Setup + Sync>,
}

impl Args {
    /// Asks the engine, and reports what its moves are worth, and what put an end to it before the
    /// last position; `worst` cases are kept.
    pub fn report(
        &self,
        command: &str,
        tables: &Tables,
        rules: &'static Rules,
        worst: usize,
    ) -> Result<(Report, Result<()>)> {
        let launch = Launch {
            options: self.options.clone(),
            sheet: Some(rules.id),
            startup: Duration::from_millis(self.start_timeout),
            timeout: Duration::from_millis(self.timeout),
            restarts: self.restarts.into(),
            ..Launch::new(command)?
        };
        note_gaps(tables, rules)?;
        let positions = self.positions(tables, rules)?;
        let source =
            self.positions.as_ref().map_or("sample".to_owned(), |file| file.display().to_string());
        let mut empty = Report::new(rules, vec![source], worst);
        empty.unit = "position";
        empty.overruns = self.go.nodes.map(|nodes| Overruns {
            limit: format!("go{}", self.go),
            most_ms: most_time(nodes).as_millis() as u64,
            answers: 0,
        });
        let interview = Interview {
            positions: &positions,
            tables,
            rules,
            go: &self.go,
            launch: &guard::guarded(launch)?,
            empty,
            interrupt: &interrupt::flag(),
            next: AtomicU64::new(0),
            mishaps: AtomicU32::new(0),
            bar: progress::count(positions.count, "positions"),
        };
        let (mut report, done) = interview.run(self.concurrency);
        let lines = report.add_lines(&mut Judge::new(Prober::new(tables, rules)));
        Ok((report, done.and(lines)))
    }

    fn positions(&self, tables: &Tables, rules: &'static Rules) -> Result<Positions> {
        if let Some(file) = &self.positions {
            let setups = setups::read(file, rules, |_| Ok(()))?;
            let count = setups.len() as u64;
            return Ok(Positions { count, get: Box::new(move |at| setups[at as usize].clone()) });
        }
        let known = Endgames::new(Some(tables), rules).range();
        let most = self.seeds.or(known).unwrap_or(DEFAULT_SEEDS);
        if known < Some(most) {
            return Err(tables.missing(rules, most));
        }
        if most == Seeds::ZERO {
            return Err(Error::Usage(
                "without seeds there is nothing to play; use --seeds 1 or more".to_owned(),
            ));
        }
        let sample = Sample { rules, most, seed: self.seed };
        Ok(Positions { count: self.sample, get: Box::new(move |number| sample.draw(number)) })
    }
}

/// The time in which the slowest engines visit this many positions: ten thousand a second, and half
/// a second for everything else.
fn most_time(nodes: u64) -> Duration {
    Duration::from_millis(500) + Duration::from_micros(nodes.saturating_mul(100))
}

/// All that is asked of an engine.
struct Interview<'a> {
    positions: &'a Positions,
    tables: &'a Tables,
    rules: &'static Rules,
    go: &'a Go,
    launch: &'a Launch,
    /// A report with nothing in it.
    empty: Report,
    interrupt: &'a AtomicBool,
    next: AtomicU64,
    /// Number of answers that are not moves.
    mishaps: AtomicU32,
    bar: ProgressBar,
}

impl Interview<'_> {
    fn run(&self, concurrency: NonZeroUsize) -> (Report, Result<()>) {
        let parts = threads::together(concurrency.get(), || self.work());
        self.bar.finish_and_clear();
        guard::note_unknown_options(self.launch, "the engine");
        let more = self.mishaps.load(Ordering::Relaxed).saturating_sub(REPORTED);
        if more > 0 {
            output::note(&format!("... and {more} more"));
        }
        let none = (self.empty.clone(), Ok(()));
        parts.into_iter().fold(none, |(all, done), (part, also)| (all.merge(part), done.and(also)))
    }

    /// Asks as long as there is something to ask, with an engine of its own. Returns what it has
    /// come to, also if something goes wrong.
    fn work(&self) -> (Report, Result<()>) {
        let mut report = self.empty.clone();
        let mut engine = Driver::new(self.launch, self.interrupt);
        let mut judge = Judge::new(Prober::new(self.tables, self.rules));
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.positions.count {
                return (report, Ok(()));
            }
            if let Err(error) = self.ask(number, &mut engine, &mut judge, &mut report) {
                // The other workers need not go on.
                self.next.store(self.positions.count, Ordering::Relaxed);
                return (report, Err(error));
            }
            report.games += 1;
            self.bar.inc(1);
        }
    }

    fn ask(
        &self,
        number: u64,
        engine: &mut Driver,
        judge: &mut Judge,
        report: &mut Report,
    ) -> Result<()> {
        let setup = (self.positions.get)(number);
        let game = setup.game(self.rules)?;
        if game.over().is_some() {
            return Ok(());
        }
        let answer = engine.ask(&game, &setup, self.go)?;
        if let Some(overruns) = &mut report.overruns {
            let is_late = engine.took() > Duration::from_millis(overruns.most_ms);
            overruns.answers += u64::from(is_late);
        }
        match &answer {
            Attempt::Move(house) => {
                let location =
                    Location { source: 0, game: number as usize + 1, ply: setup.moves.len() + 1 };
                report.add(game.position(), *house, location, &judge.judge(&game, *house)?);
                return Ok(());
            }
            Attempt::NoMove
            | Attempt::ClaimsEnd
            | Attempt::Illegal { .. }
            | Attempt::Garbled { .. } => report.illegal += 1,
            Attempt::TimedOut | Attempt::Unresponsive { .. } | Attempt::Flooded => {
                report.timeouts += 1
            }
            Attempt::Crashed { .. } | Attempt::GaveUp => report.crashes += 1,
        }
        if self.mishaps.fetch_add(1, Ordering::Relaxed) < REPORTED {
            let mishap = format!("position {}, {}: {}", number + 1, game.position(), answer);
            self.bar.suspend(|| output::note(&mishap));
        }
        Ok(())
    }
}
