//! Exceptions to default moves on all ranks: the twin of [`crate::solver::exceptions`].
//!
//! What the exceptions of a layer are is a function of the solved layer alone, so it is the same
//! whatever the number of ranks. Each rank looks at the positions that stand with it ([`ground`]),
//! and at their children: here, or among what others sent for the pair. For that there are lists as
//! sweeps have them, of all quiet moves ([`moves`]). Nobody ever has a whole plane:
//!
//! 1. open claims ([`open`]): bounds travel once; then, sweep by sweep, two bits a position;
//! 2. suspects, and the exceptions after replies to them ([`search`]), in pairs with open claims.
//!
//! Each rank then sends the leader the exceptions that it has found.
//!
//! # Memory
//!
//! Beside its part of the layer, and what others sent for one pair, a rank holds of each of its
//! positions: while open claims are looked for, two bits for what is open, two for what is met, and
//! for each of its moves one bit under an even split, else two; then, if claims are open, two bits and
//! two bytes.

#![allow(dead_code, unused_imports)]

mod children;
mod ground;
mod met;
mod moves;
mod open;

pub use moves::TileMoves;

use self::ground::{Ground, Others};
use self::open::Given;
use super::cut::Cut;
use super::links::Spreads;
use super::spread::SpreadLayer;
use super::transport::{Purpose, Team};
use crate::error::Result;
use crate::game::board::House;
use crate::layer::arena::Arena;
use crate::layer::exceptions::{Exception, Exceptions};
use crate::layer::index::Rank;
use crate::solver::kernel::Kernel;
use crate::solver::plan::LayerPlan;

/// Bits of a house in a number that is sent.
const HOUSE: u32 = 3;

/// What ranks look for exceptions with.
pub struct Task<'a> {
    pub team: &'a Team<'a>,
    pub plan: &'a LayerPlan<'a>,
    pub cut: &'a Cut,
    pub kernel: Kernel,
    pub arena: &'a Arena,
    /// Whether to end, which the leader is asked now and then.
    pub interrupted: &'a dyn Fn() -> bool,
}

/// Finds the exceptions of a layer that all ranks have solved: all of them on the leader, none on
/// the others.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory),
/// [`Error::Interrupted`](crate::error::Error::Interrupted) if the leader asks for it, and those of
/// [`Team`].
pub fn find(task: Task, spreads: &mut Spreads, layer: &SpreadLayer) -> Result<Option<Exceptions>> {
    // Replaced at the merge.
    let _ = (task, spreads, layer);
    Ok(None)
}

/// Tells the leader what each rank has found.
fn collect(team: &Team, found: Vec<Exception>) -> Result<Exceptions> {
    let pack = |found: &Exception| found.rank.0 << HOUSE | found.house.index() as u64;
    let unpack = |word: u64| Exception {
        rank: Rank(word >> HOUSE),
        house: House::new((word & ((1 << HOUSE) - 1)) as usize).expect("a house was sent"),
    };
    let words: Vec<u64> = found.iter().map(pack).collect();
    let all = team.collect(&words, Purpose::Exceptions)?;
    Ok(Exceptions::new(all.into_iter().map(unpack)))
}
