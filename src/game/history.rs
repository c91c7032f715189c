//! Where play has been: the positions of a game up to the present one, and whether that one came
//! back.
//!
//! A position *came back* if it was there since the last capture, with the same player to move. (A
//! capture takes seeds off the board for good, so nothing older can recur.) Whether a position
//! that came back ends the game is a question of the rules: see [`Rules::worth_of_repetition`],
//! which says which positions count.
//!
//! [`Rules::worth_of_repetition`]: crate::game::rules::Rules::worth_of_repetition

use crate::game::board::Board;
use crate::game::moves::Move;
use crate::game::position::Position;

/// The positions of a game, from its start to the present one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// All of them, the present one last.
    positions: Vec<Position>,
    /// The numbers of those that a capture led to.
    captures: Vec<usize>,
}

impl History {
    /// Starts a history with one position.
    pub fn new(start: Position) -> History {
        History { positions: vec![start], captures: Vec::new() }
    }

    /// Returns the present position.
    pub fn position(&self) -> &Position {
        self.positions.last().expect("the start is never taken back")
    }

    /// Returns the positions since the last capture, the present one last.
    pub fn since_capture(&self) -> &[Position] {
        &self.positions[self.last_capture()..]
    }

    /// Returns the number of the position that the last capture led to, counted from 0; without a
    /// capture that of the start.
    pub fn last_capture(&self) -> usize {
        self.captures.last().copied().unwrap_or(0)
    }

    /// Makes a legal move of the present position.
    pub fn push(&mut self, played: &Move) {
        let next = self.position().after(played);
        if played.captured > 0 {
            self.captures.push(self.positions.len());
        }
        self.positions.push(next);
    }

    /// Takes the last move back.
    ///
    /// # Panics
    /// If there is none.
    pub fn pop(&mut self) {
        assert!(self.positions.len() > 1, "no move to take back");
        self.positions.pop();
        if self.captures.last() == Some(&self.positions.len()) {
            self.captures.pop();
        }
    }

    /// Returns how many plies ago the present position was there, the latest time first; nothing if
    /// it did not come back.
    pub fn repeats(&self) -> impl Iterator<Item = usize> + '_ {
        let (present, before) = self.since_capture().split_last().expect("the present position");
        times(before, &present.board)
    }

    /// Returns whether the position that a move leads to would be one that came back.
    pub fn would_repeat(&self, played: &Move) -> bool {
        played.captured == 0 && times(self.since_capture(), &played.next).next().is_some()
    }
}

/// Returns how many plies before the position that follows `path` its board `next` was there with
/// the same player to move, the latest time first: 2, 4, ...
fn times<'h>(path: &'h [Position], next: &'h Board) -> impl Iterator<Item = usize> + 'h {
    let same_player = path.iter().rev().skip(1).step_by(2);
    let ago = (2..).step_by(2).zip(same_player);
    ago.filter(move |(_, earlier)| earlier.board == *next).map(|(ago, _)| ago)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::moves::legal_moves;
    use crate::game::rules::{ABAPA, SHEETS};
    use crate::layer::index::{Layer, Rank};
    use crate::random::Dice;

    fn random_move(
        history: &History,
        rules: &crate::game::rules::Rules,
        dice: &mut Dice,
    ) -> Option<Move> {
        dice.greatest(legal_moves(rules, &history.position().board).iter(), |_| 0)
    }

    /// Against a look at everything that ever stood on the board.
    #[test]
    fn what_came_back_was_there_before() {
        let mut repeated = 0;
        for (rules, seed) in
            SHEETS.into_iter().flat_map(|rules| (0..100).map(move |seed| (rules, seed)))
        {
            let mut dice = Dice::new(seed);
            let layer = Layer::of(rules, crate::game::board::Seeds::new(4).unwrap());
            let board = layer.position(Rank(dice.below(layer.positions()))).unwrap();
            let mut history = History::new(board.into());
            let mut all = vec![*history.position()];
            for _ in 0..60 {
                let Some(played) = random_move(&history, rules, &mut dice) else { break };
                let next = history.position().after(&played);
                let expected: Vec<usize> = (1..)
                    .zip(all.iter().rev())
                    .filter(|(_, earlier)| (earlier.board, earlier.seat) == (next.board, next.seat))
                    .map(|(ago, _)| ago)
                    .collect();
                assert_eq!(history.would_repeat(&played), !expected.is_empty());
                history.push(&played);
                all.push(next);
                assert_eq!(history.repeats().collect::<Vec<_>>(), expected);
                repeated += expected.len();
            }
        }
        assert!(repeated > 500, "{repeated}");
    }

    #[test]
    fn what_is_pushed_is_taken_back() {
        let mut dice = Dice::new(7);
        let mut passed = vec![History::new(Position::INITIAL)];
        while passed.len() < 80
            && let Some(played) = random_move(&passed[passed.len() - 1], &ABAPA, &mut dice)
        {
            let mut next = passed[passed.len() - 1].clone();
            next.push(&played);
            passed.push(next);
        }
        let mut history = passed.pop().unwrap();
        assert!(history.last_capture() > 0);
        for earlier in passed.into_iter().rev() {
            history.pop();
            assert_eq!(history, earlier);
        }
    }
}
