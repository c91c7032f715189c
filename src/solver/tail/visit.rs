//! Visits: who has a changed child, and what is asked of them.

use crate::layer::index::Cell;
use crate::solver::kernel::Change;

/// A score: the plane, the block, and where in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// Which plane.
    pub plane: u8,
    /// The block.
    pub block: u8,
    /// Row of the block.
    pub row: u32,
    /// Column of the block.
    pub column: u32,
}

impl Slot {
    /// Where a change was.
    pub fn of(change: &Change) -> Slot {
        let &Change { plane, block, row, column, .. } = change;
        Slot { plane, block, row, column }
    }

    /// The position.
    #[inline(always)]
    pub fn cell(self) -> Cell {
        Cell { own: self.block.into(), row: self.row as usize, column: self.column as usize }
    }
}

/// A score that has changed: what it was and what it is.
pub type Changed = (Slot, i8, i8);

/// A position with a move to one whose score has changed.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    /// The position.
    pub parent: Slot,
    /// When in its pair it is computed.
    pub turn: u32,
    /// What the child was.
    pub old: i8,
    /// What it is.
    pub new: i8,
}

/// Why a position is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A child that a home move leads to is no longer `old` but `new`.
    Child {
        /// What it was.
        old: i8,
        /// What it is.
        new: i8,
    },
    /// A move out of the pair brings this, which is better.
    Better(i8),
    /// The move that held its score up may be gone: what captures and moves out of the pair leave.
    Anew(i8),
}
