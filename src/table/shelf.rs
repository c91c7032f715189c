//! Places for files: a directory, memory, or a host far away.
//!
//! What stands on a shelf is proved as it is read; nothing on it is believed.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use memmap2::Mmap;

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

    /// Returns all of them if they are in memory, where nothing has to be read.
    fn in_memory(&self) -> Option<&[u8]> {
        None
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

/// Bytes in memory, or in a map.
impl<B: Deref<Target = [u8]> + fmt::Debug + Send + Sync> ReadAt for B {
    fn bytes(&self) -> u64 {
        self.len() as u64
    }

    fn in_memory(&self) -> Option<&[u8]> {
        Some(self)
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

/// How a file is opened: [`read_file`], or [`map_file`] where that is sound.
pub type OpenFile = fn(&Path) -> io::Result<Arc<dyn ReadAt>>;

/// A directory, which need not exist, and how its files are opened.
#[derive(Debug)]
pub struct DirectoryShelf(pub PathBuf, pub OpenFile);

impl Shelf for DirectoryShelf {
    fn names(&self) -> io::Result<Vec<String>> {
        let listing = match fs::read_dir(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            listing => listing?,
        };
        // Tables have names that are text.
        let text = |entry: fs::DirEntry| entry.file_name().into_string().ok();
        listing.filter_map(|entry| entry.map(text).transpose()).collect()
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn ReadAt>> {
        (self.1)(&self.0.join(name))
    }
}

/// Opens a file for reading. What is not a file is refused at once: a pipe under the name of a
/// table would be waited for, and a device has no end.
///
/// # Errors
/// Those of the system, and one of kind [`io::ErrorKind::InvalidInput`] for what is not a file.
pub fn open_file(path: &Path) -> io::Result<File> {
    match fs::metadata(path)?.is_file() {
        true => File::open(path),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file")),
    }
}

/// Opens a file to be read at positions: one that was cut short since is an error then.
///
/// # Errors
/// As [`open_file`].
pub fn read_file(path: &Path) -> io::Result<Arc<dyn ReadAt>> {
    let file = open_file(path)?;
    Ok(Arc::new(Positioned {
        bytes: file.metadata()?.len(),
        #[cfg(any(unix, windows))]
        file,
    }))
}

/// Opens a file through a memory map, which is the fastest to probe and costs no memory of its own.
///
/// # Errors
/// As [`open_file`].
///
/// # Safety
/// As long as what is returned lives, no process writes to the file or truncates it.
#[allow(unsafe_code)]
pub unsafe fn map_file(path: &Path) -> io::Result<Arc<dyn ReadAt>> {
    let file = open_file(path)?;
    // SAFETY: the caller promises that the bytes stay as they are. The map is read only.
    Ok(Arc::new(unsafe { Mmap::map(&file) }?))
}

/// A file read at positions, by many threads at once.
#[derive(Debug)]
struct Positioned {
    #[cfg(any(unix, windows))]
    file: File,
    bytes: u64,
}

impl ReadAt for Positioned {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    #[cfg(unix)]
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, buffer, offset)
    }

    #[cfg(windows)]
    fn read_exact_at(&self, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
        while !buffer.is_empty() {
            let read = std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset)?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            (buffer, offset) = (&mut buffer[read..], offset + read as u64);
        }
        Ok(())
    }

    /// Where there are no files none is read.
    #[cfg(not(any(unix, windows)))]
    fn read_exact_at(&self, _: &mut [u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
