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
            let own = [larger, self.seeds().get() - larger];
            let take = |blocks: &mut Vec<Option<_>>| own.map(|own| blocks[own].take());
            (frames, [Some(take(&mut low)), high.as_mut().map(take)])
        };
        let mut pairs: Vec<_> = self.tiling.frames_by_pair().map(&mut pair).collect();
        // The longest work first.
        pairs.sort_by_key(|(frames, _)| std::cmp::Reverse(frames.len()));
        pairs.into_par_iter().with_max_len(1).try_for_each(|(frames, mut planes)| {
            let mut bytes = Vec::new();
            for frame in frames {
                self.unpack_frame(frame, &pool, &mut bytes)?;
                self.put(frame, &bytes, &mut planes);
                spill.iter().for_each(Spill::enforce_bound);
            }
            Ok(())
        })
    }

    /// Puts the decoded tiles of a frame where they belong.
    fn put(&self, frame: usize, mut bytes: &[u8], out: &mut [Option<Filling>; 2]) {
        let (tiling, planes) = (&self.tiling, self.header().planes.count());
        for tile in tiling.tiles_of(frame).map(|number| tiling.tile(number)) {
            let bytes = bytes.split_off(..bytes_of_tile(&tile, planes));
            let bytes = bytes.expect("all tiles of the frame").chunks_exact(2 * tile.cells());
            for (plane, values) in out.iter_mut().flatten().zip(bytes) {
                for (twin, values) in Twin::BOTH.into_iter().zip(values.chunks_exact(tile.cells()))
                {
                    paste(tiling, &tile, twin, values, block(plane, twin));
                }
            }
        }
    }
}

/// A block and its twin; in the middle of an even layer there is only one.
type Filling<'a> = [Option<LinesMut<'a>>; 2];

/// The block that a side of a tile is in.
fn block<'f>([larger, smaller]: &'f mut Filling, twin: Twin) -> LinesMut<'f> {
    let block = match twin {
        Twin::Larger => larger,
        Twin::Smaller if smaller.is_none() => larger,
        Twin::Smaller => smaller,
    };
    block.as_mut().expect("each block is taken once").reborrow()
}

/// Blocks that no thread has taken yet.
fn blocks(plane: &mut Plane) -> Vec<Option<LinesMut<'_>>> {
    plane.blocks_mut().split_mut().map(Some).collect()
}
