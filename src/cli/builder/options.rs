//! What a build can be asked for.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::game::Seeds;
use crate::table::{Lock, WriteOptions};

use super::means::{self, Extent, Means};
use super::report::{BuildReport, LayerFields, Unlike};
use super::{checkpoints, ranks, scratch};
use crate::cli::options::{SheetArg, parse_bytes, parse_seeds, single_directory, usual_tables};
use crate::cli::output;

/// Build the tables of a rule sheet, from 0 seeds up to a given number
///
/// Prints a forecast of time, memory and disk first. Keeps layers that already have a table, so an
/// interrupted build continues where it stopped. Stops if what it reads of a table is damaged; --repair
/// reads all of them and rebuilds those that are. One directory can hold the tables of several rule
/// sheets.
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
    /// Largest layer to build (0-48), or `max` for the largest that fits memory and disk [default:
    /// 12, other games 8; with --repair: the largest present]
    #[arg(long, value_name = "N", value_parser = means::parse_extent)]
    pub seeds: Option<Extent>,
    /// Table directory, created if missing [env: OWARE_TABLES]
    #[arg(long, alias = "out", value_name = "DIR", default_value_os_t = usual_tables())]
    #[arg(value_parser = single_directory())]
    pub tables: PathBuf,
    /// Print the forecast and what this machine can build, then stop
    ///
    /// --memory, --threads and --disk describe another machine. `--seeds max` also shows how far
    /// larger machines get.
    #[arg(long, conflicts_with_all = ["quiet", "repair"])]
    pub dry_run: bool,
    /// Free disk space of the machine to forecast for, e.g. `2T` (with --dry-run)
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, requires = "dry_run")]
    pub disk: Option<u64>,
    /// Number of threads [default: number of processors]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Memory limit, e.g. `8G` or `500M` (per process under `mpirun`) [default: 75 % of free
    /// memory]
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pub memory: Option<u64>,
    /// Compression level, 1 (fast) to 22 (small) [default: 3]
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(i32).range(1..=22))]
    pub level: Option<i32>,
    /// Rebuild layers that already have a table
    #[arg(long)]
    pub force: bool,
    /// Read every byte of the existing tables and rebuild those that are damaged, foreign or of
    /// another version
    ///
    /// Pass the options they were built with.
    #[arg(long, conflicts_with = "force")]
    pub repair: bool,
    /// Print no forecast and no progress
    #[arg(long)]
    pub quiet: bool,
    /// Nam Nam: owner of each house, as in `mmmmmmmooooo`, or `all` [default: six houses each]
    ///
    /// `all` builds the 32 divisions of the houses that a match can reach.
    #[arg(long, value_name = "OWNERS")]
    pub owners: Option<String>,
    /// Store only what decides games of N seeds: smaller tables, and less memory where few scores
    /// remain [default: full scores]
    #[arg(long, value_name = "N", value_parser = parse_seeds)]
    pub game_seeds: Option<Seeds>,
    /// Omit strategies: smaller tables with every score, but not always a move that achieves it
    #[arg(long)]
    pub no_strategy: bool,
    /// Append figures of all C(n + 11, 11) boards of each new layer to FILE, a line of JSON each
    ///
    /// The same as those of `stats --all-boards`, without reading the tables again.
    #[arg(long, value_name = "FILE")]
    pub all_boards: Option<PathBuf>,
    /// Directory for unnamed temporary files of data that exceeds memory, created if missing
    /// [default: the table directory]
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,
    /// Under `mpirun`: seconds of silence after which a process counts as lost and the build stops
    #[arg(long, value_name = "SECONDS", default_value_t = ranks::PATIENCE,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub rank_timeout: u64,
    /// Minimum seconds between checkpoints of a layer; 0 writes one after every sweep
    ///
    /// For tests.
    #[arg(long, value_name = "SECONDS", default_value_t = checkpoints::SECONDS, hide = true)]
    pub checkpoint_seconds: u64,
}

impl Args {
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
                1 => format!("1 kept table has {what}; --force rebuilds it"),
                _ => format!("{count} kept tables have {what}; --force rebuilds them"),
            });
        }
    }

    /// Returns whether a table of another level is kept where a level is asked for.
    pub fn unlike_level(&self, level: i32) -> Option<Unlike> {
        let asked = self.level.filter(|&asked| asked != level)?;
        let what = format!("a level other than --level {asked}");
        Some(Unlike { what, is_asked: true })
    }

    /// Returns the directory for what does not fit into memory, made if it is asked for.
    pub fn scratch_dir(&self) -> Result<&Path> {
        self.scratch.as_deref().map_or(Ok(&self.tables), scratch::made)
    }

    /// Makes the directory if it is missing, and keeps other builds out of it.
    pub fn take_directory(&self) -> Result<Lock> {
        let dir = &self.tables;
        fs::create_dir_all(dir).map_err(Error::io("creating the directory", dir))?;
        let lock = Lock::take(dir)?;
        lock.sweep_up()?;
        Ok(lock)
    }

    /// Says what was done.
    pub fn say(&self, json: bool, report: &BuildReport) -> Result<()> {
        match json {
            true => output::document(report),
            false if self.quiet => Ok(()),
            false => output::text(&report.farewell(&self.tables)),
        }
    }

    /// Returns what the machine has that a forecast is for, if that is not this one: it has a disk
    /// of its own, or more memory than is available here.
    pub fn elsewhere(&self) -> Option<Means<'_>> {
        let here = means::available_memory();
        let memory = self.memory.unwrap_or_else(|| means::usual_memory(here));
        let is_elsewhere = self.dry_run && (self.disk.is_some() || memory > here);
        is_elsewhere.then(|| Means::elsewhere(memory, self.disk, &self.tables))
    }

    /// Returns the error to report, with the largest layer that there is enough for. A ceiling that
    /// is too low is the user's mistake.
    pub fn refused(&self, mut error: Error, most: Option<usize>) -> Error {
        if let Error::TooLittleMemory { possible, .. } | Error::TooLittleDisk { possible, .. } =
            &mut error
        {
            *possible = most;
        }
        match error {
            Error::TooLittleMemory { .. } if self.memory.is_some() => {
                Error::Usage(output::with_command(&error))
            }
            error => error,
        }
    }
}
