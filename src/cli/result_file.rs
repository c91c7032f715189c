//! A file of results, tried before the work begins: a file that cannot be written is reported at
//! once, and a disk that is full in the middle leaves the file whole as far as it goes.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// A file that results are written to, piece by piece. As long as nothing has been written, what
/// was there before stays, and where nothing was there is no file.
pub struct ResultFile {
    path: PathBuf,
    /// `None` as long as there is no file.
    file: Option<File>,
    is_new: bool,
    /// Bytes of whole pieces.
    written: u64,
}

impl ResultFile {
    /// Tries a file for writing.
    ///
    /// # Errors
    /// [`Error::Usage`] if it is a table, [`Error::Io`] if it cannot be written.
    pub fn open(path: &Path) -> Result<ResultFile> {
        refuse_table(path)?;
        let is_new = fs::symlink_metadata(path).is_err();
        let opened = opened(path).map_err(Error::io("writing", path))?;
        let is_gone = is_new && fs::remove_file(path).is_ok();
        let file = (!is_gone).then_some(opened);
        Ok(ResultFile { path: path.to_owned(), file, is_new, written: 0 })
    }

    /// Returns the path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
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
        if self.file.is_none() {
            self.file = Some(opened(&self.path)?);
        }
        if self.is_empty() {
            self.cut()?;
        }
        self.file.as_mut().map_or(Ok(()), |file| file.write_all(piece))?;
        self.written += piece.len() as u64;
        Ok(())
    }

    /// Removes what stands behind the whole pieces. Pipes and devices have no end to be moved.
    fn cut(&mut self) -> std::io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        if file.metadata()?.is_file() {
            file.set_len(self.written)?;
            file.seek(SeekFrom::Start(self.written))?;
        }
        Ok(())
    }
}

fn opened(path: &Path) -> std::io::Result<File> {
    File::options().write(true).create(true).truncate(false).open(path)
}

/// Refuses a file that has the name of a table, or is a link to one.
///
/// # Errors
/// [`Error::Usage`].
pub fn refuse_table(path: &Path) -> Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if target.extension().is_some_and(|ending| ending == "oware") {
        let what = format!("{} is a table by its name; write to another file", path.display());
        return Err(Error::Usage(what));
    }
    Ok(())
}

/// Refuses a file that several options would write, or that is read, too: its contents would be lost.
///
/// # Errors
/// [`Error::Usage`].
pub fn keep_apart(written: &[Option<&PathBuf>], read: &[&PathBuf]) -> Result<()> {
    // Pipes and devices are nobody's contents.
    let file = |path: &PathBuf| match fs::canonicalize(path) {
        Ok(path) => path.is_file().then_some(path),
        Err(_) => std::path::absolute(path).ok(),
    };
    let read: BTreeSet<PathBuf> = read.iter().filter_map(|path| file(path)).collect();
    let mut seen = BTreeSet::new();
    for path in written.iter().copied().flatten() {
        let Some(file) = file(path) else { continue };
        let what = match (read.contains(&file), seen.insert(file)) {
            (true, _) => "is read, too",
            (false, false) => "would be written twice",
            (false, true) => continue,
        };
        return Err(Error::Usage(format!("{} {what}; write to another file", path.display())));
    }
    Ok(())
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
        let opened = [&old, &new].map(|path| ResultFile::open(path).unwrap());
        assert!(!new.exists(), "a program that is killed leaves no empty file");
        drop(opened);
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

    #[test]
    fn no_file_is_written_twice_or_over_what_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let [games, page, other] = ["games", "page", "other"].map(|name| dir.path().join(name));
        fs::write(&games, "A").unwrap();
        let again = dir.path().join(".").join("games");
        for (written, read, is_fine) in [
            ([&page, &other], &games, true),
            ([&page, &page], &games, false),
            ([&page, &again], &games, false),
            ([&games, &page], &again, false),
        ] {
            assert_eq!(keep_apart(&written.map(Some), &[read]).is_ok(), is_fine, "{written:?}");
        }
        assert!(keep_apart(&[None, Some(&page)], &[]).is_ok());
        let here = PathBuf::from("a file that is not here");
        assert!(keep_apart(&[Some(&here), Some(&here)], &[]).is_err());
        let nothing = PathBuf::from("/dev/null");
        assert!(keep_apart(&[Some(&nothing), Some(&nothing)], &[&nothing]).is_ok());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_each_time() {
        let mut full = ResultFile::open(Path::new("/dev/full")).unwrap();
        assert!(full.add("one").is_err() && full.add("two").is_err() && full.is_empty());
    }
}
