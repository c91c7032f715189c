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
#[doc(hidden)]
pub use arena::Arena;
#[doc(hidden)]
pub use blocks::{BlockBytes, Blocks, PANEL, Rectangle, Shape};
#[doc(hidden)]
pub use compositions::ways;
#[doc(hidden)]
pub use index::{Cell, row_at, row_rank, rows};
#[doc(hidden)]
pub use knots::{KnotMove, Knots, Settlement};
#[doc(hidden)]
pub use line::{LINE, Line};
#[doc(hidden)]
pub use lines::{Lines, LinesMut};
#[doc(hidden)]
pub use packing::Packing;
#[doc(hidden)]
pub use plane::{span, windows};
#[doc(hidden)]
pub use residence::Course;
#[doc(hidden)]
pub use solved::{Attained, Marks};
#[doc(hidden)]
pub use spill::{Backing, Spill};
#[doc(hidden)]
pub use strategy::{is_good_for_mover, is_good_for_opponent};
