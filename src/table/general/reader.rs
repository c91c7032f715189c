//! Reading a file of the other games: opening proves all but the frames, and each frame is proved
//! when it is read.

use std::path::Path;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::header::{FileHeader, HEADER_LENGTH, RawHeader};
use super::{FRAME, GeneralStats};
use crate::error::{Error, Result};
use crate::game::mancala::Layers;
use crate::game::{ScoreRange, Seeds};
use crate::layer::LayerStats;
use crate::layer::general::{GeneralLayer, GeneralSolved};
use crate::parallel;
use crate::table::Flaw;
use crate::table::cache::{Cache, Key, next_table};
use crate::table::directory::{Directory, TRAILER_LENGTH, bad};
use crate::table::shelf::read_file;
use crate::table::source::Source;

/// An open file of a layer. Opening proves header, figures, directory and trailer; frames are
/// proved each time they are read. Of a file far away, opening does not read the directory: the
/// entry of a frame comes with the frame.
#[derive(Debug)]
pub struct GeneralTable {
    source: Source,
    header: FileHeader,
    stats: GeneralStats,
    directory: Directory,
    id: u64,
}

impl GeneralTable {
    /// Opens the file of a layer.
    ///
    /// # Errors
    /// As [`Table::open`](crate::table::Table::open).
    pub fn open(path: &Path, layer: &GeneralLayer) -> Result<GeneralTable> {
        GeneralTable::of(Source::new(path, read_file(path))?, layer)
    }

    /// Proves all of the file of a layer but its frames.
    ///
    /// # Errors
    /// As [`GeneralTable::open`].
    pub(crate) fn of(source: Source, layer: &GeneralLayer) -> Result<GeneralTable> {
        let path = source.path.clone();
        let table = prove(source).map_err(|error| error.of(&path))?;
        if table.header.layer != *layer {
            return Err(Flaw::misnamed("another layer").of(&path));
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
        self.source.bytes
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
        &self.source.path
    }

    /// Reads a frame.
    ///
    /// # Errors
    /// As [`GeneralTable::open`].
    pub fn frame(&self, number: u64) -> Result<Frame> {
        self.read_frame(number).map_err(|error| error.of(self.path()))
    }

    /// Returns a frame, from a cache if it is there. Otherwise it is afterwards.
    ///
    /// # Errors
    /// As [`GeneralTable::open`].
    pub(crate) fn cached_frame(&self, number: u64, cache: &Cache) -> Result<Frame> {
        let key = Key { table: self.id, tile: number as usize };
        if let Some(bytes) = cache.get(key) {
            return Ok(self.as_frame(bytes));
        }
        let frame = self.frame(number)?;
        cache.put(key, &frame.bytes);
        Ok(frame)
    }

    fn as_frame(&self, bytes: Arc<[u8]>) -> Frame {
        let (positions, has_high) = (bytes.len() / self.header.planes(), self.header.has_high);
        Frame { bytes, positions, has_high }
    }

    fn read_frame(&self, number: u64) -> Result<Frame, Flaw> {
        let (frame, mut buffer) = (number as usize, Vec::new());
        let packed = self.directory.frame(&self.source, frame, &mut buffer)?;
        let behind = self.header.layer.positions() - GeneralTable::first_of(number);
        let positions = behind.min(FRAME as u64) as usize;
        let expected = positions * self.header.planes();
        let bytes = zstd::bulk::decompress(packed, expected)
            .map_err(|_| bad(frame, "does not decompress"))?;
        if bytes.len() != expected {
            return Err(bad(frame, "has a wrong length"));
        }
        let found = self.as_frame(bytes.into());
        match found.has_bounds_of(&self.header.layer) {
            true => Ok(found),
            false => Err(bad(frame, "holds scores that the layer cannot have")),
        }
    }

    /// Reads the whole layer.
    ///
    /// # Errors
    /// As [`GeneralTable::open`].
    pub fn load(&self) -> Result<GeneralSolved> {
        let FileHeader { layer, has_high, .. } = self.header;
        let rooms = (0..self.header.planes()).map(|_| self.room());
        let mut rooms = rooms.collect::<Result<Vec<_>>>()?;
        let mut planes: Vec<_> = rooms.iter_mut().map(|room| room.chunks_mut(FRAME)).collect();
        let part = |_| planes.iter_mut().filter_map(Iterator::next).collect();
        let parts: Vec<Vec<&mut [u8]>> = (0..self.header.frames()).map(part).collect();
        parallel::try_each_of(parts.into_iter().enumerate(), |(number, parts)| {
            let frame = self.frame(number as u64)?;
            let planes = parts.into_iter().zip(frame.planes());
            planes.for_each(|(part, plane)| part.copy_from_slice(plane));
            Ok(())
        })?;
        let signed = |bytes: Vec<u8>| bytes.into_iter().map(u8::cast_signed).collect();
        let mut rooms = rooms.into_iter();
        let low = signed(rooms.next().expect("every layer has lower bounds"));
        let high = if has_high { rooms.next().map(signed) } else { None };
        Ok(GeneralSolved { layer, low, high, stamps: rooms.next() })
    }

    /// Makes room for a byte of each position.
    fn room(&self) -> Result<Vec<u8>> {
        let bytes = self.header.layer.positions();
        let mut room = Vec::new();
        let reserved = usize::try_from(bytes).ok().map(|count| room.try_reserve_exact(count));
        reserved.and_then(std::result::Result::ok).ok_or(Error::OutOfMemory { bytes })?;
        room.resize(bytes as usize, 0);
        Ok(room)
    }

    /// Reads every byte: the checksum of the file, every frame, and whether the figures are those of
    /// the scores.
    ///
    /// # Errors
    /// As [`GeneralTable::open`].
    pub fn check(&self) -> Result<()> {
        let checked = self.directory.check_file(&self.source);
        checked.map_err(|error| error.of(self.path()))?;
        let stats = |number| self.frame(number).map(|frame| frame.stats(&self.header));
        let found = parallel::map_of(0..self.header.frames(), stats).into_iter();
        let join =
            |one: Result<GeneralStats>, other: Result<GeneralStats>| Ok(one?.joined(&other?));
        let mut found = found.reduce(join).expect("every layer has a frame")?;
        found.layer.bytes = self.bytes();
        if found != self.stats {
            return Err(Flaw::new("its figures are not those of its scores").of(self.path()));
        }
        Ok(())
    }
}

/// Some positions of a layer, in order of ranks.
#[derive(Clone, Debug)]
pub struct Frame {
    bytes: Arc<[u8]>,
    positions: usize,
    has_high: bool,
}

impl Frame {
    /// All planes, in order.
    fn planes(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.chunks_exact(self.positions)
    }

    /// Returns the lower bounds, as bytes.
    pub fn low(&self) -> &[u8] {
        &self.bytes[..self.positions]
    }

    /// Returns the upper bounds, as bytes.
    pub fn high(&self) -> &[u8] {
        let first = if self.has_high { self.positions } else { 0 };
        &self.bytes[first..][..self.positions]
    }

    /// Returns whether these can be bounds of positions of a layer.
    fn has_bounds_of(&self, layer: &GeneralLayer) -> bool {
        let most = layer.most();
        let bounds = self.low().iter().zip(self.high());
        bounds
            .map(|(low, high)| (low.cast_signed(), high.cast_signed()))
            .all(|(low, high)| -most <= low && low <= high && high <= most)
    }

    /// Returns the figures of these positions.
    fn stats(&self, header: &FileHeader) -> GeneralStats {
        let signed = |bytes: &[u8]| bytes.iter().map(|byte| byte.cast_signed()).collect();
        GeneralStats::of(&GeneralSolved {
            layer: header.layer,
            low: signed(self.low()),
            high: header.has_high.then(|| signed(self.high())),
            stamps: header.has_stamps.then(|| self.stamps().to_vec()),
        })
    }

    /// Returns the stamps or plies; none if there are none.
    pub fn stamps(&self) -> &[u8] {
        &self.bytes[self.positions * (1 + usize::from(self.has_high))..]
    }
}

/// Proves all of a file but its frames.
fn prove(source: Source) -> Result<GeneralTable, Flaw> {
    source.at_least(HEADER_LENGTH)?;
    let header = source.record::<RawHeader>(0)?.prove()?;
    let frames_at = HEADER_LENGTH + 8 * header.figures();
    source.at_least(frames_at + TRAILER_LENGTH)?;
    let mut stats = figures(&source, &header)?;
    stats.layer.bytes = source.bytes;
    let directory = Directory::read(&source, header.frames(), frames_at as u64)?;
    Ok(GeneralTable { source, header, stats, directory, id: next_table() })
}

fn figures(source: &Source, header: &FileHeader) -> Result<GeneralStats, Flaw> {
    let mut buffer = Vec::new();
    let length = 8 * header.figures();
    let raw = source.proved(HEADER_LENGTH as u64, length, &mut buffer)?;
    let wrong = || Flaw::new("its figures do not have their checksum");
    if xxh3_64(raw) as u32 != header.figures_checksum {
        return Err(wrong());
    }
    let numbers = raw.as_chunks().0.iter();
    let numbers: Vec<u64> = numbers.map(|&number| u64::from_le_bytes(number)).collect();
    let (longest, numbers) = numbers.split_last().ok_or_else(wrong)?;
    let seeds = Seeds::new(header.layer.seeds()).ok_or_else(wrong)?;
    let (range, positions) = (ScoreRange::full(seeds), header.layer.positions());
    let layer = LayerStats::of_numbers(range, positions, numbers);
    let layer = layer.ok_or_else(|| Flaw::new("its figures are those of no layer"))?;
    let has_plies = header.has_stamps && header.layer.sheet().layers == Layers::Alone;
    let longest = has_plies.then(|| u8::try_from(*longest).ok()).flatten();
    Ok(GeneralStats { layer, longest })
}
