//! `oware verify --engine`: engines that behave, and some that do not.

#![cfg(unix)]

use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use tempfile::TempDir;

use super::tables::built;
use super::{Run, command, scripts};

/// A directory with tables to six seeds, and engines.
struct Cell {
    dir: TempDir,
}

impl Cell {
    fn new() -> Cell {
        Cell { dir: built("abapa", 6) }
    }

    fn path(&self, name: &str) -> String {
        self.dir.path().join(name).display().to_string()
    }

    /// Writes an engine that keeps the protocol, with `cases` before its own, and gives its command
    /// line. It notes its process, and answers `bestmove` by what `answer` prints.
    fn engine(&self, cases: &str) -> String {
        let text = format!(
            "while read -r line; do case \"$line\" in\n{cases}\nuci) echo uciok ;;\n\
             isready) echo readyok ;;\nquit) exit ;;\nesac; done\n"
        );
        scripts::write(self.dir.path(), &text)
    }

    /// Has an engine judged. `DIR` stands for the directory, `~` for a space within a word.
    fn verify(&self, engine: &str, words: &str) -> Run {
        let mut command = command("verify");
        command.args(["--tables", &self.path(""), "--engine", engine]);
        if !words.contains("--timeout") {
            command.args(["--timeout", "60000"]);
        }
        command.args(
            words
                .split_whitespace()
                .map(|word| word.replace("DIR", &self.path("")).replace('~', " ")),
        );
        Run::of(command.stdin(Stdio::null()).output().expect("runs"))
    }

    /// How often engines were started, and none of them is alive.
    #[track_caller]
    fn starts_of_the_dead(&self) -> usize {
        scripts::starts_of_the_dead(self.dir.path())
    }
}

fn ours(words: &str) -> String {
    format!("'{}' engine {words}", cargo_bin("oware").display())
}

#[track_caller]
fn count(report: &Value, field: &str) -> u64 {
    report[field].as_u64().unwrap_or_else(|| panic!("{field}: {report}"))
}

/// With tables it gives nothing away, and the same engine without them does.
#[test]
fn tables_make_the_difference() {
    let place = Cell::new();
    let with = place
        .verify(
            &ours(&format!("--tables {}", place.path(""))),
            "--json --sample 600 --concurrency 2",
        )
        .json();
    assert_eq!(
        (count(&with, "judged"), count(&with, "losing"), count(&with, "unknown")),
        (600, 0, 0),
        "{with}"
    );
    let words = "--json --sample 2000 --seed 1 --go depth~1";
    let without = place.verify(&ours("--no-tables"), words).json();
    assert_eq!(count(&without, "judged"), 2000);
    assert!(count(&without, "losing") > 13, "{without}");
    assert!(without["mean_loss"].as_f64().expect("a number") > 0.05);
    let again = place.verify(&ours("--no-tables"), &format!("{words} --concurrency 3")).json();
    assert_eq!(without, again);
    let other =
        place.verify(&ours("--no-tables"), "--json --sample 1000 --seed 2 --go depth~1").json();
    assert_ne!(without, other);
    assert!(
        count(
            &place.verify(&ours("--no-tables"), "--json --sample 50 --seeds 3").json()["by_seeds"]
                ["3"],
            "judged"
        ) > 0
    );
}

#[test]
fn positions_come_from_a_file() {
    let place = Cell::new();
    let positions = "# two that are known\n0 0 1 0 1 0  0 0 0 0 0 1\n\n0-0-0-0-0-1-0-0-1-0-1-0-22-23-N\n1-0-1-0-1-0-0-0-0-0-1-1-22-21-S moves Ae\n";
    fs::write(place.dir.path().join("positions"), positions).expect("writes");
    let engine =
        place.engine(r#"*-N) north=1 ;; position*) north=; ;; go*) echo bestmove ${north:+c}${north:-C} | tr -d 1 ;;"#);
    let report = place.verify(&engine, "--json --positions DIR/positions").json();
    assert_eq!(
        (count(&report, "games"), count(&report, "judged"), count(&report, "illegal")),
        (3, 3, 0),
        "{report}"
    );
    assert_eq!(count(&report["by_seeds"]["3"], "best"), 2);
    fs::write(place.dir.path().join("positions"), "0 0 1 0 1 0  0 0 0 0 0 1\n\n1 2 3\n")
        .expect("writes");
    let wrong = place.verify(&engine, "--json --positions DIR/positions").json_error(2, "usage");
    assert!(wrong.contains("line 3"), "{wrong}");
    assert!(place.verify(&engine, "--positions DIR/nowhere").error(1).contains("nowhere"));
}

#[test]
fn what_goes_wrong_is_counted() {
    let place = Cell::new();
    // Short times only for those who would use up any.
    for (cases, words, asked, field, expected, starts) in [
        (r#"go*) echo "bestmove Z" ;;"#, "", 4, "illegal", 4, 1),
        (r#"go*) echo "bestmove (none)" ;;"#, "", 4, "illegal", 4, 1),
        (r#"go*) exit 7 ;;"#, "--restarts 2", 4, "crashes", 4, 3),
        (r#"go*) ;;"#, "--timeout 1000 --restarts 9", 2, "timeouts", 2, 2),
        (
            r#"go*) ;; stop) echo "bestmove A" ;;"#,
            "--timeout 1000 --restarts 9",
            2,
            "timeouts",
            2,
            1,
        ),
        (
            r#"go*) while :; do sleep 1; done ;;"#,
            "--timeout 1000 --restarts 0",
            2,
            "timeouts",
            1,
            1,
        ),
        (r#"go*) yes ;;"#, "--restarts 1", 4, "timeouts", 2, 2),
    ] {
        let _ = fs::remove_file(place.dir.path().join("pids"));
        let engine = place.engine(cases);
        let run = place.verify(&engine, &format!("--json --sample {asked} {words}"));
        // Whoever never answers fails, whatever is required.
        let answers = field == "illegal";
        assert_eq!(run.code, if answers { 0 } else { 1 }, "{}", run.err);
        assert_eq!(run.err.contains("the engine never answered"), !answers, "{}", run.err);
        let report = run.json();
        let counted: u64 = ["illegal", "timeouts", "crashes", "judged"]
            .iter()
            .map(|field| count(&report, field))
            .sum();
        assert_eq!(
            (count(&report, "judged"), count(&report, field), counted),
            (0, expected, asked),
            "{cases}: {report}"
        );
        assert!(run.err.contains("position 1, "), "{}", run.err);
        assert_eq!(place.starts_of_the_dead(), starts, "{cases}");
    }
}

#[test]
fn silence_at_the_start_is_told_as_such() {
    let place = Cell::new();
    let engine = place.engine("uci) ;;");
    let run = place.verify(&engine, "--json --sample 2 --restarts 0 --start-timeout 300");
    assert_eq!((run.code, count(&run.json(), "timeouts")), (1, 1), "{}", run.err);
    assert!(run.err.contains("`uci` was not answered within 0.3 s"), "{}", run.err);
}

#[test]
fn a_limit_that_is_not_kept_is_noticed() {
    let place = Cell::new();
    let told = |pause: &str, go: &str| {
        let engine = place.engine(&format!("go*) sleep {pause}; echo \"bestmove Z\" ;;"));
        let run = place.verify(&engine, &format!("--json --sample 2 --go {go}"));
        assert_eq!(count(&run.json(), "illegal"), 2);
        run.json()["overruns"].clone()
    };
    let overruns = |limit: &str, most_ms: u64, answers: u64| serde_json::json!({ "limit": limit, "most_ms": most_ms, "answers": answers });
    assert_eq!(told("1", "nodes~100"), overruns("go nodes 100", 510, 2));
    assert_eq!(told("0", "nodes~100000000"), overruns("go nodes 100000000", 10_000_500, 0));
    assert_eq!(told("1", "depth~1"), Value::Null);
    let engine = place.engine("go*) sleep 1; echo \"bestmove Z\" ;;");
    let run = place.verify(&engine, "--sample 2 --go nodes~100");
    let complaint = "\n2 of 2 answers took more than 510 ms for `go nodes 100`: the engine seems \
                     to ignore that limit.\n";
    assert!(run.out.contains(complaint), "{}", run.out);
}

#[test]
fn a_limit_that_never_ends_is_refused() {
    let place = Cell::new();
    let engine = place.engine("go*) echo \"bestmove A\" ;;");
    for limit in ["infinite", "depth~2~ponder"] {
        let run = place.verify(&engine, &format!("--sample 2 --go {limit}"));
        assert_eq!(run.code, 2);
        assert!(run.err.contains("nothing would stop the engine"), "{}", run.err);
    }
}

#[test]
fn options_that_are_not_there_are_told() {
    let place = Cell::new();
    let run = place.verify(&ours("--no-tables"), "--json --sample 2 --option Colour=red");
    assert!(run.code == 0 && run.err.contains("has no option `Colour`"), "{}", run.err);
}

/// An engine that ignores everything that could end it politely.
const STUBBORN: &str = "go*) trap '' TERM INT HUP PIPE; while :; do sleep 1; done ;;";

/// Starts a command that drives such an engine, and waits until it does.
fn begun(place: &Cell, words: &str, more: &[&str]) -> Child {
    let _ = fs::remove_file(place.dir.path().join("pids"));
    let mut command = command(words);
    command.args(["--timeout", "600000", "--engine", &place.engine(STUBBORN)]).args(more);
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let until = Instant::now() + Duration::from_secs(60);
    while scripts::pids(place.dir.path()).is_empty() {
        assert!(Instant::now() < until, "no engine");
        std::thread::sleep(Duration::from_millis(10));
    }
    // It gets as far as being asked.
    std::thread::sleep(Duration::from_millis(300));
    child
}

#[test]
fn ctrl_c_ends_engines_too() {
    let place = Cell::new();
    let mut child = begun(&place, "verify", &["--tables", &place.path("")]);
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("sent");
    assert_eq!(child.wait().expect("ends").code(), Some(130));
    assert_ne!(place.starts_of_the_dead(), 0);
}

#[test]
#[cfg(target_os = "linux")]
fn engines_die_with_us() {
    let place = Cell::new();
    for (words, more) in
        [("verify", ["--tables", &place.path("")]), ("match", ["--engine", &ours("--no-tables")])]
    {
        let mut child = begun(&place, words, &more);
        child.kill().expect("killed");
        child.wait().expect("ends");
        assert_ne!(place.starts_of_the_dead(), 0);
    }
}
