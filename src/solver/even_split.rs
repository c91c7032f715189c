//! Endless play halves what is left: one plane, worth 0 on every cycle.
//!
//! All scores start at 0 and are replaced by `max(best capture, max over quiet moves of −child)`
//! until a whole sweep changes nothing. From 0, positive scores only grow and negative ones only
//! fall, so the limit does not depend on the order, and it is the value of the game.
//!
//! A claim worth more than 0 has the stamp of the sweep that settled it; all others, which going
//! round satisfies, have 0 (see [`crate::layer::Strategy`]).

use crate::error::Result;
use crate::layer::plane::{Attained, Plane, Solved, Strategy};
use crate::layer::strategy::Holds;
use crate::solver::captures::CapturePlane;
use crate::solver::sweep::{Keep, Pass, Sweeper, Swept};

/// The scores of a layer, given what captures are worth, and a strategy if asked for.
pub fn solve(sweeper: &mut Sweeper, captures: &CapturePlane, strategy: bool) -> Result<Solved> {
    let layer = sweeper.plan.layer;
    let holds = Holds::of(sweeper.plan.rules);
    let (low, stamps) = match sweeper.resume() {
        Some(checkpoint) => (checkpoint.low, checkpoint.stamps),
        None => (Plane::new(layer, 0), strategy.then(|| Plane::new(layer, 0))),
    };
    let mut planes = [Swept::stamped(low, stamps)];
    let pass = Pass { source: Some(0), target: 0, captures: Some(captures), keep: Keep::Always };
    sweeper.settle_offering(&mut planes, &[pass], holds)?;
    let [Swept { plane: low, stamps, .. }] = planes;
    let strategy = stamps.map(|mut stamps| {
        stamps.update([&low; 2], |stamp, [score, _]| *stamp = if score < 0 { *stamp } else { 0 });
        Strategy { stamps, holds }
    });
    let attained = Attained { low: captures.attained(sweeper.plan, &low), high: None };
    Ok(Solved { low, high: None, strategy, attained: Some(attained) })
}
