//! `oware build`.

use std::fs::{self, File};
use std::process::{Command, Stdio};

use serde_json::json;

use super::tables::{built, contents, files, least_memory, within};
use super::{Run, command};

#[test]
fn makes_every_layer_and_keeps_it() {
    let dir = tempfile::tempdir().expect("a directory");
    let first = within(&dir, "build --json --seeds 4 --out DIR/new/tables");
    let layers = first.json()["layers"].as_array().expect("layers").clone();
    assert_eq!(first.json()["rules"], "abapa");
    assert_eq!(
        layers.iter().map(|layer| layer["positions"].as_u64()).collect::<Vec<_>>(),
        [1, 12, 78, 364, 1365].map(Some)
    );
    let made = files(&dir.path().join("new/tables"));
    assert_eq!(made, [0, 1, 2, 3, 4].map(|seeds| format!("abapa-0{seeds}.oware")));
    let second = within(&dir, "build --json --seeds 6 --out DIR/new/tables").json();
    for (seeds, layer) in second["layers"].as_array().expect("layers").iter().enumerate() {
        let path = dir.path().join(format!("new/tables/abapa-0{seeds}.oware"));
        assert_eq!(layer["bytes"], fs::metadata(path).expect("a file").len());
        assert_eq!(
            (&layer["seeds"], layer["kept"].as_bool()),
            (&json!(seeds), (seeds < 5).then_some(true))
        );
    }
    let forced = within(&dir, "build --json --force --seeds 6 --out DIR/new/tables").json();
    assert!(
        forced["layers"].as_array().expect("layers").iter().all(|layer| layer["kept"].is_null())
    );
}

#[test]
fn says_what_it_needs_and_what_to_type_next() {
    let dir = tempfile::tempdir().expect("a directory");
    let run = within(&dir, "build --rules plain --seeds 7 --out DIR");
    assert_eq!(run.code, 0);
    for word in ["forecast", "time", "memory", "disk", "layer  7:"] {
        assert!(run.err.contains(word), "{word}: {}", run.err);
    }
    let next = run
        .out
        .lines()
        .find_map(|line| line.trim().strip_prefix("oware query \""))
        .expect("a command");
    let (position, options) = next.split_once('"').expect("a position");
    let asked =
        command("query").arg(position).args(options.split_whitespace()).output().expect("runs");
    assert!(Run::of(asked).out.contains("With best play"));
}

#[test]
fn does_not_depend_on_threads_or_memory() {
    let made = |words: &str| {
        let dir = tempfile::tempdir().expect("a directory");
        let run = within(&dir, &format!("build --quiet --seeds 11 {words} --out DIR"));
        (run.code == 0).then(|| contents(dir.path()))
    };
    let expected = contents(built("abapa", 11).path());
    let least = |megabytes: &usize| made(&format!("--threads 1 --memory {megabytes}M"));
    let (megabytes, least) = (50..99).find_map(|most| Some((most, least(&most)?))).expect("enough");
    assert!(megabytes > 50 && least == expected, "the ceiling is heeded");
    for threads in 1..=3 {
        assert!(
            made(&format!("--threads {threads}")).as_ref() == Some(&expected),
            "{threads} threads"
        );
    }
}

#[test]
fn refuses_wrong_usage() {
    for (words, part) in [
        ("--seeds 49", "48 seeds"),
        ("--seeds -1", "0 to 48"),
        ("--seeds many", "0 to 48"),
        ("--rules chess", "abapa-even"),
        ("--threads 0", "--threads"),
        ("--level 99", "--level"),
        ("--memory lots", "8G"),
        ("--seeds 12 --memory 1M", "raise --memory"),
        ("7", "'7'"),
    ] {
        let dir = tempfile::tempdir().expect("a directory");
        assert!(
            within(&dir, &format!("build --out DIR {words}")).error(2).contains(part),
            "{words}"
        );
        within(&dir, &format!("build --json --out DIR {words}")).json_error(2, "usage");
        assert!(files(dir.path()).is_empty());
    }
}

/// What does not fit into memory is looked for where it is to be, before anything is built. Nothing
/// is free in `/proc`, and nobody may make files there.
#[test]
#[cfg(target_os = "linux")]
fn disk_is_looked_for_where_scratch_is_to_be() {
    let dir = tempfile::tempdir().expect("a directory");
    let least = least_memory("awari", 14, "");
    let words = "build --quiet --rules awari --seeds 14 --threads 2 --out DIR/new";
    let refused = within(&dir, &format!("{words} --memory {least}M --scratch /proc --json"));
    let message = refused.json_error(1, "io");
    assert!(message.contains("in /proc, but only 0 B are free"), "{message}");
    let unused = within(&dir, &format!("{words} --memory 8G --scratch /proc --json"));
    assert!(unused.json_error(1, "io").contains("/proc"));
    assert!(files(&dir.path().join("new")).iter().all(|name| !name.ends_with(".oware")));
    let built = within(&dir, &format!("{words} --memory {least}M --scratch DIR/some/where"));
    assert_eq!((built.code, built.err.as_str()), (0, ""));
    assert_eq!(files(&dir.path().join("some/where")).len(), 0);
    let words = "build --dry-run --json --rules awari --seeds 14 --threads 2 --out DIR/other";
    let foretold = |scratch: &str| {
        let words = format!("{words} --memory {least}M --scratch {scratch}");
        let run = within(&dir, &words);
        (run.code == 0).then(|| (run.json()["disk"].clone(), run.json()["scratch"].clone()))
    };
    assert_eq!(foretold("/proc"), None);
    let (disk, scratch) = foretold("DIR/elsewhere").expect("room");
    assert!(disk.as_u64() > Some(0) && scratch.is_null());
    assert!(!dir.path().join("elsewhere").exists());
}

#[test]
fn refuses_what_the_machine_cannot_do() {
    for (words, part) in [
        ("--out DIR --seeds 48 --memory 9000T", "free"),
        ("--out DIR/file/below", "below"),
        ("--out DIR/file", "file"),
    ] {
        let dir = tempfile::tempdir().expect("a directory");
        fs::write(dir.path().join("file"), "no directory").expect("writes");
        assert!(within(&dir, &format!("build --quiet {words}")).error(1).contains(part), "{words}");
        within(&dir, &format!("build --json {words}")).json_error(1, "io");
        assert_eq!(files(dir.path()), ["file"]);
    }
}

#[test]
fn two_builders_do_not_meet() {
    let dir = built("abapa", 1);
    let lock = File::create(dir.path().join(".oware-build.lock")).expect("a lock");
    lock.lock().expect("locks");
    assert!(
        within(&dir, "build --seeds 3 --out DIR").error(1).contains("another build is running")
    );
    within(&dir, "build --json --seeds 3 --out DIR").json_error(1, "io");
    lock.unlock().expect("unlocks");
    assert_eq!(within(&dir, "build --seeds 3 --out DIR").code, 0);
}

#[test]
fn does_not_overwrite_foreign_files_unasked() {
    let dir = built("abapa", 2);
    fs::write(dir.path().join("abapa-03.oware"), "dear diary").expect("writes");
    assert!(within(&dir, "build --seeds 4 --out DIR").error(1).contains("abapa-03.oware"));
    within(&dir, "build --json --seeds 4 --out DIR").json_error(1, "corrupt_table");
    assert_eq!(fs::read(dir.path().join("abapa-03.oware")).expect("reads"), b"dear diary");
    assert_eq!(within(&dir, "build --force --seeds 4 --out DIR").code, 0);
    assert_eq!(within(&dir, "stats --tables DIR").code, 0);
}

#[test]
fn sweeps_up_after_a_killed_builder() {
    let dir = built("abapa", 1);
    for name in ["abapa-02.oware.4711-0.tmp", "notes.tmp"] {
        fs::write(dir.path().join(name), "half").expect("writes");
    }
    assert_eq!(within(&dir, "build --seeds 2 --out DIR").code, 0);
    assert_eq!(
        files(dir.path()),
        ["abapa-00.oware", "abapa-01.oware", "abapa-02.oware", "notes.tmp"]
    );
}

/// The build is far larger than what can be done until it is stopped.
#[test]
#[cfg(unix)]
fn interrupted_keeps_finished_layers_and_goes_on() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut oware = command("build --threads 1 --seeds 23 --out");
    let child = oware
        .arg(dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    while !dir.path().join("abapa-08.oware").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed =
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kills");
    let run = Run::of(child.wait_with_output().expect("ends"));
    assert!(killed.success() && run.code == 130 && run.out.is_empty(), "{}", run.err);
    assert!(run.err.contains("run the same command again"), "{}", run.err);
    let names = files(dir.path());
    assert!(names.iter().all(|name| name.ends_with(".oware")), "{names:?}");
    let again = within(&dir, "build --json --seeds 9 --out DIR").json();
    assert_eq!(again["layers"][8]["kept"], true);
}

/// An option that changes nothing in tables that are kept is not passed over in silence.
#[test]
fn what_is_asked_for_and_not_done_is_said() {
    let dir = tempfile::tempdir().expect("a directory");
    assert_eq!(within(&dir, "build --quiet --rules awari --seeds 6 --tables DIR").err, "");
    for (options, says) in [
        ("--level 9", "7 kept tables have a level other than --level 9; --force rebuilds them"),
        ("--no-strategy", "7 kept tables have a strategy; --force"),
        ("--game-seeds 8", "2 kept tables have more scores than --game-seeds 8 stores; --force"),
        ("--dry-run --level 9", "7 kept tables have a level other than --level 9"),
    ] {
        let quiet = if options.starts_with("--dry") { "" } else { "--quiet" };
        let run =
            within(&dir, &format!("build {quiet} --rules awari --seeds 6 {options} --tables DIR"));
        assert!(run.code == 0 && run.err.starts_with(says), "{options}: {}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    }
    for options in ["", "--level 3", "--force --level 9", "--level 9"] {
        let run =
            within(&dir, &format!("build --quiet --rules awari --seeds 6 {options} --tables DIR"));
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{options}");
    }
    let words = "build --quiet --rules bao-kujifunza-4x2 --seeds 4 --tables DIR";
    assert_eq!(within(&dir, words).err, "");
    let other = within(&dir, &format!("{words} --level 9"));
    assert!(other.err.contains("kept table has a level other than --level 9"), "{}", other.err);
}

/// However a build ends that counts all boards, there is one line for each layer, or a note.
#[test]
fn all_boards_are_counted_once_however_often_a_build_begins() {
    let dir = tempfile::tempdir().expect("a directory");
    let build = || within(&dir, "build --tables DIR --seeds 5 --all-boards DIR/figures");
    assert_eq!(build().code, 0);
    let figures = dir.path().join("figures");
    let whole = fs::read_to_string(&figures).expect("figures");
    assert_eq!(whole.lines().count(), 6);
    // The table of layer 5 is not there, but its line; the line of layer 4 ends in the middle.
    let lines: Vec<&str> = whole.lines().collect();
    let left = [lines[0], lines[1], lines[2], lines[3], lines[5], &lines[4][..20]].join("\n");
    fs::write(&figures, left).expect("writes");
    for name in ["abapa-03.oware", "abapa-04.oware", "abapa-05.oware"] {
        fs::remove_file(dir.path().join(name)).expect("removes");
    }
    assert_eq!(build().code, 0);
    let again = fs::read_to_string(&figures).expect("figures");
    let in_order = [0, 1, 2, 3, 5, 4].map(|seeds| format!("{}\n", lines[seeds])).concat();
    assert_eq!(again, in_order);
    fs::write(&figures, "").expect("writes");
    let run = build();
    assert!(
        run.code == 0
            && run.err.contains("no line for the tables that are kept, of 0, 1, 2, 3, 4, 5 seeds"),
        "{}",
        run.err
    );
}

/// A directory under the name of something that a build removes is no concern of its.
#[test]
fn directories_under_names_of_leftovers_stay() {
    let dir = tempfile::tempdir().expect("a directory");
    for name in
        ["abapa-02.oware.checkpoint", "abapa-02.oware.12-a.tmp", "bao-stores-01.oware.checkpoint"]
    {
        fs::create_dir(dir.path().join(name)).expect("makes");
    }
    for _ in 0..2 {
        for words in ["--seeds 3", "--rules bao-stores --seeds 2"] {
            let run = within(&dir, &format!("build --quiet --tables DIR {words}"));
            assert_eq!(run.code, 0, "{}", run.err);
        }
    }
}

/// A limit on files is an error of writing like a full disk.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_is_an_error() {
    let dir = tempfile::tempdir().expect("a directory");
    let program = env!("CARGO_BIN_EXE_oware");
    let words =
        format!("ulimit -f 8; {program} build --json --seeds 9 --tables {}", dir.path().display());
    let output = std::process::Command::new("sh").args(["-c", &words]).output().expect("runs");
    let said = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.code() == Some(1) && said.contains("\"kind\":\"io\""), "{said}");
}
