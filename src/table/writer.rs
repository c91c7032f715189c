//! Writing a table: front to back, in one pass, under a temporary name.
//!
//! First a model is fitted to some of the tiles ([`super::fitting`]). Then tiles are coded in
//! parallel, a batch at a time, and written in order; checksums are summed on the way, so no byte is
//! read again. An [`UnpublishedTable`] is a file that is complete but not yet there: publishing it
//! makes it durable and gives it its name, in that order, so a file under a table's name is always
//! a whole table. One that is dropped removes itself.
//!
//! Everything here can run on any thread; a builder may write and publish one layer while it solves
//! the next.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};
use zerocopy::IntoBytes;

use super::fitting::{Desk, Effort, Encoder, Freedom, TileValues};
use super::header::{END, Header, Preface, RawEntry, RawLocator, RawSeal};
use super::pool::Pool;
use super::tiles::{Tile, Tiling};
use super::value::{Planes, Value};
use super::{Part, TILE_POSITIONS, file_name};
use crate::error::{Error, Result};
use crate::game::Rules;
use crate::layer::{Attained, LayerStats, Plane, Solved, Strategy};

/// Tiles that are coded before any of them is written: 1 MB of scores in each plane.
const BATCH: usize = 256;

/// How a table is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// How hard to look for a code that fits, 1 to 22. Reading takes
    /// the same time for all.
    pub level: i32,
}

/// The levels there are.
pub const LEVELS: std::ops::RangeInclusive<i32> = 1..=22;

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions { level: 2 }
    }
}

/// What goes into a table. Strategy and marks come beside the layer, whether or not that has some:
/// scores are needed longer than they are.
#[derive(Clone, Copy, Debug)]
pub struct Contents<'a> {
    /// The bounds.
    pub solved: &'a Solved,
    /// The strategy, if it is to have one.
    pub strategy: Option<&'a Strategy>,
    /// Where captures attain the bounds: what is known of that makes the table smaller.
    pub attained: Option<&'a Attained>,
}

impl<'a> From<&'a Solved> for Contents<'a> {
    fn from(solved: &'a Solved) -> Contents<'a> {
        Contents { solved, strategy: solved.strategy.as_ref(), attained: solved.attained.as_ref() }
    }
}

/// A table that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its file.
    pub path: PathBuf,
    /// Length of the file.
    pub bytes: u64,
}

/// Writes the table of a solved layer into `dir`, over one that may be there already.
///
/// # Errors
/// [`Error::Io`] if the directory or the disk refuses; nothing is left behind then.
/// [`Error::Usage`] for a level that there is not.
pub fn write<'a>(
    dir: &Path,
    rules: &'static Rules,
    contents: impl Into<Contents<'a>>,
    options: WriteOptions,
) -> Result<Written> {
    write_unpublished(dir, rules, contents, options)?.publish()
}

/// The first half of [`write()`]: the file is complete, but not durable and not under its name.
///
/// # Errors
/// As [`write()`].
pub fn write_unpublished<'a>(
    dir: &Path,
    rules: &'static Rules,
    contents: impl Into<Contents<'a>>,
    options: WriteOptions,
) -> Result<UnpublishedTable> {
    let contents = contents.into();
    if !LEVELS.contains(&options.level) {
        let (least, most) = (LEVELS.start(), LEVELS.end());
        return Err(Error::Usage(format!(
            "compression level {} is not in {least}..={most}",
            options.level
        )));
    }
    let target = dir.join(file_name(rules, contents.solved.layer().seeds()));
    let (temporary, mut file) = Temporary::create(&target)?;
    let coding = Coding::of(rules, contents, options, TILE_POSITIONS);
    let bytes = coding.write(&mut file).map_err(Error::io("writing", &temporary.path))?;
    Ok(UnpublishedTable { file, temporary, written: Written { path: target, bytes } })
}

/// A table under a temporary name. Dropping it removes it.
#[derive(Debug)]
#[must_use = "a table that is not published is removed"]
pub struct UnpublishedTable {
    file: File,
    temporary: Temporary,
    written: Written,
}

impl UnpublishedTable {
    /// Makes the file durable and gives it its name, which waits for the disk.
    ///
    /// # Errors
    /// [`Error::Io`] if the disk refuses.
    pub fn publish(mut self) -> Result<Written> {
        let path = &self.temporary.path;
        self.file.sync_all().map_err(Error::io("writing", path))?;
        std::fs::rename(path, &self.written.path).map_err(Error::io("renaming", path))?;
        self.temporary.renamed = true;
        sync_directory_of(&self.written.path)?;
        Ok(self.written)
    }
}

/// A renamed file survives a crash only when its directory is on the disk, too.
fn sync_directory_of(path: &Path) -> Result<()> {
    let dir = match path.parent() {
        Some(dir) if dir != Path::new("") => dir,
        _ => Path::new("."),
    };
    if cfg!(unix) {
        let open = File::open(dir).map_err(Error::io("opening", dir))?;
        open.sync_all().map_err(Error::io("writing", dir))?;
    }
    Ok(())
}

/// A file that is removed when this is dropped, unless it has been renamed.
#[derive(Debug)]
struct Temporary {
    path: PathBuf,
    renamed: bool,
}

impl Temporary {
    /// A new file beside `target`. Its name carries the process and a number: two builders of one
    /// layer do not meet, nor does one with what a killed one of the same number has left.
    fn create(target: &Path) -> Result<(Temporary, File)> {
        let mut number = 0u32;
        loop {
            let mut path = target.as_os_str().to_owned();
            path.push(format!(".{}-{number}.tmp", std::process::id()));
            let path = PathBuf::from(path);
            match File::create_new(&path) {
                Ok(file) => return Ok((Temporary { path, renamed: false }, file)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => {
                    number += 1
                }
                Err(error) => return Err(Error::io("creating", path)(error)),
            }
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.renamed {
            // On the way out of another failure there is nobody to tell of this one.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// A table about to be written: what goes into it, and how it is coded.
struct Coding<'a> {
    contents: Contents<'a>,
    header: Header,
    tiling: Tiling,
    /// By part.
    encoders: Vec<Encoder>,
    preface: Vec<u8>,
}

impl<'a> Coding<'a> {
    fn of(
        rules: &'static Rules,
        contents: Contents<'a>,
        options: WriteOptions,
        tile_positions: u32,
    ) -> Coding<'a> {
        let WriteOptions { level } = options;
        let (solved, holds) = (contents.solved, contents.strategy.map(|strategy| strategy.holds));
        let (layer, planes, preface) = (solved.layer(), planes(solved), Preface::default());
        let header = Header { rules, layer, planes, holds, tile_positions, level, preface };
        let tiling = Tiling::new(layer, tile_positions);
        let mut coding =
            Coding { contents, header, tiling, encoders: Vec::new(), preface: Vec::new() };
        coding.encoders = header.parts().map(|part| coding.fit(part)).collect();
        let figures = LayerStats::of_solved(solved).to_numbers();
        coding.preface = figures.into_iter().flat_map(u64::to_le_bytes).collect();
        coding
            .preface
            .extend(coding.encoders.iter().flat_map(|encoder| encoder.model().to_bytes()));
        let (length, checksum) = (coding.preface.len() as u32, xxh3_64(&coding.preface));
        coding.header.preface = Preface { length, checksum };
        coding
    }

    fn fit(&self, part: Part) -> Encoder {
        let effort = Effort::of_level(self.header.level, self.header.layer.positions());
        Encoder::fit(&self.tiling, effort, |tile, values| self.cut(part, tile, values))
    }

    /// Writes the whole file and says how long it is.
    fn write(&self, out: impl Write) -> io::Result<u64> {
        let mut out = Summing::new(BufWriter::with_capacity(1 << 20, out));
        out.put(self.header.to_raw().as_bytes())?;
        out.put(&self.preface)?;
        let mut directory = Vec::with_capacity(self.tiling.tiles());
        for part in self.header.parts() {
            self.write_part(&mut out, part, &mut directory)?;
        }
        let locator = RawLocator {
            directory_offset: out.written.into(),
            directory_length: (directory.as_bytes().len() as u64).into(),
            directory_checksum: xxh3_64(directory.as_bytes()).into(),
        };
        out.put(directory.as_bytes())?;
        out.put(locator.as_bytes())?;
        let seal = RawSeal { file_checksum: out.hash.digest128().into(), end: END };
        out.put(seal.as_bytes())?;
        out.out.flush()?;
        Ok(out.written)
    }

    /// Writes the tiles of a part and enters them into the directory.
    fn write_part(
        &self,
        out: &mut Summing<impl Write>,
        part: Part,
        directory: &mut Vec<RawEntry>,
    ) -> io::Result<()> {
        let (pool, tiles) = (Pool::new(), self.tiling.tiles());
        let mut batch = vec![Vec::new(); BATCH.min(tiles)];
        for first in (0..tiles).step_by(BATCH) {
            let batch = &mut batch[..BATCH.min(tiles - first)];
            batch.par_iter_mut().enumerate().for_each(|(at, bytes)| {
                pool.with(|packer| self.pack(part, self.tiling.tile(first + at), packer, bytes));
            });
            for bytes in batch {
                out.put(bytes)?;
                // What is left out has no checksum either.
                let checksum = if bytes.is_empty() { 0 } else { xxh3_64(bytes) as u32 };
                directory.push(RawEntry {
                    length: (bytes.len() as u16).into(),
                    checksum: checksum.into(),
                });
            }
        }
        Ok(())
    }

    /// Codes a tile; one that holds nothing but zeros takes no bytes.
    fn pack(&self, part: Part, tile: Tile, packer: &mut Packer, bytes: &mut Vec<u8>) {
        let Packer { values, desk } = packer;
        bytes.clear();
        self.cut(part, tile, values);
        if values.values.iter().any(|&value| value != Value::default()) {
            self.encoders[part as usize].encode(tile, values, desk, bytes);
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

/// The tools of one coding thread.
#[derive(Default)]
struct Packer {
    values: TileValues,
    desk: Desk,
}

/// A writer that counts and sums what goes through it.
struct Summing<W> {
    out: W,
    hash: Xxh3Default,
    written: u64,
}

impl<W: Write> Summing<W> {
    fn new(out: W) -> Summing<W> {
        Summing { out, hash: Xxh3Default::new(), written: 0 }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.written += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AWARI, Seeds};
    use crate::layer::{Holds, Layer, Marks, Rank};
    use crate::table::{Scratch, Table};

    /// A layer with scores and stamps that follow from the rank, all planes different.
    fn solved(seeds: usize) -> Solved {
        let layer = Layer::of(&AWARI, Seeds::new(seeds).unwrap());
        let plane = |score: fn(usize, i8) -> i8| {
            let mut plane = Plane::new(layer, 0);
            let slots = plane.stretches_mut().flatten().enumerate();
            slots.for_each(|(rank, slot)| *slot = score(rank, seeds as i8));
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

    fn coding(solved: &Solved, tile_positions: u32) -> Coding<'_> {
        Coding::of(&AWARI, solved.into(), WriteOptions::default(), tile_positions)
    }

    fn encoded(solved: &Solved, tile_positions: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let length = coding(solved, tile_positions).write(&mut bytes).unwrap();
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
                let place = solved.layer().place(&board).unwrap();
                assert_eq!(table.stored(place, &mut scratch).ok(), solved.interval(&board));
                assert_eq!(table.stamp(place, &mut scratch).ok(), Some(strategy.stamp(&board)));
            }
        }
    }

    /// Marks every position whose rank `marked` picks.
    fn marks(layer: Layer, marked: impl Fn(u64) -> bool) -> Marks {
        let mut marks = Marks::none(layer);
        for rank in (0..layer.positions()).filter(|&rank| marked(rank)) {
            let place = layer.place_at(Rank(rank)).unwrap();
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
        let mut coding = coding(&solved, 1000);
        // Figures that a layer can have, or it would not open.
        let figures = LayerStats::of_solved(&super::tests::solved(5)).to_numbers();
        let figures: Vec<u8> = figures.into_iter().flat_map(u64::to_le_bytes).collect();
        coding.preface[..figures.len()].copy_from_slice(&figures);
        coding.header.preface.checksum = xxh3_64(&coding.preface);
        let mut bytes = Vec::new();
        coding.write(&mut bytes).unwrap();
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
        let (coding, length) = (coding(&solved, 100), encoded(&solved, 100).len());
        assert!(coding.write(Disk(length)).is_ok());
        for room in 0..length {
            assert_eq!(coding.write(Disk(room)).unwrap_err().kind(), io::ErrorKind::StorageFull);
        }
    }
}
