//! A text with a line for each position.

use std::io::{self, Write};
use std::path::Path;

use crate::error::Result;

use super::file::{Finished, Growing};
use super::shape::{RowSource, Rows, Shape};

/// Writes the text of a layer, which begins with the names of the columns.
pub fn write(dir: &Path, shape: &Shape, source: RowSource) -> Result<Vec<Finished>> {
    let mut file = Growing::new(dir, &format!("{}.csv", shape.stem))?;
    let (places, numbers) = (shape.places.join(","), shape.numbers().join(","));
    file.with(|out| writeln!(out, "rank,{places},{numbers}"))?;
    source(&mut |rows| file.with(|out| add(out, shape, rows)))?;
    Ok(vec![file.finish()?])
}

fn add(out: &mut impl Write, shape: &Shape, rows: &Rows) -> io::Result<()> {
    let boards = rows.counts.chunks_exact(shape.places.len());
    let scores = rows.low.iter().zip(&rows.high);
    for (number, (board, (low, high))) in boards.zip(scores).enumerate() {
        write!(out, "{}", rows.first + number as u64)?;
        board.iter().try_for_each(|count| write!(out, ",{count}"))?;
        write!(out, ",{low},{high}")?;
        if shape.has_plies() {
            write!(out, ",{}", rows.beside[number])?;
        }
        writeln!(out)?;
    }
    Ok(())
}
