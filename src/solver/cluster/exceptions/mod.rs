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

mod children;
mod ground;
mod met;
mod moves;
mod open;
mod search;
mod suspects;

pub use moves::TileMoves;

use self::ground::{Ground, Others};
use self::open::Given;
use self::search::Search;
use super::cut::Cut;
use super::links::Spreads;
use super::spread::SpreadLayer;
use super::transport::{Purpose, Team};
use crate::error::Result;
use crate::game::board::House;
use crate::layer::arena::Arena;
use crate::layer::exceptions::{Exception, Exceptions};
use crate::layer::index::Rank;
use crate::solver::exceptions::moments::{Moments, idle, pays};
use crate::solver::exceptions::words;
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
/// the others; `None` if the layer has no stamps.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory),
/// [`Error::Interrupted`](crate::error::Error::Interrupted) if the leader asks for it, and those of
/// [`Team`].
pub fn find(task: Task, spreads: &mut Spreads, layer: &SpreadLayer) -> Result<Option<Exceptions>> {
    let Task { team, plan, cut, kernel, arena, interrupted } = task;
    let (Some(stamps), [done, ..]) = (&layer.stamps, &layer.attained[..]) else { return Ok(None) };
    let ground = &Ground::new(team.rank(), plan, cut, &layer.shares, kernel, spreads);
    let (moves, seeds) = (&ground.moves()[..], plan.layer.seeds().get());
    let (bounds, idle) = (&layer.bounds[..], idle(plan.rules, seeds));
    let words = words(plan.rules.endless);
    let mut room = open::room(ground, arena)?;
    let blocks = open::blocks(ground, &mut room);
    let (others, given) =
        (Others { team, interrupted }, Given { moves, bounds, done, idle, words, arena });
    let open = &open::find(ground, others, &given, &blocks)?[..];
    let mut found = Vec::new();
    if open.iter().any(|&open| open > 0) {
        let moments = Moments { plan, holds: layer.holds };
        let (low, high) = (&bounds[0][..], &bounds[bounds.len() - 1][..]);
        let (blocks, pays) = (&blocks[..], &pays(plan.rules, seeds)[..]);
        let search =
            Search { ground, moves, blocks, open, low, high, stamps, moments, pays, arena };
        found = search.exceptions(others, &search.suspects(others)?)?;
    }
    collect(team, found).map(Some)
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
