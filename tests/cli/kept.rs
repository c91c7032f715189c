//! What `match` and `verify` have come to is kept, whatever puts an end to them.

use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

use super::tables::{built, files};
use super::{Run, command};

/// An engine that plays `moves` times what is legal in the first game, and then does `then`. It
/// notes in `DIR/asked` how often it was asked.
fn failing(dir: &TempDir, moves: usize, then: &str) -> String {
    let path = dir.path().display();
    let ours = cargo_bin("oware");
    let script = format!(
        "n=0\nmkfifo '{path}/in.'$$ '{path}/out.'$$\n\
         '{}' engine --no-tables < '{path}/in.'$$ > '{path}/out.'$$ &\n\
         exec 3> '{path}/in.'$$ 4< '{path}/out.'$$\n\
         while read -r line; do case \"$line\" in go*) n=$((n+1)); echo $n >> '{path}/asked';\n\
         if test $n -gt {moves}; then {then}; fi;; esac\n\
         echo \"$line\" >&3\n\
         case \"$line\" in uci) end=uciok;; isready) end=readyok;; go*) end=bestmove;; *) continue;; \
         esac\nwhile read -r said <&4; do echo \"$said\"; case \"$said\" in $end*) break;; esac; done\n\
         done\n",
        ours.display()
    );
    fs::write(dir.path().join("engine.sh"), script).expect("written");
    format!("sh '{path}/engine.sh'")
}

fn ours() -> String {
    format!("'{}' engine --no-tables", cargo_bin("oware").display())
}

/// A match of our engine against another one, `DIR` in the words standing for the directory.
fn start(dir: &TempDir, words: &str, other: &str) -> Child {
    let mut command = command(&words.replace("DIR", &dir.path().display().to_string()));
    if words.starts_with("match") {
        command.args(["--engine", &ours()]);
    }
    command.args(["--engine", other]);
    let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    piped.spawn().expect("starts")
}

fn end(child: Child) -> Run {
    Run::of(child.wait_with_output().expect("ends"))
}

fn interrupt(child: &Child) {
    let pid = rustix::process::Pid::from_child(child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("sent");
}

fn lines(dir: &TempDir, file: &str) -> usize {
    fs::read_to_string(dir.path().join(file)).map_or(0, |text| text.lines().count())
}

/// Waits until something is so.
fn until(what: &str, holds: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(120);
    while !holds() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_match_is_reported_and_recorded_as_far_as_it_came_before_ctrl_c() {
    let dir = tempfile::tempdir().expect("a directory");
    let words =
        "match --games 1000000 --depth 1 --timeout 60000 --concurrency 2 --record DIR/games";
    for json in ["", "--json"] {
        let child = start(&dir, &format!("{words} {json}"), &ours());
        let rounds = || {
            let text = fs::read_to_string(dir.path().join("games")).unwrap_or_default();
            text.matches("[Round ").count()
        };
        until("no game is recorded", || rounds() >= 3);
        interrupt(&child);
        let run = end(child);
        assert_eq!((run.code, run.err.trim()), (130, "oware: interrupted"));
        let recorded = rounds();
        match json {
            "" => {
                let cut = format!("Cut short after {recorded} of 1000000 games: interrupted.");
                assert!(run.out.contains(&cut) && run.out.contains("Elo"), "{}", run.out);
            }
            _ => {
                let report = run.json();
                assert_eq!(report["cut_short"], "interrupted");
                assert_eq!(
                    (&report["games"], &report["planned"]),
                    (&recorded.into(), &1_000_000.into())
                );
                let results = report["results"].as_array().expect("games");
                assert!(results.len() == recorded && results[0]["game"] == 1);
            }
        }
        fs::remove_file(dir.path().join("games")).expect("a record");
    }
}

#[test]
fn a_match_without_a_game_is_just_interrupted() {
    let dir = tempfile::tempdir().expect("a directory");
    let other = failing(&dir, 0, "sleep 100");
    let words = "match --json --depth 1 --timeout 600000 --record DIR/games";
    let child = start(&dir, words, &other);
    until("it is asked", || lines(&dir, "asked") > 0);
    interrupt(&child);
    assert_eq!(end(child).json_error(130, "io"), "interrupted");
    assert!(!dir.path().join("games").exists());
}

/// As `--help` says; the games before are kept.
#[test]
fn an_engine_that_exits_at_once_or_babbles_ends_a_match() {
    let dir = tempfile::tempdir().expect("a directory");
    for (other, why) in [
        ("true", "`true` does not speak the engine protocol: crash: it ended with exit status: 0"),
        ("yes", "`yes` does not speak the engine protocol: endless output"),
    ] {
        let run = end(start(&dir, "match --json --depth 1 --games 4", other));
        assert!(run.json_error(2, "usage").contains(why), "{}", run.out);
    }
    // It starts once.
    let path = dir.path().display();
    let other = failing(&dir, 0, "exit 3");
    let once = format!(
        "sh -c \"if test -e {path}/once; then exit 4; fi; touch {path}/once; exec {other}\""
    );
    let run = end(start(&dir, "match --json --depth 1 --games 4 --record DIR/games", &once));
    let report = run.json();
    assert_eq!(
        (run.code, &report["games"], &report["wins"]),
        (2, &1.into(), &1.into()),
        "{report}"
    );
    assert!(report["cut_short"].as_str().expect("why").contains("exit status: 4"), "{report}");
    assert_eq!(report["forfeits"][0]["game"], 1);
    // Whatever was captured until then.
    assert_eq!(report["south_score"], 1.0, "{report}");
    assert!(
        fs::read_to_string(dir.path().join("games")).expect("a record").contains("[Round \"1\"]")
    );
}

#[test]
fn a_record_that_cannot_be_written_is_said_before_the_first_game() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = dir.path().display();
    let marks = format!("sh -c 'touch {place}/started'");
    for record in ["DIR/nowhere/games", "DIR"] {
        let words = format!("match --json --depth 1 --record {record}");
        assert!(end(start(&dir, &words, &marks)).json_error(1, "io").contains("writing failed"));
    }
    for option in ["--html", "--write-baseline"] {
        let words = format!("verify --json --tables DIR --seeds 0 {option} DIR/nowhere/file");
        assert!(end(start(&dir, &words, &marks)).json_error(1, "io").contains("writing failed"));
    }
    assert_eq!(files(dir.path()), Vec::<String>::new());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_takes_no_result_away() {
    let dir = built("abapa", 4);
    let words = "match --depth 1 --timeout 60000 --games 4";
    let run = end(start(&dir, &format!("{words} --record /dev/full"), &ours()));
    assert!(run.code == 1 && run.out.contains("4 games of `abapa`"), "{}", run.out);
    assert!(run.err.matches("/dev/full: writing failed").count() == 2, "{}", run.err);

    let full = || fs::File::options().write(true).open("/dev/full").expect("a full disk");
    let mut command = command(&format!("{words} --record {}/games", dir.path().display()));
    command.args(["--engine", &ours(), "--engine", &ours()]).stdout(full());
    let run = Run::of(command.output().expect("runs"));
    assert!(run.code == 1 && run.err.contains("4 games of `abapa`"), "{}", run.err);
    assert!(run.err.contains("standard output: writing failed"), "{}", run.err);
    assert_eq!(lines(&dir, "games").min(1), 1);

    let words = "verify --tables DIR --sample 20 --timeout 60000 --html /dev/full --write-baseline DIR/figures";
    let run = end(start(&dir, words, &ours()));
    assert!(run.code == 1 && run.out.contains("20 positions judged"), "{}", run.out);
    assert!(run.err.contains("/dev/full: writing failed") && lines(&dir, "figures") == 1);
}

#[test]
fn what_an_engine_has_answered_before_ctrl_c_is_reported() {
    let dir = built("abapa", 4);
    let other = failing(&dir, 5, "sleep 100");
    let words = "verify --json --tables DIR --sample 50 --timeout 600000 --html DIR/page \
                 --write-baseline DIR/figures";
    let child = start(&dir, words, &other);
    until("it is asked", || lines(&dir, "asked") > 5);
    interrupt(&child);
    let (run, page) = (end(child), dir.path().join("page"));
    let report = run.json();
    assert_eq!((run.code, run.err.trim()), (130, "oware: interrupted"));
    assert_eq!((&report["cut_short"], &report["judged"]), (&"interrupted".into(), &5.into()));
    assert_eq!(report["games"], 5);
    assert!(fs::read_to_string(page).expect("a page").contains("Cut short: interrupted."));
    // The figures of a part are no baseline.
    assert!(!dir.path().join("figures").exists());
}

/// Also of standard input that does not end.
#[test]
fn games_judged_before_ctrl_c_are_reported() {
    use std::io::Write;
    let dir = built("abapa", 4);
    let mut command = command("verify --json --tables");
    command.arg(dir.path()).args(["--games", "-"]);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"0 0 0 0 0 1  1 0 0 0 0 1 moves F\n").expect("written");
    std::thread::sleep(Duration::from_millis(500));
    interrupt(&child);
    let run = end(child);
    drop(input);
    let report = run.json();
    assert_eq!((run.code, &report["games"], &report["judged"]), (130, &1.into(), &1.into()));
    assert_eq!(report["cut_short"], "interrupted");
}

#[test]
fn games_before_a_file_that_is_not_there_are_reported() {
    let dir = built("abapa", 4);
    let games = dir.path().join("games");
    fs::write(&games, "0 0 0 0 0 1  1 0 0 0 0 1 moves F\n").expect("written");
    let mut command = command("verify --json --tables");
    command.arg(dir.path()).arg("--games").args([&games, &dir.path().join("nowhere")]);
    let run = Run::of(command.output().expect("runs"));
    let report = run.json();
    assert_eq!((run.code, &report["judged"]), (1, &1.into()), "{report}");
    assert!(report["cut_short"].as_str().expect("why").contains("nowhere"), "{report}");
}
