//! What a build says that it will take of memory, against what it takes.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::commands::json;

/// The most memory that a build holds while it runs, as Linux counts it.
fn peak_memory(arguments: &str, dir: &Path) -> u64 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oware"));
    let mut child = command.args(arguments.split(' ')).current_dir(dir).spawn().expect("starts");
    let (path, mut peak) = (format!("/proc/{}/status", child.id()), 0);
    while child.try_wait().expect("waits").is_none() {
        let status = fs::read_to_string(&path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
        peak = kilobytes.unwrap_or(0u64).max(peak);
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(child.wait().expect("ended").success());
    peak * 1024
}

/// The forecast is enough, and by not much more than half too much.
#[test]
#[cfg(target_os = "linux")]
fn memory_is_what_the_forecast_says() {
    for (build, threads) in [
        ("build --rules bao-laps --seeds 12", "--threads 1"),
        ("build --rules nam-nam --seeds 16", "--threads 2"),
        ("build --rules bao-laps-drawn --seeds 11", "--threads 2"),
    ] {
        let dir = tempfile::tempdir().expect("a directory");
        let needed = json(&format!("{build} --dry-run"), dir.path());
        let forecast = needed["memory"].as_u64().expect("a number");
        let peak = peak_memory(&format!("{build} {threads} --quiet"), dir.path());
        println!("{build}: {peak} of {forecast}");
        assert!(peak <= forecast, "{build}: {peak} of {forecast}");
        assert!(forecast <= peak + peak * 6 / 10, "{build}: {peak} of {forecast}");
    }
}
