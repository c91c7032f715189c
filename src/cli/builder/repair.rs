//! `oware build --repair`: which of the tables that are there have to be rebuilt.
//!
//! A build believes a table that it keeps as far as it reads it: the scores, tile by tile, when a
//! layer above needs them. A repair reads everything beforehand, exceptions included. Nothing is taken
//! away: a damaged file stays what it is until the new one gets its name.

use std::fs;
use std::path::Path;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::json::words::owned;
use crate::probe::{Tabled, Tables};
use crate::table::MISNAMED;

use crate::cli::output;

/// A table that has to be replaced, and why.
#[derive(Serialize)]
pub struct Damaged {
    file: String,
    what: String,
}

/// Returns whether a table is one of those that have to be replaced.
pub fn is_damaged(damaged: &[Damaged], dir: &Path, name: &str) -> bool {
    let path = dir.join(name).display().to_string();
    damaged.iter().any(|damaged| damaged.file == path)
}

/// Splits off misnamed tables from the layers that have one, fewest seeds first: whole tables of
/// other layers or games, while some are missing below. `has_all_below` says whether none is below one,
/// given its place.
pub fn split_misnamed<G: Tabled>(
    tables: &Tables,
    sheet: &'static G,
    layers: &mut Vec<G::Layer>,
    has_all_below: impl Fn(usize, G::Layer) -> bool,
) -> Vec<G::Layer> {
    let is_misnamed = |layer| match tables.layer(sheet, layer) {
        Err(Error::CorruptTable { what, .. }) => what.contains(MISNAMED),
        _ => false,
    };
    let is_named_so =
        |(at, &layer): (usize, &G::Layer)| has_all_below(at, layer) || !is_misnamed(layer);
    let count = layers.iter().enumerate().rposition(is_named_so).map_or(0, |last| last + 1);
    layers.split_off(count)
}

/// Names misnamed tables.
pub fn note_misnamed<G: Tabled>(tables: &Tables, sheet: &G, misnamed: Vec<G::Layer>) {
    for layer in misnamed {
        let (path, (_, seeds)) = (tables.path(sheet, layer), G::owners_and_seeds(layer));
        let owners = owned(G::owners_text(layer).as_deref());
        output::note(&format!(
            "{}: {MISNAMED}, and tables are missing below it; remove it, or rebuild it with \
             --seeds {seeds}{owners}",
            path.display()
        ));
    }
}

/// Finds the tables of some layers that are not to be kept: those that `check`, which reads every
/// byte of one, finds fault with. Each is named: its contents may belong to the user.
///
/// # Errors
/// [`Error::Io`] if one cannot be read, which does not say that it is damaged.
pub fn damaged<G: Tabled>(
    tables: &Tables,
    sheet: &'static G,
    layers: impl Iterator<Item = G::Layer>,
    check: impl Fn(&G::Table) -> Result<()>,
) -> Result<Vec<Damaged>> {
    let mut found = Vec::new();
    for layer in layers {
        let read = tables.layer(sheet, layer);
        let read = read.and_then(|table| table.map_or(Ok(()), |table| check(&table)));
        let Err(error) = read else { continue };
        let path = tables.dir().join(sheet.file_name(layer));
        let (file, what) = (path.display().to_string(), flaw(error)?);
        output::note(&format!("{file}: {what}; it must be rebuilt"));
        found.push(Damaged { file, what });
    }
    Ok(found)
}

/// What is wrong with a table, if that is what the error is about.
fn flaw(error: Error) -> Result<String> {
    match error {
        Error::CorruptTable { what, .. } => Ok(what),
        Error::WrongVersion { found, known, .. } => {
            Ok(format!("it has format version {found}, but this program reads version {known}"))
        }
        other => Err(other),
    }
}

/// Clears the names of some tables: a file is replaced as it stands, a directory is not. An empty
/// one is removed.
///
/// # Errors
/// [`Error::Io`] for one that holds something.
pub fn make_way(dir: &Path, names: impl IntoIterator<Item = String>) -> Result<()> {
    for path in names.into_iter().map(|name| dir.join(name)) {
        if fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir()) {
            fs::remove_dir(&path)
                .map_err(Error::io("removing the directory of this name", &path))?;
        }
    }
    Ok(())
}
