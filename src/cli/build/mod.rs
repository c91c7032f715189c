//! `oware build`: makes the tables of a sheet, fewest seeds first.

mod backlog;
mod checkpoints;
mod coders;
mod forecast;
pub mod general;
mod layer_store;
mod lock;
mod means;
mod pipeline;
mod progress;
mod publisher;
mod remedy;
mod repair;
mod report;
mod speed;
mod wanted;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use oware_db::error::{Error, Result};
use oware_db::game::Seeds;
use oware_db::probe::Tables;
use oware_db::solver::{Kernel, Solver};
use oware_db::table::WriteOptions;

use super::options::{DEFAULT_SEEDS, RulesArg, open_tables, parse_bytes, tables_dir};
use super::output;
use checkpoints::Checkpoints;
use forecast::{Forecast, Foretold, absent, with_possible};
use layer_store::LayerStore;
use lock::Lock;
use means::{Extent, Means};
use pipeline::{Output, Pipeline};
use progress::Progress;
use repair::Damaged;
use report::{BuildReport, LayerFields};
use wanted::Wanted;

pub use remedy::remedy;

/// Build the tables of a sheet, from no seeds up to a number of seeds
///
/// Says first what it will need. Layers that have a table are kept, so an interrupted build goes
/// on where it was. A table that turns out to be damaged ends the build; --repair replaces it. One
/// directory may hold the tables of several sheets.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware build\n  \
                  oware build --rules plain --seeds 15 --tables tables --memory 8G\n  \
                  oware build --seeds max --dry-run\n  \
                  oware build --repair")]
pub struct Args {
    #[command(flatten)]
    rules: RulesArg,
    /// Seeds of the largest layer, at most 48, or `max` for as many as memory and disk suffice for;
    /// 12 if left out, with --repair as many as there are tables for
    #[arg(long, value_name = "N", value_parser = means::parse_extent)]
    seeds: Option<Extent>,
    /// Directory of the tables, made if it is missing; what the environment has as OWARE_TABLES if
    /// left out, else `tables`
    #[arg(long, alias = "out", value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Nam Nam (`--rules nam-nam`): who owns which houses; six each if left out
    #[arg(long, value_name = "OWNERS")]
    owners: Option<String>,
    /// Say what the build would need and what this machine can build, and build nothing
    #[arg(long, conflicts_with_all = ["quiet", "repair"])]
    dry_run: bool,
    /// Threads to use; as many as there are processors if left out
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Memory to use at most, as in `8G` or `500M`; three quarters of what is free if left out
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// Compression level, 1 (fast) to 22 (small)
    #[arg(long, value_name = "L", default_value_t = WriteOptions::default().level,
          value_parser = clap::value_parser!(i32).range(1..=22))]
    level: i32,
    /// Leave the strategies out: smaller tables that tell every score, but not always which move
    /// collects it
    #[arg(long)]
    no_strategy: bool,
    /// Build layers anew that have a table already
    #[arg(long)]
    force: bool,
    /// Read every byte of the tables that are there and build those anew that are damaged, foreign
    /// or of another version; give the options they were built with
    #[arg(long, conflicts_with = "force")]
    repair: bool,
    /// Show neither forecast nor progress
    #[arg(long)]
    quiet: bool,
    /// Read the tables of lower layers without mapping them into memory
    #[arg(long)]
    no_mmap: bool,
    /// Seconds from one checkpoint of a layer to the next at least; with 0 there is one after every
    /// sweep. For tests
    #[arg(long, value_name = "SECONDS", default_value_t = checkpoints::SECONDS, hide = true)]
    checkpoint_seconds: u64,
}

impl Args {
    /// Builds what is missing.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        if self.owners.is_some() {
            return Err(Error::Usage("--owners goes with --rules nam-nam".to_owned()));
        }
        self.set_threads()?;
        let dir = tables_dir(self.tables.clone());
        if self.dry_run {
            output::result(json, &self.foretold(&dir)?, Foretold::page)?;
            return Ok(ExitCode::SUCCESS);
        }
        if !dir.exists() {
            // What is refused leaves no directory behind.
            self.job(&self.open()?, &[])?;
        }
        fs::create_dir_all(&dir).map_err(Error::io("making the directory", &dir))?;
        let lock = Lock::take(&dir)?;
        lock.sweep_up()?;
        let report = self.build(&dir)?;
        if json {
            output::document(&report)?;
        } else if !self.quiet {
            output::text(&report.farewell(&dir))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn set_threads(&self) -> Result<()> {
        let Some(threads) = self.threads else { return Ok(()) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
        pool.build_global().map_err(|error| Error::Usage(format!("--threads {threads}: {error}")))
    }

    fn build(&self, dir: &Path) -> Result<BuildReport> {
        let rules = self.rules.rules;
        let damaged = if self.repair { self.damaged()? } else { Vec::new() };
        // The files that were checked stay open there; the build reads the new ones.
        let tables = self.open()?;
        let Job { largest, mut layers, missing, forecast } = self.job(&tables, &damaged)?;
        self.advise(&layers);
        let ceiling = forecast.ceiling();
        if !self.quiet && !missing.is_empty() {
            output::note(&forecast.measured().to_string());
        }
        repair::make_way(dir, rules, &missing)?;
        self.remove_checkpoints(dir, largest, &missing)?;
        let progress = Progress::start(rules, &missing, self.quiet);
        let store = LayerStore::new(self.wanted(), tables, ceiling, progress.stopper());
        layers.extend(self.build_layers(dir, &missing, store, &progress)?);
        layers.sort_by_key(|layer| layer.seeds);
        Ok(BuildReport { rules: rules.id, layers, replaced: self.repair.then_some(damaged) })
    }

    /// Opens the directory, which need not exist.
    fn open(&self) -> Result<Tables> {
        open_tables(tables_dir(self.tables.clone()), self.no_mmap)
    }

    /// Returns what a build would do.
    fn foretold(&self, dir: &Path) -> Result<Foretold> {
        let tables = self.open()?;
        let means = Means::of(self.memory, dir)?;
        let possible = self.possible(&tables, &[], means)?;
        let Job { layers, forecast, .. } = self.job(&tables, &[])?;
        Ok(Foretold {
            rules: self.rules.rules.id,
            kept: layers.len(),
            forecast: forecast.measured(),
            possible,
        })
    }

    /// Returns what there is to do.
    ///
    /// # Errors
    /// [`Error::TooLittleMemory`], [`Error::TooLittleDisk`] if the machine has too little for it,
    /// and [`Error::Usage`] if it is the user who allows too little.
    fn job(&self, tables: &Tables, damaged: &[Damaged]) -> Result<Job> {
        let means = Means::of(self.memory, tables.dir())?;
        let largest = self.largest(tables, damaged, means)?;
        let layers = self.kept(tables, largest, damaged)?;
        let missing: Vec<Seeds> = absent(&present(&layers), largest).collect();
        let forecast = Forecast::of(self.wanted(), &missing, means);
        let forecast = forecast.map_err(|error| self.refused(error, tables, damaged, means))?;
        Ok(Job { largest, layers, missing, forecast })
    }

    /// Returns the largest layer. A repair is of what there is, unless more is asked for.
    fn largest(&self, tables: &Tables, damaged: &[Damaged], means: Means) -> Result<Seeds> {
        Ok(match self.seeds {
            Some(Extent::UpTo(seeds)) => seeds,
            Some(Extent::Max) => self.possible(tables, damaged, means)?.unwrap_or(Seeds::ZERO),
            None if self.repair => self.present(tables)?.unwrap_or(DEFAULT_SEEDS),
            None => DEFAULT_SEEDS,
        })
    }

    /// Returns the largest layer that has a table.
    fn present(&self, tables: &Tables) -> Result<Option<Seeds>> {
        Ok(tables.available(self.rules.rules)?.last().copied())
    }

    /// Returns the largest layer that memory and disk suffice for; `None` if not even one.
    fn possible(
        &self,
        tables: &Tables,
        damaged: &[Damaged],
        means: Means,
    ) -> Result<Option<Seeds>> {
        let layers = self.kept(tables, Seeds::MAX, damaged)?;
        Ok(Forecast::possible(self.wanted(), &present(&layers), means))
    }

    /// Adds to a refusal what would be possible. A ceiling that is too low is the user's mistake.
    fn refused(&self, error: Error, tables: &Tables, damaged: &[Damaged], means: Means) -> Error {
        let possible = self.possible(tables, damaged, means).ok().flatten();
        match with_possible(error, possible) {
            error @ Error::TooLittleMemory { .. } if self.memory.is_some() => {
                Error::Usage(output::with_command(&error))
            }
            error => error,
        }
    }

    /// Finds the tables that are not to be kept. Each is named: what it holds may be somebody's.
    fn damaged(&self) -> Result<Vec<Damaged>> {
        let tables = self.open()?;
        let largest = match self.seeds {
            Some(Extent::UpTo(seeds)) => seeds,
            Some(Extent::Max) | None => self.present(&tables)?.unwrap_or(DEFAULT_SEEDS),
        };
        let damaged = repair::damaged(&tables, self.rules.rules, largest.up_to())?;
        for Damaged { file, what, .. } in &damaged {
            output::note(&format!("{file}: {what}; it has to be replaced"));
        }
        Ok(damaged)
    }

    /// Finds the layers that have a table. One that is damaged or foreign is not overwritten
    /// unasked.
    fn kept(
        &self,
        tables: &Tables,
        largest: Seeds,
        damaged: &[Damaged],
    ) -> Result<Vec<LayerFields>> {
        let mut kept = Vec::new();
        let replaced =
            |seeds: Seeds| self.force || damaged.iter().any(|damaged| damaged.seeds == seeds);
        let wanted = largest.up_to().filter(|&seeds| !replaced(seeds));
        for seeds in wanted {
            let Some(table) = tables.layer(self.rules.rules, seeds)? else { continue };
            kept.push(LayerFields::kept(&table));
        }
        Ok(kept)
    }

    /// Says that some tables lack what others will have.
    fn advise(&self, kept: &[LayerFields]) {
        let without = kept.iter().filter(|layer| !layer.strategy).count();
        if without > 0 && !self.no_strategy && !self.quiet {
            output::note(&format!(
                "{without} kept tables have no strategy; --force builds them anew"
            ));
        }
    }

    /// Removes the checkpoints that are of no use any more. After a repair none is believed.
    fn remove_checkpoints(&self, dir: &Path, largest: Seeds, missing: &[Seeds]) -> Result<()> {
        let goes_on = |seeds: &Seeds| missing.contains(seeds) && !self.force && !self.repair;
        checkpoints::remove(dir, self.rules.rules, largest.up_to().filter(|seeds| !goes_on(seeds)))
    }

    /// Solves layers while those before are encoded and written.
    fn build_layers(
        &self,
        dir: &Path,
        missing: &[Seeds],
        mut store: LayerStore,
        progress: &Progress,
    ) -> Result<Vec<LayerFields>> {
        thread::scope(|scope| {
            let pipeline = Pipeline::start(scope, self.output(dir), progress);
            let observer = self.checkpoints(dir, progress);
            let solved = self.solve_layers(missing, &mut store, &pipeline, &observer);
            progress.solved();
            // What keeps a table from being written also stops the solver, and is what to report.
            let built = pipeline.finish()?;
            solved.map(|()| built)
        })
    }

    fn solve_layers(
        &self,
        missing: &[Seeds],
        store: &mut LayerStore,
        pipeline: &Pipeline,
        observer: &Checkpoints,
    ) -> Result<()> {
        let mut solver = self.solver();
        for &seeds in missing {
            pipeline.wait_for_room(store.room_for_encoding(seeds));
            store.make_room_for(seeds)?;
            let start = Instant::now();
            let solved = solver.solve(seeds, store, observer);
            if let Err(Error::Interrupted) = solved {
                observer.stopped(seeds);
            }
            let solved = solved?;
            store.put(pipeline.push(solved, start.elapsed().as_secs_f64()));
        }
        Ok(())
    }

    fn checkpoints<'a>(&self, dir: &Path, progress: &'a Progress) -> Checkpoints<'a> {
        let interval = Duration::from_secs(self.checkpoint_seconds);
        Checkpoints::new(dir, self.wanted(), interval, progress)
    }

    fn output(&self, dir: &Path) -> Output {
        let options = WriteOptions { level: self.level };
        Output { dir: dir.to_owned(), wanted: self.wanted(), options }
    }

    fn wanted(&self) -> Wanted {
        Wanted { rules: self.rules.rules, strategies: !self.no_strategy }
    }

    fn solver(&self) -> Solver {
        let solver = Solver::new(self.rules.rules, Kernel::best());
        if self.no_strategy { solver.without_strategies() } else { solver }
    }
}

/// What there is to do.
struct Job {
    largest: Seeds,
    /// Those that are there already.
    layers: Vec<LayerFields>,
    missing: Vec<Seeds>,
    forecast: Forecast,
}

fn present(layers: &[LayerFields]) -> Vec<Seeds> {
    layers.iter().filter_map(|layer| Seeds::new(layer.seeds)).collect()
}
