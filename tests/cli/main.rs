//! The command line as its users meet it.

mod build;
mod check;
mod clamped;
#[cfg(target_os = "linux")]
mod control_group;
mod copies;
mod dataset;
#[cfg(unix)]
mod driver;
mod engine;
mod export;
mod forecast;
mod forged;
mod game;
mod interview;
#[cfg(unix)]
mod kept;
mod killed;
mod limits;
mod mancala;
mod manifest;
#[cfg(target_os = "linux")]
mod memory;
mod openspiel;
#[cfg(feature = "serve")]
mod page;
#[cfg(target_os = "linux")]
mod peak;
mod puzzles;
mod query;
mod ranks;
mod remedies;
#[cfg(feature = "remote")]
mod remote;
mod repair;
#[cfg(unix)]
mod scripts;
mod stats;
mod tables;
mod verify;
mod words;

use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};

use assert_cmd::cargo::CommandCargoExt;
use serde_json::Value;

/// A run of the command.
struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Run {
    fn of(output: Output) -> Run {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Run {
            code: output.status.code().expect("an exit code"),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// The one JSON document on standard output.
    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {:?}", self.out))
    }

    /// Checks that this is a failure of a kind, reported as JSON, and gives the message.
    #[track_caller]
    fn json_error(&self, code: i32, kind: &str) -> String {
        let error = &self.json()["error"];
        assert_eq!((self.code, error["kind"].as_str()), (code, Some(kind)), "{}", self.out);
        error["message"].as_str().expect("a message").to_owned()
    }

    /// Checks that this is a failure reported to people in one line, apart from tips, and gives it.
    #[track_caller]
    fn error(&self, code: i32) -> &str {
        assert_eq!((self.code, self.out.as_str()), (code, ""), "{}", self.err);
        let (first, tips) = self.err.split_once('\n').expect("a line");
        assert!(tips.lines().all(|line| line.starts_with("  tip: ")), "{}", self.err);
        first.strip_prefix("oware: ").expect("says who speaks")
    }
}

fn command(words: &str) -> Command {
    let mut command = Command::cargo_bin("oware").expect("the binary");
    command.args(words.split_whitespace());
    command
}

/// Runs `oware` with these words.
fn oware(words: &str) -> Run {
    Run::of(command(words).stdin(Stdio::null()).output().expect("runs"))
}

/// Runs `oware` with these words and one last argument, spaces and all.
fn oware_on(words: &str, last: &str) -> Run {
    Run::of(command(words).arg(last).stdin(Stdio::null()).output().expect("runs"))
}

/// Runs `oware` with something on standard input.
fn oware_fed(words: &str, input: &[u8]) -> Run {
    let mut command = command(words);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input).expect("reads all"));
        child.wait_with_output().expect("ends")
    });
    Run::of(output)
}

mod manners {
    use super::*;

    const COMMANDS: [&str; 18] = [
        "build",
        "query",
        "moves",
        "perft",
        "stats",
        "check",
        "export",
        "dataset",
        "puzzles",
        "index",
        "unindex",
        "rounds",
        "verify",
        "annotate",
        "engine",
        "match",
        "completions",
        "man",
    ];

    #[test]
    fn every_help_has_an_example() {
        for words in COMMANDS.iter().copied().chain([""]) {
            let run = oware(&format!("{words} --help"));
            assert_eq!((run.code, run.err.as_str()), (0, ""));
            assert!(
                run.out.contains("Example") && run.out.contains(&format!("oware {words}")),
                "{words}"
            );
        }
        assert!(oware("--version").out.starts_with("oware "));
    }

    #[test]
    fn mistakes_on_the_command_line_are_json_if_wanted() {
        for words in [
            "--json",
            "--json frobnicate",
            "moves --frobnicate --json",
            "completions --json",
            "completions tcsh --json",
        ] {
            oware(words).json_error(2, "usage");
        }
        assert!(oware("moves --frobnicate").error(2).contains("--frobnicate"));
        assert_eq!(oware("").code, 2);
    }

    #[test]
    fn mistakes_are_quoted_as_they_were_made_and_tips_are_apart() {
        for words in ["build --seeds -1", "match --games -1", "unindex 3 -1"] {
            let said = oware(words).error(2).to_owned();
            assert!(said.contains("'-1'"), "{said}");
        }
        let mistaken = oware("build --seed 3");
        let (mistake, tips) = mistaken.err.split_once('\n').expect("a line");
        assert!(mistake.contains("'--seed'") && !mistake.contains("tip:"), "{mistake}");
        assert!(tips.starts_with("  tip: ") && tips.contains("'--seeds'"), "{tips}");
    }

    /// What a command shows on a terminal.
    #[cfg(target_os = "linux")]
    fn shown(words: &str) -> String {
        let words = format!("{} {words}", env!("CARGO_BIN_EXE_oware"));
        let mut terminal = std::process::Command::new("script");
        terminal.args(["-qec", &words, "/dev/null"]).env("NO_COLOR", "1");
        let run = terminal.output().expect("a terminal");
        assert!(run.status.success(), "{words}: {run:?}");
        String::from_utf8(run.stdout).expect("text").replace('\r', "")
    }

    /// Sentences are cut at spaces, and tables fit as they are.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_people_read_fits_a_terminal() {
        let dir = tables::built("abapa-agreed", 8);
        let dir = dir.path().display();
        for words in [
            format!("stats --rules abapa-agreed --tables {dir}"),
            format!("stats --knots --rules abapa-agreed --tables {dir}"),
            "build --dry-run --seeds max --memory 64G --disk 2T".to_owned(),
            "build --dry-run --seeds max --memory 64G --disk 2T --rules awari --no-strategy"
                .to_owned(),
            format!(
                "query --explain --rules abapa-agreed --tables {dir} 0-1-0-0-0-2-2-0-0-0-0-1-20-22-S"
            ),
            format!("query --explain --rules abapa-agreed --tables {dir} 1-0-0-0-0-1-0-1-0-0-0-1"),
        ] {
            let shown = shown(&words);
            let widest = shown.lines().map(|line| line.chars().count()).max();
            assert!(widest.is_some() && widest <= Some(80), "{words}: {widest:?} {shown}");
            // Programs read whole sentences.
            let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            if !words.contains("dry-run") {
                assert_eq!(joined(&oware(&words).out), joined(&shown), "{words}");
            }
        }
    }

    #[test]
    fn a_reader_who_leaves_is_no_error() {
        let mut command = command("moves --batch");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("starts");
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("a pipe");
        let _ = stdin.write_all(&b"4 4 4 4 4 4 4 4 4 4 4 4\n".repeat(10_000));
        drop(stdin);
        let mut err = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut err).expect("text");
        assert_eq!((child.wait().expect("ends").code(), err.as_str()), (Some(0), ""));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_an_error() {
        let full = std::fs::File::create("/dev/full").expect("a device");
        let output = command("perft --depth 1").stdout(full).output().expect("runs");
        assert!(Run::of(output).error(1).contains("standard output"));
        for words in ["--help", "--version", "query --help"] {
            let full = std::fs::File::create("/dev/full").expect("a device");
            let output = command(words).stdout(full).output().expect("runs");
            assert!(Run::of(output).error(1).contains("standard output"), "{words}");
        }
    }

    #[test]
    fn shells_get_completions() {
        for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
            let run = oware(&format!("completions {shell}"));
            assert!(run.code == 0 && run.out.contains("perft"), "{shell}");
            assert_eq!(oware(&format!("completions {shell} --json")).json()["script"], run.out);
        }
        for (command, knows_others) in [("query", true), ("verify", false), ("annotate", false)] {
            assert_eq!(oware(&format!("{command} -h")).out.contains("nam-nam"), knows_others);
        }
    }

    #[test]
    fn manual_pages_are_printed_or_written() {
        let printed = oware("man");
        assert!(printed.out.contains(".TH oware 1"));
        let dir = tempfile::tempdir().expect("a directory");
        let out = dir.path().join("new/man1");
        let run = oware_on("man --out", out.to_str().expect("UTF-8"));
        assert_eq!((run.code, run.out.as_str()), (0, ""));
        for command in COMMANDS {
            let page =
                std::fs::read_to_string(out.join(format!("oware-{command}.1"))).expect("a page");
            assert!(page.contains(&format!("oware {command}")), "{command}");
        }
        assert_eq!(std::fs::read_to_string(out.join("oware.1")).expect("a page"), printed.out);
        let file = dir.path().join("file");
        std::fs::write(&file, "").expect("writes");
        let below = file.join("below");
        oware_on("man --json --out", below.to_str().expect("UTF-8")).json_error(1, "io");
    }
}
