//! Claims of a layer that several ranks have solved, closed as in one process ([`crate::solver::claims`]).
//!
//! Each rank looks at the positions that it has, and at their children: here, or among what others sent
//! for the pair. For that there are lists as sweeps have them, of all quiet moves. Bounds travel once.
//! Then there travel ([`ranks`])
//!
//! * for a sweep, two bits of a position for each rank that needs them;
//! * for the list of the last open claims, what children wait for that others have, and the claims that
//!   are met in each round;
//! * of what goes round, all claims, some twenty thousand, and bounds of single positions: so all ranks
//!   choose the same exceptions.
//!
//! No rank ever has a whole plane, or all open claims.
//!
//! # Memory
//!
//! Beside its part of the layer, and what others sent for one pair, a rank holds of each of its
//! positions two bits for what is met, and for each of its moves one bit, or two if bounds differ; of
//! moves that lead to several ranks as much for what is here and for what is elsewhere. And its list.

mod ranks;

use self::ranks::{AllRanks, RankGround};
use super::cut::Reach;
use super::links::Links;
use super::seat::Seat;
use super::spread::SpreadLayer;
use crate::error::Result;
use crate::layer::blocks::Blocks;
use crate::solver::claims::{Asking, Certificate, ClaimSearch, Means, TightMoves, close, listed};
use crate::solver::observer::Unobserved;

/// Closes the claims of a layer that all ranks have solved. All find the same.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory),
/// [`Error::Interrupted`](crate::error::Error::Interrupted) if the observer asks for it, and those of the
/// network.
pub fn certify(
    seat: &mut Seat,
    solved: &SpreadLayer,
    planes: usize,
    play: TightMoves,
) -> Result<Certificate> {
    let Seat { plan, cut, rank, shares, kernel, arena, .. } = *seat;
    let lists = |small| Links::new(plan, cut, small, rank, Reach::Held, seat.spreads);
    let lists = (0..=plan.layer.seeds().get() / 2).map(lists).collect();
    let ground = &RankGround { rank, plan, cut, shares, lists };
    // Bounds that meet are one plane.
    let plane = |plane: usize| solved.bounds.get(plane).unwrap_or(&solved.bounds[0]);
    let shown: Vec<&Blocks> = (0..planes).map(plane).collect();
    let (seat, planes) = (&*seat, &solved.bounds);
    let ranks = &AllRanks { seat, ground, planes, shown };
    // Ranks end together or not at all: they are asked between sweeps.
    let (observer, near) = (&Unobserved, None);
    let asking = Asking::of(plan.rules, plan.layer.range(), play);
    let entries = listed::most(plan.layer, false);
    let threads = rayon::current_num_threads();
    let means = Means { kernel, arena, near, observer, asking, play, entries, threads };
    let bounds = [&solved.bounds[0], solved.bounds.last().expect("one plane or two")];
    let search = ClaimSearch::new(plan, means, bounds, &solved.attained[0], Some(ground));
    close(&search, ranks)
}
