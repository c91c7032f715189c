//! What the steps of a solve share: what they are given, and how they go through a layer.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result};
use crate::layer::general::GeneralSolved;

/// Placements that one task goes through.
pub const PIECE: usize = 1 << 14;

/// The layers below one, by seeds.
pub type Below = BTreeMap<usize, GeneralSolved>;

/// What becomes of the moves that stay in a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// They are kept, and their inverses.
    Kept,
    /// They are made anew in each round, which takes longer and little memory.
    MadeAnew,
}

/// An error if the user wants the build to stop.
pub fn unless_stopped(stop: &AtomicBool) -> Result<()> {
    if stop.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
}
