//! `oware build --repair`: which of the tables that are there have to be built anew.
//!
//! A build believes a table that it keeps as far as it reads it: the scores, tile by tile, when a
//! layer above needs them. A repair reads everything beforehand, exceptions included. Nothing is taken
//! away: a damaged file stays what it is until the new one gets its name.

use std::fs;
use std::path::Path;

use serde::Serialize;

use oware_db::error::{Error, Result};
use oware_db::game::{Rules, Seeds};
use oware_db::probe::Tables;
use oware_db::table::file_name;

/// A table that has to be replaced, and why.
#[derive(Serialize)]
pub struct Damaged {
    #[serde(skip)]
    pub seeds: Seeds,
    pub file: String,
    pub what: String,
}

/// Reads every byte of the tables of `layers`, as far as they are there.
///
/// # Errors
/// [`Error::Io`] if one cannot be read, which does not say that it is damaged.
pub fn damaged(
    tables: &Tables,
    rules: &'static Rules,
    layers: impl Iterator<Item = Seeds>,
) -> Result<Vec<Damaged>> {
    let mut found = Vec::new();
    for seeds in layers {
        let Err(error) = verify(tables, rules, seeds) else { continue };
        let file = tables.dir().join(file_name(rules, seeds)).display().to_string();
        found.push(Damaged { seeds, file, what: flaw(error)? });
    }
    Ok(found)
}

fn verify(tables: &Tables, rules: &'static Rules, seeds: Seeds) -> Result<()> {
    tables.layer(rules, seeds)?.map_or(Ok(()), |table| table.check())
}

/// What is wrong with a table, if that is what the error is about.
pub fn flaw(error: Error) -> Result<String> {
    match error {
        Error::CorruptTable { what, .. } => Ok(what),
        Error::WrongVersion { found, known, .. } => {
            Ok(format!("its format has version {found}, and this program reads version {known}"))
        }
        other => Err(other),
    }
}

/// Clears the names of some tables: a file is replaced as it stands, a directory is not. An empty
/// one is removed.
///
/// # Errors
/// [`Error::Io`] for one that holds something.
pub fn make_way(dir: &Path, names: &[String]) -> Result<()> {
    for path in names.iter().map(|name| dir.join(name)) {
        if fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir()) {
            fs::remove_dir(&path)
                .map_err(Error::io("removing the directory of this name", &path))?;
        }
    }
    Ok(())
}
