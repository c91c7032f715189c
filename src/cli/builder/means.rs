//! What the machine and its user allow a build, and how both are written.
//!
//! On Linux control groups set a bound on memory. A container sees its own group as the topmost
//! one. Outside, a program is in a group somewhere below, which `/proc/self/cgroup` names, and each
//! group above it has a bound as well. There are two kinds of file systems for that.

use std::fs;
use std::path::Path;

use sysinfo::System;

use crate::error::{Error, Result};
use crate::game::Seeds;

use super::ranks;
use crate::cli::options::parse_seeds;

/// Bytes of memory to count on where the system does not say how much is available.
const ASSUMED_MEMORY: u64 = 8_000_000_000;

/// What there is for a build, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Means<'a> {
    /// Memory that it may use.
    pub memory: u64,
    /// Additional memory, in which the system can cache files.
    pub cache: u64,
    /// Where the tables are to be.
    pub tables: Disk<'a>,
    /// Where that is to be which does not fit into memory, if its space is not that of the tables.
    pub scratch: Option<Disk<'a>>,
}

/// A directory and what is free there.
#[derive(Clone, Copy, Debug)]
pub struct Disk<'a> {
    pub dir: &'a Path,
    /// Bytes.
    pub free: u64,
}

impl<'a> Means<'a> {
    /// Returns what there is for tables in `dir`, and for what does not fit into memory in
    /// `scratch`, neither of which needs to exist yet: the memory that the user allows, or the
    /// [usual part](usual_memory) of what is available.
    ///
    /// # Errors
    /// [`Error::Io`] if the system does not say what is free.
    pub fn of(memory: Option<u64>, dir: &'a Path, scratch: Option<&'a Path>) -> Result<Means<'a>> {
        let (available, tables) = (available_memory(), Disk::of(dir)?);
        let memory = memory.unwrap_or_else(|| usual_memory(available));
        let cache = available.saturating_sub(memory);
        let scratch = scratch.filter(|scratch| !share_a_disk(scratch, dir));
        Ok(Means { memory, cache, tables, scratch: scratch.map(Disk::of).transpose()? })
    }

    /// Returns what a machine has that need not be this one: memory, and disk if it is known how much.
    pub fn elsewhere(memory: u64, disk: Option<u64>, dir: &'a Path) -> Means<'a> {
        let tables = Disk { dir, free: disk.unwrap_or(Disk::ENOUGH) };
        Means { memory, cache: 0, tables, scratch: None }
    }
}

/// The memory of a build that is given no limit, of what is available: three quarters, which ranks on
/// one machine share.
pub fn usual_memory(available: u64) -> u64 {
    available / 4 * 3 / ranks::on_this_machine() as u64
}

impl<'a> Disk<'a> {
    /// Bytes free where it does not matter how many there are.
    pub const ENOUGH: u64 = u64::MAX;

    fn of(dir: &'a Path) -> Result<Disk<'a>> {
        let free = fs4::available_space(existing(dir));
        Ok(Disk { dir, free: free.map_err(Error::io("querying free space", dir))? })
    }
}

/// The directory, or where it would be made.
fn existing(dir: &Path) -> &Path {
    dir.ancestors().find(|dir| dir.exists()).unwrap_or(Path::new("."))
}

/// Whether what is free in one directory is what is free in the other.
#[cfg(unix)]
fn share_a_disk(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |dir| existing(dir).metadata().ok().map(|found| found.dev());
    device(one) == device(other)
}

/// Whether what is free in one directory is what is free in the other, as far as letters of drives
/// tell.
#[cfg(not(unix))]
fn share_a_disk(one: &Path, other: &Path) -> bool {
    let drive = |dir| {
        existing(dir).canonicalize().ok()?.components().next().map(|c| c.as_os_str().to_owned())
    };
    drive(one) == drive(other)
}

/// How many layers to build.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent {
    /// Those of up to this many seeds.
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
/// that is less, to the control groups that it is in, or under its own limit of addresses.
pub fn available_memory() -> u64 {
    let mut system = System::new();
    system.refresh_memory();
    // Without `/proc` nothing is known, and to ask for groups would be a panic.
    let is_known = system.total_memory() > 0;
    let group = is_known.then(|| system.cgroup_limits()).flatten();
    let group = group.map(|group| group.total_memory.saturating_sub(group.rss));
    let bounds = [group, allowed_by_groups(), addresses()].into_iter().flatten();
    let available = if is_known { system.available_memory() } else { ASSUMED_MEMORY };
    bounds.fold(available, u64::min)
}

/// The bytes of addresses that systems leave to a program of 32 bits at least.
const ADDRESSES: Option<u64> = match usize::BITS {
    64 => None,
    _ if cfg!(target_os = "linux") => Some(3 << 30),
    _ => Some(2 << 30),
};

/// Returns the bytes of addresses that this program may still take: 32 bits bound them, and `ulimit
/// -v`. `None` if nothing does.
#[cfg(target_os = "linux")]
pub fn addresses() -> Option<u64> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::As).current;
    let bound = limit.into_iter().chain(ADDRESSES).min()?;
    let taken = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = taken.and_then(|text| text.split_once(' ')?.0.parse::<u64>().ok());
    let taken = pages.unwrap_or(0) * rustix::param::page_size() as u64;
    // Under an emulator these are its own, more than 32 bits can tell apart.
    let is_own = ADDRESSES.is_none_or(|all| taken < all);
    Some(bound.saturating_sub(if is_own { taken } else { 0 }))
}

#[cfg(not(target_os = "linux"))]
pub fn addresses() -> Option<u64> {
    ADDRESSES
}

/// Where memory is counted, which controller of a line of `/proc/self/cgroup` counts it there, and
/// the file of the bound.
const KINDS: [(&str, &str, &str); 2] = [
    ("/sys/fs/cgroup", "", "memory.max"),
    ("/sys/fs/cgroup/memory", "memory", "memory.limit_in_bytes"),
];

/// Returns the bytes that the control groups of Linux allow this program, files that the system
/// keeps in memory for them included; nothing where there are none or they do not say.
fn allowed_by_groups() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    KINDS.iter().filter_map(|kind| bound(&groups, kind)).min()
}

fn bound(groups: &str, (root, controller, file): &(&str, &str, &str)) -> Option<u64> {
    let own = groups.lines().find_map(|line| {
        let (_, line) = line.split_once(':')?;
        let (controllers, path) = line.split_once(':')?;
        controllers.split(',').any(|one| one == *controller).then_some(path)
    })?;
    let own = Path::new(root).join(own.trim_start_matches('/'));
    let above = own.ancestors().take_while(|group| group.starts_with(root));
    let bounds = above.filter_map(|group| fs::read_to_string(group.join(file)).ok());
    bounds.filter_map(|text| text.trim().parse().ok()).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_memory_is_usable_and_not_all_of_it() {
        let mut system = System::new();
        system.refresh_memory();
        let usable = Means::of(None, Path::new("."), None).unwrap().memory;
        assert!(0 < usable && usable < system.total_memory(), "{usable}");
    }

    #[test]
    fn a_directory_that_is_not_there_yet_is_on_the_disk_of_its_parents() {
        let dir = tempfile::tempdir().unwrap();
        let free = |path: &Path| Means::of(Some(7), path, None).unwrap().tables.free as f64;
        let (here, below) = (free(dir.path()), free(&dir.path().join("a/b/c")));
        assert!((here / below - 1.0).abs() < 0.1, "{here} {below}");
    }

    /// Directories of one file system have its space together; `/proc` and `/dev/shm` have none of
    /// it.
    #[test]
    fn a_directory_of_the_same_disk_is_not_counted_twice() {
        let dir = tempfile::tempdir().unwrap();
        let below = dir.path().join("scratch/of/its/own");
        let means = |scratch| Means::of(Some(7), dir.path(), scratch).unwrap();
        for same in [None, Some(dir.path()), Some(&*below)] {
            assert!(means(same).scratch.is_none());
        }
        #[cfg(target_os = "linux")]
        for other in ["/proc", "/proc/not/there"].map(Path::new) {
            let elsewhere = means(Some(other)).scratch.unwrap();
            assert_eq!((elsewhere.dir, elsewhere.free), (other, 0));
        }
    }

    #[test]
    fn the_least_bound_counts() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().to_str().unwrap();
        let groups = "4:memory:/\n0::/user/work/oware\n";
        let kind = (root, "", "memory.max");
        assert_eq!(bound(groups, &kind), None);
        let below = dir.path().join("user/work/oware");
        fs::create_dir_all(&below).unwrap();
        fs::write(below.join("memory.max"), "max\n").unwrap();
        assert_eq!(bound(groups, &kind), None);
        for (group, bytes) in [("user", 5000), ("user/work", 3000), ("user/work/oware", 4000)] {
            fs::write(dir.path().join(group).join("memory.max"), format!("{bytes}\n")).unwrap();
        }
        assert_eq!(bound(groups, &kind), Some(3000));
        fs::write(dir.path().join("memory.max"), "1000").unwrap();
        assert_eq!(bound(groups, &kind), Some(1000));
        assert_eq!(bound("4:cpu:/\n", &kind), None);
        // Whatever else is counted with memory, and whatever a group is called.
        let kind = (root, "memory", "memory.max");
        for (groups, least) in [
            ("4:cpu:/\n3:cpu,memory:/user\n", Some(1000)),
            ("4:memory:/user:a\n", Some(1000)),
            ("4:cpuset:/user\n0::/user\n", None),
        ] {
            assert_eq!(bound(groups, &kind), least, "{groups}");
        }
    }
}
