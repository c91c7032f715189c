//! Arrays in numpy's own form, which `numpy.load` reads, also with `mmap_mode="r"`: a header as
//! text, then the bytes of the array (numpy's documentation, `numpy.lib.format`, version 1.0).

use std::io::Write;
use std::path::Path;

use zerocopy::IntoBytes;

use crate::error::Result;

use super::file::{Finished, Growing};
use super::shape::{RowSource, Shape};

/// Length of the header: one of the multiples of 64 that there is room for.
const HEADER: usize = 128;

/// Writes the arrays of a layer: lower bounds, upper ones, what there is in addition, and boards if
/// they are wanted.
pub fn write(
    dir: &Path,
    shape: &Shape,
    has_boards: bool,
    source: RowSource,
) -> Result<Vec<Finished>> {
    let mut files = begun(dir, shape, has_boards)?;
    source(&mut |rows| {
        let beside = shape.beside.map(|_| &rows.beside[..]);
        let boards = has_boards.then_some(&rows.counts[..]);
        let bounds = [rows.low.as_bytes(), rows.high.as_bytes()];
        let bytes = bounds.into_iter().chain(beside).chain(boards);
        let mut both = files.iter_mut().zip(bytes);
        both.try_for_each(|(file, bytes)| file.with(|out| out.write_all(bytes)))
    })?;
    files.into_iter().map(Growing::finish).collect()
}

/// Returns the arrays with their headers.
fn begun(dir: &Path, shape: &Shape, has_boards: bool) -> Result<Vec<Growing>> {
    let (positions, places) = (shape.positions, shape.places.len());
    let (row, wide) = (format!("({positions},)"), format!("({positions}, {places})"));
    let beside = shape.beside.map(|name| (name, "|u1", &row));
    let boards = has_boards.then_some(("boards", "|u1", &wide));
    let bounds = [("low", "|i1", &row), ("high", "|i1", &row)];
    let begin = |(name, numbers, dimensions): (&str, &str, &String)| {
        let mut file = Growing::new(dir, &format!("{name}-{}.npy", shape.stem))?;
        let header = header(&format!("'{numbers}'"), dimensions, HEADER);
        file.with(|out| out.write_all(&header))?;
        Ok(file)
    };
    bounds.into_iter().chain(beside).chain(boards).map(begin).collect()
}

/// Returns what stands before the numbers, `length` bytes: a multiple of 64 that there is room for.
/// `numbers` is the type of an item as Python writes it.
pub fn header(numbers: &str, shape: &str, length: usize) -> Vec<u8> {
    let text = format!("{{'descr': {numbers}, 'fortran_order': False, 'shape': {shape}, }}");
    let room = length - 10;
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((room as u16).to_le_bytes());
    header.extend(format!("{text:<width$}\n", width = room - 1).bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_have_one_length() {
        for shape in ["(1,)", "(279871768995, 12)"] {
            let header = header("'|i1'", shape, HEADER);
            assert_eq!((header.len(), header[HEADER - 1]), (HEADER, b'\n'));
            assert_eq!(header[..10], *b"\x93NUMPY\x01\x00\x76\x00");
        }
    }
}
