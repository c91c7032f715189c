//! Parquet files, for databases and data frames: a column of unsigned bytes for each place of the
//! board, signed ones for the bounds, in rank order.

use std::path::Path;
use std::sync::Arc;

use ::parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::Int32Type;
use ::parquet::errors::ParquetError;
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
        let compression = WriterProperties::builder().set_compression(Compression::SNAPPY);
        let writer = schema(&shape).and_then(|schema| {
            SerializedFileWriter::new(file, schema, Arc::new(compression.build()))
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
        let columns = places.chain(bounds.map(Iterator::collect)).chain(plies);
        let mut group = writer.next_row_group()?;
        for numbers in columns {
            let mut column = group.next_column()?.expect("as many columns as in the schema");
            column.typed::<Int32Type>().write_batch(&numbers, None, None)?;
            column.close()?;
        }
        group.close().map(drop)
    }
}

impl Sink for Columns {
    fn put(&mut self, rows: &Rows) -> Result<()> {
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

/// Returns the columns: places and plies as unsigned bytes, bounds as signed ones.
fn schema(shape: &Shape) -> Result<TypePtr, ParquetError> {
    let places = shape.places.iter().map(|name| column(name, false));
    let numbers = shape.numbers().into_iter().map(|name| column(name, name != "plies"));
    let columns = places.chain(numbers).collect::<Result<Vec<_>, _>>()?;
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
