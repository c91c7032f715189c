//! Where tables are, a directory, several or any other [`Shelf`], and what all threads share of
//! them: open files and the cache of decoded tiles.

use std::any::Any;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::tabled::Tabled;
use crate::error::{Error, Result};
use crate::game::{Rules, Seeds};
use crate::pool::locked;
use crate::solver::{InMemory, Kernel, Solver, Unobserved};
use crate::table::{Cache, DirectoryShelf, OpenFile, Shelf, Source, map_file, read_file};

/// The bytes of decoded tiles that tables keep at most, unless [`Tables::with_cache`] says
/// otherwise: room for all tiles of the tables to 17 seeds.
pub const DEFAULT_CACHE: u64 = 256 << 20;

/// A directory of tables, of any number of sheets of any game; or several, of which the first one
/// that has a table counts.
///
/// It is a handle: clones share the open files and the cache of decoded tiles, as do all threads
/// and all [`Prober`](super::Prober)s made from them. A file is opened when it is first needed and
/// stays open.
///
/// Tables may be built while they are read: a finished file is renamed to its name. A file that
/// appears later is found later; one that is replaced after it was opened stays the one it was.
#[derive(Clone, Debug)]
pub struct Tables {
    files: Arc<Files>,
    cache: Arc<Cache>,
}

/// Directories, which need not exist, or another shelf, and their open files.
#[derive(Debug)]
struct Files {
    /// What the places are called together.
    dir: PathBuf,
    /// Where files are, and what errors call that. What several have, the first one's counts.
    places: Vec<(PathBuf, Arc<dyn Shelf>)>,
    /// Whether they are anywhere but in directories.
    are_elsewhere: bool,
    /// The tables of all games that are open, each of the type that its game has.
    open: Mutex<HashMap<Key, Arc<dyn Any + Send + Sync>>>,
}

/// What tells a table of a game from others: its sheet, owners and seeds.
type Key = (&'static str, u32, usize);

impl Tables {
    /// Opens the tables of `dir`, each by positioned reads: one that is written over meanwhile, as
    /// a plain `cp` of newer tables does, is a damaged one. With the feature `remote`, `dir` may
    /// also be an address as `https://example.org/tables/`, which stands for those that
    /// `tables.json` there lists.
    /// A path that is no directory and names several, as `PATH` does, stands for all of them:
    /// `fast:large` on Unix, `fast;large` on Windows.
    ///
    /// This looks at no table. What a file is gets proved when it is first needed.
    ///
    /// # Errors
    /// [`Error::NoDirectory`] if there is none, [`Error::Io`] if `dir` is something else or the
    /// system refuses.
    pub fn open(dir: impl Into<PathBuf>) -> Result<Tables> {
        Tables::of_path(dir.into(), read_file)?.present()
    }

    /// Opens the tables of a directory that need not exist yet, as builders do: until someone makes
    /// it there are none.
    ///
    /// # Errors
    /// [`Error::Io`] as [`Tables::open`].
    pub fn open_early(dir: impl Into<PathBuf>) -> Result<Tables> {
        Tables::of_path(dir.into(), read_file)
    }

    /// Opens the tables of `dir`, each through a memory map: no system call for a tile that is not
    /// in the cache, and no memory of its own.
    ///
    /// # Safety
    /// While any clone of these tables lives, or a prober made from them, no table file in `dir` is
    /// written into or truncated, by this program or another. Replacing a file by renaming another
    /// one over it is fine, and so is removing it; that is all this library ever does
    /// ([`table::write`](crate::table::write())).
    ///
    /// # Errors
    /// As [`Tables::open`].
    #[allow(unsafe_code)]
    pub unsafe fn open_mapped(dir: impl Into<PathBuf>) -> Result<Tables> {
        // SAFETY: the caller promises that no table changes in place.
        Tables::of_path(dir.into(), |path| unsafe { map_file(path) })?.present()
    }

    /// Opens the tables of [`directories`], of which some need not exist yet; `open` opens a file
    /// there.
    fn of_path(path: PathBuf, open: OpenFile) -> Result<Tables> {
        if let Some(address) = address(&path) {
            return Tables::at(address);
        }
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
        Ok(Tables::of(path, places, false))
    }

    /// Makes sure that the directories are there.
    fn present(self) -> Result<Tables> {
        let mut dirs = self.files.places.iter().map(|(dir, _)| dir);
        match dirs.find(|dir| !self.files.are_elsewhere && !dir.is_dir()) {
            Some(dir) => Err(Error::NoDirectory { dir: dir.clone() }),
            None => Ok(self),
        }
    }

    /// Opens the tables on a shelf, which errors call `name`: an address, or a word of where they are.
    pub fn on_shelf(name: impl Into<PathBuf>, shelf: Arc<dyn Shelf>) -> Tables {
        let name = name.into();
        Tables::of(name.clone(), vec![(name, shelf)], true)
    }

    fn of(dir: PathBuf, places: Vec<(PathBuf, Arc<dyn Shelf>)>, are_elsewhere: bool) -> Tables {
        let files = Files { dir, places, are_elsewhere, open: Mutex::default() };
        Tables { files: Arc::new(files), cache: Arc::new(Cache::new(DEFAULT_CACHE)) }
    }

    /// Opens the tables that `tables.json` at an address lists.
    #[cfg(feature = "remote")]
    fn at(address: &str) -> Result<Tables> {
        Ok(Tables::on_shelf(address, super::remote::open(address)?))
    }

    #[cfg(not(feature = "remote"))]
    fn at(address: &str) -> Result<Tables> {
        Err(Error::Usage(format!(
            "{address}: this program reads only directories; build it with `--features remote` to \
             read tables from web hosts"
        )))
    }

    /// Returns a handle of the same files with a cache of its own for decoded tiles, of at most
    /// `bytes` bytes.
    pub fn with_cache(self, bytes: u64) -> Tables {
        Tables { cache: Arc::new(Cache::new(bytes)), ..self }
    }

    /// Returns the directory, or the path that names several.
    pub fn dir(&self) -> &Path {
        &self.files.dir
    }

    /// Returns the path of the table of a layer, or where it would be.
    pub fn path<G: Tabled>(&self, sheet: &G, layer: G::Layer) -> PathBuf {
        let (places, name) = (&self.files.places, sheet.file_name(layer));
        let mut paths = places.iter().map(|(dir, _)| dir.join(&name));
        let found = paths.find(|path| path.exists());
        found.unwrap_or_else(|| places[0].0.join(&name))
    }

    /// Lists the layers of a sheet that have a file, by owners and then fewest seeds first. Other files
    /// do not matter, and no file is opened.
    ///
    /// # Errors
    /// [`Error::Io`] if the directory cannot be listed.
    pub fn available<G: Tabled>(&self, sheet: &G) -> Result<Vec<G::Layer>> {
        let mut layers = Vec::new();
        for (dir, shelf) in &self.files.places {
            let names = shelf.names().map_err(Error::io("listing", dir))?;
            layers.extend(names.iter().filter_map(|name| sheet.named_layer(name)));
        }
        layers.sort_by_key(|&layer| G::owners_and_seeds(layer));
        layers.dedup_by_key(|layer| G::owners_and_seeds(*layer));
        Ok(layers)
    }

    /// Lists those of them whose seeds are wanted.
    ///
    /// # Errors
    /// As [`Tables::available`], and [`Error::MissingTable`] of a layer of `named` seeds if there are
    /// none.
    pub fn available_where<G: Tabled>(
        &self,
        sheet: &G,
        is_wanted: impl Fn(usize) -> bool,
        named: usize,
    ) -> Result<Vec<G::Layer>> {
        let mut layers = self.available(sheet)?;
        layers.retain(|&layer| is_wanted(G::owners_and_seeds(layer).1));
        if layers.is_empty() { Err(self.missing_of(sheet, named, None)) } else { Ok(layers) }
    }

    /// Returns the table of a layer; `None` if there is no file of its name.
    ///
    /// # Errors
    /// [`Error::CorruptTable`] or [`Error::WrongVersion`] if the file is not what its name says,
    /// [`Error::Io`] if it cannot be read.
    pub fn layer<G: Tabled>(
        &self,
        sheet: &'static G,
        layer: G::Layer,
    ) -> Result<Option<Arc<G::Table>>> {
        if let Some(table) = self.opened(sheet, layer) {
            return Ok(Some(table));
        }
        let source = self.file(&sheet.file_name(layer))?;
        let found = source.map(|source| sheet.open(layer, source)).transpose()?;
        // A host may take its time to open one, so nobody waits for that who asks for another. Of two
        // that open the same one, the first one's stays.
        if let Some(table) = found {
            let mut open = locked(&self.files.open);
            open.entry(key(sheet, layer)).or_insert_with(|| Arc::new(table));
        }
        Ok(self.opened(sheet, layer))
    }

    /// Opens the file called `name`; `None` if there is none.
    fn file(&self, name: &str) -> Result<Option<Source>> {
        for (dir, shelf) in &self.files.places {
            match shelf.open(name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                opened => return Source::new(&dir.join(name), opened).map(Some),
            }
        }
        Ok(None)
    }

    /// Returns the table of a layer that is needed.
    ///
    /// # Errors
    /// As [`Tables::layer`], and [`Error::MissingTable`] if there is no file of its name.
    pub fn require<G: Tabled>(&self, sheet: &'static G, layer: G::Layer) -> Result<Arc<G::Table>> {
        self.layer(sheet, layer)?.ok_or_else(|| self.missing(sheet, layer))
    }

    /// Returns the error that says that the table of a layer is not there.
    pub fn missing<G: Tabled>(&self, sheet: &G, layer: G::Layer) -> Error {
        self.missing_of(sheet, G::owners_and_seeds(layer).1, G::owners_text(layer))
    }

    fn missing_of<G: Tabled>(&self, sheet: &G, seeds: usize, owners: Option<String>) -> Error {
        let (dir, rules) = (self.dir().to_owned(), sheet.id().to_owned());
        Error::MissingTable { dir, rules, seeds, owners }
    }

    /// Returns the table of a layer if it has been opened before.
    pub(super) fn opened<G: Tabled>(&self, sheet: &G, layer: G::Layer) -> Option<Arc<G::Table>> {
        let found = locked(&self.files.open).get(&key(sheet, layer)).cloned();
        found.and_then(|table| table.downcast().ok())
    }

    /// Returns whether they are anywhere but in directories.
    #[cfg(feature = "answers")]
    pub(crate) fn are_on_shelf(&self) -> bool {
        self.files.are_elsewhere
    }

    /// Returns the cache that all threads share.
    pub(super) fn cache(&self) -> Arc<Cache> {
        self.cache.clone()
    }
}

/// Returns what tells a layer from those of all sheets.
fn key<G: Tabled>(sheet: &G, layer: G::Layer) -> Key {
    let (owners, seeds) = G::owners_and_seeds(layer);
    (sheet.id(), owners, seeds)
}

impl Tables {
    /// Reads the scores of all layers from 0 to `most` seeds into memory: a byte for each position
    /// and bound. A table is complete only with those below it, hence all of them. Where a table is
    /// clamped, so are they: [`Solved::known`](crate::layer::Solved::known) says what is known.
    ///
    /// Position by position it is slower, but takes little memory: a
    /// [`Prober`](super::Prober) and [`Layer::boards`](crate::layer::Layer::boards).
    ///
    /// # Errors
    /// [`Error::MissingTable`] if one of the tables is not there, and
    /// whatever is wrong with one that is.
    pub fn load(&self, rules: &'static Rules, most: Seeds) -> Result<InMemory> {
        let mut layers = InMemory::default();
        let mut solver = Solver::new(rules, Kernel::best());
        for seeds in most.up_to() {
            let table = self.require(rules, seeds)?;
            let stored = table.load_stored()?;
            layers.push(solver.complete(stored, table.settlement()?, &layers, &Unobserved)?);
        }
        Ok(layers)
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
