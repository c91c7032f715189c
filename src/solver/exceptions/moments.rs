//! When claims settled, as numbers that can be compared: *moments*.

use crate::game::board::Board;
use crate::game::rules::{Endless, Rules};
use crate::game::score::Score;
use crate::layer::index::{Cell, row_at};
use crate::layer::strategy::{Holds, is_good_for_mover, turn_in_pair};
use crate::solver::plan::LayerPlan;

/// A moment as a number, in the same order.
pub type Number = u64;

/// Bits of a moment within a sweep.
const WITHIN: u32 = 40;

/// What moments of a layer depend on, stamps apart.
#[derive(Clone, Copy)]
pub struct Moments<'a> {
    /// The layer.
    pub plan: &'a LayerPlan<'a>,
    /// Which stamps are holds.
    pub holds: Holds,
}

impl Moments<'_> {
    /// The moment of a move to a position with a stamp, from one that is good for the claim or is
    /// not.
    #[inline(always)]
    pub fn of(&self, stamp: i8, Cell { own, row, column }: Cell, is_good: bool) -> Number {
        let stamp = stamp.cast_unsigned();
        if self.holds.contains(stamp) {
            return Number::from(stamp) << WITHIN | if is_good { 0 } else { 2 };
        }
        let seeds = self.plan.layer.seeds().get();
        let opponent = self.plan.blocks[own].row_lanes[row];
        let step = turn_in_pair(seeds, own, column as u32, opponent);
        let pair = own.min(seeds - own) as Number;
        Number::from(stamp) << WITHIN | pair << 32 | Number::from(step)
    }

    /// Before which moment what is replied in a position with a stamp has to lead.
    pub fn deadline(&self, stamp: i8, here: Cell) -> Number {
        let number = self.of(stamp, here, true);
        let is_hold =
            number & ((1 << WITHIN) - 1) == 0 && self.holds.contains((number >> WITHIN) as u8);
        number + Number::from(is_hold)
    }
}

/// The largest claim about which nothing need be done, in a layer of so many seeds.
pub fn idle(rules: &Rules, seeds: usize) -> i8 {
    match rules.endless {
        Endless::EvenSplit => 0,
        Endless::OwnSide(_) | Endless::Drawn => -(seeds as i8),
    }
}

/// By block of a layer: the largest claim of the mover that a cycle pays which is cut there.
pub fn pays(rules: &Rules, seeds: usize) -> Vec<i8> {
    (0..=seeds).map(|own| pays_in(rules, seeds, own)).collect()
}

/// Whether a position is good depends on the seeds in its rows alone.
fn pays_in(rules: &Rules, seeds: usize, own: usize) -> i8 {
    let board = Board { mover: row_at(own, 0), opponent: row_at(seeds - own, 0) };
    let most = seeds as i8;
    let is_good = |claim: &i8| is_good_for_mover(rules, &board, Score::new(*claim));
    (-most..=most).rev().find(is_good).unwrap_or(i8::MIN)
}
