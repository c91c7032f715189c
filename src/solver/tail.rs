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
//! Everything happens at the *turn* that it would have in a dense sweep ([`crate::layer::strategy`]): turns
//! are gone through in order, round after round, each round a sweep. A visit at a turn that is still
//! to come is met in this round, any other in the next, without being told so. At one turn everything
//! is read before anything is written. One thing a dense sweep does not see at once: what it computes
//! in the larger block of a pair it writes when the pair is done, so moves from that block into itself
//! read what stood there before. A visit along such a move waits for the next round, and who computes
//! a score anew reads through the list of what the round has changed in the block.
//!
//! So every round changes what a dense sweep would have changed, to the same scores; nothing in a
//! table depends on where the tail begins, and tests begin it everywhere.
//!
//! # What a visit does
//!
//! A parent's score is the best of what its moves bring. If a child fell, the move to it brings more:
//! the parent's score becomes that if it is better. If a child rose, the move brings less: if it may
//! have been the one that held the score up, the score is computed anew from all moves, otherwise
//! nothing happens. A change takes about 0.2 µs in all.

use std::collections::HashMap;

use crate::error::{Error, Result};
use crate::layer::index::{Layer, row_at, row_rank, rows};
use crate::solver::kernel::{Change, Limit, NONE, Stamped};
use crate::solver::plan::OUTSIDE;
use crate::solver::sweep::{Field, Sweep};

/// A score: the plane, the block, and where in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Slot {
    plane: u8,
    block: u8,
    row: u32,
    column: u32,
}

/// A position with a move to one whose score has changed.
#[derive(Clone, Copy)]
struct Visit {
    parent: Slot,
    /// What the child was.
    old: i8,
    /// What it is.
    new: i8,
    /// The next visit of the same turn.
    next: u32,
}

/// No visit.
const END: u32 = u32::MAX;

/// Rounds over the positions that have a changed child.
pub struct Tail<'a> {
    sweep: &'a Sweep<'a>,
    turns: Turns,
    /// By turn: the first visit.
    heads: Vec<u32>,
    /// A bit for each turn that has one.
    busy: Vec<u64>,
    visits: Vec<Visit>,
    /// Visits that have been made, to be used again.
    spare: u32,
    /// Visits of this pair that wait for the next round.
    waiting: Vec<(u32, Visit)>,
    /// What this round has changed so far in the larger block of the pair, and what it was.
    larger: HashMap<Slot, i8>,
    /// Of each change, the last one of a turn: what it was and what it is.
    changed: Vec<(Slot, i8, i8)>,
}

impl<'a> Tail<'a> {
    /// What a dense sweep has left to do, which made these changes.
    pub fn new(sweep: &'a Sweep<'a>, changes: Vec<Change>) -> Tail<'a> {
        let turns = Turns::new(sweep.plan.layer);
        let count = turns.count();
        let mut tail = Tail {
            sweep,
            turns,
            heads: vec![END; count],
            busy: vec![0; count.div_ceil(64)],
            visits: Vec::with_capacity(changes.len()),
            spare: END,
            waiting: Vec::new(),
            larger: HashMap::new(),
            changed: Vec::new(),
        };
        for Change { row, column, block, plane, old, new } in changes {
            let slot = Slot { plane, block, row, column };
            let now = tail.turn(slot);
            tail.parents(slot, (old, new), |tail, visit, waits| {
                let turn = tail.turn(visit.parent);
                // Later in the sweep it has been seen.
                if waits || turn <= now {
                    tail.push(turn, visit);
                }
            });
        }
        tail
    }

    /// One round: what the next dense sweep would change, which gets the stamp. Returns how many
    /// scores that is.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if the observer asks for it; the planes are then of no use.
    pub fn sweep(&mut self, field: &mut Field, stamp: u8) -> Result<u64> {
        let mut count = 0;
        for pair in 0..self.turns.pairs() {
            if self.sweep.observer.interrupted() {
                return Err(Error::Interrupted);
            }
            let turns = self.turns.of_pair(pair);
            let mut turn = turns.start;
            while let Some(busy) = self.next_busy(turn, turns.end) {
                count += self.turn_comes(busy, field, stamp);
                turn = busy + 1;
            }
            self.larger.clear();
            for (turn, visit) in std::mem::take(&mut self.waiting) {
                self.push(turn, visit);
            }
        }
        Ok(count)
    }

    /// The first turn from `from` on, before `end`, at which there is a visit.
    fn next_busy(&self, from: u32, end: u32) -> Option<u32> {
        let mut word = from as usize / 64;
        let mut bits = self.busy.get(word)? & u64::MAX << (from % 64);
        while bits == 0 {
            word += 1;
            if word * 64 >= end as usize {
                return None;
            }
            bits = self.busy[word];
        }
        let turn = word as u32 * 64 + bits.trailing_zeros();
        (turn < end).then_some(turn)
    }

    fn turn(&self, slot: Slot) -> u32 {
        let block = &self.sweep.plan.blocks[slot.block as usize];
        self.turns.turn(usize::from(slot.block), block.row_lanes[slot.row as usize], slot.column)
    }

    fn push(&mut self, turn: u32, visit: Visit) {
        let visit = Visit { next: self.heads[turn as usize], ..visit };
        let at = self.spare;
        if at == END {
            self.heads[turn as usize] = self.visits.len() as u32;
            self.visits.push(visit);
        } else {
            self.spare = self.visits[at as usize].next;
            self.visits[at as usize] = visit;
            self.heads[turn as usize] = at;
        }
        self.busy[turn as usize / 64] |= 1 << (turn % 64);
    }

    fn pop(&mut self, turn: u32) -> Option<Visit> {
        let at = self.heads[turn as usize];
        if at == END {
            self.busy[turn as usize / 64] &= !(1 << (turn % 64));
            return None;
        }
        let visit = self.visits[at as usize];
        self.heads[turn as usize] = visit.next;
        self.visits[at as usize].next = self.spare;
        self.spare = at;
        Some(visit)
    }

    /// Makes all visits of a turn. Returns how many scores changed.
    fn turn_comes(&mut self, turn: u32, field: &mut Field, stamp: u8) -> u64 {
        let mut changed = std::mem::take(&mut self.changed);
        while let Some(visit) = self.pop(turn) {
            let old = score(field, visit.parent);
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
            let most = match self.limit(visit.parent) {
                Limit::Free | Limit::Above { .. } => after,
                Limit::Below { .. } => after.min(self.bound(visit.parent)),
            };
            (most > score).then_some(most)
        } else {
            (before >= score && score > after).then(|| self.computed(visit.parent, score, field))
        }
    }

    fn limit(&self, slot: Slot) -> Limit {
        self.sweep.limit(usize::from(slot.plane), usize::from(slot.block))
    }

    fn bound(&self, slot: Slot) -> i8 {
        let bounds = self.sweep.bounds.expect("limits come with bounds");
        bounds[usize::from(slot.plane)].blocks().score(
            slot.block.into(),
            slot.row as usize,
            slot.column as usize,
        )
    }

    /// The score of a position from all its moves.
    fn computed(&self, slot: Slot, old: i8, field: &Field) -> i8 {
        let negated = self.least_child(slot, field);
        match self.limit(slot) {
            Limit::Free => -negated,
            Limit::Above { most } => (-negated).min(old).min(most).max(self.bound(slot)),
            Limit::Below { least } => (-negated).max(old).max(least).min(self.bound(slot)),
        }
    }

    fn least_child(&self, slot: Slot, field: &Field) -> i8 {
        let (plan, own, column) = (self.sweep.plan, usize::from(slot.block), slot.column as usize);
        let lane = plan.blocks[own].row_lanes[slot.row as usize] as usize;
        let captures = self.sweep.captures.get(usize::from(slot.plane));
        let mut least =
            captures.map_or(NONE, |captures| captures.blocks().score(own, column, lane));
        let source = field.planes.len() as u8 - 1 - slot.plane;
        for (found, transit) in plan.blocks[own].transits(column) {
            let Some(child) = transit.quiet.column(lane) else { continue };
            let block = (plan.opponent(own) + transit.crossed) as u8;
            let child = Slot { plane: source, block, row: found.row, column: child as u32 };
            let late = if block == slot.block && transit.crossed > 0 {
                self.larger.get(&child)
            } else {
                None
            };
            least = least.min(late.copied().unwrap_or_else(|| score(field, child)));
        }
        least
    }

    fn write(&mut self, field: &mut Field, slot: Slot, new: i8, stamp: u8) {
        let (own, row, column) = (usize::from(slot.block), slot.row as usize, slot.column as usize);
        let last = field.planes.len() - 1;
        let place = field.planes[usize::from(slot.plane)].blocks_mut().score_mut(own, row, column);
        let old = std::mem::replace(place, new);
        if 2 * own > self.sweep.plan.layer.seeds().get() {
            self.larger.entry(slot).or_insert(old);
        }
        let wanted = match self.sweep.stamped {
            Stamped::All => true,
            Stamped::Losses => new < 0,
        };
        if let Some(stamps) =
            field.stamps.as_mut().filter(|_| wanted && usize::from(slot.plane) == last)
        {
            *stamps.blocks_mut().score_mut(own, row, column) = stamp.cast_signed();
        }
    }

    /// Puts visits of all parents of a changed score on the list.
    fn tell(&mut self, now: u32, slot: Slot, old: i8, new: i8) {
        self.parents(slot, (old, new), |tail, visit, waits| {
            let turn = tail.turn(visit.parent);
            if waits && turn > now {
                tail.waiting.push((turn, visit));
            } else {
                tail.push(turn, visit);
            }
        });
    }

    /// Gives every position with a quiet move to this one, and whether that move leads from the
    /// larger block of a pair into itself.
    fn parents(
        &mut self,
        slot: Slot,
        (old, new): (i8, i8),
        mut give: impl FnMut(&mut Self, Visit, bool),
    ) {
        let (plan, block) = (self.sweep.plan, usize::from(slot.block));
        let planes =
            if self.sweep.bounds.is_some() || self.sweep.captures.len() == 2 { 2 } else { 1 };
        let plane = planes - 1 - slot.plane;
        let left = plan.opponent(block);
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
            for origin in origins {
                let is_quiet =
                    plan.blocks[own].transit(origin.passage).quiet.column(lane).is_some();
                if is_quiet {
                    let parent = Slot { plane, block: own as u8, row, column: origin.row };
                    give(self, Visit { parent, old, new, next: END }, own == block && own != left);
                }
            }
        }
    }
}

/// The rank of the opponent's row to which a sowing of `crossed` seeds has added, if there is one.
fn lane_before(landed: crate::game::board::Side, crossed: usize) -> Option<usize> {
    let gains = crate::game::moves::Crossing { seeds: crossed as u8, ends_there: false }.gains();
    let mut row = landed;
    for (count, gain) in row.0.iter_mut().zip(gains.0) {
        *count = count.checked_sub(gain)?;
    }
    Some(row_rank(row))
}

#[inline(always)]
fn score(field: &Field, slot: Slot) -> i8 {
    let blocks = field.planes[usize::from(slot.plane)].blocks();
    blocks.score(usize::from(slot.block), slot.row as usize, slot.column as usize)
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

    fn of_pair(&self, pair: usize) -> std::ops::Range<u32> {
        self.starts[pair]..self.starts[pair + 1]
    }

    /// The turn of a position of block `own`.
    fn turn(&self, own: usize, opponent_rank: u32, own_rank: u32) -> u32 {
        let pair = own.min(self.seeds - own);
        self.starts[pair]
            + crate::layer::strategy::turn_in_pair(self.seeds, own, own_rank, opponent_rank)
    }
}
