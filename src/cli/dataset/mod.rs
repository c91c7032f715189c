//! `oware dataset`: positions with their values, for learning.

mod card;
mod games;
mod plan;
mod row;
mod shards;

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::game::{Rules, Seeds};
use crate::json::words::bytes;
use crate::layer::Layer;
use crate::pool::Pool;
use crate::probe::{Prober, Tables};
use crate::table::file_name;

use super::check::manifest;
use super::export::{WITHOUT_PARQUET, make_dir};
use super::options::{RulesArg, TablesArgs, largest_layer, parse_seeds};
use super::result_file::ResultFile;
use super::{output, progress, threads};
use card::{DatasetDocument, PlayedGames};
use games::Games;
use plan::{Origin, Plan};
use row::{RowBytes, RowOrigin, Split, Subject, Writer};
use shards::{Format, Shard, Shards};

/// Bytes of decoded tiles to keep.
const CACHE: u64 = 1 << 30;
/// Rows that are made at a time.
const PIECE: u64 = 1 << 19;
/// Rows that one thread makes at a stretch.
const ROWS_PER_TASK: usize = 1 << 11;
/// The descriptions of a dataset, written after its rows.
const CARD: &str = "README.md";
const CITATION: &str = "CITATION.cff";

/// Write positions with their exact values as a dataset for machine learning
///
/// Draws rows from the layers (all positions of small layers, and equally many of each large one,
/// evenly and without repetition) and from games. Each file is a fair sample of its split: train,
/// validation, test, or held_out, which consists of whole layers that no other split touches. The
/// same options and version produce the same bytes. README.md in the output directory describes
/// the fields; CITATION.cff and SHA256SUMS are written too.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware dataset --rows 1000000 --seed 1 --out positions\n  \
                        oware dataset --format npy --seeds 12 --rows 100000 --out arrays")]
pub struct Args {
    /// Rows to write; fewer if the layers have fewer positions
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    rows: u64,
    /// Random seed that selects and shuffles the rows
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Largest layer to draw from [default: all that the tables cover]
    #[arg(long, value_name = "K", value_parser = parse_seeds)]
    seeds: Option<Seeds>,
    /// Percentage of rows that come from games
    #[arg(long, value_name = "PERCENT", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=100))]
    played: u64,
    /// Do not follow lines of best play
    ///
    /// Sets `plies` to -1 and takes a sixth of the time.
    #[arg(long)]
    no_plies: bool,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "parquet")]
    format: Format,
    /// Maximum number of rows per file
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    shard_rows: u64,
    /// Output directory, created if missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    tables: TablesArgs,
}

impl Args {
    /// Writes the dataset.
    pub fn run(self, json: bool) -> Result<()> {
        threads::start(None)?;
        if self.format == Format::Parquet && cfg!(not(feature = "parquet")) {
            return Err(Error::Usage(WITHOUT_PARQUET.to_owned()));
        }
        let rules = self.rules.rules;
        let tables = self.tables.open()?.with_cache(CACHE);
        let most = largest_layer(&tables, rules, self.seeds)?;
        self.make_dir()?;
        // Before there are rows: with some of them in the directory the command cannot be repeated.
        let sums = sums(&tables, rules, most)?;
        let games = Games { rules, most, seed: self.seed };
        let positions = most.up_to().map(|seeds| Layer::of(rules, seeds).positions()).sum();
        let (played, games) = games.positions(self.played_rows(positions))?;
        let drawn = self.rows - played.len() as u64;
        let plan = Plan::new(rules, most, drawn, played.len() as u64, self.seed);
        let files = self.write(&tables, rules, &plan, &played)?;
        let document = DatasetDocument {
            rules: rules.id,
            seeds: most,
            seed: self.seed,
            rows: plan.rows(),
            files,
            layers: plan.layers,
            games: PlayedGames { games, rows: played.len() },
            tables: sums,
        };
        self.describe(&document)?;
        output::result(json, &document, page)
    }

    /// Returns how many rows are to come from games if the layers have this many positions: the share
    /// that was asked for of the rows that there will be.
    fn played_rows(&self, positions: u64) -> usize {
        let share = |rows: u64, of: u64| {
            (u128::from(rows) * u128::from(self.played) / u128::from(of)) as u64
        };
        let asked = share(self.rows, 100);
        let drawn = self.rows - asked;
        let played = if drawn <= positions { asked } else { share(positions, 100 - self.played) };
        played as usize
    }

    /// Makes the directory. One that has a dataset is left alone: files of two would be mixed up. So
    /// is one with files of the names that are written with the rows.
    fn make_dir(&self) -> Result<()> {
        make_dir(&self.out)?;
        let names = fs::read_dir(&self.out).map_err(Error::io("reading", &self.out))?;
        let names = names.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let is_of_dataset = |name: &String| {
            let of = |split: Split| name.starts_with(&format!("{}-", split.name()));
            [CARD, CITATION, manifest::NAME].contains(&name.as_str())
                || Split::ALL.into_iter().any(of)
        };
        match names.into_iter().find(is_of_dataset) {
            None => Ok(()),
            Some(name) => Err(Error::Usage(format!(
                "{} already has a dataset, or a file that one would replace, {name}; choose another \
                 directory with --out, or remove it",
                self.out.display()
            ))),
        }
    }

    /// Writes all rows.
    fn write(
        &self,
        tables: &Tables,
        rules: &'static Rules,
        plan: &Plan,
        played: &[Subject],
    ) -> Result<Vec<Shard>> {
        let writers = Pool::new(|| Writer::new(Prober::for_many(tables, rules)));
        let bar = progress::count(plan.rows(), "rows");
        let mut shards = Shards {
            dir: &self.out,
            format: self.format,
            rules: rules.id,
            rows: self.shard_rows as usize,
            waiting: BTreeMap::new(),
            written: Vec::new(),
        };
        for begin in (0..plan.rows()).step_by(PIECE as usize) {
            let numbers = begin..plan.rows().min(begin + PIECE);
            for (split, row) in piece(rules, plan, played, &writers, numbers, !self.no_plies)? {
                shards.put(split, row)?;
                bar.inc(1);
            }
        }
        bar.finish_and_clear();
        shards.finish()
    }

    /// Writes the data card, the citation, and the sums of all files.
    fn describe(&self, document: &DatasetDocument) -> Result<()> {
        let write = |name: &str, text: String| {
            let path = self.out.join(name);
            fs::write(&path, text).map_err(Error::io("writing", &path))
        };
        write(CARD, card::card(document, self.format, &self.command(document)))?;
        write(CITATION, card::citation(document))?;
        let names = document.files.iter().map(|shard| shard.name.clone());
        let names = names.chain([CARD, CITATION].map(str::to_owned)).collect();
        let file = ResultFile::open(&manifest::path(&self.out, None))?;
        manifest::write(&self.out, names, file).map(drop)
    }

    /// Returns the command that makes the same dataset.
    fn command(&self, document: &DatasetDocument) -> String {
        let DatasetDocument { rules, seeds, seed, .. } = document;
        let format = self.format.ending();
        let plies = if self.no_plies { " --no-plies" } else { "" };
        let (rows, played, shard_rows) = (self.rows, self.played, self.shard_rows);
        format!(
            "oware dataset --rules {rules} --seeds {seeds} --rows {rows} --seed {seed} \
             --played {played}{plies} --format {format} --shard-rows {shard_rows} --out DIR"
        )
    }
}

/// Makes the rows with these numbers. They are made in the order of layers and ranks, so that what is
/// decoded serves many.
fn piece(
    rules: &'static Rules,
    plan: &Plan,
    played: &[Subject],
    writers: &Pool<Writer>,
    numbers: Range<u64>,
    plies: bool,
) -> Result<Vec<(Split, RowBytes)>> {
    let begin = numbers.start;
    let mut origins: Vec<(Origin, u64)> =
        numbers.into_par_iter().map(|row| (plan.origin(row), row - begin)).collect();
    origins.par_sort_unstable();
    let made: Vec<Vec<_>> = origins
        .par_chunks(ROWS_PER_TASK)
        .map(|origins| {
            let make = |writer: &mut Writer| {
                let row =
                    |&(origin, at)| Ok((at, writer.row(&asked(rules, played, origin), plies)?));
                origins.iter().map(row).collect::<Result<Vec<_>>>()
            };
            writers.with(make)
        })
        .collect::<Result<_>>()?;
    let mut rows: Vec<(u64, (Split, RowBytes))> = made.into_iter().flatten().collect();
    rows.par_sort_unstable_by_key(|&(at, _)| at);
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

fn asked(rules: &Rules, played: &[Subject], origin: Origin) -> Subject {
    match origin {
        Origin::Played(number) => played[number],
        Origin::Ranked(seeds, rank) => {
            let board = Layer::of(rules, seeds).position(rank).expect("a rank of the layer");
            Subject { board, stores: None, source: RowOrigin::Layer }
        }
    }
}

/// Returns the names and the SHA-256 of the tables to a layer.
fn sums(tables: &Tables, rules: &'static Rules, most: Seeds) -> Result<Vec<(String, String)>> {
    let layers: Vec<Seeds> = most.up_to().collect();
    let sum =
        |&seeds: &Seeds| Ok((file_name(rules, seeds), tables.require(rules, seeds)?.sha256()?));
    layers.par_iter().map(sum).collect()
}

fn page(document: &DatasetDocument) -> String {
    let line =
        |shard: &Shard| format!("{}: {} rows, {}\n", shard.file, shard.rows, bytes(shard.bytes));
    let files: String = document.files.iter().map(line).collect();
    format!(
        "{files}{} rows in total, with README.md, CITATION.cff and SHA256SUMS.\n",
        document.rows
    )
}
