//! What the engine makes of a position: `/v1/search`.
//!
//! Tables know what a position is worth; the engine estimates it, and so has an answer above the
//! tables, too.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Deserialize;

use super::parameters::{self, at_most, sheet};
use super::{Answers, Document};
use crate::engine::level::Level;
use crate::engine::protocol::Setup;
use crate::engine::search::{Engine, SearchLimits, SearchResult};
use crate::error::{Error, Result};
use crate::game::{Game, Ply, Position, Rules};
use crate::json::estimate::{EstimatedMove, EstimatedPosition, as_move, estimate, of_every_move};
use crate::random::Dice;

/// Default and maximum search depth in plies.
const DEPTH: usize = 16;
const DEEPEST: usize = 48;
/// Default time in milliseconds.
const TIME: usize = 1000;

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
    level: Option<u8>,
    seed: Option<u64>,
}

/// A search to be done.
pub struct Search {
    game: Game,
    /// Whether it is known what was captured.
    has_stores: bool,
    depth: u32,
    /// How long it may take.
    pub time: Duration,
    every_move: bool,
    level: Level,
    /// Says what a level that errs draws.
    seed: u64,
}

impl Search {
    /// Reads what is asked, in at most `longest`.
    ///
    /// # Errors
    /// As [`Answers::query`].
    pub fn new(params: &SearchParams, longest: Duration) -> Result<Search> {
        let rules = sheet(params.rules.as_deref())?;
        let setup = parameters::setup(params.board.as_deref())?;
        let longest = longest.as_millis() as usize;
        let time = at_most("time", params.time, TIME.min(longest), longest)?;
        let level = level(params)?;
        Ok(Search {
            level,
            seed: params.seed.unwrap_or_default(),
            game: replay(rules, &setup, &params.moves)?,
            has_stores: setup.start.stores.is_some(),
            depth: at_most("depth", params.depth, DEPTH, DEEPEST)?.max(1) as u32,
            time: Duration::from_millis(time as u64),
            every_move: params.every_move,
        })
    }

    /// Searches, until `stop` ends it at once; `left` says how much time is left, as things are.
    /// However short that is, something is found.
    pub fn run(
        &self,
        answers: &Answers,
        stop: &AtomicBool,
        left: impl Fn() -> Duration + Sync,
    ) -> Document {
        if self.game.over().is_some() {
            return Document::of(&self.document(None, Vec::new()));
        }
        Document::of(&answers.transpositions.with(|transpositions| {
            transpositions.clear();
            let engine = Engine::new(Some(&answers.tables), transpositions, 1);
            if self.every_move { self.every(&engine, stop, left) } else { self.best(engine, stop) }
        }))
    }

    /// Looks for the best move, or for that of a level.
    fn best(&self, engine: Engine, stop: &AtomicBool) -> EstimatedPosition {
        let (limits, dice) = (self.limits(0, self.time), &mut Dice::new(self.seed));
        let level = self.level;
        let found = level.think(engine, &self.game, &limits, stop, dice, &mut |_| ());
        self.document(found.as_ref(), Vec::new())
    }

    /// Looks at one move after the other.
    fn every(
        &self,
        engine: &Engine,
        stop: &AtomicBool,
        left: impl Fn() -> Duration,
    ) -> EstimatedPosition {
        let limits = |moves: u32| self.limits(1, left() / moves);
        let found = of_every_move(engine, &self.game, stop, limits);
        let moves = found.iter().map(|found| as_move(found, &self.game)).collect();
        self.document(found.first(), moves)
    }

    /// Returns the limits of a look after this many moves more.
    fn limits(&self, made: u32, time: Duration) -> SearchLimits {
        let depth = self.depth.max(made + 1) - made;
        SearchLimits { depth, time: Some(time), nodes: u64::MAX }
    }

    fn document(
        &self,
        found: Option<&SearchResult>,
        moves: Vec<EstimatedMove>,
    ) -> EstimatedPosition {
        let line = found.map_or(&[][..], |found| &found.line);
        let position = *self.game.position();
        let stores = position.stores.filter(|_| self.has_stores);
        EstimatedPosition {
            rules: self.game.rules().id,
            position: Position { stores, ..position },
            estimate: found.map(|found| estimate(found, &self.game)),
            mean_error: None,
            best: line.first().map(|ply| ply.house).into_iter().collect(),
            line: line.iter().map(|ply| ply.seat.letter(ply.house)).collect(),
            moves,
        }
    }
}

/// Reads the level of play; without one the best move is asked for.
fn level(params: &SearchParams) -> Result<Level> {
    let Some(number) = params.level else { return Ok(Level::BEST) };
    if params.every_move {
        return Err(Error::Usage(
            "`level` and `every_move` exclude each other; send one of them".to_owned(),
        ));
    }
    let unknown = || Error::Usage("the parameter `level` must be a number from 1 to 5".to_owned());
    Level::new(number).ok_or_else(unknown)
}

/// Returns the game after some moves. It may go on after a repetition, with fresh history.
fn replay(rules: &'static Rules, setup: &Setup, moves: &str) -> Result<Game> {
    let mut game = Game::new(rules, setup.start);
    for &ply in &setup.moves {
        game.go_on();
        game.play(ply)?;
    }
    for played in parameters::moves(moves) {
        game.go_on();
        game.play(Ply { seat: game.seat(), house: played?.0 })?;
    }
    Ok(game)
}
