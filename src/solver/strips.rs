//! Captures on disk, in the order in which a sweep reads them.
//!
//! What captures are worth is a constant, and a sweep looks at each of these constants once, strip
//! by strip ([`crate::solver::sweep`]). So where memory does not suffice for them beside the
//! scores, they are written to a file before there are any scores, each half of a strip when its block
//! is complete. A thread reads ahead while others compute; single ones are read by the tail.
//!
//! ```text
//!   pair 0            pair 1            ...   pair n/2
//!   strip 0 | 1 | ... strip 0 | 1 | ...       strip 0 | 1 | ...
//!   |
//!   +-- own rows of the strip in the larger block:     a tile for each panel of the smaller one
//!   +-- opponent's rows of the strip in the smaller:   a tile for each tile of own rows
//! ```
//!
//! In block n/2, which pairs with itself, a strip has tiles up to its own. A tile is 64 lines of all
//! lanes, as a sweep wants them; lines and lanes that a block does not have bring nothing.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use crate::error::{Error, Result};
use crate::layer::blocks::{Blocks, LINE, Line, PANEL};
use crate::layer::index::{Cell, Layer, rows};
use crate::layer::plane::Plane;
use crate::layer::residence::{Course, Touched};
use crate::layer::solved::Marks;
use crate::solver::captures::{CapturePlane, attained_tile, raise_tile, turned};
use crate::solver::kernel::{Kernel, NONE, Tile};
use crate::solver::lower::Entering;
use crate::solver::observer::{Bound, Scratch, ScratchFile};
use crate::solver::plan::{LayerPlan, OUTSIDE};

/// Bytes of a tile.
const TILE: u64 = (LINE * LINE) as u64;

/// Bytes of strips that are read together, unless a single one has more.
const BATCH: usize = 1 << 18;

/// Tiles that one task looks at, at least.
const TILES: usize = 8;

/// Strips that are worked on together where scores are on disk.
pub const GROUP: usize = 8;

/// So many strips, in such groups.
pub fn groups(count: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).step_by(GROUP).map(move |first| first..(first + GROUP).min(count))
}

/// Lines of strips that have been read. They begin where a page of memory does: so the system can read
/// from the disk into there.
#[derive(Default)]
pub struct ReadLines(Vec<Page>);

/// A tile in a page of memory.
#[derive(Clone, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(4096))]
struct Page([Line; LINE]);

impl ReadLines {
    /// The lines.
    pub fn all(&self) -> &[Line] {
        <[Line]>::ref_from_bytes(self.0.as_bytes()).expect("pages are whole lines")
    }

    /// Room for the lines of some strips.
    fn of(&mut self, strips: &[Strip]) -> &mut [u8] {
        let tiles = strips.iter().map(|strip| 2 * strip.tiles()).sum();
        self.0.resize(tiles, Page([Line::of(NONE); LINE]));
        self.0.as_mut_bytes()
    }
}

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

    /// All strips of a layer, those together that are read together.
    pub fn batches(seeds: usize) -> impl Iterator<Item = Vec<Strip>> {
        let mut strips = Strip::all(seeds).peekable();
        std::iter::from_fn(move || {
            let mut batch = vec![strips.next()?];
            let mut lines = batch[0].lines();
            while let Some(strip) = strips.next_if(|strip| lines + strip.lines() <= BATCH / LINE) {
                lines += strip.lines();
                batch.push(strip);
            }
            Some(batch)
        })
    }

    /// Its lines in the file.
    pub fn lines(self) -> usize {
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

    /// The parts of strips that have constants of a block, each with whether it is the one of the
    /// larger block.
    fn parts_of(seeds: usize, own: usize) -> impl Iterator<Item = (Strip, bool)> {
        let small = own.min(seeds - own);
        let lead = (2 * own >= seeds).then_some(true);
        let follow = (2 * own <= seeds).then_some(false);
        let strip = move |number| Strip { seeds, small, number };
        lead.into_iter().chain(follow).flat_map(move |is_lead| {
            (0..strips(seeds - small)).map(move |number| (strip(number), is_lead))
        })
    }

    /// Its lines of the larger block, or of the smaller one.
    fn part(self, is_lead: bool) -> Range<usize> {
        let middle = self.tiles() * LINE;
        if is_lead { 0..middle } else { middle..self.lines() }
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
    /// A file for the constants of a layer.
    ///
    /// # Errors
    /// Whatever the disk fails with.
    fn new(seeds: usize, kernel: Kernel, scratch: &dyn Scratch) -> Result<CaptureStrips> {
        let (file, failed) = (scratch.file()?, Mutex::default());
        Ok(CaptureStrips { seeds, kernel, file, failed })
    }

    /// Writes the constants of some blocks to the file.
    fn write(&self, plan: &LayerPlan, captures: &CapturePlane) -> Result<()> {
        let parts = captures.held().flat_map(|own| Strip::parts_of(self.seeds, own));
        let parts: Vec<_> = parts.collect();
        parts.into_par_iter().try_for_each_init(Vec::new, |lines, (strip, is_lead)| {
            lines.clear();
            lines.resize(strip.lines(), Line::of(NONE));
            let part = strip.part(is_lead);
            for (own, tile, panel, place) in strip.places().filter(|at| part.contains(&at.3.start))
            {
                captures.spread(plan, (own, tile, panel), &mut lines[place], 1);
            }
            captures.blocks().keep();
            let offset = strip.offset() + (part.start * LINE) as u64;
            self.file.write_at(lines[part].as_bytes(), offset)
        })
    }

    /// Reads neighbouring strips, one behind the other. If that fails, it is
    /// [remembered](Captures::check).
    fn read(&self, strips: &[Strip], lines: &mut ReadLines) {
        self.remember(self.file.read_at(lines.of(strips), strips[0].offset()));
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

    /// Work on some blocks, a few strips at a time: `touched` says which panels and rows of which
    /// blocks strips of a pair touch, given the smaller block.
    fn course(
        &self,
        blocks: &Blocks,
        is_written: bool,
        touched: impl Fn(usize, Range<usize>) -> Vec<Touched>,
    ) -> Course {
        let of_pair = |small| {
            let groups = groups(strips(self.seeds - small));
            groups.map(|strips| touched(small, strips)).collect::<Vec<_>>()
        };
        Course::through(&[blocks], (0..=self.seeds / 2).flat_map(of_pair), is_written)
    }

    /// Work on the scores of all positions, strip by strip.
    fn scores(&self, plane: &Plane, are_written: bool) -> Course {
        self.course(plane.blocks(), are_written, |small, strips| {
            let all = 0..usize::MAX;
            vec![(self.seeds - small, strips, all.clone()), (small, all.clone(), all)]
        })
    }

    /// Gives all tiles to `look`, with block, tile of own rows and panel, in the course that
    /// [`CaptureStrips::scores`] is; `take` gets what it makes of them, tile by tile. The next strips
    /// are read meanwhile.
    fn each_tile<R: Send>(
        &self,
        course: &Course,
        look: impl Fn(usize, usize, usize, &Tile) -> R + Sync,
        mut take: impl FnMut(usize, usize, usize, R) + Send,
    ) {
        let mut batches = Strip::batches(self.seeds);
        let (mut lines, mut ahead) = (ReadLines::default(), ReadLines::default());
        let mut next = batches.next();
        next.iter().for_each(|strips| self.read(strips, &mut lines));
        let _round = course.begin();
        while let Some(strips) = next {
            next = batches.next();
            rayon::join(
                || each_tile_of(&strips, lines.all(), course, &look, &mut take),
                || next.iter().for_each(|strips| self.read(strips, &mut ahead)),
            );
            std::mem::swap(&mut lines, &mut ahead);
        }
    }
}

/// The same for neighbouring strips that have been read.
fn each_tile_of<R: Send>(
    strips: &[Strip],
    mut lines: &[Line],
    course: &Course,
    look: impl Fn(usize, usize, usize, &Tile) -> R + Sync,
    mut take: impl FnMut(usize, usize, usize, R),
) {
    for strip in strips {
        if strip.number.is_multiple_of(GROUP) {
            course.step_on();
        }
        let places: Vec<_> = strip.places().collect();
        let look = |(own, own_tile, panel, place): (usize, usize, usize, Range<usize>)| {
            let mut tile = Tile::of(NONE);
            tile.0.copy_from_slice(&lines[place]);
            (own, own_tile, panel, look(own, own_tile, panel, &tile))
        };
        let found: Vec<_> = places.into_par_iter().with_min_len(TILES).map(look).collect();
        found.into_iter().for_each(|(own, tile, panel, found)| take(own, tile, panel, found));
        lines = &lines[strip.lines()..];
    }
}

impl Captures {
    /// Finds out what captures are worth, for each of some bounds of the positions they lead to, and
    /// keeps it in memory, or on disk if there is a place for it.
    ///
    /// # Errors
    /// Those of [`Entering::enter`], and whatever the disk fails with.
    pub fn enter(
        entering: &Entering,
        bounds: &[Bound],
        scratch: Option<&dyn Scratch>,
    ) -> Result<Vec<Captures>> {
        let Some(scratch) = scratch else {
            let mut found = Vec::new();
            entering.enter(bounds, |planes| {
                found.extend(planes.into_iter().map(Captures::InMemory));
                Ok(())
            })?;
            return Ok(found);
        };
        let seeds = entering.plan.layer.seeds().get();
        let file = |_: &Bound| CaptureStrips::new(seeds, entering.kernel, scratch);
        let files = bounds.iter().map(file).collect::<Result<Vec<_>>>()?;
        entering.enter(bounds, |planes| {
            let mut pairs = files.iter().zip(&planes);
            pairs.try_for_each(|(file, plane)| file.write(entering.plan, plane))
        })?;
        Ok(files.into_iter().map(Captures::OnDisk).collect())
    }

    /// Bytes of disk that the constants of a layer take.
    pub fn disk(layer: Layer) -> u64 {
        let seeds = layer.seeds().get();
        (0..=seeds / 2).map(|small| pair_tiles(seeds, small)).sum::<u64>() * TILE
    }

    /// Bytes that strips take at most that are read together.
    pub fn batch_memory(layer: Layer) -> u64 {
        let seeds = layer.seeds().get();
        (2 * strips(seeds / 2) as u64 * TILE).max(BATCH as u64)
    }

    /// Reads neighbouring strips, if they are not in memory.
    pub fn read(&self, neighbours: &[Strip], lines: &mut ReadLines) {
        match self {
            Captures::InMemory(_) => {}
            Captures::OnDisk(strips) => strips.read(neighbours, lines),
        }
    }

    /// Whether strips have to be read.
    pub fn is_on_disk(&self) -> bool {
        matches!(self, Captures::OnDisk(_))
    }

    /// What captures of a position are worth, negated.
    pub fn score(&self, plan: &LayerPlan, Cell { own, row, column }: Cell) -> i8 {
        match self {
            Captures::InMemory(captures) => captures.blocks().score(own, column, row),
            Captures::OnDisk(strips) => {
                strips.score(own, column, plan.blocks[own].row_lanes[row] as usize)
            }
        }
    }

    /// The positions that `plane` says are worth just what they reach by capturing.
    pub fn attained(&self, plan: &LayerPlan, plane: &Plane) -> Marks {
        let strips = match self {
            Captures::InMemory(captures) => return captures.attained(plan, plane),
            Captures::OnDisk(strips) => strips,
        };
        let mut marks = Marks::none(plan.layer);
        let look = |own, word, panel, tile: &Tile| {
            let lanes = plan.rows_of(own, panel);
            plane.blocks().keep();
            attained_tile(strips.kernel, tile, plane, own, word, lanes)
        };
        strips.each_tile(&strips.scores(plane, false), look, |own, word, panel, found| {
            let lanes = plan.rows_of(own, panel);
            let (words, marks) = marks.block_mut(own);
            for (found, &row) in found.iter().zip(lanes).filter(|(_, row)| **row != OUTSIDE) {
                marks[row as usize * words + word] = *found;
            }
        });
        marks
    }

    /// The same, and that is all that is wanted of it.
    pub fn into_attained(self, plan: &LayerPlan, plane: &Plane) -> Result<Marks> {
        match self {
            Captures::InMemory(captures) => Ok(captures.into_attained(plan, plane)),
            Captures::OnDisk(_) => {
                let marks = self.attained(plan, plane);
                self.check().map(|()| marks)
            }
        }
    }

    /// Raises scores to what captures are worth.
    pub fn raise(&self, plan: &LayerPlan, plane: &mut Plane) {
        let strips = match self {
            Captures::InMemory(captures) => return captures.raise(plan, plane),
            Captures::OnDisk(strips) => strips,
        };
        let course = strips.scores(plane, true);
        let turned = |_, _, _, tile: &Tile| turned(strips.kernel, tile);
        strips.each_tile(&course, turned, |own, word, panel, turned| {
            let rows = plane.blocks().shape(own).rows();
            let lines = &mut plane.blocks_mut().block_mut(own)[word * rows..][..rows];
            raise_tile(&turned, lines, plan.rows_of(own, panel));
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
    use crate::game::board::Seeds;

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

    #[test]
    fn batches_have_all_strips_and_are_no_larger_than_they_may() {
        for seeds in [0, 1, 8, 15, 22] {
            let layer = Layer::of(&crate::game::AWARI, Seeds::new(seeds).unwrap());
            let mut all = Strip::all(seeds);
            for batch in Strip::batches(seeds) {
                let lines: usize = batch.iter().map(|strip| strip.lines()).sum();
                assert!((lines * LINE) as u64 <= Captures::batch_memory(layer));
                assert!(batch.iter().all(|strip| all.next().unwrap().offset() == strip.offset()));
            }
            assert!(all.next().is_none());
        }
    }

    #[test]
    fn parts_of_strips_are_those_of_some_block() {
        for seeds in 0..16 {
            let parts = (0..=seeds).flat_map(|own| Strip::parts_of(seeds, own));
            let place = |(strip, is_lead): (Strip, bool)| {
                let part = strip.part(is_lead);
                let offset = strip.offset() as usize;
                offset + part.start * LINE..offset + part.end * LINE
            };
            let mut places: Vec<_> = parts.map(place).collect();
            places.sort_by_key(|place| place.start);
            let mut end = 0;
            for place in places {
                assert_eq!(place.start, end);
                end = place.end;
            }
            let all: usize = Strip::all(seeds).map(|strip| strip.lines() * LINE).sum();
            assert_eq!(end, all);
        }
    }
}
