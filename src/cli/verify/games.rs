//! Judging files of games, as many at a time as there are processors.

use std::io::BufRead;
use std::path::PathBuf;

use rayon::prelude::*;

use oware_db::error::{Error, Result};
use oware_db::game::Rules;
use oware_db::game::record::{Reader, Record};
use oware_db::pool::Pool;
use oware_db::probe::{Prober, Tables};
use oware_db::verify::{Judge, Report};

use crate::cli::input::{name, open};
use crate::cli::judging::Contradicted;
use crate::cli::output;

/// Moves that are read before they are judged, or as much of anything else.
const BATCH: usize = 200_000;
/// Bytes of tags and comments that cost as much as a move.
const BYTES_PER_MOVE: usize = 64;
/// Games that one thread takes at a time.
const GAMES_PER_TASK: usize = 32;
/// Games that cannot be read and are reported one by one.
const REPORTED: u64 = 20;

/// Judges all games of these files.
pub fn judge(
    tables: &Tables,
    rules: &'static Rules,
    files: &[PathBuf],
    worst: usize,
) -> Result<Report> {
    let names: Vec<String> = files.iter().map(|path| name(path)).collect();
    let judges = Judges(Pool::new(|| Judge::new(Prober::new(tables, rules))));
    let mut report = Report::new(rules, names.clone(), worst);
    let mut contradicted = Contradicted::default();
    for (source, path) in files.iter().enumerate() {
        let mut reader = Reader::new(open(path)?);
        loop {
            let batch = read_batch(&mut reader, &names[source], &mut report, &mut contradicted)?;
            if batch.is_empty() {
                break;
            }
            let empty = || Report::new(rules, names.clone(), worst);
            let judged =
                batch.par_chunks(GAMES_PER_TASK).map(|games| judges.judge(games, source, empty()));
            report = report.merge(judged.try_reduce(empty, |one, other| Ok(one.merge(other)))?);
        }
    }
    judges.0.with(|judge| report.add_lines(judge))?;
    warn(&report);
    contradicted.finish();
    Ok(report)
}

/// A game and its number in its file.
type Numbered = (usize, Record);

/// Reads the next games. Games that cannot be read are reported and counted.
fn read_batch(
    reader: &mut Reader<impl BufRead>,
    file: &str,
    report: &mut Report,
    contradicted: &mut Contradicted,
) -> Result<Vec<Numbered>> {
    let mut batch = Vec::new();
    let mut size = 0;
    while size < BATCH {
        match reader.next() {
            None => break,
            Some(Ok(record)) => {
                size += size_of_record(&record);
                contradicted.note(file, reader.game(), &record, report.rules);
                batch.push((reader.game(), record));
            }
            Some(Err(error)) => unreadable(error, file, report)?,
        }
    }
    Ok(batch)
}

/// Returns the size of a record, in moves. A record without moves has a size, too.
fn size_of_record(record: &Record) -> usize {
    let said = record.moves.iter().flat_map(|played| &played.annotations).chain(&record.preface);
    let tags = record.tags.iter().map(|tag| tag.name.len() + tag.value.len());
    let bytes: usize = said.map(|annotation| annotation.text().len()).chain(tags).sum();
    8 + record.moves.len() + bytes / BYTES_PER_MOVE
}

fn unreadable(error: Error, file: &str, report: &mut Report) -> Result<()> {
    match error {
        Error::Record { .. } => {
            if report.unreadable < REPORTED {
                output::note(&format!("oware: {file}: {}", output::with_command(&error)));
            }
            report.unreadable += 1;
            Ok(())
        }
        Error::Io { doing, source, .. } => Err(Error::Io { doing, path: file.into(), source }),
        error => Err(error),
    }
}

/// Warns about games that were not judged.
fn warn(report: &Report) {
    if report.games == 0 && report.unreadable == 0 && report.foreign == 0 {
        output::note("oware: there is no game to judge");
    }
    if report.unreadable > REPORTED {
        output::note(&format!("oware: {} games could not be read", report.unreadable));
    }
    if report.foreign > 0 {
        let games = report.foreign;
        let rules = report.rules.id;
        output::note(&format!(
            "oware: {games} of the games are of another sheet than `{rules}` by their Variant tag \
             and were not judged; --rules chooses the sheet"
        ));
    }
}

/// Judges for any number of threads, each with what it decoded last.
struct Judges<'t>(Pool<'t, Judge>);

impl Judges<'_> {
    /// Adds some games to a report.
    fn judge(&self, games: &[Numbered], source: usize, mut report: Report) -> Result<Report> {
        self.0.with(|judge| {
            for (number, record) in games {
                report.add_record(judge, record, source, *number)?;
            }
            Ok(report)
        })
    }
}
