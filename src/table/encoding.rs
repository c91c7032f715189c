//! What stands in a table's file: header, preface, tiles, directory, seal.
//!
//! First a model is fitted to some of the tiles ([`super::fitting`]). Then tiles are encoded in
//! parallel, a batch at a time, and written in order; checksums are summed on the way, so no byte
//! is read again.

use std::io::{self, BufWriter, Write};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

use super::Part;
use super::contents::{Contents, WriteOptions};
use super::fitting::{Effort, Encoder, EncodingScratch, Freedom, TileValues};
use super::header::{END, Header, Preface, RawEntry, RawLocator, RawSeal};
use super::summing::Summing;
use super::tiles::{Tile, Tiling};
use super::value::{Planes, Value};
use crate::game::Rules;
use crate::layer::{Attained, LayerStats, Plane, Solved};
use crate::pool::Pool;

/// Tiles that are encoded before any of them is written: 1 MB of scores in each plane.
const BATCH: usize = 256;

/// A table about to be written: what goes into it, and how it is encoded.
pub struct Encoding<'a> {
    contents: Contents<'a>,
    header: Header,
    tiling: Tiling,
    /// By part.
    encoders: Vec<Encoder>,
    preface: Vec<u8>,
}

impl<'a> Encoding<'a> {
    /// Fits a model to a layer and counts its figures.
    pub fn new(
        rules: &'static Rules,
        contents: Contents<'a>,
        options: WriteOptions,
        tile_positions: u32,
    ) -> Encoding<'a> {
        let WriteOptions { level } = options;
        let (solved, holds) = (contents.solved, contents.strategy.map(|strategy| strategy.holds));
        let (layer, planes, preface) = (solved.layer(), planes(solved), Preface::default());
        let header = Header { rules, layer, planes, holds, tile_positions, level, preface };
        let tiling = Tiling::new(layer, tile_positions);
        let mut encoding =
            Encoding { contents, header, tiling, encoders: Vec::new(), preface: Vec::new() };
        let (encoders, figures) =
            rayon::join(|| encoding.fit_parts(), || LayerStats::of_solved(solved).to_numbers());
        encoding.encoders = encoders;
        encoding.preface = figures.into_iter().flat_map(u64::to_le_bytes).collect();
        encoding
            .preface
            .extend(encoding.encoders.iter().flat_map(|encoder| encoder.model().to_bytes()));
        let (length, checksum) = (encoding.preface.len() as u32, xxh3_64(&encoding.preface));
        encoding.header.preface = Preface { length, checksum };
        encoding
    }

    /// Fits a model to each part of the file.
    fn fit_parts(&self) -> Vec<Encoder> {
        let parts: Vec<Part> = self.header.parts().collect();
        parts.into_par_iter().map(|part| self.fit(part)).collect()
    }

    fn fit(&self, part: Part) -> Encoder {
        let effort = Effort::of_level(self.header.level, self.header.layer.positions());
        Encoder::fit(&self.tiling, effort, |tile, values| self.cut(part, tile, values))
    }

    /// Writes the whole file and returns its length in bytes.
    ///
    /// # Errors
    /// Whatever `out` fails with.
    pub fn write(&self, out: impl Write + Send) -> io::Result<u64> {
        let mut out = Summing::new(BufWriter::with_capacity(1 << 20, out));
        out.put(self.header.to_raw().as_bytes())?;
        out.put(&self.preface)?;
        let mut directory = Vec::with_capacity(self.tiling.tiles());
        for part in self.header.parts() {
            self.write_part(&mut out, part, &mut directory)?;
        }
        let locator = RawLocator {
            directory_offset: out.written().into(),
            directory_length: (directory.as_bytes().len() as u64).into(),
            directory_checksum: xxh3_64(directory.as_bytes()).into(),
        };
        out.put(directory.as_bytes())?;
        out.put(locator.as_bytes())?;
        let seal = RawSeal { file_checksum: out.checksum().into(), end: END };
        out.put(seal.as_bytes())?;
        out.flush()?;
        Ok(out.written())
    }

    /// Writes the tiles of a part and enters them into the directory. One batch is written while
    /// the next is encoded.
    fn write_part(
        &self,
        out: &mut Summing<impl Write + Send>,
        part: Part,
        directory: &mut Vec<RawEntry>,
    ) -> io::Result<()> {
        let (pool, tiles) = (Pool::new(Packer::default), self.tiling.tiles());
        let mut encoded: Vec<Vec<u8>> = Vec::new();
        let mut batch = vec![Vec::new(); BATCH.min(tiles)];
        for first in (0..tiles).step_by(BATCH) {
            batch.truncate(tiles - first);
            let (written, ()) = rayon::join(
                || write_tiles(out, &encoded, directory),
                || self.encode_tiles(part, first, &pool, &mut batch),
            );
            written?;
            std::mem::swap(&mut encoded, &mut batch);
            batch.resize(encoded.len(), Vec::new());
        }
        write_tiles(out, &encoded, directory)
    }

    /// Encodes as many tiles as `batch` is long, from the number `first` on.
    fn encode_tiles(
        &self,
        part: Part,
        first: usize,
        pool: &Pool<'_, Packer>,
        batch: &mut [Vec<u8>],
    ) {
        batch.par_iter_mut().enumerate().for_each(|(at, bytes)| {
            pool.with(|packer| self.pack(part, self.tiling.tile(first + at), packer, bytes));
        });
    }

    /// Encodes a tile; one that holds nothing but zeros takes no bytes.
    fn pack(&self, part: Part, tile: Tile, packer: &mut Packer, bytes: &mut Vec<u8>) {
        let Packer { values, scratch } = packer;
        bytes.clear();
        self.cut(part, tile, values);
        if values.values.iter().any(|&value| value != Value::default()) {
            self.encoders[part as usize].encode(tile, values, scratch, bytes);
        }
    }

    /// Cuts a tile out of the planes of a part.
    fn cut(&self, part: Part, tile: Tile, values: &mut TileValues) {
        let Contents { solved, strategy, attained } = self.contents;
        values.values.clear();
        values.freedom.clear();
        let (mut low, mut high) = (vec![0; tile.width], vec![0; tile.width]);
        for row in tile.row..tile.row + tile.height {
            let copy = |plane: &Plane, scores: &mut [i8]| {
                plane.copy_from_row(tile.own, row, tile.column, scores)
            };
            match part {
                Part::Stamps => {
                    copy(&strategy.expect("stamps are written of a strategy").stamps, &mut low);
                    values.values.extend(low.iter().map(|&base| Value { base, spread: 0 }));
                }
                Part::Bounds => {
                    copy(&solved.low, &mut low);
                    copy(solved.high(), &mut high);
                    let both = low.iter().zip(&high);
                    values.values.extend(both.map(|(&base, &high)| Value {
                        base,
                        spread: high.wrapping_sub(base) as u8,
                    }));
                    if let Some(attained) = attained {
                        free(attained, self.header.planes, tile, row, &mut values.freedom);
                    }
                }
            }
        }
    }
}

/// Writes encoded tiles and enters them into the directory.
fn write_tiles(
    out: &mut Summing<impl Write>,
    tiles: &[Vec<u8>],
    directory: &mut Vec<RawEntry>,
) -> io::Result<()> {
    for bytes in tiles {
        out.put(bytes)?;
        // What is left out has no checksum either.
        let checksum = if bytes.is_empty() { 0 } else { xxh3_64(bytes) as u32 };
        let length = bytes.len() as u16;
        directory.push(RawEntry { length: length.into(), checksum: checksum.into() });
    }
    Ok(())
}

/// Adds how free the bounds of a row of a tile are. Where one number says both, it is free if both
/// are.
fn free(attained: &Attained, planes: Planes, tile: Tile, row: usize, freedom: &mut Vec<Freedom>) {
    let low = attained.low.row(tile.own, row);
    let high = attained.high.as_ref().map_or(low, |high| high.row(tile.own, row));
    let bit = |words: &[u64], column: usize| words[column / 64] >> (column % 64) & 1 == 1;
    freedom.extend((tile.column..tile.column + tile.width).map(|column| match planes {
        Planes::Low => Freedom::of_one(bit(low, column) && bit(high, column)),
        Planes::LowAndHigh => Freedom::of_both(bit(low, column), bit(high, column)),
    }));
}

/// Which bounds the file of a layer holds.
fn planes(solved: &Solved) -> Planes {
    let differ =
        |high: &Plane| solved.low.stretches().zip(high.stretches()).any(|(low, high)| low != high);
    match &solved.high {
        Some(high) if differ(high) => Planes::LowAndHigh,
        Some(_) | None => Planes::Low,
    }
}

/// What one encoding thread works with.
#[derive(Default)]
struct Packer {
    values: TileValues,
    scratch: EncodingScratch,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AWARI, Seeds};
    use crate::layer::{Holds, Layer, Marks, Rank, Strategy};
    use crate::table::{Scratch, Table};

    /// A layer with scores and stamps that follow from the rank, all planes different.
    fn solved(seeds: usize) -> Solved {
        let layer = Layer::of(&AWARI, Seeds::new(seeds).unwrap());
        let plane = |score: fn(usize, i8) -> i8| {
            let mut plane = Plane::new(layer, 0);
            for (rank, slot) in plane.stretches_mut().flatten().enumerate() {
                *slot = score(rank, seeds as i8);
            }
            plane
        };
        let low = |rank: usize, seeds: i8| (rank * rank % 7) as i8 % (seeds + 1) - seeds;
        let high = plane(|rank, seeds| (rank / 64 % 3) as i8 % (seeds + 1));
        let mut strategy = Strategy {
            stamps: plane(|rank, _| (rank / 50 % 5 * 60) as u8 as i8),
            holds: Holds::default(),
        };
        strategy.holds.insert(240);
        Solved {
            low: plane(low),
            high: Some(high),
            strategy: Some(strategy),
            attained: None,
            knots: None,
        }
    }

    fn encoding(solved: &Solved, tile_positions: u32) -> Encoding<'_> {
        Encoding::new(&AWARI, solved.into(), WriteOptions::default(), tile_positions)
    }

    fn encoded(solved: &Solved, tile_positions: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let length = encoding(solved, tile_positions).write(&mut bytes).unwrap();
        assert_eq!(length, bytes.len() as u64);
        bytes
    }

    #[test]
    fn tiles_of_every_size_come_back() {
        let solved = solved(5);
        for tile_positions in [64, 65, 100, 1000, 4367, 4368, 4369, 1 << 13] {
            let table = Table::from_bytes(encoded(&solved, tile_positions)).unwrap();
            table.check().unwrap();
            let loaded = table.load_stored().unwrap();
            assert!(loaded.low == solved.low && loaded.high == solved.high);
            assert_eq!(table.load_strategy().unwrap(), solved.strategy);
            let (mut scratch, strategy) = (Scratch::new(), solved.strategy.as_ref().unwrap());
            for board in (0..solved.layer().positions())
                .map(|rank| solved.layer().position(Rank(rank)).unwrap())
            {
                let place = solved.layer().cell(&board).unwrap();
                assert_eq!(table.stored(place, &mut scratch).ok(), solved.interval(&board));
                assert_eq!(table.stamp(place, &mut scratch).ok(), Some(strategy.stamp(&board)));
            }
        }
    }

    /// Marks every position whose rank `marked` picks.
    fn marks(layer: Layer, marked: impl Fn(u64) -> bool) -> Marks {
        let mut marks = Marks::none(layer);
        for rank in (0..layer.positions()).filter(|&rank| marked(rank)) {
            let place = layer.cell_at(Rank(rank)).unwrap();
            let (words, rows) = marks.block_mut(place.own);
            rows[place.row * words + place.column / 64] |= 1 << (place.column % 64);
        }
        marks
    }

    /// A bound that captures attain is stored as it is or lower, any other as it is.
    #[test]
    fn only_what_captures_attain_is_stored_lower() {
        let mut solved = solved(8);
        let (in_low, in_high) = (|rank| rank % 3 == 0, |rank| rank % 5 < 2);
        let layer = solved.layer();
        solved.attained =
            Some(Attained { low: marks(layer, in_low), high: Some(marks(layer, in_high)) });
        let stored = Table::from_bytes(encoded(&solved, 4096)).unwrap().load_stored().unwrap();
        for (plane, truth, attained) in [
            (&stored.low, &solved.low, in_low as fn(u64) -> bool),
            (stored.high(), solved.high(), in_high),
        ] {
            let both = plane.stretches().flatten().zip(truth.stretches().flatten());
            let lower: Vec<u64> = (0..)
                .zip(both)
                .filter(|(_, (stored, truth))| stored != truth)
                .map(|(rank, _)| rank)
                .collect();
            assert!(!lower.is_empty() && lower.iter().all(|&rank| attained(rank)));
            let mut both = plane.stretches().flatten().zip(truth.stretches().flatten());
            assert!(both.all(|(stored, truth)| stored <= truth));
        }
    }

    #[test]
    fn every_flipped_bit_of_every_kind_of_tile_is_noticed() {
        let bytes = encoded(&solved(3), 64);
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let verified = Table::from_bytes(damaged).and_then(|table| table.check());
            assert!(verified.is_err(), "bit {bit}");
        }
    }

    /// The file of `solved` with every checksum right, whatever the scores are.
    fn verdict(change: impl FnOnce(&mut Solved)) -> String {
        let mut solved = solved(5);
        change(&mut solved);
        let mut encoding = encoding(&solved, 1000);
        // Figures that a layer can have, or it would not open.
        let figures = LayerStats::of_solved(&super::tests::solved(5)).to_numbers();
        let figures: Vec<u8> = figures.into_iter().flat_map(u64::to_le_bytes).collect();
        encoding.preface[..figures.len()].copy_from_slice(&figures);
        encoding.header.preface.checksum = xxh3_64(&encoding.preface);
        let mut bytes = Vec::new();
        encoding.write(&mut bytes).unwrap();
        match Table::from_bytes(bytes) {
            Err(error) => error.to_string(),
            Ok(table) => {
                let verified = table.check().unwrap_err().to_string();
                assert_eq!(table.load_stored().unwrap_err().to_string(), verified);
                verified
            }
        }
    }

    #[test]
    fn impossible_scores_are_noticed_under_right_checksums() {
        let set = |plane: &mut Plane, score| plane.stretches_mut().next().unwrap()[0] = score;
        let what = "a letter of its code stands for nothing that the layer can have";
        assert!(verdict(|solved| set(&mut solved.low, 6)).contains(what));
        assert!(verdict(|solved| set(&mut solved.low, -128)).contains(what));
        assert!(verdict(|solved| set(solved.high.as_mut().unwrap(), 6)).contains(what));
        assert!(
            verdict(|solved| {
                set(&mut solved.low, 2);
                set(solved.high.as_mut().unwrap(), 1);
            })
            .contains(what)
        );
    }

    /// A disk with room for so many bytes.
    struct Disk(usize);

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match bytes.len().min(self.0) {
                0 => Err(io::ErrorKind::StorageFull.into()),
                room => {
                    self.0 -= room;
                    Ok(room)
                }
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let solved = solved(3);
        let (encoding, length) = (encoding(&solved, 100), encoded(&solved, 100).len());
        assert!(encoding.write(Disk(length)).is_ok());
        for room in 0..length {
            assert_eq!(encoding.write(Disk(room)).unwrap_err().kind(), io::ErrorKind::StorageFull);
        }
    }
}
