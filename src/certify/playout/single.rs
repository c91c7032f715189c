//! A single game, played to its very end.

use super::adviser::Adviser;
use super::claim::{Claim, CycleCut, Player};
use super::defence::Defence;
use crate::error::Result;
use crate::game::{History, House, Move, Position, Rules, Score, Seat};
use crate::random::Dice;

/// Everything that a game depends on besides the adviser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Scenario {
    /// Where it starts, with fresh history, and for whom.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub claim: Claim,
    /// When it is stopped if it cycles.
    pub cut: CycleCut,
    /// Who plays against the strategy.
    pub defence: Defence,
    /// The seed of the dice.
    pub seed: u64,
}

/// How a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum PlayoutEnd {
    /// There was no legal move.
    GameOver,
    /// A cycle was cut.
    Cycle,
}

/// A game that has been played out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playout {
    /// The most that the player was promised at any time, what had been captured by then included.
    ///
    /// That is more than the promise at the start if the defender made mistakes. Bounds bind even
    /// where history was not fresh: they never decrease along a play, and are the same all the way
    /// round a cycle. Scores that only a search has settled bind where history was fresh.
    pub promise: Score,
    /// What the player got in all.
    pub score: Score,
    /// How it ended.
    pub ending: PlayoutEnd,
    /// The houses that were emptied, by both in turn.
    pub moves: Vec<House>,
}

impl Playout {
    /// Returns what the player got beyond what was promised; below 0 the promise was broken.
    pub fn margin(&self) -> i8 {
        self.score.get() - self.promise.get()
    }
}

/// Moves without a capture that no game can have: long before, a position is repeated.
const ENDLESS: usize = 20_000;

/// Plays a game. Among several moves that are advised the dice decide.
///
/// # Errors
/// Whatever the adviser fails with.
///
/// # Panics
/// If the game does not end, or a move that is advised is not legal.
pub fn play(adviser: &mut impl Adviser, scenario: &Scenario) -> Result<Playout> {
    let (dice, history) = (Dice::new(scenario.seed), History::new(scenario.claim.board.into()));
    let mut state = State { scenario, dice, history, captured: Score::ZERO };
    let mut moves = Vec::new();
    let mut promised = scenario.claim.promise(adviser, scenario.cut)?;
    let mut promise = promised;
    let (ending, rest) = loop {
        let claim = state.claim();
        if let Some(worth) = state.cut(adviser.rules()) {
            break (PlayoutEnd::Cycle, worth);
        }
        let State { dice, history, .. } = &mut state;
        let played = match claim.player {
            Player::Mover => dice.greatest(claim.moves(adviser, promised)?, |_| 0),
            Player::Opponent => scenario.defence.choose(adviser, &claim, history, dice)?,
        };
        let Some(played) = played else { break (PlayoutEnd::GameOver, claim.own_rows()) };
        moves.push(played.house);
        state.push(&claim, &played);
        if played.captured > 0 {
            promised = state.claim().promise(adviser, scenario.cut)?;
            promise = promise.max(state.total(promised));
        }
        promise = promise.max(state.total(state.claim().bound(adviser)?));
    };
    Ok(Playout { promise, score: state.total(rest), ending, moves })
}

/// A game in progress. The mover of its start sits South.
struct State<'a> {
    scenario: &'a Scenario,
    dice: Dice,
    history: History,
    /// What the player has captured more than the defender.
    captured: Score,
}

impl State<'_> {
    /// Returns the present position as a claim of the player's.
    fn claim(&self) -> Claim {
        self.claim_in(self.history.position())
    }

    fn claim_in(&self, position: &Position) -> Claim {
        let player = self.scenario.claim.player;
        let player = if position.seat == Seat::South { player } else { player.other() };
        Claim { board: position.board, player }
    }

    fn total(&self, rest: Score) -> Score {
        Score::new(self.captured.get() + rest.get())
    }

    fn push(&mut self, claim: &Claim, played: &Move) {
        self.captured = claim.with_capture(played, self.captured);
        self.history.push(played);
        let plies = self.history.since_capture().len();
        assert!(plies <= ENDLESS, "a game without an end: {:?}", self.scenario);
    }

    /// Returns what the player gets for what is left if the game stops at the present position.
    fn cut(&mut self, rules: &Rules) -> Option<Score> {
        let first = self.history.repeats().last()?;
        let third = self.history.repeats().nth(1).is_some();
        match self.scenario.cut {
            CycleCut::First => self.claim().worth_of_cut(rules),
            CycleCut::Third if third => self.claim().worth_of_cut(rules),
            CycleCut::Third => None,
            // All that has been passed since lies on a closed cycle.
            CycleCut::Anywhere if third || self.dice.below(2) == 0 => {
                let cycle = self.history.since_capture().iter().rev().take(first);
                cycle.filter_map(|position| self.claim_in(position).worth_of_cut(rules)).min()
            }
            CycleCut::Anywhere => None,
        }
    }
}
