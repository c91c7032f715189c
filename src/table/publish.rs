//! From a file that is complete to a table that is there.
//!
//! Publishing makes a file durable and gives it its name, in that order, so a file under a table's
//! name is always a whole table, whenever the machine stops.

use std::fs::File;
use std::io;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use tempfile::NamedTempFile;

use crate::error::{Error, Result};

/// The path and the size of a table that has been written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// Its file.
    pub path: PathBuf,
    /// Length of the file.
    pub bytes: u64,
}

/// A table under a temporary name. Dropping it removes it.
#[derive(Debug)]
#[must_use = "a table that is not published is removed"]
pub struct UnpublishedTable {
    file: NamedTempFile,
    written: Written,
}

impl UnpublishedTable {
    /// Writes a file in the directory of `target` with a function that returns how many bytes it
    /// wrote.
    pub(super) fn write(
        target: PathBuf,
        write: impl FnOnce(&mut File) -> io::Result<u64>,
    ) -> Result<UnpublishedTable> {
        let mut file = create_beside(&target)?;
        let written = write(file.as_file_mut());
        let bytes = written.map_err(Error::io("writing", file.path()))?;
        Ok(UnpublishedTable { file, written: Written { path: target, bytes } })
    }

    /// Makes the file durable and gives it its name, which waits for the disk.
    ///
    /// # Errors
    /// [`Error::Io`] if the disk refuses.
    pub fn publish(self) -> Result<Written> {
        Ok(publish_all(vec![self])?.remove(0))
    }

    fn sync(&self) -> Result<()> {
        self.file.as_file().sync_all().map_err(Error::io("writing", self.file.path()))
    }

    fn rename(self) -> Result<Written> {
        let UnpublishedTable { file, written } = self;
        file.persist(&written.path)
            .map_err(|failed| Error::io("renaming", failed.file.path())(failed.error))?;
        Ok(written)
    }
}

/// Publishes tables of one directory in this order: none gets its name before those in front of it
/// have theirs. The disk is waited for only once, so this is faster than one after the other.
///
/// # Errors
/// [`Error::Io`] if the disk refuses a table; those in front of it are published, and it and those
/// behind it are removed.
pub fn publish_all(tables: Vec<UnpublishedTable>) -> Result<Vec<Written>> {
    let synced = sync_all(&tables);
    let mut published = Vec::new();
    // Up to the first that is not durable or cannot be renamed.
    let renamed: Result<()> = tables.into_iter().zip(synced).try_for_each(|(table, synced)| {
        synced?;
        published.push(table.rename()?);
        Ok(())
    });
    let durable = published.last().map_or(Ok(()), |last| sync_directory_of(&last.path));
    renamed.and(durable).map(|()| published)
}

/// Makes files durable, all at once: the disk does in one go what comes at the same time.
fn sync_all(tables: &[UnpublishedTable]) -> Vec<Result<()>> {
    thread::scope(|scope| {
        let spawn = |table| {
            thread::Builder::new().spawn_scoped(scope, move || UnpublishedTable::sync(table))
        };
        let threads: Vec<_> = tables.iter().map(spawn).collect();
        let synced = threads.into_iter().zip(tables).map(|(thread, table)| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            // Where there is no thread for it, one after the other.
            Err(_) => table.sync(),
        });
        synced.collect()
    })
}

/// Creates a new file in the directory of `target`, with the permissions that any new file gets; no
/// link is followed. Its name carries the process, so that the leftovers of a killed build are not
/// taken for the work of another.
pub(super) fn create_beside(target: &Path) -> Result<NamedTempFile> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!("{name}.{}-", std::process::id());
    tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(".tmp")
        .make_in(directory_of(target), |path| File::create_new(path))
        .map_err(Error::io("creating", target))
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(dir) if dir != Path::new("") => dir,
        _ => Path::new("."),
    }
}

/// Makes a name durable: a renamed file survives a crash only when its directory is on the disk,
/// too.
fn sync_directory_of(path: &Path) -> Result<()> {
    let dir = directory_of(path);
    if cfg!(unix) {
        let open = File::open(dir).map_err(Error::io("opening", dir))?;
        open.sync_all().map_err(Error::io("writing", dir))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;

    fn unpublished(dir: &Path, name: &str) -> UnpublishedTable {
        let write = |file: &mut File| file.write_all(name.as_bytes()).map(|()| 3);
        UnpublishedTable::write(dir.join(name), write).unwrap()
    }

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn all_get_their_names() {
        let dir = tempfile::tempdir().unwrap();
        let tables = ["a", "b", "c"].map(|name| unpublished(dir.path(), name));
        assert!(names(dir.path()).iter().all(|name| name.ends_with(".tmp")));
        let written = publish_all(tables.into()).unwrap();
        let expected =
            ["a", "b", "c"].map(|name| Written { path: dir.path().join(name), bytes: 3 });
        assert_eq!(written, expected);
        assert_eq!(names(dir.path()), ["a", "b", "c"]);
        assert!(publish_all(Vec::new()).unwrap().is_empty());
    }

    /// A directory that holds something cannot be replaced.
    #[test]
    fn behind_one_that_fails_none_is_published() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("b/full")).unwrap();
        let tables = ["a", "b", "c"].map(|name| unpublished(dir.path(), name));
        assert!(matches!(publish_all(tables.into()), Err(Error::Io { .. })));
        assert_eq!(names(dir.path()), ["a", "b"]);
    }

    /// Tables are readable by all users, as far as the umask allows.
    #[test]
    fn permissions_are_those_of_any_new_file() {
        let dir = tempfile::tempdir().unwrap();
        unpublished(dir.path(), "a").publish().unwrap();
        File::create(dir.path().join("b")).unwrap();
        let of = |name: &str| fs::metadata(dir.path().join(name)).unwrap().permissions();
        assert_eq!(of("a"), of("b"));
    }
}
