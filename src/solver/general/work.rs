//! What the steps of a solve share: what they are given, and how they go through a layer.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result};
use crate::layer::general::{GeneralLayer, GeneralSolved};

/// Placements that one task goes through.
pub const PIECE: usize = 1 << 14;

/// The layers below one, by seeds.
pub type Below = BTreeMap<usize, GeneralSolved>;

/// What becomes of the moves that stay in a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// They are kept, and their inverses.
    Kept,
    /// They are computed again in each round, which takes longer and little memory.
    MadeAnew,
}

/// Who waits for a layer: may want it to stop, and keeps checkpoints of it. A flag keeps none.
pub trait Keeper: Sync {
    /// Returns whether to stop.
    fn is_stopped(&self) -> bool;

    /// Shows a checkpoint, which is written only if that is wanted now.
    fn offer(&self, _layer: &GeneralLayer, _snapshot: &Snapshot) {}

    /// Returns the checkpoint of a layer that is to be solved this way, if there is one of this
    /// many bytes.
    fn resume(&self, _layer: &GeneralLayer, _way: Way, _bytes: u64) -> Option<Resumed> {
        None
    }
}

impl Keeper for AtomicBool {
    fn is_stopped(&self) -> bool {
        self.load(Ordering::Relaxed)
    }
}

/// How a layer is solved that has checkpoints, as their files say. One of another way is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Row by row in one pass: a score each.
    Ordered = 1,
    /// In rounds that compute moves again: what is known of each placement.
    Anew = 2,
    /// The same where nothing leaves the board: what is known takes two bytes.
    Alone = 3,
    /// Backwards along moves that are kept: the bounds that are settled, and stamps.
    Kept = 4,
}

/// Where a solve is.
pub struct Snapshot<'a> {
    /// How the layer is solved.
    pub way: Way,
    /// What is to be done next: two numbers that mean something to that way alone.
    pub stage: [u64; 2],
    /// How many bytes there are.
    pub bytes: u64,
    /// Writes them.
    pub write: &'a dyn Fn(&mut dyn Write) -> io::Result<()>,
}

/// A snapshot that has been kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resumed {
    /// As in the snapshot.
    pub stage: [u64; 2],
    /// What was written.
    pub bytes: Vec<u8>,
}

/// An error if the user wants the build to stop.
pub fn unless_stopped(keeper: &dyn Keeper) -> Result<()> {
    if keeper.is_stopped() { Err(Error::Interrupted) } else { Ok(()) }
}

/// Offers a checkpoint of some items, to which `add` adds `each` bytes for an item.
pub fn offer_each<T>(
    keeper: &dyn Keeper,
    layer: &GeneralLayer,
    way: Way,
    stage: [u64; 2],
    (items, each): (&[T], usize),
    add: impl Fn(&T, &mut Vec<u8>),
) {
    let bytes = (items.len() * each) as u64;
    let write = |out: &mut dyn Write| {
        let mut buffer = Vec::with_capacity(each * PIECE);
        items.chunks(PIECE).try_for_each(|items| {
            buffer.clear();
            items.iter().for_each(|item| add(item, &mut buffer));
            out.write_all(&buffer)
        })
    };
    keeper.offer(layer, &Snapshot { way, stage, bytes, write: &write });
}
