//! `oware build` of the games beside Oware.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::Serialize;

use oware_db::error::{Error, Result};
use oware_db::game::Seeds;
use oware_db::game::mancala::placement::{own_half, turned_owners};
use oware_db::game::mancala::{Layers, Sheet};
use oware_db::json::words::bytes;
use oware_db::layer::general::GeneralLayer;
use oware_db::probe::general::GeneralTables;
use oware_db::solver::general::{Below, memory, solve};
use oware_db::table::WriteOptions;
use oware_db::table::general::write;

use super::lock::Lock;
use super::means::Means;
use crate::cli::options::{SheetArg, parse_bytes, tables_dir};
use crate::cli::{interrupt, output};

/// Seeds of the largest layer if none is asked for.
pub const DEFAULT_SEEDS: usize = 8;

/// Build the tables of a game beside Oware
///
/// All layers up to a number of seeds; in Bao la Kujifunza, where nothing leaves the board, the one
/// table of so many kete. Layers that have a table are kept.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware build --rules bao-laps --seeds 12\n  \
                        oware build --rules bao-kujifunza-4x3 --seeds 12\n  \
                        oware build --rules nam-nam --owners mmmmmmmooooo --seeds 12")]
pub struct Args {
    #[command(flatten)]
    rules: SheetArg,
    /// Seeds of the largest layer
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEEDS)]
    seeds: usize,
    /// Nam Nam: who owns which houses, as one of the players sees them; six each if left out
    #[arg(long, value_name = "OWNERS")]
    owners: Option<String>,
    /// Directory of the tables, made if it is missing; what the environment has as OWARE_TABLES if
    /// left out, else `tables`
    #[arg(long, alias = "out", value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Say what the build would need, and build nothing
    #[arg(long, conflicts_with = "quiet")]
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
    /// Build layers anew that have a table already
    #[arg(long)]
    force: bool,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

/// All tables of a build.
#[derive(Serialize)]
struct Report {
    rules: &'static str,
    layers: Vec<LayerFields>,
}

/// The table of a layer.
#[derive(Serialize)]
struct LayerFields {
    seeds: usize,
    positions: u64,
    seconds: f64,
    bytes: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    kept: bool,
}

/// What a build would need.
#[derive(Serialize)]
struct Needed {
    rules: &'static str,
    positions: u64,
    memory: u64,
    memory_allowed: u64,
}

impl Args {
    /// Builds what is missing.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        if let Some(threads) = self.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
            let set = pool.build_global();
            set.map_err(|error| Error::Usage(format!("--threads {threads}: {error}")))?;
        }
        let dir = tables_dir(self.tables.clone());
        let layers = self.layers()?;
        let needed = self.needed(&dir, &layers)?;
        if self.dry_run {
            output::result(json, &needed, Needed::page)?;
            return Ok(ExitCode::SUCCESS);
        }
        if needed.memory > needed.memory_allowed {
            return Err(self.refused(&needed));
        }
        fs::create_dir_all(&dir).map_err(Error::io("making the directory", &dir))?;
        let lock = Lock::take(&dir)?;
        lock.sweep_up()?;
        let report = self.build(&dir, &layers)?;
        if json {
            output::document(&report)?;
        } else if !self.quiet {
            let size = bytes(report.layers.iter().map(|layer| layer.bytes).sum());
            let kept = report.layers.iter().filter(|layer| layer.kept).count();
            let built = report.layers.len() - kept;
            let dir = dir.display();
            output::text(&format!(
                "{} tables in {dir}: {built} layers built, {kept} kept, {size} in all.\n",
                report.rules
            ))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn sheet(&self) -> &'static Sheet {
        self.rules.sheet
    }

    /// The layers that are asked for, fewest seeds first.
    fn layers(&self) -> Result<Vec<GeneralLayer>> {
        let sheet = self.sheet();
        if self.seeds > sheet.most || Seeds::new(self.seeds).is_none() {
            let most = sheet.most.min(Seeds::MAX.get());
            return Err(Error::Usage(format!("--seeds {}: at most {most} here", self.seeds)));
        }
        let owners = match &self.owners {
            None => own_half(sheet.half),
            Some(text) => sheet.parse_owners(text)?,
        };
        let owners = owners.max(turned_owners(owners, sheet.half));
        let first = if sheet.layers == Layers::Alone { self.seeds } else { 0 };
        let seeds = (first..=self.seeds).filter(|&seeds| sheet.has_layer(seeds));
        let layers: Vec<_> =
            seeds.map(|seeds| GeneralLayer::of_owners(sheet, seeds, owners)).collect();
        if layers.is_empty() {
            return Err(Error::Usage(format!("`{}` has no layer of {}", sheet.id, self.seeds)));
        }
        Ok(layers)
    }

    /// What the layers need: each is solved beside all those below.
    fn needed(&self, dir: &Path, layers: &[GeneralLayer]) -> Result<Needed> {
        let positions = layers.iter().map(GeneralLayer::positions).fold(0, u64::saturating_add);
        let last = layers.last().map_or(0, |layer| memory(*layer));
        let planes = 1 + self.sheet().planes() as u64;
        Ok(Needed {
            rules: self.sheet().id,
            positions,
            memory: positions.saturating_mul(planes).saturating_add(last),
            memory_allowed: Means::of(self.memory, dir)?.memory,
        })
    }

    /// Says what there is too little of, and what would be possible.
    fn refused(&self, needed: &Needed) -> Error {
        let fits = |seeds: &usize| {
            let layer = GeneralLayer::new(self.sheet(), *seeds);
            memory(layer).saturating_mul(2) <= needed.memory_allowed
        };
        let possible =
            (0..self.seeds).rev().filter(|&seeds| self.sheet().has_layer(seeds)).find(fits);
        let (seeds, needed, allowed) = (self.seeds, needed.memory, needed.memory_allowed);
        let error = Error::TooLittleMemory { seeds, needed, allowed, possible };
        if self.memory.is_some() { Error::Usage(output::with_command(&error)) } else { error }
    }

    fn build(&self, dir: &Path, layers: &[GeneralLayer]) -> Result<Report> {
        let (tables, stop) = (GeneralTables::open(dir), interrupt::flag());
        let (mut below, mut found) = (Below::new(), Vec::new());
        for layer in layers {
            let kept = if self.force { None } else { tables.table(layer)? };
            let fields = match kept {
                Some(table) => {
                    if self.sheet().layers == Layers::BySeeds {
                        below.insert(layer.seeds(), table.load()?);
                    }
                    LayerFields {
                        seeds: layer.seeds(),
                        positions: layer.positions(),
                        seconds: 0.0,
                        bytes: table.bytes(),
                        kept: true,
                    }
                }
                None => self.build_layer(dir, layer, &mut below, &stop)?,
            };
            found.push(fields);
        }
        Ok(Report { rules: self.sheet().id, layers: found })
    }

    fn build_layer(
        &self,
        dir: &Path,
        layer: &GeneralLayer,
        below: &mut Below,
        stop: &Arc<AtomicBool>,
    ) -> Result<LayerFields> {
        let start = Instant::now();
        let solved = solve(*layer, below, stop)?;
        let seconds = start.elapsed().as_secs_f64();
        let written = write(dir, &solved, WriteOptions { level: self.level })?;
        if !self.quiet {
            let (seeds, positions, size) = (layer.seeds(), layer.positions(), bytes(written.bytes));
            output::note(&format!(
                "layer {seeds:>2}: {positions} positions in {seconds:.2} s, {size}"
            ));
        }
        below.insert(layer.seeds(), solved);
        Ok(LayerFields {
            seeds: layer.seeds(),
            positions: layer.positions(),
            seconds,
            bytes: written.bytes,
            kept: false,
        })
    }
}

impl Needed {
    fn page(&self) -> String {
        format!(
            "{}: {} positions, {} of memory of which {} are allowed\n",
            self.rules,
            self.positions,
            bytes(self.memory),
            bytes(self.memory_allowed)
        )
    }
}

/// Says how to make the table of a layer, or that nobody can.
pub fn remedy(dir: &Path, sheet: &'static Sheet, seeds: usize) -> Option<String> {
    let means = Means::of(None, dir).ok()?;
    let dir = super::report::quoted(dir);
    let fits =
        |seeds: usize| memory(GeneralLayer::new(sheet, seeds)).saturating_mul(2) <= means.memory;
    if fits(seeds) {
        return Some(format!(
            "`oware build --rules {} --seeds {seeds} --tables {dir}` makes it",
            sheet.id
        ));
    }
    let positions = GeneralLayer::new(sheet, seeds).positions();
    let size = match positions {
        u64::MAX => "more than 10^19 positions".to_owned(),
        positions => format!("{positions} positions"),
    };
    let possible =
        (0..seeds).rev().filter(|&seeds| sheet.has_layer(seeds)).find(|&seeds| fits(seeds))?;
    Some(format!(
        "that layer has {size}, too many for this machine, which can make up to {possible} seeds: \
         `oware build --rules {} --seeds {possible} --tables {dir}`",
        sheet.id
    ))
}
