//! A game so far: `GET /v1/game`, every position of it with its score.
//!
//! The page draws its list, its graph and its captured totals from this, and needs to know no rules.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::desk::Desk;
use super::failure::Failure;
use super::params::{Params, position, sheet};
use crate::answer::{MoveFields, PositionFields, ScoreFields, letter};
use crate::board::Board;
use crate::error::{Error, Result};
use crate::moves::{final_score, legal_moves};
use crate::notation::{Position, Stores, parse_house};
use crate::probe::Prober;
use crate::rules::{Endless, Rules};

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
    ending: Option<Ending>,
}

/// How things stand after some moves.
#[derive(Serialize)]
struct StandFields {
    #[serde(flatten)]
    position: PositionFields,
    to_move: Seat,
    #[serde(flatten)]
    score: Option<ScoreFields>,
    /// The number of the position before that is the same.
    repeats: Option<usize>,
}

/// A player: South makes the first move of the game.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Seat {
    South,
    North,
}

#[derive(Serialize)]
struct PlayedFields {
    #[serde(rename = "move")]
    letter: char,
    #[serde(flatten)]
    played: MoveFields,
}

/// What ends a game.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Ending {
    /// Nothing can be played any more.
    GameOver,
    /// A player has 25 seeds.
    Decided,
    /// The position has been there before, and no capture since.
    Circle,
}

/// `GET /v1/game`: a position and moves from there.
pub async fn game(
    State(desk): State<Arc<Desk>>,
    Params(params): Params<GameParams>,
) -> std::result::Result<Json<GameDocument>, Failure> {
    let rules = sheet(params.rules.as_deref())?;
    let start = position(params.board.as_deref())?;
    let work = move |desk: &Desk| desk.probers(rules).with(|prober| play(prober, start, &params.moves));
    Ok(Json(desk.elsewhere(work).await?))
}

fn play(prober: &mut Prober, start: Position, moves: &str) -> Result<GameDocument> {
    let rules = prober.rules();
    let mut game = Game { rules, at: start, seen: HashMap::new(), ply: 0 };
    let mut document =
        GameDocument { rules: rules.id, positions: vec![game.stand(prober)?], moves: Vec::new(), ending: None };
    for house in moves.chars().filter(|c| !c.is_whitespace() && *c != ',') {
        document.moves.push(game.play(house)?);
        document.positions.push(game.stand(prober)?);
    }
    document.ending = game.ending(document.positions.last().and_then(|stand| stand.repeats));
    Ok(document)
}

/// A game that is being played.
struct Game {
    rules: &'static Rules,
    at: Position,
    /// Where play has been since the last capture, and when: boards with the same player to move.
    seen: HashMap<(Board, bool), usize>,
    ply: usize,
}

impl Game {
    fn stand(&mut self, prober: &mut Prober) -> Result<StandFields> {
        let score = match prober.interval(&self.at.board) {
            Ok(interval) => Some(interval.into()),
            Err(Error::MissingTable { .. }) => None,
            Err(error) => return Err(error),
        };
        let souths = self.ply.is_multiple_of(2);
        let repeats = self.seen.get(&(self.at.board, souths)).copied();
        self.seen.entry((self.at.board, souths)).or_insert(self.ply);
        let to_move = if souths { Seat::South } else { Seat::North };
        Ok(StandFields { position: self.at.into(), to_move, score, repeats })
    }

    fn play(&mut self, text: char) -> Result<PlayedFields> {
        let illegal = |why| Error::Usage(format!("move {}, `{text}`: {why}", self.ply + 1));
        if self.ply == LONGEST {
            return Err(illegal(format!("a game has at most {LONGEST} moves here")));
        }
        let house = parse_house(&text.to_string()).ok_or_else(|| illegal("houses are A to F".to_owned()))?;
        let legal = legal_moves(self.rules, &self.at.board);
        let played = legal.iter().find(|played| played.house == house);
        let played = played.ok_or_else(|| illegal("it is not legal there".to_owned()))?;
        if played.captured > 0 {
            self.seen.clear();
        }
        let stores =
            self.at.stores.map(|stores| Stores { mover: stores.opponent, opponent: stores.mover + played.captured });
        self.at = Position { board: played.next, stores };
        self.ply += 1;
        Ok(PlayedFields { letter: letter(self.ply - 1, house), played: played.into() })
    }

    /// What has ended the game, if anything has. A circle does not end while a row is empty where each
    /// player would keep the own row.
    fn ending(&self, repeats: Option<usize>) -> Option<Ending> {
        let Position { board, stores } = self.at;
        let counts = match self.rules.endless {
            Endless::OwnSide => !board.mover.is_empty() && !board.opponent.is_empty(),
            Endless::EvenSplit => true,
        };
        match repeats {
            _ if stores.is_some_and(|stores| stores.mover.max(stores.opponent) > 24) => Some(Ending::Decided),
            _ if final_score(self.rules, &board).is_some() => Some(Ending::GameOver),
            Some(_) if counts => Some(Ending::Circle),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_position;
    use crate::probe::Tables;
    use crate::rules::ABAPA;
    use crate::table::Access;

    /// A game without any table.
    fn played(start: &str, moves: &str) -> Result<GameDocument> {
        let tables = Tables::open("no directory of that name", Access::Map)?;
        play(&mut Prober::new(&tables, &ABAPA), parse_position(start)?, moves)
    }

    #[test]
    fn captures_are_counted_for_who_makes_them() {
        let game = played("0-0-0-0-0-1-1-0-0-0-0-3-20-23-S", "F").unwrap();
        let stand = serde_json::to_value(&game.positions[1]).unwrap();
        assert_eq!(stand["stores"], serde_json::json!({"mover": 23, "opponent": 22}));
        assert!(stand["to_move"] == "north" && game.moves[0].letter == 'F' && game.ending.is_none());
    }

    #[test]
    fn games_end_at_25_seeds_or_on_a_circle_or_with_the_last_move() {
        let ending = |start, moves| played(start, moves).unwrap().ending;
        assert!(ending("0-0-0-0-0-1-1-0-0-0-0-3-23-20-S", "F") == Some(Ending::Decided));
        assert!(ending("0 0 0 0 0 0 1 2 0 0 0 0", "") == Some(Ending::GameOver));
        // Two single seeds chase each other round the board: twelve moves each.
        let round = "AaBbCcDdEeFfAaBbCcDdEeFf";
        let start = "1 0 0 0 0 0  1 0 0 0 0 0";
        assert!(ending(start, &round[..23]).is_none() || ending(start, &round[..12]).is_some());
    }

    #[test]
    fn illegal_moves_are_named() {
        for (moves, part) in [("FX", "move 2, `X`: houses"), ("A", "move 1, `A`: it is not legal")] {
            let error = played("0 0 0 0 1 2 1 0 0 0 3 0", moves).err().unwrap().to_string();
            assert!(error.contains(part), "{error}");
        }
        let endless = "x".repeat(2);
        assert!(played("0 0 0 0 1 2 1 0 0 0 3 0", &endless).is_err());
    }
}
