//! Endless play leaves each player their own row: intervals that hold wherever the cycle is cut.
//!
//! Tournament Oware ends a game that repeats itself and lets each player keep their own row.
//! What that is worth depends on *where* the cycle is cut. For every position this module computes
//! an interval `[low, high]` that is proved to hold the position's value under all of the usual
//! ways to cut. Where `low == high` the position is solved under the tournament rule.
//!
//! # The two games
//!
//! A *position* is a board and who is to move. It has *fresh history* if no position came before
//! it since the last capture: so it is with positions that a capture leads into and with those
//! that were set up. Let `f` be the seeds in a player's own row minus those in the other. Positions
//! with an empty row do not *count*: no game is cut there. (Where the sheet cuts there, too,
//! [`Repetition::FirstOfAny`](crate::game::Repetition::FirstOfAny), all positions count.) Plays
//! that end pay what was captured and the final split. Then
//!
//! * `low(p)` is what the mover secures when an endless play pays the mover the **lim inf** of the
//!   mover's `f` over the positions that count,
//! * `−high(p)` is what the opponent secures when it pays the opponent the lim inf of the
//!   opponent's `f`.
//!
//! A capture leads into a lower layer, whose intervals are known: a player who wants to secure
//! something may rely on the matching end of them. So all that follows is about quiet moves within
//! one layer.
//!
//! Every endless play passes positions that count again and again. For where the player to move has
//! no seeds the game is over; so if none counted, the mover would hold all seeds every time, and
//! every move would carry them all across. That takes one house, F, with at most six seeds; they
//! land one in each house, so the next player can carry all across only if it is a single seed,
//! which has landed in that player's A and does not reach the other row.
//!
//! # Theorem 1: the equations have these values
//!
//! ```text
//! pre_lo(H)(p) = max over legal moves:  captures c → c − high(child),   quiet → −H(child)
//! pre_hi(L)(p) = max over legal moves:  captures c → c − low(child),    quiet → −L(child)
//!
//! (low, high) = least X of the greatest Y such that
//!     Y.lo(p) = max( pre_lo(X.hi)(p),  min( f(p), pre_lo(Y.hi)(p) ) )
//!     Y.hi(p) = min( pre_hi(X.lo)(p),  max( f(p), pre_hi(Y.lo)(p) ) )
//! ```
//!
//! "Greater" means higher `lo` and lower `hi`. Where a position does not count, `f` is +∞ in the
//! first line and −∞ in the second. A position without a legal move is a constant.
//!
//! *Proof.* Fix a player P and a number s. Call a position *won* if P secures s from it, and *good*
//! if it does not count or P's `f` is at least s there. P wants: a play that ends pays P at least
//! s, or from some moment on every position is good. Let `CPre(S)` be the positions from which P
//! gets into the set S, or leaves the layer for at least s, with the next move of either player; a
//! finished game that pays P at least s is in it. Claim: the won positions are `Z = least X of the
//! greatest Y = CPre(X) ∪ (good ∩ CPre(Y))`.
//!
//! * *P wins in Z.* Let X₀ = ∅ and Xᵢ₊₁ the greatest `Y = CPre(Xᵢ) ∪ (good ∩ CPre(Y))`; they grow
//!   to Z. Give each position of Z the least i with p in Xᵢ, its *rank*. From a position of rank
//!   i, either P can get to a smaller rank or out for at least s, or the position is good and P
//!   can get to a rank of at most i. P always makes the first such move. Ranks never rise, so from
//!   some moment on they stay the same, and then every position is good. This strategy looks
//!   only at the current position.
//! * *The opponent prevents it outside Z.* As Z is a fixpoint, its complement N is the *least* N'
//!   such that p is in N' if and only if the opponent keeps the play in N (and out of exits worth s
//!   to P) with the next move, and p is not good or the opponent gets into N' with that move. By
//!   the order in which this least fixpoint is reached, the play either ends or leaves for less
//!   than s, or it stays in N for ever and comes to a position that is not good again and again.
//!
//! The equations say this for all s at once, because cutting at s turns minima, maxima and their
//! limits over this finite range into the same of sets, and so nested fixpoints too. At positions
//! where P moves read "P secures s" as `lo ≥ s`, where the opponent moves as `hi ≤ −s` (the score
//! there is the opponent's); good means `f ≥ s` or `f ≤ −s`. And `max(a, min(f, b)) ≥ s` if and
//! only if `a ≥ s`, or `f ≥ s` and `b ≥ s`; `min(a, max(f, b)) ≤ −s` if and only if `a ≤ −s`, or `f
//! ≤ −s` and `b ≤ −s`. ∎
//!
//! # Theorem 2: the interval holds wherever the cycle is cut
//!
//! Let p have fresh history. Let a game stop, and pay each player their own `f`, at the first
//! position that counts and occurs for the second time since the last capture; or for the third
//! time; or at any position that counts on a cycle that has been closed. Then the value of p for
//! the mover lies in `[low(p), high(p)]`.
//!
//! *Proof.* Let P secure s by theorem 1, with a strategy σ that looks only at the current position,
//! and let P follow σ from p.
//!
//! * Suppose the play closes a cycle: it comes back to a position q, same board and same player to
//!   move. All moves of P on the way round were σ's. So the opponent might cycle for ever
//!   without P ever leaving σ, and since σ secures s, every position of the cycle that counts has
//!   P's `f ≥ s`. Hence a cut at any of them pays P at least s. Here fresh history is needed: the
//!   whole cycle was played under σ.
//! * Some position of the cycle counts, as shown above. So every play that does not end comes to a
//!   repeated position that counts, and the game is cut.
//! * If the play ends before, or leaves by a capture, it pays P at least s by σ; after a capture
//!   history is fresh, and by induction over layers the child's value is within its interval.
//!
//! With P the mover this shows value ≥ low(p), with P the opponent value ≤ high(p). ∎
//!
//! # What is not covered
//!
//! * *Stale history.* After a quiet move from p the cycle may close on p itself. The upper end
//!   for the player who made the move still holds (the opponent's strategy answers any move). The
//!   lower end is certain only if the move belongs to one strategy that secures it everywhere;
//!   equality of numbers does not make it so. Example: `0 0 1 0 1 0  0 0 0 0 0 1` is worth 3, the
//!   tables give 3 for C and for E, but if play stops at the first repetition C brings 3 and E
//!   brings 1. Until tables hold strategies, quiet moves are therefore *not certified*.
//! * Caps on the number of moves, and agreement to stop before a cycle is closed.
//! * "The same board" read without regard to who is to move.
//!
//! # How it is computed
//!
//! 1. `attract`: from (−∞, +∞), `lo ← max(lo, pre_lo(hi))` and `hi ← min(hi, pre_hi(lo))` until
//!    nothing changes: what play that ends of itself can force. All of it is below the least
//!    fixpoint, for every step of it is a step of the equations.
//! 2. `safe_core`: the greatest Y with X as it stands, where `max(X.lo, ...)` stands for
//!    `max(pre_lo(X.hi), ...)`. It starts at (X.hi, X.lo), for low ≤ high ≤ X.hi and high ≥ low ≥
//!    X.lo (theorem 2), and only ever falls, `Y ← the lower of Y and the right side`; its limit is
//!    the greatest fixpoint, as that is never passed and the limit does not exceed its own right
//!    side. As Y never falls below X, `max(X.lo, min(Y.lo, f, pre_lo(Y.hi)))` is that lower one.
//!    The core needs no look at captures: `X.lo` is at least what they bring, so in `lo` they never
//!    show; and `hi`, which only rises from where it starts, starts at `max(X.lo, captures)`, which
//!    is no more than its limit. So their memory is free before the core takes some.
//!
//! Neither needs to look at what a bound was: in (1) a bound that is computed again is never worse,
//! for what it is computed from has only become better, and a core that has been added is one of
//! which every bound is at most what its moves bring. (In (2) `hi` does, for its captures.)
//!
//! 3. If the core is X, done; otherwise X becomes the core, and from 1 again.
//!
//! Joining X in (2) changes nothing at the end: if X is at most the least fixpoint (l, h), the core
//! is at most that of (l, h) with (l, h) joined, which is (l, h) itself since `l = pre_lo(h)`
//! there. And an X that is its own core is one of which the equations' inner fixpoint asks no more,
//! so it is at least the least one. Where the bounds of (1) meet everywhere there is nothing to
//! confirm.
//!
//! A solve can go on from any sweep of (1), see [`Checkpoint`](crate::solver::Checkpoint): X is all
//! that is handed from step to step. A core, a quarter of the passes, is made again.
//!
//! Most layers need none of this. Where layers below are exact, one plane has the scores
//! ([`super::even_split`]), and it is enough to close their [claims](crate::solver::claims). Only if
//! some are not met, this module solves the layer.
//!
//! From 11 to 18 seeds the first core was X: what self-terminating play forces is the answer there
//! (`cores_to_18_seeds` in `tests/solver/fixpoints.rs`). It is confirmed for each layer all the
//! same. No interval is called a score because it looks like one. Where doubt is born, and not
//! only handed up from lower layers, [`crate::solver::knots`] tells.

use super::even_split;
use super::holder::{Holder, attained, begin, captures_of_bounds, layer, unbounded, with_strategy};
use crate::error::Result;
use crate::solver::captures::CapturePlane;
use crate::solver::claims::TightMoves;
use crate::solver::observer::Event;

/// Layers of fewer positions are asked whether one plane is enough before their strategy is looked
/// for: in some of them it is not, and to find that out by strategies takes as long as all else.
const QUICK: u64 = 1 << 22;

/// One plane if all claims are met, two if not; given where an interrupted solve was. Any tight
/// moves meet claims sooner than a strategy is found.
///
/// # Errors
/// Those of a [`Holder`].
pub fn solve<H: Holder>(holder: &mut H, mut kept: Option<Vec<H::Plane>>) -> Result<H::Solved> {
    let has_one_plane = kept.as_ref().is_none_or(|kept| kept.len() == 1);
    if has_one_plane && holder.leads_to_exact()? {
        let solved = even_split::scores(holder, kept.take())?;
        let is_by_any = !holder.keeps_strategies() || layer(holder).positions() < QUICK;
        if !is_by_any || holder.certificate(&solved, 1, TightMoves::ByAny)?.claims_are_met {
            if !holder.keeps_strategies() {
                return Ok(solved);
            }
            let found = holder.certificate(&solved, 1, TightMoves::ByDefault)?;
            if found.claims_are_met {
                return Ok(H::with_exceptions(solved, found.exceptions));
            }
        }
    }
    let solved = intervals(holder, kept)?;
    with_strategy(holder, solved, 2)
}

/// The intervals of a layer. What captures are worth is found out again should a core prove more, which
/// large layers have not been seen to do; till then the memory of that serves the core.
fn intervals<H: Holder>(holder: &mut H, kept: Option<Vec<H::Plane>>) -> Result<H::Solved> {
    // Lower layers are in memory while captures are entered: what is proved need not be yet.
    let mut first = Some(captures_of_bounds(holder)?);
    let (seeds, most) = (layer(holder).seeds(), unbounded(layer(holder)));
    let mut proved = begin(holder, kept, &[-most, most])?;
    loop {
        let captures = first.take().map_or_else(|| captures_of_bounds(holder), Ok)?;
        // Raises lower bounds and lowers upper ones as far as moves towards what is proved already do.
        holder.settle(&captures, None, &mut proved)?;
        let is_exact = holder.bounds_meet(&proved)?;
        let attained = attained(holder, &captures, &proved, is_exact)?;
        if is_exact {
            return Ok(holder.solved(proved, true, attained));
        }
        let core = safe_core(holder, captures, &proved)?;
        let proves_more = holder.add_core(&mut proved, core)?;
        holder.notice(Event::Core { seeds, proves_more });
        if !proves_more {
            return Ok(holder.solved(proved, false, attained));
        }
    }
}

/// The greatest bounds that players can keep for ever or until they reach what is proved, with what is
/// proved.
fn safe_core<H: Holder>(
    holder: &mut H,
    captures: Vec<CapturePlane>,
    proved: &[H::Plane],
) -> Result<Vec<H::Plane>> {
    // The memory of the others is free from here on.
    let of_high = captures.into_iter().next_back().expect("one for each bound, or for both");
    let mut core = holder.above_core(of_high, proved)?;
    holder.settle(&[], Some(proved), &mut core)?;
    Ok(core)
}
