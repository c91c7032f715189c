//! What the engine makes of a position: `GET /v1/search`.
//!
//! Tables know what a position is worth; the engine estimates it, and so has an answer above the
//! tables, too. A search takes a processor for as long as it may, so they go by [turns](Turn): each
//! client has one at a time, all clients as many as half of the processors. When a turn is over, or
//! the server stops, the answer is what has been found; when the client leaves, there is none.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};

use super::caller::Caller;
use super::failure::Failure;
use super::params::{Params, at_most, missing_board, sheet};
use super::stages::{Follower, Stage};
use super::state::AppState;
use super::turns::Turn;
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
pub struct SearchDocument {
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

/// `GET /v1/search`: what the engine makes of a position, or of a game so far.
pub async fn search(
    State(state): State<Arc<AppState>>,
    Extension(caller): Extension<Caller>,
    Params(params): Params<SearchParams>,
) -> Result<Json<SearchDocument>, Failure> {
    let rules = sheet(params.rules.as_deref())?;
    let start = params.board.as_deref().ok_or_else(missing_board)?.parse()?;
    let game = replay(rules, start, &params.moves)?;
    let longest = state.limits.search.as_millis() as usize;
    let depth = at_most("depth", params.depth, DEPTH, DEEPEST)?.max(1) as u32;
    let time = at_most("time", params.time, TIME.min(longest), longest)?;
    let time = Duration::from_millis(time as u64);
    let turn = Arc::new(turn(&state, &caller, time).await?);
    let stop = Stop::default();
    let every_move = params.every_move;
    let task = Task { game, depth, time, every_move, stop: stop.0.clone(), turn: turn.clone() };
    let mut work = tokio::task::spawn_blocking(move || task.run(&state));
    let found = tokio::select! {
        found = &mut work => found,
        () = until_over(&turn, &caller.stage) => {
            drop(stop);
            work.await
        }
    };
    found.map(Json).map_err(|error| Failure::internal(error.to_string()))
}

/// Waits for a turn.
async fn turn(state: &AppState, caller: &Caller, time: Duration) -> Result<Turn, Failure> {
    let turn = tokio::select! {
        turn = state.searches.take(caller.client, time) => turn,
        () = caller.stage.reached(Stage::Closing) => return Err(Failure::stopping()),
    };
    turn.map_err(|wait| {
        let message = "too many searches wait for their turn; try again when Retry-After says";
        Failure::busy_for(wait, message)
    })
}

async fn until_over(turn: &Turn, stage: &Follower) {
    tokio::select! {
        () = turn.over() => {}
        () = stage.reached(Stage::Closing) => {}
    }
}

/// Ends a search when it is dropped, as it is when nobody waits for the answer any more.
#[derive(Default)]
struct Stop(Arc<AtomicBool>);

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
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

/// A search to be done.
struct Task {
    game: Game,
    depth: u32,
    time: Duration,
    every_move: bool,
    stop: Arc<AtomicBool>,
    turn: Arc<Turn>,
}

/// What a search has found: the worth to the mover, plies looked ahead, the line.
struct Found {
    worth: Worth,
    depth: u32,
    line: Vec<Ply>,
}

impl Task {
    fn run(&self, state: &AppState) -> SearchDocument {
        state.transpositions.with(|transpositions| {
            transpositions.clear();
            let engine = Engine::new(Some(&state.tables), transpositions, 1);
            if self.every_move { self.every(&engine) } else { self.best(&engine) }
        })
    }

    /// Looks for the best move.
    fn best(&self, engine: &Engine) -> SearchDocument {
        let over = self.game.over().is_some();
        let found = if over { None } else { self.think(engine, &self.game, self.depth, self.time) };
        self.document(found, Vec::new())
    }

    /// Looks at one move after the other.
    fn every(&self, engine: &Engine) -> SearchDocument {
        if self.game.over().is_some() {
            return self.document(None, Vec::new());
        }
        let legal = legal_moves(self.game.rules(), self.game.board());
        let mut moves: Vec<(Move, Found)> = (0..)
            .zip(legal.iter())
            .map(|(at, played)| {
                let share = self.turn.left() / (legal.len() as u32 - at);
                (played, self.after(engine, &played, share))
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
    fn after(&self, engine: &Engine, played: &Move, time: Duration) -> Found {
        let own = Ply { seat: self.game.seat(), house: played.house };
        let mut next = self.game.clone();
        next.make(played);
        let found = match next.over() {
            Some((_, margin)) => Found { worth: Worth::result(margin), depth: 0, line: Vec::new() },
            None => self.think(engine, &next, self.depth.max(2) - 1, time).unwrap_or_else(|| {
                Found { worth: Worth::result(next.ahead()), depth: 0, line: Vec::new() }
            }),
        };
        let line = std::iter::once(own).chain(found.line).collect();
        Found { worth: -found.worth, depth: found.depth + 1, line }
    }

    /// Looks at a game for a while. However short that is, something is found.
    fn think(&self, engine: &Engine, game: &Game, depth: u32, time: Duration) -> Option<Found> {
        let limits = SearchLimits { depth, time: Some(time), nodes: u64::MAX };
        let found = engine.think(game, &limits, &self.stop, &mut |_| ())?;
        Some(Found { worth: found.worth, depth: found.depth, line: found.line })
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
