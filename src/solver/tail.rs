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
//! turns are gone through in order, round after round, each round a sweep. A visit at a turn that
//! is still to come is met in this round, any other in the next, without being told so. At one turn
//! everything is read before anything is written. One thing a dense sweep does not see at once:
//! what it computes in the larger block of a pair it writes when the pair is done, so moves from
//! that block into itself read what stood there before. A visit along such a move waits for the
//! next round, and who computes a score anew reads through the list of what the round has changed
//! in the block.
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
//! The parents of what the last dense sweep changed, more than all rounds change together, are
//! found on all threads. The rounds go on one: at a turn there is one visit or two, and which turns
//! must not change places is the order of home moves again. They take a tenth of a solve on one
//! thread.

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::game::board::Side;
use crate::game::moves::Crossing;
use crate::layer::index::{Layer, row_at, row_rank, rows};
use crate::layer::strategy::turn_in_pair;
use crate::solver::kernel::{Change, Limit, NONE, Stamped};
use crate::solver::plan::OUTSIDE;
use crate::solver::sweep::{Field, Sweep};

/// Changes whose parents one task finds.
const PART: usize = 1 << 12;

/// Turns from one look at whether the solve is to end to the next.
const STEPS: u64 = 64;

/// A score: the plane, the block, and where in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Slot {
    plane: u8,
    block: u8,
    row: u32,
    column: u32,
}

impl Slot {
    fn of(change: &Change) -> Slot {
        let &Change { plane, block, row, column, .. } = change;
        Slot { plane, block, row, column }
    }

    fn score(self, field: &Field) -> i8 {
        let blocks = field.planes[usize::from(self.plane)].blocks();
        blocks.score(usize::from(self.block), self.row as usize, self.column as usize)
    }
}

/// A position with a move to one whose score has changed.
#[derive(Clone, Copy)]
struct Visit {
    parent: Slot,
    /// What the child was.
    old: i8,
    /// What it is.
    new: i8,
    /// Whether the move leads from the larger block of a pair into itself.
    waits: bool,
}

/// Rounds over the positions that have a changed child.
pub struct Tail<'a> {
    family: Family<'a>,
    agenda: Agenda,
    /// Visits of this pair that wait for the next round.
    waiting: Vec<(u32, Visit)>,
    /// What this round has changed so far in the larger block of the pair, and what it was.
    larger: FxHashMap<Slot, i8>,
    /// What has changed at this turn: what it was and what it is.
    changed: Vec<(Slot, i8, i8)>,
    /// Turns that have come so far.
    steps: u64,
}

impl<'a> Tail<'a> {
    /// What a dense sweep of so many planes has left to do, which made these changes.
    pub fn new(sweep: &'a Sweep<'a>, planes: usize, changes: &[Change]) -> Tail<'a> {
        let family = Family { sweep, planes, turns: Turns::new(sweep.plan.layer) };
        let mut agenda = Agenda::new(family.turns.count());
        let parts = changes.par_chunks(PART).map(|part| family.unseen(part));
        for (turn, visit) in parts.collect::<Vec<_>>().into_iter().flatten() {
            agenda.push(turn, visit);
        }
        let (waiting, larger, changed) = (Vec::new(), FxHashMap::default(), Vec::new());
        Tail { family, agenda, waiting, larger, changed, steps: 0 }
    }

    /// One round: what the next dense sweep would change, which gets the stamp. Returns how many
    /// scores that is.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if the observer asks for it; the planes are then of no use.
    pub fn sweep(&mut self, field: &mut Field, stamp: u8) -> Result<u64> {
        let mut count = 0;
        for pair in 0..self.family.turns.pairs() {
            let turns = self.family.turns.of_pair(pair);
            let mut rest = turns.clone();
            while let Some(turn) = self.agenda.first_of(rest.clone()) {
                if self.steps.is_multiple_of(STEPS) && self.family.sweep.observer.interrupted() {
                    return Err(Error::Interrupted);
                }
                self.steps += 1;
                count += self.turn_comes(turn, field, stamp);
                rest.start = turn + 1;
            }
            self.larger.clear();
            for (turn, visit) in self.waiting.drain(..) {
                self.agenda.push(turn, visit);
            }
        }
        Ok(count)
    }

    /// Makes all visits of a turn. Returns how many scores changed.
    fn turn_comes(&mut self, turn: u32, field: &mut Field, stamp: u8) -> u64 {
        let mut changed = std::mem::take(&mut self.changed);
        while let Some(visit) = self.agenda.pop(turn) {
            let old = visit.parent.score(field);
            if let Some(new) = self.visited(&visit, old, field).filter(|&new| new != old) {
                changed.push((visit.parent, old, new));
            }
        }
        // Of several, one that was computed from all moves is what a better one alone would be.
        changed.sort_unstable_by_key(|&(slot, _, new)| (slot, std::cmp::Reverse(new)));
        changed.dedup_by_key(|(slot, ..)| *slot);
        for &(slot, old, new) in &changed {
            self.write(field, slot, new, stamp);
            self.tell(turn, slot, old, new);
        }
        let count = changed.len() as u64;
        changed.clear();
        self.changed = changed;
        count
    }

    /// What a visited position is worth, if that may have changed.
    fn visited(&self, visit: &Visit, score: i8, field: &Field) -> Option<i8> {
        let (before, after) = (-visit.old, -visit.new);
        if after > before {
            let most = match self.family.limit(visit.parent) {
                Limit::Free | Limit::Above { .. } => after,
                Limit::Below { .. } => after.min(self.family.bound(visit.parent)),
            };
            (most > score).then_some(most)
        } else {
            let held_up = before >= score && score > after;
            held_up.then(|| self.computed(visit.parent, score, field))
        }
    }

    /// The score of a position from all its moves.
    fn computed(&self, slot: Slot, old: i8, field: &Field) -> i8 {
        let negated = self.least_child(slot, field);
        let bound = || self.family.bound(slot);
        match self.family.limit(slot) {
            Limit::Free => -negated,
            Limit::Above { most } => (-negated).min(old).min(most).max(bound()),
            Limit::Below { least } => (-negated).max(old).max(least).min(bound()),
        }
    }

    /// What the best move of a position leaves the opponent.
    fn least_child(&self, slot: Slot, field: &Field) -> i8 {
        let (own, column) = (usize::from(slot.block), slot.column as usize);
        let plan = self.family.sweep.plan;
        let lane = plan.blocks[own].row_lanes[slot.row as usize] as usize;
        let captures = self.family.sweep.captures.get(usize::from(slot.plane));
        let mut least =
            captures.map_or(NONE, |captures| captures.blocks().score(own, column, lane));
        for (found, transit) in plan.blocks[own].transits(column) {
            let Some(child) = transit.quiet.column(lane) else { continue };
            let block = (plan.opponent(own) + transit.crossed) as u8;
            let plane = self.family.other_plane(slot);
            let child = Slot { plane, block, row: found.row, column: child as u32 };
            let inside = block == slot.block && transit.crossed > 0;
            let late = if inside { self.larger.get(&child) } else { None };
            least = least.min(late.copied().unwrap_or_else(|| child.score(field)));
        }
        least
    }

    fn write(&mut self, field: &mut Field, slot: Slot, new: i8, stamp: u8) {
        let (own, row, column) = (usize::from(slot.block), slot.row as usize, slot.column as usize);
        let (sweep, plane) = (self.family.sweep, usize::from(slot.plane));
        let place = field.planes[plane].blocks_mut().score_mut(own, row, column);
        let old = std::mem::replace(place, new);
        if 2 * own > sweep.plan.layer.seeds().get() {
            self.larger.entry(slot).or_insert(old);
        }
        let is_wanted = match sweep.stamped {
            Stamped::All => plane + 1 == self.family.planes,
            Stamped::Losses => new < 0,
        };
        if let Some(stamps) = field.stamps.as_mut().filter(|_| is_wanted) {
            *stamps.blocks_mut().score_mut(own, row, column) = stamp.cast_signed();
        }
    }

    /// Puts visits of all parents of a changed score on the list.
    fn tell(&mut self, now: u32, slot: Slot, old: i8, new: i8) {
        let Tail { family, agenda, waiting, .. } = self;
        family.parents(slot, (old, new), |turn, visit| {
            if visit.waits && turn > now {
                waiting.push((turn, visit));
            } else {
                agenda.push(turn, visit);
            }
        });
    }
}

/// Who has a move to whom, and when they are computed.
struct Family<'a> {
    sweep: &'a Sweep<'a>,
    planes: usize,
    turns: Turns,
}

impl Family<'_> {
    fn turn(&self, slot: Slot) -> u32 {
        let block = &self.sweep.plan.blocks[usize::from(slot.block)];
        self.turns.turn(slot.block.into(), block.row_lanes[slot.row as usize], slot.column)
    }

    /// The plane that a plane is computed from.
    fn other_plane(&self, slot: Slot) -> u8 {
        self.planes as u8 - 1 - slot.plane
    }

    fn limit(&self, slot: Slot) -> Limit {
        self.sweep.limit(usize::from(slot.plane), usize::from(slot.block))
    }

    fn bound(&self, slot: Slot) -> i8 {
        let bounds = self.sweep.bounds.expect("limits come with bounds");
        let blocks = bounds[usize::from(slot.plane)].blocks();
        blocks.score(slot.block.into(), slot.row as usize, slot.column as usize)
    }

    /// The visits that changes of a dense sweep ask for which it has not made itself.
    fn unseen(&self, changes: &[Change]) -> Vec<(u32, Visit)> {
        let mut visits = Vec::new();
        for change in changes {
            let (slot, now) = (Slot::of(change), self.turn(Slot::of(change)));
            self.parents(slot, (change.old, change.new), |turn, visit| {
                if visit.waits || turn <= now {
                    visits.push((turn, visit));
                }
            });
        }
        visits
    }

    /// Gives every position with a quiet move to this one, and its turn.
    fn parents(&self, slot: Slot, (old, new): (i8, i8), mut give: impl FnMut(u32, Visit)) {
        let (plan, block) = (self.sweep.plan, usize::from(slot.block));
        let (plane, left) = (self.other_plane(slot), plan.opponent(block));
        let landed = row_at(block, slot.column as usize);
        for own in left..=plan.layer.seeds().get() {
            let origins = plan.blocks[own].origins(left, slot.row as usize);
            if origins.is_empty() {
                continue;
            }
            let Some(lane) = lane_before(landed, own - left) else { return };
            let row = plan.blocks[own].lane_rows[lane];
            if row == OUTSIDE {
                continue;
            }
            let waits = own == block && own != left;
            for origin in origins {
                if plan.blocks[own].transit(origin.passage).quiet.column(lane).is_some() {
                    let parent = Slot { plane, block: own as u8, row, column: origin.row };
                    give(self.turn(parent), Visit { parent, old, new, waits });
                }
            }
        }
    }
}

/// The rank of the opponent's row to which a sowing of `crossed` seeds has added, if there is one.
fn lane_before(landed: Side, crossed: usize) -> Option<usize> {
    let gains = Crossing { seeds: crossed as u8, ends_there: false }.gains();
    let mut row = landed;
    for (count, gain) in row.0.iter_mut().zip(gains.0) {
        *count = count.checked_sub(gain)?;
    }
    Some(row_rank(row))
}

/// Turns as numbers without gaps, in their order.
struct Turns {
    seeds: usize,
    /// By pair: its first turn; one more than pairs.
    starts: Vec<u32>,
}

impl Turns {
    fn new(layer: Layer) -> Turns {
        let seeds = layer.seeds().get();
        let mut starts = vec![0];
        for pair in 0..=seeds / 2 {
            let each = if 2 * pair == seeds { 4 } else { 2 };
            starts.push(starts[pair] + each * rows(seeds - pair) as u32);
        }
        Turns { seeds, starts }
    }

    fn count(&self) -> usize {
        self.starts[self.pairs()] as usize
    }

    fn pairs(&self) -> usize {
        self.starts.len() - 1
    }

    fn of_pair(&self, pair: usize) -> Range<u32> {
        self.starts[pair]..self.starts[pair + 1]
    }

    /// The turn of a position of block `own`.
    fn turn(&self, own: usize, opponent_rank: u32, own_rank: u32) -> u32 {
        let pair = own.min(self.seeds - own);
        self.starts[pair] + turn_in_pair(self.seeds, own, own_rank, opponent_rank)
    }
}

/// Visits by turn.
struct Agenda {
    /// By turn: the first visit.
    heads: Vec<u32>,
    /// A bit for each turn that has had one since it was last asked in vain.
    busy: Vec<u64>,
    /// Each with the next one of the same turn.
    visits: Vec<(Visit, u32)>,
    /// The first place that is free again; the next one stands there.
    free: u32,
}

/// No visit.
const END: u32 = u32::MAX;

impl Agenda {
    fn new(turns: usize) -> Agenda {
        let busy = vec![0; turns.div_ceil(64)];
        Agenda { heads: vec![END; turns], busy, visits: Vec::new(), free: END }
    }

    fn push(&mut self, turn: u32, visit: Visit) {
        let entry = (visit, self.heads[turn as usize]);
        let mut at = self.free;
        if let Some(place) = self.visits.get_mut(at as usize) {
            self.free = std::mem::replace(place, entry).1;
        } else {
            at = self.visits.len() as u32;
            self.visits.push(entry);
        }
        self.heads[turn as usize] = at;
        self.busy[turn as usize / 64] |= 1 << (turn % 64);
    }

    /// Takes a visit of a turn.
    fn pop(&mut self, turn: u32) -> Option<Visit> {
        let at = self.heads[turn as usize];
        let Some((visit, next)) = self.visits.get_mut(at as usize) else {
            self.busy[turn as usize / 64] &= !(1 << (turn % 64));
            return None;
        };
        self.heads[turn as usize] = std::mem::replace(next, self.free);
        self.free = at;
        Some(*visit)
    }

    /// The first of some turns at which there is a visit.
    fn first_of(&self, turns: Range<u32>) -> Option<u32> {
        let (mut word, end) = (turns.start as usize / 64, turns.end.div_ceil(64) as usize);
        let mut bits = self.busy.get(word)? & u64::MAX << (turns.start % 64);
        while bits == 0 {
            word += 1;
            if word >= end {
                return None;
            }
            bits = self.busy[word];
        }
        let turn = word as u32 * 64 + bits.trailing_zeros();
        turns.contains(&turn).then_some(turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(column: u32) -> Visit {
        let parent = Slot { plane: 0, block: 0, row: 0, column };
        Visit { parent, old: 0, new: 0, waits: false }
    }

    #[test]
    fn visits_come_at_their_turns() {
        let mut agenda = Agenda::new(300);
        for (turn, column) in [(5, 1), (299, 2), (64, 3), (5, 4)] {
            agenda.push(turn, visit(column));
        }
        assert_eq!(agenda.first_of(0..300), Some(5));
        assert_eq!(agenda.first_of(0..5), None);
        let columns = |agenda: &mut Agenda, turn| {
            let visits = std::iter::from_fn(|| agenda.pop(turn));
            visits.map(|visit| visit.parent.column).collect::<Vec<_>>()
        };
        assert_eq!(columns(&mut agenda, 5), [4, 1]);
        assert_eq!((agenda.first_of(0..300), agenda.first_of(65..300)), (Some(64), Some(299)));
        agenda.push(3, visit(7));
        assert_eq!(
            (agenda.visits.len(), columns(&mut agenda, 3)),
            (4, vec![7]),
            "places are used again"
        );
        assert_eq!((columns(&mut agenda, 64), columns(&mut agenda, 299)), (vec![3], vec![2]));
        assert_eq!(agenda.first_of(0..300), None);
    }
}
