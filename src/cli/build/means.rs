//! What the machine and its user allow a build, and how both are written.

use std::path::Path;

use sysinfo::System;

use oware_db::error::{Error, Result};
use oware_db::game::Seeds;

use crate::cli::options::parse_seeds;

/// Bytes of memory to count on where the system does not say how much is available.
const ASSUMED_MEMORY: u64 = 8_000_000_000;

/// What there is for a build, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Means<'a> {
    /// Where the tables are to be.
    pub dir: &'a Path,
    /// Memory that it may use.
    pub memory: u64,
    /// Memory beside that, in which the system can keep files.
    pub cache: u64,
    /// Disk that is free.
    pub disk: u64,
}

impl<'a> Means<'a> {
    /// Returns what there is for tables in `dir`, which need not exist yet: the memory that the
    /// user allows, or three quarters of what is available.
    ///
    /// # Errors
    /// [`Error::Io`] if the system does not say what is free.
    pub fn of(memory: Option<u64>, dir: &'a Path) -> Result<Means<'a>> {
        let there = dir.ancestors().find(|dir| dir.exists());
        let there = there.unwrap_or(Path::new("."));
        let disk = fs4::available_space(there).map_err(Error::io("asking for free space", dir))?;
        let available = available_memory();
        let memory = memory.unwrap_or(available / 4 * 3);
        Ok(Means { dir, memory, cache: available.saturating_sub(memory), disk })
    }
}

/// How many layers to build.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent {
    /// Those of up to so many seeds.
    UpTo(Seeds),
    /// As many as memory and disk suffice for.
    Max,
}

/// Reads the value of `--seeds`.
pub fn parse_extent(text: &str) -> std::result::Result<Extent, String> {
    match text.trim() {
        "max" => Ok(Extent::Max),
        text => parse_seeds(text).map(Extent::UpTo).map_err(|wrong| format!("{wrong}, or `max`")),
    }
}

/// Returns the memory that is available to this program, in bytes: to the whole system or, where
/// that is less, to the control group that a container runs in.
fn available_memory() -> u64 {
    let mut system = System::new();
    system.refresh_memory();
    let group = system.cgroup_limits().map(|group| group.total_memory.saturating_sub(group.rss));
    let available = system.available_memory().min(group.unwrap_or(u64::MAX));
    if available == 0 { ASSUMED_MEMORY } else { available }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_memory_is_usable_and_not_all_of_it() {
        let mut system = System::new();
        system.refresh_memory();
        let usable = Means::of(None, Path::new(".")).unwrap().memory;
        assert!(0 < usable && usable < system.total_memory(), "{usable}");
    }

    #[test]
    fn a_directory_that_is_not_there_yet_is_on_the_disk_of_its_parents() {
        let dir = tempfile::tempdir().unwrap();
        let free = |path: &Path| Means::of(Some(7), path).unwrap().disk as f64;
        let (here, below) = (free(dir.path()), free(&dir.path().join("a/b/c")));
        assert!((here / below - 1.0).abs() < 0.1, "{here} {below}");
    }
}
