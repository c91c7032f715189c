//! `oware build`: makes the tables of a sheet, fewest seeds first.

mod all_boards;
mod checkpoints;
mod coders;
mod forecast;
mod foretold;
pub mod general;
pub mod general_forecast;
mod heap;
mod layer_store;
mod means;
mod options;
mod pipeline;
mod progress;
mod ranks;
mod repair;
mod report;
mod scratch;
mod solvers;
mod speed;
mod stream;
mod wanted;

use std::cell::LazyCell;
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::game::{ScoreRange, Seeds};
use crate::probe::Tables;
use crate::solver::cluster::{JointSolver, Networks, Terms};
use crate::table::{Table, VERSION, file_name};

use super::options::{AnySheet, DEFAULT_SEEDS, refuse};
use super::{output, threads};
use all_boards::AllBoards;
use checkpoints::{Checkpoints, Saver};
pub use forecast::remedy;
use forecast::{Forecast, absent};
use foretold::{Foretold, Reach};
use means::{Extent, Means};
use pipeline::{Output, Pipeline};
use progress::Progress;
use repair::{Damaged, is_damaged};
use report::{BuildReport, LayerFields, Unlike};
use speed::Speed;
use wanted::Wanted;

pub use layer_store::LayerStore;
pub use options::Args;

impl Args {
    /// Builds what is missing.
    pub fn run(self, json: bool) -> Result<()> {
        if self.owners.is_some() && !matches!(self.rules.sheet, AnySheet::Other(_)) {
            return Err(Error::Usage("--owners requires --rules nam-nam".to_owned()));
        }
        heap::say_when_refused(json);
        heap::share_where_addresses_are_bounded();
        let start = if self.dry_run { threads::pretend } else { threads::start };
        let of_rank = || ranks::started().map(|_| ranks::processors());
        start(self.threads.map(usize::from).or_else(of_rank))?;
        match self.rules.sheet {
            AnySheet::Oware(rules) => {
                let (strategies, game, ranks) =
                    (!self.no_strategy, self.game_seeds, ranks::started());
                let wanted = Wanted { rules, strategies, game, ranks };
                let build = OwareBuild { wanted, args: &self };
                build.make_sure_of_clamping()?;
                if self.dry_run {
                    ranks::refuse_many("--dry-run")?;
                    return output::result(json, &build.foretold()?, Foretold::page);
                }
                if self.all_boards.is_some() {
                    ranks::refuse_many("--all-boards")?;
                }
                if ranks.is_none() {
                    return build.run(json, None);
                }
                // What ranks have to have in common to make the same tables.
                let terms = Terms::new(rules, strategies)
                    .with("format of tables", VERSION)
                    .with("--level", self.write_options().level)
                    .with("--game-seeds", game.map_or(0, Seeds::get));
                ranks::run(
                    terms,
                    Duration::from_secs(self.rank_timeout),
                    self.quiet,
                    |networks| build.run(json, Some(networks)),
                    |networks| solvers::assist(wanted, &self, networks),
                )
            }
            AnySheet::Other(sheet) => {
                ranks::refuse_many(sheet.id)?;
                let options = [
                    ("--no-strategy", self.no_strategy),
                    ("--scratch", self.scratch.is_some()),
                    ("--game-seeds", self.game_seeds.is_some()),
                    ("--all-boards", self.all_boards.is_some()),
                    ("--disk", self.disk.is_some()),
                ];
                refuse(sheet, &options)?;
                general::OtherBuild { sheet, args: &self }.run(json)
            }
        }
    }
}

/// A build of tables of Oware.
struct OwareBuild<'a> {
    wanted: Wanted,
    args: &'a Args,
}

impl OwareBuild<'_> {
    /// Builds what is missing, with other ranks if there are any, and says what was done.
    fn run(&self, json: bool, networks: Option<Networks>) -> Result<()> {
        if !self.args.tables.exists() {
            // What is refused leaves no directory behind.
            self.job(&Tables::open_early(&self.args.tables)?, &[])?;
        }
        let _lock = self.args.take_directory()?;
        self.args.say(json, &self.build(networks)?)
    }

    /// Makes sure that scores can be clamped, if that is wanted.
    fn make_sure_of_clamping(&self) -> Result<()> {
        if self.wanted.game.is_none() || ScoreRange::can_clamp(self.wanted.rules) {
            return Ok(());
        }
        Err(Error::Usage(format!(
            "--game-seeds requires a rule sheet with one score per position; `{}` has intervals",
            self.wanted.rules.id
        )))
    }

    /// Makes sure that a table that is kept tells apart the scores that are wanted of its layer.
    fn make_sure_of_range(&self, table: &Table) -> Result<()> {
        let (wanted, Some(game)) = (self.wanted.layer(table.seeds()), table.range().game()) else {
            return Ok(());
        };
        if table.range().is_enough_for(wanted.range()) {
            return Ok(());
        }
        let path = table.path().display();
        let asked = match self.wanted.game {
            Some(asked) => format!("--game-seeds {asked} needs more"),
            None => "full scores are requested".to_owned(),
        };
        Err(Error::Usage(format!(
            "{path} stores only what decides games of {game} seeds, but {asked}; use --game-seeds \
             {game} to keep it, or --force to replace it"
        )))
    }

    /// Makes sure that what is built is enough for the tables above it that stay, wanted or not; says so if
    /// it is not and `--force` wants it all the same.
    fn make_sure_of_those_above(&self, tables: &Tables, missing: &[Seeds]) -> Result<()> {
        let kept =
            tables.available(self.wanted.rules)?.into_iter().filter(|at| !missing.contains(at));
        // One that cannot be opened rests on nothing.
        let kept = kept.filter_map(|seeds| tables.layer(self.wanted.rules, seeds).ok().flatten());
        for table in kept {
            let is_enough = |at| self.wanted.layer(at).range().is_enough_for(table.range());
            let mut below = missing.iter().rev().filter(|&&at| at < table.seeds());
            let Some(below) = below.find(|&&at| !is_enough(at)) else { continue };
            let options = match table.range().game() {
                Some(game) => format!("with --game-seeds {game}"),
                None => "without --game-seeds".to_owned(),
            };
            let path = table.path().display();
            let what =
                format!("{path} is kept and needs more scores of {below} seeds than are requested");
            if self.args.force {
                output::note(&what);
                return Ok(());
            }
            return Err(Error::Usage(format!(
                "{what}; build --seeds {below} {options} first, or use another directory"
            )));
        }
        Ok(())
    }

    fn build(&self, networks: Option<Networks>) -> Result<BuildReport> {
        let (wanted, dir) = (self.wanted, &self.args.tables);
        let rules = wanted.rules;
        let damaged = if self.args.repair { self.damaged()? } else { Vec::new() };
        // The files that were checked stay open there; the build reads the new ones.
        let tables = Tables::open_early(&self.args.tables)?;
        let (mut layers, forecast) = self.job(&tables, &damaged)?;
        let missing = forecast.missing.clone();
        self.args.advise(&layers);
        let opened = |path| AllBoards::open(path, wanted);
        let all_boards = self.args.all_boards.as_deref().map(opened).transpose()?;
        all_boards.iter().for_each(|all_boards| all_boards.note_missing(&layers));
        let ceiling = forecast.allowed;
        let mut work = forecast.work();
        if !self.args.quiet && !missing.is_empty() {
            let measured = forecast.measured();
            work = measured.work();
            output::note(&measured.to_string());
        }
        let scratch = if missing.is_empty() { dir } else { self.args.scratch_dir()? }.to_owned();
        let named = |seeds: Vec<Seeds>| seeds.into_iter().map(|seeds| file_name(rules, seeds));
        repair::make_way(dir, named(missing.clone()))?;
        // Of layers that have a table checkpoints are of no use; after a repair none is believed.
        checkpoints::remove(dir, named(present(&layers)))?;
        if self.args.force || self.args.repair {
            checkpoints::remove(dir, named(missing.clone()))?;
        }
        let progress = Progress::start(&work, self.args.quiet);
        let stopper = progress.stopper();
        let store = LayerStore::new(wanted, tables, scratch, ceiling, stopper);
        let parts_in = solvers::parts_in(wanted, ceiling, store.spill.clone());
        let mut joint = networks.map(|networks| solvers::joint(wanted, networks.solving, parts_in));
        let interval = Duration::from_secs(self.args.checkpoint_seconds);
        let observer = &Checkpoints { wanted, saver: Saver::new(dir, interval, &progress) };
        let output = Output { dir: dir.to_owned(), wanted, options: self.args.write_options() };
        let built = thread::scope(|scope| {
            let pipeline = Pipeline::start(scope, output, (&missing, &progress), networks)?;
            let solved =
                self.solve_layers(&missing, store, &pipeline, observer, joint.as_mut(), all_boards);
            progress.solved();
            // What keeps a table from being written also stops the solver, and is what to report.
            let built = pipeline.finish()?;
            solved.map(|()| built)
        });
        layers.extend(built?);
        if let Some(work) = joint.map(solvers::dismiss).transpose()?.flatten() {
            progress.tell(&work);
        }
        layers.sort_by_key(|layer| layer.seeds);
        Ok(BuildReport { rules: rules.id, layers, replaced: self.args.repair.then_some(damaged) })
    }

    /// Returns what a build would do, here or elsewhere.
    fn foretold(&self) -> Result<Foretold> {
        let (tables, wanted) = (Tables::open_early(&self.args.tables)?, self.wanted);
        let means = self.means()?;
        let possible = self.possible(&tables, &[], means);
        let (layers, forecast) = self.job(&tables, &[])?;
        self.args.advise(&layers);
        let (present, threads) = (present(&layers), rayon::current_num_threads());
        let speed = LazyCell::new(|| Speed::elsewhere(wanted, threads));
        let is_elsewhere = self.args.elsewhere().is_some() || threads > threads::most();
        let forecast = match is_elsewhere {
            true if Speed::matters(forecast.positions()) => forecast.at(speed.clone()),
            true => forecast,
            false => forecast.measured(),
        };
        let reaches = match self.args.seeds {
            Some(Extent::Max) => {
                let elsewhere = Means::elsewhere(0, self.args.disk, &self.args.tables);
                Reach::all(wanted, &present, elsewhere, self.args.memory, speed.clone())
            }
            Some(Extent::UpTo(_)) | None => Vec::new(),
        };
        let (rules, kept) = (self.wanted.rules.id, layers.len());
        Ok(Foretold { rules, kept, forecast, possible, reaches })
    }

    /// Returns what there is for a build.
    fn means(&self) -> Result<Means<'_>> {
        let here = || Means::of(self.args.memory, &self.args.tables, self.args.scratch.as_deref());
        self.args.elsewhere().map_or_else(here, Ok)
    }

    /// Returns the layers that are there already, and what those need that are missing.
    ///
    /// # Errors
    /// [`Error::TooLittleMemory`], [`Error::TooLittleDisk`] if the machine has too little for it,
    /// and [`Error::Usage`] if it is the user who allows too little.
    fn job(&self, tables: &Tables, damaged: &[Damaged]) -> Result<(Vec<LayerFields>, Forecast)> {
        let means = self.means()?;
        let largest = self.largest(tables, damaged, means)?;
        let layers = self.kept(tables, largest, damaged)?;
        let missing: Vec<Seeds> = absent(&present(&layers), largest).collect();
        self.make_sure_of_those_above(tables, &missing)?;
        if !self.args.force && !self.args.repair {
            checkpoints::make_sure_of_games(tables.dir(), self.wanted, &missing)?;
        }
        let forecast = Forecast::of(self.wanted, &missing, means).map_err(|error| {
            // What would be possible is added.
            let possible = self.possible(tables, damaged, means);
            self.args.refused(error, possible.map(Seeds::get))
        })?;
        Ok((layers, forecast))
    }

    /// Returns the largest layer. A repair is of what there is, unless more is asked for.
    fn largest(&self, tables: &Tables, damaged: &[Damaged], means: Means) -> Result<Seeds> {
        let most = self.wanted.most();
        let largest = match self.args.seeds {
            Some(Extent::UpTo(seeds)) => seeds,
            Some(Extent::Max) => {
                self.kept(tables, most, damaged)?;
                self.possible(tables, damaged, means).unwrap_or(Seeds::ZERO)
            }
            None if self.args.repair => self.present(tables)?.0,
            None => DEFAULT_SEEDS.min(most),
        };
        self.make_sure_of_layer(largest)?;
        Ok(largest)
    }

    /// Makes sure that the games whose scores are wanted have a layer.
    fn make_sure_of_layer(&self, largest: Seeds) -> Result<()> {
        let most = self.wanted.most();
        if largest > most {
            return Err(Error::Usage(format!(
                "a game of {most} seeds has no layer of {largest}; build at most --seeds {most}"
            )));
        }
        Ok(())
    }

    /// Returns the largest layer that has a table, damaged or not, the usual one if there is none,
    /// and the layers above it that have misnamed ones.
    fn present(&self, tables: &Tables) -> Result<(Seeds, Vec<Seeds>)> {
        let rules = self.wanted.rules;
        let mut layers = tables.available(rules)?;
        let has_all_below = |at, seeds: Seeds| at == seeds.get();
        let misnamed = repair::split_misnamed(tables, rules, &mut layers, has_all_below);
        let usual = DEFAULT_SEEDS.min(self.wanted.most());
        Ok((layers.last().copied().unwrap_or(usual), misnamed))
    }

    /// Returns the largest layer that memory and disk suffice for, below the first table that is neither
    /// kept nor replaced; `None` if not even one.
    fn possible(&self, tables: &Tables, damaged: &[Damaged], means: Means) -> Option<Seeds> {
        let kept = |seeds| self.kept_at(tables, seeds, damaged).ok();
        let kept: Vec<Option<LayerFields>> = self.wanted.most().up_to().map_while(kept).collect();
        let most = Seeds::new(kept.len().checked_sub(1)?)?;
        let layers: Vec<LayerFields> = kept.into_iter().flatten().collect();
        let possible = Forecast::possible(self.wanted, &present(&layers), means)?;
        Some(possible.min(most))
    }

    /// Finds the tables that are not to be kept.
    fn damaged(&self) -> Result<Vec<Damaged>> {
        let (tables, rules) = (Tables::open_early(&self.args.tables)?, self.wanted.rules);
        let largest = match self.args.seeds {
            Some(Extent::UpTo(seeds)) => seeds,
            Some(Extent::Max) | None => {
                let (largest, misnamed) = self.present(&tables)?;
                repair::note_misnamed(&tables, rules, misnamed);
                largest
            }
        };
        self.make_sure_of_layer(largest)?;
        // One that is whole but has to be refused ends this before all others are read.
        let check = |table: &Table| table.check().and_then(|()| self.make_sure_of_range(table));
        repair::damaged(&tables, rules, largest.up_to(), check)
    }

    /// Finds the layers that have a table.
    fn kept(
        &self,
        tables: &Tables,
        largest: Seeds,
        damaged: &[Damaged],
    ) -> Result<Vec<LayerFields>> {
        let kept = largest.up_to().map(|seeds| self.kept_at(tables, seeds, damaged));
        kept.filter_map(Result::transpose).collect()
    }

    /// Finds the table of a layer, unless it is replaced. One that is damaged or foreign is not
    /// overwritten unasked.
    fn kept_at(
        &self,
        tables: &Tables,
        seeds: Seeds,
        damaged: &[Damaged],
    ) -> Result<Option<LayerFields>> {
        let name = file_name(self.wanted.rules, seeds);
        if self.args.force || is_damaged(damaged, tables.dir(), &name) {
            return Ok(None);
        }
        let Some(table) = tables.layer(self.wanted.rules, seeds)? else { return Ok(None) };
        self.make_sure_of_range(&table)?;
        let (positions, unlike) = (table.layer().positions(), self.unlike(&table));
        Ok(Some(LayerFields::kept(seeds.get(), positions, table.bytes(), unlike)))
    }

    /// Returns what a table has otherwise than a new one would.
    fn unlike(&self, table: &Table) -> Vec<Unlike> {
        let strategy = match (table.header().has_strategy(), self.wanted.strategies) {
            (false, true) => Some(Unlike { what: "no strategy".to_owned(), is_asked: false }),
            (true, false) => Some(Unlike { what: "a strategy".to_owned(), is_asked: true }),
            _ => None,
        };
        let is_wider = self.wanted.layer(table.seeds()).range().end() != table.range().end();
        let range = self.wanted.game.filter(|_| is_wider).map(|game| Unlike {
            what: format!("more scores than --game-seeds {game} stores"),
            is_asked: true,
        });
        let level = self.args.unlike_level(table.header().level);
        [strategy, range, level].into_iter().flatten().collect()
    }

    /// Solves layers while those before are encoded and written.
    fn solve_layers(
        &self,
        missing: &[Seeds],
        mut store: LayerStore,
        pipeline: &Pipeline,
        observer: &Checkpoints,
        mut joint: Option<&mut JointSolver>,
        mut all_boards: Option<AllBoards>,
    ) -> Result<()> {
        let mut alone = solvers::alone(self.wanted).for_games_of(self.wanted.game);
        for &seeds in missing {
            pipeline.backlog.wait_until(self.wanted.room_for_encoding(seeds, store.ceiling));
            store.make_room_for(seeds)?;
            let (start, stopped) = (Instant::now(), |error: &Error| observer.stopped(seeds, error));
            match &mut joint {
                None => {
                    alone.keep_in(store.storage(seeds));
                    let solved = alone.solve(seeds, &store, observer).inspect_err(stopped)?;
                    let solved = pipeline.push(solved, start.elapsed());
                    store.put(solved.clone());
                    if let Some(all_boards) = &mut all_boards {
                        all_boards.count(self.wanted.rules, &solved, &store)?;
                    }
                }
                Some(joint) => {
                    joint.solve_spread(seeds, &store, observer).inspect_err(stopped)?;
                    let taken = start.elapsed();
                    pipeline.push_spread(joint.hand_over()?, taken)?;
                    if missing.last() != Some(&seeds) {
                        store.put_spread(seeds, joint)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns the layers of some tables.
fn present(layers: &[LayerFields]) -> Vec<Seeds> {
    layers.iter().filter_map(|layer| Seeds::new(layer.seeds)).collect()
}
