//! A game and what it is worth, `/v1/game`: every position with its score, every move with its
//! judgement.
//!
//! The page draws its list, its graph and its captured totals from this, and needs to know no
//! rules.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::parameters::{self, sheet};
use super::{Answers, Document};
use crate::engine::protocol::Setup;
use crate::error::{Error, Result};
use crate::game::{Ending, Game, House, Interval, Move, Ply, Position, Score, Seat};
use crate::probe::Prober;
use crate::verify::{Judge, Judgement, Scored};

/// A game with its scores and judgements.
#[derive(Serialize)]
pub struct GameAnalysis {
    rules: &'static str,
    positions: Vec<AnalyzedPosition>,
    moves: Vec<AnalyzedMove>,
    /// What ended the game, and what South has in the end more than North.
    ending: Option<Value>,
}

/// A position of the game.
#[derive(Serialize)]
struct AnalyzedPosition {
    #[serde(flatten)]
    position: Position,
    /// The position in the engines' form, from South's seat.
    start: String,
    to_move: Seat,
    /// What the rest is worth to the mover; nothing where there is no table.
    #[serde(flatten)]
    score: Option<Interval>,
    /// The largest score that the layer's table tells apart, if it does not tell all.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<i8>,
    /// The number of the position before that is the same, with no capture since.
    repeats: Option<usize>,
}

/// A move of the game.
#[derive(Serialize)]
struct AnalyzedMove {
    #[serde(rename = "move")]
    letter: char,
    #[serde(flatten)]
    played: Move,
    /// Nothing where a table is missing.
    judgement: Option<Scored>,
}

/// Analyzes a game while it is played.
pub struct Analyzer {
    judge: Judge,
    /// The game so far.
    pub(super) game: Game,
    analysis: GameAnalysis,
}

impl Analyzer {
    /// Begins a game by the sheet of a prober.
    ///
    /// # Errors
    /// Whatever is wrong with a table that is there.
    pub fn new(mut prober: Prober, start: Position) -> Result<Analyzer> {
        let game = Game::new(prober.rules(), start);
        let positions = vec![AnalyzedPosition::of(&mut prober, &game, 0)?];
        let (rules, moves, ending) = (prober.rules().id, Vec::new(), None);
        let analysis = GameAnalysis { rules, positions, moves, ending };
        Ok(Analyzer { judge: Judge::new(prober), game, analysis })
    }

    /// Makes a move and returns whether it is legal. A game may go on after a repetition, which
    /// the players may not have noticed; history is fresh then.
    ///
    /// # Errors
    /// As [`Analyzer::new`].
    pub fn play(&mut self, house: House) -> Result<bool> {
        self.game.go_on();
        let judgement = match self.judge.judge(&self.game, house)? {
            Judgement::Illegal => return Ok(false),
            Judgement::Unknown => None,
            Judgement::Scored(scored) => Some(scored),
        };
        let ply = Ply { seat: self.game.seat(), house };
        let played = self.game.play(ply)?;
        let letter = ply.seat.letter(house);
        self.analysis.moves.push(AnalyzedMove { letter, played, judgement });
        let number = self.analysis.moves.len();
        let position = AnalyzedPosition::of(self.judge.prober(), &self.game, number)?;
        self.analysis.positions.push(position);
        Ok(true)
    }

    /// Returns the analysis of the moves so far.
    pub fn finish(mut self) -> GameAnalysis {
        let end = |(reason, margin): (Ending, Score)| {
            let south = match self.game.seat() {
                Seat::South => margin.get(),
                Seat::North => -margin.get(),
            };
            json!({"reason": reason, "margin": south})
        };
        self.analysis.ending = self.game.over().map(end);
        self.analysis
    }
}

impl AnalyzedPosition {
    /// Looks up the present position of a game, the one after `number` moves.
    fn of(prober: &mut Prober, game: &Game, number: usize) -> Result<AnalyzedPosition> {
        let position = *game.position();
        Ok(AnalyzedPosition {
            position,
            start: position.to_string(),
            to_move: position.seat,
            score: score(prober, game)?,
            range: prober.range(position.board.seeds())?.clamp_end(),
            repeats: game.history().repeats().next().map(|ago| number - ago),
        })
    }
}

/// Returns what the rest of the game is worth to the mover: what is paid if a repetition has ended
/// it, else what the tables say; `None` if a table is missing.
fn score(prober: &mut Prober, game: &Game) -> Result<Option<Interval>> {
    if let Some((Ending::Repetition, margin)) = game.over() {
        let rest = margin.get() - game.ahead().get();
        return Ok(Some(Interval::exact(Score::new(rest))));
    }
    match prober.interval(game.board()) {
        Ok(interval) => Ok(Some(interval)),
        Err(Error::MissingTable { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The parameters of `GET /v1/game`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameParams {
    board: Option<String>,
    rules: Option<String>,
    #[serde(default)]
    moves: String,
}

impl Answers {
    /// Answers `GET /v1/game`: every position of a game with its score, every move with its
    /// judgement.
    ///
    /// # Errors
    /// As [`Answers::query`].
    pub fn game(&self, params: GameParams) -> Result<Document> {
        let rules = sheet(params.rules.as_deref())?;
        let setup = parameters::setup(params.board.as_deref())?;
        // Its moves are legal.
        setup.game(rules)?;
        let prober = Prober::new(&self.tables, rules);
        Ok(Document::of(&analyze(prober, &setup, &params.moves)?))
    }
}

fn analyze(prober: Prober, setup: &Setup, moves: &str) -> Result<GameAnalysis> {
    let mut analyzer = Analyzer::new(prober, setup.start)?;
    for ply in &setup.moves {
        analyzer.play(ply.house)?;
    }
    for played in parameters::moves(moves) {
        let (house, wrong) = played?;
        if !analyzer.play(house)? {
            return Err(wrong(&format!("it is not legal in {}", analyzer.game.position())));
        }
    }
    Ok(analyzer.finish())
}
