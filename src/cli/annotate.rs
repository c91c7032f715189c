//! `oware annotate`: recorded games written back with comments.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use oware_db::error::{Error, Result};
use oware_db::game::record::{Annotation, CaptureMark, Reader, Record, RecordEnd, RecordedMove};
use oware_db::game::{House, Interval, Rules};
use oware_db::probe::Prober;
use oware_db::verify::{Judge, Judgement, Loss, Scored, ThrownAway, annotate};

use super::input::{name, open};
use super::judging::open_for_judging;
use super::options::{RulesArg, TablesArgs};
use super::output;

/// Write recorded games back with comments on the moves that are not best
///
/// A comment says what the move gives away, what it brings, which moves are better, and whether it
/// throws away a win or a draw. It begins with `oware:`; annotating again replaces it, and all
/// other comments stay where they are, as do tags, variations and glyphs (`!`, `$4`). So does a game
/// that cannot be read, with a comment where reading stopped. Lines that begin with # or % are left
/// out. Reads what `verify --games` reads, and writes OGN. Games whose Variant tag names another
/// sheet than --rules get no comments. Where a game ends otherwise than its Result tag says, the
/// last move gets a comment.
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
    /// How moves show what they capture: `F+2` as Aualé does, which is what is done if this is left
    /// out, `Fx2`, or not at all
    #[arg(long, value_enum, value_name = "HOW")]
    captures: Option<Captures>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Captures {
    Plus,
    Cross,
    None,
}

/// Games that cannot be read and are reported one by one.
const REPORTED: u64 = 20;

impl Args {
    /// Annotates the games.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        if json && self.captures.is_some() {
            let text = "--captures is about moves as text; leave it out with --json";
            return Err(Error::Usage(text.to_owned()));
        }
        let tables = open_for_judging(&self.tables, self.rules.rules)?;
        let mut judge = Judge::new(Prober::new(&tables, self.rules.rules));
        let mut document = Document::new(self.rules.rules);
        let mut reader = Reader::new(open(&self.file)?);
        let mut number = 0;
        while let Some(read) = reader.next() {
            number += 1;
            let text = match read {
                Ok(mut record) => {
                    let judgements = annotate(&mut judge, &mut record)?;
                    let text = if json { String::new() } else { self.written(&record) };
                    document.add(number, record, &judgements, json);
                    text
                }
                Err(error @ Error::Record { .. }) => {
                    document.refuse(number, &error, reader.refused(), json);
                    if document.unreadable <= REPORTED {
                        let (file, what) = (name(&self.file), output::with_command(&error));
                        output::note(&format!("oware: {file}: {what}"));
                    }
                    format!("{}\n", reader.refused())
                }
                Err(Error::Io { doing, source, .. }) => {
                    return Err(Error::Io { doing, path: self.file, source });
                }
                Err(error) => return Err(error),
            };
            if !json {
                output::text(&format!("{}{text}", if number > 1 { "\n" } else { "" }))?;
            }
        }
        document.finish(json)
    }

    /// Returns a record as OGN.
    fn written(&self, record: &Record) -> String {
        let rules = record.sheet().unwrap_or(self.rules.rules);
        match self.captures.unwrap_or(Captures::Plus) {
            Captures::Plus => record.with_captures(rules, CaptureMark::Plus).to_string(),
            Captures::Cross => record.with_captures(rules, CaptureMark::Cross).to_string(),
            Captures::None => record.to_string(),
        }
    }
}

#[derive(Serialize)]
struct Document {
    #[serde(serialize_with = "by_id")]
    rules: &'static Rules,
    /// Games that cannot be read.
    unreadable: u64,
    /// Games whose record claims another result than the game's own.
    differing: u64,
    games: Vec<AnnotatedGame>,
    refused: Vec<RefusedGame>,
}

fn by_id<S: serde::Serializer>(
    rules: &Rules,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(rules.id)
}

/// A game that cannot be read.
#[derive(Serialize)]
struct RefusedGame {
    game: usize,
    message: String,
    /// As it was, with a comment where reading stopped.
    text: String,
}

impl Document {
    fn new(rules: &'static Rules) -> Document {
        Document { rules, unreadable: 0, differing: 0, games: Vec::new(), refused: Vec::new() }
    }

    /// Counts a game, and keeps it for JSON.
    fn add(&mut self, number: usize, record: Record, judgements: &[Judgement], json: bool) {
        let is_ours = record.sheet().is_none_or(|sheet| sheet == self.rules);
        let end = if is_ours { record.end(self.rules) } else { None };
        self.differing += u64::from(end.is_some_and(|end| end.differs));
        if json {
            self.games.push(AnnotatedGame::of(number, record, judgements, end));
        }
    }

    /// Counts a game that cannot be read, and keeps it for JSON.
    fn refuse(&mut self, game: usize, error: &Error, text: &str, json: bool) {
        self.unreadable += 1;
        if json {
            let message = output::with_command(error);
            self.refused.push(RefusedGame { game, message, text: text.to_owned() });
        }
    }

    /// Says what there is to say in the end.
    fn finish(&self, json: bool) -> Result<ExitCode> {
        if json {
            output::document(self)?;
        }
        let more = self.unreadable.saturating_sub(REPORTED);
        if more > 0 {
            output::note(&format!("oware: {more} more games could not be read"));
        }
        if self.differing > 0 {
            let count = self.differing;
            output::note(&format!(
                "oware: games that end otherwise than their record says: {count}"
            ));
        }
        Ok(if self.unreadable == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

#[derive(Serialize)]
struct AnnotatedGame {
    game: usize,
    tags: Vec<[String; 2]>,
    start: String,
    comments: Vec<String>,
    moves: Vec<AnnotatedMove>,
    result: String,
    /// How the game ends by the rules, if it is over.
    end: Option<RecordEnd>,
}

impl AnnotatedGame {
    fn of(
        game: usize,
        record: Record,
        judgements: &[Judgement],
        end: Option<RecordEnd>,
    ) -> AnnotatedGame {
        let judgements = judgements.iter().map(Some).chain(std::iter::repeat(None));
        AnnotatedGame {
            game,
            tags: record.tags.into_iter().map(|tag| [tag.name, tag.value]).collect(),
            start: record.start.to_string(),
            comments: comments(&record.preface),
            moves: record.moves.into_iter().zip(judgements).map(AnnotatedMove::of).collect(),
            result: record.result,
            end,
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
    glyphs: Vec<String>,
    variations: Vec<String>,
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
            comments: comments(&played.annotations),
            glyphs: texts(&played.annotations, |said| matches!(said, Annotation::Glyph(_))),
            variations: texts(&played.annotations, |said| matches!(said, Annotation::Variation(_))),
        }
    }
}

/// Returns the texts of some of what is said.
fn texts(said: &[Annotation], is_meant: impl Fn(&Annotation) -> bool) -> Vec<String> {
    said.iter().filter(|said| is_meant(said)).map(|said| said.text().to_owned()).collect()
}

fn comments(said: &[Annotation]) -> Vec<String> {
    texts(said, |said| matches!(said, Annotation::Comment(_)))
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
