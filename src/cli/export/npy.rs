//! Arrays in numpy's own form, which `numpy.load` reads, also with `mmap_mode="r"`: a header as
//! text, then the bytes of the array (numpy's documentation, `numpy.lib.format`, version 1.0).

use std::path::Path;

use oware_db::error::Result;

use super::file::Growing;
use super::sink::{Beside, Exported, Rows, Shape, Sink};

/// Length of the header: one of the multiples of 64 that there is room for.
const HEADER: usize = 128;

/// The arrays of a layer.
pub struct Arrays {
    shape: Shape,
    low: Growing,
    high: Growing,
    beside: Option<Growing>,
    boards: Option<Growing>,
}

impl Arrays {
    /// Begins the arrays of a layer.
    pub fn new(dir: &Path, shape: Shape, boards: bool) -> Result<Arrays> {
        let begin = |name: &str, numbers: &str, dimensions: String| {
            let mut file = Growing::new(dir, &format!("{name}-{}.npy", shape.stem))?;
            let header = header(&format!("'{numbers}'"), &dimensions, HEADER);
            file.with(|out| out.write_all(&header))?;
            Ok(file)
        };
        let (positions, places) = (shape.positions, shape.places.len());
        let bytes = |name, numbers| begin(name, numbers, format!("({positions},)"));
        let wide = |name| begin(name, "|u1", format!("({positions}, {places})"));
        let beside = match shape.beside {
            Beside::Nothing => None,
            Beside::Stamps => Some("stamps"),
            Beside::Plies => Some("plies"),
        };
        let (low, high) = (bytes("low", "|i1")?, bytes("high", "|i1")?);
        let beside = beside.map(|name| bytes(name, "|u1")).transpose()?;
        let boards = boards.then(|| wide("boards")).transpose()?;
        Ok(Arrays { low, high, beside, boards, shape })
    }
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

impl Sink for Arrays {
    fn put(&mut self, rows: &Rows) -> Result<()> {
        let bytes = |scores: &[i8]| scores.iter().map(|score| score.cast_unsigned()).collect();
        let low: Vec<u8> = bytes(&rows.low);
        let high: Vec<u8> = bytes(&rows.high);
        self.low.with(|out| out.write_all(&low))?;
        self.high.with(|out| out.write_all(&high))?;
        if let Some(beside) = &mut self.beside {
            beside.with(|out| out.write_all(&rows.beside))?;
        }
        if let Some(boards) = &mut self.boards {
            boards.with(|out| out.write_all(&rows.counts))?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<Exported>> {
        let files = [Some(self.low), Some(self.high), self.beside, self.boards];
        let finish = |file: Growing| Ok(Exported::of(file.finish()?, &self.shape));
        files.into_iter().flatten().map(finish).collect()
    }
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
