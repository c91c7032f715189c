//! What the program says when something is missing, and whether it helps; and what it does when it
//! is asked to stop.

use std::fs;
use std::process::Stdio;

use super::tables::{built, files, within};
use super::{Run, command, oware, oware_fed, oware_on};

/// Runs the command in the first pair of backquotes of a message.
#[track_caller]
pub fn follow(message: &str) -> Run {
    let advice = message.split('`').nth(1).unwrap_or_else(|| panic!("no command: {message}"));
    oware(advice.strip_prefix("oware ").expect("a command of ours"))
}

#[test]
fn a_missing_table_names_a_command_that_makes_it() {
    let dir = tempfile::tempdir().expect("a directory");
    let ask = "0 0 0 0 1 2  1 0 0 0 3 0";
    let tables = dir.path().join("new/tables").display().to_string();
    let query = format!("query --rules awari --tables {tables}");
    let refused = oware_on(&query, ask);
    let message = refused.error(1);
    for needs in ["less than a second", "of memory", "of disk"] {
        assert!(message.contains(needs), "{message}");
    }
    assert_eq!(oware_on(&format!("{query} --json"), ask).json_error(1, "missing_table"), message);
    assert_eq!(follow(message).code, 0);
    assert_eq!(oware_on(&query, ask).code, 0);
}

#[test]
fn where_no_machine_suffices_the_message_says_what_does() {
    let dir = tempfile::tempdir().expect("a directory");
    let ask = "4 4 4 4 4 4  4 4 4 4 4 4";
    let query = format!("query --rules awari --tables {}", dir.path().display());
    let message = oware_on(&query, ask);
    let message = message.error(1).to_owned();
    assert!(message.contains("this machine can build tables of up to "), "{message}");
    let advice = message.split('`').nth(1).expect("a command");
    assert!(advice.contains("--seeds max"), "{message}");
    // The advice is followed as far as a test can.
    let dry = oware(&format!("{} --dry-run --json", advice.strip_prefix("oware ").expect("ours")));
    let most = dry.json()["possible_seeds"].as_u64().expect("a number");
    assert!(message.contains(&format!("up to {most} seeds")), "{message}");
    assert_eq!(dry.json()["layers"].as_array().map(Vec::len), Some(most as usize + 1));
}

#[test]
fn a_dry_run_foretells_and_makes_nothing() {
    let dir = tempfile::tempdir().expect("a directory");
    let run = within(&dir, "build --dry-run --seeds 9 --tables DIR/new");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    for word in ["Layers to build: 10", "time", "memory", "disk", "--seeds max"] {
        assert!(run.out.contains(word), "{word}: {}", run.out);
    }
    assert!(files(dir.path()).is_empty());
    let foretold = within(&dir, "build --dry-run --seeds 9 --json --tables DIR/new").json();
    let made = within(&dir, "build --seeds 9 --json --tables DIR/new").json();
    let sum = |field: &str| {
        made["layers"].as_array().expect("layers").iter().map(|layer| layer[field].as_u64()).sum()
    };
    let (positions, bytes): (Option<u64>, Option<u64>) = (sum("positions"), sum("bytes"));
    assert_eq!(foretold["positions"].as_u64(), positions);
    assert!(foretold["disk"].as_u64() >= bytes, "{foretold}");
    let after = within(&dir, "build --dry-run --seeds 9 --json --tables DIR/new").json();
    assert_eq!((&after["layers"], &after["kept"]), (&serde_json::json!([]), &10.into()));
    within(&dir, "build --dry-run --quiet --tables DIR/new").error(2);
}

#[test]
fn max_is_what_memory_allows() {
    let dir = tempfile::tempdir().expect("a directory");
    let words = "--rules awari --memory 60M --json --tables DIR/new";
    let most =
        within(&dir, &format!("build --seeds max --dry-run {words}")).json()["possible_seeds"]
            .clone();
    let most = most.as_u64().expect("a number");
    let made = within(&dir, &format!("build --quiet --seeds max {words}")).json();
    let last = made["layers"].as_array().expect("layers").last().expect("one")["seeds"].clone();
    assert_eq!(last, most);
    let more = within(&dir, &format!("build --seeds {} {words}", most + 1)).json_error(2, "usage");
    assert!(more.contains(&format!("`--seeds {most}` is possible")), "{more}");
}

#[test]
fn a_build_that_is_refused_leaves_no_directory_behind() {
    let dir = tempfile::tempdir().expect("a directory");
    for (words, code, advice) in [
        ("--seeds 12 --memory 1M", 2, "raise --memory"),
        ("--seeds 24 --memory 80M", 2, "is possible"),
        ("--seeds 48 --memory 9000T", 1, "is possible"),
        ("--seeds 48", 1, "is possible"),
    ] {
        let run = within(&dir, &format!("build {words} --tables DIR/new/tables"));
        assert!(run.error(code).contains(advice), "{}", run.err);
        assert!(files(dir.path()).is_empty(), "{words}");
    }
}

#[test]
fn tables_are_named_alike_everywhere() {
    let dir = built("abapa", 4);
    let ask = "0 0 0 0 0 1  1 0 0 0 0 1";
    let words = format!("--tables {}", dir.path().display());
    assert_eq!(oware_on(&format!("query {words}"), ask).code, 0);
    for rest in ["build --seeds 4 --json", "stats", "check"] {
        assert_eq!(oware(&format!("{rest} {words}")).code, 0, "{rest}");
    }
    let engine = oware_fed(&format!("engine {words}"), b"uci\nquit\n");
    assert!(engine.out.contains(&dir.path().display().to_string()), "{}", engine.out);
    // What it was called before.
    let kept = within(&dir, "build --seeds 4 --json --out DIR").json()["layers"][4].clone();
    assert_eq!(kept["kept"], true);
}

#[test]
fn the_environment_names_the_directory_where_no_option_does() {
    let (dir, elsewhere) = (built("abapa", 3), tempfile::tempdir().expect("a directory"));
    let run = |words: &str, value: &std::path::Path| {
        let mut command = command(words);
        command.env("OWARE_TABLES", value).current_dir(elsewhere.path());
        Run::of(command.stdin(Stdio::null()).output().expect("runs"))
    };
    assert_eq!(run("stats", dir.path()).code, 0);
    assert_eq!(run("stats --tables nowhere", dir.path()).code, 1);
    assert!(run("stats", "".as_ref()).error(1).contains(" in tables;"));
    let made = elsewhere.path().join("made");
    let farewell = run("build --seeds 2", &made).out;
    assert!(made.join("abapa-02.oware").exists() && !farewell.contains("--tables"), "{farewell}");
    // With the variable set an engine can do without tables all the same.
    assert_eq!(run("engine --no-tables", dir.path()).code, 0);
}

/// Shells tell by these codes what has ended a program.
#[test]
#[cfg(unix)]
fn a_build_that_is_ended_keeps_its_tables_and_says_by_which_signal() {
    use rustix::process::{Pid, Signal, kill_process};
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let dir = tempfile::tempdir().expect("a directory");
        let mut build = command("build --threads 1 --seeds 23 --json --tables");
        build.arg(dir.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = build.spawn().expect("starts");
        while !dir.path().join("abapa-08.oware").exists() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        kill_process(Pid::from_child(&child), signal).expect("sent");
        let run = Run::of(child.wait_with_output().expect("ends"));
        assert_eq!(run.code, code, "{}", run.err);
        assert!(run.json_error(code, "io").contains("run the same command again"));
        assert!(files(dir.path()).iter().all(|name| name.ends_with(".oware")));
    }
}

/// A hang-up ends a build only where nobody has said otherwise, as `nohup` does.
#[test]
#[cfg(unix)]
fn a_build_outlives_its_terminal_if_that_is_wanted() {
    use rustix::process::{Pid, Signal, kill_process};
    let dir = tempfile::tempdir().expect("a directory");
    let script = r#"trap '' HUP; exec "$0" build --quiet --json --seeds 12 --tables "$1""#;
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script]).arg(command("").get_program()).arg(dir.path());
    let child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    while !dir.path().join("abapa-03.oware").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    kill_process(Pid::from_child(&child), Signal::HUP).expect("sent");
    assert_eq!(Run::of(child.wait_with_output().expect("ends")).code, 0);
}

/// A ceiling on the addresses of the process stands in for memory that runs out.
#[test]
#[cfg(target_os = "linux")]
fn memory_that_runs_out_is_an_error() {
    let dir = built("abapa", 13);
    let script = r#"ulimit -v 150000
        exec "$0" build --quiet --json --threads 1 --seeds 23 --memory 100G --tables "$1""#;
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script]).arg(command("").get_program()).arg(dir.path());
    let run = Run::of(shell.output().expect("runs"));
    let message = run.json_error(1, "io");
    assert!(message.contains("could not allocate ") && !run.err.contains("panic"), "{}", run.err);
    assert!(files(dir.path()).iter().all(|name| name.ends_with(".oware")));
}

/// The same of proofs, wherever in a layer they run short.
#[test]
#[cfg(target_os = "linux")]
fn a_proof_without_memory_is_an_error() {
    let dir = built("abapa", 13);
    let script = r#"ulimit -v "$2"; exec "$0" check --json --proof --tables "$1""#;
    let codes = [40_000, 50_000].map(|limit: u32| {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", script]).arg(command("").get_program()).arg(dir.path());
        // Threads have address space of their own.
        shell.arg(limit.to_string()).envs([("RAYON_NUM_THREADS", "1"), ("MALLOC_ARENA_MAX", "1")]);
        let run = Run::of(shell.output().expect("runs"));
        if run.code != 0 {
            assert!(run.json_error(1, "io").contains("could not allocate "), "{limit}");
        }
        run.code
    });
    assert!(codes.contains(&1), "{codes:?}");
}

#[test]
fn a_batch_reads_its_own_output() {
    let dir = built("abapa", 5);
    let lines = b"0 0 0 0 0 1  1 0 0 0 0 1\n0-0-0-0-0-1-1-0-0-0-0-1-20-25-N\nnonsense\n";
    let tables = format!("--tables {}", dir.path().display());
    let query = format!("query --batch {tables}");
    let moves = oware_fed("moves --batch", lines).out;
    let answers = oware_fed(&query, lines).out;
    let scores = oware_fed(&format!("query --batch --scores-only {tables}"), lines).out;
    for (words, input, output) in [
        ("moves --batch", &moves, &moves),
        (&query, &moves, &answers),
        (&query, &answers, &answers),
        (&query, &scores, &answers),
    ] {
        let again = oware_fed(words, input.as_bytes());
        assert_eq!((again.code, &again.out), (1, output));
        assert!(output.contains(r#"{"error":{"kind":"usage","message":"not a position: "#));
    }
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    let dir = built("abapa", 3);
    let position = "0 0 0 0 0 1  1 0 0 0 0 1";
    for words in ["query --json --scores-only --line 3", "query --json --scores-only --explain"] {
        oware_on(&format!("{words} --tables {}", dir.path().display()), position)
            .json_error(2, "usage");
    }
    for words in ["check --seed 7", "build --force --repair", "build --dry-run --quiet"] {
        let run = within(&dir, &format!("{words} --json --tables DIR"));
        run.json_error(2, "usage");
    }
    let game = "match --engine a --engine b";
    for (words, part) in [
        ("verify --engine a --positions DIR/none --seed 2".to_owned(), "--seed"),
        ("verify --engine a --positions DIR/none --seeds 2".to_owned(), "--seeds"),
        ("annotate --captures cross DIR/none".to_owned(), "--captures applies to moves as text"),
        (format!("{game} --movetime 5 --timeout 9"), "'--timeout <MS>'"),
        (format!("{game} --depth 2 --tc 1 --timeout 9"), "'--timeout <MS>'"),
        (format!("{game} --tc 1e19"), "at most a million"),
    ] {
        let told = within(&dir, &format!("{words} --json")).json_error(2, "usage");
        assert!(told.contains(part), "{words}: {told}");
    }
}

#[test]
fn help_and_version_are_json_if_wanted() {
    let help = oware("query --json --help");
    assert_eq!(help.json()["help"], oware("query --help").out);
    assert_eq!(help.code, 0);
    let version = oware("--json --version").json()["version"].clone();
    assert_eq!(version, format!("oware {}", env!("CARGO_PKG_VERSION")));
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let dir = built("abapa", 4);
    let run = |variables: &[(&str, &str)]| {
        let mut query = command("query --tables");
        query.arg(dir.path()).arg("0 0 0 0 0 1  1 0 0 0 0 1");
        query.envs(variables.iter().copied());
        Run::of(query.stdin(Stdio::null()).output().expect("runs")).out
    };
    let plain = run(&[]);
    assert!(plain.contains("+3") && !plain.contains('\u{1b}'), "{plain}");
    assert_eq!(run(&[("NO_COLOR", "1"), ("TERM", "xterm")]), plain);
    let coloured = run(&[("CLICOLOR_FORCE", "1")]);
    assert!(coloured.contains("\u{1b}[32m") && coloured.contains("\u{1b}[1m"), "{coloured:?}");
    assert_eq!(run(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), plain);
}

#[test]
fn manual_pages_have_the_sections_people_look_for() {
    let dir = tempfile::tempdir().expect("a directory");
    assert_eq!(within(&dir, "man --out DIR").code, 0);
    for name in files(dir.path()) {
        let page = fs::read_to_string(dir.path().join(&name)).expect("a page");
        for section in ["NAME", "SYNOPSIS", "\"EXIT STATUS\"", "ENVIRONMENT", "EXAMPLES"] {
            assert!(page.contains(&format!(".SH {section}")), "{name}: {section}");
        }
        assert!(page.contains("143") && page.contains("OWARE_TABLES"), "{name}");
        let examples = page.split(".SH EXAMPLES").nth(1).expect("examples");
        assert!(examples.contains("oware") && !page.contains(".SH EXTRA"), "{name}");
    }
}
