//! Reading a file: proved piece by piece, as it is needed.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::FromBytes;

use super::header::{FileHeader, HEADER_LENGTH, RawHeader};
use super::{FRAME, GeneralStats};
use crate::error::Result;
use crate::game::mancala::Layers;
use crate::game::{ScoreRange, Seeds};
use crate::layer::LayerStats;
use crate::layer::general::{GeneralLayer, GeneralSolved};
use crate::table::Flaw;
use crate::table::directory::{Directory, TRAILER_LENGTH, bad};
use crate::table::source::{ReadError, Source, at_least};

/// An open file of a layer. Opening proves header, figures, directory and trailer; frames are
/// proved each time they are read.
#[derive(Debug)]
pub struct GeneralTable {
    path: PathBuf,
    source: Source,
    header: FileHeader,
    stats: GeneralStats,
    directory: Directory,
    bytes: u64,
}

impl GeneralTable {
    /// Opens the file of a layer.
    ///
    /// # Errors
    /// As [`Table::open`](crate::table::Table::open).
    pub fn open(path: &Path, layer: &GeneralLayer) -> Result<GeneralTable> {
        let (source, bytes) = Source::open(path, HEADER_LENGTH, |file| Ok(Source::of_file(file)))?;
        let table = prove(path, source, bytes).map_err(|error| error.of(path))?;
        if table.header.layer != *layer {
            return Err(Flaw::new("it holds another layer than its name says").of(path));
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
        self.read_frame(number).map_err(|error| error.of(&self.path))
    }

    fn read_frame(&self, number: u64) -> std::result::Result<Frame, ReadError> {
        let (frame, mut buffer) = (number as usize, Vec::new());
        let packed = self.directory.frame(&self.source, frame, &mut buffer)?;
        let positions = self.positions_of(number);
        let expected = positions * self.header.planes();
        let bytes = zstd::bulk::decompress(packed, expected)
            .map_err(|_| bad(frame, "does not decompress"))?;
        if bytes.len() != expected {
            return Err(bad(frame, "has a wrong length"));
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
        let checked = self.directory.check_file(&self.source);
        checked.map_err(|error| error.of(&self.path))?;
        let mut found = GeneralStats::of(&self.load()?);
        found.layer.bytes = self.bytes;
        if found != self.stats {
            return Err(Flaw::new("its figures are not those of its scores").of(&self.path));
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

/// Proves all of a file but its frames.
fn prove(path: &Path, source: Source, bytes: u64) -> std::result::Result<GeneralTable, ReadError> {
    let mut buffer = Vec::new();
    let raw = source.proved(0, HEADER_LENGTH, &mut buffer)?;
    let header =
        RawHeader::read_from_bytes(raw).map_err(|_| Flaw::new("its header is cut off"))?.prove()?;
    let frames_at = HEADER_LENGTH + 8 * header.figures();
    at_least(bytes, frames_at + TRAILER_LENGTH)?;
    let mut stats = figures(&source, &header)?;
    stats.layer.bytes = bytes;
    let directory = Directory::read(&source, bytes, header.frames(), Some(frames_at as u64))?;
    Ok(GeneralTable { path: path.to_owned(), source, header, stats, directory, bytes })
}

fn figures(source: &Source, header: &FileHeader) -> std::result::Result<GeneralStats, ReadError> {
    let mut buffer = Vec::new();
    let length = 8 * header.figures();
    let raw = source.proved(HEADER_LENGTH as u64, length, &mut buffer)?;
    let wrong = || Flaw::new("its figures do not have their checksum");
    if xxh3_64(raw) as u32 != header.figures_checksum {
        return Err(wrong().into());
    }
    let numbers: Vec<u64> = raw
        .chunks_exact(8)
        .map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
        .collect();
    let (longest, numbers) = numbers.split_last().ok_or_else(wrong)?;
    let seeds = Seeds::new(header.layer.seeds()).ok_or_else(wrong)?;
    let layer =
        LayerStats::of_so_many(ScoreRange::full(seeds), header.layer.positions(), 0, numbers);
    let layer = layer.ok_or_else(|| Flaw::new("its figures are those of no layer"))?;
    let has_plies = header.has_stamps && header.layer.sheet().layers == Layers::Alone;
    let longest = has_plies.then(|| u8::try_from(*longest).ok()).flatten();
    Ok(GeneralStats { layer, longest })
}
