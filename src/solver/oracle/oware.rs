//! One layer of Oware as a game that the oracles solve.

use super::{GameGraph, OwnSide, Step};
use crate::game::board::Board;
use crate::game::moves::legal_moves;
use crate::game::rules::{Endless, Repetition, Rules};
use crate::game::score::{Interval, Score};
use crate::layer::index::{Layer, Rank};

/// One layer of Oware as a [`GameGraph`].
pub struct OwareLayer<'a> {
    /// The sheet.
    pub rules: &'a Rules,
    /// The layer.
    pub layer: Layer,
    /// The scores of all lower layers by number of seeds, in rank order.
    pub lower: &'a [Vec<Interval>],
}

impl OwareLayer<'_> {
    fn board(&self, position: usize) -> Board {
        self.layer.position(Rank(position as u64)).expect("a rank of the layer")
    }

    fn step(&self, captured: u8, next: &Board) -> Step {
        let rank = |layer: Layer| {
            layer.rank(next).expect("what a move leads to lies in its layer").0 as usize
        };
        if captured == 0 {
            return Step::Stays(rank(self.layer));
        }
        let lower = Layer::of(self.rules, next.seeds());
        Step::Leaves(self.lower[next.seeds().get()][rank(lower)].after_capture(captured))
    }
}

impl GameGraph for OwareLayer<'_> {
    fn positions(&self) -> usize {
        self.layer.positions() as usize
    }

    fn steps(&self, position: usize) -> Vec<Step> {
        let board = self.board(position);
        let moves = legal_moves(self.rules, &board);
        if moves.is_empty() {
            return vec![Step::Leaves(Interval::exact(board.own_rows()))];
        }
        moves.iter().map(|found| self.step(found.captured, &found.next)).collect()
    }
}

impl OwnSide for OwareLayer<'_> {
    fn own_rows(&self, position: usize) -> Option<Score> {
        let board = self.board(position);
        // Any other sheet may be solved as if rows were kept, to compare.
        let repetition = match self.rules.endless {
            Endless::OwnSide(repetition) => repetition,
            Endless::EvenSplit | Endless::Drawn => Repetition::Agreed,
        };
        repetition.counts(&board).then(|| board.own_rows())
    }
}
