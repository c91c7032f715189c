//! What a build says that it will take of memory, against what it takes.

use std::path::Path;
use std::process::Command;

use super::commands::json;
use crate::peak::peak_memory;

/// The most memory that a build holds while it runs.
fn peak_of(arguments: &str, dir: &Path) -> u64 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oware"));
    peak_memory(command.args(arguments.split(' ')).current_dir(dir))
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
        let peak = peak_of(&format!("{build} {threads} --quiet"), dir.path());
        println!("{build}: {peak} of {forecast}");
        assert!(peak <= forecast, "{build}: {peak} of {forecast}");
        assert!(forecast <= peak + peak * 6 / 10, "{build}: {peak} of {forecast}");
    }
}

#[test]
fn layers_beyond_counting_are_said_to_be() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut command = Command::new(env!("CARGO_BIN_EXE_oware"));
    let words = "build --rules bao-kujifunza-4x8 --seeds 48 --dry-run --tables tables";
    let said = command.args(words.split(' ')).current_dir(dir.path()).output().expect("runs");
    let said = String::from_utf8(said.stdout).expect("text");
    assert!(
        said.contains("more than 10^19 positions, more than 1000000.00 TB of memory"),
        "{said}"
    );
    assert!(!said.contains("18446744"), "{said}");
}
