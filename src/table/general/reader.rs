//! Reading a file: proved piece by piece, as it is needed.

use std::fs::File;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};
use zerocopy::FromBytes;

use super::header::{FileHeader, HEADER_LENGTH, RawHeader, VERSION};
use super::{FRAME, GeneralStats};
use crate::error::{Error, Result};
use crate::game::Seeds;
use crate::game::mancala::Layers;
use crate::layer::LayerStats;
use crate::layer::general::{GeneralLayer, GeneralSolved};
use crate::table::Flaw;
use crate::table::header::{END, ENTRY_LENGTH, RawEntry, RawTrailer, SEAL_LENGTH, TRAILER_LENGTH};
use crate::table::source::Source;

/// The bytes that a check reads at a time.
const PIECE: usize = 1 << 20;

/// An open file of a layer. Opening proves header, figures, directory and trailer; frames are
/// proved each time they are read.
#[derive(Debug)]
pub struct GeneralTable {
    path: PathBuf,
    source: Source,
    header: FileHeader,
    stats: GeneralStats,
    directory: Vec<RawEntry>,
    bytes: u64,
}

impl GeneralTable {
    /// Opens the file of a layer.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::CorruptTable`], and [`Error::WrongVersion`].
    pub fn open(path: &Path, layer: &GeneralLayer) -> Result<GeneralTable> {
        let file = File::open(path).map_err(Error::io("opening", path))?;
        let bytes = file.metadata().map_err(Error::io("opening", path))?.len();
        let source = Source::of_file(file);
        let table = prove(path, source, bytes).map_err(|flaw| spoken(path, flaw))?;
        if table.header.layer != *layer {
            return Err(spoken(path, Flaw::new("it holds another layer than its name says")));
        }
        Ok(table)
    }

    /// Returns what the file says of itself.
    pub fn header(&self) -> &FileHeader {
        &self.header
    }

    /// Returns the layer.
    pub fn layer(&self) -> GeneralLayer {
        self.header.layer
    }

    /// Returns the figures.
    pub fn stats(&self) -> &GeneralStats {
        &self.stats
    }

    /// Returns the length of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the frame that holds a rank, and the place of the rank in it.
    pub fn frame_of(rank: u64) -> (u64, usize) {
        (rank / FRAME as u64, (rank % FRAME as u64) as usize)
    }

    /// Returns the rank of the first position of a frame.
    pub fn first_of(frame: u64) -> u64 {
        frame * FRAME as u64
    }

    /// Returns where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads a frame.
    ///
    /// # Errors
    /// As [`GeneralTable::open`].
    pub fn frame(&self, number: u64) -> Result<Frame> {
        let entry = &self.directory[number as usize];
        let length = entry.length.get() as usize;
        let mut buffer = Vec::new();
        let packed = self
            .source
            .at(entry.offset.get(), length, &mut buffer)
            .map_err(Error::io("reading", &self.path))?;
        let flaw = |what: &str| spoken(&self.path, Flaw::new(format!("frame {number} {what}")));
        if xxh3_64(packed) as u32 != entry.checksum.get() {
            return Err(flaw("does not have its checksum"));
        }
        let positions = self.positions_of(number);
        let expected = positions * self.header.planes();
        let bytes =
            zstd::bulk::decompress(packed, expected).map_err(|_| flaw("is no zstd frame"))?;
        if bytes.len() != expected {
            return Err(flaw("has a wrong length"));
        }
        Ok(Frame { bytes, positions, has_high: self.header.has_high })
    }

    fn positions_of(&self, frame: u64) -> usize {
        (self.header.layer.positions() - frame * FRAME as u64).min(FRAME as u64) as usize
    }

    /// Reads the whole layer.
    ///
    /// # Errors
    /// As [`GeneralTable::open`].
    pub fn load(&self) -> Result<GeneralSolved> {
        let frames: Vec<Frame> = (0..self.header.frames())
            .into_par_iter()
            .map(|number| self.frame(number))
            .collect::<Result<_>>()?;
        let joined =
            |plane: fn(&Frame) -> &[u8]| frames.iter().map(plane).collect::<Vec<_>>().concat();
        let signed = |bytes: Vec<u8>| bytes.into_iter().map(u8::cast_signed).collect::<Vec<i8>>();
        Ok(GeneralSolved {
            layer: self.header.layer,
            low: signed(joined(Frame::low)),
            high: self.header.has_high.then(|| signed(joined(Frame::high))),
            stamps: self.header.has_stamps.then(|| joined(Frame::stamps)),
        })
    }

    /// Reads every byte: the checksum of the file, every frame, and whether the figures are those of
    /// the scores.
    ///
    /// # Errors
    /// As [`GeneralTable::open`].
    pub fn check(&self) -> Result<()> {
        let covered = self.bytes - SEAL_LENGTH as u64;
        let (mut sum, mut buffer, mut at) = (Xxh3::new(), Vec::new(), 0);
        while at < covered {
            let length = (covered - at).min(PIECE as u64) as usize;
            let piece = self.source.at(at, length, &mut buffer);
            sum.update(piece.map_err(Error::io("reading", &self.path))?);
            at += length as u64;
        }
        let trailer = trailer(&self.source, self.bytes).map_err(|flaw| spoken(&self.path, flaw))?;
        if sum.digest128() != trailer.seal.file_checksum.get() {
            return Err(spoken(&self.path, Flaw::new("it does not have its checksum")));
        }
        let mut found = GeneralStats::of(&self.load()?);
        found.layer.bytes = self.bytes;
        if found != self.stats {
            return Err(spoken(&self.path, Flaw::new("its figures are not those of its scores")));
        }
        Ok(())
    }
}

/// Some positions of a layer, in order of ranks.
#[derive(Clone, Debug)]
pub struct Frame {
    bytes: Vec<u8>,
    positions: usize,
    has_high: bool,
}

impl Frame {
    /// Returns the lower bounds, as bytes.
    pub fn low(&self) -> &[u8] {
        &self.bytes[..self.positions]
    }

    /// Returns the upper bounds, as bytes.
    pub fn high(&self) -> &[u8] {
        let first = if self.has_high { self.positions } else { 0 };
        &self.bytes[first..][..self.positions]
    }

    /// Returns the stamps or plies; none if there are none.
    pub fn stamps(&self) -> &[u8] {
        &self.bytes[self.positions * (1 + usize::from(self.has_high))..]
    }
}

fn spoken(path: &Path, flaw: Flaw) -> Error {
    let path = path.to_owned();
    match flaw {
        Flaw::Corrupt(what) => Error::CorruptTable { path, what },
        Flaw::Version(found) => Error::WrongVersion { path, found, known: VERSION },
    }
}

fn short<E>(_: E) -> Flaw {
    Flaw::new("it is cut off")
}

fn trailer(source: &Source, bytes: u64) -> std::result::Result<RawTrailer, Flaw> {
    let at = bytes.checked_sub(TRAILER_LENGTH as u64).ok_or_else(|| short(()))?;
    let mut buffer = Vec::new();
    let raw = source.at(at, TRAILER_LENGTH, &mut buffer).map_err(short)?;
    let trailer = RawTrailer::read_from_bytes(raw).map_err(short)?;
    if trailer.seal.end == END { Ok(trailer) } else { Err(short(())) }
}

/// Proves all of a file but its frames.
fn prove(path: &Path, source: Source, bytes: u64) -> std::result::Result<GeneralTable, Flaw> {
    let mut buffer = Vec::new();
    let raw = source.at(0, HEADER_LENGTH, &mut buffer).map_err(short)?;
    let header = RawHeader::read_from_bytes(raw).map_err(short)?.prove()?;
    let mut stats = figures(&source, &header)?;
    stats.layer.bytes = bytes;
    let trailer = trailer(&source, bytes)?;
    let directory = directory(&source, &header, &trailer, bytes)?;
    Ok(GeneralTable { path: path.to_owned(), source, header, stats, directory, bytes })
}

fn figures(source: &Source, header: &FileHeader) -> std::result::Result<GeneralStats, Flaw> {
    let mut buffer = Vec::new();
    let length = 8 * header.figures();
    let raw = source.at(HEADER_LENGTH as u64, length, &mut buffer).map_err(short)?;
    let wrong = || Flaw::new("its figures do not have their checksum");
    if xxh3_64(raw) as u32 != header.figures_checksum {
        return Err(wrong());
    }
    let numbers: Vec<u64> = raw
        .chunks_exact(8)
        .map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
        .collect();
    let (longest, numbers) = numbers.split_last().ok_or_else(wrong)?;
    let seeds = Seeds::new(header.layer.seeds()).ok_or_else(wrong)?;
    let layer = LayerStats::of_so_many(seeds, header.layer.positions(), 0, numbers);
    let layer = layer.ok_or_else(|| Flaw::new("its figures are those of no layer"))?;
    let has_plies = header.has_stamps && header.layer.sheet().layers == Layers::Alone;
    let longest = has_plies.then(|| u8::try_from(*longest).ok()).flatten();
    Ok(GeneralStats { layer, longest })
}

/// Proves the directory: the frames fill the space from the figures to it.
fn directory(
    source: &Source,
    header: &FileHeader,
    trailer: &RawTrailer,
    bytes: u64,
) -> std::result::Result<Vec<RawEntry>, Flaw> {
    let locator = &trailer.locator;
    let (at, length) = (locator.directory_offset.get(), locator.directory_length.get());
    let fills = at.checked_add(length).and_then(|end| end.checked_add(TRAILER_LENGTH as u64));
    if fills != Some(bytes) || Some(length) != header.frames().checked_mul(ENTRY_LENGTH as u64) {
        return Err(Flaw::new("its directory is not where it should be"));
    }
    let mut buffer = Vec::new();
    let raw = source.at(at, length as usize, &mut buffer).map_err(short)?;
    if xxh3_64(raw) != locator.directory_checksum.get() {
        return Err(Flaw::new("its directory does not have its checksum"));
    }
    let entries = <[RawEntry]>::ref_from_bytes(raw).map_err(short)?.to_vec();
    let mut next = (HEADER_LENGTH + 8 * header.figures()) as u64;
    for entry in &entries {
        if entry.offset.get() != next {
            return Err(Flaw::new("its frames do not follow each other"));
        }
        next = next.saturating_add(entry.length.get().into());
    }
    if next == at { Ok(entries) } else { Err(Flaw::new("its frames do not end at its directory")) }
}
