//! Parquet files, for databases and data frames: a column of unsigned bytes for each place of the
//! board, signed ones for the bounds, then the seeds and the rank, in rank order. The metadata of a file
//! say what it holds.

use std::path::Path;
use std::sync::Arc;

use ::parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{Int32Type, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::{Type, TypePtr};

use oware_db::error::{Error, Result};

use super::file::Growing;
use super::sink::{Beside, Exported, Rows, Shape, Sink};

/// Positions of a row group, which is in memory until it is written.
const GROUP: usize = 1 << 20;

/// The table of a layer.
pub struct Columns {
    shape: Shape,
    path: String,
    writer: SerializedFileWriter<Growing>,
    group: Group,
}

/// Rows that have not been written.
#[derive(Default)]
struct Group {
    /// Rank of the first.
    first: u64,
    counts: Vec<u8>,
    low: Vec<i8>,
    high: Vec<i8>,
    beside: Vec<u8>,
}

impl Columns {
    /// Begins the file of a layer.
    pub fn new(dir: &Path, shape: Shape) -> Result<Columns> {
        let name = format!("{}.parquet", shape.stem);
        let path = dir.join(&name).display().to_string();
        let file = Growing::new(dir, &name)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_key_value_metadata(Some(metadata(&shape)));
        let writer = schema(&shape).and_then(|schema| {
            SerializedFileWriter::new(file, schema, Arc::new(properties.build()))
        });
        let writer = writer.map_err(|error| failed(&path, error))?;
        Ok(Columns { shape, path, writer, group: Group::default() })
    }

    fn write_group(&mut self) -> Result<()> {
        let written = self.group.write(&self.shape, &mut self.writer);
        self.group = Group::default();
        written.map_err(|error| failed(&self.path, error))
    }
}

impl Group {
    fn write(
        &self,
        shape: &Shape,
        writer: &mut SerializedFileWriter<Growing>,
    ) -> Result<(), ParquetError> {
        let places = shape.places.len();
        let place = |number: usize| self.counts.iter().skip(number).step_by(places).copied();
        let places = (0..places).map(|number| place(number).map(i32::from).collect::<Vec<i32>>());
        let bounds = [&self.low, &self.high].map(|bound| bound.iter().copied().map(i32::from));
        let plies = (shape.beside == Beside::Plies)
            .then(|| self.beside.iter().copied().map(i32::from).collect::<Vec<i32>>());
        let positions = self.low.len();
        let seeds = vec![shape.seeds.get() as i32; positions];
        let columns = places.chain(bounds.map(Iterator::collect)).chain(plies).chain([seeds]);
        let mut group = writer.next_row_group()?;
        for numbers in columns {
            let mut column = group.next_column()?.expect("as many columns as in the schema");
            column.typed::<Int32Type>().write_batch(&numbers, None, None)?;
            column.close()?;
        }
        let ranks: Vec<i64> = (self.first as i64..).take(positions).collect();
        let mut column = group.next_column()?.expect("the rank is the last");
        column.typed::<Int64Type>().write_batch(&ranks, None, None)?;
        column.close()?;
        group.close().map(drop)
    }
}

impl Sink for Columns {
    fn put(&mut self, rows: &Rows) -> Result<()> {
        if self.group.low.is_empty() {
            self.group.first = rows.first;
        }
        self.group.counts.extend(&rows.counts);
        self.group.low.extend(&rows.low);
        self.group.high.extend(&rows.high);
        self.group.beside.extend(&rows.beside);
        if self.group.low.len() < GROUP { Ok(()) } else { self.write_group() }
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<Exported>> {
        if !self.group.low.is_empty() {
            self.write_group()?;
        }
        let Columns { shape, path, writer, .. } = *self;
        let file = writer.into_inner().map_err(|error| failed(&path, error))?;
        Ok(vec![file.finish(&shape)?])
    }
}

/// Returns what a file says of itself.
fn metadata(shape: &Shape) -> Vec<KeyValue> {
    let bounds = match shape.clamped_to {
        None => "low and high: what the player to move gets of the seeds on the board minus what the \
                 opponent gets, at least and at most with best play of both; equal where it is known"
            .to_owned(),
        Some(end) => format!(
            "low and high: what the player to move gets of the seeds on the board minus what the \
             opponent gets, with best play of both; -{end} is that or less, {end} that or more"
        ),
    };
    let entry = |key: &str, value: String| KeyValue::new(format!("oware.{key}"), value);
    vec![
        entry("rules", shape.rules.to_owned()),
        entry("seeds", shape.seeds.to_string()),
        entry("positions", shape.positions.to_string()),
        entry("version", env!("CARGO_PKG_VERSION").to_owned()),
        entry("meaning", bounds),
        entry(
            "index",
            "the rank of the position in its layer, as `oware index` gives it".to_owned(),
        ),
    ]
}

/// Returns the columns: places, plies and seeds as unsigned bytes, bounds as signed ones, ranks as long
/// numbers.
fn schema(shape: &Shape) -> Result<TypePtr, ParquetError> {
    let places = shape.places.iter().map(|name| column(name, false));
    let numbers = shape.numbers().into_iter().map(|name| column(name, name != "plies"));
    let index = Type::primitive_type_builder("index", Physical::INT64);
    let index = index.with_repetition(Repetition::REQUIRED).build().map(Arc::new);
    let columns = places.chain(numbers).chain([column("seeds", false), index]);
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    Ok(Arc::new(Type::group_type_builder("layer").with_fields(columns).build()?))
}

fn column(name: &str, is_signed: bool) -> Result<TypePtr, ParquetError> {
    let converted = if is_signed { ConvertedType::INT_8 } else { ConvertedType::UINT_8 };
    let column = Type::primitive_type_builder(name, Physical::INT32)
        .with_repetition(Repetition::REQUIRED)
        .with_converted_type(converted)
        .with_logical_type(Some(LogicalType::integer(8, is_signed)));
    column.build().map(Arc::new)
}

fn failed(path: &str, error: ParquetError) -> Error {
    Error::io("writing", path)(std::io::Error::other(error))
}
