//! `oware annotate`: recorded games written back with comments.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use oware_db::error::{Error, Result};
use oware_db::game::Interval;
use oware_db::game::record::{Reader, Record, RecordedMove};
use oware_db::probe::Prober;
use oware_db::verify::{Judge, Judgement, Scored, ThrownAway, Verdict, annotate};

use super::output;
use super::verify::games::{name, open};
use super::{DEFAULT_TABLES, RulesArg, open_tables};

/// Write recorded games back with comments on the moves that are not best
///
/// A comment tells what the move gives away, what it brings and which moves are better, and
/// whether it throws away a win or a draw. It begins with `oware:`; to annotate once more replaces
/// it, all other comments stay. Variations are left out. Reads what `verify --games` reads, and
/// writes OGN. Games whose Variant tag names another sheet than --rules get no comments.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  oware annotate club.ogn > commented.ogn\n  oware annotate --json - < game.ogn"
)]
pub struct Args {
    /// File with recorded games; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    rules: RulesArg,
    /// Directory of the tables
    #[arg(long, value_name = "DIR", default_value = DEFAULT_TABLES)]
    tables: PathBuf,
    /// Read the tables without mapping them into memory
    #[arg(long)]
    no_mmap: bool,
}

impl Args {
    /// Annotates.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        let tables = open_tables(&self.tables, self.no_mmap)?;
        let mut judge = Judge::new(Prober::new(&tables, self.rules.rules));
        let mut document =
            Document { rules: self.rules.rules.id, unreadable: 0, games: Vec::new() };
        for (number, read) in Reader::new(open(&self.file)?).enumerate() {
            match read {
                Ok(mut record) => {
                    let judgements = annotate(&mut judge, &mut record)?;
                    match json {
                        true => {
                            document.games.push(GameFields::of(number + 1, record, &judgements))
                        }
                        false if number > 0 => output::text(&format!("\n{record}"))?,
                        false => output::text(&record.to_string())?,
                    }
                }
                Err(error @ Error::Record { .. }) => {
                    output::note(&format!(
                        "oware: {}: {}",
                        name(&self.file),
                        output::with_command(&error)
                    ));
                    document.unreadable += 1;
                }
                Err(Error::Io { doing, source, .. }) => {
                    return Err(Error::Io { doing, path: self.file, source });
                }
                Err(error) => return Err(error),
            }
        }
        if json {
            output::document(&document)?;
        }
        Ok(if document.unreadable == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

#[derive(Serialize)]
struct Document {
    rules: &'static str,
    unreadable: u64,
    games: Vec<GameFields>,
}

#[derive(Serialize)]
struct GameFields {
    game: usize,
    tags: Vec<[String; 2]>,
    start: String,
    comments: Vec<String>,
    moves: Vec<MoveFields>,
    result: String,
}

impl GameFields {
    fn of(game: usize, record: Record, judgements: &[Judgement]) -> GameFields {
        let judgements = judgements.iter().map(Some).chain(std::iter::repeat(None));
        GameFields {
            game,
            tags: record.tags.into_iter().map(|tag| [tag.name, tag.value]).collect(),
            start: record.start.to_string(),
            comments: record.preface,
            moves: record.moves.into_iter().zip(judgements).map(MoveFields::of).collect(),
            result: record.result,
        }
    }
}

#[derive(Serialize)]
struct MoveFields {
    #[serde(rename = "move")]
    ply: String,
    /// `None` for what follows an illegal move, and for games of another sheet.
    verdict: Option<&'static str>,
    #[serde(flatten)]
    judged: Option<JudgedFields>,
    comments: Vec<String>,
}

/// What is said of a move inside the tables. The scores are the mover's.
#[derive(Serialize)]
struct JudgedFields {
    loss: [u8; 2],
    before: Interval,
    after: Interval,
    better: Vec<char>,
    turn: Option<ThrownAway>,
    closes_cycle: bool,
}

impl MoveFields {
    fn of((played, judgement): (RecordedMove, Option<&Judgement>)) -> MoveFields {
        let scored = match judgement {
            Some(Judgement::Scored(scored)) => Some(scored),
            Some(Judgement::Illegal | Judgement::Unknown) | None => None,
        };
        MoveFields {
            ply: played.ply.to_string(),
            verdict: judgement.map(verdict),
            judged: scored.map(JudgedFields::from),
            comments: played.comments,
        }
    }
}

fn verdict(judgement: &Judgement) -> &'static str {
    match judgement {
        Judgement::Illegal => "illegal",
        Judgement::Unknown => "unknown",
        Judgement::Scored(Scored { verdict: Verdict::Best, .. }) => "best",
        Judgement::Scored(Scored { verdict: Verdict::Safe, .. }) => "safe",
        Judgement::Scored(Scored { verdict: Verdict::Loses, .. }) => "loses",
    }
}

impl From<&Scored> for JudgedFields {
    fn from(scored: &Scored) -> JudgedFields {
        JudgedFields {
            loss: [scored.loss.min, scored.loss.max],
            before: scored.before,
            after: scored.after,
            better: scored.better.iter().map(|house| house.letter()).collect(),
            turn: scored.thrown_away(),
            closes_cycle: scored.closes_cycle,
        }
    }
}
