//! Endless play halves what is left: one plane, worth 0 on every circle.
//!
//! All scores start at 0 and are replaced by `max(best capture, max over quiet moves of −child)`
//! until a whole sweep changes nothing. From 0, positive scores only grow and negative ones only
//! fall, so the limit does not depend on the order, and it is the value of the game.

use crate::error::Result;
use crate::solver::captures::CapturePlane;
use crate::solver::plane::{Plane, Solved};
use crate::solver::sweep::{Keep, Pass, Sweeper, Swept};

/// The scores of a layer, given what captures are worth.
pub fn solve(sweeper: &mut Sweeper, captures: &CapturePlane) -> Result<Solved> {
    let mut planes = [Swept::new(Plane::new(sweeper.plan.layer, 0))];
    sweeper.settle(&mut planes, &[Pass { source: 0, target: 0, captures, keep: Keep::Always }])?;
    let [Swept { plane, .. }] = planes;
    Ok(Solved { low: plane, high: None, strategy: None })
}
