//! A bound on all memory of a process that the system enforces, files in its cache included.
//!
//! Linux calls it a control group, of which there are two kinds of file systems. A test may make one
//! if it runs as somebody who may; containers mostly forbid it. In the older kind that is below its
//! own. In the newer one a group that has processes has no groups below it whose memory is bounded,
//! unless it is the topmost; so there it is beside its own, where memory can be bounded if it can be
//! in its own.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A group for a process and what it starts. It is gone when it is dropped.
pub struct ControlGroup(PathBuf);

/// Where memory is counted, what one's own group is called there in `/proc/self/cgroup`, and the
/// file of the limit.
const KINDS: [(&str, &str, &str); 2] = [
    ("/sys/fs/cgroup", "0::", "memory.max"),
    ("/sys/fs/cgroup/memory", ":memory:", "memory.limit_in_bytes"),
];

impl ControlGroup {
    /// A group with so much memory; `None` if the system does not let this program make one.
    pub fn with_memory(bytes: u64) -> Option<ControlGroup> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let below_or_beside = |(root, name, limit): (&str, &str, &str)| {
            let path = groups.lines().find_map(|line| Some(line.split_once(name)?.1))?;
            let own = Path::new(root).join(path.trim_start_matches('/'));
            let mut parents = own.ancestors().take(2).filter(|parent| parent.starts_with(root));
            parents.find_map(|parent| ControlGroup::below(parent, limit, bytes))
        };
        KINDS.into_iter().find_map(below_or_beside)
    }

    fn below(parent: &Path, limit: &str, bytes: u64) -> Option<ControlGroup> {
        let dir = parent.join(format!("oware-{}-{bytes}", std::process::id()));
        fs::create_dir(&dir).ok()?;
        let group = ControlGroup(dir);
        // What looks like the file of a limit may be an ordinary one.
        let is_limit = group.0.join(limit).exists();
        let limited = is_limit && fs::write(group.0.join(limit), bytes.to_string()).is_ok();
        limited.then_some(group)
    }

    /// A command that runs another in the group.
    pub fn entered(&self, program: &OsStr) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", r#"echo $$ >"$0" && exec "$@""#]);
        shell.arg(self.0.join("cgroup.procs")).arg(program);
        shell
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}
