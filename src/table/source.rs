//! The bytes of a file, wherever it is: one question, "what stands here?".

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zerocopy::FromBytes;

use super::Flaw;
use super::shelf::{ReadAt, slice};
use crate::error::{Error, Result};

/// Bytes that are summed at a time.
const STRIDE: u64 = 1 << 20;

/// Bytes that memory is asked for before they have come.
const PIECE: usize = 16 << 20;

/// A file that is open, and what errors call it.
#[derive(Debug)]
pub struct Source {
    pub(super) path: PathBuf,
    /// How many bytes it has.
    pub(super) bytes: u64,
    file: Arc<dyn ReadAt>,
}

impl Source {
    /// What has been opened at `path`.
    ///
    /// # Errors
    /// [`Error::CorruptTable`] if that is no file, and [`Error::Io`].
    pub fn new(path: &Path, opened: io::Result<Arc<dyn ReadAt>>) -> Result<Source> {
        let file = opened.map_err(|error| match error.kind() {
            // Said of what is no file; what the system says has a number.
            io::ErrorKind::InvalidInput if error.raw_os_error().is_none() => {
                Flaw::new(error.to_string()).of(path)
            }
            _ => Error::io("opening", path)(error),
        })?;
        Ok(Source { path: path.to_owned(), bytes: file.bytes(), file })
    }

    /// Fails if the file is too short.
    pub(super) fn at_least(&self, needed: usize) -> Result<(), Flaw> {
        match self.bytes {
            0 => Err(Flaw::new("it is empty")),
            bytes if bytes < needed as u64 => {
                Err(Flaw::new(format!("it is cut off after {bytes} bytes")))
            }
            _ => Ok(()),
        }
    }

    /// Returns the `length` bytes from `offset` on, in `buffer` if they have to be fetched. Bytes
    /// that do not exist are an [`io::ErrorKind::UnexpectedEof`]. A file far away may claim any
    /// length, so memory is asked for piece by piece, as bytes come.
    pub(super) fn at<'a>(
        &'a self,
        offset: u64,
        length: usize,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        if let Some(bytes) = self.file.in_memory() {
            return slice(bytes, offset, length);
        }
        let mut read = 0;
        while read < length {
            let end = length.min(read + PIECE);
            buffer.resize(buffer.len().max(end), 0);
            let room = &mut buffer[read..end];
            self.file.read_exact_at(room, offset.saturating_add(read as u64))?;
            read = end;
        }
        buffer.truncate(length);
        Ok(buffer)
    }

    /// Returns whether each part takes its time to come.
    pub(super) fn is_far(&self) -> bool {
        self.file.is_far()
    }

    /// Returns bytes that a file has if it is whole. That they exist is all that is proved of them.
    pub(super) fn proved<'a>(
        &'a self,
        offset: u64,
        length: usize,
        buffer: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], Flaw> {
        self.at(offset, length, buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Flaw::new("it is cut off"),
            _ => Flaw::Io(error),
        })
    }

    /// Returns what stands at `offset` and has a fixed length, if the file is whole.
    pub(super) fn record<T: FromBytes>(&self, offset: u64) -> Result<T, Flaw> {
        let mut buffer = Vec::new();
        let bytes = self.proved(offset, size_of::<T>(), &mut buffer)?;
        T::read_from_bytes(bytes).map_err(|_| Flaw::new("it is cut off"))
    }

    /// Gives all bytes before `end`, in order.
    pub(super) fn each(&self, end: u64, mut take: impl FnMut(&[u8])) -> io::Result<()> {
        let (mut buffer, mut at) = (Vec::new(), 0);
        while at < end {
            let length = (end - at).min(STRIDE);
            take(self.at(at, length as usize, &mut buffer)?);
            at += length;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::table::shelf::{map_file, read_file};

    #[test]
    #[allow(unsafe_code)]
    fn all_sources_agree() {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&bytes).unwrap();
        let path = file.path();
        // SAFETY: no other code knows the file, and it is no longer written.
        let mapped = unsafe { map_file(path) };
        let opened = [mapped, read_file(path), Ok(Arc::new(bytes.clone()) as Arc<dyn ReadAt>)];
        let mut buffer = Vec::new();
        for source in opened.map(|opened| Source::new(path, opened).unwrap()) {
            for (offset, length) in [(7, 3), (0, 256), (0, 0), (17, 100), (255, 1), (256, 0)] {
                let found = source.at(offset, length, &mut buffer).unwrap();
                assert_eq!(found, &bytes[offset as usize..][..length]);
            }
            for (offset, length) in [(0, 257), (256, 1), (1 << 40, 1)] {
                let error = source.at(offset, length, &mut buffer).unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
            }
            if source.file.in_memory().is_some() {
                assert!(source.at(u64::MAX, usize::MAX, &mut buffer).is_err());
            }
        }
    }
}
