//! The bound on memory that control groups of Linux set to this program.
//!
//! A container sees its own group as the topmost one. Outside, a program is in a group somewhere
//! below, which `/proc/self/cgroup` names, and each group above it has a bound as well. There are
//! two kinds of file systems for that.

use std::fs;
use std::path::Path;

/// Where memory is counted, what one's own group is called there in `/proc/self/cgroup`, and the
/// file of the bound.
const KINDS: [(&str, &str, &str); 2] = [
    ("/sys/fs/cgroup", "0::", "memory.max"),
    ("/sys/fs/cgroup/memory", ":memory:", "memory.limit_in_bytes"),
];

/// Returns the bytes that the groups of this program allow, files that the system keeps in memory
/// for them included; nothing where there are none or they do not say.
pub fn memory() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    KINDS.iter().filter_map(|kind| bound(&groups, kind)).min()
}

fn bound(groups: &str, (root, name, file): &(&str, &str, &str)) -> Option<u64> {
    let own = groups.lines().find_map(|line| Some(line.split_once(name)?.1))?;
    let own = Path::new(root).join(own.trim_start_matches('/'));
    let above = own.ancestors().take_while(|group| group.starts_with(root));
    let bounds = above.filter_map(|group| fs::read_to_string(group.join(file)).ok());
    bounds.filter_map(|text| text.trim().parse().ok()).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_bound_counts() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().to_str().unwrap();
        let groups = "4:memory:/\n0::/user/work/oware\n";
        let kind = (root, "0::", "memory.max");
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
    }
}
