//! One layer of Oware as a game that the oracles solve.

use oware_db::game::{Board, Endless, Interval, Repetition, Rules, Score, Seeds, legal_moves};
use oware_db::layer::{Arena, Attained, LINE, Layer, Marks, Plane, Rank, Solved};
use oware_db::solver::game_graph::{GameGraph, OwnSide, Step};

use super::{Finite, solve_drawn, solve_even_split, solve_own_side};

/// One layer of Oware as a [`Finite`] game.
pub struct OwareLayer<'a> {
    /// The sheet.
    pub rules: &'a Rules,
    /// The layer.
    pub layer: Layer,
    /// The scores of all lower layers by number of seeds, in rank order.
    pub lower: &'a [Vec<Interval>],
}

impl OwareLayer<'_> {
    /// Returns the bounds of all scores, whatever the sheet says of play without end.
    pub fn solve(&self) -> Vec<Interval> {
        match self.rules.endless {
            Endless::EvenSplit => solve_even_split(self).into_iter().map(Interval::exact).collect(),
            Endless::OwnSide(_) => solve_own_side(self),
            Endless::Drawn => solve_drawn(self, self.layer.seeds()),
        }
    }

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

impl Finite for OwareLayer<'_> {
    fn positions(&self) -> usize {
        self.layer.positions() as usize
    }
}

impl GameGraph for OwareLayer<'_> {
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

/// The layers of 0..=`most` seeds, as a solver gives them that knows no strategies and settles
/// nothing.
pub fn solved(rules: &Rules, most: usize) -> Vec<Solved> {
    let mut lower = Vec::new();
    let layers = Seeds::new(most).unwrap().up_to().map(|seeds| {
        let game = OwareLayer { rules, layer: Layer::of(rules, seeds), lower: &lower };
        let bounds = game.solve();
        let solved = game.solved(&bounds);
        lower.push(bounds);
        solved
    });
    layers.collect()
}

impl OwareLayer<'_> {
    fn solved(&self, bounds: &[Interval]) -> Solved {
        let plane = |bound: fn(&Interval) -> Score| {
            Plane::of_scores(self.layer, bounds.iter().map(|interval| bound(interval).get()))
        };
        let (low, high) = (plane(|interval| interval.low), plane(|interval| interval.high));
        let high = Some(high).filter(|high| *high != low);
        let [first, second] =
            [|interval: &Interval| interval.low, |interval: &Interval| interval.high]
                .map(|bound| self.attained(bounds, bound));
        let attained = Attained::new(first, high.as_ref().map(|_| second));
        Solved { low, high, exceptions: None, attained: Some(attained), knots: None }
    }

    /// Where a bound is that of a capture, or of the end of the game.
    fn attained(&self, bounds: &[Interval], bound: fn(&Interval) -> Score) -> Marks {
        let mut marks = Marks::none(&Arena::default(), self.layer).unwrap();
        for (position, wanted) in bounds.iter().enumerate() {
            let attains = |step: &Step| match step {
                Step::Leaves(interval) => bound(interval) == bound(wanted),
                Step::Stays(_) => false,
            };
            if self.steps(position).iter().any(attains) {
                let cell = self.layer.cell_at(Rank(position as u64)).unwrap();
                let line = marks.blocks().shape(cell.own).line(cell.row, cell.column);
                marks.words_mut(cell.own)[line] |= 1 << (cell.column % LINE);
            }
        }
        marks
    }
}
