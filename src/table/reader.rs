//! Reading a table: prove the frame at opening, prove each block when it is decoded.
//!
//! Opening costs the header, the trailer and the directory, which is 12 bytes for 32,768
//! positions. Nothing that a file says of its own size is believed before it has been compared
//! with the size the file has; what a block may ask for has a fixed ceiling. Only [`Table::load`]
//! needs what the layer needs.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};
use zerocopy::FromBytes;

use super::Flaw;
use super::block::{Blocks, Bounds, Directory, Part, Pool, Scratch, Trouble, Workspace};
use super::cache::Cache;
use super::header::{END, HEADER_LENGTH, Header, Planes, RawHeader, RawTrailer, SEAL_LENGTH, TRAILER_LENGTH};
use super::source::{Access, Source};
use crate::board::Seeds;
use crate::error::{Error, Result};
use crate::index::{Layer, Rank};
use crate::rules::Rules;
use crate::score::{Interval, Score};
use crate::solver::plane::{Plane, Solved, Strategy};

/// Blocks that [`Table::load`] decodes before it copies them into the plane: 8 MB for each plane.
const BATCH: usize = 256;

/// Bytes that [`Table::verify`] reads at a time.
const STRIDE: usize = 1 << 20;

/// An open table. Threads may share it; each brings its own [`Scratch`].
pub struct Table {
    path: PathBuf,
    bytes: u64,
    header: Header,
    directory: Directory,
    source: Source,
    file_checksum: u128,
    id: u64,
}

impl Table {
    /// Opens a file and proves its header, trailer and directory, but no block:
    /// [`Table::verify`] does.
    ///
    /// # Errors
    /// [`Error::Io`] if there is no such file or it cannot be read, [`Error::CorruptTable`] if it
    /// is no table or a damaged one, [`Error::WrongVersion`] if it is one of another version.
    pub fn open(path: impl AsRef<Path>, access: Access) -> Result<Table> {
        let path = path.as_ref();
        let found = std::fs::metadata(path).map_err(Error::io("opening", path))?;
        if !found.is_file() {
            return Err(Flaw::new("it is not a file").of(path));
        }
        let file = File::open(path).map_err(Error::io("opening", path))?;
        let bytes = file.metadata().map_err(Error::io("opening", path))?.len();
        // An empty file cannot be mapped everywhere.
        at_least(bytes, HEADER_LENGTH).map_err(|flaw| flaw.of(path))?;
        let source = Source::of(file, access).map_err(Error::io("opening", path))?;
        Table::of(path.to_owned(), bytes, source)
    }

    /// The same for a file that stands in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Table> {
        Table::of(PathBuf::from("table in memory"), bytes.len() as u64, Source::Memory(bytes))
    }

    fn of(path: PathBuf, bytes: u64, source: Source) -> Result<Table> {
        let proved = prove(&source, bytes).map_err(|trouble| error(trouble, &path))?;
        let (header, directory, file_checksum) = proved;
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let id = OPENED.fetch_add(1, Ordering::Relaxed);
        Ok(Table { path, bytes, header, directory, source, file_checksum, id })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The layer it holds.
    pub fn layer(&self) -> Layer {
        self.header.layer
    }

    /// Seeds on the board.
    pub fn seeds(&self) -> Seeds {
        self.layer().seeds()
    }

    /// The sheet it was made under.
    pub fn rules(&self) -> &'static Rules {
        self.header.rules
    }

    /// Length of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Both bounds of the position `rank`. The block it is in is proved and decoded, unless
    /// `scratch` has it.
    ///
    /// # Errors
    /// [`Error::CorruptTable`] if the block is damaged, [`Error::Usage`] if the layer has no such
    /// rank.
    pub fn interval(&self, rank: Rank, scratch: &mut Scratch) -> Result<Interval> {
        self.prove_rank(rank)?;
        let low = self.byte(Part::Low, rank, scratch)?;
        let spread = match self.header.planes {
            Planes::Low => 0,
            Planes::LowAndHigh => self.byte(Part::Spread, rank, scratch)?,
        };
        self.bounds(rank, low, spread)
    }

    /// Both bounds of the position `rank` if that takes no file access and no decoding; `None` if a
    /// block is not in the cache.
    ///
    /// # Errors
    /// As [`Table::interval`].
    pub fn cached_interval(&self, rank: Rank, cache: &Cache) -> Result<Option<Interval>> {
        self.prove_rank(rank)?;
        let byte = |part| self.blocks().cached_byte(self.id, part, rank.0, cache);
        let spread = match self.header.planes {
            Planes::Low => Some(0),
            Planes::LowAndHigh => byte(Part::Spread),
        };
        byte(Part::Low).zip(spread).map(|(low, spread)| self.bounds(rank, low, spread)).transpose()
    }

    fn bounds(&self, rank: Rank, low: u8, spread: u8) -> Result<Interval> {
        let low = low.cast_signed();
        let high = i16::from(low) + i16::from(spread);
        if high > self.seeds().get() as i16 {
            return Err(Flaw::new(format!("position {} has the bounds {low}..{high}", rank.0)).of(&self.path));
        }
        Ok(Interval { low: Score::new(low), high: Score::new(high as i8) })
    }

    /// The stamp of the position `rank`; `None` if the table holds no strategy.
    ///
    /// # Errors
    /// As [`Table::interval`].
    pub fn stamp(&self, rank: Rank, scratch: &mut Scratch) -> Result<Option<u8>> {
        self.prove_rank(rank)?;
        self.header.holds.map(|_| self.byte(Part::Stamps, rank, scratch)).transpose()
    }

    fn prove_rank(&self, rank: Rank) -> Result<()> {
        if rank.0 < self.layer().positions() {
            return Ok(());
        }
        Err(Error::Usage(format!("the layer of {} seeds has no position number {}", self.seeds(), rank.0)))
    }

    fn byte(&self, part: Part, rank: Rank, scratch: &mut Scratch) -> Result<u8> {
        self.blocks().byte(self.id, part, rank.0, scratch).map_err(|trouble| error(trouble, &self.path))
    }

    /// The scores of the whole layer, every block proved, without a strategy. It takes
    /// [`Plane::memory`] for each plane.
    ///
    /// # Errors
    /// [`Error::CorruptTable`] if a block is damaged.
    pub fn load(&self) -> Result<Solved> {
        let mut low = Plane::new(self.layer(), 0);
        let mut high = match self.header.planes {
            Planes::Low => None,
            Planes::LowAndHigh => Some(Plane::new(self.layer(), 0)),
        };
        let mut into_low = Pour::into(&mut low);
        let mut into_high = high.as_mut().map(Pour::into);
        self.in_order(|bounds| {
            into_low.pour(bounds.low());
            if let Some(into_high) = &mut into_high {
                into_high.pour(bounds.high());
            }
        })?;
        drop((into_low, into_high));
        Ok(Solved { low, high, strategy: None })
    }

    /// The strategy of the whole layer, every block proved; `None` if the table holds none.
    ///
    /// # Errors
    /// [`Error::CorruptTable`] if a block is damaged.
    pub fn load_strategy(&self) -> Result<Option<Strategy>> {
        let Some(holds) = self.header.holds else { return Ok(None) };
        let mut stamps = Plane::new(self.layer(), 0);
        let mut into_stamps = Pour::into(&mut stamps);
        let pool = Pool::new();
        let blocks = self.header.blocks() as usize;
        let mut batch = vec![Vec::new(); BATCH.min(blocks)];
        for first in (0..blocks).step_by(BATCH) {
            let batch = &mut batch[..BATCH.min(blocks - first)];
            batch.par_iter_mut().enumerate().try_for_each(|(at, out)| self.decode_stamps(first + at, &pool, out))?;
            batch.iter().for_each(|stamps| into_stamps.pour(<[i8]>::ref_from_bytes(stamps).expect("bytes are bytes")));
        }
        drop(into_stamps);
        Ok(Some(Strategy { stamps, holds }))
    }

    fn decode_stamps(&self, block: usize, pool: &Pool<Workspace>, out: &mut Vec<u8>) -> Result<()> {
        let decoded = pool
            .with(|| Ok(Workspace::default()), |workspace| self.blocks().unpack(Part::Stamps, block, workspace, out));
        decoded.map_err(|trouble| error(trouble, &self.path))
    }

    /// Decodes all blocks, in parallel, and hands them to `take` by rank.
    fn in_order(&self, mut take: impl FnMut(&Bounds)) -> Result<()> {
        let pool = Pool::new();
        let blocks = self.header.blocks() as usize;
        let mut batch = vec![Bounds::default(); BATCH.min(blocks)];
        for first in (0..blocks).step_by(BATCH) {
            let batch = &mut batch[..BATCH.min(blocks - first)];
            batch.par_iter_mut().enumerate().try_for_each(|(at, bounds)| self.decode(first + at, &pool, bounds))?;
            batch.iter().for_each(&mut take);
        }
        Ok(())
    }

    /// Goes through all positions, block by block and in parallel: `add` enters a block into what
    /// `start` makes, `join` makes one of two. Blocks come in any order.
    ///
    /// # Errors
    /// [`Error::CorruptTable`] if a block is damaged.
    pub fn fold<T: Send>(
        &self,
        start: impl Fn() -> T + Sync + Send,
        add: impl Fn(T, &Bounds) -> T + Sync + Send,
        join: impl Fn(T, T) -> T + Sync + Send,
    ) -> Result<T> {
        let (workspaces, buffers) = (Pool::new(), Pool::new());
        let one = |sum, block| {
            buffers.with(
                || Ok(Bounds::default()),
                |bounds| {
                    self.decode(block, &workspaces, bounds)?;
                    Ok(add(sum, bounds))
                },
            )
        };
        let blocks = self.header.blocks() as usize;
        (0..blocks).into_par_iter().try_fold(&start, one).try_reduce(&start, |one, other| Ok(join(one, other)))
    }

    /// Reads every byte: each block is proved, and the whole file against its checksum.
    ///
    /// # Errors
    /// [`Error::CorruptTable`] names the first flaw that was found.
    pub fn verify(&self) -> Result<()> {
        self.fold(|| (), |(), _| (), |(), ()| ())?;
        if self.header.holds.is_some() {
            let pool = Pool::new();
            let prove = |out: &mut Vec<u8>, block| self.decode_stamps(block, &pool, out);
            (0..self.header.blocks() as usize).into_par_iter().try_for_each_init(Vec::new, prove)?;
        }
        match self.sum().map_err(Error::io("reading", &self.path))? == self.file_checksum {
            true => Ok(()),
            false => Err(Flaw::new("the checksum of the whole file is wrong").of(&self.path)),
        }
    }

    /// The checksum that the bytes before it have.
    fn sum(&self) -> io::Result<u128> {
        let mut hash = Xxh3Default::new();
        let (mut at, end) = (0, self.bytes - SEAL_LENGTH as u64);
        let mut buffer = Vec::new();
        while at < end {
            let length = (end - at).min(STRIDE as u64) as usize;
            hash.update(self.source.at(at, length, &mut buffer)?);
            at += length as u64;
        }
        Ok(hash.digest128())
    }

    fn decode(&self, block: usize, pool: &Pool<Workspace>, bounds: &mut Bounds) -> Result<()> {
        let decoded =
            pool.with(|| Ok(Workspace::default()), |workspace| self.blocks().bounds(block, workspace, bounds));
        decoded.map_err(|trouble| error(trouble, &self.path))
    }

    fn blocks(&self) -> Blocks<'_> {
        Blocks { header: &self.header, directory: &self.directory, source: &self.source }
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("path", &self.path).field("header", &self.header).finish_non_exhaustive()
    }
}

fn error(trouble: Trouble, path: &Path) -> Error {
    match trouble {
        Trouble::Flaw(flaw) => flaw.of(path),
        Trouble::Io(source) => Error::io("reading", path)(source),
    }
}

fn at_least(bytes: u64, needed: usize) -> std::result::Result<(), Flaw> {
    match bytes {
        0 => Err(Flaw::new("it is empty")),
        _ if bytes < needed as u64 => Err(Flaw::new(format!("it is cut off after {bytes} bytes"))),
        _ => Ok(()),
    }
}

/// Everything that opening proves of a file of `bytes` bytes: header, directory, and what the
/// trailer says is the checksum of the whole.
fn prove(source: &Source, bytes: u64) -> std::result::Result<(Header, Directory, u128), Trouble> {
    at_least(bytes, HEADER_LENGTH)?;
    let mut buffer = Vec::new();
    let raw = read(source, 0, HEADER_LENGTH, &mut buffer)?;
    let header = RawHeader::read_from_bytes(raw).map_err(|_| Flaw::new("its header is cut off"))?.prove()?;
    at_least(bytes, HEADER_LENGTH + TRAILER_LENGTH)?;
    let trailer_at = bytes - TRAILER_LENGTH as u64;
    let raw = read(source, trailer_at, TRAILER_LENGTH, &mut buffer)?;
    let trailer = RawTrailer::read_from_bytes(raw).map_err(|_| Flaw::new("its trailer is cut off"))?;
    let (offset, length) = prove_trailer(&trailer, &header, trailer_at)?;
    let raw = read(source, offset, length, &mut buffer)?;
    if xxh3_64(raw) != trailer.locator.directory_checksum.get() {
        return Err(Flaw::new("its directory has a wrong checksum").into());
    }
    Ok((header, Directory::prove(raw, &header, offset)?, trailer.seal.file_checksum.get()))
}

/// Proves where the directory is: offset and length.
fn prove_trailer(trailer: &RawTrailer, header: &Header, trailer_at: u64) -> std::result::Result<(u64, usize), Flaw> {
    if trailer.seal.end != END {
        return Err(Flaw::new("its end is missing, as if writing it had been interrupted"));
    }
    let (offset, length) = (trailer.locator.directory_offset.get(), trailer.locator.directory_length.get());
    let fits = Directory::length(header) == Some(length) && offset.checked_add(length) == Some(trailer_at);
    match usize::try_from(length) {
        Ok(length) if fits => Ok((offset, length)),
        _ => Err(Flaw::new(format!("its directory, {length} bytes at {offset}, does not fit the rest of the file"))),
    }
}

fn read<'a>(
    source: &'a Source,
    offset: u64,
    length: usize,
    buffer: &'a mut Vec<u8>,
) -> std::result::Result<&'a [u8], Trouble> {
    source.at(offset, length, buffer).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => Flaw::new("it is cut off").into(),
        _ => Trouble::Io(error),
    })
}

/// Fills the rows of a plane with scores that come in pieces.
struct Pour<'a, I> {
    rows: I,
    open: &'a mut [i8],
}

impl<'a> Pour<'a, ()> {
    fn into(plane: &'a mut Plane) -> Pour<'a, impl Iterator<Item = &'a mut [i8]>> {
        Pour { rows: plane.stretches_mut(), open: &mut [] }
    }
}

impl<'a, I: Iterator<Item = &'a mut [i8]>> Pour<'a, I> {
    /// Adds `scores`; what does not fit any more is dropped.
    fn pour(&mut self, mut scores: &[i8]) {
        while !scores.is_empty() {
            if self.open.is_empty() {
                let Some(row) = self.rows.next() else { return };
                self.open = row;
            }
            let count = scores.len().min(self.open.len());
            let (filled, open) = std::mem::take(&mut self.open).split_at_mut(count);
            filled.copy_from_slice(&scores[..count]);
            (self.open, scores) = (open, &scores[count..]);
        }
    }
}
