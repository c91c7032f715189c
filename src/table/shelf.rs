//! Places for files that are no directories: memory, or a host far away.
//!
//! What stands on a shelf is read and proved as files are; nothing on it is believed.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::{Arc, PoisonError, RwLock};

/// Where tables are under their names. Threads share it.
pub trait Shelf: fmt::Debug + Send + Sync {
    /// Lists the names of what is there.
    ///
    /// # Errors
    /// Whatever keeps it from knowing.
    fn names(&self) -> io::Result<Vec<String>>;

    /// Returns what is there under a name.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] if there is nothing, and whatever keeps it from knowing.
    fn open(&self, name: &str) -> io::Result<Arc<dyn ReadAt>>;
}

/// Bytes that stay as they are, read at any position by many threads at once.
pub trait ReadAt: fmt::Debug + Send + Sync {
    /// Returns how many there are.
    fn bytes(&self) -> u64;

    /// Returns whether each part takes its time to come, so that as little as possible is to be read.
    fn is_far(&self) -> bool {
        false
    }

    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] if there are fewer, and whatever keeps it from reading.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;
}

/// Files in memory.
#[derive(Default)]
pub struct InMemoryShelf(RwLock<BTreeMap<String, Arc<Vec<u8>>>>);

impl InMemoryShelf {
    /// Puts a file there, in place of one of the same name.
    pub fn put(&self, name: impl Into<String>, bytes: Vec<u8>) {
        let mut files = self.0.write().unwrap_or_else(PoisonError::into_inner);
        files.insert(name.into(), Arc::new(bytes));
    }

    fn files(&self) -> std::sync::RwLockReadGuard<'_, BTreeMap<String, Arc<Vec<u8>>>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for InMemoryShelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.files().keys()).finish()
    }
}

impl Shelf for InMemoryShelf {
    fn names(&self) -> io::Result<Vec<String>> {
        Ok(self.files().keys().cloned().collect())
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn ReadAt>> {
        let found = self.files().get(name).cloned();
        found.map(|bytes| bytes as Arc<dyn ReadAt>).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl ReadAt for Vec<u8> {
    fn bytes(&self) -> u64 {
        self.len() as u64
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        buffer.copy_from_slice(slice(self, offset, buffer.len())?);
        Ok(())
    }
}

/// Returns the `length` bytes from `offset` on.
pub(super) fn slice(bytes: &[u8], offset: u64, length: usize) -> io::Result<&[u8]> {
    let start = usize::try_from(offset).ok();
    let range = start.and_then(|start| Some(start..start.checked_add(length)?));
    range.and_then(|range| bytes.get(range)).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}
