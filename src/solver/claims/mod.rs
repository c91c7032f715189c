//! The certificate of a solved layer: that every claim is met by play that makes progress.
//!
//! Scores that solve the minimax equations may hold each other up in a circle. What is missing is
//! progress, and progress is a matter of bits, once the scores are fixed. A claim is **met**
//!
//! * if nothing need be done about it, or if a capture or the end of the game brings it at once,
//! * the mover's, if the opponent's claim is met in a child that a *tight* quiet move leads to, one
//!   that keeps the mover's claim,
//! * the opponent's, if the mover's claim is met after every tight quiet reply.
//!
//! A reply that is not tight raises the opponent's claim, which happens finitely often. So if all
//! claims of a layer are met, each by claims that were met before it, the lower and the upper bound
//! of every position are secured by play that ends, and a score that both claim is exact wherever
//! cycles are cut: by induction on the order in which claims were met.
//!
//! # The strategy falls out
//!
//! Which tight move the mover makes is a strategy ([`crate::layer::Exceptions`]): the *default* move,
//! in the lowest house, but for exceptions. So the claims of default moves are closed first, and
//! exceptions are made where that leaves claims open:
//!
//! ```text
//!   sweeps    64 positions at a time, while much is open                    sweeps.rs
//!   list      the last open claims, one by one                              listed.rs
//!   circles   what claims go round in: the rest follows by itself           circles.rs
//!   choice    exceptions inside circles, smallest index first               choice.rs
//! ```
//!
//! Of the claims that default moves leave open most only lead into a circle, and are met by default
//! moves once that is broken. A claim is **wanted** if an open claim that is wanted waits for it;
//! the largest such set holds all circles. In 15 seeds of `abapa` 1.3 million claims are open after
//! default moves, 21,000 of them wanted, and 508 exceptions meet them all. If all wanted
//! claims are met, so are all others: what is not wanted waits for claims in an order without
//! circles.
//!
//! # Claims that going round may satisfy
//!
//! Where bounds are proved by cores (`solver::fixpoint::repetition`) a claim may also be
//! kept for ever at positions that are *good* for it, where a cut pays it. When exceptions have come
//! to an end, the largest set of open claims at good positions that stays among itself and what is
//! met is met together. If that adds nothing either, claims are left that nothing meets, and the
//! layer is [not certified](Certificate::claims_are_met).
//!
//! # If it is interrupted
//!
//! A solve that goes on begins with the scores and closes claims from the beginning. What was met
//! is in no checkpoint: that it is true would only show in all claims being closed, and if it were
//! not, a wrong score would be called exact. Where no strategy is wanted, claims above 0 are not
//! closed at all ([`Asking::not_above_zero`]): that they are met rests on the scores having been
//! found from 0, which a checkpoint is believed to hold.
//!
//! # One outcome
//!
//! The outcome is a function of the scores alone: what is closed does not depend on the order, and
//! exceptions are chosen by one thread. Where several processes have parts of a layer, each closes
//! what it has, and all choose the same exceptions.
//!
//! # Tried, did not pay
//!
//! Other default moves than the lowest house: of twelve rules the best leaves 3 to 4 % fewer claims
//! open. Exceptions wherever a default move is not met and another tight one is, in batches, without
//! a look at circles: 45,000 to 60,000 in 12 seeds of `abapa` instead of 2,000.
//! A list of the last open claims where any tight move may meet them: it takes nearly as long as the
//! sweeps that it spares, and builds of `abapa` to 21 seeds without strategies took 1 % less.

mod choice;
mod circles;
mod closing;
pub(super) mod listed;
mod moves;
mod numbers;
pub(super) mod open;
mod search;
mod sweeps;

use crate::error::{Error, Result};
use crate::layer::index::{Layer, rows};
use crate::layer::line::LINE;
use crate::layer::plane::Plane;
use crate::solver::kernel::Met;
pub use closing::Certificate;
use closing::Closing;
pub use open::{Asking, TightMoves};
pub use search::{Alone, ClaimSearch, Company, Elsewhere, Means, Sent};
use sweeps::Sweeps;

/// Closes the claims of a layer with all who have parts of it, given what is here.
///
/// # Errors
/// [`Error::OutOfMemory`] if there is no memory for it,
/// [`Error::Interrupted`] if the observer asks for it, and those
/// of the company.
pub fn close(search: &ClaimSearch, company: &dyn Company) -> Result<Certificate> {
    let moves = sweeps::moves(search);
    let mut room = sweeps::room(search, &moves)?;
    let sweeps = Sweeps::new(search, &moves, &mut room);
    let begun = sweeps.begin(company);
    let closing = Closing { sweeps, company };
    let closed = begun.and_then(|hopeless| match search.means.play {
        _ if hopeless > 0 => Ok(Certificate::new(false, Vec::new())),
        TightMoves::ByDefault => closing.close_by_default(),
        TightMoves::ByAny => closing.close_by_any(),
    });
    if matches!(closed, Err(Error::Interrupted)) {
        // Asks for the same.
        let _ = company.offer();
    }
    closed
}

/// Bytes that the claims of a layer take in addition to its bounds, given how many planes these are
/// and whether the last ones are listed: what is gone through in order, and what is looked up.
pub fn memory(layer: Layer, planes: u64, is_listed: bool) -> [u64; 2] {
    // Of six houses five hold seeds, in the half-boards of layers that are large.
    let tight = |own: usize| {
        let panels = rows(layer.seeds().get() - own).div_ceil(LINE);
        5 * planes * (size_of::<u64>() * rows(own)) as u64 * panels as u64
    };
    let tight: u64 = (0..=layer.seeds().get()).map(tight).sum();
    let lines = Plane::lines(layer);
    let list = if is_listed { listed::memory(layer, lines) } else { 0 };
    [tight + list, lines * size_of::<Met>() as u64]
}
