//! `oware annotate`: recorded games written back with comments.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::game::record::{Annotation, CaptureMark, Reader, Record, RecordEnd, RecordedMove};
use crate::game::{Rules, Seeds};
use crate::probe::Prober;
use crate::verify::{Judge, Judgement, annotate};

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
            json,
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
            self.annotate(path, &mut judge, &mut document)?;
        }
        document.finish(tables.available(self.rules.rules)?.last().copied())
    }

    /// Annotates the games of a file.
    fn annotate(
        &self,
        path: &Path,
        judge: &mut Judge,
        document: &mut AnnotatedDocument,
    ) -> Result<()> {
        let file = name(path);
        let mut reader = Reader::new(open(path)?);
        while let Some(read) = reader.next() {
            let game = reader.game();
            let is_first = document.is_empty();
            let text = match read {
                Ok(mut record) => {
                    document.named.look(&file, game, &record);
                    let judgements = annotate(judge, &mut record)?;
                    let text = if document.json { String::new() } else { self.written(&record) };
                    document.add(&file, game, record, judgements);
                    text
                }
                Err(error) => {
                    let message = document.named.refuse(&file, error)?;
                    document.refuse(&file, game, &message, reader.refused());
                    format!("{}\n", reader.refused())
                }
            };
            if !document.json {
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
    /// Whether it is printed; else games are not kept.
    #[serde(skip)]
    json: bool,
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

impl AnnotatedDocument {
    /// Returns whether there has been no game.
    fn is_empty(&self) -> bool {
        self.read + self.unreadable == 0
    }

    /// Counts a game, and keeps it for JSON.
    fn add(&mut self, file: &str, game: usize, record: Record, judgements: Vec<Judgement>) {
        self.read += 1;
        let is_unknown = |judgement: &Judgement| matches!(judgement, Judgement::Unknown);
        self.above += u64::from(!judgements.is_empty() && judgements.iter().all(is_unknown));
        let is_ours = record.sheet().is_none_or(|sheet| sheet == self.rules);
        let end = if is_ours { record.end(self.rules) } else { None };
        self.differing += u64::from(end.is_some_and(|end| end.differs));
        if self.json {
            self.games.push(AnnotatedGame { file: file.to_owned(), game, record, judgements, end });
        }
    }

    /// Counts a game that cannot be read, and keeps it for JSON.
    fn refuse(&mut self, file: &str, game: usize, message: &str, text: &str) {
        self.unreadable += 1;
        if self.json {
            let refused = json!({"file": file, "game": game, "message": message, "text": text});
            self.refused.push(refused);
        }
    }

    /// Says what there is to say in the end; `largest` is the layer up to which there are tables.
    fn finish(&self, largest: Option<Seeds>) -> Result<ExitCode> {
        if self.json {
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

/// A game with its comments, and the judgements of its moves up to the first that is not legal.
struct AnnotatedGame {
    file: String,
    /// Its number in the file, from 1 on.
    game: usize,
    record: Record,
    /// None of a game of another sheet.
    judgements: Vec<Judgement>,
    /// How the game ends by the rules, if it is over.
    end: Option<RecordEnd>,
}

impl Serialize for AnnotatedGame {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let AnnotatedGame { file, game, record, judgements, end } = self;
        let tags: Vec<[&str; 2]> =
            record.tags.iter().map(|tag| [&*tag.name, &*tag.value]).collect();
        let judgements = judgements.iter().map(Some).chain(std::iter::repeat(None));
        json!({
            "file": file,
            "game": game,
            "tags": tags,
            "start": record.start.to_string(),
            "comments": comments(&record.preface),
            "moves": record.moves.iter().zip(judgements).map(annotated).collect::<Vec<Value>>(),
            "result": record.result,
            "end": end,
        })
        .serialize(serializer)
    }
}

/// Returns a move with what the tables say about it, if they do. Scores are those of its player.
fn annotated((played, judgement): (&RecordedMove, Option<&Judgement>)) -> Value {
    let verdict = judgement.map(Judgement::name);
    let mut fields = json!({"move": played.ply.to_string(), "verdict": verdict});
    if let Some(Judgement::Scored(scored)) = judgement {
        fields["loss"] = json!(scored.loss);
        fields["before"] = json!(scored.before);
        fields["after"] = json!(scored.after);
        fields["better"] = json!(scored.better);
        fields["turn"] = json!(scored.thrown_away());
        fields["closes_cycle"] = json!(scored.closes_cycle);
    }
    let said = &played.annotations;
    fields["comments"] = json!(comments(said));
    fields["glyphs"] = json!(texts(said, |said| matches!(said, Annotation::Glyph(_))));
    fields["variations"] = json!(texts(said, |said| matches!(said, Annotation::Variation(_))));
    fields
}

/// Returns the texts of some of what is said.
fn texts(said: &[Annotation], is_meant: impl Fn(&Annotation) -> bool) -> Vec<&str> {
    said.iter().filter(|said| is_meant(said)).map(Annotation::text).collect()
}

fn comments(said: &[Annotation]) -> Vec<&str> {
    said.iter().filter_map(Annotation::as_comment).collect()
}
