//! Reading one tile of a file: fetch its bytes, prove them, decode them, keep them.
//!
//! A tile is coded by itself, has a checksum of its own and is what a probe has to decode.
//! Invariant: nothing leaves this module that was not proved, that is, decoded from bytes with the
//! right checksum which are a tile to the last bit, and within the bounds of the layer.
//!
//! Decoded tiles stay in a [`Cache`], so that probes that go to a handful of places again and again
//! cost a look-up each.

use std::io;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::cache::{Cache, Key, Recent};
use super::coder::{Letters, decode};
use super::directory::Directory;
use super::header::Header;
use super::model::Model;
use super::source::Source;
use super::tiles::{Tile, Tiling};
use super::value::{Planes, Value};
use super::{Flaw, Part};

/// A model, and what its letters stand for.
#[derive(Debug)]
pub(super) struct Decoder {
    model: Model,
    /// By sign: lower bounds or stamps, and by how much upper bounds are higher.
    bases: Vec<u8>,
    spreads: Vec<u8>,
}

impl Decoder {
    pub fn new(model: Model) -> Decoder {
        let [mut bases, mut spreads] = [vec![0; model.signs()], vec![0; model.signs()]];
        for (letter, value) in model.values.iter().enumerate() {
            (bases[letter], spreads[letter]) = (value.base as u8, value.spread);
        }
        Decoder { model, bases, spreads }
    }
}

/// The tools of one decoding thread.
#[derive(Default)]
pub(super) struct Workspace {
    packed: Vec<u8>,
    letters: Letters,
    rare: Vec<(usize, Value)>,
}

/// The facts of an open file that decoding one of its tiles takes.
pub(super) struct TileReader<'a> {
    pub header: &'a Header,
    pub tiling: &'a Tiling,
    pub decoders: &'a [Decoder],
    pub directory: &'a Directory,
    pub source: &'a Source,
}

/// Why a tile could not be had.
#[derive(Debug)]
pub(super) enum TileError {
    /// It is not what it should be.
    Flaw(Flaw),
    /// It could not be read.
    Io(io::Error),
}

impl From<Flaw> for TileError {
    fn from(flaw: Flaw) -> TileError {
        TileError::Flaw(flaw)
    }
}

impl TileReader<'_> {
    /// Decodes a tile into `out`, row by row: the lower bounds or stamps of all positions, then, in
    /// a file with both bounds, by how much each upper bound is higher.
    pub fn unpack(
        &self,
        part: Part,
        number: usize,
        workspace: &mut Workspace,
        out: &mut Vec<u8>,
    ) -> Result<(), TileError> {
        let (tile, entry) = (self.tiling.tile(number), self.directory.entry(part, number));
        let planes = self.planes(part);
        out.clear();
        out.resize(planes * tile.positions(), 0);
        if entry.length == 0 && entry.checksum == 0 {
            return Ok(());
        }
        let bad = |what: &str| {
            TileError::Flaw(Flaw::new(format!("tile {number} of the {} {what}", part.name())))
        };
        let Workspace { packed, letters, rare } = workspace;
        let packed = self.source.at(entry.offset, entry.length.into(), packed).map_err(
            |error| match error.kind() {
                io::ErrorKind::UnexpectedEof => bad("is cut off"),
                _ => TileError::Io(error),
            },
        )?;
        if xxh3_64(packed) as u32 != entry.checksum {
            return Err(bad("has a wrong checksum"));
        }
        let decoder = &self.decoders[part as usize];
        if !decode(&decoder.model, tile, packed, letters, rare) {
            return Err(bad("does not decode"));
        }
        if !rare.iter().all(|&(_, value)| self.header.range(part).contains(value)) {
            return Err(bad("holds a value that the layer cannot have"));
        }
        let (bases, spreads) = out.split_at_mut(tile.positions());
        spell(letters, tile, &decoder.bases, bases);
        rare.iter().for_each(|&(within, value)| bases[within] = value.base as u8);
        if planes == 2 {
            spell(letters, tile, &decoder.spreads, spreads);
            rare.iter().for_each(|&(within, value)| spreads[within] = value.spread);
        }
        Ok(())
    }

    /// Returns how many bytes a decoded tile has for each position.
    fn planes(&self, part: Part) -> usize {
        match (part, self.header.planes) {
            (Part::Bounds, Planes::LowAndHigh) => 2,
            (Part::Bounds, Planes::Low) | (Part::Stamps, _) => 1,
        }
    }

    /// Returns the value of one position of a tile; the tile is kept in the cache of `scratch`.
    pub fn value(
        &self,
        key: Key,
        within: usize,
        scratch: &mut Scratch,
    ) -> Result<Value, TileError> {
        if let Some(value) = self.cached_value(key, within, scratch) {
            return Ok(value);
        }
        let Scratch { workspace, decoded, cache, .. } = scratch;
        self.unpack(key.part, key.tile, workspace, decoded)?;
        cache.put(key, decoded);
        Ok(self.pick(key.part, decoded, within))
    }

    /// Returns the value of one position of a tile, if the tile is in the cache.
    pub fn cached_value(&self, key: Key, within: usize, scratch: &mut Scratch) -> Option<Value> {
        let bytes = scratch.recent.get(key, &scratch.cache)?;
        Some(self.pick(key.part, bytes, within))
    }

    /// Returns the value of a position of a decoded tile.
    fn pick(&self, part: Part, bytes: &[u8], within: usize) -> Value {
        let spread = match self.planes(part) {
            2 => bytes[bytes.len() / 2 + within],
            _ => 0,
        };
        Value { base: bytes[within] as i8, spread }
    }
}

/// Writes what letters stand for.
fn spell(letters: &Letters, tile: Tile, meanings: &[u8], out: &mut [u8]) {
    for (row, out) in out.chunks_exact_mut(tile.width).enumerate() {
        let letters = letters.row(row).iter();
        letters.zip(out).for_each(|(&letter, out)| *out = meanings[usize::from(letter)]);
    }
}

/// What probing needs besides a table, to be kept from probe to probe by one thread: tools to
/// decode tiles with, and the [`Cache`] to keep them in. It serves any number of tables.
#[derive(Default)]
pub struct Scratch {
    workspace: Workspace,
    decoded: Vec<u8>,
    cache: Arc<Cache>,
    recent: Recent,
}

impl Scratch {
    /// Makes tools with a small cache of their own.
    pub fn new() -> Scratch {
        Scratch::default()
    }

    /// Makes tools that share a cache with others.
    pub fn sharing(cache: Arc<Cache>) -> Scratch {
        Scratch { cache, ..Scratch::default() }
    }
}
