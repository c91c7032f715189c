//! Builds that end before they are done: killed, out of room, or one too many.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::LazyLock;
use std::time::{Instant, SystemTime};

use oware_db::game::{ABAPA, Seeds};
use oware_db::layer::Layer;
use oware_db::random::Dice;
use serde_json::Value;
use tempfile::TempDir;

use super::tables::{Contents, built, contents, directory, files, least_memory, within};
use super::{Run, command};

const BUILD: &str = "build --rules abapa --seeds 12 --json --quiet --out";

fn start(dir: &Path) -> Child {
    command(BUILD).arg(dir).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts")
}

fn finish(child: Child) -> Run {
    Run::of(child.wait_with_output().expect("ends"))
}

/// Pseudo-random numbers from 0 to 1, the same each time.
fn moments(seed: u64) -> impl Iterator<Item = f64> {
    let mut dice = Dice::new(seed);
    std::iter::repeat_with(move || dice.number() as f64 / u64::MAX as f64)
}

/// The tables that are there, and when each was written.
fn finished(dir: &Path) -> BTreeMap<String, SystemTime> {
    let tables = files(dir).into_iter().filter(|name| name.ends_with(".oware"));
    let time = |name: &String| {
        fs::metadata(dir.join(name)).and_then(|found| found.modified()).expect("a time")
    };
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
        assert!(
            before.iter().all(|(name, time)| after.get(name) == Some(time)),
            "{before:?} {after:?}"
        );
        before = after;
    }
    let run = finish(start(dir.path()));
    let layers = run.json()["layers"].as_array().expect("layers").clone();
    assert_eq!(
        layers.iter().filter(|layer| layer["kept"] == Value::Bool(true)).count(),
        before.len()
    );
    let after = finished(dir.path());
    assert!(
        before.iter().all(|(name, time)| after.get(name) == Some(time)),
        "{before:?} {after:?}"
    );
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
        assert!(run.json_error(1, "io").contains("another build is running"));
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
    let script =
        r#"trap '' XFSZ; ulimit -f 64; exec "$0" build --quiet --json --seeds 10 --out "$1""#;
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", script]).arg(oware).arg(dir.path()).output().expect("runs");
    let message = Run::of(output).json_error(1, "io");
    assert!(
        message.contains("abapa-") && message.contains(".oware") && message.contains("writing"),
        "{message}"
    );
    let before = finished(dir.path());
    assert!(
        (5..10).contains(&before.len()) && files(dir.path()).len() == before.len(),
        "{before:?}"
    );
    assert_eq!(within(&dir, "build --quiet --seeds 10 --out DIR").code, 0);
    assert!(contents(dir.path()) == contents(whole.path()));
    assert!(before.iter().all(|(name, time)| finished(dir.path()).get(name) == Some(time)));
}

/// The same ceiling where scores are put on disk, too, and captures before them, block by block: what
/// is finished stays, and nothing else.
#[test]
#[cfg(unix)]
fn without_room_for_captures_finished_tables_stay_and_nothing_else() {
    let dir = tempfile::tempdir().expect("a directory");
    let oware = command("").get_program().to_owned();
    let words = "--quiet --json --rules awari --threads 2 --seeds 14";
    let script = format!(
        r#"trap '' XFSZ; ulimit -f 4000; exec "$0" build {words} --memory "$2"M --out "$1""#
    );
    let least = least_memory("awari", 14, "");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &script]).arg(oware).arg(dir.path()).arg(least.to_string());
    let message = Run::of(shell.output().expect("runs")).json_error(1, "io");
    assert!(message.contains("a layer"), "{message}");
    let before = finished(dir.path());
    assert!((5..=14).contains(&before.len()) && files(dir.path()).len() == before.len());
    let words = format!("build --quiet --rules awari --seeds 14 --memory {least}M --out DIR");
    let run = within(&dir, &words);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(contents(dir.path()) == contents(built("awari", 14).path()));
    assert!(before.iter().all(|(name, time)| finished(dir.path()).get(name) == Some(time)));
}

/// Nobody may make files there, whoever asks.
#[test]
#[cfg(target_os = "linux")]
fn a_directory_that_takes_no_files_is_named() {
    for words in [
        "build --seeds 2 --out /proc",
        "build --seeds 2 --out /proc/tables",
        "build --repair --out /proc",
    ] {
        let message = super::oware(&format!("{words} --json")).json_error(1, "io");
        assert!(message.contains("/proc"), "{message}");
    }
}

#[test]
fn a_repair_without_enough_memory_takes_nothing_away() {
    let dir: TempDir = built("abapa", 7);
    fs::write(dir.path().join("abapa-06.oware"), "dear diary").expect("writes");
    let before = contents(dir.path());
    let message =
        within(&dir, "build --repair --memory 1M --json --out DIR").json_error(2, "usage");
    assert!(message.contains("raise --memory") && contents(dir.path()) == before, "{message}");
}

/// Builds that go on from checkpoints.
mod checkpoints {
    use super::*;

    /// A layer that takes a while if there is a checkpoint after every sweep.
    const BUILD: &str = "build --seeds 11 --checkpoint-seconds 0 --out DIR";
    /// The same at full speed.
    const GO_ON: &str = "build --seeds 11 --out DIR";
    const TABLE: &str = "abapa-11.oware";
    const CHECKPOINT: &str = "abapa-11.oware.checkpoint";

    /// The layers below.
    fn below() -> TempDir {
        built("abapa", 10)
    }

    /// All of them, as a build makes them that is left in peace.
    fn whole() -> Contents {
        contents(built("abapa", 11).path())
    }

    /// A build of `words` that has saved a checkpoint; on a busy machine it may have ended since.
    fn after_a_checkpoint(words: &str, dir: &Path, checkpoint: &str) -> Child {
        let words = words.replace("DIR", &dir.display().to_string());
        let mut child =
            command(&words).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
        while !dir.join(checkpoint).exists() && child.try_wait().expect("lives").is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        child
    }

    /// A directory with a checkpoint of the last layer, left by a build that was killed: a copy of
    /// the only one.
    fn killed_after_a_checkpoint() -> TempDir {
        static LEFT: LazyLock<Contents> = LazyLock::new(|| {
            let dir = below();
            while !dir.path().join(CHECKPOINT).exists() {
                let mut child = after_a_checkpoint(BUILD, dir.path(), CHECKPOINT);
                child.kill().expect("kills");
                child.wait().expect("ends");
                let _ = fs::remove_file(dir.path().join(TABLE));
            }
            contents(dir.path())
        });
        directory(&*LEFT)
    }

    /// The sweep after which it went on.
    #[track_caller]
    fn goes_on(run: &Run) -> usize {
        let words = ": continues from a checkpoint after sweep ";
        let line = run.err.lines().find_map(|line| Some(line.split_once(words)?.1));
        let line = line.unwrap_or_else(|| panic!("{}", run.err));
        line.parse().expect("a number")
    }

    #[test]
    fn a_killed_layer_goes_on_and_ends_with_the_same_bytes() {
        let dir = killed_after_a_checkpoint();
        let run = within(&dir, BUILD);
        assert!(run.code == 0 && goes_on(&run) > 0, "{}", run.err);
        assert!(contents(dir.path()) == whole(), "no file differs and none is left over");
    }

    /// A checkpoint has scores, whatever is made of them.
    #[test]
    fn a_layer_goes_on_without_its_strategy() {
        let dir = killed_after_a_checkpoint();
        let run = within(&dir, "build --no-strategy --seeds 11 --out DIR");
        assert!(run.code == 0 && goes_on(&run) > 0, "{}", run.err);
    }

    /// The files that scores were in are gone; the checkpoint is not.
    #[test]
    fn a_layer_killed_on_disk_goes_on_and_ends_with_the_same_bytes() {
        let (dir, least) = (built("awari", 13), least_memory("awari", 14, ""));
        let checkpoint = "awari-14.oware.checkpoint";
        let go_on = "build --rules awari --seeds 14 --threads 2";
        let go_on = format!("{go_on} --memory {least}M --out DIR");
        let words = format!("{go_on} --checkpoint-seconds 0");
        while !dir.path().join(checkpoint).exists() {
            let mut child = after_a_checkpoint(&words, dir.path(), checkpoint);
            child.kill().expect("kills");
            child.wait().expect("ends");
            let _ = fs::remove_file(dir.path().join("awari-14.oware"));
        }
        let run = within(&dir, &go_on);
        assert!(run.code == 0 && goes_on(&run) > 0, "{}", run.err);
        assert!(contents(dir.path()) == contents(built("awari", 14).path()));
    }

    /// Where claims of one plane are not met, a layer goes on with two.
    #[test]
    fn a_layer_killed_with_two_planes_goes_on_and_ends_with_the_same_bytes() {
        let (dir, checkpoint) = (built("abapa", 12), "abapa-13.oware.checkpoint");
        let (path, go_on) = (dir.path().join(checkpoint), "build --seeds 13 --out DIR");
        let positions = Layer::of(&ABAPA, Seeds::new(13).expect("fewer than 48")).positions();
        let has_two = || fs::metadata(&path).is_ok_and(|found| found.len() > positions * 3 / 2);
        while !has_two() {
            let words = format!("{go_on} --checkpoint-seconds 0");
            let mut child = after_a_checkpoint(&words, dir.path(), checkpoint);
            while !has_two() && child.try_wait().expect("lives").is_none() {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            child.kill().expect("kills");
            child.wait().expect("ends");
            let _ = fs::remove_file(dir.path().join("abapa-13.oware"));
        }
        let run = within(&dir, go_on);
        assert!(run.code == 0 && goes_on(&run) > 0, "{}", run.err);
        assert!(contents(dir.path()) == contents(built("abapa", 13).path()));
    }

    /// A build that cannot go on from one leaves it to another that can; damaged, it is dropped.
    #[test]
    fn those_of_other_games_are_not_lost() {
        let (dir, name) = (built("awari", 10), "awari-11.oware.checkpoint");
        let (table, path) = (dir.path().join("awari-11.oware"), dir.path().join(name));
        let build = |words: &str| {
            within(&dir, &format!("build --rules awari --seeds 11 {words} --out DIR"))
        };
        while !path.exists() {
            let words = "build --rules awari --seeds 11 --game-seeds 12 --checkpoint-seconds 0";
            let mut child = after_a_checkpoint(&format!("{words} --out DIR"), dir.path(), name);
            child.kill().expect("kills");
            child.wait().expect("ends");
            let _ = fs::remove_file(&table);
        }
        let checkpoint = fs::read(&path).expect("a checkpoint");
        for words in ["", "--game-seeds 11", "--dry-run"] {
            let refused = build(words);
            let remedy =
                "stores only what decides games of 12 seeds; use --game-seeds 12 to continue";
            assert!(refused.error(2).contains(remedy), "{}", refused.err);
            assert!(fs::read(&path).expect("a checkpoint") == checkpoint && !table.exists());
        }
        assert!(goes_on(&build("--game-seeds 12")) > 0);
        fs::remove_file(&table).expect("a table");
        let mut flipped = checkpoint;
        let middle = flipped.len() / 2;
        flipped[middle] ^= 4;
        fs::write(&path, flipped).expect("writes");
        let run = build("");
        assert!(run.code == 0 && run.err.contains("the layer starts over"), "{}", run.err);
    }

    #[test]
    fn what_is_no_checkpoint_of_this_layer_is_reported_and_not_believed() {
        let dir = killed_after_a_checkpoint();
        let whole = whole();
        let checkpoint = fs::read(dir.path().join(CHECKPOINT)).expect("a checkpoint");
        let mut flipped = checkpoint.clone();
        flipped[checkpoint.len() / 2] ^= 4;
        for (bytes, flaw) in [
            (&flipped[..], "it is damaged"),
            (&checkpoint[..checkpoint.len() - 1], "bytes instead of"),
            (&checkpoint[..20], "it is cut off"),
            (&[b'x'; 100], "it is not a checkpoint"),
        ] {
            let _ = fs::remove_file(dir.path().join(TABLE));
            fs::write(dir.path().join(CHECKPOINT), bytes).expect("writes");
            let run = within(&dir, "build --quiet --seeds 11 --out DIR");
            assert!(run.code == 0 && run.err.contains(flaw), "{}", run.err);
            assert!(
                run.err.contains(CHECKPOINT) && run.err.contains("the layer starts over"),
                "{}",
                run.err
            );
            assert!(contents(dir.path()) == whole);
        }
    }

    #[test]
    fn those_of_another_layer_are_not_believed() {
        let dir = killed_after_a_checkpoint();
        let checkpoint = fs::read(dir.path().join(CHECKPOINT)).expect("a checkpoint");
        for (name, words) in
            [("abapa-12", "--seeds 12"), ("abapa-even-11", "--rules abapa-even --seeds 11")]
        {
            fs::write(dir.path().join(format!("{name}.oware.checkpoint")), &checkpoint)
                .expect("writes");
            let run = within(&dir, &format!("build --quiet {words} --out DIR"));
            assert!(run.code == 0 && run.err.contains("it is of another layer"), "{}", run.err);
        }
        assert!(files(dir.path()).iter().all(|name| name.ends_with(".oware")));
    }

    #[test]
    fn nobody_takes_them_for_tables_and_they_stay_until_their_layer_is_built() {
        let dir = killed_after_a_checkpoint();
        let checkpoint = fs::read(dir.path().join(CHECKPOINT)).expect("a checkpoint");
        fs::write(dir.path().join(format!("{CHECKPOINT}.4711-aZ09bY.tmp")), "half")
            .expect("writes");
        assert_eq!(within(&dir, "check --json --tables DIR").json()["files"], 11);
        assert_eq!(
            within(&dir, "stats --json --tables DIR").json()["layers"].as_array().map(Vec::len),
            Some(11)
        );
        assert_eq!(within(&dir, "check --write-manifest --tables DIR").code, 0);
        let manifest = fs::read_to_string(dir.path().join("SHA256SUMS")).expect("a manifest");
        assert_eq!(manifest.lines().count(), 11);
        assert_eq!(within(&dir, "build --quiet --seeds 10 --out DIR").code, 0);
        assert!(!files(dir.path()).iter().any(|name| name.ends_with(".tmp")));
        assert!(fs::read(dir.path().join(CHECKPOINT)).expect("a checkpoint") == checkpoint);
        assert!(goes_on(&within(&dir, GO_ON)) > 0);
        // One that was left behind is removed by the next build, also if there is nothing to build.
        fs::write(dir.path().join(CHECKPOINT), checkpoint).expect("writes");
        assert_eq!(within(&dir, GO_ON).code, 0);
        assert!(!dir.path().join(CHECKPOINT).exists());
    }

    #[test]
    fn those_that_build_anew_begin_anew() {
        for option in ["--force", "--repair"] {
            let dir = killed_after_a_checkpoint();
            let run = within(&dir, &format!("{GO_ON} {option}"));
            assert!(run.code == 0 && !run.err.contains("goes on"), "{}", run.err);
            assert!(contents(dir.path()) == whole());
        }
    }

    /// Ctrl-C in the middle of the sweeps of a layer that is large enough for it to come in time;
    /// for when all sweeps are made already, there are other tries.
    #[cfg(unix)]
    fn stops_and_goes_on(rules: &str, seeds: usize, options: &str) {
        let go_on = format!("build --rules {rules} --seeds {seeds} {options} --out DIR");
        let build = format!("{go_on} --checkpoint-seconds 0");
        let checkpoint = format!("{rules}-{seeds}.oware.checkpoint");
        let below = contents(built(rules, seeds - 1).path());
        let saved = format!("layer {seeds}: checkpoint after sweep ");
        let stopped = (0..20).find_map(|_| {
            let dir = directory(&below);
            let child = after_a_checkpoint(&build, dir.path(), &checkpoint);
            let asked =
                std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
            assert!(asked.is_ok());
            let run = finish(child);
            let sweep = run.err.lines().find_map(|line| line.strip_prefix(&saved)?.parse().ok());
            sweep.map(|sweep: usize| (dir, run, sweep))
        });
        let (dir, run, sweep) = stopped.expect("a build that was stopped in time");
        assert!(run.code == 130 && run.err.contains("run the same command again"), "{}", run.err);
        let left = files(dir.path());
        assert!(left.len() == seeds + 1 && left.contains(&checkpoint), "{left:?}");
        assert_eq!(goes_on(&within(&dir, &go_on)), sweep);
        assert!(contents(dir.path()) == contents(built(rules, seeds).path()));
    }

    #[test]
    #[cfg(unix)]
    fn a_layer_that_is_stopped_is_saved_as_it_is() {
        stops_and_goes_on("abapa", 13, "");
    }

    /// Of what was on disk nothing is left but the checkpoint.
    #[test]
    #[cfg(unix)]
    fn a_layer_stopped_on_disk_is_saved_as_it_is() {
        let least = least_memory("awari", 14, "");
        stops_and_goes_on("awari", 14, &format!("--threads 2 --memory {least}M"));
    }

    /// As for tables, see above: with a limit that every table keeps to and no checkpoint.
    #[test]
    #[cfg(unix)]
    fn without_room_for_a_checkpoint_the_build_goes_on() {
        let (dir, whole) = (tempfile::tempdir().expect("a directory"), built("abapa", 10));
        let largest = fs::metadata(whole.path().join("abapa-10.oware")).expect("a table").len();
        // In units of 512 or 1024 bytes, as the shell has it.
        let limit = largest / 512 + 1;
        let script = r#"trap '' XFSZ; ulimit -f "$2"
            exec "$0" build --quiet --checkpoint-seconds 0 --seeds 10 --out "$1""#;
        let mut shell = std::process::Command::new("sh");
        shell
            .args(["-c", script])
            .arg(command("").get_program())
            .arg(dir.path())
            .arg(limit.to_string());
        let run = Run::of(shell.output().expect("runs"));
        assert!(
            run.code == 0 && run.err.contains("layer 10 gets no further checkpoint"),
            "{}",
            run.err
        );
        assert_eq!(run.err.matches("layer 10 gets").count(), 1, "once");
        assert!(contents(dir.path()) == contents(whole.path()), "nothing is left over");
    }
}

/// Takes the bytes away from under pages that a build has mapped, as a disk does that fails.
#[cfg(target_os = "linux")]
#[test]
fn a_build_whose_mapped_files_are_lost_ends_with_a_sentence() {
    use std::os::unix::fs::MetadataExt;

    let dir = tempfile::tempdir().expect("a directory");
    let words = "build --quiet --rules awari --seeds 17 --threads 2";
    let least = least_memory("awari", 17, "");
    let mut build = command(&format!("{words} --memory {least}M --out"));
    let child = build.arg(dir.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("starts");
    let of = format!("/proc/{}", child.id());
    let lost = loop {
        assert!(child.try_wait().expect("is asked").is_none(), "no file is mapped");
        let maps = fs::read_to_string(format!("{of}/maps")).unwrap_or_default();
        let mapped = maps.lines().filter(|line| line.ends_with("(deleted)"));
        let mapped: Vec<u64> =
            mapped.filter_map(|line| line.split_whitespace().nth(4)?.parse().ok()).collect();
        let files = fs::read_dir(format!("{of}/fd")).into_iter().flatten().flatten();
        let is_mapped = |path: &PathBuf| {
            fs::metadata(path)
                .is_ok_and(|file| file.len() > 1 << 20 && mapped.contains(&file.ino()))
        };
        if let Some(found) = files.map(|file| file.path()).find(is_mapped) {
            break found;
        }
    };
    fs::OpenOptions::new().write(true).truncate(true).open(lost).expect("it can be shortened");
    let run = finish(child);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("a mapped file could not be read or written"), "{}", run.err);
}
