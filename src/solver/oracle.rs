//! The slow, obvious solver: positions one by one, moves one by one, over and over.
//!
//! It knows nothing of rows, blocks or half-boards, and next to nothing of Oware: it solves any
//! [`Game`], that is, any finite set of positions with moves that stay in the set or leave it for a
//! known score. It stands beside the fast solver for ever, as what that one has to equal.

use crate::board::Board;
use crate::index::{Layer, Rank};
use crate::moves::legal_moves;
use crate::rules::Rules;
use crate::score::Score;

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It leaves the set of positions; the mover's score is known.
    Leaves(Score),
    /// It leads to another position of the set, where the other player moves.
    Stays(usize),
}

/// A set of positions, numbered from 0, in which two players move in turn.
pub trait Game {
    /// How many positions there are.
    fn positions(&self) -> usize;

    /// The moves of a position. A finished game has a single [`Step::Leaves`].
    fn steps(&self, position: usize) -> Vec<Step>;
}

/// The score of every position when endless play is worth 0.
///
/// From 0 everywhere, `max(known score, −child)` is applied to all positions at once until nothing
/// changes. Positive scores only grow and negative ones only fall on the way, so it ends.
pub fn solve_even_split(game: &impl Game) -> Vec<Score> {
    let mut scores = vec![Score::ZERO; game.positions()];
    loop {
        let better = |position| best(&game.steps(position), &scores);
        let next: Vec<Score> = (0..game.positions()).map(better).collect();
        if next == scores {
            return scores;
        }
        scores = next;
    }
}

fn best(steps: &[Step], scores: &[Score]) -> Score {
    let worth = |step: &Step| match *step {
        Step::Leaves(score) => score,
        Step::Stays(child) => scores[child].after_capture(0),
    };
    steps.iter().map(worth).max().expect("every position has a step")
}

/// One layer of Oware as a [`Game`].
pub struct OwareLayer<'a> {
    /// The sheet.
    pub rules: &'a Rules,
    /// The layer.
    pub layer: Layer,
    /// The scores of all lower layers by number of seeds, in rank order.
    pub lower: &'a [Vec<Score>],
}

impl OwareLayer<'_> {
    fn step(&self, captured: u8, next: &Board) -> Step {
        let rank = |layer: Layer| layer.rank(next).expect("what a move leads to lies in its layer").0 as usize;
        if captured == 0 {
            return Step::Stays(rank(self.layer));
        }
        let lower = Layer::of(self.rules, next.seeds());
        Step::Leaves(self.lower[next.seeds().get()][rank(lower)].after_capture(captured))
    }
}

impl Game for OwareLayer<'_> {
    fn positions(&self) -> usize {
        self.layer.positions() as usize
    }

    fn steps(&self, position: usize) -> Vec<Step> {
        let board = self.layer.position(Rank(position as u64)).expect("a rank of the layer");
        let moves = legal_moves(self.rules, &board);
        if moves.is_empty() {
            return vec![Step::Leaves(board.own_rows())];
        }
        moves.iter().map(|found| self.step(found.captured, &found.next)).collect()
    }
}
