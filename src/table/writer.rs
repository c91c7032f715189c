//! Writing a table: front to back, in one pass, under a temporary name.
//!
//! Blocks are compressed in parallel, a batch at a time, and written in order; checksums are
//! summed on the way, so no byte is read again. A [`Draft`] is a file that is complete but not
//! yet there: publishing it makes it durable and gives it its name, in that order, so a file
//! under a table's name is always a whole table. A draft that is dropped removes itself.
//!
//! Everything here can run on any thread; a builder may compress and publish one layer while it
//! solves the next.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};
use zerocopy::{FromZeros, IntoBytes};
use zstd::bulk::Compressor;
use zstd::zstd_safe::compress_bound;

use super::block::{Part, Pool};
use super::header::{END, Header, Planes, RawEntry, RawLocator, RawSeal};
use super::{BLOCK_POSITIONS, file_name};
use crate::error::{Error, Result};
use crate::index::Rank;
use crate::rules::Rules;
use crate::solver::plane::{Plane, Solved, Strategy};

/// Blocks that are compressed before any of them is written: 1 MB of scores in each plane.
const BATCH: usize = 32;

/// How a table is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// Level of the zstd compression. Scores hardly repeat, so what saves space is the code for
    /// single scores, which every level from 1 on has: up to 9 the higher ones only cost time
    /// (see [`BLOCK_POSITIONS`]).
    pub level: i32,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions { level: 1 }
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

/// Writes the table of a solved layer into `dir`, over one that may be there already. The strategy
/// comes beside the layer, whether or not that has one: scores are needed longer than strategies.
///
/// # Errors
/// [`Error::Io`] if the directory or the disk refuses; nothing is left behind then.
/// [`Error::Usage`] for a level that zstd does not have.
pub fn write(
    dir: &Path,
    rules: &'static Rules,
    solved: &Solved,
    strategy: Option<&Strategy>,
    options: WriteOptions,
) -> Result<Written> {
    draft(dir, rules, solved, strategy, options)?.publish()
}

/// The first half of [`write()`]: the file is complete, but not durable and not under its name.
///
/// # Errors
/// As [`write()`].
pub fn draft(
    dir: &Path,
    rules: &'static Rules,
    solved: &Solved,
    strategy: Option<&Strategy>,
    options: WriteOptions,
) -> Result<Draft> {
    let levels = zstd::compression_level_range();
    if !levels.contains(&options.level) {
        let (least, most) = (levels.start(), levels.end());
        return Err(Error::Usage(format!("compression level {} is not in {least}..={most}", options.level)));
    }
    let target = dir.join(file_name(rules, solved.layer().seeds()));
    let (temporary, mut file) = Temporary::create(&target)?;
    let contents = Contents { solved, strategy };
    let header = header(rules, contents, options.level, BLOCK_POSITIONS);
    let bytes = encode(&mut file, &header, contents).map_err(Error::io("writing", &temporary.path))?;
    Ok(Draft { file, temporary, written: Written { path: target, bytes } })
}

/// A table under a temporary name. Dropping it removes it.
#[derive(Debug)]
#[must_use = "a draft that is not published is removed"]
pub struct Draft {
    file: File,
    temporary: Temporary,
    written: Written,
}

impl Draft {
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
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => number += 1,
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

/// What goes into a file.
#[derive(Clone, Copy)]
struct Contents<'a> {
    solved: &'a Solved,
    strategy: Option<&'a Strategy>,
}

/// The header of a solved layer's file.
fn header(rules: &'static Rules, contents: Contents, level: i32, block_positions: u32) -> Header {
    let Contents { solved, strategy } = contents;
    let differ = |high: &Plane| solved.low.stretches().zip(high.stretches()).any(|(low, high)| low != high);
    let planes = match &solved.high {
        Some(high) if differ(high) => Planes::LowAndHigh,
        Some(_) | None => Planes::Low,
    };
    let holds = strategy.map(|strategy| strategy.holds);
    Header { rules, layer: solved.layer(), planes, holds, block_positions, level }
}

/// Writes the whole file and says how long it is.
fn encode(out: impl Write, header: &Header, contents: Contents) -> io::Result<u64> {
    let mut out = Summing::new(BufWriter::with_capacity(1 << 20, out));
    out.put(header.to_raw().as_bytes())?;
    let mut directory = encode_plane(&mut out, header, contents, Part::Low)?;
    match header.planes {
        Planes::Low => {}
        Planes::LowAndHigh => directory.extend(encode_plane(&mut out, header, contents, Part::Spread)?),
    }
    if header.holds.is_some() {
        directory.extend(encode_plane(&mut out, header, contents, Part::Stamps)?);
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

/// Writes the blocks of one plane and returns their directory entries.
fn encode_plane(
    out: &mut Summing<impl Write>,
    header: &Header,
    contents: Contents,
    part: Part,
) -> io::Result<Vec<RawEntry>> {
    let pool = Pool::new();
    let blocks = header.blocks() as usize;
    let mut batch: Vec<Packed> = (0..BATCH.min(blocks)).map(|_| Packed::default()).collect();
    let mut directory = Vec::with_capacity(blocks);
    for first in (0..blocks).step_by(BATCH) {
        let batch = &mut batch[..BATCH.min(blocks - first)];
        batch.par_iter_mut().enumerate().try_for_each(|(at, packed)| {
            let make = || Packer::new(header.level);
            pool.with(make, |packer| packer.pack(header, contents, part, first + at, packed))
        })?;
        for packed in batch {
            out.put(&packed.bytes)?;
            directory.push(packed.entry);
        }
    }
    Ok(directory)
}

/// A compressed block.
struct Packed {
    bytes: Vec<u8>,
    entry: RawEntry,
}

impl Default for Packed {
    fn default() -> Packed {
        Packed { bytes: Vec::new(), entry: RawEntry::new_zeroed() }
    }
}

/// The tools of one compressing thread.
struct Packer {
    compressor: Compressor<'static>,
    low: Vec<i8>,
    high: Vec<i8>,
}

impl Packer {
    fn new(level: i32) -> io::Result<Packer> {
        Ok(Packer { compressor: Compressor::new(level)?, low: Vec::new(), high: Vec::new() })
    }

    fn pack(
        &mut self,
        header: &Header,
        contents: Contents,
        part: Part,
        block: usize,
        packed: &mut Packed,
    ) -> io::Result<()> {
        let first = Rank(block as u64 * u64::from(header.block_positions));
        let length = header.block_length(block as u64);
        packed.bytes.clear();
        let Contents { solved, strategy } = contents;
        let plane = match (part, strategy) {
            (Part::Stamps, Some(strategy)) => &strategy.stamps,
            (Part::Low | Part::Spread | Part::Stamps, _) => &solved.low,
        };
        copy(plane, first, length, &mut self.low);
        match part {
            Part::Low => self.compress(packed, length)?,
            Part::Stamps if self.low.iter().all(|&stamp| stamp == 0) => {}
            Part::Stamps => self.compress(packed, length)?,
            Part::Spread => {
                copy(solved.high(), first, length, &mut self.high);
                if self.low != self.high {
                    // Differences overwrite the scores, which the next block fetches anew.
                    let both = self.low.iter_mut().zip(&self.high);
                    both.for_each(|(low, high)| *low = high.wrapping_sub(*low));
                    self.compress(packed, length)?;
                }
            }
        }
        packed.seal();
        Ok(())
    }

    fn compress(&mut self, packed: &mut Packed, length: usize) -> io::Result<()> {
        packed.bytes.reserve(compress_bound(length));
        self.compressor.compress_to_buffer(self.low.as_bytes(), &mut packed.bytes)?;
        Ok(())
    }
}

impl Packed {
    /// Enters length and checksum; a block that is left out has neither.
    fn seal(&mut self) {
        let checksum = if self.bytes.is_empty() { 0 } else { xxh3_64(&self.bytes) };
        self.entry = RawEntry { length: (self.bytes.len() as u32).into(), checksum: checksum.into() };
    }
}

fn copy(plane: &Plane, first: Rank, length: usize, scores: &mut Vec<i8>) {
    scores.resize(length, 0);
    plane.copy_from_rank(first, scores);
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
    use std::sync::Arc;
    use std::time::Instant;

    use super::*;
    use crate::board::Seeds;
    use crate::index::Layer;
    use crate::rules::AWARI;
    use crate::solver::ports::{Layers, Unobserved};
    use crate::solver::{Kernel, Solver};
    use crate::strategy::Holds;
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
        let mut strategy =
            Strategy { stamps: plane(|rank, _| (rank / 50 % 5 * 60) as u8 as i8), holds: Holds::default() };
        strategy.holds.insert(240);
        Solved { low: plane(low), high: Some(high), strategy: Some(strategy) }
    }

    fn contents(solved: &Solved) -> Contents<'_> {
        Contents { solved, strategy: solved.strategy.as_ref() }
    }

    fn encoded(solved: &Solved, block_positions: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let length =
            encode(&mut bytes, &header(&AWARI, contents(solved), 1, block_positions), contents(solved)).unwrap();
        assert_eq!(length, bytes.len() as u64);
        bytes
    }

    #[test]
    fn blocks_of_every_size_come_back() {
        let solved = solved(5);
        let positions = solved.layer().positions();
        for block_positions in [1, 2, 3, 63, 64, 1000, 4367, 4368, 4369, 1 << 20] {
            let table = Table::from_bytes(encoded(&solved, block_positions)).unwrap();
            table.verify().unwrap();
            assert_eq!(table.header().blocks(), positions.div_ceil(block_positions.into()));
            let loaded = table.load().unwrap();
            assert!(
                loaded.low.stretches().eq(solved.low.stretches())
                    && loaded.high().stretches().eq(solved.high().stretches())
            );
            assert_eq!(table.load_strategy().unwrap(), solved.strategy);
            let (mut scratch, strategy) = (Scratch::new(), solved.strategy.as_ref().unwrap());
            for rank in (0..positions).map(Rank) {
                let board = solved.layer().position(rank).unwrap();
                assert_eq!(table.interval(rank, &mut scratch).ok(), solved.interval(&board));
                assert_eq!(table.stamp(rank, &mut scratch).ok(), Some(strategy.stamp(&board)));
            }
        }
    }

    #[test]
    fn every_flipped_bit_of_every_kind_of_block_is_noticed() {
        let bytes = encoded(&solved(2), 9);
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let verified = Table::from_bytes(damaged).and_then(|table| table.verify());
            assert!(verified.is_err(), "bit {bit}");
        }
    }

    /// Makes every checksum right, as far as the file still says where it belongs.
    fn with_right_checksums(mut bytes: Vec<u8>) -> Vec<u8> {
        let end = bytes.len();
        let number = |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        let header = xxh3_64(&bytes[..120]);
        bytes[120..128].copy_from_slice(&header.to_le_bytes());
        let directory = number(&bytes, end - 48).min(end - 48);
        let (mut at, mut block) = (directory, 128usize);
        while at + 12 <= end - 48 {
            let length = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
            let frame = bytes.get(block..block.saturating_add(length)).filter(|frame| !frame.is_empty());
            let sum = frame.map_or(0, xxh3_64);
            bytes[at + 4..at + 12].copy_from_slice(&sum.to_le_bytes());
            (at, block) = (at + 12, block.saturating_add(length));
        }
        let sum = xxh3_64(&bytes[directory..end - 48]);
        bytes[end - 32..end - 24].copy_from_slice(&sum.to_le_bytes());
        let mut hash = Xxh3Default::new();
        hash.update(&bytes[..end - 24]);
        bytes[end - 24..end - 8].copy_from_slice(&hash.digest128().to_le_bytes());
        bytes
    }

    /// Whoever forges a file can make its checksums right. What it says may be wrong then, but it
    /// is what a layer could say, and nothing panics.
    #[test]
    fn forged_files_are_refused_or_plausible() {
        let honest = encoded(&solved(2), 9);
        assert_eq!(with_right_checksums(honest.clone()), honest);
        let mut accepted = 0;
        for at in 0..honest.len() {
            for change in [1, 2, 16, 128, 255] {
                let mut forged = honest.clone();
                forged[at] ^= change;
                let Ok(table) = Table::from_bytes(with_right_checksums(forged)) else { continue };
                let Ok(loaded) = table.load() else { continue };
                let pairs = loaded.low.stretches().zip(loaded.high().stretches());
                let mut scores = pairs.flat_map(|(low, high)| low.iter().zip(high));
                assert!(scores.all(|(&low, &high)| -2 <= low && low <= high && high <= 2), "byte {at}");
                accepted += 1;
            }
        }
        assert!(accepted > 0, "the checksums were not right");
    }

    /// The file of `solved` with every checksum right, whatever the scores are.
    fn verdict(change: impl FnOnce(&mut Solved)) -> String {
        let mut solved = solved(5);
        change(&mut solved);
        let table = Table::from_bytes(encoded(&solved, 1000)).unwrap();
        let verified = table.verify().unwrap_err().to_string();
        assert_eq!(table.load().unwrap_err().to_string(), verified);
        assert!((0..5000).map(Rank).any(|rank| table.interval(rank, &mut Scratch::new()).is_err()));
        verified
    }

    #[test]
    fn impossible_scores_are_noticed_under_right_checksums() {
        let set = |plane: &mut Plane, score| plane.stretches_mut().next().unwrap()[0] = score;
        let low = "block 0 of the low plane holds a score that the layer cannot have";
        assert!(verdict(|solved| set(&mut solved.low, 6)).contains(low));
        assert!(verdict(|solved| set(&mut solved.low, -128)).contains(low));
        let high = "block 0 of the high plane holds a score that the layer cannot have";
        let inverted = verdict(|solved| {
            set(&mut solved.low, 2);
            set(solved.high.as_mut().unwrap(), 1);
        });
        assert!(inverted.contains(high), "{inverted}");
        let beyond = verdict(|solved| set(solved.high.as_mut().unwrap(), 6));
        assert!(beyond.contains("block 0"), "{beyond}");
        let beyond = verdict(|solved| {
            set(&mut solved.low, 5);
            set(solved.high.as_mut().unwrap(), 15);
        });
        assert!(beyond.contains("block 0 holds a bound that the layer cannot have"), "{beyond}");
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
        let header = header(&AWARI, contents(&solved), 1, 100);
        let length = encoded(&solved, 100).len();
        assert!(encode(Disk(length), &header, contents(&solved)).is_ok());
        for room in 0..length {
            assert_eq!(encode(Disk(room), &header, contents(&solved)).unwrap_err().kind(), io::ErrorKind::StorageFull);
        }
    }

    /// Every solved layer so far.
    struct Lower(Vec<Arc<Solved>>);

    impl Layers for Lower {
        fn solved(&self, seeds: Seeds) -> Result<Arc<Solved>> {
            Ok(self.0[seeds.get()].clone())
        }
    }

    /// Prints what blocks of several sizes and levels cost for the Awari layer of 19 seeds.
    #[test]
    #[ignore = "a measurement: cargo test --release --lib block_sizes -- --ignored --nocapture"]
    fn block_sizes_and_levels() {
        let mut solver = Solver::new(&AWARI, Kernel::best());
        let mut lower = Lower(Vec::new());
        for seeds in Seeds::new(19).unwrap().up_to() {
            let solved = solver.solve(seeds, &lower, &Unobserved).unwrap();
            lower.0.push(Arc::new(solved));
        }
        let solved = lower.0.last().unwrap();
        for block in [12, 14, 15, 16, 17, 18] {
            measure(solved, 1, 1 << block);
        }
        for level in [-1, 2, 3, 6, 9, 15] {
            measure(solved, level, 1 << 15);
        }
    }

    fn measure(solved: &Solved, level: i32, block_positions: u32) {
        let positions = solved.layer().positions();
        let rate = |clock: Instant| positions as f64 / 1e6 / clock.elapsed().as_secs_f64();
        let contents = Contents { solved, strategy: None };
        let (clock, mut bytes) = (Instant::now(), Vec::new());
        let length = encode(&mut bytes, &header(&AWARI, contents, level, block_positions), contents).unwrap();

        let writing = rate(clock);
        let table = Table::from_bytes(bytes).unwrap();
        let clock = Instant::now();
        table.load().unwrap();
        let (loading, clock, mut scratch) = (rate(clock), Instant::now(), Scratch::new());
        for probe in 0..3000u64 {
            let rank = Rank(probe.wrapping_mul(0x9e37_79b9_7f4a_7c15) % positions);
            table.interval(rank, &mut scratch).unwrap();
        }
        let (probing, bits) = (clock.elapsed().as_secs_f64() * 1e6 / 3000.0, 8.0 * length as f64 / positions as f64);
        println!(
            "level {level:2}, blocks of {block_positions:6}: {bits:.3} bits a position, write {writing:.0} MB/s, \
             load {loading:.0} MB/s, probe {probing:.0} us"
        );
    }
}
