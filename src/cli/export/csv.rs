//! A text with a line for each position.

use std::path::Path;

use oware_db::error::Result;

use super::file::Growing;
use super::sink::{Exported, Rows, Shape, Sink};

/// The text of a layer.
pub struct Text {
    shape: Shape,
    file: Growing,
}

impl Text {
    /// Begins the text of a layer with the names of the columns.
    pub fn new(dir: &Path, shape: Shape) -> Result<Text> {
        let mut file = Growing::new(dir, &format!("{}.csv", shape.stem))?;
        let (places, numbers) = (shape.places.join(","), shape.numbers().join(","));
        file.with(|out| writeln!(out, "rank,{places},{numbers}"))?;
        Ok(Text { shape, file })
    }
}

impl Sink for Text {
    fn put(&mut self, rows: &Rows) -> Result<()> {
        let (places, has_plies) = (self.shape.places.len(), self.shape.has_plies());
        let boards = rows.counts.chunks_exact(places);
        let scores = rows.low.iter().zip(&rows.high);
        self.file.with(|out| {
            for (number, (board, (low, high))) in boards.zip(scores).enumerate() {
                write!(out, "{}", rows.first + number as u64)?;
                board.iter().try_for_each(|count| write!(out, ",{count}"))?;
                write!(out, ",{low},{high}")?;
                if has_plies {
                    write!(out, ",{}", rows.beside[number])?;
                }
                writeln!(out)?;
            }
            Ok(())
        })
    }

    fn finish(self: Box<Self>) -> Result<Vec<Exported>> {
        Ok(vec![Exported::of(self.file.finish()?, &self.shape)])
    }
}
