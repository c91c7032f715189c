//! What stands in a table's file: header, preface, frames, directory, seal.
//!
//! First a model is fitted to some of the tiles ([`super::fitting`]). Then frames are encoded in
//! parallel, a batch at a time, and written in order; checksums are summed on the way, so no byte
//! is read again.

use std::io::{self, BufWriter, Write};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

use super::Part;
use super::contents::{Contents, WriteOptions};
use super::cutting::Cutting;
use super::encoder::{Encoder, Work};
use super::fitting::{Effort, fit};
use super::frame::{Compressor, Numbers, compressed};
use super::ground::{Crossings, Ground};
use super::header::{END, Header, Preface, RawEntry, RawLocator, RawSeal, Section, StrategyKind};
use super::summing::Summing;
use super::tiles::{Tile, Tiling};
use super::truth::TileValues;
use super::value::Planes;
use super::{exceptions, settlement};
use crate::game::Rules;
use crate::layer::{LayerStats, Solved};
use crate::pool::Pool;

/// Frames that are encoded before any of them is written.
const BATCH: usize = 32;

/// A table about to be written: what goes into it, and how it is encoded.
pub struct Encoding<'a> {
    contents: Contents<'a>,
    header: Header,
    tiling: Tiling,
    crossings: Crossings,
    /// By part.
    encoders: Vec<Encoder>,
    preface: Vec<u8>,
    settled: Vec<u8>,
    exceptions: Vec<u8>,
}

impl<'a> Encoding<'a> {
    /// Fits a model to a layer and counts its figures.
    pub fn new(
        rules: &'static Rules,
        contents: Contents<'a>,
        options: WriteOptions,
        frame_cells: u32,
    ) -> Encoding<'a> {
        let WriteOptions { level } = options;
        let solved = contents.solved;
        let (strategy, exceptions) = strategy_kind(contents, level);
        let (layer, planes, preface) = (solved.layer(), planes(solved), Preface::default());
        let settled = Section::default();
        let header =
            Header { rules, layer, planes, strategy, frame_cells, level, preface, settled };
        let (tiling, crossings) = (Tiling::new(layer, frame_cells), Crossings::of(rules));
        let (encoders, preface, settled) = (Vec::new(), Vec::new(), Vec::new());
        let mut encoding = Encoding {
            contents,
            header,
            tiling,
            crossings,
            encoders,
            preface,
            settled,
            exceptions,
        };
        let (encoders, figures) =
            rayon::join(|| encoding.fit_parts(), || LayerStats::of_solved(solved).to_numbers());
        encoding.encoders = encoders;
        encoding.set_preface(&figures);
        if let Some(knots) = &solved.knots {
            encoding.settled = settlement::encode(&knots.settlement).expect("memory takes all");
            encoding.header.settled = section(&encoding.settled);
        }
        encoding
    }

    /// Makes the preface of figures and models.
    fn set_preface(&mut self, figures: &[u64]) {
        let mut raw: Vec<u8> = figures.iter().copied().flat_map(u64::to_le_bytes).collect();
        raw.extend(self.encoders.iter().flat_map(|encoder| encoder.model().to_bytes()));
        self.preface = compressed(&raw, self.header.level);
        let (length, checksum) = (self.preface.len() as u32, xxh3_64(&self.preface));
        self.header.preface = Preface { length, checksum };
    }

    /// Fits a model to each part of the file.
    fn fit_parts(&self) -> Vec<Encoder> {
        let parts: Vec<Part> = self.header.parts().collect();
        parts.into_par_iter().map(|part| self.fit(part)).collect()
    }

    fn fit(&self, part: Part) -> Encoder {
        let effort = Effort::of_level(self.header.level, self.header.layer.positions());
        let cutting = self.cutting(part);
        let look = |tile: Tile, values: &mut TileValues| {
            cutting.cut(&tile, values);
            self.ground(part, tile)
        };
        fit(&self.tiling, effort, self.header.range(part), look)
    }

    /// What tiles of a part are cut out of.
    fn cutting(&self, part: Part) -> Cutting<'_> {
        let Contents { solved, strategy, attained, .. } = self.contents;
        let (low, high) = match part {
            Part::Stamps => (&strategy.expect("stamps are written of a strategy").stamps, None),
            Part::Bounds => {
                let (low, high) = solved.bounds();
                (low, (self.header.planes == Planes::LowAndHigh).then_some(high))
            }
        };
        let attained = attained.filter(|_| part == Part::Bounds);
        let offset = self.header.range(part).offset();
        Cutting { tiling: &self.tiling, planes: [Some(low), high], attained, offset }
    }

    fn ground(&self, part: Part, tile: Tile) -> Ground {
        Ground::of(&self.crossings, &self.tiling, tile, part == Part::Bounds)
    }

    /// Writes the whole file and returns its length in bytes.
    ///
    /// # Errors
    /// Whatever `out` fails with.
    pub fn write(&self, out: impl Write + Send) -> io::Result<u64> {
        let mut out = Summing::new(BufWriter::with_capacity(1 << 20, out));
        out.put(self.header.to_raw().as_bytes())?;
        out.put(&self.preface)?;
        out.put(&self.settled)?;
        out.put(&self.exceptions)?;
        let mut directory = Vec::with_capacity(self.tiling.frames());
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

    /// Writes the frames of a part and enters them into the directory. One batch is written while
    /// the next is encoded.
    fn write_part(
        &self,
        out: &mut Summing<impl Write + Send>,
        part: Part,
        directory: &mut Vec<RawEntry>,
    ) -> io::Result<()> {
        let pool = Pool::new(|| Packer::new(self.header.level));
        let frames = self.tiling.frames();
        let mut encoded: Vec<Vec<u8>> = Vec::new();
        let mut batch = vec![Vec::new(); BATCH.min(frames)];
        for first in (0..frames).step_by(BATCH) {
            batch.truncate(frames - first);
            let (written, packed) = rayon::join(
                || write_frames(out, &encoded, directory),
                || self.encode_frames(part, first, &pool, &mut batch),
            );
            written.and(packed)?;
            std::mem::swap(&mut encoded, &mut batch);
            batch.resize(encoded.len(), Vec::new());
        }
        write_frames(out, &encoded, directory)
    }

    /// Encodes as many frames as `batch` is long, from the number `first` on.
    fn encode_frames(
        &self,
        part: Part,
        first: usize,
        pool: &Pool<'_, Packer>,
        batch: &mut [Vec<u8>],
    ) -> io::Result<()> {
        batch.par_iter_mut().enumerate().try_for_each(|(at, bytes)| {
            pool.with(|packer| self.pack(part, first + at, packer, bytes))
        })
    }

    /// Encodes a frame.
    fn pack(
        &self,
        part: Part,
        frame: usize,
        packer: &mut Packer,
        bytes: &mut Vec<u8>,
    ) -> io::Result<()> {
        let Packer { values, work, numbers, compressor } = packer;
        let (cutting, encoder) = (self.cutting(part), &self.encoders[part as usize]);
        for tile in self.tiling.tiles_of(frame).map(|number| self.tiling.tile(number)) {
            cutting.cut(&tile, values);
            encoder.encode(self.ground(part, tile), values, work, numbers);
            compressor.push(numbers);
        }
        bytes.clear();
        compressor.finish(bytes)
    }
}

/// Writes encoded frames and enters them into the directory.
fn write_frames(
    out: &mut Summing<impl Write>,
    frames: &[Vec<u8>],
    directory: &mut Vec<RawEntry>,
) -> io::Result<()> {
    for bytes in frames {
        let (offset, length) = (out.written(), bytes.len() as u32);
        out.put(bytes)?;
        let checksum = xxh3_64(bytes) as u32;
        directory.push(RawEntry {
            offset: offset.into(),
            length: length.into(),
            checksum: checksum.into(),
        });
    }
    Ok(())
}

/// How the file says in which way scores are collected, and the exceptions if it holds some.
fn strategy_kind(contents: Contents, level: i32) -> (StrategyKind, Vec<u8>) {
    match (contents.exceptions, contents.strategy) {
        (Some(all), _) => {
            let bytes = exceptions::encode(all, level).expect("memory takes all");
            (StrategyKind::DefaultMoves(section(&bytes)), bytes)
        }
        (None, Some(strategy)) => (StrategyKind::Stamps(strategy.holds), Vec::new()),
        (None, None) => (StrategyKind::Without, Vec::new()),
    }
}

fn section(bytes: &[u8]) -> Section {
    Section { length: bytes.len() as u64, checksum: xxh3_64(bytes) }
}

/// Which bounds the file of a layer holds.
fn planes(solved: &Solved) -> Planes {
    let (low, high) = solved.bounds();
    // Where one plane says both there is nothing to compare.
    if std::ptr::eq(low, high) || low == high { Planes::Low } else { Planes::LowAndHigh }
}

/// What one encoding thread works with.
struct Packer {
    values: TileValues,
    work: Work,
    numbers: Numbers,
    compressor: Compressor,
}

impl Packer {
    fn new(level: i32) -> Packer {
        let compressor = Compressor::new(level);
        let (values, work, numbers) = <(TileValues, Work, Numbers)>::default();
        Packer { values, work, numbers, compressor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AWARI, Seeds};
    use crate::layer::{Attained, Holds, Layer, Marks, Plane, Rank, Strategy};
    use crate::table::{Scratch, Table};

    /// A layer with scores and stamps that follow from the rank, all planes different.
    fn solved(seeds: usize) -> Solved {
        let layer = Layer::of(&AWARI, Seeds::new(seeds).unwrap());
        let plane = |score: fn(usize, i8) -> i8| {
            let mut plane = Plane::new(layer, 0).unwrap();
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

    fn encoding(solved: &Solved, frame_cells: u32) -> Encoding<'_> {
        Encoding::new(&AWARI, solved.into(), WriteOptions::default(), frame_cells)
    }

    fn encoded(solved: &Solved, frame_cells: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let length = encoding(solved, frame_cells).write(&mut bytes).unwrap();
        assert_eq!(length, bytes.len() as u64);
        bytes
    }

    #[test]
    fn frames_of_every_size_come_back() {
        for (seeds, frame_cells) in [(5, 1024), (6, 1025), (6, 3000), (7, 1 << 14), (5, 1 << 16)] {
            let solved = solved(seeds);
            let table = Table::from_bytes(encoded(&solved, frame_cells)).unwrap();
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
        let stored = Table::from_bytes(encoded(&solved, 1 << 14)).unwrap().load_stored().unwrap();
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
        let bytes = encoded(&solved(3), 1 << 10);
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
        let mut encoding = encoding(&solved, 1 << 12);
        // Figures that a layer can have, or it would not open.
        let figures = LayerStats::of_solved(&super::tests::solved(5)).to_numbers();
        encoding.set_preface(&figures);
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
        let (encoding, length) = (encoding(&solved, 1 << 10), encoded(&solved, 1 << 10).len());
        assert!(encoding.write(Disk(length)).is_ok());
        for room in 0..length {
            assert_eq!(encoding.write(Disk(room)).unwrap_err().kind(), io::ErrorKind::StorageFull);
        }
    }
}
