//! Playing it out: does the player who follows our strategy get what the tables promise, against
//! every defence, and with the history that a game really has?
//!
//! [`crate::layer::Strategy`] proves that a claim can be collected. Here it is tried, and by code that
//! knows nothing of stamps and holds: it asks an [`Adviser`] for moves, plays one, and remembers
//! what has stood on the board since the last capture. One player follows the advice, the other,
//! the *defender*, does anything.
//!
//! A [`Claim`] is a position with fresh history, and one of its two players: the mover is promised
//! `low`, the opponent `−high`. A game ends as the rules say, or a cycle is [`Cut`].
//!
//! | | defences | cuts |
//! |---|---|---|
//! | [`prove`], [`worst_outcomes`] | all | anywhere on a cycle, which is the worst of all cuts |
//! | [`worst_on_paths`] | all, for positions with few plays | each |
//! | [`play`] | one | each, through captures to the end of the game |
//! | [`play_many`] | one after the other, at random | each |
//!
//! The first two end at a capture: history is fresh then, so what follows is a claim of its own,
//! in a lower layer. The advice depends on the position alone, so whatever the first finds about a
//! layer and all those below holds for whole games. And if it finds that all claims are collected,
//! every interval is right: each player can see to it that the score does not leave it.

mod defence;
mod every;
mod game;
mod many;
mod paths;

pub use defence::Defence;
#[doc(hidden)]
pub use every::worst_outcomes;
pub use every::{Proved, prove, prove_layer};
pub use game::{Ending, Game, Played, play};
pub use many::{Plan, Shortfall, Summary, Tally, play_many};
#[doc(hidden)]
pub use paths::worst_on_paths;

use serde::{Serialize, Serializer};

use crate::error::Result;
use crate::game::{Board, Interval, Move, Rules, Score, legal_moves};
use crate::probe::Prober;

/// Someone who knows what positions are worth and how to collect it.
///
/// What a position is worth is believed, and held against what the advice brings; that the moves
/// are those of the rules is not.
pub trait Adviser {
    /// The sheet.
    fn rules(&self) -> &'static Rules;

    /// What a position is worth to the mover.
    ///
    /// # Errors
    /// Whatever keeps the adviser from knowing.
    fn interval(&mut self, board: &Board) -> Result<Interval>;

    /// The moves that the strategy may make for the mover's claim, any of them; none if the game is
    /// over. They depend on the position alone.
    ///
    /// # Errors
    /// As [`Adviser::interval`].
    fn advise(&mut self, board: &Board) -> Result<Vec<Move>>;
}

/// Advises the move of the strategy ([`Prober::strategy_move`]).
impl Adviser for Prober {
    fn rules(&self) -> &'static Rules {
        Prober::rules(self)
    }

    fn interval(&mut self, board: &Board) -> Result<Interval> {
        Prober::interval(self, board)
    }

    fn advise(&mut self, board: &Board) -> Result<Vec<Move>> {
        Ok(self.strategy_move(board)?.into_iter().collect())
    }
}

/// Advises every certified move that secures the mover's claim, or the move of the strategy where
/// none is certified. What holds for it shows what certificates are worth: even who takes now this
/// certified move and now that gets what was promised.
pub struct Certified(pub Prober);

impl Adviser for Certified {
    fn rules(&self) -> &'static Rules {
        self.0.rules()
    }

    fn interval(&mut self, board: &Board) -> Result<Interval> {
        self.0.interval(board)
    }

    fn advise(&mut self, board: &Board) -> Result<Vec<Move>> {
        let mut moves = self.0.moves(board)?;
        let low = moves.first().map(|best| best.interval.low);
        moves.retain(|scored| scored.certified && Some(scored.interval.low) == low);
        match moves.is_empty() {
            true => self.0.advise(board),
            false => Ok(moves.iter().map(|scored| scored.played).collect()),
        }
    }
}

/// A player of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// The one who is to move.
    Mover,
    /// The other one.
    Opponent,
}

/// A position and the player who follows the strategy there. As the player keeps the seat, it is
/// also what must come back for a cycle to be closed: the board and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Claim {
    /// The position.
    #[serde(serialize_with = "as_numbers")]
    pub board: Board,
    /// Who follows the strategy.
    pub player: Player,
}

fn as_numbers<S: Serializer>(board: &Board, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    board.houses().serialize(serializer)
}

impl Claim {
    /// What the player secures with fresh history.
    ///
    /// # Errors
    /// As [`Adviser::interval`].
    pub fn promise(&self, adviser: &mut impl Adviser) -> Result<Score> {
        let interval = adviser.interval(&self.board)?;
        Ok(match self.player {
            Player::Mover => interval.low,
            Player::Opponent => interval.high.after_capture(0),
        })
    }

    /// What the player gets if the cycle that the position lies on is cut there; `None` where the
    /// position does not count.
    pub fn worth_of_cut(&self, rules: &Rules) -> Option<Score> {
        match self.player {
            Player::Mover => rules.worth_of_repetition(&self.board),
            Player::Opponent => rules.worth_of_repetition(&self.board.turned()),
        }
    }

    /// What the player's row holds more than the other.
    fn own_rows(&self) -> Score {
        match self.player {
            Player::Mover => self.board.own_rows(),
            Player::Opponent => self.board.turned().own_rows(),
        }
    }

    /// The moves that may be made there: those that are advised, or all. None if the game is over.
    ///
    /// # Panics
    /// If the advice is not legal.
    fn moves(&self, adviser: &mut impl Adviser) -> Result<Vec<Move>> {
        let legal: Vec<Move> = legal_moves(adviser.rules(), &self.board).iter().collect();
        if self.player == Player::Opponent {
            return Ok(legal);
        }
        let advised = adviser.advise(&self.board)?;
        let is_legal = advised.iter().all(|played| legal.contains(played))
            && advised.is_empty() == legal.is_empty();
        assert!(is_legal, "{}: advised are {advised:?}, legal are {legal:?}", self.board);
        Ok(advised)
    }

    /// The claim after a move, whoever makes it.
    fn after(&self, played: &Move) -> Claim {
        let player = match self.player {
            Player::Mover => Player::Opponent,
            Player::Opponent => Player::Mover,
        };
        Claim { board: played.next, player }
    }

    /// What the player gets by a move, whoever makes it, if the rest brings `rest`.
    fn with_capture(&self, played: &Move, rest: Score) -> Score {
        match self.player {
            Player::Mover => Score::new(rest.get() + played.captured as i8),
            Player::Opponent => Score::new(rest.get() - played.captured as i8),
        }
    }
}

/// When a game that goes round is stopped. A *position* is a board and who is to move, and only
/// positions since the last capture matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Cut {
    /// At the first position that counts and occurs for the second time.
    First,
    /// At the first position that counts and occurs for the third time.
    Third,
    /// At any position that counts on a cycle that has been closed: the defender chooses.
    Anywhere,
}

impl Cut {
    /// All of them.
    pub const ALL: [Cut; 3] = [Cut::First, Cut::Third, Cut::Anywhere];
}
