//! The ground of one rank: its scores while a pair is gone through, and what others have told it.
//!
//! Each position is *computed* by one rank: that which has its smaller half-board, or in block n/2
//! its lower one. A home move leads to what the same rank computes or a lower one, which has gone
//! through its turns before; a crossing move to a score as it was before the pair.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::beside::Strays;
use super::super::cut::{Role, area};
use super::super::task::JointSweep;
use crate::layer::blocks::Blocks;
use crate::layer::index::Cell;
use crate::layer::line::LINE;
use crate::solver::captures::CapturePlane;
use crate::solver::kernel::NONE;
use crate::solver::tail::{Asked, Family, Ground, Slot, Visit, is_held_up};

/// In a question about a score: as it is now. Without, as it was before the pair.
const NOW: u64 = 1 << 63;

impl JointSweep<'_> {
    /// The rank that has a score.
    fn holder(&self, slot: Slot) -> usize {
        self.cut.holder(self.sweep.plan, slot.cell())
    }

    /// The rank that computes it.
    pub fn computer(&self, slot: Slot) -> usize {
        let (plan, Cell { own, row, column }) = (self.sweep.plan, slot.cell());
        if own != plan.opponent(own) {
            return self.holder(slot);
        }
        let lane = plan.blocks[own].row_lanes[row] as usize;
        self.cut.owner(own, lane.min(column) / LINE)
    }

    /// The rank that answers a question.
    pub fn asked(&self, question: u64) -> usize {
        let slot = unpacked(question & !NOW);
        if question & NOW != 0 { self.computer(slot) } else { self.holder(slot) }
    }
}

/// What one rank has and knows while a pair is gone through.
pub struct Own<'a, 'f> {
    pub joint: &'a JointSweep<'a>,
    pub family: &'a Family<'a>,
    pub planes: &'f mut [Blocks],
    /// What this rank computes in block n/2 of what others have.
    pub strays: Strays,
    /// What has changed so far in the larger block of the pair, and what it was.
    pub late: FxHashMap<Slot, i8>,
    /// What others have answered.
    pub known: FxHashMap<u64, i8>,
    /// Questions that have not been asked yet.
    pub missing: FxHashSet<u64>,
    /// Visits to what higher ranks compute.
    pub elsewhere: Vec<Visit>,
    /// What has changed, and what it was.
    pub done: Vec<(Slot, i8)>,
}

/// The score of a position, which stands in a plane or among strays.
fn standing(plane: &Blocks, stray: Option<&Blocks>, slot: Slot) -> i8 {
    let Cell { own, row, column } = slot.cell();
    match plane.shape(own).has(row, column) {
        true => plane.score(own, row, column),
        false => stray.expect("a stray").score(0, row, column),
    }
}

impl Own<'_, '_> {
    /// Notes what has to be known to say what a visit asks for.
    pub fn prepare(&mut self, visit: &Visit) {
        if is_held_up(self.score(visit.parent), -visit.old, -visit.new) {
            self.prepare_outside(visit.parent);
        }
    }

    /// Whether all is known that crossing moves lead to; what is not is noted.
    fn prepare_outside(&mut self, slot: Slot) -> bool {
        let (family, joint, mut is_ready) = (self.family, self.joint, true);
        family.crossing_children(slot, |child| {
            is_ready &= joint.holder(child) == joint.rank || self.knows(packed(child));
        });
        is_ready
    }

    /// The same of home moves.
    fn prepare_home(&mut self, slot: Slot) -> bool {
        let (joint, mut is_ready) = (self.joint, true);
        for child in self.family.home_children(slot) {
            is_ready &= joint.computer(child) == joint.rank || self.knows(packed(child) | NOW);
        }
        is_ready
    }

    /// Whether a question has been answered; if not, it is noted.
    fn knows(&mut self, question: u64) -> bool {
        let knows = self.known.contains_key(&question);
        if !knows {
            self.missing.insert(question);
        }
        knows
    }

    /// Answers questions of others.
    pub fn answers(&self, questions: &[u64]) -> Vec<u8> {
        let answer = |question: &u64| {
            let slot = unpacked(question & !NOW);
            let late = if question & NOW == 0 { self.late.get(&slot) } else { None };
            late.copied().unwrap_or_else(|| self.standing(slot)).cast_unsigned()
        };
        questions.iter().map(answer).collect()
    }

    /// Takes back all that has changed.
    pub fn take_back(&mut self) {
        for (slot, old) in std::mem::take(&mut self.done) {
            self.set(slot, old);
        }
        self.late.clear();
        self.elsewhere.clear();
    }

    fn standing(&self, slot: Slot) -> i8 {
        let plane = usize::from(slot.plane);
        standing(&self.planes[plane], self.strays.planes.get(plane), slot)
    }

    fn set(&mut self, slot: Slot, score: i8) {
        let (plane, Cell { own, row, column }) = (usize::from(slot.plane), slot.cell());
        let all = &mut self.planes[plane];
        match all.shape(own).has(row, column) {
            true => all.set(own, row, column, score),
            false => self.strays.planes[plane].set(0, row, column, score),
        }
    }
}

impl Ground for Own<'_, '_> {
    fn score(&self, slot: Slot) -> i8 {
        match self.joint.computer(slot) == self.joint.rank {
            true => self.standing(slot),
            false => self.known[&(packed(slot) | NOW)],
        }
    }

    fn child(&self, child: Slot, parent: Slot) -> i8 {
        if self.joint.holder(child) != self.joint.rank {
            return self.known[&packed(child)];
        }
        let late = if child.block == parent.block { self.late.get(&child) } else { None };
        late.copied().unwrap_or_else(|| self.standing(child))
    }

    fn captures(&self, slot: Slot) -> i8 {
        let captures = self.joint.sweep.captures_of(slot.plane.into());
        let score = |captures: &CapturePlane| {
            let (plan, Cell { own, row, column }) = (self.joint.sweep.plan, slot.cell());
            // What a rank computes it has, but for some of block n/2, where it leads.
            let leads =
                !self.joint.cut.by_columns(own) || self.joint.holder(slot) != self.joint.rank;
            let role = if leads { Role::Lead } else { Role::Follow };
            captures.blocks().score(area(plan, plan.pair(own), role), column, row)
        };
        captures.map_or(NONE, score)
    }

    fn bound(&self, slot: Slot) -> i8 {
        let (plane, bounds) = (usize::from(slot.plane), self.joint.sweep.bounds);
        let bounds = &bounds.expect("limits come with bounds")[plane];
        standing(bounds, self.strays.bounds.get(plane), slot)
    }

    fn write(&mut self, slot: Slot, new: i8) {
        let old = self.standing(slot);
        self.set(slot, new);
        if !self.joint.cut.by_columns(slot.block.into()) {
            self.late.insert(slot, old);
        }
        self.done.push((slot, old));
    }

    fn is_ready(&mut self, slot: Slot, asked: Asked) -> bool {
        match asked {
            Asked::Better(_) => true,
            Asked::Anew(_) => self.prepare_home(slot),
            Asked::Child { old, new } if is_held_up(self.score(slot), -old, -new) => {
                // Both are to be noted.
                self.prepare_home(slot) & self.prepare_outside(slot)
            }
            Asked::Child { .. } => true,
        }
    }

    fn takes(&mut self, visit: &Visit) -> bool {
        let is_elsewhere = self.joint.computer(visit.parent) != self.joint.rank;
        if is_elsewhere {
            self.elsewhere.push(*visit);
        }
        is_elsewhere
    }
}

/// A position as a number.
fn packed(Slot { plane, block, row, column }: Slot) -> u64 {
    u64::from(row) | u64::from(column) << 24 | u64::from(block) << 48 | u64::from(plane) << 56
}

/// The inverse of [`packed`].
fn unpacked(word: u64) -> Slot {
    let part = |at: u32| (word >> at & 0xff_ffff) as u32;
    Slot { plane: (word >> 56) as u8, block: (word >> 48) as u8, row: part(0), column: part(24) }
}

/// A visit as two numbers.
pub fn words_of(visit: &Visit) -> [u64; 2] {
    let [old, new] = [visit.old, visit.new].map(|score| u64::from(score.cast_unsigned()));
    [packed(visit.parent), u64::from(visit.turn) << 16 | old << 8 | new]
}

/// The inverse of [`words_of`] for many.
pub fn visits(words: &[u64]) -> impl Iterator<Item = Visit> {
    words.as_chunks().0.iter().map(|&[parent, rest]| Visit {
        parent: unpacked(parent),
        turn: (rest >> 16) as u32,
        old: ((rest >> 8) as u8).cast_signed(),
        new: (rest as u8).cast_signed(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_come_back() {
        let parent = Slot { plane: 1, block: 48, row: (1 << 24) - 1, column: 0x87_6543 };
        let visit = Visit { parent, turn: u32::MAX, old: -48, new: 7 };
        assert_eq!(unpacked(packed(parent)), parent);
        let words: Vec<u64> = [visit, visit].iter().flat_map(words_of).collect();
        let found: Vec<Visit> = visits(&words).collect();
        assert_eq!(found.len(), 2);
        assert_eq!((found[1].parent, found[1].turn), (parent, u32::MAX));
        assert_eq!((found[1].old, found[1].new), (-48, 7));
    }
}
