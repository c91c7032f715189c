//! Judging files of games, as many at a time as there are processors.

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::game::record::{Reader, Record};
use crate::game::{Rules, Seeds};
use crate::pool::Pool;
use crate::probe::{Prober, Tables};
use crate::verify::{Judge, Report};

use crate::cli::input::{name, open_until};
use crate::cli::judging::NamedGames;
use crate::cli::{interrupt, output};

/// Moves that are read before they are judged, or as much of anything else.
const BATCH: usize = 200_000;
/// Bytes of tags and comments that cost as much as a move.
const BYTES_PER_MOVE: usize = 64;
/// Games that one thread takes at a time.
const GAMES_PER_TASK: usize = 32;

/// Judges all games of these files, or as many as errors and the user let it.
pub fn judge(
    tables: &Tables,
    rules: &'static Rules,
    files: &[PathBuf],
    (game, worst): (Option<Seeds>, usize),
) -> (Report, Result<()>) {
    let names: Vec<String> = files.iter().map(|path| name(path)).collect();
    let mut judging = Judging {
        judges: Pool::new(|| Judge::new(Prober::new(tables, rules))),
        report: Report::new(rules, names.clone(), worst),
        empty: Report::new(rules, names, worst),
        named: NamedGames::new(rules, game),
        interrupt: interrupt::flag(),
    };
    let done = (0..).zip(files).try_for_each(|(source, path)| judging.judge_file(source, path));
    let Judging { judges, mut report, named, .. } = judging;
    let done = done.and(judges.with(|judge| report.add_lines(judge)));
    warn(&report, done.is_ok());
    named.finish();
    (report, done)
}

/// A game and its number in its file.
type Numbered = (usize, Record);

/// What has been judged so far, and what is needed to go on.
struct Judging<'t> {
    /// Judges for any number of threads, each with what it decoded last.
    judges: Pool<'t, Judge>,
    report: Report,
    /// A report with nothing in it.
    empty: Report,
    named: NamedGames,
    interrupt: Arc<AtomicBool>,
}

impl Judging<'_> {
    fn judge_file(&mut self, source: usize, path: &Path) -> Result<()> {
        let mut reader = Reader::new(open_until(path, &self.interrupt)?);
        loop {
            let mut batch = Vec::new();
            let read = self.read_batch(&mut reader, source, &mut batch);
            let at_end = batch.is_empty();
            self.judge_batch(source, &batch, read.is_err())?;
            read?;
            if at_end {
                return Ok(());
            }
        }
    }

    /// Reads the next games. Games that cannot be read are reported and counted.
    fn read_batch(
        &mut self,
        reader: &mut Reader<impl BufRead>,
        source: usize,
        batch: &mut Vec<Numbered>,
    ) -> Result<()> {
        let file = self.report.sources[source].clone();
        let mut size = 0;
        while size < BATCH {
            match reader.next() {
                None => break,
                Some(Ok(record)) => {
                    size += size_of_record(&record);
                    self.named.look(&file, reader.game(), &record);
                    batch.push((reader.game(), record));
                }
                Some(Err(error)) => self.unreadable(error, &file)?,
            }
        }
        Ok(())
    }

    /// Judges games: the `last` ones to their end, others until the user wants an end.
    fn judge_batch(&mut self, source: usize, batch: &[Numbered], last: bool) -> Result<()> {
        let judged = batch.par_chunks(GAMES_PER_TASK).map(|games| {
            let (mut report, mut games) = (self.empty.clone(), games.iter());
            let done = self.judges.with(|judge| {
                games.try_for_each(|(number, record)| {
                    if !last && self.interrupt.load(Ordering::Relaxed) {
                        return Err(Error::Stopped);
                    }
                    report.add_record(judge, record, source, *number)
                })
            });
            (report, done)
        });
        let both = |(one, done): (Report, Result<()>), (other, also)| {
            (Report::merge(one, other), done.and(also))
        };
        let (judged, done) = judged.reduce(|| (self.empty.clone(), Ok(())), both);
        self.report = std::mem::replace(&mut self.report, self.empty.clone()).merge(judged);
        done
    }

    fn unreadable(&mut self, error: Error, file: &str) -> Result<()> {
        if matches!(error, Error::Io { .. }) && self.interrupt.load(Ordering::Relaxed) {
            return Err(Error::Stopped);
        }
        self.named.refuse(file, error)?;
        self.report.unreadable += 1;
        Ok(())
    }
}

/// Returns the size of a record, in moves. A record without moves has a size, too.
fn size_of_record(record: &Record) -> usize {
    let said = record.moves.iter().flat_map(|played| &played.annotations).chain(&record.preface);
    let tags = record.tags.iter().map(|tag| tag.name.len() + tag.value.len());
    let bytes: usize = said.map(|annotation| annotation.text().len()).chain(tags).sum();
    8 + record.moves.len() + bytes / BYTES_PER_MOVE
}

/// Warns about games that were not judged, and that there are none if all has been read.
fn warn(report: &Report, is_all: bool) {
    if is_all && report.games == 0 && report.unreadable == 0 && report.foreign == 0 {
        output::note("oware: no game to judge");
    }
    if report.foreign > 0 {
        let games = report.foreign;
        let rules = report.rules.id;
        output::note(&format!(
            "oware: {games} of the games were not judged, because their Variant tag names a rule \
             sheet other than `{rules}`; choose it with --rules"
        ));
    }
}
