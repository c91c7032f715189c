//! Files of one or several directories that are opened when they are first needed, and stay open: tables of any
//! game.

use std::any::Any;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::error::{Error, Result};
use crate::table::{DirectoryShelf, OpenFile, Shelf, Source};

/// What tells a table of a game from others: its sheet, owners and seeds.
pub type Key = (&'static str, u32, usize);

/// Directories, which need not exist, or another shelf, and their open files.
#[derive(Debug)]
pub struct Opened {
    /// What they are called together.
    pub dir: PathBuf,
    /// Where they are, and what errors call that. What several of them have, the first one's counts.
    pub places: Vec<(PathBuf, Arc<dyn Shelf>)>,
    /// Whether they are anywhere but in directories.
    pub is_elsewhere: bool,
    /// The tables of all games that are open, each of the type that its game has.
    pub tables: Mutex<HashMap<Key, Arc<dyn Any + Send + Sync>>>,
}

impl Opened {
    /// Of a shelf, which errors call `name`, on which no file has been opened yet.
    pub fn on_shelf(name: PathBuf, shelf: Arc<dyn Shelf>) -> Opened {
        let places = vec![(name.clone(), shelf)];
        Opened { dir: name, places, is_elsewhere: true, tables: Mutex::default() }
    }

    /// Of [`directories`], of which some need not exist yet; `open` opens a file there.
    ///
    /// # Errors
    /// [`Error::Io`] if there is something else, or the system does not say.
    pub fn in_directories(path: PathBuf, open: OpenFile) -> Result<Opened> {
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
        let shelf = |dir| -> Arc<dyn Shelf> { Arc::new(DirectoryShelf(dir, open)) };
        let places = dirs.into_iter().map(|dir| (dir.clone(), shelf(dir))).collect();
        Ok(Opened { dir: path, places, is_elsewhere: false, tables: Mutex::default() })
    }

    /// Opens the file called `name`; `None` if there is none.
    pub fn open(&self, name: &str) -> Result<Option<Source>> {
        for (dir, shelf) in &self.places {
            match shelf.open(name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                opened => return Source::new(&dir.join(name), opened).map(Some),
            }
        }
        Ok(None)
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
