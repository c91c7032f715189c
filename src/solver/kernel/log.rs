//! What a sweep changes, counted and noted.

use crate::layer::line::Line;
use crate::simd::set_lanes;

/// A score that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Row of the block.
    pub row: u32,
    /// Column of the block.
    pub column: u32,
    /// The block.
    pub block: u8,
    /// Which plane.
    pub plane: u8,
    /// What it was.
    pub old: i8,
    /// What it is.
    pub new: i8,
}

/// What a sweep changed.
#[derive(Debug, Default)]
pub struct Log {
    /// How many scores.
    pub count: u64,
    /// Which, if anyone wants to know.
    pub changes: Option<Vec<Change>>,
}

/// Where lines stand that are written: block and plane.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// The block.
    pub block: u8,
    /// Which plane.
    pub plane: u8,
}

impl Log {
    /// Notes the lanes of a line in which `old` has become `new`.
    pub fn note(
        &mut self,
        spot: Spot,
        (row, column): (usize, usize),
        lanes: u64,
        old: &Line,
        new: &Line,
    ) {
        self.count += u64::from(lanes.count_ones());
        let Some(changes) = &mut self.changes else { return };
        for lane in set_lanes(lanes) {
            changes.push(Change {
                row: row as u32,
                column: (column + lane) as u32,
                block: spot.block,
                plane: spot.plane,
                old: old.0[lane],
                new: new.0[lane],
            });
        }
    }
}
