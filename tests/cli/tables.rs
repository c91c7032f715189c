//! Commands that make tables or ask them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Run, command, oware, oware_fed};

const ENDGAME: &str = "0 0 0 0 1 2 1 0 0 0 3 0";

/// A directory with the tables of a sheet.
pub fn built(rules: &str, seeds: usize) -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    let run = within(&dir, &format!("build --quiet --rules {rules} --seeds {seeds} --out DIR"));
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
    dir
}

/// Runs `oware` with these words, `DIR` standing for the directory.
pub fn within(dir: &TempDir, words: &str) -> Run {
    oware(&words.replace("DIR", &dir.path().display().to_string()))
}

/// The names of the files in a directory, but the builders' lock.
pub fn files(dir: &Path) -> Vec<String> {
    let entries =
        fs::read_dir(dir).expect("a directory").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().expect("UTF-8")).collect();
    names.retain(|name| name != ".oware-build.lock");
    names.sort();
    names
}

/// The files of a directory, but the builders' lock.
pub fn contents(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    files(dir)
        .into_iter()
        .map(|name| (name.clone(), fs::read(dir.join(name)).expect("a file")))
        .collect()
}

mod build {
    use super::*;

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
            forced["layers"]
                .as_array()
                .expect("layers")
                .iter()
                .all(|layer| layer["kept"].is_null())
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
        let expected = made("").expect("tables");
        let least =
            |megabytes: &usize| made(&format!("--threads 1 --memory {megabytes}M --no-mmap"));
        let (megabytes, least) =
            (50..99).find_map(|most| Some((most, least(&most)?))).expect("enough");
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

    #[test]
    fn refuses_what_the_machine_cannot_do() {
        for (words, part) in [
            ("--out DIR --seeds 12 --memory 1M", "raise --memory"),
            ("--out DIR --seeds 48 --memory 9000T", "free"),
            ("--out DIR/file/below", "below"),
            ("--out DIR/file", "file"),
        ] {
            let dir = tempfile::tempdir().expect("a directory");
            fs::write(dir.path().join("file"), "no directory").expect("writes");
            assert!(
                within(&dir, &format!("build --quiet {words}")).error(1).contains(part),
                "{words}"
            );
            within(&dir, &format!("build --json {words}")).json_error(1, "io");
            assert_eq!(files(dir.path()), ["file"]);
        }
    }

    #[test]
    fn two_builders_do_not_meet() {
        let dir = built("abapa", 1);
        let lock = File::options()
            .append(true)
            .open(dir.path().join(".oware-build.lock"))
            .expect("a lock");
        lock.lock().expect("locks");
        assert!(
            within(&dir, "build --seeds 3 --out DIR").error(1).contains("another `oware build`")
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
        assert!(killed.success() && run.code == 1 && run.out.is_empty(), "{}", run.err);
        assert!(run.err.contains("run the same command again"), "{}", run.err);
        let names = files(dir.path());
        assert!(names.iter().all(|name| name.ends_with(".oware")), "{names:?}");
        let again = within(&dir, "build --json --seeds 9 --out DIR").json();
        assert_eq!(again["layers"][8]["kept"], true);
    }
}

mod query {
    use super::*;

    #[test]
    fn knows_a_published_position() {
        let dir = built("awari", 17);
        let answer =
            within(&dir, "query --json --rules awari --tables DIR 1 1 1 1 1 2 4 2 3 0 0 0").json();
        assert_eq!(
            (&answer["value"], &answer["low"], &answer["exact"]),
            (&json!(0), &json!(0), &json!(true))
        );
        let mut scores: Vec<(&str, i64)> = answer["moves"]
            .as_array()
            .expect("moves")
            .iter()
            .map(|each| {
                (each["house"].as_str().expect("a house"), each["value"].as_i64().expect("a score"))
            })
            .collect();
        assert_eq!(scores[0], ("F", 0), "best first");
        scores.sort();
        assert_eq!(
            scores.iter().map(|(_, score)| *score).collect::<Vec<_>>(),
            [-1, -1, -2, -2, -2, 0]
        );
        assert_eq!((&answer["best"], &answer["line"][0]), (&json!(["F"]), &json!("F")));
    }

    #[test]
    fn tells_people() {
        let dir = built("abapa", 5);
        let run = within(&dir, "query --tables DIR 0 | 20 23 | 0 0 0 0 0 1 1 0 0 0 0 3");
        let expected = "    f  e  d  c  b  a
    3  0  0  0  0  1   opponent, 23 captured
    0  0  0  0  0  1   to move, 20 captured
    A  B  C  D  E  F

5 seeds on the board. With best play the mover gets 5 seeds more than the opponent.
With the seeds captured before, the mover wins the game.

    house  captured   score  position for the next player
  > F             2      +5  0 0 0 0 0 3  0 0 0 0 0 0

Best play: Fx2 f, and the game is over.
";
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, expected, ""));
    }

    /// The better side gets 2 or 4, by where the cycle is cut.
    const OPEN: &str = "0 0 0 0 0 1 0 0 1 2 1 3";

    #[test]
    fn tells_people_what_an_open_score_means() {
        let dir = built("abapa", 8);
        let run = within(&dir, &format!("query --line 4 --tables DIR {OPEN}"));
        let expected = "    f  e  d  c  b  a
    3  1  2  1  0  0   opponent
    0  0  0  0  0  1   to move
    A  B  C  D  E  F

8 seeds on the board. With best play the mover's seeds minus the opponent's come to -4..-2.
Play can go round for ever from here, and where the cycle is cut decides: whatever the moment, the mover gets at least -4 and at most -2.

    house  captured   score  position for the next player
  > F             0  -4..-2  1 0 1 2 1 3  0 0 0 0 0 0

Best play: F f A e, and so on.
";
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, expected, ""));
    }

    #[test]
    fn gives_both_ends_of_an_open_score() {
        let dir = built("abapa", 8);
        let answer = within(&dir, &format!("query --json --tables DIR {OPEN}")).json();
        for score in [&answer, &answer["moves"][0]] {
            assert_eq!((&score["low"], &score["high"]), (&json!(-4), &json!(-2)));
            assert_eq!((&score["exact"], &score["value"]), (&json!(false), &Value::Null));
        }
        assert_eq!(
            (&answer["moves"][0]["certified"], &answer["best"]),
            (&json!(true), &json!(["F"]))
        );
        assert!(answer.get("explanation").is_none());
        let capture = within(&dir, "query --json --tables DIR 0 0 0 0 0 1 1 0 0 0 0 3").json();
        assert_eq!(
            (&capture["moves"][0]["certified"], &capture["best"]),
            (&json!(true), &json!(["F"]))
        );
    }

    /// C and E are worth the same with fresh history, but E lets the opponent close the cycle.
    const DECEIVING: &str = "0 0 1 0 1 0 0 0 0 0 0 1";

    #[test]
    fn marks_what_is_not_certified_and_only_that() {
        let dir = built("abapa", 7);
        let run = within(&dir, &format!("query --tables DIR {DECEIVING}"));
        let list = "  > C             0      +3  0 0 0 0 0 1  0 0 0 1 1 0
    E             0      +3* 0 0 0 0 0 1  0 0 1 0 0 1
  * not certified: after a quiet move";
        assert!(run.out.contains(list) && !run.out.contains("for ever"), "{}", run.out);
        let capture = within(&dir, "query --tables DIR 0 0 0 0 0 1 1 0 0 0 0 3");
        assert!(!capture.out.contains('*'), "{}", capture.out);
        let awari = built("awari", 7);
        for words in [ENDGAME, "0 0 0 1 0 0 0 0 0 0 0 3", "1 0 0 0 0 0 1 0 0 0 0 3"] {
            let run = within(&awari, &format!("query --rules awari --tables DIR {words}"));
            assert!(run.code == 0 && !run.out.contains('*'), "{}", run.out);
        }
    }

    #[test]
    fn scores_only_are_the_same_scores() {
        let dir = built("abapa", 8);
        let input = format!(
            "{OPEN}\n{DECEIVING}\n0 0 0\n0-0-0-0-0-1-0-0-0-0-0-3-20-24-S\n0 0 0 0 0 0 0 0 0 0 0 0\n"
        );
        let full = oware_fed(
            &format!("query --batch --tables {}", dir.path().display()),
            input.as_bytes(),
        );
        let short = oware_fed(
            &format!("query --batch --scores-only --tables {}", dir.path().display()),
            input.as_bytes(),
        );
        assert_eq!((full.code, short.code), (1, 1));
        for (full, short) in full.out.lines().zip(short.out.lines()) {
            let read = |line| -> Value { serde_json::from_str(line).expect("JSON") };
            let (full, short) = (read(full), read(short));
            for (field, value) in short.as_object().expect("an object") {
                assert_eq!(full[field], *value, "{field}");
            }
            assert_eq!(
                (short.get("moves"), short.get("error").is_some()),
                (None, short.get("low").is_none())
            );
        }
        let one = within(&dir, &format!("query --json --scores-only --tables DIR {OPEN}")).json();
        assert_eq!((&one["low"], &one["high"], one.get("moves")), (&json!(-4), &json!(-2), None));
        assert_eq!(within(&dir, &format!("query --scores-only --tables DIR {OPEN}")).code, 2);
    }

    #[test]
    fn without_strategies_only_sure_moves_are_certified() {
        let dir = tempfile::tempdir().expect("a directory");
        let built = within(&dir, "build --no-strategy --seeds 5 --quiet --out DIR");
        assert_eq!(built.code, 0);
        let answer = within(&dir, &format!("query --json --tables DIR {DECEIVING}")).json();
        assert_eq!((&answer["value"], &answer["best"]), (&json!(3), &json!([])));
        let kept = within(&dir, "build --seeds 5 --out DIR");
        assert!(
            kept.code == 0 && kept.err.contains("6 kept tables have no strategy; --force"),
            "{}",
            kept.err
        );
        within(&dir, "build --seeds 5 --quiet --force --out DIR");
        let answer = within(&dir, &format!("query --json --tables DIR {DECEIVING}")).json();
        assert_eq!((&answer["value"], &answer["best"]), (&json!(3), &json!(["C"])));
    }

    #[test]
    fn lines_tell_when_the_next_capture_comes_or_where_they_go_round() {
        let dir = built("abapa", 8);
        let line = within(&dir, "query --json --tables DIR 0 0 0 0 0 1 1 0 0 0 0 3").json();
        assert_eq!((&line["until_capture"], &line["line_end"]), (&json!(1), &json!("game_over")));
        let quiet = within(&dir, &format!("query --json --tables DIR {DECEIVING}")).json();
        assert_eq!((&quiet["until_capture"], &quiet["line_end"]), (&json!(2), &json!("game_over")));
        let open = within(&dir, &format!("query --json --line 0 --tables DIR {OPEN}")).json();
        assert_eq!((&open["until_capture"], &open["line_end"]), (&Value::Null, &json!("limit")));
    }

    #[test]
    fn explains_if_asked() {
        let dir = built("abapa", 8);
        let plain = within(&dir, &format!("query --tables DIR {OPEN}")).out;
        let told = within(&dir, &format!("query --explain --tables DIR {OPEN}")).out;
        let reason = told.strip_prefix(plain.as_str()).expect("something more");
        for part in [
            "keeps the seeds in their own row",
            "fresh history",
            "for the third time",
            "Not covered",
            "strategy",
        ] {
            assert!(reason.contains(part), "{part}: {reason}");
        }
        let answer = within(&dir, &format!("query --json --explain --tables DIR {OPEN}")).json();
        assert_eq!(answer["explanation"], reason.trim_start());
        let even =
            oware("query --explain --rules awari --tables nowhere 0 0 0 0 0 0 1 2 0 0 0 0").out;
        assert!(even.contains("even split") && !even.contains("certified"), "{even}");
    }

    #[test]
    fn tells_who_wins_the_game() {
        let dir = built("abapa", 5);
        for (stores, outcome) in [("18 25", "loss"), ("19 24", "draw"), ("20 23", "win")] {
            let run = within(
                &dir,
                &format!("query --json --tables DIR 0 | {stores} | 0 0 0 0 0 1 1 0 0 0 0 3"),
            );
            assert_eq!(run.json()["outcome"], outcome, "{stores}");
        }
        assert!(
            within(&dir, "query --json --tables DIR 0 0 0 0 0 1 1 0 0 0 0 3").json()["outcome"]
                .is_null()
        );
    }

    #[test]
    fn of_a_game_that_is_over_needs_no_table() {
        let answer = oware("query --json --tables nowhere 0 0 0 0 0 0 1 2 0 0 0 0").json();
        assert_eq!((&answer["final"], &answer["value"]), (&json!(-3), &json!(-3)));
        assert_eq!(
            (&answer["moves"], &answer["line"], &answer["best"]),
            (&json!([]), &json!([]), &json!([]))
        );
        assert!(
            oware("query --tables nowhere 0 0 0 0 0 0 1 2 0 0 0 0")
                .out
                .contains("The game is over")
        );
    }

    #[test]
    fn answers_a_batch_alike_and_goes_on_after_errors() {
        let dir = built("abapa", 7);
        let words = format!("query --batch --tables {}", dir.path().display());
        let run = oware_fed(
            &words,
            format!("{ENDGAME}\n4 4 4 4 4 4 4 4 4 4 4 4\n1 2\n{ENDGAME}\n").as_bytes(),
        );
        assert_eq!((run.code, run.err.as_str()), (1, ""));
        let answers: Vec<Value> =
            run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let alone = within(&dir, &format!("query --json --tables DIR {ENDGAME}")).json();
        assert_eq!((&answers[0], &answers[3], answers.len()), (&alone, &alone, 4));
        assert_eq!(answers[1]["error"]["kind"], "missing_table");
        assert_eq!(answers[2]["error"]["kind"], "usage");
        assert_eq!(
            within(&dir, &format!("query --json --no-mmap --tables DIR {ENDGAME}")).json(),
            alone
        );
    }

    #[test]
    fn fails_in_order() {
        let dir = built("abapa", 3);
        let position = "1 1 0 0 0 0 1 0 0 0 0 0";
        let one = format!("query --json --tables DIR {position}");
        assert_eq!(within(&dir, &one).code, 0);
        within(&dir, &one.replace("DIR", "DIR/missing")).json_error(1, "missing_table");
        within(&dir, &one.replace("DIR", "DIR/abapa-03.oware")).json_error(1, "io");
        within(&dir, &format!("query --json --tables DIR {ENDGAME}"))
            .json_error(1, "missing_table");
        assert!(
            within(&dir, &format!("query --tables DIR {ENDGAME}"))
                .error(1)
                .contains("oware build --rules abapa --seeds 7")
        );
        within(&dir, &format!("{one} --rules chess")).json_error(2, "usage");
        within(&dir, "query --json --tables DIR 1 2").json_error(2, "usage");
        within(&dir, "query --json --tables DIR").json_error(2, "usage");
        let table = dir.path().join("abapa-03.oware");
        let bytes = fs::read(&table).expect("reads");
        for (what, damaged) in
            [("cut", &bytes[..bytes.len() / 2]), ("empty", b""), ("foreign", b"dear diary")]
        {
            fs::write(&table, damaged).expect("writes");
            let message = within(&dir, &one).json_error(1, "corrupt_table");
            assert!(message.contains("abapa-03.oware"), "{what}: {message}");
            within(&dir, "stats --json --tables DIR").json_error(1, "corrupt_table");
        }
        fs::copy(dir.path().join("abapa-02.oware"), &table).expect("copies");
        within(&dir, &one).json_error(1, "corrupt_table");
    }
}

mod stats {
    use super::*;

    /// Figures that independent programs have counted: sheet, seeds, positions, wins, draws,
    /// losses, sum of scores.
    #[test]
    fn agree_with_independent_programs() {
        let facts: Vec<Vec<&str>> = include_str!("../data/layers.tsv")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split('\t').collect())
            .collect();
        for rules in ["awari", "abapa-even", "masters", "plain", "plain-opposite"] {
            let dir = built(rules, 8);
            let told = within(&dir, &format!("stats --json --rules {rules} --tables DIR")).json();
            assert_eq!(told["rules"], rules);
            let known: Vec<_> =
                facts.iter().filter(|fact| fact[0] == rules && number(fact[1]) <= 8).collect();
            assert!(known.len() >= 7, "{rules}");
            for fact in known {
                let layer = &told["layers"][number(fact[1]) as usize];
                let names = ["seeds", "positions", "wins", "draws", "losses", "low_sum"];
                let figures = names.map(|name| layer[name].as_i64().expect("a number"));
                assert_eq!(
                    figures.to_vec(),
                    fact[1..].iter().map(|text| number(text)).collect::<Vec<_>>(),
                    "{rules}"
                );
            }
        }
    }

    /// Seeds, positions, exact ones, sums of the lower and upper bounds, as an independent program
    /// has counted them.
    const OWN_SIDE: [[i64; 5]; 8] = [
        [2, 78, 78, -34, -34],
        [3, 364, 364, -180, -180],
        [4, 1_365, 1_365, -378, -378],
        [5, 4_368, 4_368, -114, -114],
        [6, 12_375, 12_375, 3_804, 3_804],
        [7, 31_812, 31_812, 19_362, 19_362],
        [8, 75_504, 62_939, 51_002, 76_132],
        [9, 167_596, 167_596, 182_316, 182_316],
    ];

    #[test]
    fn of_the_default_sheet_agree_with_an_independent_program() {
        let dir = built("abapa", 9);
        let told = within(&dir, "stats --json --tables DIR").json();
        assert_eq!(told["rules"], "abapa");
        let layers = told["layers"].as_array().expect("layers");
        assert_eq!(layers.len(), 10);
        for (layer, known) in layers[2..].iter().zip(OWN_SIDE) {
            let figure = |name: &str| layer[name].as_i64().expect("a number");
            assert_eq!(["seeds", "positions", "exact", "low_sum", "high_sum"].map(figure), known);
            let decided = figure("wins") + figure("draws") + figure("losses");
            let undecided = figure("positions") - decided;
            assert!((0..=figure("positions") - figure("exact")).contains(&undecided), "{layer}");
            let histogram = layer["histogram"].as_object().expect("a histogram");
            assert_eq!(
                histogram.values().filter_map(Value::as_i64).sum::<i64>(),
                figure("positions")
            );
        }
    }

    #[test]
    fn of_bounds_are_shown_to_people() {
        let dir = built("abapa", 8);
        let run = within(&dir, "stats --tables DIR");
        let row: Vec<&str> = run.out.lines().last().expect("a row").split_whitespace().collect();
        assert_eq!((row[0], row[1], row[8]), ("8", "75504", "51002..76132"));
        assert_eq!((row[2], row[3]), ("83.3%", "2"));
        let figures: i64 = row[4..8].iter().map(|figure| number(figure)).sum();
        assert_eq!(figures, 75_504);
    }

    fn number(text: &str) -> i64 {
        text.parse().expect("a number")
    }

    #[test]
    fn are_shown_to_people() {
        let dir = built("awari", 3);
        let run = within(&dir, "stats --rules awari --tables DIR");
        let row = run.out.lines().last().expect("a row");
        assert!(
            row.split_whitespace()
                .take(9)
                .eq(["3", "364", "100.0%", "0", "123", "63", "178", "0", "-177"]),
            "{row}"
        );
    }

    #[test]
    fn stop_where_they_are_told_to() {
        let dir = built("abapa", 4);
        let seeds = |words: &str| {
            within(&dir, &format!("stats --json --tables DIR {words}")).json()["layers"].clone()
        };
        assert_eq!(seeds("--seeds 2").as_array().map(Vec::len), Some(3));
        assert_eq!(seeds("--seeds 40").as_array().map(Vec::len), Some(5));
        assert!(within(&dir, "stats --tables DIR --seeds 49").error(2).contains("48 seeds"));
    }

    #[test]
    fn of_knots_show_where_doubt_is_born() {
        let dir = built("abapa", 10);
        let told = within(&dir, "stats --knots --json --tables DIR").json();
        let layers = told["layers"].as_array().expect("layers");
        let sizes = |seeds: usize| -> Vec<(u64, bool)> {
            let knots = layers[seeds]["knots"].as_array().expect("knots").iter();
            let size = |knot: &Value| (knot["positions"].as_u64(), knot["closed"].as_bool());
            knots
                .map(size)
                .map(|(size, closed)| (size.expect("a size"), closed.expect("a fact")))
                .collect()
        };
        assert_eq!((layers.len(), layers[8]["open"].as_u64()), (11, Some(12_565)));
        assert_eq!((sizes(8), sizes(10)), (vec![(1_826, true)], vec![(179, false), (80, false)]));
        assert!([0, 1, 2, 3, 4, 5, 6, 7, 9].into_iter().all(|seeds| sizes(seeds).is_empty()));
        assert_eq!(
            layers[8]["knots"][0]["intervals"][0],
            json!({"low": -4, "high": -2, "positions": 872})
        );
        let run = within(&dir, "stats --knots --seeds 8 --tables DIR");
        assert!(run.out.contains("1826  born here    -4..-2, +2..+4"), "{}", run.out);
        assert!(
            within(&dir, "stats --knots --seeds 7 --tables DIR").out.contains("there are no knots")
        );
        fs::remove_file(dir.path().join("abapa-05.oware")).expect("removes");
        within(&dir, "stats --knots --json --tables DIR").json_error(1, "missing_table");
    }

    #[test]
    fn of_no_tables_are_an_error() {
        let dir = tempfile::tempdir().expect("a directory");
        assert!(within(&dir, "stats --tables DIR").error(1).contains("oware build"));
        within(&dir, "stats --json --tables DIR").json_error(1, "missing_table");
        within(&dir, "stats --json --tables DIR/missing").json_error(1, "missing_table");
        within(&dir, "stats --json --tables DIR --rules chess").json_error(2, "usage");
    }
}
