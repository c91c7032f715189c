//! Endless play leaves each player the own row: intervals.
//! DOC

use crate::error::Result;
use crate::solver::captures::CapturePlane;
use crate::solver::plane::{Plane, Solved};
use crate::solver::sweep::{Keep, Pass, Sweeper, Swept};

/// Beyond every score: nothing is forced so far.
const UNBOUNDED: i8 = 100;

/// What captures are worth to both ends of the interval.
pub struct CaptureBounds {
    /// To the lower end, from the upper ends of the positions captures lead to.
    pub low: CapturePlane,
    /// To the upper end, from the lower ends.
    pub high: CapturePlane,
}

/// A lower and an upper bound of every position.
struct Bounds {
    low: Plane,
    high: Plane,
}

/// The intervals of a layer, given what captures are worth.
pub fn solve(sweeper: &mut Sweeper, captures: &CaptureBounds) -> Result<Solved> {
    let layer = sweeper.plan.layer;
    let mut proved = Bounds { low: Plane::new(layer, -UNBOUNDED), high: Plane::new(layer, UNBOUNDED) };
    loop {
        proved = attract(sweeper, captures, proved)?;
        if proved.low == proved.high {
            return Ok(Solved { low: proved.low, high: None });
        }
        let (before, after) = safe_core(sweeper, captures, proved)?;
        if after.low == before.low && after.high == before.high {
            return Ok(Solved { low: after.low, high: Some(after.high) });
        }
        proved = after;
    }
}

/// Raises lower bounds and lowers upper ones as far as moves towards what is proved already do.
fn attract(sweeper: &mut Sweeper, captures: &CaptureBounds, proved: Bounds) -> Result<Bounds> {
    let mut planes = [Swept::new(proved.low), Swept::new(proved.high)];
    let passes = [
        Pass { source: 1, target: 0, captures: &captures.low, keep: Keep::Higher },
        Pass { source: 0, target: 1, captures: &captures.high, keep: Keep::Lower },
    ];
    sweeper.settle(&mut planes, &passes)?;
    let [low, high] = planes;
    Ok(Bounds { low: low.plane, high: high.plane })
}

/// The greatest bounds that players can keep for ever or until they reach what is proved. Returns
/// what was proved before beside them.
fn safe_core(sweeper: &mut Sweeper, captures: &CaptureBounds, proved: Bounds) -> Result<(Bounds, Bounds)> {
    let core = Bounds { low: proved.high.clone(), high: proved.low.clone() };
    let mut planes = [proved.low, proved.high, core.low, core.high].map(Swept::new);
    let passes = [
        Pass { source: 3, target: 2, captures: &captures.low, keep: Keep::CoreAbove(0) },
        Pass { source: 2, target: 3, captures: &captures.high, keep: Keep::CoreBelow(1) },
    ];
    sweeper.settle(&mut planes, &passes)?;
    let [low, high, core_low, core_high] = planes.map(|swept| swept.plane);
    Ok((Bounds { low, high }, Bounds { low: core_low, high: core_high }))
}
