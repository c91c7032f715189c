//! One plane: all scores start at 0 and are replaced by `max(best capture, max over quiet moves of
//! −child)` until a whole sweep changes nothing. From 0, positive scores only grow and negative ones
//! only fall, so the limit does not depend on the order.
//!
//! If endless play halves what is left, every cycle is worth 0, and the limit is the value of the
//! game.
//!
//! If it leaves the players their rows, the limit solves the minimax equations, and no more. It is
//! the value of the game if all [claims](crate::solver::claims) are met; and where the bounds of
//! [`super::repetition`] meet after their first phase it can be nothing else, for then the equations
//! have one solution: any W = F(W) lies between the two planes, step by step.

use super::Settling;
use crate::error::Result;
use crate::layer::plane::Plane;
use crate::layer::solved::{Attained, Solved};
use crate::solver::captures::CapturePlane;
use crate::solver::checkpoint::Checkpoint;
use crate::solver::sweep::Sweep;

/// The scores of a layer, given the values of captures, and where an interrupted solve was.
pub fn solve(
    settling: &mut Settling,
    captures: CapturePlane,
    kept: Option<Checkpoint<Plane>>,
) -> Result<Solved> {
    let mut low = match kept {
        Some(kept) => kept.low,
        None => Plane::in_arena(settling.arena, settling.plan.layer, 0)?,
    };
    let sweep = Sweep {
        plan: settling.plan,
        kernel: settling.kernel,
        captures: vec![&captures],
        bounds: None,
        observer: settling.observer,
        threads: settling.threads,
        arena: settling.arena,
    };
    settling.settle(&sweep, std::slice::from_mut(&mut low))?;
    let attained = Attained { low: captures.into_attained(settling.plan, &low), high: None };
    Ok(Solved { low, high: None, exceptions: None, attained: Some(attained), knots: None })
}
