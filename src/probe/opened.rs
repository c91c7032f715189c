//! Files of a directory that are opened when they are first needed, and stay open: tables of any
//! game.

use std::collections::HashMap;
use std::hash::Hash;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};

/// Returns a path if there is a directory.
///
/// # Errors
/// [`Error::NoDirectory`] if there is nothing, [`Error::Io`] if there is something else.
pub(super) fn existing(dir: PathBuf) -> Result<PathBuf> {
    let dir = unless_something_else(dir)?;
    if dir.is_dir() { Ok(dir) } else { Err(Error::NoDirectory { dir }) }
}

/// Returns a path if there is a directory, or nothing yet.
///
/// # Errors
/// [`Error::Io`] if there is something else, or the system does not say.
pub(super) fn unless_something_else(dir: PathBuf) -> Result<PathBuf> {
    match std::fs::metadata(&dir) {
        Ok(found) if found.is_dir() => Ok(dir),
        Ok(_) => Err(Error::io("opening", dir)(io::ErrorKind::NotADirectory.into())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(dir),
        Err(error) => Err(Error::io("opening", dir)(error)),
    }
}

/// The open files by what they hold.
type Files<K, T> = HashMap<K, Arc<T>>;

/// A directory, which need not exist, and its open files.
#[derive(Debug)]
pub(super) struct Opened<K, T> {
    pub dir: PathBuf,
    files: Mutex<Files<K, T>>,
}

impl<K: Eq + Hash, T> Opened<K, T> {
    /// Of a directory in which no file has been opened yet.
    pub fn new(dir: PathBuf) -> Opened<K, T> {
        Opened { dir, files: Mutex::default() }
    }

    /// Returns the files that have been opened.
    pub fn files(&self) -> MutexGuard<'_, Files<K, T>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what one called `name` holds, which `open` opens if it has not been; `None` if there is
    /// no such file.
    pub fn get(
        &self,
        key: K,
        name: &str,
        open: impl FnOnce(&Path) -> Result<T>,
    ) -> Result<Option<Arc<T>>> {
        let mut files = self.files();
        if let Some(table) = files.get(&key) {
            return Ok(Some(table.clone()));
        }
        let table = match open(&self.dir.join(name)) {
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                return Ok(None);
            }
            opened => Arc::new(opened?),
        };
        files.insert(key, table.clone());
        Ok(Some(table))
    }

    /// Lists what files are named after, in order; others do not matter, and none is opened.
    pub fn named<N, O: Ord>(
        &self,
        named: impl Fn(&str) -> Option<N>,
        order: impl Fn(&N) -> O,
    ) -> Result<Vec<N>> {
        let listing = match std::fs::read_dir(&self.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            listing => listing.map_err(Error::io("listing", &self.dir))?,
        };
        let mut found = Vec::new();
        for entry in listing {
            let name = entry.map_err(Error::io("listing", &self.dir))?.file_name();
            found.extend(name.to_str().and_then(&named));
        }
        found.sort_by_key(order);
        Ok(found)
    }

    /// Returns the error that says that the table of a layer is not there.
    pub fn missing(&self, rules: &str, seeds: usize) -> Error {
        Error::MissingTable { dir: self.dir.clone(), rules: rules.to_owned(), seeds }
    }
}
