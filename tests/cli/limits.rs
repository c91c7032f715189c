//! What the system refuses, and what stands under the name of a file and is none.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

use super::tables::{built, files, within};
use super::{Run, command, oware};

/// Runs the command in a shell that sets limits first.
fn under(limits: &str, words: &str) -> Run {
    let line = format!("{limits}; exec {} {words}", cargo_bin("oware").display());
    Run::of(Command::new("sh").arg("-c").arg(line).output().expect("a shell"))
}

/// Asks for a thousand threads took a minute for ten seeds, 65535 never ended.
#[test]
fn more_threads_than_are_of_use_are_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    let clock = Instant::now();
    let run = within(&dir, "build --threads 65535 --seeds 3 --out DIR/new");
    assert!(run.error(2).contains("threads do not help"), "{}", run.err);
    assert!(clock.elapsed() < Duration::from_secs(5));
    let elsewhere = "build --dry-run --rules awari --threads 64 --memory 128G --out DIR/new";
    assert_eq!(within(&dir, elsewhere).code, 0, "another machine may have as many");
}

/// A thousand threads took five seconds only to be counted. Here they would have no room.
#[test]
#[cfg(target_os = "linux")]
fn threads_of_another_machine_are_not_started() {
    // Where as many are of use here, too, they may be started.
    if std::thread::available_parallelism().is_ok_and(|processors| processors.get() >= 128) {
        return;
    }
    let dir = tempfile::tempdir().expect("a directory");
    let forecast = "build --dry-run --rules awari --seeds 3 --threads 1024 --memory 128G --out";
    let run = under("ulimit -v 1000000", &format!("{forecast} {}", dir.path().display()));
    assert_eq!((run.code, run.err.as_str()), (0, ""));
}

/// `ulimit -v` counts as memory does: a build that cannot be is refused, one that can is built.
#[test]
#[cfg(target_os = "linux")]
fn a_limit_of_addresses_counts_in_the_forecast() {
    let dir = built("abapa", 11);
    let words = |seeds| format!("build --quiet --seeds {seeds} --out {}", dir.path().display());
    let run = under("ulimit -v 150000", &words(20));
    assert!(run.error(1).contains("of memory, but only"), "{}", run.err);
    assert_eq!(files(dir.path()).len(), 12);
    let run = under("ulimit -v 250000", &words(13));
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(files(dir.path()).len(), 14);
}

/// Memory that is refused in the middle ends with a sentence and an exit code, not with an abort.
#[test]
#[cfg(target_os = "linux")]
fn refused_memory_is_no_abort() {
    let dir = built("abapa", 11);
    // More is allowed than the system has to give: the limit is lower than what is counted on.
    let larger = format!("build --quiet --seeds 19 --memory 2G --out {}", dir.path().display());
    let run = under("ulimit -v 140000", &larger);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("oware: "), "{}", run.err);
    assert!(run.err.contains("memory"), "{}", run.err);
    assert!(files(dir.path()).len() >= 12, "what is finished is kept");
    assert_eq!(oware(&format!("check --tables {}", dir.path().display())).code, 0);
}

#[cfg(unix)]
fn pipe(path: &Path) {
    let _ = fs::remove_file(path);
    let made = Command::new("mkfifo").arg(path).status().expect("mkfifo");
    assert!(made.success());
}

/// A pipe would be waited for, a device has no end.
#[test]
#[cfg(unix)]
fn pipes_and_directories_under_the_names_of_files_are_no_files() {
    let dir = built("abapa", 5);
    let table = dir.path().join("abapa-04.oware");
    let manifest = dir.path().join("SHA256SUMS");
    assert_eq!(within(&dir, "check --tables DIR --write-manifest").code, 0);
    let directory = |path: &Path| {
        fs::remove_file(path).expect("removes");
        fs::create_dir(path).expect("makes");
    };
    for make in [pipe, directory] {
        make(&table);
        let run = within(&dir, "check --tables DIR --manifest");
        assert_eq!(run.code, 1);
        assert_eq!(run.out.matches("it is not a file").count(), 2, "{}", run.out);
        for words in ["build --seeds 5 --out DIR", "stats --tables DIR"] {
            assert!(within(&dir, words).error(1).contains("it is not a file"));
        }
    }
    pipe(&manifest);
    assert!(within(&dir, "check --tables DIR --manifest").err.contains("it is not a file"));
    fs::remove_dir(&table).expect("removes");
    pipe(&dir.path().join("abapa-06.oware.checkpoint"));
    let run = within(&dir, "build --seeds 6 --out DIR");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("it is not a file; the layer starts over"), "{}", run.err);
    assert_eq!(within(&dir, "check --tables DIR").code, 0);
}

/// A plain `cp` of other tables over those that are open, or one that is cut short: maps would end
/// the program (SIGBUS).
#[test]
fn tables_that_are_written_over_while_they_are_open_are_errors() {
    let dir = built("abapa", 9);
    let mut command = command("query --batch --rules abapa --tables");
    command.arg(dir.path()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut say = |text: &str| input.write_all(text.as_bytes()).expect("it listens");
    say("0 0 0 1 4 1  1 0 0 0 1 1\n");
    std::thread::sleep(Duration::from_millis(300));
    let path = dir.path().join("abapa-09.oware");
    let whole = fs::read(&path).expect("a table");
    let cut = fs::File::options().write(true).open(&path).expect("opens");
    cut.set_len(1000).expect("cuts");
    say("4 0 0 0 0 1  0 4 0 0 0 0\n");
    std::thread::sleep(Duration::from_millis(300));
    // As long as it was, and something else.
    fs::write(&path, vec![0x5a; whole.len()]).expect("writes");
    say("0 3 0 0 0 1  0 4 0 0 1 0\n");
    drop(input);
    let run = Run::of(child.wait_with_output().expect("ends"));
    assert_eq!(run.code, 1, "{} {}", run.out, run.err);
    let problems = format!("{}{}", run.out, run.err);
    assert!(problems.contains("abapa-09.oware: "), "{problems}");
}

/// Killed exports left files of any size for ever.
#[test]
#[cfg(unix)]
fn what_a_killed_export_leaves_the_next_one_sweeps_up() {
    let (tables, out) = (built("abapa", 9), tempfile::tempdir().expect("a directory"));
    let export = |words: &str, out: &TempDir| {
        let mut command = command(&format!("export --format npy --rules abapa {words} --tables"));
        command.arg(tables.path()).arg("--out").arg(out.path()).stdout(Stdio::null());
        command
    };
    let left = out.path().join("abapa-12.npy.aZ09bY.export.tmp");
    fs::write(&left, "half of it").expect("writes");
    let held = out.path().join("abapa-11.npy.aZ09bY.export.tmp");
    let file = fs::File::create(&held).expect("makes");
    file.lock().expect("locks");
    let not_ours = out.path().join("thesis.tmp");
    fs::write(&not_ours, "dear diary").expect("writes");
    assert!(export("--seeds 5", &out).status().expect("runs").success());
    assert!(!left.exists(), "nobody is at work on it");
    assert!(held.exists() && not_ours.exists());
}
