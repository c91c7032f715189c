//! Which positions have moves to which: children by making moves, parents by taking sowings back;
//! and what a position is worth after a child has changed.
//!
//! No list of parents is kept: they come from arithmetic on half-boards. Only quiet moves are
//! followed; what captures bring is a constant.

use super::ground::Ground;
use super::order::turn_in_pair;
use super::sowings::{Sowings, Sown};
use super::visit::{Asked, Changed, Slot, Visit};
use crate::game::board::Side;
use crate::game::rules::Harvest;
use crate::game::sowing::Sowing;
use crate::layer::index::{row_rank, rows};
use crate::solver::kernel::{Change, Limit, NONE};
use crate::solver::plan::{LayerPlan, Meeting, OUTSIDE, Passage, quiet_against_empty_row};
use crate::solver::sweep::Sweep;

/// The positions of a layer.
pub struct Family<'a> {
    sweep: &'a Sweep<'a>,
    plan: &'a LayerPlan<'a>,
    planes: usize,
    sowings: Sowings,
}

impl<'a> Family<'a> {
    /// The positions that a sweep of this many planes computes.
    pub fn new(sweep: &'a Sweep<'a>, planes: usize) -> Family<'a> {
        let plan = sweep.plan;
        let sowings = Sowings::new(plan.rules, plan.layer.seeds());
        Family { sweep, plan, planes, sowings }
    }

    /// How many turns a pair has at most.
    pub fn turns(&self) -> usize {
        let seeds = self.plan.layer.seeds().get();
        (2 * rows(seeds)).max(4 * rows(seeds / 2))
    }

    /// What a score may be.
    fn limit(&self, slot: Slot) -> Limit {
        self.sweep.limit(slot.plane.into(), slot.block.into())
    }

    /// The plane that a plane is computed from.
    fn other_plane(&self, slot: Slot) -> u8 {
        self.planes as u8 - 1 - slot.plane
    }

    /// What a position becomes when a move brings `worth`, which is more than it brought; `None` if
    /// it is no better for it.
    fn raised(&self, slot: Slot, worth: i8, score: i8, ground: &impl Ground) -> Option<i8> {
        let most = match self.limit(slot) {
            Limit::Free | Limit::Above { .. } => worth,
            Limit::Below { .. } => worth.min(ground.bound(slot)),
        };
        (most > score).then_some(most)
    }

    /// What a visit from outside its pair asks for, if anything.
    pub fn asked(&self, visit: &Visit, ground: &impl Ground) -> Option<Asked> {
        let (slot, score) = (visit.parent, ground.score(visit.parent));
        let (before, after) = (-visit.old, -visit.new);
        if after > before {
            self.raised(slot, after, score, ground).map(Asked::Better)
        } else if is_held_up(score, before, after) {
            Some(Asked::Anew(self.least_outside(slot, ground)))
        } else {
            None
        }
    }

    /// What a position is worth that is asked for, if that may have changed.
    pub fn answer(&self, slot: Slot, asked: Asked, score: i8, ground: &impl Ground) -> Option<i8> {
        let anew = |outside: i8| {
            let negated = outside.min(self.least_at_home(slot, ground));
            Some(self.limit(slot).apply(-negated, || score, || ground.bound(slot)))
        };
        match asked {
            Asked::Better(worth) => Some(worth),
            Asked::Anew(outside) => anew(outside),
            Asked::Child { old, new } if new < old => self.raised(slot, -new, score, ground),
            Asked::Child { old, new } if is_held_up(score, -old, -new) => {
                anew(self.least_outside(slot, ground))
            }
            Asked::Child { .. } => None,
        }
    }

    /// What the best home move of a position leaves the opponent.
    fn least_at_home(&self, slot: Slot, ground: &impl Ground) -> i8 {
        self.home_children(slot).map(|child| ground.score(child)).min().unwrap_or(NONE)
    }

    /// The positions that home moves of one lead to.
    pub fn home_children(&self, slot: Slot) -> impl Iterator<Item = Slot> {
        let (plan, own) = (self.plan, usize::from(slot.block));
        let (plane, block) = (self.other_plane(slot), plan.opponent(own) as u8);
        let column = plan.blocks[own].row_lanes[slot.row as usize];
        let rows = plan.blocks[own].half.home_rows(slot.column as usize).iter();
        rows.map(move |&row| Slot { plane, block, row, column })
    }

    /// What the best capture or crossing move of a position leaves the opponent.
    fn least_outside(&self, slot: Slot, ground: &impl Ground) -> i8 {
        let mut least = ground.captures(slot);
        self.crossing_children(slot, |child| least = least.min(ground.child(child, slot)));
        least
    }

    /// Gives every position that a crossing move of one leads to.
    pub fn crossing_children(&self, slot: Slot, mut give: impl FnMut(Slot)) {
        let own = usize::from(slot.block);
        let (plan, opponent) = (&self.plan.blocks[own], self.plan.opponent(own));
        let side = self.opponent_side(slot);
        for found in plan.half.moves(slot.column as usize) {
            let crossed = usize::from(found.passage.crossing.seeds);
            let Meeting::Quiet(landed) = found.passage.meet(self.plan.rules, side) else {
                continue;
            };
            if crossed == 0 {
                continue;
            }
            let (plane, block) = (self.other_plane(slot), (opponent + crossed) as u8);
            give(Slot { plane, block, row: found.row, column: row_rank(landed) as u32 });
        }
    }

    /// The visits that a dense sweep has left to do which made some changes: it has made those itself
    /// for which it had still to come.
    pub fn visits_left(&self, changes: &[Change]) -> Vec<Visit> {
        let changed = changes.iter().map(|change| (Slot::of(change), change.old, change.new));
        self.visits_along_crossings(changed, |from, to| to <= from)
    }

    /// The visits to all who have a crossing move to what has changed.
    pub fn visits_of(&self, changed: &[Changed]) -> Vec<Visit> {
        self.visits_along_crossings(changed.iter().copied(), |_, _| true)
    }

    /// The visits to those who have a crossing move to what has changed, from a pair to a pair, as
    /// far as they are wanted.
    fn visits_along_crossings(
        &self,
        changed: impl Iterator<Item = Changed>,
        is_wanted: impl Fn(usize, usize) -> bool,
    ) -> Vec<Visit> {
        let mut visits = Vec::new();
        for (slot, old, new) in changed {
            let from = self.plan.pair(slot.block.into());
            let is_wanted = |to| is_wanted(from, to);
            self.crossing_parents(slot, (old, new), is_wanted, |visit| visits.push(visit));
        }
        visits
    }

    /// Gives every position with a home move to a changed one.
    pub fn home_parents(&self, slot: Slot, (old, new): (i8, i8), mut give: impl FnMut(Visit)) {
        let (plan, block) = (self.plan, usize::from(slot.block));
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
    fn crossing_parents(
        &self,
        slot: Slot,
        (old, new): (i8, i8),
        is_wanted: impl Fn(usize) -> bool,
        mut give: impl FnMut(Visit),
    ) {
        let (plan, block) = (self.plan, usize::from(slot.block));
        let after = self.opponent_side(slot);
        let mut before = plan.sides(block)[slot.column as usize];
        for crossed in 1..=block {
            let house = (crossed - 1) % before.0.len();
            let Some(count) = before.0[house].checked_sub(1) else { return };
            before.0[house] = count;
            let own = plan.opponent(block) + crossed;
            if !is_wanted(plan.pair(own)) {
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
        self.plan.opponent_side(slot.block.into(), slot.row as usize)
    }

    /// Whether a sowing that makes the mover's row `side` to `after` is legal and captures nothing,
    /// against the opponent's row as it was before.
    fn is_quiet(&self, sown: &Sown, (side, after): (Side, Side), before: Side) -> bool {
        let rules = self.plan.rules;
        let passage = match rules.harvest {
            Harvest::LastHouses => sown.passage,
            Harvest::Opposite => {
                Passage::of(rules, Sowing { own: after, crossing: sown.passage.crossing })
            }
        };
        let is_legal =
            || !before.is_empty() || quiet_against_empty_row(rules, side)[sown.house.index()];
        matches!(passage.meet(rules, before), Meeting::Quiet(_)) && is_legal()
    }

    /// When in its pair a position is computed.
    fn turn(&self, own: usize, own_rank: u32, opponent_rank: u32) -> u32 {
        turn_in_pair(self.plan.layer.seeds().get(), own, own_rank, opponent_rank)
    }
}

/// Whether a move that brought `before` and brings `after` now may be the one that held up a score.
pub fn is_held_up(score: i8, before: i8, after: i8) -> bool {
    before >= score && score > after
}
