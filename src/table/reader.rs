//! Reading a table: prove the outside at opening, prove each frame when it is decompressed.
//!
//! Opening costs the header, the preface, the trailer and the directory, which is 16 bytes for
//! 32,768 positions. Nothing that a file says of its own size is believed before it has been
//! compared with the size the file has; what a frame or the preface may ask for has a fixed ceiling. Only
//! [`Table::load_stored`] needs what the layer needs.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rayon::prelude::*;
#[cfg(any(feature = "answers", feature = "cli"))]
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::FromBytes;

use super::cache::{Key, next_table};
#[cfg(any(feature = "answers", feature = "cli"))]
use super::checksum::digits;
use super::decoder::Decoder;
use super::directory::{Directory, TRAILER_LENGTH};
use super::frame::Decompressor;
use super::ground::Crossings;
use super::header::{HEADER_LENGTH, Header, RawHeader, Section};
use super::model::Model;
use super::source::{FilePlace, Source, at_least};
use super::tile_reader::{Scratch, TileReader, Workspace};
use super::tiles::Tiling;
use super::value::Value;
use super::{Flaw, exceptions, settlement};
use crate::error::{Error, Result};
use crate::game::{Interval, Rules, Score, ScoreRange, Seeds};
use crate::layer::{Cell, Exceptions, Layer, LayerStats, Settlement};
use crate::pool::Pool;

/// The table of one layer, open. Threads may share it; each brings its own [`Scratch`].
///
/// The bounds it stores may be lower than the truth wherever a capture attains them: use a
/// [`Prober`](crate::probe::Prober) to learn what a position is worth.
pub struct Table {
    path: PathBuf,
    bytes: u64,
    stats: LayerStats,
    tiles: TileReader,
    settlement: OnceLock<Settlement>,
    exceptions: OnceLock<Exceptions>,
}

impl Table {
    /// Opens a file that is read at positions, and proves all of it but the tiles:
    /// [`Table::check`] does those.
    ///
    /// # Errors
    /// [`Error::Io`] if there is no such file or it cannot be read, [`Error::CorruptTable`] if it
    /// is not a table or a damaged one, [`Error::WrongVersion`] if it is one of another version.
    pub fn open(path: impl AsRef<Path>) -> Result<Table> {
        Table::at(&FilePlace::File(path.as_ref()))
    }

    /// Opens a file through a memory map, and proves as much as [`Table::open`].
    ///
    /// # Safety
    /// As long as the table lives, no process writes to the file or truncates it. Another file may
    /// be renamed over it, and it may be removed.
    ///
    /// # Errors
    /// As [`Table::open`].
    #[allow(unsafe_code)]
    pub unsafe fn open_mapped(path: impl AsRef<Path>) -> Result<Table> {
        // SAFETY: the caller promises that the file stays as it is.
        Table::of_file(&FilePlace::File(path.as_ref()), |file| unsafe { Source::of_map(&file) })
    }

    /// Reads the table from bytes in memory, and proves as much as [`Table::open`].
    ///
    /// # Errors
    /// [`Error::CorruptTable`] or [`Error::WrongVersion`], as [`Table::open`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Table> {
        Table::of(PathBuf::from("table in memory"), bytes.len() as u64, Source::Memory(bytes))
    }

    /// Opens a file wherever it is, and proves as much as [`Table::open`].
    ///
    /// # Errors
    /// As [`Table::open`].
    pub(crate) fn at(place: &FilePlace) -> Result<Table> {
        Table::of_file(place, |file| Ok(Source::of_file(file)))
    }

    fn of_file(
        place: &FilePlace,
        source: impl FnOnce(File) -> io::Result<Source>,
    ) -> Result<Table> {
        let (source, bytes) = Source::open(place, HEADER_LENGTH, source)?;
        Table::of(place.path().to_owned(), bytes, source)
    }

    fn of(path: PathBuf, bytes: u64, source: Source) -> Result<Table> {
        let (tiles, stats) = prove(source, bytes).map_err(|error| error.of(&path))?;
        let (settlement, exceptions) = (OnceLock::new(), OnceLock::new());
        Ok(Table { path, bytes, stats, tiles, settlement, exceptions })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns what the file says of itself.
    pub fn header(&self) -> &Header {
        &self.tiles.header
    }

    /// Returns the layer that the table holds.
    pub fn layer(&self) -> Layer {
        self.header().layer
    }

    /// Returns the number of seeds on the board, the same in every position of the layer.
    pub fn seeds(&self) -> Seeds {
        self.layer().seeds()
    }

    /// Returns which scores the table keeps apart.
    pub fn range(&self) -> ScoreRange {
        self.layer().range()
    }

    /// Returns the sheet the table was made under.
    pub fn rules(&self) -> &'static Rules {
        self.header().rules
    }

    /// Returns the length of the file, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the figures of the layer, as the writer of the table counted them.
    pub fn stats(&self) -> &LayerStats {
        &self.stats
    }

    /// Returns the stored bounds of a position. Its own are the larger ones of these and those that
    /// captures bring: where a capture attains a bound, the stored one may be any that is not
    /// larger. The tile it is in is proved and decoded, unless `scratch` has it.
    ///
    /// # Errors
    /// [`Error::CorruptTable`] if the tile is damaged, [`Error::Usage`] if the layer has no
    /// such place.
    pub fn stored(&self, cell: Cell, scratch: &mut Scratch) -> Result<Interval> {
        let (key, within) = self.find(cell)?;
        let value = self.tiles.value(key, within, scratch);
        value.map(|value| self.known(value)).map_err(|error| error.of(&self.path))
    }

    /// Returns the stored bounds of a position if its tile is in the cache of `scratch`; `None`
    /// otherwise. It neither reads the file nor decodes.
    ///
    /// # Errors
    /// [`Error::Usage`] if the layer has no such place.
    pub fn cached_stored(&self, cell: Cell, scratch: &mut Scratch) -> Result<Option<Interval>> {
        let (key, within) = self.find(cell)?;
        let value = self.tiles.cached_value(key, within, scratch);
        Ok(value.map(|value| self.known(value)))
    }

    /// What a stored value says.
    fn known(&self, value: Value) -> Interval {
        let (low, high) = (Score::new(value.base), Score::new(value.high()));
        self.layer().range().known(Interval { low, high })
    }

    /// Finds the tile that a position is in, and where it is there.
    fn find(&self, cell: Cell) -> Result<(Key, usize)> {
        let Cell { own, row, column } = cell;
        let shape = (own <= self.seeds().get()).then(|| self.layer().block_shape(own));
        if shape.is_none_or(|(rows, columns)| row >= rows || column >= columns) {
            let seeds = self.seeds();
            return Err(Error::Usage(format!("the layer of {seeds} seeds has no {cell:?}")));
        }
        let (tile, within) = self.tiling().find(cell);
        Ok((Key { table: self.tiles.id, tile }, within))
    }

    /// Returns what was settled of positions whose bounds differ; `None` if nothing was. It is read
    /// and proved when it is asked for the first time.
    ///
    /// # Errors
    /// [`Error::CorruptTable`] if it is damaged.
    pub fn settlement(&self) -> Result<Option<&Settlement>> {
        let (section, at) = (self.header().settled, self.header().settled_at());
        self.section(&self.settlement, section, at, "settled positions", settlement::decode)
    }

    /// Returns where the strategy does not make default moves; `None` if the table holds no strategy.
    /// They are read and proved when they are asked for the first time.
    ///
    /// # Errors
    /// [`Error::CorruptTable`] if they are damaged.
    pub fn exceptions(&self) -> Result<Option<&Exceptions>> {
        let (section, at) = (self.header().exceptions, self.exceptions_at());
        self.section(&self.exceptions, section, at, "exceptions", exceptions::decode)
    }

    /// Returns where the exceptions stand: opening has proved that the tiles begin behind them.
    fn exceptions_at(&self) -> u64 {
        self.header().exceptions_at().unwrap_or(u64::MAX)
    }

    /// Returns how many exceptions there are, without reading them; `None` if the table holds no
    /// strategy.
    ///
    /// # Errors
    /// [`Error::CorruptTable`] if what says so is damaged.
    pub fn exceptions_count(&self) -> Result<Option<u64>> {
        let Some(section) = self.header().exceptions else { return Ok(None) };
        let mut buffer = Vec::new();
        let length = (section.length.get() as usize).min(exceptions::BEGINNING);
        let beginning = self.tiles.source.proved(self.exceptions_at(), length, &mut buffer);
        let count = beginning.and_then(|beginning| exceptions::count(beginning, self.layer()));
        count.map(Some).map_err(|error| error.of(&self.path))
    }

    /// Returns what a section holds, called `name`: what is `known` of it, or else what it decodes
    /// to if it has its checksum.
    fn section<'t, T>(
        &self,
        known: &'t OnceLock<T>,
        section: Option<Section>,
        at: u64,
        name: &str,
        decode: impl FnOnce(&[u8], Layer) -> std::result::Result<T, Flaw>,
    ) -> Result<Option<&'t T>> {
        let Some(Section { length, checksum }) = section else { return Ok(None) };
        if let Some(known) = known.get() {
            return Ok(Some(known));
        }
        let read = || {
            let mut buffer = Vec::new();
            let raw = self.tiles.source.proved(at, length.get() as usize, &mut buffer)?;
            if xxh3_64(raw) != checksum.get() {
                return Err(Flaw::new(format!("its {name} have a wrong checksum")));
            }
            decode(raw, self.layer())
        };
        let found = read().map_err(|error| error.of(&self.path))?;
        Ok(Some(known.get_or_init(|| found)))
    }

    /// Decodes all tiles of a frame, as [`TileReader::unpack`] does.
    pub(super) fn unpack_frame(
        &self,
        frame: usize,
        pool: &Pool<'_, Workspace>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let tiles = self.tiling().tiles_of(frame);
        let unpacked = pool.with(|workspace| self.tiles.unpack(tiles, workspace, out));
        unpacked.map_err(|error| error.of(&self.path))
    }

    /// Reads every byte: each frame is proved, and the whole file against its checksum.
    ///
    /// # Errors
    /// [`Error::CorruptTable`] names the first flaw that was found.
    pub fn check(&self) -> Result<()> {
        self.settlement()?;
        self.exceptions()?;
        let pool = Pool::new(Workspace::default);
        let prove = |out: &mut Vec<u8>, frame| self.unpack_frame(frame, &pool, out);
        (0..self.tiling().frames).into_par_iter().try_for_each_init(Vec::new, prove)?;
        let checked = self.tiles.directory.check_file(&self.tiles.source);
        checked.map_err(|error| error.of(&self.path))
    }

    /// Returns the SHA-256 of the file, wherever it is, in hexadecimal digits.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read.
    #[cfg(any(feature = "answers", feature = "cli"))]
    #[doc(hidden)]
    pub fn sha256(&self) -> Result<String> {
        let mut sum = Sha256::new();
        let summed = self.tiles.source.each(self.bytes, |bytes| sum.update(bytes));
        summed.map_err(Error::io("reading", &self.path))?;
        Ok(digits(sum))
    }

    /// How the layer is cut.
    pub(super) fn tiling(&self) -> &Tiling {
        &self.tiles.tiling
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("path", &self.path)
            .field("header", self.header())
            .finish_non_exhaustive()
    }
}

/// Everything that opening proves of a file of `bytes` bytes.
fn prove(source: Source, bytes: u64) -> std::result::Result<(TileReader, LayerStats), Flaw> {
    at_least(bytes, HEADER_LENGTH)?;
    let mut buffer = Vec::new();
    let raw = source.proved(0, HEADER_LENGTH, &mut buffer)?;
    let header =
        RawHeader::read_from_bytes(raw).map_err(|_| Flaw::new("its header is cut off"))?.prove()?;
    let tiling = Tiling::new(header.layer, header.frame_cells);
    let preface = header.preface.length.get() as usize;
    at_least(bytes, HEADER_LENGTH + preface + TRAILER_LENGTH)?;
    let directory = Directory::read(&source, bytes, tiling.frames as u64, header.tiles_at())?;
    let (stats, decoder) =
        prove_preface(source.proved(HEADER_LENGTH as u64, preface, &mut buffer)?, &header, bytes)?;
    let (crossings, id) = (Crossings::of(header.rules), next_table());
    Ok((TileReader { id, header, tiling, crossings, decoder, directory, source }, stats))
}

/// Proves the preface: the figures of the layer, and the model.
fn prove_preface(
    packed: &[u8],
    header: &Header,
    bytes: u64,
) -> std::result::Result<(LayerStats, Decoder), Flaw> {
    if xxh3_64(packed) != header.preface.checksum.get() {
        return Err(Flaw::new("its preface has a wrong checksum"));
    }
    let count = LayerStats::count_of_numbers(header.layer);
    let most = size_of::<u64>() * count + Model::MOST_BYTES;
    let mut decompressor = Decompressor::default();
    let mut raw = decompressor
        .decompress(packed, most, true)
        .ok_or_else(|| Flaw::new("its preface does not decompress"))?;
    let numbers = raw
        .split_off(..size_of::<u64>() * count)
        .ok_or_else(|| Flaw::new("its preface is cut off"))?;
    let numbers = numbers.as_chunks().0.iter();
    let numbers: Vec<u64> = numbers.map(|&number| u64::from_le_bytes(number)).collect();
    let stats = LayerStats::of_numbers(header.layer, bytes, &numbers)
        .ok_or_else(|| Flaw::new("its figures are those of no layer"))?;
    let model = Model::prove(&mut raw, header.range())?;
    match raw {
        [] => Ok((stats, Decoder::new(&model, header.range()))),
        _ => Err(Flaw::new("its preface is too long")),
    }
}
