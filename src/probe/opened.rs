//! Files of one or several directories that are opened when they are first needed, and stay open: tables of any
//! game.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::error::{Error, Result};
use crate::table::general::GeneralTable;
use crate::table::{FilePlace, Shelf, Table};

/// What tells a table of a game from others: its sheet, owners and seeds.
pub type Key = (&'static str, u32, usize);

/// The open tables of a game.
pub type Files<T> = Mutex<HashMap<Key, Arc<T>>>;

/// Directories, which need not exist, and their open files.
#[derive(Debug)]
pub struct Opened {
    /// What they are called together.
    pub dir: PathBuf,
    /// Where they are.
    pub places: FilePlaces,
    /// Tables of Oware.
    pub oware: Files<Table>,
    /// Tables of the other games.
    pub general: Files<GeneralTable>,
}

/// Where files are.
#[derive(Debug)]
pub enum FilePlaces {
    /// What several of them have, the first one's counts.
    Directories(Vec<PathBuf>),
    /// Somewhere else.
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
    /// Of places in which no file has been opened yet, which errors call `dir`.
    pub fn new(dir: PathBuf, places: FilePlaces) -> Opened {
        Opened { dir, places, oware: Mutex::default(), general: Mutex::default() }
    }

    /// Of [`directories`], of which some need not exist yet.
    ///
    /// # Errors
    /// [`Error::Io`] if there is something else, or the system does not say.
    pub fn in_directories(path: PathBuf) -> Result<Opened> {
        let dirs = directories(&path);
        for dir in &dirs {
            match std::fs::metadata(dir) {
                Ok(found) if found.is_dir() => {}
                Ok(_) => {
                    return Err(Error::io("opening", dir)(io::ErrorKind::NotADirectory.into()));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(Error::io("opening", dir)(error)),
            }
        }
        Ok(Opened::new(path, FilePlaces::Directories(dirs)))
    }

    /// Returns the directories; none of a shelf.
    pub fn directories(&self) -> &[PathBuf] {
        if let FilePlaces::Directories(dirs) = &self.places { dirs } else { &[] }
    }

    /// Opens the file called `name`; `None` if there is none.
    pub fn open<T>(&self, name: &str, open: impl Fn(FilePlace) -> Result<T>) -> Result<Option<T>> {
        let found = |place: FilePlace| match open(place) {
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => None,
            opened => Some(opened),
        };
        match &self.places {
            FilePlaces::Shelf(shelf) => found(FilePlace::OnShelf(&**shelf, &self.dir.join(name))),
            FilePlaces::Directories(dirs) => {
                dirs.iter().find_map(|dir| found(FilePlace::File(&dir.join(name))))
            }
        }
        .transpose()
    }

    /// Lists what files are named after, in no order; others do not matter, and none is opened.
    pub fn named<N>(&self, named: impl Fn(&str) -> Option<N>) -> Result<Vec<N>> {
        let mut found = Vec::new();
        if let FilePlaces::Shelf(shelf) = &self.places {
            let names = shelf.names().map_err(Error::io("listing", &self.dir))?;
            found.extend(names.iter().filter_map(|name| named(name)));
        }
        for dir in self.directories() {
            let listing = match std::fs::read_dir(dir) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                listing => listing.map_err(Error::io("listing", dir))?,
            };
            for entry in listing {
                let name = entry.map_err(Error::io("listing", dir))?.file_name();
                found.extend(name.to_str().and_then(&named));
            }
        }
        Ok(found)
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
