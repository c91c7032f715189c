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

use super::holder::{Holder, begin};
use crate::error::Result;
use crate::solver::observer::Bound;

/// The scores of a layer, given where an interrupted solve was.
///
/// # Errors
/// Those of a [`Holder`].
pub fn scores<H: Holder>(holder: &mut H, kept: Option<Vec<H::Plane>>) -> Result<H::Solved> {
    let mut captures = holder.captures(&[Bound::Low])?;
    let mut planes = begin(holder, kept, &[0])?;
    holder.settle(&captures, None, &mut planes)?;
    let captures = captures.pop().expect("those of one bound");
    let attained = holder.last_attained(captures, &planes[0])?;
    Ok(holder.solved(planes, true, vec![attained]))
}
