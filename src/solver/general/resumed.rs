//! Looking at a checkpoint before a solve goes on from it: it has a checksum, which anyone can make.
//!
//! Refused are scores beyond those of the layer, and levels, rounds and places that it does not have.
//! Wrong scores within the range are not found.

use super::cell::{NOTHING, OPEN};
use super::work::{PIECE, Resumed, Way};
use super::{alone, ordered};
use crate::layer::general::GeneralLayer;
use crate::parallel;

impl Resumed {
    /// Returns whether a layer that is solved this way could have come to this.
    pub fn is_possible(&self, layer: &GeneralLayer, way: Way) -> bool {
        let [first, second] = self.stage;
        let is_score = |score: i8| score.unsigned_abs() <= layer.most().unsigned_abs();
        let is_level = first <= u8::MAX.into() && is_score((first as u8).cast_signed());
        let cells = |is_cell: &(dyn Fn(&[u8]) -> bool + Sync)| {
            let bytes = (self.bytes.len() / (layer.positions().max(1) as usize)).max(1);
            let pieces: Vec<&[u8]> = self.bytes.chunks(bytes * PIECE).collect();
            parallel::all(pieces.len(), &|piece| pieces[piece].chunks(bytes).all(is_cell))
        };
        match way {
            Way::Ordered => {
                ordered::has_stage(layer, self.stage)
                    && self.bytes.iter().all(|byte| is_score(byte.cast_signed()))
            }
            Way::Kept => is_level && cells(&|bytes| saved_bounds(bytes).all(is_score)),
            Way::Anew => {
                is_level
                    && second <= layer.positions()
                    && cells(&|bytes| kept_bounds(bytes).all(is_score))
            }
            Way::Alone => {
                let round = first / 2;
                alone::has_stage(layer, round, second)
                    && cells(&|bytes| alone::is_possible(bytes, round))
            }
        }
    }
}

/// The bounds of a placement that a level has settled.
fn saved_bounds(bytes: &[u8]) -> impl Iterator<Item = i8> {
    let (_count, bounds) = bytes.split_last().unwrap_or((&0, &[]));
    bounds.iter().map(|byte| byte.cast_signed()).filter(|&bound| bound != OPEN)
}

/// The bounds of a placement as they are in memory, settled or not.
fn kept_bounds(bytes: &[u8]) -> impl Iterator<Item = i8> {
    saved_bounds(bytes).map(|byte| byte >> 1).filter(|&bound| bound != NOTHING)
}
