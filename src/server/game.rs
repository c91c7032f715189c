//! A game so far: `GET /v1/game`, every position of it with its score.
//!
//! The page draws its list, its graph and its captured totals from this, and needs to know no rules.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::desk::Desk;
use super::failure::Failure;
use super::params::{Params, missing_board, sheet};
use crate::answer::{MoveFields, PositionFields, ScoreFields};
use crate::error::{Error, Result};
use crate::game::{Game, Ply, Seat, Start};
use crate::moves::Move;
use crate::notation::{Position, Stores, parse_house};
use crate::probe::Prober;

/// Moves of a game at most.
const LONGEST: usize = 1000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameParams {
    board: Option<String>,
    rules: Option<String>,
    #[serde(default)]
    moves: String,
}

/// A game so far.
#[derive(Serialize)]
pub struct GameDocument {
    rules: &'static str,
    positions: Vec<StandFields>,
    moves: Vec<PlayedFields>,
    ending: Option<EndingFields>,
}

/// How things stand after some moves.
#[derive(Serialize)]
struct StandFields {
    #[serde(flatten)]
    position: PositionFields,
    /// The same in the engines' form, from South's seat.
    start: String,
    to_move: &'static str,
    #[serde(flatten)]
    score: Option<ScoreFields>,
    /// The number of the position before that is the same, with no capture since.
    repeats: Option<usize>,
}

#[derive(Serialize)]
struct PlayedFields {
    #[serde(rename = "move")]
    letter: char,
    #[serde(flatten)]
    played: MoveFields,
}

/// What ended the game, and what South has in the end more than North.
#[derive(Serialize)]
struct EndingFields {
    reason: &'static str,
    margin: i8,
}

/// `GET /v1/game`: a position and moves from there.
pub async fn game(
    State(desk): State<Arc<Desk>>,
    Params(params): Params<GameParams>,
) -> std::result::Result<Json<GameDocument>, Failure> {
    let rules = sheet(params.rules.as_deref())?;
    let start = Start::parse(params.board.as_deref().ok_or_else(missing_board)?)?;
    let work = move |desk: &Desk| desk.probers(rules).with(|prober| GameDocument::of(prober, start, &params.moves));
    Ok(Json(desk.elsewhere(work).await?))
}

impl GameDocument {
    fn of(prober: &mut Prober, start: Start, moves: &str) -> Result<GameDocument> {
        let mut game = Game::new(prober.rules(), start);
        let (mut positions, mut played) = (vec![stand(prober, &game, 0)?], Vec::new());
        for letter in moves.chars().filter(|c| !c.is_whitespace() && *c != ',') {
            played.push(play(&mut game, letter, played.len())?);
            positions.push(stand(prober, &game, played.len())?);
        }
        let ending = game.over().map(|(ending, margin)| EndingFields {
            reason: ending.name(),
            margin: if game.seat() == Seat::South { margin.get() } else { -margin.get() },
        });
        Ok(GameDocument { rules: prober.rules().id, positions, moves: played, ending })
    }
}

fn play(game: &mut Game, letter: char, before: usize) -> Result<PlayedFields> {
    let illegal = |why: String| Error::Usage(format!("move {}, `{letter}`: {why}", before + 1));
    if before == LONGEST {
        return Err(illegal(format!("a game has at most {LONGEST} moves here")));
    }
    let house = parse_house(letter.encode_utf8(&mut [0; 4])).ok_or_else(|| illegal("houses are A to F".to_owned()))?;
    let ply = Ply { seat: game.seat(), house };
    let played: Move = game.play(ply).map_err(|error| illegal(error.to_string()))?;
    Ok(PlayedFields { letter: ply.seat.letter(house), played: played.into() })
}

/// How the game stands after `number` moves; without a score where there is no table.
fn stand(prober: &mut Prober, game: &Game, number: usize) -> Result<StandFields> {
    let at = game.at();
    let score = match prober.interval(&at.board) {
        Ok(interval) => Some(interval.into()),
        Err(Error::MissingTable { .. }) => None,
        Err(error) => return Err(error),
    };
    // The same player is to move in every second one.
    let earlier = game.path().iter().rev().skip(1).step_by(2).position(|earlier| *earlier == at.board);
    let stores = Some(Stores { mover: at.captured, opponent: at.conceded });
    Ok(StandFields {
        position: Position { board: at.board, stores }.into(),
        start: at.to_string(),
        to_move: if at.seat == Seat::South { "south" } else { "north" },
        score,
        repeats: earlier.map(|steps| number - 2 * (steps + 1)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Tables;
    use crate::rules::ABAPA;
    use crate::table::Access;
    use serde_json::{Value, json};

    /// A game without any table.
    fn told(start: &str, moves: &str) -> Result<Value> {
        let tables = Tables::open("no directory of that name", Access::Map)?;
        let document = GameDocument::of(&mut Prober::new(&tables, &ABAPA), Start::parse(start)?, moves)?;
        Ok(serde_json::to_value(document).unwrap())
    }

    #[test]
    fn captures_are_counted_for_who_makes_them() {
        for (start, letter, next) in [
            ("0-0-0-0-0-1-1-0-0-0-0-3-20-23-S", "F", "0-0-0-0-0-0-0-0-0-0-0-3-22-23-N"),
            ("1-0-0-0-0-3-0-0-0-0-0-1-20-23-N", "f", "0-0-0-0-0-3-0-0-0-0-0-0-20-25-S"),
        ] {
            let game = told(start, "F").unwrap();
            assert_eq!((&game["moves"][0]["move"], &game["positions"][1]["start"]), (&json!(letter), &json!(next)));
        }
    }

    #[test]
    fn endings_are_told_from_souths_side() {
        let ending = |start, moves| told(start, moves).unwrap()["ending"].clone();
        let decided = ending("1-0-0-0-0-3-0-0-0-0-0-1-20-23-N", "F");
        assert_eq!(decided, json!({"reason": "decided", "margin": -5}));
        assert_eq!(ending("0-0-0-0-0-0-1-2-0-0-0-0-20-25-S", "")["reason"], "decided");
        let stuck = ending("0-0-0-0-0-0-1-2-0-0-0-0-22-23-S", "");
        assert_eq!(stuck, json!({"reason": "no_move", "margin": -4}));
        assert_eq!(ending("0-0-0-0-0-1-1-0-0-0-0-3-20-23-S", ""), Value::Null);
    }

    #[test]
    fn a_circle_names_the_position_that_came_back() {
        let moves = "CbEaDbEeAcBdDeCfEaDbCcBdFaAcBdEbDeEdCcEeDdEeFfCaDcEdFfBaCbDcEeFfAaBbCd";
        let game = told("0-3-1-1-1-0-1-3-0-1-1-0-18-18-S", moves).unwrap();
        assert_eq!((&game["ending"]["reason"], &game["positions"][70]["repeats"]), (&json!("repetition"), &json!(58)));
        assert!((0..70).all(|at| game["positions"][at]["repeats"].is_null()));
    }

    #[test]
    fn illegal_moves_are_named() {
        for (moves, part) in
            [("FX", "move 2, `X`: houses"), ("A", "move 1, `A`: A is not a legal move in 0-0-0-0-1-2-")]
        {
            let error = told("0 0 0 0 1 2 1 0 0 0 3 0", moves).err().unwrap().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
