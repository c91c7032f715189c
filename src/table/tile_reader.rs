//! Reading tiles of a file: fetch the bytes of their frame, prove them, decompress and decode them,
//! keep them.
//!
//! A frame is compressed by itself and has a checksum of its own; of its tiles a probe decodes one.
//! Invariant: nothing leaves this module that was not proved, that is, decoded from bytes with the
//! right checksum which are a frame to the last byte, and within the bounds of the layer.
//!
//! Decoded tiles stay in a [`Cache`], so that probes that go to a handful of places again and again
//! cost a look-up each, and the frame that was decompressed last stays for their neighbours.

use std::array;
use std::ops::Range;
use std::sync::Arc;

use super::Flaw;
use super::cache::{Cache, Key, Recent};
use super::decoder::Reading;
use super::directory::bad;
use super::frame::{Decompressor, Frame, Unpacked, most_bytes};
use super::ground::Ground;
use super::reader::Table;
use super::tiles::{Tile, Twin};
use super::walk::{Cells, LANES, walk};
use crate::error::{Error, Result};
use crate::game::{Interval, Score};
use crate::layer::Cell;
use crate::parallel;
use crate::pool::Pool;

/// The tools of one decoding thread.
#[derive(Default)]
pub(super) struct Workspace {
    packed: Vec<u8>,
    decompressor: Decompressor,
    /// Which frame of which open table was decompressed last.
    last: Option<(u64, usize)>,
    positions: Vec<usize>,
    unpacked: [Unpacked; LANES],
    /// Not on the stack of every task that has tools.
    cells: Box<[Cells; LANES]>,
}

impl Table {
    /// Returns the stored bounds of a position. Its own are the larger ones of these and those that
    /// captures bring: where a capture attains a bound, the stored one may be any that is not
    /// larger. The tile it is in is proved and decoded, unless `scratch` has it.
    ///
    /// # Errors
    /// [`Error::CorruptTable`] if the tile is damaged, [`Error::Usage`] if the layer has no
    /// such place.
    pub fn stored(&self, cell: Cell, scratch: &mut Scratch) -> Result<Interval> {
        let (key, within) = self.find(cell)?;
        if let Some(bytes) = scratch.recent.get(key, &scratch.cache) {
            return Ok(self.pick(bytes, within));
        }
        self.read(key, within, scratch).map_err(|flaw| flaw.of(self.path()))
    }

    /// Returns the stored bounds of a position if its tile is in the cache of `scratch`; `None`
    /// otherwise. It neither reads the file nor decodes.
    ///
    /// # Errors
    /// [`Error::Usage`] if the layer has no such place.
    pub fn cached_stored(&self, cell: Cell, scratch: &mut Scratch) -> Result<Option<Interval>> {
        let (key, within) = self.find(cell)?;
        let bytes = scratch.recent.get(key, &scratch.cache);
        Ok(bytes.map(|bytes| self.pick(bytes, within)))
    }

    /// Reads every byte: each frame is proved, and the whole file against its checksum.
    ///
    /// # Errors
    /// [`Error::CorruptTable`] names the first flaw that was found.
    pub fn check(&self) -> Result<()> {
        self.settlement()?;
        self.exceptions()?;
        let pool = Pool::new(Workspace::default);
        let prove = |frame| self.unpack_frame(frame, &pool, &mut Vec::new());
        parallel::try_each_of(0..self.tiling.frames, prove)?;
        self.directory.check_file(&self.source).map_err(|flaw| flaw.of(self.path()))
    }

    /// Decodes all tiles of a frame, as [`Table::unpack`] does.
    pub(super) fn unpack_frame(
        &self,
        frame: usize,
        pool: &Pool<'_, Workspace>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let tiles = self.tiling.tiles_of(frame);
        let unpacked = pool.with(|workspace| self.unpack(tiles, workspace, out));
        unpacked.map_err(|flaw| flaw.of(self.path()))
    }

    /// Finds the tile that a position is in, and where it is there.
    fn find(&self, cell: Cell) -> Result<(Key, usize)> {
        let Cell { own, row, column } = cell;
        let shape = (own <= self.seeds().get()).then(|| self.layer().block_shape(own));
        if shape.is_none_or(|(rows, columns)| row >= rows || column >= columns) {
            let seeds = self.seeds();
            return Err(Error::Usage(format!("the layer of {seeds} seeds has no {cell:?}")));
        }
        let (tile, within) = self.tiling.find(cell);
        Ok((Key { table: self.id, tile }, within))
    }

    /// Decodes tiles of a frame into `out`, one after the other. In each there are the lower
    /// bounds of all cells, row by row, first those of the larger side, then those of the
    /// smaller one; then, in a file with both bounds, the upper ones. What a cell has that holds no
    /// position is of no account.
    fn unpack(
        &self,
        tiles: Range<usize>,
        workspace: &mut Workspace,
        out: &mut Vec<u8>,
    ) -> Result<(), Flaw> {
        let frame = self.tiling.frame_of(tiles.start);
        self.decompress(frame, workspace)?;
        let Workspace { decompressor, positions, unpacked, cells, .. } = workspace;
        let first = self.tiling.tiles_of(frame).start;
        out.clear();
        let take = |tile: usize, unpacked: &[Unpacked]| {
            self.decode_some(first + tile, unpacked, cells, out)
        };
        let within = tiles.start - first..tiles.end - first;
        let decoded = Frame::new(decompressor.last(), positions)
            .and_then(|frame| frame.each(within, positions, unpacked, take));
        decoded.ok_or_else(|| bad(frame, "does not decode"))
    }

    /// Fetches, proves and decompresses a frame, unless it is the last one that was.
    fn decompress(&self, frame: usize, workspace: &mut Workspace) -> Result<(), Flaw> {
        let key = (self.id, frame);
        if workspace.last == Some(key) {
            return Ok(());
        }
        let Workspace { packed, decompressor, positions, last, .. } = workspace;
        *last = None;
        let packed = self.directory.frame(&self.source, frame, packed)?;
        positions.clear();
        let tiles = self.tiling.tiles_of(frame);
        positions.extend(tiles.map(|tile| self.tiling.positions(&self.tiling.tile(tile))));
        let most = most_bytes(positions.len(), positions.iter().sum());
        if decompressor.decompress(packed, most, false).is_none() {
            return Err(bad(frame, "does not decompress"));
        }
        *last = Some(key);
        Ok(())
    }

    /// Decodes tiles that follow each other, as many side by side as there are lanes or each by
    /// itself, as [`Table::decode`] does.
    fn decode_some(
        &self,
        first: usize,
        unpacked: &[Unpacked],
        cells: &mut [Cells; LANES],
        out: &mut Vec<u8>,
    ) -> bool {
        match <&[Unpacked; LANES]>::try_from(unpacked) {
            Ok(unpacked) => self.decode(first, unpacked.each_ref(), cells, out),
            Err(_) => (first..).zip(unpacked).all(|(tile, unpacked)| {
                self.decode(tile, [unpacked], array::from_mut(&mut cells[0]), out)
            }),
        }
    }

    /// Decodes tiles that follow each other and appends them to `out`. Returns whether the numbers
    /// are those of these tiles.
    fn decode<const LANES: usize>(
        &self,
        first: usize,
        unpacked: [&Unpacked; LANES],
        cells: &mut [Cells; LANES],
        out: &mut Vec<u8>,
    ) -> bool {
        let grounds = array::from_fn(|lane| {
            let (tile, wants_bounds) = (self.tiling.tile(first + lane), unpacked[lane].is_bounded);
            Ground::of(&self.crossings, &self.tiling, tile, wants_bounds)
        });
        let mut readings = unpacked.map(|unpacked| Reading::new(&self.decoder, unpacked));
        walk(&self.decoder.code, &grounds, cells, &mut readings);
        if !readings.iter().all(Reading::is_complete) {
            return false;
        }
        for (ground, cells) in grounds.iter().zip(cells) {
            self.append(&ground.tile, cells, out);
        }
        true
    }

    /// Appends a decoded tile to `out`.
    fn append(&self, tile: &Tile, cells: &Cells, out: &mut Vec<u8>) {
        let code = &self.decoder.code;
        for bound in 0..self.planes() {
            let rows = |twin| (0..tile.height).map(move |row| (twin, row));
            for (twin, row) in Twin::BOTH.into_iter().flat_map(rows) {
                let numbers = &cells.row(twin, bound, row)[..tile.width];
                out.extend(numbers.iter().map(|&number| code.bound(number)));
            }
        }
    }

    /// Returns how many bytes a decoded tile has for each position.
    fn planes(&self) -> usize {
        self.header.planes.count()
    }

    /// Reads the tile with a position, and keeps it in the cache of `scratch`.
    fn read(&self, key: Key, within: usize, scratch: &mut Scratch) -> Result<Interval, Flaw> {
        let Scratch { workspace, decoded, cache, takes_neighbours, .. } = scratch;
        let tiles = match takes_neighbours {
            true => self.beside(key.tile),
            false => key.tile..key.tile + 1,
        };
        self.unpack(tiles.clone(), workspace, decoded)?;
        let (mut rest, mut found) = (&decoded[..], &decoded[..]);
        for tile in tiles {
            let length = bytes_of_tile(&self.tiling.tile(tile), self.planes());
            let bytes = rest.split_off(..length).expect("all tiles");
            cache.put(Key { tile, ..key }, bytes);
            if tile == key.tile {
                found = bytes;
            }
        }
        Ok(self.pick(found, within))
    }

    /// Returns the tiles that are decoded with one where its neighbours are taken, too.
    fn beside(&self, tile: usize) -> Range<usize> {
        let frame = self.tiling.tiles_of(self.tiling.frame_of(tile));
        let first = tile - (tile - frame.start) % LANES;
        first..frame.end.min(first + LANES)
    }

    /// Returns the bounds of a position of a decoded tile.
    fn pick(&self, bytes: &[u8], within: usize) -> Interval {
        // Where there is one plane it says both.
        let upper = bytes.len() / 2 * (self.planes() - 1);
        let [low, high] = [0, upper].map(|plane| Score::new(bytes[plane + within] as i8));
        self.layer().range().known(Interval { low, high })
    }
}

/// Bytes of a decoded tile, cell by cell: see [`Table::unpack`].
pub(super) fn bytes_of_tile(tile: &Tile, planes: usize) -> usize {
    2 * planes * tile.cells()
}

/// What probing needs besides a table, to be kept from probe to probe by one thread: tools to
/// decode tiles with, and the `Cache` to keep them in. It serves any number of tables.
#[derive(Default)]
pub struct Scratch {
    workspace: Workspace,
    decoded: Vec<u8>,
    cache: Arc<Cache>,
    recent: Recent,
    takes_neighbours: bool,
}

impl Scratch {
    /// Makes tools that share a cache with others.
    pub fn sharing(cache: Arc<Cache>) -> Scratch {
        Scratch { cache, ..Scratch::default() }
    }

    /// Makes these tools take the neighbours of a tile, too: as many tiles as are decoded side by
    /// side. That takes half as long again, and a quarter to a half as long for each.
    pub fn with_neighbours(self) -> Scratch {
        Scratch { takes_neighbours: true, ..self }
    }
}
