//! Who wins the game, and moves that change it.

use crate::game::{Board, Endless, Interval, Rules, Seeds, Stores};

/// Who wins the game, seeds captured before included; seen by the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Outcome {
    /// The mover.
    Win,
    /// Neither player.
    Draw,
    /// The opponent.
    Loss,
    /// The bounds leave it open, or it is not known what has been captured.
    Undecided,
}

impl Outcome {
    /// Returns who wins a game of `game` seeds, 48 as a rule, from `board`, whose rest is worth
    /// `interval`. The player who ends with more seeds wins, because all are captured or divided in
    /// the end. If seeds are missing from board and stores, the winner is undecided. Where endless
    /// play is drawn nothing else is: a player who cannot be kept from a majority wins, and if
    /// there is none the game is drawn.
    pub fn of(
        rules: &Rules,
        game: Seeds,
        board: &Board,
        stores: Stores,
        interval: Interval,
    ) -> Outcome {
        if board.seeds().get() + stores.seeds() != game.get() {
            return Outcome::Undecided;
        }
        let ahead = i16::from(stores.mover) - i16::from(stores.opponent);
        match (ahead + i16::from(interval.low.get()), ahead + i16::from(interval.high.get())) {
            (1.., _) => Outcome::Win,
            (_, ..0) => Outcome::Loss,
            (0, 0) => Outcome::Draw,
            _ => match rules.endless {
                Endless::Drawn => Outcome::Draw,
                Endless::EvenSplit | Endless::OwnSide(_) => Outcome::Undecided,
            },
        }
    }
}

/// A result of the game that a single move throws away, such as a win for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ThrownAway {
    /// A win becomes a loss.
    WinToLoss,
    /// A win becomes a draw.
    WinToDraw,
    /// A draw becomes a loss.
    DrawToLoss,
}

impl ThrownAway {
    /// Returns the result that a move throws away; `None` where it makes nothing worse, or that is
    /// not sure.
    pub fn between(before: Outcome, after: Outcome) -> Option<ThrownAway> {
        match (before, after) {
            (Outcome::Win, Outcome::Loss) => Some(ThrownAway::WinToLoss),
            (Outcome::Win, Outcome::Draw) => Some(ThrownAway::WinToDraw),
            (Outcome::Draw, Outcome::Loss) => Some(ThrownAway::DrawToLoss),
            _ => None,
        }
    }

    /// Returns a clause for people, as in `a win becomes a draw`.
    pub const fn sentence(self) -> &'static str {
        match self {
            ThrownAway::WinToLoss => "a win becomes a loss",
            ThrownAway::WinToDraw => "a win becomes a draw",
            ThrownAway::DrawToLoss => "a draw becomes a loss",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{ABAPA, MASTERS_DRAWN, Score};

    #[test]
    fn outcomes_follow_from_both_bounds_if_no_seed_is_missing() {
        let board = Board::new([0, 0, 0, 0, 1, 2, 1, 0, 0, 0, 3, 0]).unwrap();
        let by = |rules, mover, opponent, low, high| {
            let interval = Interval { low: Score::new(low), high: Score::new(high) };
            Outcome::of(rules, Seeds::MAX, &board, Stores { mover, opponent }, interval)
        };
        let outcome = |mover, opponent, low, high| by(&ABAPA, mover, opponent, low, high);
        assert_eq!(outcome(20, 21, 2, 4), Outcome::Win);
        assert_eq!(outcome(20, 21, 1, 1), Outcome::Draw);
        assert_eq!(outcome(20, 21, -3, 0), Outcome::Loss);
        for (low, high) in [(1, 3), (0, 3), (0, 1)] {
            assert_eq!(outcome(20, 21, low, high), Outcome::Undecided);
            assert_eq!(by(&MASTERS_DRAWN, 20, 21, low, high), Outcome::Draw);
        }
        assert_eq!(outcome(20, 20, 2, 4), Outcome::Undecided);
        assert_eq!(by(&MASTERS_DRAWN, 20, 20, -4, 4), Outcome::Undecided);
        assert_eq!(by(&MASTERS_DRAWN, 21, 20, 0, 4), Outcome::Win);
    }

    #[test]
    fn only_what_is_sure_is_thrown_away() {
        use Outcome::{Draw, Loss, Undecided, Win};
        assert_eq!(ThrownAway::between(Win, Draw), Some(ThrownAway::WinToDraw));
        assert_eq!(ThrownAway::between(Win, Loss), Some(ThrownAway::WinToLoss));
        assert_eq!(ThrownAway::between(Draw, Loss), Some(ThrownAway::DrawToLoss));
        for (before, after) in
            [(Win, Win), (Loss, Loss), (Win, Undecided), (Undecided, Loss), (Draw, Win)]
        {
            assert_eq!(ThrownAway::between(before, after), None);
        }
    }
}
