//! A move of a game against the tables.
//!
//! # What a move is worth
//!
//! The position gets what its best move does, bound by bound. A move is worth what the table says
//! of the position it leads to, with one exception: **a move that closes a cycle is worth what the
//! rules pay there and then**. It leads to a position that was there since the last capture, with
//! the same player to move. Where each player keeps their own row, that ends the game as soon as
//! both rows hold seeds (Brettspielnetz ends it by itself at the first repetition; the English
//! source assumes a cycle "when the same board happens again"), or with an empty row as well where
//! the sheet counts any repetition; with an even split it is worth 0, and where endless play is a
//! draw, what makes the totals equal.
//! The move that was played and all others are scored alike.
//!
//! Only the cycle that the move itself closes is looked at. Other quiet moves keep their table's
//! interval, which is proved for fresh history; so only a *certified* one is sure to bring its
//! lower end ([`crate::probe::ScoredMove::certified`]).
//!
//! Scores that a search has settled, because the first repetition decides them, need more care.
//! Where a move leads to one, a player is credited with what was promised when history was last
//! fresh for as long as they make the strategy's moves, and the opponent with the rest; besides
//! that, bounds count that hold wherever a cycle is cut. A child's own score stands only while
//! history is fresh, in positions that play cannot return to ([`crate::probe`]).
//!
//! # Verdicts
//!
//! With `[low, high]` for the position and for the move, `min = max(0, low − high of the move)` is
//! given away for sure. `max = high − low of the move` is the most that the tables allow; where the
//! move is not certified, the cycle it invites may cost more. A best move gives nothing away. Where a
//! table is clamped ([`crate::game::ScoreRange`]) best moves need not be worth the same, so their `max`
//! is that of others, unless there is only one move.
//!
//! | verdict | the move |
//! |---|---|
//! | best | is certified and its low is the position's, as `oware query` marks; or is the only one |
//! | safe | gives away nothing for sure, but may |
//! | loses | gives away at least one seed |
//!
//! A record may go on after a repetition, since the players need not have noticed, or wanted to
//! stop. Its moves are judged as if the position that came back began a new count
//! ([`Game::go_on`]).

use std::fmt;

#[cfg(feature = "serde")]
use serde::Serialize;
#[cfg(feature = "serde")]
use serde::ser::{SerializeStruct, Serializer};

use crate::error::{Error, Result};
use crate::game::{Board, Game, House, Interval, Rules, Score, Seeds, final_score, legal_moves};
use crate::probe::{Prober, ScoredMove, ScoredMoves, best_of};

use super::outcome::{Outcome, ThrownAway};

/// How good a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Verdict {
    /// Among the best.
    Best,
    /// Gives away nothing for sure, but may.
    Safe,
    /// Gives away at least one seed.
    Loses,
}

impl Verdict {
    /// Returns the word that JSON documents have for it.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Best => "best",
            Verdict::Safe => "safe",
            Verdict::Loses => "loses",
        }
    }
}

/// Seeds of score given away; as JSON the two numbers in a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(into = "[u8; 2]"))]
pub struct Loss {
    /// For sure.
    pub min: u8,
    /// At most, as far as the tables tell.
    pub max: u8,
}

impl From<Loss> for [u8; 2] {
    fn from(loss: Loss) -> [u8; 2] {
        [loss.min, loss.max]
    }
}

impl fmt::Display for Loss {
    /// `3`, or `1 to 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.min == self.max {
            write!(f, "{}", self.min)
        } else {
            write!(f, "{} to {}", self.min, self.max)
        }
    }
}

/// The score of a legal move by the tables, and that of the best one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scored {
    /// How good it is.
    pub verdict: Verdict,
    /// What it gives away; of a best move nothing for sure, and nothing at all if scores are full.
    pub loss: Loss,
    /// What the position was worth to the mover.
    pub before: Interval,
    /// What it is worth after the move, to the same player, seeds captured by it included.
    pub after: Interval,
    /// The best moves: those that are certified to bring the position's low, or if none is, those
    /// with the best interval.
    pub better: Vec<House>,
    /// Who won before.
    pub outcome: Outcome,
    /// Who wins after the move; seen by the same player.
    pub outcome_after: Outcome,
    /// Whether the move closes a cycle.
    pub closes_cycle: bool,
}

impl Scored {
    /// Returns the result that the move throws away.
    pub fn thrown_away(&self) -> Option<ThrownAway> {
        ThrownAway::between(self.outcome, self.outcome_after)
    }
}

#[cfg(feature = "serde")]
impl Serialize for Scored {
    /// Writes what the API says of a move: `verdict`, `loss`, `better` and `turn`, the result that
    /// the move throws away.
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Scored", 4)?;
        object.serialize_field("verdict", &self.verdict)?;
        object.serialize_field("loss", &self.loss)?;
        object.serialize_field("better", &self.better)?;
        object.serialize_field("turn", &self.thrown_away())?;
        object.end()
    }
}

/// The judgement of a move: illegal, unknown to the tables, or scored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It is not legal.
    Illegal,
    /// A table is missing, for the position or for what a move leads to.
    Unknown,
    /// It is scored.
    Scored(Scored),
}

impl Judgement {
    /// Returns the word that JSON documents have for it.
    pub const fn name(&self) -> &'static str {
        match self {
            Judgement::Illegal => "illegal",
            Judgement::Unknown => "unknown",
            Judgement::Scored(scored) => scored.verdict.name(),
        }
    }
}

/// Judges moves against the tables, for a single thread.
pub struct Judge {
    prober: Prober,
    /// The layers whose table was asked for and is missing.
    missing: [bool; Seeds::MAX.get() + 1],
}

impl Judge {
    /// Returns a judge that asks `prober`.
    pub fn new(prober: Prober) -> Judge {
        Judge { prober, missing: [false; _] }
    }

    /// Returns the sheet.
    pub fn rules(&self) -> &'static Rules {
        self.prober.rules()
    }

    /// Returns what it asks.
    #[cfg(feature = "answers")]
    pub(crate) fn prober(&mut self) -> &mut Prober {
        &mut self.prober
    }

    /// The seeds of the games that clamped tables decide.
    pub(super) fn game(&mut self) -> Option<Seeds> {
        // A damaged table is an error when it is needed.
        self.prober.game().ok().flatten()
    }

    /// Judges the move that empties `house` of the player to move.
    ///
    /// # Errors
    /// Whatever is wrong with a table that is there. One that is missing is no error.
    pub fn judge(&mut self, game: &Game, house: House) -> Result<Judgement> {
        let legal = legal_moves(self.rules(), game.board());
        if !legal.iter().any(|played| played.house == house) {
            return Ok(Judgement::Illegal);
        }
        if legal.iter().any(|played| self.is_known_to_be_missing(&played.next)) {
            return Ok(Judgement::Unknown);
        }
        match self.prober.moves_in_game(game.history()) {
            Ok(moves) => {
                // Of scores that no clamped table has a hand in.
                let is_full = moves.iter().all(|scored| scored.range.is_none())
                    && self.prober.range(game.board().seeds())?.is_full();
                let seeds = self.prober.game_of(game.position())?;
                Ok(Judgement::Scored(judged(game, seeds, moves, house, is_full)))
            }
            Err(Error::MissingTable { seeds, .. }) => {
                self.missing[seeds] = true;
                Ok(Judgement::Unknown)
            }
            Err(error) => Err(error),
        }
    }

    /// Whether the table of a child has been missing before: spares a look at the directory for
    /// every move far outside the tables.
    fn is_known_to_be_missing(&self, child: &Board) -> bool {
        self.missing[child.seeds().get()] && final_score(self.rules(), child).is_none()
    }

    /// Returns a line of best play from a position, as letters: `A`..`F` of the player to move,
    /// `a`..`f` of the other. History is not looked at.
    ///
    /// # Errors
    /// As [`Prober::line`].
    pub fn line(&mut self, board: &Board, limit: usize) -> Result<Vec<char>> {
        Ok(self.prober.line(board, limit)?.letters().collect())
    }
}

/// The judgement of a legal move in a game of so many seeds, from what the tables say of all moves;
/// `is_full` if no table is clamped.
fn judged(
    game: &Game,
    seeds: Seeds,
    mut moves: ScoredMoves,
    house: House,
    is_full: bool,
) -> Scored {
    let closes_cycle = close_cycles(game, &mut moves, house);
    let played = *moves.iter().find(|scored| scored.played.house == house).expect("a legal move");
    let before = best_of(&moves).expect("a legal move");
    let better = best_moves(&moves, before);
    let is_only = moves.len() == 1;
    let is_best = is_only || (played.certified && played.interval.low == before.low);
    let loss = match is_only || (is_best && is_full) {
        true => Loss::default(),
        false => loss(before, played.interval),
    };
    let verdict = match loss {
        _ if is_best => Verdict::Best,
        Loss { min: 0, .. } => Verdict::Safe,
        Loss { .. } => Verdict::Loses,
    };
    let outcome =
        |interval| Outcome::of(game.rules(), seeds, game.board(), game.stores(), interval);
    Scored {
        verdict,
        loss,
        before,
        after: played.interval,
        better,
        outcome: outcome(before),
        outcome_after: outcome(played.interval),
        closes_cycle,
    }
}

/// Scores moves that close a cycle by the rules. Returns whether that of `house` is one of them.
fn close_cycles(game: &Game, moves: &mut [ScoredMove], house: House) -> bool {
    let mut closes = false;
    for scored in moves {
        if let Some(worth) = game.worth_of_repetition(&scored.played) {
            scored.interval = Interval::exact(worth);
            // It is paid at once: nothing can come in between.
            scored.certified = true;
            closes |= scored.played.house == house;
        }
    }
    closes
}

/// The moves that are certified to bring the position's low; if there are none, those with the best
/// interval.
fn best_moves(moves: &[ScoredMove], before: Interval) -> Vec<House> {
    let keeping = || moves.iter().filter(|scored| scored.interval.low == before.low);
    let rank = |scored: &ScoredMove| match scored.certified {
        true => (true, Score::ZERO),
        false => (false, scored.interval.high),
    };
    let most = keeping().map(rank).max();
    let best = keeping().filter(|scored| Some(rank(scored)) == most);
    let mut best: Vec<House> = best.map(|scored| scored.played.house).collect();
    best.sort_unstable();
    best
}

/// What is given away, for sure and at most.
fn loss(before: Interval, after: Interval) -> Loss {
    let given = |from: Score, to: Score| (i16::from(from.get()) - i16::from(to.get())).max(0) as u8;
    Loss { min: given(before.low, after.high), max: given(before.high, after.low) }
}
