//! Engines that are shell scripts. Each notes its process, so that one can look whether it is still
//! there.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Writes the engine of a directory, and gives its command line.
pub fn write(dir: &Path, text: &str) -> String {
    let (script, pids) = (dir.join("engine.sh"), dir.join("pids"));
    fs::write(&script, format!("echo $$ >> '{}'\n{text}", pids.display())).expect("writes");
    format!("sh '{}'", script.display())
}

/// Processes that have run the engine of a directory.
pub fn pids(dir: &Path) -> Vec<u32> {
    let text = fs::read_to_string(dir.join("pids")).unwrap_or_default();
    text.lines().map(|line| line.parse().expect("a number")).collect()
}

/// How often it was started, when none of these processes is alive any more; they have a minute.
#[track_caller]
pub fn starts_of_the_dead(dir: &Path) -> usize {
    let (pids, until) = (pids(dir), Instant::now() + Duration::from_secs(60));
    for &pid in &pids {
        while is_alive(pid) {
            assert!(Instant::now() < until, "process {pid} survives");
            thread::sleep(Duration::from_millis(10));
        }
    }
    pids.len()
}

/// Whoever is dead and not yet waited for by its new parent is dead enough.
fn is_alive(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}
