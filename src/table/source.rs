//! Bytes from a memory map, a file or memory: one question, "what stands here?".
//!
//! A map is the fastest to probe and costs no memory of its own, but it is sound only while no
//! process changes the file under it; positioned reads answer a file that was cut short with an
//! error.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;
use xxhash_rust::xxh3::Xxh3Default;

use super::Flaw;
use super::shelf::{ReadAt, Shelf, slice};
use crate::error::{Error, Result};

/// Bytes that are summed at a time.
const STRIDE: u64 = 1 << 20;

/// Bytes that memory is asked for before they have come.
const PIECE: usize = 16 << 20;

/// Opens a file for reading. What is not a file is refused at once: a pipe under the name of a table
/// would be waited for, and a device has no end.
///
/// # Errors
/// Those of the system, and one of kind [`io::ErrorKind::InvalidInput`] for what is not a file.
pub fn open_file(path: &Path) -> io::Result<File> {
    match std::fs::metadata(path)?.is_file() {
        true => File::open(path),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, NOT_A_FILE)),
    }
}

/// What is said of a directory, a pipe or a device.
const NOT_A_FILE: &str = "it is not a file";

/// Fails if a file is too short.
pub(super) fn at_least(bytes: u64, needed: usize) -> std::result::Result<(), Flaw> {
    match bytes {
        0 => Err(Flaw::new("it is empty")),
        _ if bytes < needed as u64 => Err(Flaw::new(format!("it is cut off after {bytes} bytes"))),
        _ => Ok(()),
    }
}

/// Where a file is, or would be.
#[derive(Clone, Copy)]
pub enum FilePlace<'a> {
    /// In a directory.
    File(&'a Path),
    /// The path is what errors call it.
    OnShelf(&'a dyn Shelf, &'a Path),
}

impl<'a> FilePlace<'a> {
    /// Returns its path.
    pub fn path(&self) -> &'a Path {
        let (FilePlace::File(path) | FilePlace::OnShelf(_, path)) = self;
        path
    }
}

/// Where bytes come from.
#[derive(Debug)]
pub(super) enum Source {
    Map(Mmap),
    File(Positioned),
    Memory(Vec<u8>),
    Shelf(Arc<dyn ReadAt>),
}

impl Source {
    /// Opens a file of at least `needed` bytes, and returns its length, too. One in a directory is what
    /// `source` makes of it.
    ///
    /// # Errors
    /// [`Error::Io`] and [`Error::CorruptTable`].
    pub fn open(
        place: &FilePlace,
        needed: usize,
        source: impl FnOnce(File) -> io::Result<Source>,
    ) -> Result<(Source, u64)> {
        let path = place.path();
        let long_enough = |bytes| at_least(bytes, needed).map_err(|flaw| flaw.of(path));
        if let FilePlace::OnShelf(shelf, _) = place {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let file = shelf.open(name).map_err(Error::io("opening", path))?;
            let bytes = file.bytes();
            return long_enough(bytes).map(|()| (Source::Shelf(file), bytes));
        }
        let file = open_file(path).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput => Flaw::new(NOT_A_FILE).of(path),
            _ => Error::io("opening", path)(error),
        })?;
        let bytes = file.metadata().map_err(Error::io("opening", path))?.len();
        // An empty file cannot be mapped everywhere.
        long_enough(bytes)?;
        Ok((source(file).map_err(Error::io("opening", path))?, bytes))
    }

    /// Reads `file` at positions.
    pub fn of_file(file: File) -> Source {
        Source::File(Positioned(file))
    }

    /// Maps `file` into memory.
    ///
    /// # Safety
    /// As long as the source lives, no process writes to the file or truncates it.
    #[allow(unsafe_code)]
    pub unsafe fn of_map(file: &File) -> io::Result<Source> {
        // SAFETY: the caller promises that the bytes stay as they are. The map is read only.
        unsafe { Mmap::map(file) }.map(Source::Map)
    }

    /// Returns the `length` bytes from `offset` on, in `buffer` if they have to be fetched. Bytes
    /// that do not exist are an [`io::ErrorKind::UnexpectedEof`]. A file far away may claim any
    /// length, so memory is asked for piece by piece, as bytes come.
    pub fn at<'a>(
        &'a self,
        offset: u64,
        length: usize,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        let file: &dyn ReadAt = match self {
            Source::Map(bytes) => return slice(bytes, offset, length),
            Source::Memory(bytes) => return slice(bytes, offset, length),
            Source::File(file) => file,
            Source::Shelf(file) => &**file,
        };
        let mut read = 0;
        while read < length {
            let end = length.min(read + PIECE);
            buffer.resize(buffer.len().max(end), 0);
            file.read_exact_at(&mut buffer[read..end], offset.saturating_add(read as u64))?;
            read = end;
        }
        buffer.truncate(length);
        Ok(buffer)
    }

    /// Returns whether each part takes its time to come.
    pub fn is_far(&self) -> bool {
        matches!(self, Source::Shelf(file) if file.is_far())
    }

    /// Returns bytes that a file has if it is whole.
    pub fn proved<'a>(
        &'a self,
        offset: u64,
        length: usize,
        buffer: &'a mut Vec<u8>,
    ) -> std::result::Result<&'a [u8], Flaw> {
        self.at(offset, length, buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Flaw::new("it is cut off"),
            _ => Flaw::Io(error),
        })
    }

    /// Computes the checksum of all bytes before `end`.
    pub fn sum(&self, end: u64) -> io::Result<u128> {
        let mut hash = Xxh3Default::new();
        self.each(end, |bytes| hash.update(bytes))?;
        Ok(hash.digest128())
    }

    /// Gives all bytes before `end`, in order.
    pub fn each(&self, end: u64, mut take: impl FnMut(&[u8])) -> io::Result<()> {
        let (mut buffer, mut at) = (Vec::new(), 0);
        while at < end {
            let length = (end - at).min(STRIDE);
            take(self.at(at, length as usize, &mut buffer)?);
            at += length;
        }
        Ok(())
    }
}

/// A file read at positions, by many threads at once.
#[derive(Debug)]
pub(super) struct Positioned(File);

impl ReadAt for Positioned {
    fn bytes(&self) -> u64 {
        self.0.metadata().map_or(0, |metadata| metadata.len())
    }

    #[cfg(unix)]
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.0, buffer, offset)
    }

    #[cfg(windows)]
    fn read_exact_at(&self, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
        while !buffer.is_empty() {
            let read = std::os::windows::fs::FileExt::seek_read(&self.0, buffer, offset)?;
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

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    #[allow(unsafe_code)]
    fn all_sources_agree() {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&bytes).unwrap();
        // SAFETY: no other code knows the file, and it is no longer written.
        let mapped = unsafe { Source::of_map(file.as_file()) }.unwrap();
        assert_eq!(mapped.at(7, 3, &mut Vec::new()).unwrap(), [7, 8, 9]);
        let read = Source::of_file(file.reopen().unwrap());
        let sources = [mapped, read, Source::Memory(bytes.clone())];
        let mut buffer = Vec::new();
        for source in &sources {
            for (offset, length) in [(0, 256), (0, 0), (17, 100), (255, 1), (256, 0)] {
                let found = source.at(offset, length, &mut buffer).unwrap();
                assert_eq!(found, &bytes[offset as usize..][..length]);
            }
            for (offset, length) in [(0, 257), (256, 1), (1 << 40, 1)] {
                let error = source.at(offset, length, &mut buffer).unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
            }
        }
        for source in [&sources[0], &sources[2]] {
            assert!(source.at(u64::MAX, usize::MAX, &mut buffer).is_err());
        }
    }
}
