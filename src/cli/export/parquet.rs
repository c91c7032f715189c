//! Parquet files, for databases and data frames.
//!
//! A layer has a column of unsigned bytes for each place of the board, signed ones for the bounds, then
//! the seeds and the rank, in rank order. The metadata of a file say what it holds.

use std::path::Path;
use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::{Type, TypePtr};

use crate::error::{Error, Result};

use super::file::{Finished, Growing};
use super::shape::{ColumnKind, PLIES, RowSource, Rows, Shape};

/// Positions of a row group, which is in memory until it is written.
pub const GROUP: usize = 1 << 20;

/// A column of a file.
pub enum Column {
    /// Small numbers.
    Numbers(ColumnKind),
    /// Ranks.
    Ranks,
    /// Words.
    Words,
}

/// What a row group has of a column.
pub enum Values {
    Numbers(Vec<i32>),
    Ranks(Vec<i64>),
    /// The same word in this many rows.
    Word(&'static str, usize),
}

/// A Parquet file that is being written.
pub struct ParquetFile {
    path: String,
    writer: SerializedFileWriter<Growing>,
}

impl ParquetFile {
    /// Begins a file with these columns; it says the `metadata` of itself.
    pub fn new(
        dir: &Path,
        name: &str,
        columns: &[(&str, Column)],
        metadata: &[(&str, String)],
    ) -> Result<ParquetFile> {
        let path = dir.join(name).display().to_string();
        let entry =
            |(key, value): &(&str, String)| KeyValue::new(format!("oware.{key}"), value.clone());
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_key_value_metadata(Some(metadata.iter().map(entry).collect()));
        let file = Growing::new(dir, name)?;
        let writer = schema(columns).and_then(|schema| {
            SerializedFileWriter::new(file, schema, Arc::new(properties.build()))
        });
        let writer = writer.map_err(|error| failed(&path, error))?;
        Ok(ParquetFile { path, writer })
    }

    /// Writes a row group: the values of all columns in their order.
    pub fn add(&mut self, columns: impl Iterator<Item = Values>) -> Result<()> {
        let written = write_group(&mut self.writer, columns);
        written.map_err(|error| failed(&self.path, error))
    }

    /// Completes the file.
    pub fn finish(self) -> Result<Finished> {
        let file = self.writer.into_inner().map_err(|error| failed(&self.path, error))?;
        file.finish()
    }
}

fn write_group(
    writer: &mut SerializedFileWriter<Growing>,
    columns: impl Iterator<Item = Values>,
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for values in columns {
        let mut column = group.next_column()?.expect("as many columns as in the schema");
        match values {
            Values::Numbers(numbers) => {
                column.typed::<Int32Type>().write_batch(&numbers, None, None)?
            }
            Values::Ranks(ranks) => column.typed::<Int64Type>().write_batch(&ranks, None, None)?,
            Values::Word(word, rows) => {
                let words = vec![ByteArray::from(word); rows];
                column.typed::<ByteArrayType>().write_batch(&words, None, None)?
            }
        };
        column.close()?;
    }
    group.close().map(drop)
}

/// Writes the table of a layer.
pub fn write(dir: &Path, shape: &Shape, source: RowSource) -> Result<Vec<Finished>> {
    let name = format!("{}.parquet", shape.stem);
    let mut file = ParquetFile::new(dir, &name, &columns(shape), &metadata(shape))?;
    let mut group = Rows::default();
    source(&mut |rows| {
        group.extend(rows);
        match group.low.len() {
            ..GROUP => Ok(()),
            _ => file.add(std::mem::take(&mut group).columns(shape)),
        }
    })?;
    if !group.low.is_empty() {
        file.add(group.columns(shape))?;
    }
    Ok(vec![file.finish()?])
}

impl Rows {
    fn extend(&mut self, more: &Rows) {
        if self.low.is_empty() {
            self.first = more.first;
        }
        self.counts.extend(&more.counts);
        self.low.extend(&more.low);
        self.high.extend(&more.high);
        self.beside.extend(&more.beside);
    }

    /// Returns the values of all columns in their order.
    fn columns<'g>(&'g self, shape: &Shape) -> impl Iterator<Item = Values> + use<'g> {
        let (places, positions) = (shape.places.len(), self.low.len());
        let place = move |number: usize| {
            self.counts.iter().skip(number).step_by(places).copied().map(i32::from).collect()
        };
        let bounds = [&self.low, &self.high];
        let bounds = bounds.map(|bound| bound.iter().copied().map(i32::from).collect());
        let plies = shape.has_plies().then(|| self.beside.iter().copied().map(i32::from).collect());
        let seeds = vec![shape.seeds.get() as i32; positions];
        let numbers = (0..places).map(place).chain(bounds).chain(plies).chain([seeds]);
        let ranks = (self.first as i64..).take(positions).collect();
        numbers.map(Values::Numbers).chain([Values::Ranks(ranks)])
    }
}

/// Returns what a file says of itself.
fn metadata(shape: &Shape) -> [(&'static str, String); 6] {
    let mut bounds = match shape.has_plies() {
        true => {
            "low and high: with best play of both, 1 if the player to move wins, 0 if the game has no \
             end, -1 if the player to move loses; plies: the moves to the end if the winner hurries \
             and the loser delays, 255 if there is none"
        }
        false => {
            "low and high: what the player to move gets of the seeds on the board minus what the \
             opponent gets, at least and at most with best play of both; equal where it is known"
        }
    }
    .to_owned();
    if let Some(game) = shape.range.game() {
        let (end, seeds) = (shape.range.end(), shape.seeds);
        bounds += &format!(
            ". Clamped to what decides games of {game} seeds: unless the game is over, a score of \
             {end} or more has low {end} and high {seeds}, one of -{end} or less has low -{seeds} \
             and high -{end}"
        );
    }
    [
        ("rules", shape.rules.to_owned()),
        ("seeds", shape.seeds.to_string()),
        ("positions", shape.positions.to_string()),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("meaning", bounds),
        ("index", "the rank of the position in its layer, as `oware index` gives it".to_owned()),
    ]
}

/// Returns the columns: places, plies and seeds as unsigned bytes, bounds as signed ones, ranks as long
/// numbers.
fn columns(shape: &Shape) -> Vec<(&str, Column)> {
    let places = shape.places.iter().map(|name| bytes(name));
    let numbers = shape.numbers().into_iter().map(|name| match name {
        PLIES => bytes(name),
        _ => (name, Column::Numbers(ColumnKind::SignedByte)),
    });
    places.chain(numbers).chain([bytes("seeds"), ("index", Column::Ranks)]).collect()
}

fn bytes(name: &str) -> (&str, Column) {
    (name, Column::Numbers(ColumnKind::Byte))
}

fn schema(columns: &[(&str, Column)]) -> Result<TypePtr, ParquetError> {
    let columns = columns.iter().map(|(name, column)| column.schema(name));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    Ok(Arc::new(Type::group_type_builder("layer").with_fields(columns).build()?))
}

impl Column {
    fn schema(&self, name: &str) -> Result<TypePtr, ParquetError> {
        let integer = |bits, is_signed| Some(LogicalType::integer(bits, is_signed));
        let (physical, logical) = match self {
            Column::Numbers(ColumnKind::Byte) => (Physical::INT32, integer(8, false)),
            Column::Numbers(ColumnKind::SignedByte) => (Physical::INT32, integer(8, true)),
            Column::Numbers(ColumnKind::Short) => (Physical::INT32, integer(16, true)),
            Column::Ranks => (Physical::INT64, None),
            Column::Words => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let column = Type::primitive_type_builder(name, physical).with_logical_type(logical);
        column.with_repetition(Repetition::REQUIRED).build().map(Arc::new)
    }
}

fn failed(path: &str, error: ParquetError) -> Error {
    Error::io("writing", path)(std::io::Error::other(error))
}
