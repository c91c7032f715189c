//! A file on its way: under a temporary name until it is complete.

use std::fs::{self, DirEntry, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::{Error, Result};

/// How the names of unfinished exports end.
const UNFINISHED: &str = ".export.tmp";

/// A file that gets its name when it is finished. Dropping it removes it, and if the program is killed
/// the next export into the directory does.
pub struct Growing {
    target: PathBuf,
    out: BufWriter<NamedTempFile>,
}

impl Growing {
    /// Makes an empty file for `name` in `dir`.
    pub fn new(dir: &Path, name: &str) -> Result<Growing> {
        let target = dir.join(name);
        // With the permissions of any new file.
        let make = |path: &Path| {
            let file = File::options().read(true).write(true).create_new(true).open(path)?;
            // Where files cannot be locked, another export may take it for one that was left.
            let _ = file.try_lock();
            Ok(file)
        };
        let made = tempfile::Builder::new()
            .prefix(&format!("{name}."))
            .suffix(UNFINISHED)
            .make_in(dir, make)
            .map_err(Error::io("creating", &target))?;
        Ok(Growing { target, out: BufWriter::with_capacity(1 << 18, made) })
    }

    /// Does something with the file, and says which one it was if that fails.
    pub fn with<T>(
        &mut self,
        write: impl FnOnce(&mut BufWriter<NamedTempFile>) -> io::Result<T>,
    ) -> Result<T> {
        write(&mut self.out).map_err(Error::io("writing", &self.target))
    }

    /// Gives the complete file its name, and returns how many bytes it has.
    pub fn finish(self) -> Result<Finished> {
        let Growing { target, out } = self;
        let failed = |error: io::Error| Error::io("writing", &target)(error);
        let made = out.into_inner().map_err(|error| failed(error.into_error()))?;
        made.as_file().sync_all().map_err(failed)?;
        let bytes = made.as_file().metadata().map_err(failed)?.len();
        made.persist(&target).map_err(|error| failed(error.error))?;
        Ok(Finished { file: target.display().to_string(), bytes })
    }
}

/// A file that is complete.
pub struct Finished {
    pub file: String,
    pub bytes: u64,
}

/// Makes a directory, without the leftovers of killed exports: unfinished files that no process has
/// locked. What cannot be removed stays.
pub fn make_dir(dir: &Path) -> Result<()> {
    fs::create_dir_all(dir).map_err(Error::io("creating the directory", dir))?;
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let is_unfinished = |entry: &DirEntry| {
        entry.file_name().to_string_lossy().ends_with(UNFINISHED)
            && entry.file_type().is_ok_and(|kind| kind.is_file())
    };
    for path in entries.filter(is_unfinished).map(|entry| entry.path()) {
        if File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(path);
        }
    }
    Ok(())
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
