//! Decoding a whole table into planes.
//!
//! Each block and its twin, which tiles hold together, are filled by one thread, frame after frame;
//! no other thread writes there.

use std::ops::Range;

use rayon::prelude::*;

use super::Planes;
use super::cutting::paste;
use super::reader::Table;
use super::tile_reader::{Workspace, bytes_of_tile};
use super::tiles::Twin;
use crate::error::Result;
use crate::layer::{Arena, LinesMut, Plane, Solved, Spill};
use crate::pool::Pool;

impl Table {
    /// Reads the stored bounds of the whole layer, every tile proved;
    /// [`crate::solver::Solver::complete`] makes the layer's own of them.
    ///
    /// # Errors
    /// [`crate::Error::CorruptTable`] if a tile is damaged.
    pub fn load_stored(&self) -> Result<Solved> {
        self.load_stored_in(&Arena::default())
    }

    /// The same in memory of an arena.
    ///
    /// # Errors
    /// As [`Table::load_stored`].
    pub fn load_stored_in(&self, arena: &Arena) -> Result<Solved> {
        let plane = || Plane::in_arena(arena, self.layer(), 0);
        let mut low = plane()?;
        let mut high = match self.header().planes {
            Planes::Low => None,
            Planes::LowAndHigh => Some(plane()?),
        };
        self.fill(&mut low, high.as_mut())?;
        Ok(Solved { low, high, exceptions: None, attained: None, knots: None })
    }

    /// Decodes the lower bounds, and the upper ones.
    fn fill(&self, low: &mut Plane, high: Option<&mut Plane>) -> Result<()> {
        let (pool, spill) = (Pool::new(Workspace::default), low.blocks().spill());
        let (mut low, mut high) = (blocks(low), high.map(blocks));
        let mut pair = |(larger, frames): (usize, Range<usize>)| {
            let seeds = [larger, self.seeds().get() - larger];
            (frames, [Some(take(&mut low, seeds)), high.as_mut().map(|high| take(high, seeds))])
        };
        let mut pairs: Vec<_> = self.tiling().frames_by_pair().map(&mut pair).collect();
        // The longest work first.
        pairs.sort_by_key(|(frames, _)| std::cmp::Reverse(frames.len()));
        pairs.into_par_iter().with_max_len(1).try_for_each(|(frames, mut planes)| {
            let mut bytes = Vec::new();
            for frame in frames {
                self.unpack_frame(frame, &pool, &mut bytes)?;
                self.put(frame, &mut bytes, &mut planes);
                spill.iter().for_each(Spill::enforce_bound);
            }
            Ok(())
        })
    }

    /// Puts the decoded tiles of a frame where they belong.
    fn put(&self, frame: usize, mut bytes: &mut [u8], out: &mut [Option<Filling>; 2]) {
        let (tiling, planes) = (self.tiling(), self.header().planes.count());
        for tile in tiling.tiles_of(frame).map(|number| tiling.tile(number)) {
            let bytes = bytes.split_off_mut(..bytes_of_tile(&tile, planes));
            let bytes = bytes.expect("all tiles of the frame");
            let (bases, spreads) = bytes.split_at_mut(2 * tile.cells());
            // Proved to be in range, tile by tile.
            for (spread, base) in spreads.iter_mut().zip(&*bases) {
                *spread = base.wrapping_add(*spread);
            }
            for (plane, values) in out.iter_mut().flatten().zip([bases, spreads]) {
                for (twin, values) in Twin::BOTH.into_iter().zip(values.chunks_exact(tile.cells()))
                {
                    paste(tiling, &tile, twin, values, plane.block(twin));
                }
            }
        }
    }
}

/// A block and its twin, which is the same in the middle of an even layer.
struct Filling<'a> {
    larger: LinesMut<'a>,
    smaller: Option<LinesMut<'a>>,
}

impl Filling<'_> {
    /// The block that a side of a tile is in.
    fn block(&mut self, twin: Twin) -> LinesMut<'_> {
        match (&mut self.smaller, twin) {
            (Some(smaller), Twin::Smaller) => smaller.reborrow(),
            _ => self.larger.reborrow(),
        }
    }
}

/// Blocks that no thread has taken yet.
type Untaken<'a> = Vec<Option<LinesMut<'a>>>;

fn blocks(plane: &mut Plane) -> Untaken<'_> {
    plane.blocks_mut().split_mut().map(Some).collect()
}

fn take<'a>(blocks: &mut Untaken<'a>, [larger, smaller]: [usize; 2]) -> Filling<'a> {
    let larger = blocks[larger].take().unwrap_or_default();
    Filling { larger, smaller: blocks[smaller].take() }
}
