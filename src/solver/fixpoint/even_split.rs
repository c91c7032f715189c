//! Endless play halves what is left: one plane, worth 0 on every cycle.
//!
//! All scores start at 0 and are replaced by `max(best capture, max over quiet moves of −child)`
//! until a whole sweep changes nothing. From 0, positive scores only grow and negative ones only
//! fall, so the limit does not depend on the order, and it is the value of the game.

use super::Settling;
use crate::error::Result;
use crate::layer::plane::Plane;
use crate::layer::solved::{Attained, Solved};
use crate::solver::strips::Captures;
use crate::solver::sweep::Sweep;

/// The scores of a layer, given what captures are worth.
pub fn solve(settling: &mut Settling, captures: Captures) -> Result<Solved> {
    let mut low = begin(settling)?;
    let sweep = Sweep {
        plan: settling.plan,
        kernel: settling.kernel,
        captures: vec![&captures],
        low_has_captures: false,
        bounds: None,
        observer: settling.observer,
        threads: settling.threads,
        arena: settling.arena,
    };
    settling.settle(&sweep, std::slice::from_mut(&mut low))?;
    let attained = Attained { low: captures.into_attained(settling.plan, &low)?, high: None };
    Ok(Solved { low, high: None, strategy: None, attained: Some(attained), knots: None })
}

/// Where an interrupted solve was, or else nothing.
fn begin(settling: &mut Settling) -> Result<Plane> {
    match settling.resume() {
        Some(checkpoint) => Ok(checkpoint.low),
        None => Plane::in_arena(settling.arena, settling.plan.layer, 0),
    }
}
