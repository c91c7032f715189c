//! `oware build`: makes the tables of a sheet, fewest seeds first.

mod backlog;
mod checkpoints;
mod coders;
mod forecast;
mod layer_store;
mod lock;
mod pipeline;
mod progress;
mod publisher;
mod repair;
mod report;
mod wanted;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use oware_db::error::{Error, Result};
use oware_db::game::Seeds;
use oware_db::probe::Tables;
use oware_db::solver::{Kernel, Solver};
use oware_db::table::WriteOptions;

use super::options::{DEFAULT_SEEDS, DEFAULT_TABLES, RulesArg, open_tables, parse_seeds};
use super::output;
use checkpoints::Checkpoints;
use forecast::Forecast;
use layer_store::LayerStore;
use lock::Lock;
use pipeline::{Output, Pipeline};
use progress::Progress;
use repair::Damaged;
use report::{BuildReport, LayerFields};
use wanted::Wanted;

/// Build the tables of a sheet, from no seeds up to a number of seeds
///
/// Says first what it will need. Layers that have a table are kept, so an interrupted build goes
/// on where it was. A table that turns out to be damaged ends the build; --repair replaces it. One
/// directory may hold the tables of several sheets.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware build\n  \
                  oware build --rules plain --seeds 15 --out tables --memory 8G\n  \
                  oware build --repair")]
pub struct Args {
    #[command(flatten)]
    rules: RulesArg,
    /// Seeds of the largest layer, at most 48; 12 if left out, with --repair as many as there are
    /// tables for
    #[arg(long, value_name = "N", value_parser = parse_seeds)]
    seeds: Option<Seeds>,
    /// Directory of the tables; made if it is missing
    #[arg(long, value_name = "DIR", default_value = DEFAULT_TABLES)]
    out: PathBuf,
    /// Threads to use; as many as there are processors if left out
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Memory to use at most, as in `8G` or `500M`; three quarters of what is free if left out
    #[arg(long, value_name = "BYTES", value_parser = forecast::parse_bytes)]
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
        self.set_threads()?;
        fs::create_dir_all(&self.out).map_err(Error::io("making the directory", &self.out))?;
        let lock = Lock::take(&self.out)?;
        lock.sweep_up()?;
        let report = self.build()?;
        if json {
            output::document(&report)?;
        } else if !self.quiet {
            output::text(&report.farewell(&self.out))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn set_threads(&self) -> Result<()> {
        let Some(threads) = self.threads else { return Ok(()) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
        pool.build_global().map_err(|error| Error::Usage(format!("--threads {threads}: {error}")))
    }

    fn build(&self) -> Result<BuildReport> {
        let rules = self.rules.rules;
        let largest = self.largest()?;
        let damaged = if self.repair { self.damaged(largest)? } else { Vec::new() };
        // The files that were checked stay open there; the build reads the new ones.
        let tables = self.tables()?;
        let mut layers = self.kept(&tables, largest, &damaged)?;
        let missing: Vec<Seeds> = largest.up_to().filter(|&seeds| !holds(&layers, seeds)).collect();
        let memory = self.memory.unwrap_or_else(forecast::usable_memory);
        let forecast = Forecast::of(self.wanted(), &missing, memory)?;
        if !self.quiet && !missing.is_empty() {
            output::note(&forecast.to_string());
        }
        forecast.check_disk(&self.out)?;
        repair::make_way(&self.out, rules, &missing)?;
        self.remove_checkpoints(largest, &missing)?;
        let progress = Progress::start(rules, &missing, self.quiet);
        layers.extend(self.build_layers(
            &missing,
            LayerStore::new(self.wanted(), tables, memory),
            &progress,
        )?);
        layers.sort_by_key(|layer| layer.seeds);
        Ok(BuildReport { rules: rules.id, layers, replaced: self.repair.then_some(damaged) })
    }

    fn tables(&self) -> Result<Tables> {
        open_tables(&self.out, self.no_mmap)
    }

    /// Returns the largest layer. A repair is of what there is, unless more is asked for.
    fn largest(&self) -> Result<Seeds> {
        let wanted = if self.repair && self.seeds.is_none() {
            self.tables()?.available(self.rules.rules)?.last().copied()
        } else {
            self.seeds
        };
        Ok(wanted.unwrap_or(DEFAULT_SEEDS))
    }

    /// Finds the tables that are not to be kept. Each is named: what it holds may be somebody's.
    fn damaged(&self, largest: Seeds) -> Result<Vec<Damaged>> {
        let damaged = repair::damaged(&self.tables()?, self.rules.rules, largest.up_to())?;
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
        let mut without_strategy = 0;
        let replaced =
            |seeds: Seeds| self.force || damaged.iter().any(|damaged| damaged.seeds == seeds);
        let wanted = largest.up_to().filter(|&seeds| !replaced(seeds));
        for seeds in wanted {
            let Some(table) = tables.layer(self.rules.rules, seeds)? else { continue };
            without_strategy += usize::from(table.header().holds().is_none());
            let (positions, bytes) = (table.layer().positions(), table.bytes());
            let seeds = seeds.get();
            kept.push(LayerFields { seeds, positions, seconds: 0.0, bytes, kept: true });
        }
        if without_strategy > 0 && !self.no_strategy && !self.quiet {
            output::note(&format!(
                "{without_strategy} kept tables have no strategy; --force builds them anew"
            ));
        }
        Ok(kept)
    }

    /// Removes the checkpoints that are of no use any more. After a repair none is believed.
    fn remove_checkpoints(&self, largest: Seeds, missing: &[Seeds]) -> Result<()> {
        let goes_on = |seeds: &Seeds| missing.contains(seeds) && !self.force && !self.repair;
        checkpoints::remove(
            &self.out,
            self.rules.rules,
            largest.up_to().filter(|seeds| !goes_on(seeds)),
        )
    }

    /// Solves layers while those before are encoded and written.
    fn build_layers(
        &self,
        missing: &[Seeds],
        mut store: LayerStore,
        progress: &Progress,
    ) -> Result<Vec<LayerFields>> {
        thread::scope(|scope| {
            let pipeline = Pipeline::start(scope, self.output(), progress);
            let solved = self.solve_layers(missing, &mut store, &pipeline, progress);
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
        progress: &Progress,
    ) -> Result<()> {
        let mut solver = self.solver();
        let interval = Duration::from_secs(self.checkpoint_seconds);
        let observer = Checkpoints::new(&self.out, self.wanted(), interval, progress);
        for &seeds in missing {
            pipeline.wait_for_room(store.room_for_encoding(seeds));
            store.make_room_for(seeds)?;
            let start = Instant::now();
            let solved = solver.solve(seeds, store, &observer)?;
            store.put(pipeline.push(solved, start.elapsed().as_secs_f64()));
        }
        Ok(())
    }

    fn output(&self) -> Output {
        let options = WriteOptions { level: self.level };
        Output { dir: self.out.clone(), wanted: self.wanted(), options }
    }

    fn wanted(&self) -> Wanted {
        Wanted { rules: self.rules.rules, strategies: !self.no_strategy }
    }

    fn solver(&self) -> Solver {
        let solver = Solver::new(self.rules.rules, Kernel::best());
        if self.no_strategy { solver.without_strategies() } else { solver }
    }
}

fn holds(layers: &[LayerFields], seeds: Seeds) -> bool {
    layers.iter().any(|layer| layer.seeds == seeds.get())
}
