//! The end of a solve: from change to change.
//!
//! When a dense sweep changes less than a hundredth of the positions, most of what the next one
//! computes is as it was. From then on the changes are kept in a list: each *visits* the positions
//! that have a move to it, found by taking the sowing back, and what changes there goes on.
//!
//! ```text
//!   change ──► its parents: visits at their turns ──► the turn comes: parents are looked at ──► change
//! ```
//!
//! # The same bytes as a dense sweep
//!
//! Everything happens at the *turn* that it would have in a dense sweep ([`crate::layer::Turn`]):
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
//! it may have been the one that held the score up, the score is computed anew from all moves,
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

mod agenda;
mod family;
mod sowings;
mod visit;

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::layer::index::rows;
use crate::solver::kernel::{Change, Stamped};
use crate::solver::sweep::{Field, Sweep};
use agenda::Agenda;
use family::{Family, Late, is_held_up};
use visit::{Asked, Slot, Visit};

/// Changes or visits that one task looks at.
const PART: usize = 1 << 9;

/// Visits from one look at the bound of memory to the next, where scores are on disk.
const FEW: usize = 16;

/// Turns from one look at whether the solve is to end to the next.
const STEPS: u64 = 64;

/// A score that has changed: what it was and what it is.
type Changed = (Slot, i8, i8);

/// Rounds over the positions that have a changed child.
pub struct Tail<'a> {
    family: Family<'a>,
    /// By pair: visits along crossing moves, to be made when it is next gone through.
    visits: Vec<Vec<Visit>>,
    /// Of the pair that is gone through.
    agenda: Agenda,
    /// What this round has changed so far in the larger block of the pair, and what it was.
    late: Late,
    /// What has changed at this turn.
    now: Vec<Changed>,
    /// Turns that have come so far.
    steps: u64,
}

impl<'a> Tail<'a> {
    /// What a dense sweep of so many planes has left to do, which made these changes.
    pub fn new(sweep: &'a Sweep<'a>, planes: usize, changes: &[Change]) -> Tail<'a> {
        let seeds = sweep.plan.layer.seeds().get();
        let turns = (2 * rows(seeds)).max(4 * rows(seeds / 2));
        let mut tail = Tail {
            family: Family::new(sweep, planes),
            visits: vec![Vec::new(); seeds / 2 + 1],
            agenda: Agenda::new(turns),
            late: Late::default(),
            now: Vec::new(),
            steps: 0,
        };
        // The sweep has made those visits itself for which it had still to come.
        let parts = changes.par_chunks(PART).map(|part| {
            let changed = part.iter().map(|change| (Slot::of(change), change.old, change.new));
            tail.family.visits_along_crossings(changed, |from, to| to <= from)
        });
        tail.announce(parts.collect());
        tail
    }

    fn announce(&mut self, parts: Vec<Vec<Visit>>) {
        for visit in parts.into_iter().flatten() {
            self.visits[self.family.pair(visit.parent.block.into())].push(visit);
        }
    }

    /// One round: what the next dense sweep would change, which gets the stamp. Returns how many
    /// scores that is.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if the observer asks for it; the planes are then of no use.
    pub fn sweep(&mut self, field: &mut Field, stamp: u8) -> Result<u64> {
        let mut count = 0;
        for pair in 0..self.visits.len() {
            let visits = std::mem::take(&mut self.visits[pair]);
            if !visits.is_empty() {
                self.ask(&visits, field);
                let changed = self.go_through(field, stamp)?;
                count += changed.len() as u64;
                self.pass_on(&changed);
            }
        }
        Ok(count)
    }

    /// Puts on the agenda what visits ask for.
    fn ask(&mut self, visits: &[Visit], field: &Field) {
        let family = &self.family;
        let asked = |visit: &Visit| family.asked(visit, field).map(|asked| (*visit, asked));
        let asked = |few: &[Visit]| {
            family.sweep.arena.keep();
            few.iter().filter_map(asked).collect::<Vec<_>>()
        };
        let parts = visits.par_chunks(PART).map(|part| part.chunks(FEW).flat_map(asked).collect());
        for (visit, asked) in parts.collect::<Vec<Vec<_>>>().into_iter().flatten() {
            self.agenda.push(visit.turn, visit.parent, asked);
        }
    }

    /// Goes through the turns of a pair. Returns what has changed.
    fn go_through(&mut self, field: &mut Field, stamp: u8) -> Result<Vec<Changed>> {
        let (mut changed, mut next) = (Vec::new(), 0);
        self.late.clear();
        while let Some(turn) = self.agenda.first_from(next) {
            if self.steps.is_multiple_of(STEPS) && self.family.sweep.observer.interrupted() {
                return Err(Error::Interrupted);
            }
            self.steps += 1;
            self.family.sweep.arena.keep();
            self.turn_comes(turn, field, stamp);
            changed.extend_from_slice(&self.now);
            next = turn + 1;
        }
        Ok(changed)
    }

    /// Computes all positions that are asked for at a turn.
    fn turn_comes(&mut self, turn: u32, field: &mut Field, stamp: u8) {
        let mut now = std::mem::take(&mut self.now);
        now.clear();
        while let Some((slot, asked)) = self.agenda.pop(turn) {
            let old = slot.score(field);
            if let Some(new) = self.answer(slot, asked, old, field).filter(|&new| new != old) {
                now.push((slot, old, new));
            }
        }
        // Of several, one that was computed from all moves is what a better one alone would be.
        now.sort_unstable_by_key(|&(slot, _, new)| (slot, std::cmp::Reverse(new)));
        now.dedup_by_key(|(slot, ..)| *slot);
        for &(slot, old, new) in &now {
            self.write(field, slot, new, stamp);
            let agenda = &mut self.agenda;
            self.family.home_parents(slot, (old, new), |visit| {
                agenda.push(visit.turn, visit.parent, Asked::Child { old, new });
            });
        }
        self.now = now;
    }

    /// What a position is worth that is asked for, if that may have changed.
    fn answer(&self, slot: Slot, asked: Asked, score: i8, field: &Field) -> Option<i8> {
        let family = &self.family;
        let anew = |outside: i8| {
            let negated = outside.min(family.least_at_home(slot, field));
            Some(family.computed(slot, negated, score, field))
        };
        match asked {
            Asked::Better(worth) => Some(worth),
            Asked::Anew(outside) => anew(outside),
            Asked::Child { old, new } if new < old => family.raised(slot, -new, score),
            Asked::Child { old, new } if is_held_up(score, -old, -new) => {
                anew(family.least_outside(slot, field, &self.late))
            }
            Asked::Child { .. } => None,
        }
    }

    fn write(&mut self, field: &mut Field, slot: Slot, new: i8, stamp: u8) {
        let (own, row, column) = (usize::from(slot.block), slot.row as usize, slot.column as usize);
        let (sweep, plane) = (self.family.sweep, usize::from(slot.plane));
        let place = field.planes[plane].blocks_mut().score_mut(own, row, column);
        let old = std::mem::replace(place, new);
        if 2 * own > sweep.plan.layer.seeds().get() {
            self.late.insert(slot, old);
        }
        let is_wanted = match sweep.stamped {
            Stamped::All => self.family.is_last_plane(slot),
            Stamped::Losses => new < 0,
        };
        if let Some(stamps) = field.stamps.as_mut().filter(|_| is_wanted) {
            *stamps.blocks_mut().score_mut(own, row, column) = stamp.cast_signed();
        }
    }

    /// Announces visits to those who have a crossing move to what has changed.
    fn pass_on(&mut self, changed: &[Changed]) {
        let family = &self.family;
        let visits =
            |part: &[Changed]| family.visits_along_crossings(part.iter().copied(), |_, _| true);
        let parts = changed.par_chunks(PART).map(visits).collect();
        self.announce(parts);
    }
}

impl Family<'_> {
    /// The visits to those who have a crossing move to what has changed, from a pair to a pair, as
    /// far as they are wanted.
    fn visits_along_crossings(
        &self,
        changed: impl Iterator<Item = Changed>,
        is_wanted: impl Fn(usize, usize) -> bool,
    ) -> Vec<Visit> {
        let mut visits = Vec::new();
        for (slot, old, new) in changed {
            let from = self.pair(slot.block.into());
            let is_wanted = |to| is_wanted(from, to);
            self.crossing_parents(slot, (old, new), is_wanted, |visit| visits.push(visit));
        }
        visits
    }
}
