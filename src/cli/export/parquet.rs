//! Parquet files, for databases and data frames: twelve columns of unsigned bytes, two of signed
//! ones, in rank order.

use std::path::Path;
use std::sync::Arc;

use ::parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::Int32Type;
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::{Type, TypePtr};

use oware_db::error::{Error, Result};
use oware_db::game::{Board, Rules};
use oware_db::layer::Layer;

use super::csv;
use super::file::Growing;
use super::sink::{Exported, Sink, stem};
use super::stream::Piece;

/// Positions of a row group, which is in memory until it is written.
const GROUP: usize = 1 << 20;

/// The table of a layer.
pub struct Columns {
    layer: Layer,
    path: String,
    writer: SerializedFileWriter<Growing>,
    group: Group,
}

/// Rows that have not been written.
#[derive(Default)]
struct Group {
    boards: Vec<Board>,
    low: Vec<i8>,
    high: Vec<i8>,
}

impl Columns {
    /// Begins the file of a layer.
    pub fn new(dir: &Path, rules: &Rules, layer: Layer) -> Result<Columns> {
        let name = format!("{}.parquet", stem(rules, layer));
        let path = dir.join(&name).display().to_string();
        let file = Growing::new(dir, &name)?;
        let compression = WriterProperties::builder().set_compression(Compression::SNAPPY);
        let writer = schema().and_then(|schema| {
            SerializedFileWriter::new(file, schema, Arc::new(compression.build()))
        });
        let writer = writer.map_err(|error| failed(&path, error))?;
        Ok(Columns { layer, path, writer, group: Group::default() })
    }

    fn write_group(&mut self) -> Result<()> {
        let written = self.group.write(&mut self.writer);
        self.group = Group::default();
        written.map_err(|error| failed(&self.path, error))
    }
}

impl Group {
    fn write(&self, writer: &mut SerializedFileWriter<Growing>) -> Result<(), ParquetError> {
        let house = |number: usize| self.boards.iter().map(move |board| board.houses()[number]);
        let houses = (0..12).map(|number| house(number).map(i32::from).collect::<Vec<i32>>());
        let bounds = [&self.low, &self.high].map(|bound| bound.iter().copied().map(i32::from));
        let columns = houses.chain(bounds.map(Iterator::collect));
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
    fn put(&mut self, piece: &Piece) -> Result<()> {
        self.group.boards.extend(&piece.boards);
        self.group.low.extend(&piece.low);
        self.group.high.extend(&piece.high);
        if self.group.boards.len() < GROUP { Ok(()) } else { self.write_group() }
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<Exported>> {
        if !self.group.boards.is_empty() {
            self.write_group()?;
        }
        let Columns { layer, path, writer, .. } = *self;
        let file = writer.into_inner().map_err(|error| failed(&path, error))?;
        Ok(vec![file.finish(layer)?])
    }
}

/// Returns the columns: houses as unsigned bytes, bounds as signed ones.
fn schema() -> Result<TypePtr, ParquetError> {
    let houses = csv::houses().map(|name| column(&name, false));
    let bounds = ["low", "high"].into_iter().map(|name| column(name, true));
    let columns = houses.chain(bounds).collect::<Result<Vec<_>, _>>()?;
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
