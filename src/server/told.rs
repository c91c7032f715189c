//! A game as it is told: every position with its score, every move with its judgement.
//!
//! The page draws its list, its graph and its captured totals from this, and needs to know no rules.

use serde::Serialize;

use crate::error::{Error, Result};
use crate::game::{Ending, Game, House, Interval, Ply, Position, Score, Seat};
use crate::json::{MoveFields, PositionFields, ScoreFields};
use crate::probe::Prober;
use crate::verify::{Judge, Judgement, Scored, Turn, Verdict};

/// A game with its scores and judgements.
#[derive(Serialize)]
pub struct Told {
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
    /// Nothing where a table is missing.
    judgement: Option<JudgementFields>,
}

#[derive(Serialize)]
struct JudgementFields {
    verdict: &'static str,
    loss: [u8; 2],
    better: Vec<char>,
    turn: Option<Turn>,
}

/// What ended the game, and what South has in the end more than North.
#[derive(Serialize)]
struct EndingFields {
    reason: &'static str,
    margin: i8,
}

/// Tells a game while it is played.
pub struct Teller {
    prober: Prober,
    judge: Judge,
    game: Game,
    told: Told,
}

impl Teller {
    /// Begins a game.
    ///
    /// # Errors
    /// Whatever is wrong with a table that is there.
    pub fn new(mut prober: Prober, judge: Judge, start: Position) -> Result<Teller> {
        let game = Game::new(prober.rules(), start);
        let first = stand(&mut prober, &game, 0)?;
        let told = Told {
            rules: prober.rules().id,
            positions: vec![first],
            moves: Vec::new(),
            ending: None,
        };
        Ok(Teller { prober, judge, game, told })
    }

    /// Who is to move.
    pub fn seat(&self) -> Seat {
        self.game.seat()
    }

    /// Where the game stands.
    pub fn at(&self) -> &Position {
        self.game.position()
    }

    /// Makes a move, if it is legal. A game may go on after a repetition: nobody need have noticed.
    /// History is fresh then.
    ///
    /// # Errors
    /// As [`Teller::new`].
    pub fn play(&mut self, house: House) -> Result<bool> {
        if matches!(self.game.over(), Some((Ending::Repetition, _))) {
            self.game = Game::new(self.game.rules(), *self.game.position());
        }
        let judgement = match self.judge.judge(&self.game, house)? {
            Judgement::Illegal => return Ok(false),
            Judgement::Unknown => None,
            Judgement::Scored(scored) => Some((&scored).into()),
        };
        let ply = Ply { seat: self.game.seat(), house };
        let played = self.game.play(ply)?;
        self.told.moves.push(PlayedFields {
            letter: ply.seat.letter(house),
            played: played.into(),
            judgement,
        });
        self.told.positions.push(stand(&mut self.prober, &self.game, self.told.moves.len())?);
        Ok(true)
    }

    /// The whole game.
    pub fn end(mut self) -> Told {
        self.told.ending = self.game.over().map(|(ending, margin)| EndingFields {
            reason: ending.name(),
            margin: if self.game.seat() == Seat::South { margin.get() } else { -margin.get() },
        });
        self.told
    }
}

/// How the game stands after `number` moves; without a score where there is no table.
fn stand(prober: &mut Prober, game: &Game, number: usize) -> Result<StandFields> {
    let at = game.position();
    Ok(StandFields {
        position: (*at).into(),
        start: at.to_string(),
        to_move: if at.seat == Seat::South { "south" } else { "north" },
        score: score(prober, game)?.map(ScoreFields::from),
        repeats: game.history().repeats().next().map(|ago| number - ago),
    })
}

/// What is left is worth to the mover. A game that is over by repetition is worth what is paid then.
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

impl From<&Scored> for JudgementFields {
    fn from(scored: &Scored) -> JudgementFields {
        JudgementFields {
            verdict: match scored.verdict {
                Verdict::Best => "best",
                Verdict::Safe => "safe",
                Verdict::Loses => "loses",
            },
            loss: [scored.loss.min, scored.loss.max],
            better: scored.better.iter().map(|house| house.letter()).collect(),
            turn: scored.turn(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{ABAPA, parse_house};
    use crate::probe::Tables;
    use serde_json::{Value, json};

    /// A game without any table.
    fn told(start: &str, moves: &str) -> Value {
        let tables = Tables::open("no directory of that name").unwrap();
        let prober = || Prober::new(&tables, &ABAPA);
        let mut teller =
            Teller::new(prober(), Judge::new(prober()), start.parse().unwrap()).unwrap();
        for letter in moves.chars() {
            assert!(teller.play(parse_house(&letter.to_string()).unwrap()).unwrap());
        }
        serde_json::to_value(teller.end()).unwrap()
    }

    #[test]
    fn captures_are_counted_for_who_makes_them() {
        for (start, letter, next) in [
            ("0-0-0-0-0-1-1-0-0-0-0-3-20-23-S", "F", "0-0-0-0-0-0-0-0-0-0-0-3-22-23-N"),
            ("1-0-0-0-0-3-0-0-0-0-0-1-20-23-N", "f", "0-0-0-0-0-3-0-0-0-0-0-0-20-25-S"),
        ] {
            let game = told(start, "F");
            assert_eq!(
                (&game["moves"][0]["move"], &game["positions"][1]["start"]),
                (&json!(letter), &json!(next))
            );
        }
    }

    #[test]
    fn endings_are_told_from_souths_side() {
        let ending = |start, moves| told(start, moves)["ending"].clone();
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
        let game = told(start, moves);
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
        let on = told(start, &format!("{moves}{}", &moves[58..68]));
        assert!(on["ending"].is_null() && on["positions"][80]["repeats"].is_null());
    }
}
