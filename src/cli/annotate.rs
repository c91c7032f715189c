//! `oware annotate`: recorded games written back with comments.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use oware_db::error::{Error, Result};
use oware_db::game::record::{Reader, Record, RecordedMove};
use oware_db::game::{House, Interval};
use oware_db::probe::Prober;
use oware_db::verify::{Judge, Judgement, Loss, Scored, ThrownAway, annotate};

use super::input::{name, open};
use super::options::{RulesArg, TablesArgs};
use super::output;

/// Write recorded games back with comments on the moves that are not best
///
/// A comment says what the move gives away, what it brings, which moves are better, and whether it
/// throws away a win or a draw. It begins with `oware:`; annotating again replaces it, and all
/// other comments stay. Variations are left out. Reads what `verify --games` reads, and writes OGN.
/// Games whose Variant tag names another sheet than --rules get no comments.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware annotate club.ogn > commented.ogn\n  \
                  oware annotate --json - < game.ogn")]
pub struct Args {
    /// File with recorded games; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    tables: TablesArgs,
}

impl Args {
    /// Annotates the games.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        let tables = self.tables.open()?;
        let mut judge = Judge::new(Prober::new(&tables, self.rules.rules));
        let mut document =
            Document { rules: self.rules.rules.id, unreadable: 0, games: Vec::new() };
        for (number, read) in Reader::new(open(&self.file)?).enumerate() {
            match read {
                Ok(mut record) => {
                    let judgements = annotate(&mut judge, &mut record)?;
                    if json {
                        document.games.push(AnnotatedGame::of(number + 1, record, &judgements));
                    } else {
                        let blank = if number > 0 { "\n" } else { "" };
                        output::text(&format!("{blank}{record}"))?;
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
    games: Vec<AnnotatedGame>,
}

#[derive(Serialize)]
struct AnnotatedGame {
    game: usize,
    tags: Vec<[String; 2]>,
    start: String,
    comments: Vec<String>,
    moves: Vec<AnnotatedMove>,
    result: String,
}

impl AnnotatedGame {
    fn of(game: usize, record: Record, judgements: &[Judgement]) -> AnnotatedGame {
        let judgements = judgements.iter().map(Some).chain(std::iter::repeat(None));
        AnnotatedGame {
            game,
            tags: record.tags.into_iter().map(|tag| [tag.name, tag.value]).collect(),
            start: record.start.to_string(),
            comments: record.preface,
            moves: record.moves.into_iter().zip(judgements).map(AnnotatedMove::of).collect(),
            result: record.result,
        }
    }
}

#[derive(Serialize)]
struct AnnotatedMove {
    #[serde(rename = "move")]
    ply: String,
    /// `None` for what follows an illegal move, and for games of another sheet.
    verdict: Option<&'static str>,
    #[serde(flatten)]
    judged: Option<ScoredMove>,
    comments: Vec<String>,
}

/// What the tables say about a move. The scores are those of its player.
#[derive(Serialize)]
struct ScoredMove {
    loss: Loss,
    before: Interval,
    after: Interval,
    better: Vec<House>,
    turn: Option<ThrownAway>,
    closes_cycle: bool,
}

impl AnnotatedMove {
    fn of((played, judgement): (RecordedMove, Option<&Judgement>)) -> AnnotatedMove {
        let scored = match judgement {
            Some(Judgement::Scored(scored)) => Some(scored),
            Some(Judgement::Illegal | Judgement::Unknown) | None => None,
        };
        AnnotatedMove {
            ply: played.ply.to_string(),
            verdict: judgement.map(Judgement::name),
            judged: scored.map(ScoredMove::from),
            comments: played.comments,
        }
    }
}

impl From<&Scored> for ScoredMove {
    fn from(scored: &Scored) -> ScoredMove {
        ScoredMove {
            loss: scored.loss,
            before: scored.before,
            after: scored.after,
            better: scored.better.clone(),
            turn: scored.thrown_away(),
            closes_cycle: scored.closes_cycle,
        }
    }
}
