//! A game and what it is worth, `/v1/game`: every position with its score, every move with its
//! judgement.
//!
//! The page draws its list, its graph and its captured totals from this, and needs to know no
//! rules.

use serde::{Deserialize, Serialize};

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
    ending: Option<GameEnd>,
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

/// What ended the game, and what South has in the end more than North.
#[derive(Serialize)]
struct GameEnd {
    reason: &'static str,
    margin: Score,
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
        self.analysis.ending = GameEnd::of(&self.game);
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

impl GameEnd {
    fn of(game: &Game) -> Option<GameEnd> {
        let (ending, margin) = game.over()?;
        let margin = match game.seat() {
            Seat::South => margin,
            Seat::North => Score::new(-margin.get()),
        };
        Some(GameEnd { reason: ending.name(), margin })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ABAPA;
    use crate::probe::Tables;
    use serde_json::{Value, json};

    /// A game without any table.
    fn analyzed(start: &str, moves: &str) -> Result<Value> {
        let tables = Tables::open_early("no directory of that name").unwrap();
        let setup = Setup::at(start.parse().unwrap());
        let found = analyze(Prober::new(&tables, &ABAPA), &setup, moves)?;
        Ok(serde_json::to_value(found).unwrap())
    }

    fn analysis(start: &str, moves: &str) -> Value {
        analyzed(start, moves).unwrap()
    }

    #[test]
    fn captures_are_counted_for_who_makes_them() {
        for (start, letter, next) in [
            ("0-0-0-0-0-1-1-0-0-0-0-3-20-23-S", "F", "0-0-0-0-0-0-0-0-0-0-0-3-22-23-N"),
            ("1-0-0-0-0-3-0-0-0-0-0-1-20-23-N", "f", "0-0-0-0-0-3-0-0-0-0-0-0-20-25-S"),
        ] {
            let game = analysis(start, "F");
            assert_eq!(
                (&game["moves"][0]["move"], &game["positions"][1]["start"]),
                (&json!(letter), &json!(next))
            );
        }
    }

    #[test]
    fn endings_are_seen_from_souths_side() {
        let ending = |start, moves| analysis(start, moves)["ending"].clone();
        assert_eq!(
            ending("1-0-0-0-0-3-0-0-0-0-0-1-20-23-N", "F"),
            json!({"reason": "decided", "margin": -5})
        );
        assert_eq!(ending("0-0-0-0-0-0-1-2-0-0-0-0-20-25-S", "")["reason"], "decided");
        assert_eq!(
            ending("0-0-0-0-0-0-1-2-0-0-0-0-22-23-S", ""),
            json!({"reason": "no_move", "margin": -4})
        );
        assert_eq!(ending("0-0-0-0-0-1-1-0-0-0-0-3-20-23-S", ""), Value::Null);
    }

    #[test]
    fn a_cycle_names_the_position_that_came_back_and_may_be_played_on() {
        let moves = "CbEaDbEeAcBdDeCfEaDbCcBdFaAcBdEbDeEdCcEeDdEeFfCaDcEdFfBaCbDcEeFfAaBbCd";
        let start = "0-3-1-1-1-0-1-3-0-1-1-0-18-18-S";
        let game = analysis(start, moves);
        assert_eq!(
            (&game["ending"]["reason"], &game["positions"][70]["repeats"]),
            (&json!("repetition"), &json!(58))
        );
        assert!((0..70).all(|at| game["positions"][at]["repeats"].is_null()));
        // South has captured one seed more than North, and its row holds one less.
        let (at, margin) = (&game["positions"][70], &game["ending"]["margin"]);
        assert_eq!(
            (&at["low"], &at["stores"], margin),
            (&json!(-1), &json!({"mover": 23, "opponent": 22}), &json!(0))
        );
        let on = analysis(start, &format!("{moves}{}", &moves[58..68]));
        assert!(on["ending"].is_null() && on["positions"][80]["repeats"].is_null());
    }

    #[test]
    fn wrong_moves_are_named_and_games_are_not_endless() {
        let (short, cycle) = ("0 0 0 0 1 2 1 0 0 0 3 0", "0-0-0-1-0-0-0-0-1-0-1-0-23-22-S");
        let round = |times| "DcEeFfAaBbCd".repeat(times);
        for (start, moves, parts) in [
            (short, "FX".to_owned(), ["move 2, `X`: houses", ""]),
            (short, "A".to_owned(), ["move 1, `A`: it is not legal in 0-0-0-0-1-2-", ""]),
            (cycle, round(84), ["move 1001", "at most 1000"]),
        ] {
            let error = analyzed(start, &moves).unwrap_err().to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
        }
        assert!(analyzed(cycle, &round(83)).is_ok());
    }
}
