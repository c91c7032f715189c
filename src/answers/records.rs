//! Recorded games: `/v1/verify`.

use std::io::BufReader;

use serde::Serialize;

use super::analysis::{Analyzer, GameAnalysis};
use super::parameters::{SheetParams, sheet};
use super::{Answers, Document};
use crate::error::{Error, Result};
use crate::game::record::{Annotation, Reader, Record, Tag};
use crate::game::{Game, Ply, Rules};
use crate::probe::Prober;

/// Moves of all records together at most.
const MOVES: usize = 1000;
/// Records at most.
const RECORDS: usize = 20;
/// Maximum number of variations of a record; the rest is skipped.
const VARIATIONS: usize = 100;

/// The document of `POST /v1/verify`.
#[derive(Serialize)]
struct VerifyDocument {
    rules: &'static str,
    games: Vec<AnalyzedRecord>,
}

/// A record with its scores and judgements.
#[derive(Serialize)]
struct AnalyzedRecord {
    tags: Vec<Tag>,
    result: String,
    #[serde(flatten)]
    analysis: GameAnalysis,
    /// The first move of the record that is not legal; the rest is skipped.
    illegal: Option<String>,
    variations: Vec<Branch>,
}

/// Other moves that a record names.
#[derive(Serialize)]
struct Branch {
    /// How many moves of the game are made before.
    at: usize,
    moves: Vec<String>,
}

impl Answers {
    /// Answers `POST /v1/verify`: the body is a record in OGN or in the plain form, or several.
    /// They are judged by the sheet that is asked for, or else by the one that the first names.
    ///
    /// # Errors
    /// As [`Answers::query`].
    pub fn verify(&self, params: SheetParams, body: &[u8]) -> Result<Document> {
        let (asked, records) = (sheet(params.rules.as_deref())?, read(body)?);
        let named = if params.rules.is_none() { records[0].sheet() } else { None };
        let rules = named.unwrap_or(asked);
        let games = records.into_iter().map(|record| AnalyzedRecord::of(self, rules, record));
        let games = games.collect::<Result<_>>()?;
        Ok(Document::of(&VerifyDocument { rules: rules.id, games }))
    }
}

/// Reads one record or more, as many as are judged at once.
fn read(text: &[u8]) -> Result<Vec<Record>> {
    let records = Reader::new(BufReader::new(text)).take(RECORDS + 1);
    let records: Vec<Record> = records.collect::<Result<_>>()?;
    let moves: usize = records.iter().map(|record| record.moves.len()).sum();
    if records.is_empty() {
        return Err(Error::Usage(
            "the body contains no game; send OGN, or a position, `moves` and letters".to_owned(),
        ));
    }
    if records.len() > RECORDS || moves > MOVES {
        return Err(Error::Usage(format!(
            "at most {RECORDS} games with {MOVES} moves in total are judged per request; send the \
             others separately"
        )));
    }
    Ok(records)
}

impl AnalyzedRecord {
    fn of(answers: &Answers, rules: &'static Rules, record: Record) -> Result<AnalyzedRecord> {
        let mut analyzer = Analyzer::new(Prober::new(&answers.tables, rules), record.start)?;
        let variations = variations(rules, &record);
        let mut illegal = None;
        for recorded in &record.moves {
            if recorded.ply.seat != analyzer.game.seat() || !analyzer.play(recorded.ply.house)? {
                illegal = Some(recorded.ply.to_string());
                break;
            }
        }
        Ok(AnalyzedRecord {
            tags: record.tags,
            result: record.result,
            analysis: analyzer.finish(),
            illegal,
            variations,
        })
    }
}

/// Returns the variations of a record, each as far as it is legal, without those inside them.
fn variations(rules: &'static Rules, record: &Record) -> Vec<Branch> {
    let mut game = Game::new(rules, record.start);
    let mut found = Vec::new();
    for (at, played) in record.moves.iter().enumerate() {
        let lines = played.annotations.iter().map(Annotation::moves);
        let lines = lines.filter(|moves| !moves.is_empty()).take(VARIATIONS - found.len());
        let branches = lines.map(|moves| Branch { at, moves: legal(&game, moves) });
        found.extend(branches.filter(|branch| !branch.moves.is_empty()));
        if game.play(played.ply).is_err() {
            break;
        }
    }
    found
}

/// Returns moves as far as they are legal one after the other.
fn legal(game: &Game, moves: Vec<Ply>) -> Vec<String> {
    let mut game = game.clone();
    let legal = moves.into_iter().take_while(|&ply| game.play(ply).is_ok());
    legal.map(|ply| ply.to_string()).collect()
}
