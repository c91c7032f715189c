//! The command line as its users meet it.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Output, Stdio};

use assert_cmd::cargo::CommandCargoExt;
use serde_json::{Value, json};

/// A run of the command.
struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Run {
    fn of(output: Output) -> Run {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Run { code: output.status.code().expect("an exit code"), out: text(output.stdout), err: text(output.stderr) }
    }

    /// The one JSON document on standard output.
    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {:?}", self.out))
    }

    /// Checks that this is a failure of a kind, told as JSON, and gives the message.
    #[track_caller]
    fn json_error(&self, code: i32, kind: &str) -> String {
        let error = &self.json()["error"];
        assert_eq!((self.code, error["kind"].as_str()), (code, Some(kind)), "{}", self.out);
        error["message"].as_str().expect("a message").to_owned()
    }

    /// Checks that this is a failure told to people in one line, and gives it.
    #[track_caller]
    fn error(&self, code: i32) -> &str {
        assert_eq!((self.code, self.out.as_str()), (code, ""), "{}", self.err);
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        self.err.strip_prefix("oware: ").expect("says who speaks").trim_end()
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
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input).expect("reads all"));
        child.wait_with_output().expect("ends")
    });
    Run::of(output)
}

mod moves {
    use super::*;

    const ENDGAME: &str = "0 0 0 0 1 2  1 0 0 0 3 0";

    #[test]
    fn are_listed_with_captures_and_results() {
        let run = oware_on("moves --json", "0 0 0 0 0 1  1 0 0 0 0 3");
        assert_eq!(run.code, 0);
        let expected = json!({
            "board": [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 3], "seeds": 5,
            "moves": [{"house": "F", "captured": 2, "board": [0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0]}],
        });
        assert_eq!(run.json(), expected);
    }

    #[test]
    fn are_drawn_for_people() {
        let run = oware_on("moves", ENDGAME);
        let expected = "    f  e  d  c  b  a
    0  3  0  0  0  1   opponent
    0  0  0  0  1  2   to move
    A  B  C  D  E  F

7 seeds on the board. Legal moves:

  house  captured  position for the next player
  E             0  1 0 0 0 3 0  0 0 0 0 0 3
  F             0  2 1 0 0 3 0  0 0 0 0 1 0
";
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, expected, ""));
    }

    #[test]
    fn take_a_position_in_every_form() {
        let expected = oware_on("moves --json", ENDGAME);
        for form in ["0,0,0,0,1,2,1,0,0,0,3,0", "0-0-0-0-1-2-1-0-0-0-3-0", "0 0 0 0 1 2 - 1 0 0 0 3 0"] {
            assert_eq!(oware_on("moves --json", form).out, expected.out);
        }
        for loose in
            ["0 0 0 0 1 2 1 0 0 0 3 0 --json", "--json 0 0 0 0 1 2 - 1 0 0 0 3 0", "--json 0 0 0 0 1 2 / 1 0 0 0 3 0"]
        {
            assert_eq!(oware(&format!("moves {loose}")).out, expected.out);
        }
        let stores = oware_on("moves --json", "1 | 20 25 | 1 0 0 0 0 0 0 0 0 0 0 2").json();
        assert_eq!(stores["board"], json!([0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0]));
        assert_eq!(stores["stores"], json!({"mover": 25, "opponent": 20}));
    }

    #[test]
    fn of_a_game_that_is_over_are_none() {
        let run = oware_on("moves --json", "0 0 0 0 0 0 1 2 0 0 0 0");
        assert_eq!(run.json()["moves"], json!([]));
        assert_eq!(run.json()["final"], json!(-3));
        let run = oware_on("moves", "0 0 0 0 0 0 1 2 0 0 0 0");
        assert!(run.out.contains("over") && run.out.contains("the opponent has 3 seeds more"), "{}", run.out);
    }

    #[test]
    fn depend_on_the_rules() {
        let slam = "0 0 0 0 0 1  1 0 0 0 0 0";
        let captured =
            |rules| oware_on(&format!("moves --json --rules {rules}"), slam).json()["moves"][0]["captured"].clone();
        assert_eq!(captured("abapa"), json!(0));
        assert_eq!(captured("masters"), json!(2));
    }

    #[test]
    fn of_what_is_no_position_are_a_usage_error() {
        for (position, part) in [
            ("4 4 4 4 4 4 4 4 4 4 4 5", "49 seeds on the board"),
            ("-1 0 0 0 0 0 0 0 0 0 0 0", "negative"),
            ("0 0 0 0 0 0 0 0 0 0 0 -1", "negative"),
            ("1 2 3", "3 numbers instead of 12"),
            ("", "0 numbers instead of 12"),
            ("a b c", "not a number"),
        ] {
            assert!(oware_on("moves", position).error(2).contains(part), "{position}");
            assert!(oware_on("moves --json", position).json_error(2, "usage").contains(part), "{position}");
            let loose = oware(&format!("moves --json {position}"));
            assert!(position.is_empty() || loose.json_error(2, "usage").contains(part), "{position}");
        }
    }

    #[test]
    fn of_unknown_rules_are_a_usage_error_that_lists_the_known() {
        let run = oware_on("moves --rules chess", ENDGAME);
        let message = run.error(2);
        for id in ["chess", "abapa", "abapa-even", "awari", "masters", "plain", "plain-opposite"] {
            assert!(message.contains(id), "{message}");
        }
        oware_on("moves --json --rules chess", ENDGAME).json_error(2, "usage");
    }
}

mod batch {
    use super::*;

    #[test]
    fn goes_on_after_bad_lines() {
        let long = "1 ".repeat(500_000);
        let input = [
            b"0 0 0 0 1 2 1 0 0 0 3 0\n\nfoo\n\xff\xfe\n".as_slice(),
            long.as_bytes(),
            b"\n4,4,4,4,4,4,4,4,4,4,4,4\r\n0",
        ];
        let run = oware_fed("moves --batch", &input.concat());
        assert_eq!((run.code, run.err.as_str()), (1, ""));
        let answers: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let seeds: Vec<Option<u64>> = answers.iter().map(|answer| answer["seeds"].as_u64()).collect();
        assert_eq!(seeds, [Some(7), None, None, None, None, Some(48), None]);
        for answer in answers.iter().filter(|answer| answer["seeds"].is_null()) {
            assert_eq!(answer["error"]["kind"], "usage");
            assert!(answer["error"]["message"].as_str().expect("a message").len() < 200, "{answer}");
        }
    }

    #[test]
    fn of_nothing_is_nothing() {
        let run = oware_fed("moves --batch", b"");
        assert_eq!((run.code, run.out.as_str()), (0, ""));
    }

    #[test]
    fn answers_a_program_that_waits() {
        let mut command = command("moves --batch");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        let mut answers = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        for _ in 0..3 {
            stdin.write_all(b"4 4 4 4 4 4 4 4 4 4 4 4\n").expect("writes");
            assert!(answers.next().expect("an answer").expect("text").contains("\"seeds\":48"));
        }
        drop(stdin);
        assert!(answers.next().is_none() && child.wait().expect("ends").success());
    }

    #[test]
    fn excludes_a_position_and_replaces_it() {
        assert!(oware("moves --batch 1").error(2).contains("--batch"));
        assert!(oware("moves").error(2).contains("POSITION"));
        oware("moves --json").json_error(2, "usage");
    }
}

mod perft {
    use super::*;

    #[test]
    fn counts_the_paths_from_the_initial_position() {
        for (depth, count) in (1..).zip([6, 36, 190, 1014, 5219, 27332, 139_157, 711_414]) {
            let run = oware(&format!("perft --rules abapa --json --depth {depth}"));
            assert_eq!(run.json(), json!({"depth": depth, "count": count}));
        }
        assert_eq!(oware("perft --depth 3 --rules abapa 4 4 4 4 4 4 4 4 4 4 4 4").out, "190\n");
        assert_eq!(oware("perft --depth 0").out, "1\n");
    }

    #[test]
    fn ends_where_the_game_does() {
        assert_eq!(oware("perft --depth 9 0 0 0 0 0 0 1 2 0 0 0 0").out, "0\n");
    }

    #[test]
    fn needs_a_sensible_depth() {
        for words in ["perft", "perft --depth -1", "perft --depth 101", "perft --depth x"] {
            assert!(oware(words).error(2).contains("--depth"), "{words}");
            oware(&format!("{words} --json")).json_error(2, "usage");
        }
    }
}

mod manners {
    use super::*;

    const COMMANDS: [&str; 4] = ["moves", "perft", "completions", "man"];

    #[test]
    fn every_help_has_an_example() {
        for words in COMMANDS.iter().copied().chain([""]) {
            let run = oware(&format!("{words} --help"));
            assert_eq!((run.code, run.err.as_str()), (0, ""));
            assert!(run.out.contains("Example") && run.out.contains(&format!("oware {words}")), "{words}");
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
    }

    #[test]
    fn shells_get_completions() {
        for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
            let run = oware(&format!("completions {shell}"));
            assert!(run.code == 0 && run.out.contains("perft"), "{shell}");
            assert_eq!(oware(&format!("completions {shell} --json")).json()["script"], run.out);
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
            let page = std::fs::read_to_string(out.join(format!("oware-{command}.1"))).expect("a page");
            assert!(page.contains(&format!("oware {command}")), "{command}");
        }
        assert_eq!(std::fs::read_to_string(out.join("oware.1")).expect("a page"), printed.out);
        let file = dir.path().join("file");
        std::fs::write(&file, "").expect("writes");
        let below = file.join("below");
        oware_on("man --json --out", below.to_str().expect("UTF-8")).json_error(1, "io");
    }
}
