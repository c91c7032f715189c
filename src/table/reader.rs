//! Opening a table: all of it is proved but its tiles ([`super::tile_reader`]) and what is read when it
//! is asked for: exceptions, and settled positions.
//!
//! Opening costs the header, the preface, the trailer and the directory, which is 16 bytes for
//! 32,768 positions. Nothing that a file says of its own size is believed before it has been
//! compared with the size the file has; what a frame or the preface may ask for has a fixed ceiling. Only
//! [`Table::load_stored`] needs what the layer needs.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use xxhash_rust::xxh3::xxh3_64;
use zerocopy::FromBytes;
use zerocopy::little_endian::U64;

use super::cache::next_table;
use super::decoder::Decoder;
use super::directory::{Directory, TRAILER_LENGTH};
use super::frame::Decompressor;
use super::ground::Crossings;
use super::header::{HEADER_LENGTH, Header, RawHeader, Section};
use super::model::Model;
use super::shelf::{map_file, read_file};
use super::source::Source;
use super::tiles::Tiling;
use super::{Flaw, exceptions, settlement};
use crate::error::Result;
use crate::game::{Rules, ScoreRange, Seeds};
use crate::layer::{Exceptions, Layer, LayerStats, Settlement};

/// The table of one layer, open. Threads may share it; each brings its own
/// [`Scratch`](super::Scratch).
///
/// The bounds it stores may be lower than the truth wherever a capture attains them: use a
/// [`Prober`](crate::probe::Prober) to learn what a position is worth.
pub struct Table {
    pub(super) source: Source,
    pub(super) header: Header,
    stats: LayerStats,
    /// No other table has it.
    pub(super) id: u64,
    pub(super) tiling: Tiling,
    pub(super) crossings: Crossings,
    pub(super) decoder: Decoder,
    pub(super) directory: Directory,
    settlement: OnceLock<Settlement>,
    exceptions: OnceLock<Exceptions>,
}

impl Table {
    /// Opens a file that is read at positions, and proves all of it but the tiles:
    /// [`Table::check`] does those.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) if there is no such file or it cannot be read,
    /// [`Error::CorruptTable`](crate::Error::CorruptTable) if it is not a table or a damaged one,
    /// [`Error::WrongVersion`](crate::Error::WrongVersion) if it is one of another version.
    pub fn open(path: impl AsRef<Path>) -> Result<Table> {
        Table::of(Source::new(path.as_ref(), read_file(path.as_ref()))?)
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
        let opened = unsafe { map_file(path.as_ref()) };
        Table::of(Source::new(path.as_ref(), opened)?)
    }

    /// Reads the table from bytes in memory, and proves as much as [`Table::open`].
    ///
    /// # Errors
    /// As [`Table::open`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Table> {
        Table::of(Source::new("table in memory".as_ref(), Ok(Arc::new(bytes)))?)
    }

    /// Proves as much of a file as [`Table::open`].
    ///
    /// # Errors
    /// As there.
    pub(crate) fn of(source: Source) -> Result<Table> {
        let path = source.path.clone();
        prove(source).map_err(|flaw| flaw.of(&path))
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.source.path
    }

    /// Returns what the file says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the layer that the table holds.
    pub fn layer(&self) -> Layer {
        self.header.layer
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
        self.header.rules
    }

    /// Returns the length of the file, in bytes.
    pub fn bytes(&self) -> u64 {
        self.source.bytes
    }

    /// Returns the figures of the layer, as the writer of the table counted them.
    pub fn stats(&self) -> &LayerStats {
        &self.stats
    }

    /// Returns what was settled of positions whose bounds differ; `None` if nothing was. It is read
    /// and proved when it is asked for the first time.
    ///
    /// # Errors
    /// [`Error::CorruptTable`](crate::Error::CorruptTable) if it is damaged.
    pub fn settlement(&self) -> Result<Option<&Settlement>> {
        let (section, at) = (self.header.settled, self.header.settled_at());
        self.section(&self.settlement, section, at, "settled positions", settlement::decode)
    }

    /// Returns where the strategy does not make default moves; `None` if the table holds no strategy.
    /// They are read and proved when they are asked for the first time.
    ///
    /// # Errors
    /// As [`Table::settlement`].
    pub fn exceptions(&self) -> Result<Option<&Exceptions>> {
        let (section, at) = (self.header.exceptions, self.header.exceptions_at());
        self.section(&self.exceptions, section, at, "exceptions", exceptions::decode)
    }

    /// Returns how many exceptions there are, without reading them; `None` if the table holds no
    /// strategy.
    ///
    /// # Errors
    /// As [`Table::settlement`], if what says so is damaged.
    pub fn exceptions_count(&self) -> Result<Option<u64>> {
        let Some(section) = self.header.exceptions else { return Ok(None) };
        let mut buffer = Vec::new();
        let length = (section.length.get() as usize).min(exceptions::BEGINNING);
        let beginning = self.source.proved(self.header.exceptions_at(), length, &mut buffer);
        let count = beginning.and_then(|beginning| exceptions::count(beginning, self.layer()));
        count.map(Some).map_err(|error| error.of(self.path()))
    }

    /// Returns what a section holds, called `name`: what is `known` of it, or else what it decodes
    /// to if it has its checksum.
    fn section<'t, T>(
        &self,
        known: &'t OnceLock<T>,
        section: Option<Section>,
        at: u64,
        name: &str,
        decode: impl FnOnce(&[u8], Layer) -> Result<T, Flaw>,
    ) -> Result<Option<&'t T>> {
        let Some(Section { length, checksum }) = section else { return Ok(None) };
        if let Some(known) = known.get() {
            return Ok(Some(known));
        }
        let read = || {
            let mut buffer = Vec::new();
            let raw = self.source.proved(at, length.get() as usize, &mut buffer)?;
            if xxh3_64(raw) != checksum.get() {
                return Err(Flaw::new(format!("its {name} have a wrong checksum")));
            }
            decode(raw, self.layer())
        };
        let found = read().map_err(|error| error.of(self.path()))?;
        Ok(Some(known.get_or_init(|| found)))
    }

    /// Returns the SHA-256 of the file, wherever it is, in hexadecimal digits.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) if it cannot be read.
    #[cfg(any(feature = "answers", feature = "cli"))]
    pub(crate) fn sha256(&self) -> Result<String> {
        super::checksum::of(&self.source)
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("path", &self.source.path)
            .field("header", &self.header)
            .finish_non_exhaustive()
    }
}

/// Everything that opening proves.
fn prove(source: Source) -> Result<Table, Flaw> {
    source.at_least(HEADER_LENGTH)?;
    let header = source.record::<RawHeader>(0)?.prove()?;
    let (tiling, crossings) =
        (Tiling::new(header.layer, header.frame_cells), Crossings::of(header.rules));
    let preface = header.preface.length.get() as usize;
    source.at_least(HEADER_LENGTH + preface + TRAILER_LENGTH)?;
    let directory = Directory::read(&source, tiling.frames as u64, header.tiles_at())?;
    let mut buffer = Vec::new();
    let packed = source.proved(HEADER_LENGTH as u64, preface, &mut buffer)?;
    let (mut stats, decoder) = prove_preface(packed, &header)?;
    stats.bytes = source.bytes;
    let (id, settlement, exceptions) = (next_table(), OnceLock::new(), OnceLock::new());
    Ok(Table {
        source,
        header,
        stats,
        id,
        tiling,
        crossings,
        decoder,
        directory,
        settlement,
        exceptions,
    })
}

/// Proves the preface: the figures of the layer, and the model.
fn prove_preface(packed: &[u8], header: &Header) -> Result<(LayerStats, Decoder), Flaw> {
    if xxh3_64(packed) != header.preface.checksum.get() {
        return Err(Flaw::new("its preface has a wrong checksum"));
    }
    let layer = header.layer;
    let count = LayerStats::count_of_numbers(layer.seeds().get());
    let most = size_of::<u64>() * count + Model::MOST_BYTES;
    let mut decompressor = Decompressor::default();
    let raw = decompressor
        .decompress(packed, most, true)
        .ok_or_else(|| Flaw::new("its preface does not decompress"))?;
    let (numbers, mut raw) = <[U64]>::ref_from_prefix_with_elems(raw, count)
        .map_err(|_| Flaw::new("its preface is cut off"))?;
    let numbers: Vec<u64> = numbers.iter().map(|number| number.get()).collect();
    let stats = LayerStats::of_numbers(layer.range(), layer.positions(), &numbers)
        .ok_or_else(|| Flaw::new("its figures are those of no layer"))?;
    let model = Model::prove(&mut raw, header.range())?;
    match raw {
        [] => Ok((stats, Decoder::new(&model, header.range()))),
        _ => Err(Flaw::new("its preface is too long")),
    }
}
