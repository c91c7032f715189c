//! All positions with the same number of seeds: their numbers, and what is known of each.

pub(crate) mod compositions;

pub(crate) mod index;

pub(crate) mod strategy;

pub(crate) mod spill;

pub(crate) mod timetable;

pub(crate) mod residence;

pub(crate) mod arena;

pub(crate) mod blocks;

pub(crate) mod line;

pub(crate) mod packing;

pub(crate) mod lines;

pub(crate) mod passes;

pub(crate) mod plane;

pub(crate) mod knots;

pub(crate) mod solved;

pub(crate) mod stats;

pub mod general;

pub use index::{Domain, Layer, Rank};
pub use plane::Plane;
pub use solved::Solved;
pub use stats::LayerStats;
pub use strategy::{Exception, Exceptions};

// How a layer lies in memory, which the solver and the table's writer work on.
pub(crate) use arena::Arena;
pub(crate) use blocks::{BlockBytes, Blocks, Rectangle};
pub(crate) use compositions::ways;
pub use index::Cell;
pub(crate) use index::{row_at, row_rank, rows};
pub(crate) use knots::{KnotMove, Knots, Settlement};
pub(crate) use line::LINE;
pub(crate) use lines::{Lines, LinesMut};
pub(crate) use plane::span;
pub(crate) use residence::Course;
pub(crate) use solved::{Attained, Marks};
pub(crate) use spill::{Backing, Spill};
pub(crate) use strategy::{is_good_for_mover, is_good_for_opponent};
