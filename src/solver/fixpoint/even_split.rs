//! Endless play halves what is left: one plane, worth 0 on every cycle.
//!
//! All scores start at 0 and are replaced by `max(best capture, max over quiet moves of −child)`
//! until a whole sweep changes nothing. From 0, positive scores only grow and negative ones only
//! fall, so the limit does not depend on the order, and it is the value of the game.
//!
//! A claim worth more than 0 has the stamp of the sweep that settled it; all others, which going
//! round satisfies, have 0 (see [`crate::layer::Strategy`]).

use super::Settling;
use crate::error::Result;
use crate::layer::plane::Plane;
use crate::layer::solved::{Attained, Solved, Strategy};
use crate::layer::strategy::Holds;
use crate::solver::kernel::Stamped;
use crate::solver::strips::Captures;
use crate::solver::sweep::{Field, Sweep};

/// The scores of a layer, given what captures are worth, and a strategy if asked for.
pub fn solve(settling: &mut Settling, captures: Captures, strategy: bool) -> Result<Solved> {
    let holds = Holds::of(settling.plan.rules);
    let mut field = begin(settling, strategy)?;
    let sweep = Sweep {
        plan: settling.plan,
        kernel: settling.kernel,
        captures: vec![&captures],
        low_has_captures: false,
        bounds: None,
        stamped: Stamped::Losses,
        observer: settling.observer,
        threads: settling.threads,
        arena: settling.arena,
    };
    settling.settle(&sweep, &mut field, Some(holds))?;
    let Field { mut planes, stamps } = field;
    let low = planes.remove(0);
    let attained = Attained { low: captures.into_attained(settling.plan, &low)?, high: None };
    let strategy = stamps.map(|stamps| Strategy { stamps, holds });
    Ok(Solved { low, high: None, strategy, attained: Some(attained), knots: None })
}

/// Where an interrupted solve was, or else nothing.
fn begin(settling: &mut Settling, strategy: bool) -> Result<Field> {
    if let Some(checkpoint) = settling.resume() {
        return Ok(Field { planes: vec![checkpoint.low], stamps: checkpoint.stamps });
    }
    let plane = || Plane::in_arena(settling.arena, settling.plan.layer, 0);
    Ok(Field { planes: vec![plane()?], stamps: strategy.then(plane).transpose()? })
}
