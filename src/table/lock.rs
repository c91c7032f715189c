//! A lock, so that a directory has a single builder.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::game::SHEETS;

use super::general::named_layer;
use super::named_seeds;

/// The file whose lock a builder holds. The system frees the lock however the builder ends, so
/// the file itself may stay.
const NAME: &str = ".oware-build.lock";

/// The right to build in a directory, held until it is dropped.
#[derive(Debug)]
pub struct Lock {
    dir: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock of a directory, if no other builder has it.
    ///
    /// # Errors
    /// [`Error::Io`] if another one has it, or the directory takes no files.
    pub fn take(dir: &Path) -> Result<Lock> {
        let path = dir.join(NAME);
        // Windows locks no file that is opened for appending alone.
        let open = File::options().create(true).read(true).append(true).open(&path);
        let file = open.map_err(Error::io("creating", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { dir: dir.to_owned(), _file: file }),
            Err(TryLockError::Error(error)) => Err(Error::io("locking", path)(error)),
            Err(TryLockError::WouldBlock) => Err(Error::io("locking", path)(io::Error::new(
                io::ErrorKind::WouldBlock,
                "another build is running in this directory; wait for it or choose another \
                 directory",
            ))),
        }
    }

    /// Removes the unfinished files that a killed builder has left. While the lock is held they
    /// belong to no process.
    ///
    /// # Errors
    /// [`Error::Io`] if the directory cannot be read, or a file not be removed.
    pub fn sweep_up(&self) -> Result<()> {
        for entry in fs::read_dir(&self.dir).map_err(Error::io("listing", &self.dir))? {
            let entry = entry.map_err(Error::io("listing", &self.dir))?;
            let is_dir = entry.file_type().is_ok_and(|found| found.is_dir());
            if !is_dir && entry.file_name().to_str().is_some_and(is_unfinished) {
                fs::remove_file(entry.path()).map_err(Error::io("removing", entry.path()))?;
            }
        }
        Ok(())
    }
}

/// Returns whether a file is called as tables are.
fn is_table(name: &str) -> bool {
    SHEETS.iter().any(|rules| named_seeds(rules, name).is_some()) || named_layer(name).is_some()
}

/// Returns whether a file is a table or a checkpoint that was not finished, which is called
/// `awari-07.oware.4711-aZ09bY.tmp` or `awari-07.oware.checkpoint.4711-aZ09bY.tmp`.
fn is_unfinished(name: &str) -> bool {
    let Some((target, marks)) = name.strip_suffix(".tmp").and_then(|rest| rest.rsplit_once('.'))
    else {
        return false;
    };
    let is_mark = |(process, random): (&str, &str)| {
        !process.is_empty()
            && process.bytes().all(|byte| byte.is_ascii_digit())
            && !random.is_empty()
            && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    let table = target.strip_suffix(".checkpoint").unwrap_or(target);
    marks.split_once('-').is_some_and(is_mark) && is_table(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unfinished_files_are_swept_up() {
        for name in [
            "plain-opposite-12.oware.4711-0.tmp",
            "awari-07.oware.4711-aZ09bY.tmp",
            "abapa-even-12.oware.checkpoint.4711-aZ09bY.tmp",
            "bao-laps-12.oware.4711-aZ09bY.tmp",
            "bao-laps-12.oware.checkpoint.4711-0.tmp",
        ] {
            assert!(is_unfinished(name), "{name}");
        }
        for name in [
            "awari-07.oware.checkpoint",
            "awari-7.oware.checkpoint.4711-0.tmp",
            "awari-07.oware.checkpoint.tmp",
            "notes.checkpoint.4711-0.tmp",
            "awari-07.oware",
            "awari-07.oware.bak.tmp",
            "awari-07.oware.old-bak.tmp",
            "awari-07.oware.4711-a.b.tmp",
            "awari-07.oware.-.tmp",
            "notes.12-0.tmp",
            "awari-07.tmp",
            ".tmp",
            NAME,
        ] {
            assert!(!is_unfinished(name), "{name}");
        }
    }
}
