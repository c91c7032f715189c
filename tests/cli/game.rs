//! Commands that need no tables.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::{Value, json};

use super::{command, oware, oware_fed, oware_on};

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
        for form in
            ["0,0,0,0,1,2,1,0,0,0,3,0", "0-0-0-0-1-2-1-0-0-0-3-0", "0 0 0 0 1 2 - 1 0 0 0 3 0"]
        {
            assert_eq!(oware_on("moves --json", form).out, expected.out);
        }
        for loose in [
            "0 0 0 0 1 2 1 0 0 0 3 0 --json",
            "--json 0 0 0 0 1 2 - 1 0 0 0 3 0",
            "--json 0 0 0 0 1 2 / 1 0 0 0 3 0",
        ] {
            assert_eq!(oware(&format!("moves {loose}")).out, expected.out);
        }
        let stores = oware_on("moves --json", "1 | 20 25 | 1 0 0 0 0 0 0 0 0 0 0 2").json();
        assert_eq!(stores["board"], json!([0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0]));
        assert_eq!(stores["stores"], json!({"mover": 25, "opponent": 20}));
    }

    /// A game is a position, too: where it starts, and its moves as any program writes them.
    #[test]
    fn take_a_game_for_the_position_that_it_leads_to() {
        let expected = oware_on("moves --json", "startpos moves FfB").json();
        assert_eq!(expected["board"], json!([6, 5, 5, 5, 4, 0, 5, 0, 6, 6, 5, 1]));
        assert_eq!(expected["stores"], json!({"mover": 0, "opponent": 0}));
        for same in [
            "startpos moves F f B",
            "position startpos moves 5 5 1",
            "startpos moves 5, 11, 1",
            "startpos moves 64 64 21",
            "startpos moves f1d2 a2d1 b1a2",
            "4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1 moves f1d2 a2d1 b1a2",
            "0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4 moves FfB",
        ] {
            assert_eq!(oware_on("moves --json", same).json(), expected, "{same}");
            assert_eq!(oware(&format!("moves --json {same}")).json(), expected, "{same}");
        }
        let unknown = oware_on("moves --json", "4 4 4 4 4 4 4 4 4 4 4 4 moves FfB").json();
        assert_eq!((&unknown["board"], &unknown["stores"]), (&expected["board"], &json!(null)));
        let illegal = oware_on("moves", "startpos moves FA");
        assert!(
            illegal.error(2).contains("A is not a legal move in 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N")
        );
        let wrong = oware_on("moves", "startpos moves FG");
        assert!(wrong.error(2).contains("`FG` is not a move"));
        assert_eq!(oware_on("perft --depth 1 --json", "startpos moves FfB").json()["count"], 5);
    }

    #[test]
    fn of_a_game_that_is_over_are_none() {
        let run = oware_on("moves --json", "0 0 0 0 0 0 1 2 0 0 0 0");
        assert_eq!(run.json()["moves"], json!([]));
        assert_eq!(run.json()["final"], json!(-3));
        let run = oware_on("moves", "0 0 0 0 0 0 1 2 0 0 0 0");
        assert!(
            run.out.contains("over") && run.out.contains("the opponent has 3 seeds more"),
            "{}",
            run.out
        );
    }

    #[test]
    fn depend_on_the_rules() {
        let slam = "0 0 0 0 0 1  1 0 0 0 0 0";
        let captured = |rules| {
            oware_on(&format!("moves --json --rules {rules}"), slam).json()["moves"][0]["captured"]
                .clone()
        };
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
            assert!(
                oware_on("moves --json", position).json_error(2, "usage").contains(part),
                "{position}"
            );
            let loose = oware(&format!("moves --json {position}"));
            assert!(
                position.is_empty() || loose.json_error(2, "usage").contains(part),
                "{position}"
            );
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
    fn lines_may_have_byte_order_marks_and_moves() {
        let input = "\u{feff}1 1 3 1 1 1 2 0 0 0 0 2\r\nstartpos moves FfB\n\u{feff}\"startpos\"\n";
        let run = oware_fed("moves --batch", input.as_bytes());
        let seeds = run.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        assert_eq!(
            (run.code, seeds.map(|it| it["seeds"].as_u64()).collect::<Vec<_>>()),
            (0, vec![Some(12), Some(48), Some(48)])
        );
        let other = oware_fed(
            "moves --batch --rules bao-laps",
            "\u{feff}2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2\n".as_bytes(),
        );
        assert_eq!(other.code, 0, "{}", other.out);
    }

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
        let answers: Vec<Value> =
            run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let seeds: Vec<Option<u64>> =
            answers.iter().map(|answer| answer["seeds"].as_u64()).collect();
        assert_eq!(seeds, [Some(7), None, None, None, None, Some(48), None]);
        for answer in answers.iter().filter(|answer| answer["seeds"].is_null()) {
            assert_eq!(answer["error"]["kind"], "usage");
            assert!(
                answer["error"]["message"].as_str().expect("a message").len() < 200,
                "{answer}"
            );
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
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
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
