//! Claims: what one of the two players is promised in a position, and where a cycle is cut.

use super::adviser::Adviser;
use crate::error::Result;
use crate::game::{Board, Endless, Interval, Move, Repetition, Rules, Score, legal_moves};

/// Either player of a position, by whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Player {
    /// The player to move.
    Mover,
    /// The other player.
    Opponent,
}

impl Player {
    pub(super) fn other(self) -> Player {
        match self {
            Player::Mover => Player::Opponent,
            Player::Opponent => Player::Mover,
        }
    }
}

/// What a strategy promises: a position, and the player who follows the strategy there. As the
/// player keeps the seat, it is also what must come back for a cycle to be closed: the board and
/// who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Claim {
    /// The position.
    pub board: Board,
    /// Who follows the strategy.
    pub player: Player,
}

impl Claim {
    /// Returns what the player secures with fresh history if cycles are cut at `cut`.
    ///
    /// # Errors
    /// Whatever the adviser fails with.
    pub fn promise(&self, adviser: &mut impl Adviser, cut: CycleCut) -> Result<Score> {
        match cut {
            CycleCut::First | CycleCut::Third => Ok(self.low(adviser.interval(&self.board)?)),
            CycleCut::Anywhere => self.bound(adviser),
        }
    }

    /// Returns what the player secures wherever a cycle is cut.
    ///
    /// # Errors
    /// Whatever the adviser fails with.
    pub fn bound(&self, adviser: &mut impl Adviser) -> Result<Score> {
        Ok(self.low(adviser.bounds(&self.board)?))
    }

    fn low(&self, interval: Interval) -> Score {
        match self.player {
            Player::Mover => interval.low,
            Player::Opponent => interval.high.after_capture(0),
        }
    }

    /// Returns what the player gets if the cycle that the position lies on is cut there; `None`
    /// where the position does not count.
    pub fn worth_of_cut(&self, rules: &Rules) -> Option<Score> {
        rules.worth_of_repetition(&self.own_view())
    }

    /// Returns how many seeds the player's row holds more than the other.
    pub(super) fn own_rows(&self) -> Score {
        self.own_view().own_rows()
    }

    /// Returns the board as the player sees it.
    fn own_view(&self) -> Board {
        match self.player {
            Player::Mover => self.board,
            Player::Opponent => self.board.turned(),
        }
    }

    /// Returns the moves that may be made there: those that are advised to achieve what was
    /// promised to the mover, or all of the opponent's. Empty if the game is over.
    ///
    /// # Panics
    /// If the advice is not legal.
    pub(super) fn moves(&self, adviser: &mut impl Adviser, promised: Score) -> Result<Vec<Move>> {
        let legal: Vec<Move> = legal_moves(adviser.rules(), &self.board).iter().collect();
        if self.player == Player::Opponent {
            return Ok(legal);
        }
        let advised = adviser.advise(&self.board, promised)?;
        let is_legal = advised.iter().all(|played| legal.contains(played))
            && advised.is_empty() == legal.is_empty();
        assert!(is_legal, "{}: advised are {advised:?}, legal are {legal:?}", self.board);
        Ok(advised)
    }

    /// Returns the claim after a move of either player.
    pub(super) fn after(&self, played: &Move) -> Claim {
        Claim { board: played.next, player: self.player.other() }
    }

    /// Returns the player's result after a move of either player, if the rest yields `rest`.
    pub(super) fn with_capture(&self, played: &Move, rest: Score) -> Score {
        match self.player {
            Player::Mover => Score::new(rest.get() + played.captured as i8),
            Player::Opponent => Score::new(rest.get() - played.captured as i8),
        }
    }
}

/// When a playout that cycles is stopped. A *position* is a board and the player to
/// move, and only positions since the last capture matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum CycleCut {
    /// At the first position that counts and occurs for the second time.
    First,
    /// At the first position that counts and occurs for the third time.
    Third,
    /// At any position that counts on a cycle that has been closed: the defender chooses.
    Anywhere,
}

impl CycleCut {
    /// All cuts.
    pub const ALL: [CycleCut; 3] = [CycleCut::First, CycleCut::Third, CycleCut::Anywhere];

    /// Returns the cuts for which the scores of a sheet hold. Where the first repetition ends the
    /// game they need not hold for a cut anywhere. That those of `abapa` do for the third
    /// occurrence is no theorem, but what has been computed so far; if an empty row counts as well,
    /// that has come to an end for too few layers (`tests/solver/exact.rs`).
    pub fn of(rules: &Rules) -> &'static [CycleCut] {
        match rules.endless {
            Endless::OwnSide(Repetition::First) => &[CycleCut::First, CycleCut::Third],
            Endless::OwnSide(Repetition::FirstOfAny) => &[CycleCut::First],
            Endless::OwnSide(Repetition::Agreed) | Endless::EvenSplit | Endless::Drawn => {
                &CycleCut::ALL
            }
        }
    }
}
