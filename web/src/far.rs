//! Files here and far away. Nothing waits in a worker: what is not here is written down as wanted, the
//! page fetches it, and asks again.

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use oware_db::table::{FarShelf, Fetch, Fetched, InMemoryShelf, ReadAt, Shelf};

/// What is here and far away.
#[derive(Debug)]
pub struct Places {
    here: InMemoryShelf,
    far: FarShelf<Wishes>,
}

/// A part of a file that is wanted.
#[derive(Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The file.
    pub name: String,
    /// The bytes.
    pub bytes: Range<u64>,
}

/// What is wanted.
#[derive(Default)]
struct Wishes(Mutex<Vec<Wanted>>);

impl Fetch for Wishes {
    fn fetch(&self, name: &str, range: Range<u64>) -> io::Result<Fetched> {
        let wanted = Wanted { name: name.to_owned(), bytes: range };
        let mut wishes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !wishes.contains(&wanted) {
            wishes.push(wanted);
        }
        Err(io::ErrorKind::WouldBlock.into())
    }
}

impl Default for Places {
    fn default() -> Places {
        Places { here: InMemoryShelf::default(), far: FarShelf::new(Wishes::default()) }
    }
}

impl Places {
    /// Returns the files that are here.
    pub fn here(&self) -> &InMemoryShelf {
        &self.here
    }

    /// Notes a file far away.
    pub fn note(&self, name: String, bytes: u64) {
        self.far.note(name, bytes);
    }

    /// Takes bytes of a file far away.
    pub fn supply(&self, name: &str, offset: u64, bytes: &[u8]) {
        self.far.supply(name, offset, bytes);
    }

    /// Returns what was wanted since the last call.
    pub fn take_wanted(&self) -> Vec<Wanted> {
        let Wishes(wishes) = self.far.fetcher();
        std::mem::take(&mut *wishes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Shelf for Places {
    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = self.here.names()?;
        names.extend(self.far.names()?);
        Ok(names)
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn ReadAt>> {
        self.here.open(name).or_else(|_| self.far.open(name))
    }
}
