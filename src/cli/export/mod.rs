//! `oware export`: layers as files for other programs.

mod csv;
mod file;
mod npy;
#[cfg(feature = "parquet")]
mod parquet;
mod sink;
pub mod stream;
mod vu;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use serde::Serialize;

use oware_db::error::{Error, Result};
use oware_db::game::Seeds;
use oware_db::json::words::bytes;
use oware_db::layer::Layer;
use oware_db::probe::Tables;

use super::options::{RulesArg, TablesArgs, parse_seeds};
use super::{output, progress};
use sink::{Exported, Sink};
use stream::{Columns, stream};

/// Bytes of decoded tiles to keep.
pub const CACHE: u64 = 64 << 20;

/// Write layers as files for other programs: arrays of numpy, Parquet, CSV, or the published Awari
/// score database's form
///
/// A layer is written position by position in the order of ranks (`oware unindex`), so it takes
/// little memory. npy: `low-SHEET-N.npy`, `high-SHEET-N.npy` and, where the table holds a strategy,
/// `stamps-SHEET-N.npy`, one byte a position. vu: `scores.N`, one byte a position, in the order of
/// that database, for the sheet awari.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware export --format npy --seeds 12 --out arrays\n  \
                  oware export --format csv --seeds 0-6 --out layers\n  \
                  oware export --format vu --rules awari --seeds 0-12 --out scores")]
pub struct Args {
    /// What to write
    #[arg(long, value_name = "FORMAT")]
    format: Format,
    /// The layer, or the first and the last of several, as in `0-12`
    #[arg(long, value_name = "N", value_parser = parse_range)]
    seeds: Range,
    /// Directory for the files; made if it is missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// npy: also write `boards-SHEET-N.npy`, twelve bytes a position
    #[arg(long)]
    boards: bool,
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    tables: TablesArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Arrays for numpy.load, one file for each column
    Npy,
    /// One Parquet file a layer: twelve houses, low, high
    Parquet,
    /// One text file a layer: rank, twelve houses, low, high
    Csv,
    /// The files of the published Awari score database
    Vu,
}

/// Layers that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    first: Seeds,
    last: Seeds,
}

/// Reads `N` or `A-B`.
fn parse_range(text: &str) -> std::result::Result<Range, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (parse_seeds(first)?, parse_seeds(last)?);
    if first > last {
        return Err(format!("{first} is more than {last}; the smaller layer comes first"));
    }
    Ok(Range { first, last })
}

#[derive(Serialize)]
struct Document {
    rules: &'static str,
    files: Vec<Exported>,
}

impl Args {
    /// Writes the files.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        self.check()?;
        let rules = self.rules.rules;
        let tables = self.tables.open()?.with_cache(CACHE);
        fs::create_dir_all(&self.out).map_err(Error::io("making the directory", &self.out))?;
        let mut files = Vec::new();
        for seeds in self.layers() {
            files.extend(self.export(&tables, Layer::of(rules, seeds))?);
        }
        output::result(json, &Document { rules: rules.id, files }, page)?;
        Ok(ExitCode::SUCCESS)
    }

    fn check(&self) -> Result<()> {
        let wrong = |text: &str| Err(Error::Usage(text.to_owned()));
        match self.format {
            Format::Vu if self.rules.rules != super::vu::SHEET => {
                wrong("--format vu is the form of a database of Awari; add --rules awari")
            }
            Format::Parquet if cfg!(not(feature = "parquet")) => wrong(
                "this program was built without Parquet; build it with \
                 `cargo build --release --features parquet`, or use --format npy",
            ),
            Format::Npy => Ok(()),
            _ if self.boards => wrong("--boards goes with --format npy"),
            _ => Ok(()),
        }
    }

    fn layers(&self) -> impl Iterator<Item = Seeds> {
        self.seeds.last.up_to().skip_while(|&seeds| seeds < self.seeds.first)
    }

    fn export(&self, tables: &Tables, layer: Layer) -> Result<Vec<Exported>> {
        let rules = self.rules.rules;
        let table = tables.require(rules, layer.seeds())?;
        let stamps = self.format == Format::Npy && table.header().holds().is_some();
        let mut sink = self.sink(layer, stamps)?;
        let bar = progress::share(layer.positions());
        bar.set_message(format!("{} seeds", layer.seeds()));
        let columns = Columns { rules, stamps };
        stream(tables, columns, layer, &mut |piece| {
            bar.inc(piece.boards.len() as u64);
            sink.put(piece)
        })?;
        bar.finish_and_clear();
        sink.finish()
    }

    fn sink(&self, layer: Layer, stamps: bool) -> Result<Box<dyn Sink>> {
        let (out, rules) = (&self.out, self.rules.rules);
        Ok(match self.format {
            Format::Npy => Box::new(npy::Arrays::new(out, rules, layer, self.boards, stamps)?),
            Format::Csv => Box::new(csv::Text::new(out, rules, layer)?),
            Format::Vu => Box::new(vu::Scores::new(out, layer)?),
            #[cfg(feature = "parquet")]
            Format::Parquet => Box::new(parquet::Columns::new(out, rules, layer)?),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => unreachable!("refused before"),
        })
    }
}

fn page(document: &Document) -> String {
    let line = |exported: &Exported| {
        let Exported { file, positions, bytes: length, .. } = exported;
        format!("{file}: {positions} positions, {}\n", bytes(*length))
    };
    document.files.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_a_number_or_two() {
        let range =
            |text: &str| parse_range(text).map(|range| (range.first.get(), range.last.get()));
        assert_eq!((range("7"), range("0-12")), (Ok((7, 7)), Ok((0, 12))));
        assert_eq!(range("3-3"), Ok((3, 3)));
        for wrong in ["", "-", "5-3", "0-49", "1-2-3", "x"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
