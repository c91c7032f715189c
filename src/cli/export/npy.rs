//! Arrays in numpy's own form, which `numpy.load` reads, also with `mmap_mode="r"`: a header as
//! text, then the bytes of the array (numpy's documentation, `numpy.lib.format`, version 1.0).

use std::path::Path;

use oware_db::error::Result;
use oware_db::game::Rules;
use oware_db::layer::Layer;

use super::file::Growing;
use super::sink::{Exported, Sink, stem};
use super::stream::Piece;

/// Length of the header: one of the multiples of 64 that there is room for.
const HEADER: usize = 128;

/// The arrays of a layer.
pub struct Arrays {
    layer: Layer,
    low: Growing,
    high: Growing,
    stamps: Option<Growing>,
    boards: Option<Growing>,
}

impl Arrays {
    /// Begins the arrays of a layer.
    pub fn new(
        dir: &Path,
        rules: &Rules,
        layer: Layer,
        boards: bool,
        stamps: bool,
    ) -> Result<Arrays> {
        let begin = |name: &str, numbers: &str, shape: String| {
            let mut file = Growing::new(dir, &format!("{name}-{}.npy", stem(rules, layer)))?;
            file.with(|out| out.write_all(&header(numbers, &shape)))?;
            Ok(file)
        };
        let positions = layer.positions();
        let bytes = |name, numbers| begin(name, numbers, format!("({positions},)"));
        let wide = |name| begin(name, "|u1", format!("({positions}, 12)"));
        Ok(Arrays {
            layer,
            low: bytes("low", "|i1")?,
            high: bytes("high", "|i1")?,
            stamps: stamps.then(|| bytes("stamps", "|u1")).transpose()?,
            boards: boards.then(|| wide("boards")).transpose()?,
        })
    }
}

/// Returns what stands before the numbers.
fn header(numbers: &str, shape: &str) -> Vec<u8> {
    let text = format!("{{'descr': '{numbers}', 'fortran_order': False, 'shape': {shape}, }}");
    let room = HEADER - 10;
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((room as u16).to_le_bytes());
    header.extend(format!("{text:<width$}\n", width = room - 1).bytes());
    header
}

impl Sink for Arrays {
    fn put(&mut self, piece: &Piece) -> Result<()> {
        let bytes = |scores: &[i8]| scores.iter().map(|score| score.cast_unsigned()).collect();
        let low: Vec<u8> = bytes(&piece.low);
        let high: Vec<u8> = bytes(&piece.high);
        self.low.with(|out| out.write_all(&low))?;
        self.high.with(|out| out.write_all(&high))?;
        if let Some(stamps) = &mut self.stamps {
            stamps.with(|out| out.write_all(&piece.stamps))?;
        }
        if let Some(boards) = &mut self.boards {
            let houses: Vec<u8> = piece.boards.iter().flat_map(|board| board.houses()).collect();
            boards.with(|out| out.write_all(&houses))?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<Exported>> {
        let files = [Some(self.low), Some(self.high), self.stamps, self.boards];
        files.into_iter().flatten().map(|file| file.finish(self.layer)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_have_one_length() {
        for shape in ["(1,)", "(279871768995, 12)"] {
            let header = header("|i1", shape);
            assert_eq!((header.len(), header[HEADER - 1]), (HEADER, b'\n'));
            assert_eq!(header[..10], *b"\x93NUMPY\x01\x00\x76\x00");
        }
    }
}
