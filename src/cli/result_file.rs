//! A file of results, opened before the work begins: a file that cannot be written is reported at
//! once, and a disk that is full in the middle leaves the file whole as far as it goes.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use oware_db::error::{Error, Result};

/// A file that results are written to, piece by piece. As long as nothing has been written, what
/// was there before stays.
pub struct ResultFile {
    path: PathBuf,
    file: File,
    is_new: bool,
    /// Bytes of whole pieces.
    written: u64,
}

impl ResultFile {
    /// Opens a file for writing.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be written.
    pub fn open(path: &Path) -> Result<ResultFile> {
        let is_new = fs::symlink_metadata(path).is_err();
        let opened = File::options().write(true).create(true).truncate(false).open(path);
        let file = opened.map_err(Error::io("writing", path))?;
        Ok(ResultFile { path: path.to_owned(), file, is_new, written: 0 })
    }

    /// Returns whether nothing has been written so far.
    pub fn is_empty(&self) -> bool {
        self.written == 0
    }

    /// Adds a piece, all of it or, as far as the system lets us, nothing.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn add(&mut self, piece: &str) -> Result<()> {
        let added = self.add_or_leave_half(piece.as_bytes());
        if added.is_err() {
            let _ = self.cut();
        }
        added.map_err(Error::io("writing", &self.path))
    }

    fn add_or_leave_half(&mut self, piece: &[u8]) -> std::io::Result<()> {
        if self.is_empty() {
            self.cut()?;
        }
        self.file.write_all(piece)?;
        self.written += piece.len() as u64;
        Ok(())
    }

    /// Removes what stands behind the whole pieces. Pipes and devices have no end to be moved.
    fn cut(&mut self) -> std::io::Result<()> {
        if self.file.metadata()?.is_file() {
            self.file.set_len(self.written)?;
            self.file.seek(SeekFrom::Start(self.written))?;
        }
        Ok(())
    }
}

impl Drop for ResultFile {
    /// Leaves no file behind that nothing has been written to.
    fn drop(&mut self) {
        if self.is_new && self.is_empty() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_stays_until_something_is_written() {
        let dir = tempfile::tempdir().unwrap();
        let (old, new) = (dir.path().join("old"), dir.path().join("new"));
        fs::write(&old, "what was there").unwrap();
        for path in [&old, &new] {
            drop(ResultFile::open(path).unwrap());
        }
        assert!(fs::read_to_string(&old).unwrap() == "what was there" && !new.exists());
        for path in [&old, &new] {
            let mut file = ResultFile::open(path).unwrap();
            file.add("one,").unwrap();
            file.add("two").unwrap();
            assert_eq!(fs::read_to_string(path).unwrap(), "one,two");
        }
        assert!(ResultFile::open(&dir.path().join("nowhere/file")).is_err());
        assert!(ResultFile::open(dir.path()).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_each_time() {
        let mut full = ResultFile::open(Path::new("/dev/full")).unwrap();
        assert!(full.add("one").is_err() && full.add("two").is_err() && full.is_empty());
    }
}
