//! Whether tables are intact, and their scores right.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use oware_db::game::{AWARI, Board, Score, Seeds};
use oware_db::layer::Exceptions;
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
use oware_db::table::{Contents, WriteOptions, write};
use serde_json::json;
use tempfile::TempDir;

use super::command;
use super::tables::{built, within};

/// Changes the byte in the middle of a file.
fn damage(path: &Path) {
    let mut bytes = fs::read(path).expect("reads");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, bytes).expect("writes");
}

#[test]
fn finds_nothing_wrong_with_what_was_built() {
    let dir = built("abapa", 5);
    within(&dir, "build --quiet --rules plain --seeds 3 --out DIR");
    fs::write(dir.path().join("notes.txt"), "no table").expect("writes");
    let run = within(&dir, "check --tables DIR");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(
        run.out.contains("abapa-05.oware: intact") && run.out.contains("\n10 files, "),
        "{}",
        run.out
    );
    let said = |words: &str| within(&dir, &format!("check --json --tables DIR {words}")).json();
    assert_eq!((&said("")["files"], &said("")["problems"]), (&json!(10), &json!([])));
    assert!(said("").get("proved").is_none());
    assert_eq!(
        (&said("--rules plain")["files"], &said("--seeds 2")["files"]),
        (&json!(4), &json!(6))
    );
}

/// Nobody need read of a problem for there to be one.
#[test]
fn a_reader_that_has_gone_makes_no_table_whole() {
    let dir = built("abapa", 4);
    damage(&dir.path().join("abapa-04.oware"));
    let mut check = command(&format!("check --json --tables {}", dir.path().display()));
    let mut child = check.stdout(Stdio::piped()).spawn().expect("runs");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("ends").code(), Some(1));
}

#[test]
fn names_every_damaged_file() {
    let dir = built("abapa", 6);
    damage(&dir.path().join("abapa-04.oware"));
    fs::copy(dir.path().join("abapa-02.oware"), dir.path().join("abapa-03.oware")).expect("copies");
    let run = within(&dir, "check --json --tables DIR");
    let problems = run.json()["problems"].as_array().expect("problems").clone();
    assert_eq!((run.code, &run.json()["files"], problems.len()), (1, &json!(7), 2));
    for (problem, name) in problems.iter().zip(["abapa-03.oware", "abapa-04.oware"]) {
        assert!(problem["file"].as_str().expect("a file").ends_with(name), "{problem}");
        assert!(problem["what"].as_str().expect("what").contains("oware build"), "{problem}");
    }
    let said = within(&dir, "check --proof --tables DIR");
    assert_eq!((said.code, said.err.as_str()), (1, ""));
    assert!(
        said.out.contains("abapa-06.oware: intact") && said.out.contains("2 problems"),
        "{}",
        said.out
    );
    assert!(!said.out.contains("proved"), "{}", said.out);
}

#[test]
fn proves_every_sheet() {
    for rules in
        ["abapa", "abapa-agreed", "abapa-even", "awari", "masters", "plain", "plain-opposite"]
    {
        let dir = built(rules, 8);
        let run = within(&dir, "check --proof --json --tables DIR");
        let proved = &run.json()["proved"][0];
        assert_eq!((run.code, run.err.as_str(), &run.json()["problems"]), (0, "", &json!([])));
        assert_eq!((&proved["rules"], &proved["layers"]), (&json!(rules), &json!(9)));
        let open = proved["positions"].as_u64().expect("a number")
            - proved["exact"].as_u64().expect("a number");
        assert_eq!(open, if rules == "abapa-agreed" { 75_504 - 62_939 } else { 0 });
    }
}

#[test]
fn says_what_is_proved() {
    let dir = built("abapa", 4);
    let run = within(&dir, "check --proof --tables DIR");
    for part in [
        "abapa-04.oware: proved, 1365 positions",
        "Proved `abapa`",
        "layers 0-4 (",
        "when play ends at the first repetition",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    let part = within(&dir, "check --proof --seeds 2 --json --tables DIR").json();
    assert_eq!((&part["files"], &part["proved"][0]["positions"]), (&json!(3), &json!(91)));
}

/// Tables of Awari to 4 seeds in which one position of 3 seeds is said to be worth 1 more than it
/// is; every byte of them is as it was written.
fn well_written_lie(houses: [u8; 12]) -> TempDir {
    let dir = built("awari", 4);
    let (mut solver, mut layers) = (Solver::new(&AWARI, Kernel::best()), InMemory::default());
    for seeds in Seeds::new(3).expect("few").up_to() {
        layers.push(solver.solve(seeds, &layers, &Unobserved).expect("solves"));
    }
    let seeds = Seeds::new(3).expect("few");
    let mut lie = solver.solve(seeds, &layers, &Unobserved).expect("solves");
    lie.attained = None;
    let board = Board::new(houses).expect("a board");
    let rank = lie.layer().rank(&board).expect("a rank");
    let score = lie.low.score(&board).expect("a score").get();
    lie.low.set(rank, Score::new(score + 1));
    let exceptions = Some(&Exceptions::default());
    let contents = Contents { exceptions, ..Contents::from(&lie) };
    write(dir.path(), &AWARI, contents, WriteOptions::default()).expect("writes");
    dir
}

#[test]
fn finds_a_lie_that_is_well_written() {
    let dir = well_written_lie([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]);
    assert_eq!(within(&dir, "check --tables DIR").code, 0);
    let run = within(&dir, "check --proof --json --tables DIR");
    let problems = run.json()["problems"].as_array().expect("problems").clone();
    assert_eq!((run.code, &run.json()["proved"][0]["layers"]), (1, &json!(3)));
    assert!(
        problems
            .iter()
            .all(|problem| problem["file"].as_str().expect("a file").ends_with("awari-03.oware"))
    );
    let what = |at: usize| problems[at]["what"].as_str().expect("what").to_owned();
    assert!(what(0).contains("the layer of 3 seeds is not proved"), "{}", what(0));
    assert!(
        what(1).contains("position `0 0 0 0 0 0  0 0 0 0 0 3`") && what(1).contains("condition 1"),
        "{}",
        what(1)
    );
    let said = within(&dir, "check --proof --tables DIR").out;
    assert!(said.contains("awari-03.oware: NOT proved") && said.contains("condition 1"), "{said}");
    assert!(!said.contains("awari-04.oware: proved") && said.contains("layers 0-2 ("), "{said}");
}

#[test]
fn proof_needs_all_layers_and_strategies() {
    let dir = built("abapa", 4);
    fs::remove_file(dir.path().join("abapa-01.oware")).expect("removes");
    assert_eq!(within(&dir, "check --tables DIR").code, 0);
    let message = within(&dir, "check --proof --json --tables DIR").json_error(1, "missing_table");
    assert!(message.contains("1 seeds"), "{message}");
    let bare = tempfile::tempdir().expect("a directory");
    within(&bare, "build --quiet --no-strategy --seeds 3 --out DIR");
    assert_eq!(within(&bare, "check --tables DIR").code, 0);
    for command in ["check --proof", "stats --extremes", "puzzles --count 1"] {
        let run = within(&bare, &format!("{command} --json --tables DIR"));
        let message = run.json_error(1, "missing_table");
        assert!(
            message.contains("for 3 seeds")
                && message.contains("holds no strategy")
                && message.contains("oware build --force"),
            "{command}: {message}"
        );
    }
}

/// A strategy is proved and played; a damaged one is built anew as it was.
#[test]
fn strategies_are_proved_played_and_repaired() {
    let dir = tempfile::tempdir().expect("a directory");
    let options = "--seeds 8 --quiet --tables DIR";
    assert_eq!(within(&dir, &format!("build {options}")).code, 0);
    let position = "query --json --tables DIR 0 0 1 0 1 0 0 0 0 0 0 1";
    assert_eq!(within(&dir, position).json()["best"], json!(["C"]));
    let checked = within(&dir, "check --proof --playout 500 --tables DIR");
    assert!(checked.code == 0 && checked.out.contains("Proved `abapa`"), "{}", checked.out);
    let path = dir.path().join("abapa-08.oware");
    let right = fs::read(&path).expect("reads");
    damage(&path);
    assert_eq!(within(&dir, "check --tables DIR").code, 1);
    assert_eq!(within(&dir, &format!("build --repair {options}")).code, 0);
    assert_eq!(fs::read(&path).expect("reads"), right);
    assert_eq!(within(&dir, "build --no-strategy --rules nam-nam --tables DIR").code, 2);
    for unknown in ["build --stamps", "build --default-moves", "export --format npy --stamps"] {
        let said = within(&dir, &format!("{unknown} --seeds 2 --json --tables DIR"));
        assert!(said.json_error(2, "usage").contains("unexpected argument"), "{unknown}");
    }
}

#[test]
fn of_no_tables_is_an_error() {
    let dir = built("abapa", 1);
    for words in ["--tables DIR/missing", "--tables DIR --rules plain"] {
        within(&dir, &format!("check --json {words}")).json_error(1, "missing_table");
        within(&dir, &format!("check --proof --json {words}")).json_error(1, "missing_table");
    }
    within(&dir, "check --json --tables DIR/abapa-01.oware").json_error(1, "io");
    within(&dir, "check --json --tables DIR --rules chess").json_error(2, "usage");
}

#[test]
fn plays_it_out() {
    let dir = built("abapa", 8);
    let run = within(&dir, "check --playout 2000 --seed 7 --json --tables DIR");
    let played = run.json()["played"][0].clone();
    assert_eq!((run.code, &run.json()["problems"]), (0, &json!([])));
    assert_eq!(
        [&played["games"], &played["seed"], &played["shortfalls"]],
        [&json!(2000), &json!(7), &json!(0)]
    );
    // Each position of each layer, outside the tables too, for both players: C(n+12, 12) twice.
    assert_eq!(
        played["every_defence"],
        json!({"seeds": 8, "claims": 2 * 125_970, "shortfalls": 0})
    );
    assert_eq!(within(&dir, "check --playout 2000 --seed 7 --json --tables DIR").out, run.out);
    let said = within(&dir, "check --playout 200 --tables DIR").out;
    assert!(
        said.contains("200 games (--seed 1)")
            && said.contains("every defence, 251940 claims, 0 shortfalls"),
        "{said}"
    );
}

#[test]
fn plays_on_a_lie_and_tells_who_was_cheated() {
    let dir = well_written_lie([0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0]);
    let run = within(&dir, "check --playout 2000 --json --tables DIR");
    let problems = run.json()["problems"].as_array().expect("problems").clone();
    assert_eq!(run.code, 1);
    assert!(
        problems[0]["what"].as_str().expect("what").contains("fall short against some defence"),
        "{problems:?}"
    );
}

#[test]
fn samples() {
    let dir = built("abapa", 8);
    let run = within(&dir, "check --sample 1000 --json --tables DIR");
    // All of the layers to 3 seeds, and of that of 4, 1000 of each other.
    let sampled =
        json!([{"rules": "abapa", "layers": 9, "positions": 1 + 12 + 78 + 364 + 5 * 1000}]);
    assert_eq!((run.code, &run.json()["sampled"]), (0, &sampled));
    // What a search has settled need not be what the best move leads to.
    for dir in [&dir, &built("abapa-every", 5)] {
        let all = within(dir, "check --sample 1000000 --tables DIR");
        assert_eq!(all.code, 0, "{}", all.err);
    }
    let lie = well_written_lie([0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0]);
    let run = within(&lie, "check --sample 1000 --json --tables DIR");
    let problems = run.json()["problems"].as_array().expect("problems").clone();
    let what = problems
        .iter()
        .map(|problem| problem["what"].as_str().expect("what"))
        .collect::<Vec<_>>()
        .join("\n");
    assert_eq!(run.code, 1);
    assert!(
        what.contains("the score of `0 0 0 0 0 1  0 0 1 1 0 0` is -2, its moves give -3"),
        "{what}"
    );
}
