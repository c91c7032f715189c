//! Games: `GET /v1/game`, a position and moves from there, and `POST /v1/verify`, records.

use std::io::BufReader;
use std::sync::Arc;

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use super::desk::Desk;
use super::failure::Failure;
use super::params::{Params, missing_board, sheet};
use super::told::{Teller, Told};
use crate::error::{Error, Result};
use crate::game::record::{Reader, Record};

use crate::game::{Position, Rules, parse_house};
use crate::probe::Prober;
use crate::verify::Judge;

/// Moves of a game at most, and of all records together.
const LONGEST: usize = 1000;
/// Records at most.
const RECORDS: usize = 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameParams {
    board: Option<String>,
    rules: Option<String>,
    #[serde(default)]
    moves: String,
}

/// `GET /v1/game`.
pub async fn game(
    State(desk): State<Arc<Desk>>,
    Params(params): Params<GameParams>,
) -> std::result::Result<Json<Told>, Failure> {
    let rules = sheet(params.rules.as_deref())?;
    let start: Position = params.board.as_deref().ok_or_else(missing_board)?.parse()?;
    let work = move |desk: &Desk| told(|| Prober::new(&desk.tables, rules), start, &params.moves);
    Ok(Json(desk.elsewhere(work).await?))
}

fn told(prober: impl Fn() -> Prober, start: Position, moves: &str) -> Result<Told> {
    let mut teller = Teller::new(prober(), Judge::new(prober()), start)?;
    for (number, letter) in (1..).zip(moves.chars().filter(|c| !c.is_whitespace() && *c != ',')) {
        let illegal = |why: String| Error::Usage(format!("move {number}, `{letter}`: {why}"));
        if number > LONGEST {
            return Err(illegal(format!("a game has at most {LONGEST} moves here")));
        }
        let house = parse_house(letter.encode_utf8(&mut [0; 4]));
        let house = house.ok_or_else(|| illegal("houses are A to F".to_owned()))?;
        if !teller.play(house)? {
            return Err(illegal(format!("it is not legal in {}", teller.at())));
        }
    }
    Ok(teller.end())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerifyParams {
    rules: Option<String>,
}

/// Records, judged.
#[derive(Serialize)]
pub struct VerifyDocument {
    rules: &'static str,
    games: Vec<RecordFields>,
}

#[derive(Serialize)]
struct RecordFields {
    tags: Vec<TagFields>,
    result: String,
    #[serde(flatten)]
    told: Told,
    /// The first move of the record that is not legal; what follows it is not told.
    illegal: Option<String>,
}

#[derive(Serialize)]
struct TagFields {
    name: String,
    value: String,
}

/// `POST /v1/verify`: the body is a record in OGN or in the plain form, or several.
pub async fn verify(
    State(desk): State<Arc<Desk>>,
    Params(params): Params<VerifyParams>,
    body: Body,
) -> std::result::Result<Json<VerifyDocument>, Failure> {
    let rules = params.rules.as_deref().map(|id| sheet(Some(id))).transpose()?;
    let limit = desk.limits.body;
    let text = to_bytes(body, limit).await.map_err(|_| {
        Failure::usage(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("the records are longer than {limit} bytes; send fewer"),
        )
    })?;
    let work = move |desk: &Desk| judged(desk, rules, &text);
    Ok(Json(desk.elsewhere(work).await?))
}

/// Judges records by the sheet that is asked for, or else by the one that the first of them names.
fn judged(desk: &Desk, rules: Option<&'static Rules>, text: &[u8]) -> Result<VerifyDocument> {
    let records: Vec<Record> =
        Reader::new(BufReader::new(text)).take(RECORDS + 1).collect::<Result<_>>()?;
    let moves: usize = records.iter().map(|record| record.moves.len()).sum();
    if records.is_empty() {
        return Err(Error::Usage(
            "there is no game in the body; it takes OGN, or a position, `moves` and letters"
                .to_owned(),
        ));
    }
    if records.len() > RECORDS || moves > LONGEST {
        let limits = format!("at most {RECORDS} games of {LONGEST} moves in all");
        return Err(Error::Usage(format!(
            "{limits} are judged at once; `oware verify` judges more"
        )));
    }
    let rules = rules.or_else(|| records[0].sheet()).map_or_else(|| sheet(None), Ok)?;
    let games = records
        .into_iter()
        .map(|record| RecordFields::of(desk, rules, record))
        .collect::<Result<_>>()?;
    Ok(VerifyDocument { rules: rules.id, games })
}

impl RecordFields {
    fn of(desk: &Desk, rules: &'static Rules, record: Record) -> Result<RecordFields> {
        let prober = || Prober::new(&desk.tables, rules);
        let mut teller = Teller::new(prober(), Judge::new(prober()), record.start)?;
        let mut illegal = None;
        for recorded in &record.moves {
            if recorded.ply.seat != teller.seat() || !teller.play(recorded.ply.house)? {
                illegal = Some(recorded.ply.to_string());
                break;
            }
        }
        let tags = record
            .tags
            .into_iter()
            .map(|tag| TagFields { name: tag.name, value: tag.value })
            .collect();
        Ok(RecordFields { tags, result: record.result, told: teller.end(), illegal })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ABAPA;
    use crate::probe::Tables;

    #[test]
    fn illegal_moves_are_named() {
        let tables = Tables::open("no directory of that name").unwrap();
        let start = "0 0 0 0 1 2 1 0 0 0 3 0".parse().unwrap();
        for (moves, part) in
            [("FX", "move 2, `X`: houses"), ("A", "move 1, `A`: it is not legal in 0-0-0-0-1-2-")]
        {
            let error =
                told(|| Prober::new(&tables, &ABAPA), start, moves).err().unwrap().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn games_are_not_endless() {
        let tables = Tables::open("no directory of that name").unwrap();
        let start = "0-0-0-1-0-0-0-0-1-0-1-0-23-22-S".parse().unwrap();
        let round =
            |times| told(|| Prober::new(&tables, &ABAPA), start, &"DcEeFfAaBbCd".repeat(times));
        assert!(round(83).is_ok());
        let error = round(84).err().unwrap().to_string();
        assert!(error.contains("move 1001") && error.contains("at most 1000"), "{error}");
    }
}
