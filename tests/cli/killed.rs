//! Builds that end before they are done: killed, out of room, or one too many.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Instant, SystemTime};

use serde_json::Value;
use tempfile::TempDir;

use super::tables::{built, contents, files, within};
use super::{Run, command};

const BUILD: &str = "build --rules abapa --seeds 12 --json --quiet --out";

fn start(dir: &Path) -> Child {
    command(BUILD).arg(dir).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts")
}

fn finish(child: Child) -> Run {
    Run::of(child.wait_with_output().expect("ends"))
}

/// Pseudo-random numbers from 0 to 1, the same each time (SplitMix64).
fn moments(seed: u64) -> impl Iterator<Item = f64> {
    (1..).map(move |nth: u64| {
        let mixed = seed.wrapping_add(nth.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as f64 / u64::MAX as f64
    })
}

/// The tables that are there, and when each was written.
fn finished(dir: &Path) -> BTreeMap<String, SystemTime> {
    let tables = files(dir).into_iter().filter(|name| name.ends_with(".oware"));
    let time = |name: &String| fs::metadata(dir.join(name)).and_then(|found| found.modified()).expect("a time");
    tables.map(|name| (name.clone(), time(&name))).collect()
}

/// Kills at moments of a whole build; each build then goes on from where the last one was killed.
#[test]
fn five_times_killed_a_build_ends_with_the_same_bytes() {
    let whole = tempfile::tempdir().expect("a directory");
    let clock = Instant::now();
    assert_eq!(finish(start(whole.path())).code, 0);
    let (whole, time) = (contents(whole.path()), clock.elapsed());
    let dir = tempfile::tempdir().expect("a directory");
    let mut before = BTreeMap::new();
    for moment in moments(1).take(5) {
        let mut child = start(dir.path());
        std::thread::sleep(time.mul_f64(moment / 2.0));
        child.kill().expect("kills");
        child.wait().expect("ends");
        let after = finished(dir.path());
        assert!(before.iter().all(|(name, time)| after.get(name) == Some(time)), "{before:?} {after:?}");
        before = after;
    }
    let run = finish(start(dir.path()));
    let layers = run.json()["layers"].as_array().expect("layers").clone();
    assert_eq!(layers.iter().filter(|layer| layer["kept"] == Value::Bool(true)).count(), before.len());
    let after = finished(dir.path());
    assert!(before.iter().all(|(name, time)| after.get(name) == Some(time)), "{before:?} {after:?}");
    assert!(contents(dir.path()) == whole, "no file differs and none is left over");
}

#[test]
fn of_two_builders_one_is_sent_away_and_the_tables_are_whole() {
    let dir = tempfile::tempdir().expect("a directory");
    let runs = [start(dir.path()), start(dir.path())].map(finish);
    let (done, sent): (Vec<&Run>, Vec<&Run>) = runs.iter().partition(|run| run.code == 0);
    // On a busy machine the second may begin when the first has finished.
    assert!(!done.is_empty());
    for run in sent {
        assert!(run.json_error(1, "io").contains("another `oware build`"));
    }
    assert_eq!((files(dir.path()).len(), within(&dir, "check --tables DIR").code), (13, 0));
}

/// A ceiling for the length of files stands in for a full disk: the write in the middle of a table
/// fails, where the disk was large enough when the build began.
#[test]
#[cfg(unix)]
fn without_room_for_a_table_finished_ones_stay_and_nothing_else() {
    let (dir, whole) = (tempfile::tempdir().expect("a directory"), built("abapa", 10));
    let oware = command("").get_program().to_owned();
    // Blocks of 512 or 1024 bytes, as the shell has it.
    let script = r#"trap '' XFSZ; ulimit -f 64; exec "$0" build --quiet --json --seeds 10 --out "$1""#;
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", script]).arg(oware).arg(dir.path()).output().expect("runs");
    let message = Run::of(output).json_error(1, "io");
    assert!(message.contains("abapa-") && message.contains(".oware") && message.contains("writing"), "{message}");
    let before = finished(dir.path());
    assert!((5..10).contains(&before.len()) && files(dir.path()).len() == before.len(), "{before:?}");
    assert_eq!(within(&dir, "build --quiet --seeds 10 --out DIR").code, 0);
    assert!(contents(dir.path()) == contents(whole.path()));
    assert!(before.iter().all(|(name, time)| finished(dir.path()).get(name) == Some(time)));
}

/// Nobody may make files there, whoever asks.
#[test]
#[cfg(target_os = "linux")]
fn a_directory_that_takes_no_files_is_named() {
    for words in ["build --seeds 2 --out /proc", "build --seeds 2 --out /proc/tables", "build --repair --out /proc"] {
        let message = super::oware(&format!("{words} --json")).json_error(1, "io");
        assert!(message.contains("/proc"), "{message}");
    }
}

#[test]
fn a_repair_without_enough_memory_takes_nothing_away() {
    let dir: TempDir = built("abapa", 7);
    fs::write(dir.path().join("abapa-06.oware"), "dear diary").expect("writes");
    let before = contents(dir.path());
    let message = within(&dir, "build --repair --memory 1M --json --out DIR").json_error(1, "io");
    assert!(message.contains("raise --memory") && contents(dir.path()) == before, "{message}");
}
