//! What a process takes of memory.

use std::fs;
use std::process::Command;
use std::time::Duration;

/// The most memory that a process holds while it runs, as Linux counts it.
pub fn peak_memory(command: &mut Command) -> u64 {
    let mut child = command.spawn().expect("starts");
    let (path, mut peak) = (format!("/proc/{}/status", child.id()), 0);
    while child.try_wait().expect("waits").is_none() {
        let status = fs::read_to_string(&path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
        peak = kilobytes.unwrap_or(0u64).max(peak);
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(child.wait().expect("ended").success());
    peak * 1024
}
