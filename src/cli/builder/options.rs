//! What a build can be asked for.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use oware_db::error::{Error, Result};
use oware_db::game::Seeds;
use oware_db::table::{Lock, WriteOptions};

use super::means::{self, Extent, Means};
use super::report::{BuildReport, LayerFields, Unlike};
use super::{checkpoints, ranks};
use crate::cli::options::{SheetArg, parse_bytes, parse_seeds, single_directory, usual_tables};
use crate::cli::{output, threads};

/// Build the tables of a sheet, from no seeds up to a number of seeds
///
/// Says first what it will need. Layers that have a table are kept, so an interrupted build goes
/// on where it was. A table that turns out to be damaged ends the build; --repair replaces it. One
/// directory may hold the tables of several sheets.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware build\n  \
                  oware build --rules plain --seeds 15 --tables tables --memory 8G\n  \
                  oware build --seeds max --dry-run\n  \
                  oware build --rules awari --seeds 24 --game-seeds 30\n  \
                  oware build --seeds 40 --dry-run --memory 128G --threads 16 --disk 2T\n  \
                  oware build --repair")]
pub struct Args {
    #[command(flatten)]
    pub rules: SheetArg,
    /// Seeds of the largest layer, at most 48, or `max` for as many as memory and disk suffice for;
    /// 12 if left out, with --repair as many as there are tables for
    #[arg(long, value_name = "N", value_parser = means::parse_extent)]
    pub seeds: Option<Extent>,
    #[command(flatten)]
    pub common: Common,
    /// Nam Nam (`--rules nam-nam`): who owns which houses, as in `mmmmmmmooooo`, or `all` for the 32
    /// rounds that a match can come to; six each if left out
    #[arg(long, value_name = "OWNERS")]
    pub owners: Option<String>,
    /// Keep of each score only what decides games of N seeds: smaller tables, and less memory
    /// where few scores are left. Full scores if left out
    #[arg(long, value_name = "N", value_parser = parse_seeds)]
    pub game_seeds: Option<Seeds>,
    /// Leave the strategies out: smaller tables that tell every score, but not always which move
    /// collects it
    #[arg(long)]
    pub no_strategy: bool,
    /// Directory for what does not fit into memory, in files without a name, made if it is missing;
    /// that of the tables if left out
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,
    /// Under `mpirun`: seconds after which a process that has not been heard of ends the build
    #[arg(long, value_name = "SECONDS", default_value_t = ranks::PATIENCE,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub rank_timeout: u64,
    /// Seconds from one checkpoint of a layer to the next at least; with 0 there is one after every
    /// sweep. For tests
    #[arg(long, value_name = "SECONDS", default_value_t = checkpoints::SECONDS, hide = true)]
    pub checkpoint_seconds: u64,
}

impl Args {
    /// Returns whether tables get strategies.
    pub fn strategies(&self) -> bool {
        !self.no_strategy
    }
}

/// What a build of any game can be asked for.
#[derive(clap::Args)]
pub struct Common {
    /// Table directory, created if missing [env: OWARE_TABLES]
    #[arg(long, alias = "out", value_name = "DIR", default_value_os_t = usual_tables())]
    #[arg(value_parser = single_directory())]
    pub tables: PathBuf,
    /// Say what the build would need and what this machine can build, and build nothing. --memory,
    /// --threads and --disk may describe another machine; with `--seeds max` also how far others go
    #[arg(long, conflicts_with_all = ["quiet", "repair"])]
    pub dry_run: bool,
    /// With --dry-run: the disk of the machine that the forecast is for, as in `2T`
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, requires = "dry_run")]
    pub disk: Option<u64>,
    /// Threads to use; as many as there are processors if left out
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Memory to use at most, as in `8G` or `500M`, under `mpirun` by each process; three quarters of
    /// what is free if left out
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pub memory: Option<u64>,
    /// Compression level, 1 (fast) to 22 (small); 3 if left out
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(i32).range(1..=22))]
    pub level: Option<i32>,
    /// Build layers anew that have a table already
    #[arg(long)]
    pub force: bool,
    /// Read every byte of the tables that are there and build those anew that are damaged, foreign
    /// or of another version; give the options they were built with
    #[arg(long, conflicts_with = "force")]
    pub repair: bool,
    /// Show neither forecast nor progress
    #[arg(long)]
    pub quiet: bool,
}

impl Common {
    /// Returns how tables are to be written.
    pub fn write_options(&self) -> WriteOptions {
        self.level.map_or_else(WriteOptions::default, |level| WriteOptions { level })
    }

    /// Says what kept tables have otherwise than new ones. What was asked for by name and has come to
    /// nothing is said even to those who want quiet.
    pub fn advise(&self, kept: &[LayerFields]) {
        let mut counts: BTreeMap<&Unlike, usize> = BTreeMap::new();
        for unlike in kept.iter().flat_map(|layer| &layer.unlike) {
            *counts.entry(unlike).or_default() += 1;
        }
        for (unlike, count) in
            counts.into_iter().filter(|(unlike, _)| unlike.is_asked || !self.quiet)
        {
            let what = &unlike.what;
            output::note(&match count {
                1 => format!("1 kept table has {what}; --force builds it anew"),
                _ => format!("{count} kept tables have {what}; --force builds them anew"),
            });
        }
    }

    /// Returns whether a table of another level is kept where a level is asked for.
    pub fn unlike_level(&self, level: i32) -> Option<Unlike> {
        let asked = self.level.filter(|&asked| asked != level)?;
        let what = format!("another level than --level {asked}");
        Some(Unlike { what, is_asked: true })
    }

    /// Makes the directory if it is missing, has what is missing in it built, and says what was done.
    pub fn fill(
        &self,
        json: bool,
        build: impl FnOnce(&Path) -> Result<BuildReport>,
    ) -> Result<ExitCode> {
        let dir = &self.tables;
        fs::create_dir_all(dir).map_err(Error::io("making the directory", dir))?;
        let lock = Lock::take(dir)?;
        lock.sweep_up()?;
        let report = build(dir)?;
        if json {
            output::document(&report)?;
        } else if !self.quiet {
            output::text(&report.farewell(dir))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Returns what the machine has that a forecast is for, if that is not this one: it has a disk
    /// of its own, or more memory than is available here.
    pub fn elsewhere<'a>(&self, dir: &'a Path) -> Option<Means<'a>> {
        let here = means::available_memory();
        let memory = self.memory.unwrap_or(here);
        let is_elsewhere = self.dry_run && (self.disk.is_some() || memory > here);
        is_elsewhere.then(|| Means::elsewhere(memory, self.disk, dir))
    }

    /// Returns the error to report. A ceiling that is too low is the user's mistake.
    pub fn refused(&self, error: Error) -> Error {
        match error {
            Error::TooLittleMemory { .. } if self.memory.is_some() => {
                Error::Usage(output::with_command(&error))
            }
            error => error,
        }
    }

    /// Makes the threads that are asked for.
    pub fn set_threads(&self) -> Result<()> {
        let start = if self.dry_run { threads::pretend } else { threads::start };
        start(self.threads.map(usize::from).or_else(ranks::threads))
    }
}
