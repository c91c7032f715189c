//! Files of one or several directories that are opened when they are first needed, and stay open: tables of any
//! game.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::error::{Error, Result};
use crate::pool::locked;
use crate::table::general::GeneralTable;
use crate::table::{FilePlace, Shelf, Table};

/// Returns a path if there is a directory, or each of [`directories`] that it names.
///
/// # Errors
/// [`Error::NoDirectory`] if one is not there, [`Error::Io`] if there is something else.
pub(super) fn existing(path: PathBuf) -> Result<PathBuf> {
    let path = unless_something_else(path)?;
    match directories(&path).into_iter().find(|dir| !dir.is_dir()) {
        Some(dir) => Err(Error::NoDirectory { dir }),
        None => Ok(path),
    }
}

/// Returns a path if there is a directory, or nothing yet, or so of each of [`directories`].
///
/// # Errors
/// [`Error::Io`] if there is something else, or the system does not say.
pub(super) fn unless_something_else(path: PathBuf) -> Result<PathBuf> {
    for dir in directories(&path) {
        match std::fs::metadata(&dir) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(Error::io("opening", dir)(io::ErrorKind::NotADirectory.into())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::io("opening", dir)(error)),
        }
    }
    Ok(path)
}

/// What tells a table of a game from others: its sheet, owners and seeds.
pub type Key = (&'static str, u32, usize);

/// The open tables of a game.
pub type Files<T> = Mutex<HashMap<Key, Arc<T>>>;

/// Directories, which need not exist, and their open files.
#[derive(Debug)]
pub struct Opened {
    /// What they are called together.
    pub dir: PathBuf,
    places: FilePlaces,
    /// Tables of Oware.
    pub oware: Files<Table>,
    /// Tables of the other games.
    pub general: Files<GeneralTable>,
}

/// Where files are.
#[derive(Debug)]
enum FilePlaces {
    /// What several of them have, the first one's counts.
    Directories(Vec<PathBuf>),
    Shelf(Arc<dyn Shelf>),
}

/// How files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// By reads at a position.
    Read,
    /// Through a memory map where there is one for the game, as the caller of
    /// [`Tables::open_mapped`](super::Tables::open_mapped) has allowed.
    Map,
}

impl Opened {
    /// Of [`directories`] in which no file has been opened yet.
    pub fn new(dir: PathBuf) -> Opened {
        Opened::at(FilePlaces::Directories(directories(&dir)), dir)
    }

    /// Of a shelf, which errors call `dir`.
    pub fn on_shelf(dir: PathBuf, shelf: Arc<dyn Shelf>) -> Opened {
        Opened::at(FilePlaces::Shelf(shelf), dir)
    }

    fn at(places: FilePlaces, dir: PathBuf) -> Opened {
        Opened { dir, places, oware: Mutex::default(), general: Mutex::default() }
    }

    /// Returns whether there are no directories.
    #[cfg(feature = "answers")]
    pub fn is_shelf(&self) -> bool {
        matches!(self.places, FilePlaces::Shelf(_))
    }

    /// Returns the path of the file called `name`, or where it would be.
    pub fn path(&self, name: &str) -> PathBuf {
        let FilePlaces::Directories(dirs) = &self.places else { return self.dir.join(name) };
        let mut paths = dirs.iter().map(|dir| dir.join(name));
        paths.find(|path| path.exists()).unwrap_or_else(|| dirs[0].join(name))
    }

    /// Returns what the file called `name` holds, one of these, which `open` opens if it has not been;
    /// `None` if there is no such file.
    pub fn get<T>(
        &self,
        files: &Files<T>,
        key: Key,
        name: &str,
        open: impl Fn(FilePlace) -> Result<T>,
    ) -> Result<Option<Arc<T>>> {
        if let Some(table) = locked(files).get(&key) {
            return Ok(Some(table.clone()));
        }
        let found = match &self.places {
            FilePlaces::Shelf(shelf) => {
                found(open(FilePlace::OnShelf(&**shelf, &self.dir.join(name))))
            }
            FilePlaces::Directories(dirs) => {
                dirs.iter().find_map(|dir| found(open(FilePlace::File(&dir.join(name)))))
            }
        };
        // A host may take its time to open one, so nobody waits for that who asks for another. Of two
        // that open the same one, the first one's stays.
        let kept = |table| locked(files).entry(key).or_insert_with(|| Arc::new(table)).clone();
        Ok(found.transpose()?.map(kept))
    }

    /// Lists what files are named after, in order; others do not matter, and none is opened.
    pub fn named<N, O: Ord>(
        &self,
        named: impl Fn(&str) -> Option<N>,
        order: impl Fn(&N) -> O,
    ) -> Result<Vec<N>> {
        let mut found = Vec::new();
        let dirs = match &self.places {
            FilePlaces::Directories(dirs) => &dirs[..],
            FilePlaces::Shelf(shelf) => {
                let names = shelf.names().map_err(Error::io("listing", &self.dir))?;
                found.extend(names.iter().filter_map(|name| named(name)));
                &[]
            }
        };
        for dir in dirs {
            let listing = match std::fs::read_dir(dir) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                listing => listing.map_err(Error::io("listing", dir))?,
            };
            for entry in listing {
                let name = entry.map_err(Error::io("listing", dir))?.file_name();
                found.extend(name.to_str().and_then(&named));
            }
        }
        found.sort_by_key(&order);
        found.dedup_by_key(|name| order(name));
        Ok(found)
    }
}

/// Returns what was opened, or what went wrong; `None` if there is nothing to open.
fn found<T>(opened: Result<T>) -> Option<Result<T>> {
    match opened {
        Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => None,
        opened => Some(opened),
    }
}

/// Returns the directories that a path names: itself, or if there is no such directory, those in it
/// that the system's separator divides as in `PATH`, `:` on Unix and `;` on Windows.
///
/// What several of them have, the first one's counts. An address is itself.
pub fn directories(path: &Path) -> Vec<PathBuf> {
    let parts: Vec<PathBuf> =
        std::env::split_paths(path).filter(|part| !part.as_os_str().is_empty()).collect();
    let is_one = parts.is_empty() || address(path).is_some() || path.is_dir();
    if is_one { vec![path.to_owned()] } else { parts }
}

/// Returns the address that stands in place of a directory, if one does.
pub fn address(dir: &Path) -> Option<&str> {
    let text = dir.to_str()?;
    ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme)).then_some(text)
}

// Windows separates paths by another sign.
#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_itself_or_several() {
        let dir = tempfile::tempdir().unwrap();
        let named = dir.path().join("a:b");
        for (path, expected) in [
            ("", vec![""]),
            ("a", vec!["a"]),
            ("a:b/c::d:", vec!["a", "b/c", "d"]),
            ("https://a:8/b", vec!["https://a:8/b"]),
        ] {
            let expected: Vec<PathBuf> = expected.into_iter().map(PathBuf::from).collect();
            assert_eq!(directories(Path::new(path)), expected, "{path}");
        }
        assert_eq!(directories(&named).len(), 2);
        std::fs::create_dir(&named).unwrap();
        assert_eq!(directories(&named), [named]);
    }
}
