//! Endless play is a drawn game: what each player can achieve by play that ends.
//!
//! A drawn game has no worth in seeds, so no single number says what a position is worth. But a
//! player wins if and only if they can *reach* more than half of all seeds, whatever the opponent
//! does; how many of those that are left they can be sure to reach depends on the position alone,
//! play that cycles bringing nothing more. So a layer has two planes,
//!
//! ```text
//! low  = max over legal moves:  captures c → c − high(child),   quiet → −high(child)    from −n
//! high = max over legal moves:  captures c → c − low(child),    quiet → −low(child)     from +n
//! ```
//!
//! the least solution of the first and the greatest of the second: `low` is the score if endless
//! play gave the opponent all that is left, `high` if it gave it to the mover. With `mine` and
//! `theirs` for what either can be sure of, low = 2·mine − n and high = n − 2·theirs.
//!
//! # Theorem: a mover who leads by d wins if d + low > 0, loses if d + high < 0, draws otherwise
//!
//! *Proof.* Both players together get all seeds of a game that ends, so the player who ends with
//! more wins. Let the mover be sure of `mine` more seeds: playing for them, endless play aside,
//! brings a margin of at least d + mine − (n − mine) = d + low, and play does not go on for ever
//! before they are achieved, for an endless play brings no more. If d + low > 0, the mover has won
//! by then. If d + low ≤ 0, the opponent prevents that the mover reaches more than `mine`, so that
//! a game that ends leaves a margin of at most d + low, no win, and one that does not is drawn. The
//! same holds with the players exchanged, and both can at the same time do no better than a draw. ∎
//!
//! Stepping from ∓n is the first phase of [`super::repetition`]; there is no other, for going round
//! secures nothing.

use super::holder::{Holder, attained, begin, captures_of_bounds, layer};
use crate::error::Result;

/// Both ends for a layer, given where an interrupted solve was.
///
/// # Errors
/// Those of a [`Holder`].
pub fn bounds<H: Holder>(holder: &mut H, kept: Option<Vec<H::Plane>>) -> Result<H::Solved> {
    let captures = captures_of_bounds(holder)?;
    let all = layer(holder).seeds().get() as i8;
    // Nothing that anyone can be sure of.
    let mut planes = begin(holder, kept, &[-all, all])?;
    holder.settle(&captures, None, &mut planes)?;
    let is_exact = holder.bounds_meet(&planes)?;
    let attained = attained(holder, &captures, &planes, is_exact)?;
    Ok(holder.solved(planes, is_exact, attained))
}
