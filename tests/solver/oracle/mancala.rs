//! One layer of another game as a game that the oracles solve.

use std::collections::BTreeMap;

use oware_db::game::mancala::{Outcome, Placement};
use oware_db::game::{Interval, Score};
use oware_db::layer::general::GeneralLayer;
use oware_db::solver::game_graph::{GameGraph, Step};

use super::Finite;

/// One layer of another game as a [`Finite`] game.
pub struct MancalaLayer<'a> {
    /// The layer.
    pub layer: GeneralLayer,
    /// The scores of all lower layers by number of seeds, in rank order.
    pub lower: &'a BTreeMap<usize, Vec<Interval>>,
}

impl MancalaLayer<'_> {
    fn step(&self, outcome: &Outcome) -> Step {
        if !outcome.leaves_layer() {
            return Step::Stays(self.layer.rank(&outcome.next) as usize);
        }
        let (low, high) = outcome.bounds(self.below(&outcome.next));
        Step::Leaves(Interval { low: Score::new(low), high: Score::new(high) })
    }

    fn below(&self, next: &Placement) -> (i8, i8) {
        let lower = self.layer.with_seeds(next.seeds());
        let interval = self.lower[&next.seeds()][lower.rank(next) as usize];
        (interval.low.get(), interval.high.get())
    }
}

impl Finite for MancalaLayer<'_> {
    fn positions(&self) -> usize {
        self.layer.positions() as usize
    }
}

impl GameGraph for MancalaLayer<'_> {
    fn steps(&self, position: usize) -> Vec<Step> {
        let placement = self.layer.placement(position as u64);
        let sheet = self.layer.sheet();
        match sheet.final_score(&placement) {
            Some(score) => vec![Step::Leaves(Interval::exact(Score::new(score)))],
            None => sheet.outcomes(&placement).iter().map(|outcome| self.step(outcome)).collect(),
        }
    }
}
