//! The files of a dataset: for each split one after the other, each with a fair sample of its rows.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use serde::Serialize;

use crate::error::Result;

use super::row::{FIELDS, RowBytes, Split};
use crate::cli::export::{ColumnKind, Finished, Growing, npy};

/// What the files are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Parquet, one column per number
    Parquet,
    /// NumPy structured arrays, also for mmap_mode="r"
    Npy,
}

impl Format {
    /// Returns what the names of its files end with.
    pub const fn ending(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Npy => "npy",
        }
    }
}

/// A file that has been written.
#[derive(Serialize)]
pub struct Shard {
    pub file: String,
    #[serde(skip)]
    pub name: String,
    pub split: &'static str,
    pub rows: usize,
    pub bytes: u64,
}

/// Rows on their way into files.
pub struct Shards<'a> {
    pub dir: &'a Path,
    pub format: Format,
    pub rules: &'static str,
    /// Rows of a file.
    pub rows: usize,
    pub waiting: BTreeMap<Split, Vec<RowBytes>>,
    pub written: Vec<Shard>,
}

impl Shards<'_> {
    /// Takes the next row.
    pub fn put(&mut self, split: Split, row: RowBytes) -> Result<()> {
        let waiting = self.waiting.entry(split).or_default();
        waiting.push(row);
        if waiting.len() < self.rows {
            return Ok(());
        }
        let rows = std::mem::take(waiting);
        self.write(split, &rows)
    }

    /// Writes what is left, and returns all files by name.
    pub fn finish(mut self) -> Result<Vec<Shard>> {
        for (split, rows) in std::mem::take(&mut self.waiting) {
            if !rows.is_empty() {
                self.write(split, &rows)?;
            }
        }
        self.written.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(self.written)
    }

    fn write(&mut self, split: Split, rows: &[RowBytes]) -> Result<()> {
        let before = self.written.iter().filter(|shard| shard.split == split.name()).count();
        let name = format!("{}-{before:05}.{}", split.name(), self.format.ending());
        let Finished { file, bytes } = match self.format {
            Format::Npy => array(self.dir, &name, rows)?,
            Format::Parquet => table(self.dir, &name, self.rules, rows)?,
        };
        self.written.push(Shard { file, name, split: split.name(), rows: rows.len(), bytes });
        Ok(())
    }
}

/// Room for the types of all fields.
const HEADER: usize = 512;

/// Writes rows as a structured array.
fn array(dir: &Path, name: &str, rows: &[RowBytes]) -> Result<Finished> {
    let types = FIELDS.iter().map(|field| {
        let kind = match field.kind {
            ColumnKind::Byte => "|u1",
            ColumnKind::SignedByte => "|i1",
            ColumnKind::Short => "<i2",
        };
        match field.columns().count() {
            1 => format!("('{}', '{kind}'), ", field.name),
            count => format!("('{}', '{kind}', ({count},)), ", field.name),
        }
    });
    let types = format!("[{}]", types.collect::<String>().trim_end_matches(", "));
    let mut file = Growing::new(dir, name)?;
    file.with(|out| {
        out.write_all(&npy::header(&types, &format!("({},)", rows.len()), HEADER))?;
        out.write_all(rows.as_flattened())
    })?;
    file.finish()
}

#[cfg(not(feature = "parquet"))]
fn table(_: &Path, _: &str, _: &'static str, _: &[RowBytes]) -> Result<Finished> {
    unreachable!("refused before")
}

/// Writes rows as a Parquet table, the id of the sheet in each.
#[cfg(feature = "parquet")]
fn table(dir: &Path, name: &str, rules: &'static str, rows: &[RowBytes]) -> Result<Finished> {
    use crate::cli::export::parquet::{Column, GROUP, ParquetFile, Values};
    let fields = || FIELDS.iter().flat_map(|field| field.columns().map(move |name| (name, field)));
    let columns: Vec<(&str, Column)> = fields()
        .map(|(name, field)| (name, Column::Numbers(field.kind)))
        .chain([("rules", Column::Words)])
        .collect();
    let metadata = [
        ("rules", rules.to_owned()),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("meaning", "README.md in this directory describes the fields".to_owned()),
    ];
    let mut file = ParquetFile::new(dir, name, &columns, &metadata)?;
    for rows in rows.chunks(GROUP) {
        let places = fields().scan(0, |at, (_, field)| {
            let place = *at;
            *at += field.kind.width();
            Some((place, field.kind))
        });
        let numbers = places.map(|(at, kind)| {
            Values::Numbers(rows.iter().map(|row| number(row, at, kind)).collect())
        });
        file.add(numbers.chain([Values::Word(rules, rows.len())]))?;
    }
    file.finish()
}

#[cfg(feature = "parquet")]
fn number(row: &RowBytes, at: usize, kind: ColumnKind) -> i32 {
    match kind {
        ColumnKind::Byte => row[at].into(),
        ColumnKind::SignedByte => row[at].cast_signed().into(),
        ColumnKind::Short => i16::from_le_bytes([row[at], row[at + 1]]).into(),
    }
}
