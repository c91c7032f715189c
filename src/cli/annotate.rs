//! `oware annotate`: recorded games written back with comments.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use serde_json::{Value, json};

use oware_db::error::{Error, Result};
use oware_db::game::record::{Annotation, CaptureMark, Reader, Record, RecordEnd, RecordedMove};
use oware_db::game::{Rules, Seeds};
use oware_db::probe::Prober;
use oware_db::verify::{Judge, Judgement, annotate};

use super::input::{name, open};
use super::judging::{NamedGames, note_clamping, open_for_judging};
use super::options::{RulesArg, TablesArgs};
use super::output;

/// Add comments to recorded games on the moves that are not best
///
/// A comment says what the move gives away, what it scores, which moves are better, and whether it
/// throws away a win or a draw. Comments begin with `oware:`; annotating again replaces them and
/// leaves other comments, tags, variations and glyphs (`!`, `$4`) as they are. A game that cannot
/// be read is kept, with a comment where reading stopped. Lines that begin with # or % are
/// dropped. Reads what `verify --games` reads, and writes OGN. Games whose Variant tag names a
/// rule sheet other than --rules get no comments. The last move gets a comment if the game ends
/// differently from its Result tag, or if that tag contradicts the result after the moves; so does
/// a move whose recorded capture is wrong.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  oware annotate club.ogn > commented.ogn\n  \
                  oware annotate round1.ogn round2.ogn > season.ogn\n  \
                  oware annotate --json - < game.ogn")]
pub struct Args {
    /// Files of recorded games; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    rules: RulesArg,
    #[command(flatten)]
    tables: TablesArgs,
    /// How to write captures: `F+2` as Aualé does (plus), `Fx2` (cross), or not at all (none)
    /// [default: plus]
    #[arg(long, value_enum, value_name = "HOW")]
    captures: Option<Captures>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Captures {
    Plus,
    Cross,
    None,
}

impl Args {
    /// Annotates the games.
    pub fn run(self, json: bool) -> Result<ExitCode> {
        if json && self.captures.is_some() {
            let text = "--captures applies to moves as text; omit it with --json";
            return Err(Error::Usage(text.to_owned()));
        }
        let tables = open_for_judging(&self.tables, self.rules.rules)?;
        let mut judge = Judge::new(Prober::new(&tables, self.rules.rules));
        let game_seeds = note_clamping(&tables, self.rules.rules);
        let mut document = AnnotatedDocument {
            id: self.rules.rules.id,
            rules: self.rules.rules,
            game_seeds,
            unreadable: 0,
            differing: 0,
            games: Vec::new(),
            refused: Vec::new(),
            read: 0,
            above: 0,
            named: NamedGames::new(self.rules.rules, game_seeds),
        };
        for path in &self.files {
            self.annotate(path, &mut judge, &mut document, json)?;
        }
        document.finish(json, tables.available(self.rules.rules)?.last().copied())
    }

    /// Annotates the games of a file.
    fn annotate(
        &self,
        path: &Path,
        judge: &mut Judge,
        document: &mut AnnotatedDocument,
        json: bool,
    ) -> Result<()> {
        let file = name(path);
        let mut reader = Reader::new(open(path)?);
        while let Some(read) = reader.next() {
            let place = GameRef { file: file.clone(), game: reader.game() };
            let is_first = document.is_empty();
            let text = match read {
                Ok(mut record) => {
                    document.named.look(&file, place.game, &record);
                    let judgements = annotate(judge, &mut record)?;
                    let text = if json { String::new() } else { self.written(&record) };
                    document.add(place, record, &judgements, json);
                    text
                }
                Err(error) => {
                    let message = document.named.refuse(&file, error)?;
                    document.refuse(place, message, reader.refused(), json);
                    format!("{}\n", reader.refused())
                }
            };
            if !json {
                output::text(&format!("{}{text}", if is_first { "" } else { "\n" }))?;
            }
        }
        Ok(())
    }

    /// Returns a record as OGN.
    fn written(&self, record: &Record) -> String {
        let rules = record.sheet().unwrap_or(self.rules.rules);
        match self.captures.unwrap_or(Captures::Plus) {
            Captures::Plus => record.with_captures(rules, CaptureMark::Plus).to_string(),
            Captures::Cross => record.with_captures(rules, CaptureMark::Cross).to_string(),
            Captures::None => record.without_captures().to_string(),
        }
    }
}

#[derive(Serialize)]
struct AnnotatedDocument {
    #[serde(rename = "rules")]
    id: &'static str,
    #[serde(skip)]
    rules: &'static Rules,
    /// Seeds of the games that the tables decide, if scores are clamped to that.
    game_seeds: Option<Seeds>,
    /// Games that cannot be read.
    unreadable: u64,
    /// Games whose record claims another result than the game's own.
    differing: u64,
    games: Vec<AnnotatedGame>,
    /// Games that cannot be read, as they were, with a comment where reading stopped.
    refused: Vec<Value>,
    /// Games that have been read.
    #[serde(skip)]
    read: u64,
    /// Games of which the tables know no position.
    #[serde(skip)]
    above: u64,
    #[serde(skip)]
    named: NamedGames,
}

/// Where a game stands: its file, and its number there, from 1 on.
#[derive(Serialize)]
struct GameRef {
    file: String,
    game: usize,
}

impl AnnotatedDocument {
    /// Returns whether there has been no game.
    fn is_empty(&self) -> bool {
        self.read + self.unreadable == 0
    }

    /// Counts a game, and keeps it for JSON.
    fn add(&mut self, place: GameRef, record: Record, judgements: &[Judgement], json: bool) {
        self.read += 1;
        let is_unknown = |judgement: &Judgement| matches!(judgement, Judgement::Unknown);
        self.above += u64::from(!judgements.is_empty() && judgements.iter().all(is_unknown));
        let is_ours = record.sheet().is_none_or(|sheet| sheet == self.rules);
        let end = if is_ours { record.end(self.rules) } else { None };
        self.differing += u64::from(end.is_some_and(|end| end.differs));
        if json {
            self.games.push(AnnotatedGame::of(place, record, judgements, end));
        }
    }

    /// Counts a game that cannot be read, and keeps it for JSON.
    fn refuse(&mut self, place: GameRef, message: String, text: &str, json: bool) {
        self.unreadable += 1;
        if json {
            let GameRef { file, game } = place;
            let refused = json!({"file": file, "game": game, "message": message, "text": text});
            self.refused.push(refused);
        }
    }

    /// Says what there is to say in the end; `largest` is the layer up to which there are tables.
    fn finish(&self, json: bool, largest: Option<Seeds>) -> Result<ExitCode> {
        if json {
            output::document(self)?;
        }
        self.named.finish();
        if let Some(largest) = largest.filter(|_| self.above > 0) {
            let count = self.above;
            output::note(&format!(
                "oware: games without a judged move, because none comes down to {largest} seeds, \
                 the largest layer with a table: {count}"
            ));
        }
        if self.differing > 0 {
            let count = self.differing;
            output::note(&format!("oware: games whose result differs from their record: {count}"));
        }
        Ok(if self.unreadable == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

#[derive(Serialize)]
struct AnnotatedGame {
    #[serde(flatten)]
    place: GameRef,
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
        place: GameRef,
        record: Record,
        judgements: &[Judgement],
        end: Option<RecordEnd>,
    ) -> AnnotatedGame {
        let judgements = judgements.iter().map(Some).chain(std::iter::repeat(None));
        AnnotatedGame {
            place,
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
    /// What the tables say about the move. The scores are those of its player.
    #[serde(flatten)]
    judged: Option<Value>,
    comments: Vec<String>,
    glyphs: Vec<String>,
    variations: Vec<String>,
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
            judged: scored.map(|scored| {
                json!({
                    "loss": scored.loss,
                    "before": scored.before,
                    "after": scored.after,
                    "better": scored.better,
                    "turn": scored.thrown_away(),
                    "closes_cycle": scored.closes_cycle,
                })
            }),
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
