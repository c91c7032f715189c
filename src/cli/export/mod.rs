//! `oware export`: layers as files for other programs.

mod csv;
mod file;
mod general;
pub mod npy;
#[cfg(feature = "parquet")]
pub mod parquet;
mod shape;
pub mod stream;
pub mod vu;

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::ValueEnum;
use serde::Serialize;
use serde_json::json;

use crate::error::{Error, Result};
use crate::game::mancala::Sheet;
use crate::game::{House, Rules, Seeds};
use crate::json::words::bytes;
use crate::layer::Layer;
use crate::table::file_name;

use super::options::{AnySheet, SheetArg, TablesArgs, parse_seeds};
use super::{output, progress, threads};
pub use file::{Finished, Growing, make_dir};
use shape::Shape;
pub use shape::{ColumnKind, RowSource};
use stream::stream;

/// Bytes of decoded tiles to keep.
pub const CACHE: u64 = 64 << 20;

/// What a program says that cannot write Parquet.
pub const WITHOUT_PARQUET: &str = "this program was built without Parquet; build it with `cargo \
    build --release --features parquet`, or use --format npy";

/// Export layers for other programs: NumPy arrays, Parquet, CSV, or the format of the published
/// Awari score database
///
/// Writes a layer position by position in index order (see `oware unindex`), so it takes little
/// memory. npy: `low-SHEET-N.npy` and `high-SHEET-N.npy`, one byte per position;
/// `stamps-SHEET-N.npy` for Bao and Nam Nam, `plies-SHEET-N.npy` for Bao la Kujifunza. vu:
/// `scores.N`, one byte per position, in the order of that database, for `awari` only.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware export --format npy --seeds 12 --out arrays\n  \
                  oware export --format csv --seeds 0-6 --out layers\n  \
                  oware export --format vu --rules awari --seeds 0-12 --out scores")]
pub struct Args {
    /// Output format
    #[arg(long, value_name = "FORMAT")]
    format: Format,
    /// Layer to export, or a range of layers as in `0-12`
    #[arg(long, value_name = "N", value_parser = parse_range)]
    seeds: RangeInclusive<Seeds>,
    /// Output directory, created if missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// npy: also write `boards-SHEET-N.npy`, one byte per pit of each position
    #[arg(long)]
    boards: bool,
    /// Nam Nam: owner of each house, as in `mmmmmmmooooo` [default: six houses each]
    #[arg(long, value_name = "OWNERS")]
    owners: Option<String>,
    #[command(flatten)]
    rules: SheetArg,
    #[command(flatten)]
    tables: TablesArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// NumPy arrays, one file per column
    Npy,
    /// One Parquet file per layer: the pits, low, high, and plies if there are any
    Parquet,
    /// One text file per layer: rank (index), the pits, low, high, and plies if there are any
    Csv,
    /// Files of the published Awari score database
    Vu,
}

/// Reads `N` or `A-B`.
fn parse_range(text: &str) -> Result<RangeInclusive<Seeds>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (parse_seeds(first)?, parse_seeds(last)?);
    if first > last {
        return Err(format!("{first} is more than {last}; the smaller layer comes first"));
    }
    Ok(first..=last)
}

impl Args {
    /// Writes the files.
    pub fn run(self, json: bool) -> Result<()> {
        threads::start(None)?;
        self.check()?;
        let files = match self.rules.sheet {
            AnySheet::Oware(rules) => self.export_oware(rules)?,
            AnySheet::Other(sheet) => self.export_other(sheet)?,
        };
        let document = json!({ "rules": self.rules.sheet.id(), "files": files });
        output::result(json, &document, |_| page(&files))
    }

    fn check(&self) -> Result<()> {
        let wrong = |text: &str| Err(Error::Usage(text.to_owned()));
        let is_awari = self.rules.sheet.id() == vu::SHEET.id;
        let has_owners = matches!(self.rules.sheet, AnySheet::Other(sheet) if sheet.has_owners);
        match self.format {
            _ if self.owners.is_some() && !has_owners => wrong("--owners requires --rules nam-nam"),
            Format::Vu if !is_awari => wrong("--format vu is for Awari only; add --rules awari"),
            Format::Parquet if cfg!(not(feature = "parquet")) => wrong(WITHOUT_PARQUET),
            Format::Npy => Ok(()),
            _ if self.boards => wrong("--boards requires --format npy"),
            _ => Ok(()),
        }
    }

    fn layers(&self) -> impl Iterator<Item = Seeds> {
        self.seeds.end().up_to().skip_while(|seeds| seeds < self.seeds.start())
    }

    fn export_oware(&self, rules: &'static Rules) -> Result<Vec<Exported>> {
        let tables = self.tables.open()?.with_cache(CACHE);
        let (mut layers, mut files) = (Vec::new(), Vec::new());
        for seeds in self.layers() {
            let table = tables.require(rules, seeds)?;
            if self.format == Format::Vu && !table.range().is_full() {
                return Err(Error::Usage(format!(
                    "this format requires full scores, and {} is clamped; export it as npy, csv or \
                     parquet",
                    table.path().display()
                )));
            }
            layers.push(table.layer());
        }
        make_dir(&self.out)?;
        for layer in layers {
            let shape = shape(rules, layer);
            files.extend(self.write(&shape, &mut |take| stream(&tables, rules, layer, take))?);
        }
        Ok(files)
    }

    fn export_other(&self, sheet: &'static Sheet) -> Result<Vec<Exported>> {
        let tables = self.tables.open()?;
        let layers = general::layers(sheet, self.owners.as_deref(), self.layers())?;
        let opened =
            layers.iter().map(|&layer| tables.require(sheet, layer)).collect::<Result<Vec<_>>>()?;
        make_dir(&self.out)?;
        let mut files = Vec::new();
        for table in opened {
            let shape = general::shape(&table);
            files.extend(self.write(&shape, &mut |take| general::stream(&table, take))?);
        }
        Ok(files)
    }

    /// Writes the files of a layer, whose rows come from somewhere.
    fn write(&self, shape: &Shape, source: RowSource) -> Result<Vec<Exported>> {
        let bar = progress::share(shape.positions);
        bar.set_message(format!("{} seeds", shape.seeds));
        let source: RowSource = &mut |take| {
            source(&mut |rows| {
                bar.inc(rows.low.len() as u64);
                take(rows)
            })
        };
        let files = match self.format {
            Format::Npy => npy::write(&self.out, shape, self.boards, source),
            Format::Csv => csv::write(&self.out, shape, source),
            Format::Vu => vu::write(&self.out, shape, source),
            #[cfg(feature = "parquet")]
            Format::Parquet => parquet::write(&self.out, shape, source),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => unreachable!("refused before"),
        }?;
        bar.finish_and_clear();
        let &Shape { seeds, positions, .. } = shape;
        let exported = |Finished { file, bytes }| Exported { file, seeds, positions, bytes };
        Ok(files.into_iter().map(exported).collect())
    }
}

/// A file that has been written.
#[derive(Serialize)]
struct Exported {
    file: String,
    seeds: Seeds,
    positions: u64,
    bytes: u64,
}

/// A layer of Oware.
fn shape(rules: &Rules, layer: Layer) -> Shape {
    // They differ in more than capitals, which SQL does not tell apart.
    let row = |owner: &'static str| {
        House::ALL.into_iter().map(move |house| format!("{owner}_{}", house.opponent_letter()))
    };
    let stem = file_name(rules, layer.seeds()).trim_end_matches(".oware").to_owned();
    Shape {
        rules: rules.id,
        stem,
        seeds: layer.seeds(),
        positions: layer.positions(),
        places: row("mover").chain(row("opponent")).collect(),
        beside: None,
        range: layer.range(),
    }
}

fn page(files: &[Exported]) -> String {
    let line = |exported: &Exported| {
        let Exported { file, positions, bytes: length, .. } = exported;
        format!("{file}: {positions} positions, {}\n", bytes(*length))
    };
    files.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_a_number_or_two() {
        let range =
            |text: &str| parse_range(text).map(|range| (range.start().get(), range.end().get()));
        assert_eq!((range("7"), range("0-12")), (Ok((7, 7)), Ok((0, 12))));
        assert_eq!(range("3-3"), Ok((3, 3)));
        for wrong in ["", "-", "5-3", "0-49", "1-2-3", "x"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
