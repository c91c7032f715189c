//! Reading tiles of a file: fetch the bytes of their frame, prove them, decompress and decode them,
//! keep them.
//!
//! A frame is compressed by itself and has a checksum of its own; of its tiles a probe decodes one.
//! Invariant: nothing leaves this module that was not proved, that is, decoded from bytes with the
//! right checksum which are a frame to the last byte, and within the bounds of the layer.
//!
//! Decoded tiles stay in a [`Cache`], so that probes that go to a handful of places again and again
//! cost a look-up each, and the frame that was decompressed last stays for those beside them.

use std::array;
use std::io;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::cache::{Cache, Key, Recent};
use super::code::Code;
use super::directory::Directory;
use super::frame::{Decompressor, ESCAPED_NUMBER, Frame, ROOM, TILE, Unpacked, most_bytes};
use super::ground::{Crossings, Ground};
use super::header::Header;
use super::model::{CLASSES, Class, Model};
use super::source::Source;
use super::streams::STREAMS;
use super::tiles::{Tile, Tiling, Twin};
use super::value::{Planes, Range, Value};
use super::walk::{Cells, Choose, LANES, walk};
use super::{Flaw, Part};

/// A model, and what its ranks stand for.
#[derive(Debug)]
pub(super) struct Decoder {
    code: Code,
    range: Range,
    letters: usize,
    /// By class: the stream of its ranks, and where their meanings begin.
    classes: Box<[(u16, u16); CLASSES]>,
    /// By class and rank.
    meanings: Vec<[u8; 2]>,
}

impl Decoder {
    pub fn new(model: &Model, range: Range) -> Decoder {
        let code = Code::new(model, range);
        let mut classes = Box::new([(0, 0); CLASSES]);
        for (at, (known, class)) in (0..).zip(classes.iter_mut().zip(&model.classes)) {
            *known = (class.stream.into(), at * model.signs() as u16);
        }
        let meanings = meanings(model, &code);
        Decoder { code, range, letters: model.values.len(), classes, meanings }
    }
}

/// By class and rank: the numbers that it stands for.
fn meanings(model: &Model, code: &Code) -> Vec<[u8; 2]> {
    let of_class = |class: &Class| {
        let mut meanings = vec![[0; 2]; model.signs()];
        for (meaning, &letter) in meanings.iter_mut().zip(&class.letters) {
            *meaning = code.numbers(model.values[usize::from(letter)]);
        }
        meanings
    };
    model.classes.iter().flat_map(of_class).collect()
}

/// Reads the numbers of a tile in order.
struct Reading<'a> {
    decoder: &'a Decoder,
    unpacked: &'a Unpacked,
    /// By stream: the place of the next number, in all of them.
    next: [u32; ROOM],
    next_escape: usize,
    /// Whether all were such as can be.
    is_right: bool,
}

impl Choose for Reading<'_> {
    #[inline(always)]
    fn choose(&mut self, code: &Code, context: usize) -> [u8; 2] {
        let (stream, meanings) = self.decoder.classes[code.class(context)];
        let next = &mut self.next[usize::from(stream) % ROOM];
        // There are no more positions than numbers have room.
        let number = self.unpacked.numbers.as_flattened()[*next as usize % (ROOM * TILE)];
        *next += 1;
        if usize::from(number) >= self.decoder.letters {
            return self.escape(meanings, number);
        }
        self.decoder.meanings[usize::from(meanings) + usize::from(number)]
    }
}

impl Reading<'_> {
    /// What has no room in its stream, or no letter.
    #[inline(never)]
    fn escape(&mut self, meanings: u16, number: u8) -> [u8; 2] {
        let rank = match number.checked_sub(ESCAPED_NUMBER) {
            Some(largest) => usize::from(largest) + usize::from(self.escaped()),
            None => usize::from(number),
        };
        if rank >= self.decoder.letters {
            return self.without_letter(rank);
        }
        self.decoder.meanings[usize::from(meanings) + rank]
    }

    /// A value of its own, which has the rank behind all letters.
    #[inline(never)]
    fn without_letter(&mut self, rank: usize) -> [u8; 2] {
        let value = Value::from_word(u16::from_le_bytes([self.escaped(), self.escaped()]));
        if rank > self.decoder.letters || !self.decoder.range.contains(value) {
            self.is_right = false;
            return [0; 2];
        }
        self.decoder.code.numbers(value)
    }

    fn escaped(&mut self) -> u8 {
        let byte = self.unpacked.escapes.get(self.next_escape).copied();
        self.next_escape += 1;
        self.is_right &= byte.is_some();
        byte.unwrap_or(0)
    }

    /// Whether they were such as can be, and all were read.
    fn is_complete(&self) -> bool {
        self.is_right
            && (0..STREAMS).all(|stream| {
                self.next[stream] as usize == stream * TILE + self.unpacked.counts[stream]
            })
            && self.next_escape == self.unpacked.escapes.len()
    }
}

/// The tools of one decoding thread.
#[derive(Default)]
pub(super) struct Workspace {
    packed: Vec<u8>,
    decompressor: Decompressor,
    /// Which frame of which open table was decompressed last.
    last: Option<(u64, Part, usize)>,
    positions: Vec<usize>,
    unpacked: [Unpacked; LANES],
    /// Not on the stack of every task that has tools.
    cells: Box<[Cells; LANES]>,
}

/// The facts of an open file that decoding its tiles takes.
pub(super) struct TileReader<'a> {
    pub id: u64,
    pub header: &'a Header,
    pub tiling: &'a Tiling,
    pub crossings: &'a Crossings,
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
    /// Decodes a tile into `out`, as [`TileReader::unpack_frame`] does.
    pub fn unpack(
        &self,
        part: Part,
        number: usize,
        workspace: &mut Workspace,
        out: &mut Vec<u8>,
    ) -> Result<(), TileError> {
        let frame = self.tiling.frame_of(number);
        self.decompress(part, frame, workspace)?;
        let Workspace { decompressor, positions, unpacked, cells, .. } = workspace;
        let within = number - self.tiling.tiles_of(frame).start;
        out.clear();
        let ([unpacked, ..], [cells, ..]) = (unpacked, &mut **cells);
        let decoded = Frame::new(decompressor.last(), positions)
            .and_then(|frame| frame.unpack(within, positions, unpacked))
            .is_some_and(|()| self.decode(part, number, [unpacked], array::from_mut(cells), out));
        if decoded { Ok(()) } else { Err(bad(part, frame, "does not decode")) }
    }

    /// Decodes all tiles of a frame into `out`, one after the other. In each there are the lower
    /// bounds or stamps of all cells, row by row, first those of the larger side, then those of the
    /// smaller one; then, in a file with both bounds, by how much each upper bound is higher. Cells
    /// that hold no position are 0.
    pub fn unpack_frame(
        &self,
        part: Part,
        frame: usize,
        workspace: &mut Workspace,
        out: &mut Vec<u8>,
    ) -> Result<(), TileError> {
        self.decompress(part, frame, workspace)?;
        let Workspace { decompressor, positions, unpacked, cells, .. } = workspace;
        let first = self.tiling.tiles_of(frame).start;
        out.clear();
        let take =
            |tile: usize, unpacked: &[Unpacked]| match <&[Unpacked; LANES]>::try_from(unpacked) {
                Ok(unpacked) => self.decode(part, first + tile, unpacked.each_ref(), cells, out),
                Err(_) => (tile..).zip(unpacked).all(|(tile, unpacked)| {
                    let cells = array::from_mut(&mut cells[0]);
                    self.decode(part, first + tile, [unpacked], cells, out)
                }),
            };
        let decoded = Frame::new(decompressor.last(), positions)
            .and_then(|frame| frame.each(positions, unpacked, take));
        decoded.ok_or_else(|| bad(part, frame, "does not decode"))
    }

    /// Fetches, proves and decompresses a frame, unless it is the last one that was.
    fn decompress(
        &self,
        part: Part,
        frame: usize,
        workspace: &mut Workspace,
    ) -> Result<(), TileError> {
        let key = (self.id, part, frame);
        if workspace.last == Some(key) {
            return Ok(());
        }
        let entry = self.directory.entry(part, frame);
        let Workspace { packed, decompressor, positions, last, .. } = workspace;
        *last = None;
        let length = usize::try_from(entry.length).map_err(|_| bad(part, frame, "is too long"))?;
        let packed =
            self.source.at(entry.offset, length, packed).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => bad(part, frame, "is cut off"),
                _ => TileError::Io(error),
            })?;
        if xxh3_64(packed) as u32 != entry.checksum {
            return Err(bad(part, frame, "has a wrong checksum"));
        }
        positions.clear();
        let tiles = self.tiling.tiles_of(frame);
        positions.extend(tiles.map(|tile| self.tiling.positions(&self.tiling.tile(tile))));
        let most = most_bytes(positions.len(), positions.iter().sum());
        if decompressor.decompress(packed, most, false).is_none() {
            return Err(bad(part, frame, "does not decompress"));
        }
        *last = Some(key);
        Ok(())
    }

    /// Decodes tiles that follow each other and appends them to `out`. Returns whether the numbers
    /// are those of these tiles.
    fn decode<const LANES: usize>(
        &self,
        part: Part,
        first: usize,
        unpacked: [&Unpacked; LANES],
        cells: &mut [Cells; LANES],
        out: &mut Vec<u8>,
    ) -> bool {
        let decoder = &self.decoders[part as usize];
        let grounds = array::from_fn(|lane| {
            let wants_bounds = part == Part::Bounds && unpacked[lane].is_bounded;
            Ground::of(self.crossings, self.tiling, self.tiling.tile(first + lane), wants_bounds)
        });
        let mut readings = unpacked.map(|unpacked| Reading {
            decoder,
            unpacked,
            next: array::from_fn(|stream| (stream * TILE) as u32),
            next_escape: 0,
            is_right: true,
        });
        walk(&decoder.code, &grounds, cells, &mut readings);
        if !readings.iter().all(Reading::is_complete) {
            return false;
        }
        for (ground, cells) in grounds.iter().zip(cells) {
            self.append(part, ground.tile(), cells, out);
        }
        true
    }

    /// Appends a decoded tile to `out`.
    fn append(&self, part: Part, tile: &Tile, cells: &Cells, out: &mut Vec<u8>) {
        let decoder = &self.decoders[part as usize];
        for plane in 0..self.planes(part) {
            for (twin, row) in [Twin::Larger, Twin::Smaller]
                .into_iter()
                .flat_map(|twin| (0..tile.height).map(move |row| (twin, row)))
            {
                let low = cells.row(twin, 0, row)[..tile.width].iter();
                match plane {
                    0 => out.extend(low.map(|&low| decoder.code.base(low))),
                    _ => {
                        let high = cells.row(twin, 1, row)[..tile.width].iter();
                        out.extend(low.zip(high).map(|(low, high)| high - low));
                    }
                }
            }
        }
    }

    /// Returns how many bytes a decoded tile has for each position.
    pub fn planes(&self, part: Part) -> usize {
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

fn bad(part: Part, frame: usize, what: &str) -> TileError {
    TileError::Flaw(Flaw::new(format!("frame {frame} of the {} {what}", part.name())))
}

/// Bytes of a decoded tile, cell by cell: see [`TileReader::unpack_frame`].
pub(super) fn bytes_of_tile(tile: &Tile, planes: usize) -> usize {
    2 * planes * tile.cells()
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
