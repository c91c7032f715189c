//! Endless play is worth 0: one plane of scores, iterated until it stands still.

use super::{GameGraph, Step};
use crate::game::score::Score;

/// The score of every position when endless play is worth 0. Steps that leave must be exact.
///
/// From 0 everywhere, `max(known score, −child)` is applied to all positions at once until nothing
/// changes. Positive scores only grow and negative ones only fall on the way, so it ends.
pub fn solve_even_split(game: &impl GameGraph) -> Vec<Score> {
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
        Step::Leaves(interval) => interval.value().expect("an even split leaves no doubt"),
        Step::Stays(child) => scores[child].after_capture(0),
    };
    steps.iter().map(worth).max().expect("every position has a step")
}
