//! Compressed blocks: the directory that finds them, and what a thread needs to decode them.
//!
//! A block is the unit of everything: it is compressed by itself, has a checksum of its own and
//! is what a probe has to decode. Invariant: no score leaves this module that was not proved,
//! that is, decoded from bytes with the right checksum, into the right number of bytes, within
//! the bounds of the layer.
//!
//! Decoded blocks stay in a [`Cache`], so that probes that go to a handful of places again and again
//! cost a look-up each.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use xxhash_rust::xxh3::xxh3_64;
use zerocopy::{FromBytes, IntoBytes};
use zstd::bulk::Decompressor;
use zstd::zstd_safe::compress_bound;

use super::Flaw;
use super::cache::{Cache, Key};
use super::header::{ENTRY_LENGTH, HEADER_LENGTH, Header, Planes, RawEntry};
use super::source::Source;
use crate::board::Seeds;

/// One of the planes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// Scores.
    Low,
    /// What the upper bound has more.
    Spread,
    /// When the claim against the mover settled.
    Stamps,
}

/// Where a block stands in a file.
#[derive(Clone, Copy, Debug)]
struct Entry {
    offset: u64,
    length: u32,
    checksum: u64,
}

/// Where the blocks are: those of the low plane, then those of the high one, then the stamps.
#[derive(Debug)]
pub(super) struct Directory {
    entries: Vec<Entry>,
    blocks: usize,
    stamps: usize,
}

impl Directory {
    /// Bytes that the directory of a file takes; `None` if nobody could count them.
    pub fn length(header: &Header) -> Option<u64> {
        header.blocks().checked_mul(header.parts() as u64)?.checked_mul(ENTRY_LENGTH as u64)
    }

    /// Proves a directory that stands at `end`: the blocks fill the space from the header to it.
    pub fn prove(bytes: &[u8], header: &Header, end: u64) -> Result<Directory, Flaw> {
        let raw = <[RawEntry]>::ref_from_bytes(bytes).map_err(|_| Flaw::new("its directory has a broken length"))?;
        let blocks = header.blocks() as usize;
        let longest = compress_bound(header.block_positions as usize);
        let mut entries = Vec::with_capacity(raw.len());
        let mut offset = HEADER_LENGTH as u64;
        for (block, raw) in raw.iter().enumerate() {
            let (length, checksum) = (raw.length.get(), raw.checksum.get());
            let absent = length == 0 && (block < blocks || checksum != 0);
            if absent || length as usize > longest {
                return Err(Flaw::new(format!("its directory gives block {block} a length of {length} bytes")));
            }
            entries.push(Entry { offset, length, checksum });
            offset = offset.checked_add(length.into()).ok_or_else(|| Flaw::new("its blocks have no end"))?;
        }
        if offset != end {
            return Err(Flaw::new(format!("its blocks end at byte {offset}, its directory begins at {end}")));
        }
        Ok(Directory { entries, blocks, stamps: blocks * header.planes.count() })
    }

    fn entry(&self, part: Part, block: usize) -> Entry {
        match part {
            Part::Low => self.entries[block],
            Part::Spread => self.entries[self.blocks + block],
            Part::Stamps => self.entries[self.stamps + block],
        }
    }
}

/// The tools of one decoding thread.
#[derive(Default)]
pub(super) struct Workspace {
    decompressor: Option<Decompressor<'static>>,
    packed: Vec<u8>,
}

impl Workspace {
    fn decompress(
        decompressor: &mut Option<Decompressor<'static>>,
        packed: &[u8],
        out: &mut [u8],
    ) -> io::Result<usize> {
        let decompressor = match decompressor {
            Some(ready) => ready,
            none => none.insert(Decompressor::new()?),
        };
        decompressor.decompress_to_buffer(packed, out)
    }
}

/// What decodes the blocks of a file.
pub(super) struct Blocks<'a> {
    pub header: &'a Header,
    pub directory: &'a Directory,
    pub source: &'a Source,
}

/// Why a block could not be had.
pub(super) enum Trouble {
    /// It is not what it should be.
    Flaw(Flaw),
    /// It could not be read.
    Io(io::Error),
}

impl From<Flaw> for Trouble {
    fn from(flaw: Flaw) -> Trouble {
        Trouble::Flaw(flaw)
    }
}

impl Blocks<'_> {
    /// Decodes block `block` of a plane into `out`, as bytes.
    pub fn unpack(
        &self,
        part: Part,
        block: usize,
        workspace: &mut Workspace,
        out: &mut Vec<u8>,
    ) -> Result<(), Trouble> {
        out.resize(self.header.block_length(block as u64), 0);
        self.unpack_into(part, block, workspace, out)
    }

    fn unpack_into(&self, part: Part, block: usize, workspace: &mut Workspace, out: &mut [u8]) -> Result<(), Trouble> {
        let entry = self.directory.entry(part, block);
        if entry.length == 0 {
            out.fill(0);
            return Ok(());
        }
        let bad = |what: &str| Trouble::Flaw(Flaw::new(format!("block {block} of the {} plane {what}", part.name())));
        let packed = self.source.at(entry.offset, entry.length as usize, &mut workspace.packed);
        let packed = packed.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => bad("is cut off"),
            _ => Trouble::Io(error),
        })?;
        if xxh3_64(packed) != entry.checksum {
            return Err(bad("has a wrong checksum"));
        }
        let length = Workspace::decompress(&mut workspace.decompressor, packed, out);
        if length.map_err(|_| bad("does not decompress"))? != out.len() {
            return Err(bad("has too few positions"));
        }
        match part.fits(self.header.layer.seeds(), out) {
            true => Ok(()),
            false => Err(bad("holds a score that the layer cannot have")),
        }
    }

    /// Decodes both bounds of the positions of block `block`.
    pub fn bounds(&self, block: usize, workspace: &mut Workspace, bounds: &mut Bounds) -> Result<(), Trouble> {
        let length = self.header.block_length(block as u64);
        bounds.low.resize(length, 0);
        self.unpack_into(Part::Low, block, workspace, bounds.low.as_mut_bytes())?;
        match self.header.planes {
            Planes::Low => bounds.high.clear(),
            Planes::LowAndHigh => {
                bounds.high.resize(length, 0);
                self.unpack_into(Part::Spread, block, workspace, bounds.high.as_mut_bytes())?;
                self.raise(block, bounds)?;
            }
        }
        Ok(())
    }

    /// Turns differences into upper bounds.
    fn raise(&self, block: usize, bounds: &mut Bounds) -> Result<(), Trouble> {
        let mut highest = 0;
        for (high, &low) in bounds.high.iter_mut().zip(&bounds.low) {
            // At most 96 and 48 by now, which saturates where it is wrong anyway.
            *high = high.saturating_add(low);
            highest = highest.max(*high);
        }
        if highest as usize > self.header.layer.seeds().get() {
            return Err(Trouble::Flaw(Flaw::new(format!("block {block} holds a bound that the layer cannot have"))));
        }
        Ok(())
    }

    /// The byte of one position in a plane; its block is kept in the cache of `scratch`.
    pub fn byte(&self, table: u64, part: Part, rank: u64, scratch: &mut Scratch) -> Result<u8, Trouble> {
        let (key, within) = self.place(table, part, rank);
        match self.directory.entry(part, key.block).length {
            0 => Ok(0),
            _ => scratch.byte(key, within, |workspace, out| self.unpack(part, key.block, workspace, out)),
        }
    }

    /// The same, if the block is in the cache.
    pub fn cached_byte(&self, table: u64, part: Part, rank: u64, cache: &Cache) -> Option<u8> {
        let (key, within) = self.place(table, part, rank);
        match self.directory.entry(part, key.block).length {
            0 => Some(0),
            _ => cache.byte(key, within),
        }
    }

    /// The block that a position is in, and its place there.
    fn place(&self, table: u64, part: Part, rank: u64) -> (Key, usize) {
        let size = u64::from(self.header.block_positions);
        (Key { table, part, block: (rank / size) as usize }, (rank % size) as usize)
    }
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::Low => "low",
            Part::Spread => "high",
            Part::Stamps => "stamp",
        }
    }

    /// Whether all bytes can stand in a layer of `seeds` seeds. (No early exit: the loop becomes
    /// vector instructions that way.)
    fn fits(self, seeds: Seeds, bytes: &[u8]) -> bool {
        let largest = match self {
            Part::Low => bytes.iter().fold(0, |largest, &byte| largest.max((byte as i8).unsigned_abs())),
            Part::Spread => bytes.iter().fold(0, |largest, &byte| largest.max(byte)).div_ceil(2),
            Part::Stamps => return true,
        };
        largest as usize <= seeds.get()
    }
}

/// Both bounds of consecutive positions.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    pub(super) low: Vec<i8>,
    /// Empty where it equals `low`.
    pub(super) high: Vec<i8>,
}

impl Bounds {
    /// Lower bounds, by rank.
    pub fn low(&self) -> &[i8] {
        &self.low
    }

    /// Upper bounds, by rank.
    pub fn high(&self) -> &[i8] {
        if self.high.is_empty() { &self.low } else { &self.high }
    }
}

/// What probing needs besides a table, to be kept from probe to probe by one thread: tools to
/// decode blocks with, and the [`Cache`] to keep them in. It serves any number of tables.
#[derive(Default)]
pub struct Scratch {
    workspace: Workspace,
    decoded: Vec<u8>,
    cache: Arc<Cache>,
}

impl Scratch {
    /// One with a small cache of its own.
    pub fn new() -> Scratch {
        Scratch::default()
    }

    /// One that shares a cache with others.
    pub fn sharing(cache: Arc<Cache>) -> Scratch {
        Scratch { cache, ..Scratch::default() }
    }

    /// The cache.
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// Byte `within` of the block `key`, by way of `decode` if it is not at hand.
    fn byte<E>(
        &mut self,
        key: Key,
        within: usize,
        decode: impl FnOnce(&mut Workspace, &mut Vec<u8>) -> Result<(), E>,
    ) -> Result<u8, E> {
        if let Some(byte) = self.cache.byte(key, within) {
            return Ok(byte);
        }
        decode(&mut self.workspace, &mut self.decoded)?;
        let byte = self.decoded[within];
        self.cache.put(key, &mut self.decoded);
        Ok(byte)
    }
}

/// Tools that are dear to make, handed from task to task: as many as run at once.
pub(super) struct Pool<T>(Mutex<Vec<T>>);

impl<T> Pool<T> {
    pub fn new() -> Pool<T> {
        Pool(Mutex::new(Vec::new()))
    }

    /// Does `work` with a tool that lies about, or with one from `make`.
    pub fn with<R, E>(
        &self,
        make: impl FnOnce() -> Result<T, E>,
        work: impl FnOnce(&mut T) -> Result<R, E>,
    ) -> Result<R, E> {
        let idle = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut tool = match idle {
            Some(tool) => tool,
            None => make()?,
        };
        let result = work(&mut tool);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(tool);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_that_failed_is_not_kept() {
        let (mut scratch, key) = (Scratch::new(), Key { table: 7, part: Part::Low, block: 0 });
        let failed = scratch.byte(key, 0, |_, out| {
            out.push(1);
            Err(())
        });
        assert_eq!(failed, Err(()));
        let again = scratch.byte(key, 0, |_, out| {
            *out = vec![2];
            Ok::<_, ()>(())
        });
        assert_eq!(again, Ok(2));
    }

    #[test]
    fn scores_beyond_the_layer_do_not_fit() {
        let seeds = Seeds::new(5).unwrap();
        assert!(Part::Low.fits(seeds, &[0, 5, -5i8 as u8]));
        assert!(!Part::Low.fits(seeds, &[6]));
        assert!(!Part::Low.fits(seeds, &[-6i8 as u8]));
        assert!(!Part::Low.fits(Seeds::MAX, &[-128i8 as u8]));
        assert!(Part::Spread.fits(seeds, &[0, 10]));
        assert!(!Part::Spread.fits(Seeds::MAX, &[98]));
        assert!(!Part::Spread.fits(Seeds::MAX, &[255]));
    }
}
