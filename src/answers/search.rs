//! What the engine makes of a position: `/v1/search`.
//!
//! Tables know what a position is worth; the engine estimates it, and so has an answer above the
//! tables, too.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::parameters::{at_most, missing_board, sheet};
use super::{Answers, Document};
use crate::engine::search::{Engine, SearchLimits, Worth};
use crate::error::{Error, Result};
use crate::game::{Ending, Game, House, Move, Ply, Position, Rules, legal_moves, parse_house};
use crate::verify::Outcome;

/// Plies looked ahead if nobody says how many, and at most.
const DEPTH: usize = 16;
const DEEPEST: usize = 48;
/// Milliseconds to take if nobody says how many.
const TIME: usize = 1000;
/// Moves of a game before the search at most.
const LONGEST: usize = 1000;

/// The parameters of `GET /v1/search`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchParams {
    board: Option<String>,
    rules: Option<String>,
    #[serde(default)]
    moves: String,
    depth: Option<usize>,
    time: Option<usize>,
    #[serde(default)]
    every_move: bool,
}

/// The document of `GET /v1/search`.
#[derive(Serialize)]
struct SearchDocument {
    rules: &'static str,
    #[serde(flatten)]
    position: Position,
    /// What the rest may be worth to the mover, in seeds; nothing after the end of the game.
    #[serde(flatten)]
    estimate: Option<Estimate>,
    best: Vec<House>,
    /// Letters, upper case for South.
    line: Vec<char>,
    /// Of every move, if that was asked for.
    moves: Vec<EstimatedMove>,
}

/// What the engine makes of a position or a move.
#[derive(Clone, Copy, Debug, Serialize)]
struct Estimate {
    /// Seeds that the mover may still get minus those that the opponent may.
    estimate: f64,
    /// Who wins the game, where the search has seen that.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
    /// Plies looked ahead.
    depth: u32,
}

#[derive(Serialize)]
struct EstimatedMove {
    #[serde(flatten)]
    played: Move,
    #[serde(flatten)]
    estimate: Estimate,
}

/// A search to be done.
pub struct Search {
    game: Game,
    depth: u32,
    time: Duration,
    every_move: bool,
}

/// What a search may take.
pub struct Allowed<'a> {
    /// Ends it at once.
    pub stop: &'a AtomicBool,
    /// How much time is left, as things are.
    pub left: &'a (dyn Fn() -> Duration + Sync),
}

impl Search {
    /// Reads what is asked, in at most `longest`.
    ///
    /// # Errors
    /// As [`Answers::query`].
    pub fn new(params: &SearchParams, longest: Duration) -> Result<Search> {
        let rules = sheet(params.rules.as_deref())?;
        let start = params.board.as_deref().ok_or_else(missing_board)?.parse()?;
        let longest = longest.as_millis() as usize;
        let time = at_most("time", params.time, TIME.min(longest), longest)?;
        Ok(Search {
            game: replay(rules, start, &params.moves)?,
            depth: at_most("depth", params.depth, DEPTH, DEEPEST)?.max(1) as u32,
            time: Duration::from_millis(time as u64),
            every_move: params.every_move,
        })
    }

    /// Returns how long it may take.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// Searches. However short that is, something is found.
    pub fn run(&self, answers: &Answers, allowed: &Allowed) -> Document {
        Document::of(&answers.transpositions.with(|transpositions| {
            transpositions.clear();
            let engine = Engine::new(Some(&answers.tables), transpositions, 1);
            if self.every_move { self.every(&engine, allowed) } else { self.best(&engine, allowed) }
        }))
    }

    /// Looks for the best move.
    fn best(&self, engine: &Engine, allowed: &Allowed) -> SearchDocument {
        let over = self.game.over().is_some();
        let found =
            if over { None } else { think(engine, allowed, &self.game, self.limits(0, self.time)) };
        self.document(found, Vec::new())
    }

    /// Looks at one move after the other.
    fn every(&self, engine: &Engine, allowed: &Allowed) -> SearchDocument {
        if self.game.over().is_some() {
            return self.document(None, Vec::new());
        }
        let legal = legal_moves(self.game.rules(), self.game.board());
        let mut moves: Vec<(Move, Found)> = (0..)
            .zip(legal.iter())
            .map(|(at, played)| {
                let share = (allowed.left)() / (legal.len() as u32 - at);
                (played, self.after(engine, allowed, &played, share))
            })
            .collect();
        moves.sort_by_key(|(_, found)| std::cmp::Reverse(found.worth));
        let estimated = |(played, found): &(Move, Found)| EstimatedMove {
            played: *played,
            estimate: self.estimate(found),
        };
        let estimates = moves.iter().map(estimated).collect();
        self.document(moves.into_iter().next().map(|(_, found)| found), estimates)
    }

    /// Looks at what comes after a move.
    fn after(&self, engine: &Engine, allowed: &Allowed, played: &Move, time: Duration) -> Found {
        let own = Ply { seat: self.game.seat(), house: played.house };
        let mut next = self.game.clone();
        next.make(played);
        let found = match next.over() {
            Some((_, margin)) => Found { worth: Worth::result(margin), depth: 0, line: Vec::new() },
            None => think(engine, allowed, &next, self.limits(1, time)).unwrap_or_else(|| Found {
                worth: Worth::result(next.ahead()),
                depth: 0,
                line: Vec::new(),
            }),
        };
        let line = std::iter::once(own).chain(found.line).collect();
        Found { worth: -found.worth, depth: found.depth + 1, line }
    }

    /// Returns the limits of a look after so many moves more.
    fn limits(&self, made: u32, time: Duration) -> SearchLimits {
        let depth = self.depth.max(made + 1) - made;
        SearchLimits { depth, time: Some(time), nodes: u64::MAX }
    }

    fn estimate(&self, found: &Found) -> Estimate {
        let outcome = match found.worth {
            worth if worth.is_won() => Some(Outcome::Win),
            worth if (-worth).is_won() => Some(Outcome::Loss),
            _ => None,
        };
        let rest = found.worth.hundredths() - 100 * i32::from(self.game.ahead().get());
        Estimate { estimate: f64::from(rest) / 100.0, outcome, depth: found.depth }
    }

    fn document(&self, found: Option<Found>, moves: Vec<EstimatedMove>) -> SearchDocument {
        let line = found.as_ref().map_or(&[][..], |found| &found.line);
        SearchDocument {
            rules: self.game.rules().id,
            position: *self.game.position(),
            estimate: found.as_ref().map(|found| self.estimate(found)),
            best: line.first().map(|ply| ply.house).into_iter().collect(),
            line: line.iter().map(|ply| ply.seat.letter(ply.house)).collect(),
            moves,
        }
    }
}

/// Looks at a game for a while. However short that is, something is found.
fn think(engine: &Engine, allowed: &Allowed, game: &Game, limits: SearchLimits) -> Option<Found> {
    let found = engine.think(game, &limits, allowed.stop, &mut |_| ())?;
    Some(Found { worth: found.worth, depth: found.depth, line: found.line })
}

/// What a search has found: the worth to the mover, plies looked ahead, the line.
struct Found {
    worth: Worth,
    depth: u32,
    line: Vec<Ply>,
}

/// Returns the game after some moves. It may go on after a repetition, with fresh history.
fn replay(rules: &'static Rules, start: Position, moves: &str) -> Result<Game> {
    let mut game = Game::new(rules, start);
    for (number, letter) in (1..).zip(moves.chars()) {
        let illegal = |why: String| Error::Usage(format!("move {number}, `{letter}`: {why}"));
        let house = parse_house(letter.encode_utf8(&mut [0; 4]));
        let house = house.ok_or_else(|| illegal("houses are A to F".to_owned()))?;
        if number > LONGEST {
            return Err(illegal(format!("a game has at most {LONGEST} moves here")));
        }
        if matches!(game.over(), Some((Ending::Repetition, _))) {
            game = Game::new(rules, *game.position());
        }
        game.play(Ply { seat: game.seat(), house })?;
    }
    Ok(game)
}
