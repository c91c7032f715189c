//! Who has a move to whom, and what moves bring.

use rustc_hash::FxHashMap;

use super::sowings::{Sowings, Sown};
use super::visit::{Asked, Slot, Visit};
use crate::game::board::Side;
use crate::game::rules::Harvest;
use crate::game::sowing::Sowing;
use crate::layer::index::row_rank;
use crate::layer::strategy::turn_in_pair;
use crate::solver::kernel::{Limit, NONE};
use crate::solver::plan::{Meeting, OUTSIDE, Passage, quiet_against_empty_row};
use crate::solver::sweep::{Field, Sweep};

/// Scores as they were before the pair began to change.
pub type Late = FxHashMap<Slot, i8>;

/// The positions of a layer.
pub struct Family<'a> {
    /// What a sweep computes.
    pub sweep: &'a Sweep<'a>,
    planes: usize,
    sowings: Sowings,
}

impl<'a> Family<'a> {
    /// The positions that a sweep of so many planes computes.
    pub fn new(sweep: &'a Sweep<'a>, planes: usize) -> Family<'a> {
        let sowings = Sowings::new(sweep.plan.rules, sweep.plan.layer.seeds());
        Family { sweep, planes, sowings }
    }

    /// The pair that a block belongs to.
    pub fn pair(&self, own: usize) -> usize {
        own.min(self.sweep.plan.opponent(own))
    }

    /// Whether a score is of the plane whose changes are stamped, or all are.
    pub fn is_last_plane(&self, slot: Slot) -> bool {
        usize::from(slot.plane) + 1 == self.planes
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

    /// What a position becomes when a move brings `worth`, which is more than it brought; `None` if
    /// it is no better for it.
    pub fn raised(&self, slot: Slot, worth: i8, score: i8) -> Option<i8> {
        let most = match self.limit(slot) {
            Limit::Free | Limit::Above { .. } | Limit::AtLeastOld | Limit::AtLeastBound => worth,
            Limit::Below { .. } => worth.min(self.bound(slot)),
        };
        (most > score).then_some(most)
    }

    /// The score of a position from what its moves leave the opponent at best.
    pub fn computed(&self, slot: Slot, negated: i8, old: i8, field: &Field) -> i8 {
        let bound = || self.bound(slot);
        match self.limit(slot) {
            Limit::Free => -negated,
            Limit::Above { most } => (-negated).min(old).min(most).max(bound()),
            Limit::Below { least } => (-negated).max(old).max(least).min(bound()),
            Limit::AtLeastOld => (-negated).max(old),
            Limit::AtLeastBound => (-negated).max(Slot { plane: 0, ..slot }.score(field)),
        }
    }

    /// What a visit from outside its pair asks for, if anything.
    pub fn asked(&self, visit: &Visit, field: &Field) -> Option<Asked> {
        let (slot, score) = (visit.parent, visit.parent.score(field));
        let (before, after) = (-visit.old, -visit.new);
        if after > before {
            self.raised(slot, after, score).map(Asked::Better)
        } else if is_held_up(score, before, after) {
            Some(Asked::Anew(self.least_outside(slot, field, &Late::default())))
        } else {
            None
        }
    }

    /// What the best home move of a position leaves the opponent.
    pub fn least_at_home(&self, slot: Slot, field: &Field) -> i8 {
        let (plan, own) = (self.sweep.plan, usize::from(slot.block));
        let (plane, block) = (self.other_plane(slot), plan.opponent(own) as u8);
        let column = plan.blocks[own].row_lanes[slot.row as usize];
        let rows = plan.blocks[own].home_rows(slot.column as usize).iter();
        let scores = rows.map(|&row| Slot { plane, block, row, column }.score(field));
        scores.min().unwrap_or(NONE)
    }

    /// What the best capture or crossing move of a position leaves the opponent.
    pub fn least_outside(&self, slot: Slot, field: &Field, late: &Late) -> i8 {
        let (sweep, own) = (self.sweep, usize::from(slot.block));
        let (plan, column) = (&sweep.plan.blocks[own], slot.column as usize);
        let (opponent, lane) = (sweep.plan.opponent(own), plan.row_lanes[slot.row as usize]);
        let side = sweep.plan.sides(opponent)[lane as usize];
        let captures = sweep.captures_of(usize::from(slot.plane));
        let mut least =
            captures.map_or(NONE, |captures| captures.score(own, column, lane as usize));
        for found in plan.moves(column) {
            let passage = plan.passage(found);
            let crossed = usize::from(passage.crossing.seeds);
            let Meeting::Quiet(landed) = passage.meet(sweep.plan.rules, side) else { continue };
            if crossed == 0 {
                continue;
            }
            let (plane, block) = (self.other_plane(slot), (opponent + crossed) as u8);
            let child = Slot { plane, block, row: found.row, column: row_rank(landed) as u32 };
            let late = if block == slot.block { late.get(&child) } else { None };
            least = least.min(late.copied().unwrap_or_else(|| child.score(field)));
        }
        least
    }

    /// Gives every position with a home move to a changed one.
    pub fn home_parents(&self, slot: Slot, (old, new): (i8, i8), mut give: impl FnMut(Visit)) {
        let (plan, block) = (self.sweep.plan, usize::from(slot.block));
        let own = plan.opponent(block);
        let row = plan.blocks[own].lane_rows[slot.column as usize];
        if row == OUTSIDE {
            return;
        }
        let (after, before) = (self.opponent_side(slot), plan.sides(block)[slot.column as usize]);
        for sown in self.sowings.crossing(0) {
            let Some(side) = sown.taken_back(after) else { continue };
            if before.is_empty() && !self.is_quiet(sown, (side, after), before) {
                continue;
            }
            let column = row_rank(side) as u32;
            let parent = Slot { plane: self.other_plane(slot), block: own as u8, row, column };
            give(Visit { parent, turn: self.turn(own, column, slot.column), old, new });
        }
    }

    /// Gives every position of the wanted pairs with a quiet move to a changed one with which seeds
    /// cross.
    pub fn crossing_parents(
        &self,
        slot: Slot,
        (old, new): (i8, i8),
        is_wanted: impl Fn(usize) -> bool,
        mut give: impl FnMut(Visit),
    ) {
        let (plan, block) = (self.sweep.plan, usize::from(slot.block));
        let after = self.opponent_side(slot);
        let mut before = plan.sides(block)[slot.column as usize];
        for crossed in 1..=block {
            let house = (crossed - 1) % before.0.len();
            let Some(count) = before.0[house].checked_sub(1) else { return };
            before.0[house] = count;
            let own = plan.opponent(block) + crossed;
            if !is_wanted(self.pair(own)) {
                continue;
            }
            let lane = row_rank(before);
            let row = plan.blocks[own].lane_rows[lane];
            if row == OUTSIDE {
                continue;
            }
            for sown in self.sowings.crossing(crossed) {
                let Some(side) = sown.taken_back(after) else { continue };
                if self.is_quiet(sown, (side, after), before) {
                    let (plane, column) = (self.other_plane(slot), row_rank(side) as u32);
                    let parent = Slot { plane, block: own as u8, row, column };
                    give(Visit { parent, turn: self.turn(own, column, lane as u32), old, new });
                }
            }
        }
    }

    /// The row of the player who is not to move.
    fn opponent_side(&self, slot: Slot) -> Side {
        let (plan, block) = (self.sweep.plan, usize::from(slot.block));
        let lane = plan.blocks[block].row_lanes[slot.row as usize];
        plan.sides(plan.opponent(block))[lane as usize]
    }

    /// Whether a sowing that makes the mover's row `side` to `after` is legal and captures nothing,
    /// against the opponent's row as it was before.
    fn is_quiet(&self, sown: &Sown, (side, after): (Side, Side), before: Side) -> bool {
        let rules = self.sweep.plan.rules;
        let passage = match rules.harvest {
            Harvest::LastHouses => sown.passage,
            Harvest::Opposite => Passage::of(rules, Sowing { own: after, crossing: sown.crossing }),
        };
        let is_legal =
            || !before.is_empty() || quiet_against_empty_row(rules, side)[sown.house.index()];
        matches!(passage.meet(rules, before), Meeting::Quiet(_)) && is_legal()
    }

    /// When in its pair a position is computed.
    fn turn(&self, own: usize, own_rank: u32, opponent_rank: u32) -> u32 {
        turn_in_pair(self.sweep.plan.layer.seeds().get(), own, own_rank, opponent_rank)
    }
}

/// Whether a move that brought `before` and brings `after` now may be the one that held up a score.
pub fn is_held_up(score: i8, before: i8, after: i8) -> bool {
    before >= score && score > after
}
