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

use super::Settling;
use super::repetition::CaptureBounds;
use crate::error::Result;
use crate::layer::plane::Plane;
use crate::layer::solved::{Attained, Solved};
use crate::solver::checkpoint::Checkpoint;
use crate::solver::sweep::Sweep;

/// Both ends for a layer, given the values of captures, and where an interrupted solve was.
pub fn solve(
    settling: &mut Settling,
    captures: &CaptureBounds,
    kept: Option<Checkpoint<Plane>>,
) -> Result<Solved> {
    let mut planes = begin(settling, kept)?;
    let sweep = Sweep {
        plan: settling.plan,
        kernel: settling.kernel,
        captures: vec![&captures.low, captures.high()],
        bounds: None,
        observer: settling.observer,
        threads: settling.threads,
        arena: settling.arena,
    };
    settling.settle(&sweep, &mut planes)?;
    let [low, high] = planes;
    let [to_low, to_high] = [(&captures.low, &low), (captures.high(), &high)]
        .map(|(captures, plane)| captures.attained(settling.plan, plane));
    let attained = Attained::new(to_low, Some(to_high));
    let high = (low != high).then_some(high);
    Ok(Solved { low, high, exceptions: None, attained: Some(attained), knots: None })
}

/// Where an interrupted solve was, or else nothing that anyone can be sure of.
fn begin(settling: &Settling, kept: Option<Checkpoint<Plane>>) -> Result<[Plane; 2]> {
    if let Some(checkpoint) = kept {
        return Ok([checkpoint.low, checkpoint.high.expect("a checkpoint of two bounds")]);
    }
    let layer = settling.plan.layer;
    let all = layer.seeds().get() as i8;
    let plane = |fill| Plane::in_arena(settling.arena, layer, fill);
    Ok([plane(-all)?, plane(all)?])
}
