//! Bytes from a memory map, a file or memory: one question, "what stands here?".
//!
//! A map is the fastest to probe and costs no memory of its own, but whoever truncates the file
//! under it kills the program with a signal; positioned reads answer that with an error. Tables
//! are never changed in place, they are written under another name and renamed, so a map stays
//! whole when a table is replaced.

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// How a table's bytes are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Access {
    /// Through a memory map. Files must not be truncated while they are open.
    #[default]
    Map,
    /// By reads at a position.
    Read,
}

/// Where bytes come from.
#[derive(Debug)]
pub(super) enum Source {
    Map(Mmap),
    File(Positioned),
    Memory(Vec<u8>),
}

impl Source {
    /// The bytes of `file`, by way of `access`.
    pub fn of(file: File, access: Access) -> io::Result<Source> {
        match access {
            Access::Map => Ok(Source::Map(map(&file)?)),
            Access::Read => Ok(Source::File(Positioned::new(file))),
        }
    }

    /// The `length` bytes from `offset` on, in `buffer` if they have to be fetched. Bytes that do
    /// not exist are an [`io::ErrorKind::UnexpectedEof`].
    pub fn at<'a>(
        &'a self,
        offset: u64,
        length: usize,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        match self {
            Source::Map(bytes) => slice(bytes, offset, length),
            Source::Memory(bytes) => slice(bytes, offset, length),
            Source::File(file) => {
                buffer.resize(length, 0);
                file.read_exact_at(buffer, offset)?;
                Ok(buffer)
            }
        }
    }
}

fn slice(bytes: &[u8], offset: u64, length: usize) -> io::Result<&[u8]> {
    let start = usize::try_from(offset).ok();
    let range = start.and_then(|start| Some(start..start.checked_add(length)?));
    range.and_then(|range| bytes.get(range)).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read only and private to this process. Its bytes could change only if
    // somebody wrote into the table file; this program never does, it renames a finished file over
    // the old one and leaves the mapped one as it is. Nothing rests on the bytes staying the same:
    // they are plain `u8`, and a decoder reads them as untrusted input. Truncation by others ends
    // in a signal, which `Access` documents.
    unsafe { Mmap::map(file) }
}

/// A file read at positions, by many threads at once.
#[cfg(unix)]
#[derive(Debug)]
pub(super) struct Positioned(File);

#[cfg(unix)]
impl Positioned {
    fn new(file: File) -> Positioned {
        Positioned(file)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.0, buffer, offset)
    }
}

/// A file read at positions, by one thread at a time.
#[cfg(not(unix))]
#[derive(Debug)]
pub(super) struct Positioned(std::sync::Mutex<File>);

#[cfg(not(unix))]
impl Positioned {
    fn new(file: File) -> Positioned {
        Positioned(std::sync::Mutex::new(file))
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn all_sources_agree() {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&bytes).unwrap();
        let open = |access| Source::of(file.reopen().unwrap(), access).unwrap();
        let sources = [open(Access::Map), open(Access::Read), Source::Memory(bytes.clone())];
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
