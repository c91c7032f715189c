//! The end of a solve: from change to change.
//!
//! When a dense sweep changes few of the positions, one in [`TAIL`](crate::solver::fixpoint::TAIL)
//! or so, most of what the next one computes is as it was. From the next one on the changes are
//! kept in a list: each *visits* the positions that have a move to it, found by taking the sowing
//! back, and what changes there goes on.
//!
//! ```text
//!   change ──► its parents: visits at their turns ──► the turn comes: parents are looked at ──► change
//! ```
//!
//! # The same bytes as a dense sweep
//!
//! Everything happens at the *turn* that it would have in a dense sweep (`order.rs`):
//! turns are gone through in order, round after round, each round a sweep. At one turn everything
//! is read before anything is written.
//!
//! Home moves stay in a pair of blocks, and lead to earlier turns of it: who has a home move to a
//! change is visited in the same round. Crossing moves lead to other pairs; a visit to one that is
//! still to come is made in this round, to any other in the next. Some lead from the larger block
//! of a pair into itself. A dense sweep writes that block when the pair is done, so such a move
//! reads what stood there before, and the visit waits for the next round, too. Hence all visits
//! along crossing moves are known when a pair begins, and none of what they read changes until it
//! ends. Only a visit along a home move may ask what a crossing move brings while the pair changes:
//! it reads through the list of what the round has changed in the larger block.
//!
//! So every round changes what a dense sweep would have changed, to the same scores; nothing in a
//! table depends on where the tail begins, and tests begin it everywhere.
//!
//! # What a visit does
//!
//! A parent's score is the best of what its moves bring. If a child fell, the move to it brings
//! more: the parent's score becomes that if it is better. If a child rose, the move brings less: if
//! it may have been the one that held the score up, the score is computed again from all moves,
//! otherwise nothing happens.
//!
//! # Threads
//!
//! ```text
//!   all threads   visits along crossing moves: which of them ask for anything, and for what
//!   one thread    turn after turn: scores change, visits along home moves
//!   all threads   crossing moves to what has changed: visits for other pairs
//! ```
//!
//! Sowings are taken back and moves made again by arithmetic on half-boards, without lists of
//! parents in memory.

mod family;
mod ground;
mod order;
mod sowings;
mod turns;
mod visit;

use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::layer::index::Cell;
use crate::layer::plane::Plane;
use crate::parallel;
use crate::solver::kernel::{Change, NONE};
use crate::solver::sweep::Sweep;
use crate::timeline::{region, task};
pub use family::{Family, is_held_up};
pub use ground::Ground;
pub use turns::PairTurns;
pub use visit::{Asked, Changed, Slot, Visit};

/// Changes or visits that one task looks at.
pub const PART: usize = 1 << 9;

/// Visits from one look at the bound of memory to the next, where scores are on disk.
const FEW: usize = 16;

/// Turns from one look at whether the solve is to end to the next.
const STEPS: u64 = 64;

/// Rounds over the positions that have a changed child.
pub struct Tail<'a> {
    sweep: &'a Sweep<'a>,
    family: Family<'a>,
    /// By pair: visits along crossing moves, to be made when it is next gone through.
    visits: Vec<Vec<Visit>>,
    /// Of the pair that is gone through.
    turns: PairTurns,
    /// Turns that have come so far.
    steps: u64,
}

impl<'a> Tail<'a> {
    /// What a dense sweep of this many planes has left to do, which made these changes.
    pub fn new(sweep: &'a Sweep<'a>, planes: usize, changes: &[Change]) -> Tail<'a> {
        let family = Family::new(sweep, planes);
        let turns = PairTurns::new(family.turns());
        let visits = vec![Vec::new(); sweep.plan.layer.seeds().get() / 2 + 1];
        let mut tail = Tail { sweep, family, visits, turns, steps: 0 };
        tail.announce(in_parts(changes, |part| tail.family.visits_left(part)));
        tail
    }

    fn announce(&mut self, parts: Vec<Vec<Visit>>) {
        for visit in parts.into_iter().flatten() {
            self.visits[self.sweep.plan.pair(visit.parent.block.into())].push(visit);
        }
    }

    /// One round: changes what the next dense sweep would change. Returns how many scores that is.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if the observer asks for it.
    pub fn sweep(&mut self, planes: &mut [Plane]) -> Result<u64> {
        let (sweep, late, steps) = (self.sweep, Default::default(), self.steps);
        let mut ground = WholeGround { sweep, planes, late, steps };
        let mut count = 0;
        for pair in 0..self.visits.len() {
            let visits = std::mem::take(&mut self.visits[pair]);
            if !visits.is_empty() {
                ground.late.clear();
                self.ask(&visits, &ground);
                let changed = self.turns.go_through(&self.family, &mut ground)?;
                count += changed.len() as u64;
                self.pass_on(&changed);
            }
        }
        self.steps = ground.steps;
        Ok(count)
    }

    /// Asks for what visits want to know.
    fn ask(&mut self, visits: &[Visit], ground: &WholeGround) {
        let family = &self.family;
        let asked = |visit: &Visit| family.asked(visit, ground).map(|asked| (*visit, asked));
        let asked = |few: &[Visit]| {
            ground.sweep.arena.enforce_bound();
            few.iter().filter_map(asked).collect::<Vec<_>>()
        };
        let parts = in_parts(visits, |part| part.chunks(FEW).flat_map(asked).collect());
        for (visit, asked) in parts.into_iter().flatten() {
            self.turns.push(visit.turn, visit.parent, asked);
        }
    }

    /// Announces visits to those who have a crossing move to what has changed.
    fn pass_on(&mut self, changed: &[Changed]) {
        self.announce(in_parts(changed, |part| self.family.visits_of(part)));
    }
}

/// The ground of one process: all scores of a layer.
struct WholeGround<'a> {
    sweep: &'a Sweep<'a>,
    planes: &'a mut [Plane],
    /// What this round has changed so far in the larger block of the pair, and what it was.
    late: FxHashMap<Slot, i8>,
    /// Turns that have come so far.
    steps: u64,
}

impl Ground for WholeGround<'_> {
    #[inline(always)]
    fn score(&self, Slot { plane, block, row, column }: Slot) -> i8 {
        let blocks = self.planes[usize::from(plane)].blocks();
        blocks.score(block.into(), row as usize, column as usize)
    }

    fn child(&self, child: Slot, parent: Slot) -> i8 {
        let late = if child.block == parent.block { self.late.get(&child) } else { None };
        late.copied().unwrap_or_else(|| self.score(child))
    }

    fn captures(&self, slot: Slot) -> i8 {
        self.sweep.captures_of(slot.plane.into()).map_or(NONE, |all| all.score(slot.cell()))
    }

    fn bound(&self, Slot { plane, block, row, column }: Slot) -> i8 {
        let bounds = self.sweep.bounds.expect("limits come with bounds");
        bounds[usize::from(plane)].score(block.into(), row as usize, column as usize)
    }

    fn write(&mut self, slot: Slot, new: i8) {
        let Cell { own, row, column } = slot.cell();
        let WholeGround { sweep, planes, late, .. } = self;
        let blocks = planes[usize::from(slot.plane)].blocks_mut();
        let old = blocks.score(own, row, column);
        blocks.set(own, row, column, new);
        if 2 * own > sweep.plan.layer.seeds().get() {
            late.insert(slot, old);
        }
    }

    fn turn_comes(&mut self) -> Result<()> {
        if self.steps.is_multiple_of(STEPS) && self.sweep.observer.interrupted() {
            return Err(Error::Interrupted);
        }
        self.steps += 1;
        self.sweep.arena.enforce_bound();
        Ok(())
    }
}

/// What all threads find, a part of the changes or visits after the other.
fn in_parts<T: Sync, F: Send>(
    all: &[T],
    find: impl Fn(&[T]) -> Vec<F> + Sync + Send,
) -> Vec<Vec<F>> {
    let _region = region("tail");
    parallel::map_of(all.chunks(PART), |part| {
        task();
        find(part)
    })
}
