//! Captures on disk, in the order in which a sweep reads them.
//!
//! What captures are worth is a constant, and a sweep looks at each of these constants once, strip
//! by strip ([`crate::solver::sweep`]). So where memory does not suffice for them beside the
//! scores, they are written to a file, strip after strip, before there are any scores. A thread
//! reads ahead while others compute; single ones are read by the tail.
//!
//! ```text
//!   pair 0            pair 1            ...   pair n/2
//!   strip 0 | 1 | ... strip 0 | 1 | ...       strip 0 | 1 | ...
//!   |
//!   +-- own rows of the strip in the larger block:     a tile for each panel of the smaller one
//!   +-- opponent's rows of the strip in the smaller:   a tile for each tile of own rows
//! ```
//!
//! In block n/2, which pairs with itself, a strip has tiles up to its own. A tile is 64 lines, as
//! in [`CapturePlane`]; lines that a block does not have bring nothing.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use zerocopy::IntoBytes;

use crate::error::{Error, Result};
use crate::layer::blocks::{Ahead, LINE, Line, PANEL};
use crate::layer::index::{Layer, rows};
use crate::layer::plane::Plane;
use crate::layer::solved::Marks;
use crate::solver::captures::{CapturePlane, attained_tile, raise_tile};
use crate::solver::kernel::{Kernel, NONE, Tile};
use crate::solver::observer::{Scratch, ScratchFile};
use crate::solver::plan::{LayerPlan, OUTSIDE};

/// Bytes of a tile.
const TILE: u64 = (LINE * LINE) as u64;

/// Bytes that are written at a time, at least.
const WRITTEN: usize = 1 << 20;

/// Tiles from one look at the bound of memory to the next, where constants were entered on disk.
const KEPT: usize = 4;

/// What captures are worth, wherever it is kept.
pub enum Captures {
    /// In memory.
    InMemory(CapturePlane),
    /// On disk.
    OnDisk(CaptureStrips),
}

/// A strip of a pair of blocks.
#[derive(Clone, Copy, Debug)]
pub struct Strip {
    /// Seeds on the board.
    pub seeds: usize,
    /// The block with fewer seeds in the mover's row.
    pub small: usize,
    /// Its number.
    pub number: usize,
}

impl Strip {
    /// All strips of a layer, in the order of a sweep.
    pub fn all(seeds: usize) -> impl Iterator<Item = Strip> {
        let of_pair = move |small: usize| {
            (0..strips(seeds - small)).map(move |number| Strip { seeds, small, number })
        };
        (0..=seeds / 2).flat_map(of_pair)
    }

    /// The block with more seeds in the mover's row, or the same one.
    pub fn large(self) -> usize {
        self.seeds - self.small
    }

    /// How many tiles it has of either block.
    pub fn tiles(self) -> usize {
        if self.small == self.large() { self.number + 1 } else { strips(self.small) }
    }

    /// Its lines in the file.
    fn lines(self) -> usize {
        2 * self.tiles() * LINE
    }

    /// Where in the file it is.
    fn offset(self) -> u64 {
        let pairs: u64 = (0..self.small).map(|small| pair_tiles(self.seeds, small)).sum();
        let before = if self.small == self.large() {
            self.number * (self.number + 1)
        } else {
            2 * self.number * self.tiles()
        };
        (pairs + before as u64) * TILE
    }

    /// Its tiles: the block, the tile of own rows and the panel of opponent's rows of each, and
    /// where its lines are.
    fn places(self) -> impl Iterator<Item = (usize, usize, usize, Range<usize>)> {
        let Strip { small, number, .. } = self;
        let place = |at: usize| at * LINE..(at + 1) * LINE;
        let tiles = self.tiles();
        let lead = (0..tiles).map(move |panel| (self.large(), number, panel, place(panel)));
        lead.chain((0..tiles).map(move |tile| (small, tile, number, place(tiles + tile))))
    }
}

/// How many strips a block of so many seeds has.
fn strips(seeds: usize) -> usize {
    rows(seeds).div_ceil(LINE)
}

/// Tiles of a pair.
fn pair_tiles(seeds: usize, small: usize) -> u64 {
    let (one, other) = (strips(small) as u64, strips(seeds - small) as u64);
    if 2 * small == seeds { one * (one + 1) } else { 2 * one * other }
}

/// Constants in a file.
pub struct CaptureStrips {
    seeds: usize,
    kernel: Kernel,
    file: Box<dyn ScratchFile>,
    /// Why a constant could not be read.
    failed: Mutex<Option<Error>>,
}

impl CaptureStrips {
    /// Writes constants to a file.
    ///
    /// # Errors
    /// Whatever the disk fails with.
    pub fn of(captures: &CapturePlane, scratch: &dyn Scratch) -> Result<CaptureStrips> {
        let (seeds, kernel) = (captures.seeds(), captures.kernel());
        let file = scratch.file()?;
        let strips = CaptureStrips { seeds, kernel, file, failed: Mutex::default() };
        strips.write(captures)?;
        Ok(strips)
    }

    fn write(&self, captures: &CapturePlane) -> Result<()> {
        let (mut lines, mut offset) = (Vec::new(), 0);
        for strip in Strip::all(self.seeds) {
            let first = lines.len();
            lines.resize(first + strip.lines(), Line::of(NONE));
            for (own, tile, panel, place) in strip.places() {
                let known = captures.tile_lines(own, tile, panel);
                lines[first..][place][..known.len()].copy_from_slice(known);
                if tile.is_multiple_of(KEPT) {
                    captures.blocks().keep();
                }
            }
            if lines.len() * LINE >= WRITTEN {
                offset += self.flush(&mut lines, offset)?;
            }
        }
        self.flush(&mut lines, offset).map(drop)
    }

    fn flush(&self, lines: &mut Vec<Line>, offset: u64) -> Result<u64> {
        self.file.write_at(lines.as_bytes(), offset)?;
        let written = lines.len() * LINE;
        lines.clear();
        Ok(written as u64)
    }

    /// Reads a strip. If that fails, it is [remembered](Captures::check).
    fn strip(&self, strip: Strip) -> Vec<Line> {
        let mut lines = vec![Line::of(NONE); strip.lines()];
        self.remember(self.file.read_at(lines.as_mut_bytes(), strip.offset()));
        lines
    }

    /// Reads one constant.
    fn score(&self, own: usize, row: usize, lane: usize) -> i8 {
        let (small, own_tile, panel) = (own.min(self.seeds - own), row / LINE, lane / PANEL);
        let is_lead = if 2 * own == self.seeds { panel <= own_tile } else { own != small };
        let (number, at) = if is_lead { (own_tile, panel) } else { (panel, own_tile) };
        let strip = Strip { seeds: self.seeds, small, number };
        let tile = if is_lead { at } else { strip.tiles() + at };
        let byte = tile * LINE * LINE + row % LINE * LINE + lane % LINE;
        let mut score = [0; 1];
        self.remember(self.file.read_at(&mut score, strip.offset() + byte as u64));
        score[0].cast_signed()
    }

    fn remember(&self, read: Result<()>) {
        if let Err(error) = read {
            self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    /// Gives all tiles to `look`, with block, tile of own rows and panel; before those of a pair, its
    /// blocks of a plane are fetched.
    fn each_tile(&self, plane: Option<Ahead>, mut look: impl FnMut(usize, usize, usize, &Tile)) {
        let mut tile = Box::new(Tile::of(NONE));
        for strip in Strip::all(self.seeds) {
            if let (0, Some(plane)) = (strip.number, &plane) {
                [strip.small, strip.large()].iter().for_each(|&block| plane.fetch_block(block));
            }
            let lines = self.strip(strip);
            for (own, own_tile, panel, place) in strip.places() {
                tile.0.copy_from_slice(&lines[place]);
                look(own, own_tile, panel, &tile);
            }
        }
    }
}

impl Captures {
    /// Keeps constants in memory, or on disk if there is a place for them.
    ///
    /// # Errors
    /// Whatever the disk fails with.
    pub fn new(captures: CapturePlane, scratch: Option<&dyn Scratch>) -> Result<Captures> {
        Ok(match scratch {
            None => Captures::InMemory(captures),
            Some(scratch) => Captures::OnDisk(CaptureStrips::of(&captures, scratch)?),
        })
    }

    /// Bytes of disk that the constants of a layer take.
    pub fn disk(layer: Layer) -> u64 {
        let seeds = layer.seeds().get();
        (0..=seeds / 2).map(|small| pair_tiles(seeds, small)).sum::<u64>() * TILE
    }

    /// Bytes that a strip takes at most.
    pub fn strip_memory(layer: Layer) -> u64 {
        let seeds = layer.seeds().get();
        2 * strips(seeds / 2) as u64 * TILE
    }

    /// Reads a strip, if it is not in memory.
    pub fn read(&self, strip: Strip) -> Vec<Line> {
        match self {
            Captures::InMemory(_) => Vec::new(),
            Captures::OnDisk(strips) => strips.strip(strip),
        }
    }

    /// Whether strips have to be read.
    pub fn is_on_disk(&self) -> bool {
        matches!(self, Captures::OnDisk(_))
    }

    /// What captures of a position are worth, negated.
    pub fn score(&self, own: usize, row: usize, lane: usize) -> i8 {
        match self {
            Captures::InMemory(captures) => captures.blocks().score(own, row, lane),
            Captures::OnDisk(strips) => strips.score(own, row, lane),
        }
    }

    /// The positions that `plane` says are worth just what they reach by capturing.
    pub fn attained(&self, plan: &LayerPlan, plane: &Plane) -> Marks {
        let strips = match self {
            Captures::InMemory(captures) => return captures.attained(plan, plane),
            Captures::OnDisk(strips) => strips,
        };
        let mut marks = Marks::none(plan.layer);
        strips.each_tile(plane.blocks().ahead(), |own, word, panel, tile| {
            let lanes = plan.rows_of(own, panel);
            let found = attained_tile(strips.kernel, tile, plane, own, word, lanes);
            plane.blocks().keep();
            let (words, marks) = marks.block_mut(own);
            for (found, &row) in found.iter().zip(lanes).filter(|(_, row)| **row != OUTSIDE) {
                marks[row as usize * words + word] = *found;
            }
        });
        marks
    }

    /// Raises scores to what captures are worth.
    pub fn raise(&self, plan: &LayerPlan, plane: &mut Plane) {
        let strips = match self {
            Captures::InMemory(captures) => return captures.raise(plan, plane),
            Captures::OnDisk(strips) => strips,
        };
        strips.each_tile(plane.blocks().ahead(), |own, word, panel, tile| {
            let rows = plane.blocks().shape(own).rows();
            let lines = &mut plane.blocks_mut().block_mut(own)[word * rows..][..rows];
            raise_tile(strips.kernel, tile, lines, plan.rows_of(own, panel));
            plane.blocks().keep();
        });
    }

    /// Fails if a constant could not be read. Whatever was computed since is of no use then.
    ///
    /// # Errors
    /// What reading failed with.
    pub fn check(&self) -> Result<()> {
        let Captures::OnDisk(strips) = self else { return Ok(()) };
        let failed = strips.failed.lock().unwrap_or_else(PoisonError::into_inner).take();
        failed.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_lie_one_behind_the_other() {
        for seeds in 0..16 {
            let mut end = 0;
            for strip in Strip::all(seeds) {
                assert_eq!(strip.offset(), end);
                end += (strip.lines() * LINE) as u64;
            }
            let pairs: u64 = (0..=seeds / 2).map(|small| pair_tiles(seeds, small)).sum();
            assert_eq!(end, pairs * TILE);
        }
    }
}
