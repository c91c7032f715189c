//! `oware export`, `index`, `unindex`, and `check --vu`.

use std::fs;
use std::path::Path;

use oware_db::game::{ABAPA, AWARI, Board, Rules, Seeds};
use oware_db::layer::{Layer, Rank};
use oware_db::probe::{Prober, Tables};
use serde_json::json;

use super::tables::{built, files, within};
use super::{oware, oware_on};

/// Every position of a layer with its bounds, by the library.
fn expected(dir: &Path, rules: &'static Rules, seeds: usize) -> Vec<(Board, i8, i8)> {
    let tables = Tables::open(dir).expect("a directory");
    let mut prober = Prober::new(&tables, rules);
    let layer = Layer::of(rules, Seeds::new(seeds).expect("fewer than 48"));
    let ranks = (0..layer.positions()).map(Rank);
    let probe = |rank| {
        let board = layer.position(rank).expect("a position");
        let interval = prober.interval(&board).expect("a table");
        (board, interval.low.get(), interval.high.get())
    };
    ranks.map(probe).collect()
}

/// The numbers of an npy file, after its header was compared.
fn array(path: &Path, numbers: &str, shape: &str) -> Vec<u8> {
    let bytes = fs::read(path).expect("a file");
    let (head, numbers_read) = bytes.split_at(128);
    let text = String::from_utf8_lossy(&head[10..]);
    let described = format!("{{'descr': '{numbers}', 'fortran_order': False, 'shape': {shape}, }}");
    assert_eq!((&head[..8], text.trim_end()), (&b"\x93NUMPY\x01\x00"[..], described.as_str()));
    numbers_read.to_vec()
}

#[test]
fn arrays_have_every_position_in_rank_order() {
    let dir = built("abapa", 8);
    let run = within(&dir, "export --format npy --seeds 7-8 --boards --tables DIR --out DIR/out");
    assert_eq!((run.code, run.err.as_str(), run.out.lines().count()), (0, "", 6));
    let out = dir.path().join("out");
    for seeds in [7, 8] {
        let expected = expected(dir.path(), &ABAPA, seeds);
        let file = |name: &str| out.join(format!("{name}-abapa-0{seeds}.npy"));
        let shape = format!("({},)", expected.len());
        let low: Vec<u8> = expected.iter().map(|(_, low, _)| low.cast_unsigned()).collect();
        let high: Vec<u8> = expected.iter().map(|(.., high)| high.cast_unsigned()).collect();
        assert!(array(&file("low"), "|i1", &shape) == low);
        assert!(array(&file("high"), "|i1", &shape) == high);
        let boards = array(&file("boards"), "|u1", &format!("({}, 12)", expected.len()));
        let houses = expected.iter().flat_map(|(board, ..)| board.houses());
        assert!(boards.into_iter().eq(houses));
    }
    assert_eq!(files(&out).len(), 6);
}

#[test]
fn texts_have_a_line_for_every_position() {
    let dir = built("abapa", 4);
    let said = within(&dir, "export --json --format csv --seeds 4 --tables DIR --out DIR/out");
    let document = said.json();
    let text = fs::read_to_string(dir.path().join("out/abapa-04.csv")).expect("a file");
    assert_eq!(document["files"][0]["positions"], 1365);
    assert_eq!(document["files"][0]["bytes"], text.len());
    let mut lines = text.lines();
    let houses = "mover_a,mover_b,mover_c,mover_d,mover_e,mover_f,\
                  opponent_a,opponent_b,opponent_c,opponent_d,opponent_e,opponent_f";
    assert_eq!(lines.next(), Some(&*format!("rank,{houses},low,high")));
    for (rank, (board, low, high)) in expected(dir.path(), &ABAPA, 4).into_iter().enumerate() {
        let board = board.houses().map(|count| count.to_string()).join(",");
        assert_eq!(lines.next(), Some(&*format!("{rank},{board},{low},{high}")));
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn published_files_have_every_score_and_are_compared() {
    let dir = built("awari", 7);
    let export = "export --rules awari --format vu --seeds 0-7 --tables DIR --out DIR/scores";
    assert_eq!(within(&dir, export).code, 0);
    let mut expected = expected(dir.path(), &AWARI, 7);
    expected.sort_by_key(|(board, ..)| {
        let mut houses = board.houses();
        houses.reverse();
        houses
    });
    let path = dir.path().join("scores/scores.7");
    let scores = fs::read(&path).expect("a file");
    assert!(scores.iter().map(|score| score.cast_signed()).eq(expected.iter().map(|one| one.1)));

    let check = "check --json --rules awari --tables DIR --vu DIR/scores";
    let said = within(&dir, check);
    assert_eq!(said.code, 0, "{}", said.out);
    let compared = json!({"layers": 8, "positions": 50375, "without_file": 0});
    assert_eq!(said.json()["published"], compared);

    let mut wrong = scores.clone();
    wrong[31_000] = wrong[31_000].wrapping_add(2);
    fs::write(&path, &wrong).expect("writes");
    let said = within(&dir, check);
    let problem = said.json()["problems"][0]["what"].as_str().expect("a problem").to_owned();
    let named = format!("position 31000, {}: the score is ", expected[31_000].0);
    assert!(said.code == 1 && problem.starts_with(&named), "{problem}");

    fs::write(&path, &scores[1..]).expect("writes");
    let said = within(&dir, check);
    let problem = said.json()["problems"][0]["what"].as_str().expect("a problem").to_owned();
    assert_eq!((said.code, &*problem), (1, "it has 31811 bytes, and the layer 31812 positions"));
    let compared = json!({"layers": 7, "positions": 50375 - 31812, "without_file": 0});
    assert_eq!(said.json()["published"], compared);
}

#[test]
fn what_cannot_be_compared_is_told() {
    let dir = built("awari", 2);
    let nowhere = within(&dir, "check --json --tables DIR --vu DIR/nowhere");
    assert!(nowhere.json_error(1, "io").contains("nowhere"), "{}", nowhere.out);
    let empty = within(&dir, "check --json --tables DIR --vu DIR");
    assert!(empty.json_error(2, "usage").contains("has no files `scores.N`"));
    let other = built("abapa", 2);
    let missing = within(&other, "check --json --tables DIR --vu DIR");
    assert!(missing.json_error(1, "missing_table").contains("no awari table"));
    let strange = within(&dir, "check --json --tables DIR --vu DIR --rules abapa");
    assert!(strange.json_error(2, "usage").contains("use --rules awari"));
}

#[test]
fn exports_that_make_no_sense_are_refused() {
    let dir = built("abapa", 2);
    let said = |words: &str, code, kind| {
        within(&dir, &format!("export --json --out DIR/out --tables DIR {words}"))
            .json_error(code, kind)
    };
    assert!(said("--format vu --seeds 2", 2, "usage").contains("add --rules awari"));
    assert!(said("--format csv --boards --seeds 2", 2, "usage").contains("--boards requires"));
    assert!(said("--format csv --seeds 3-2", 2, "usage").contains("the smaller layer comes first"));
    assert!(said("--format xls --seeds 2", 2, "usage").contains("npy"));
    assert!(said("--format npy --seeds 3", 1, "missing_table").contains("oware build"));
    assert!(!dir.path().join("out").exists());
    if cfg!(not(feature = "parquet")) {
        assert!(said("--format parquet --seeds 2", 2, "usage").contains("--features parquet"));
    }
    fs::write(dir.path().join("file"), "").expect("writes");
    let run = within(&dir, "export --json --format npy --seeds 2 --tables DIR --out DIR/file");
    run.json_error(1, "io");
}

/// What is not finished leaves no file: here the table of the second layer is damaged.
#[test]
fn a_damaged_table_leaves_no_file() {
    let dir = built("abapa", 9);
    let table = dir.path().join("abapa-09.oware");
    let mut bytes = fs::read(&table).expect("a table");
    let (from, to) = (bytes.len() / 4, bytes.len() * 3 / 4);
    bytes[from..to].iter_mut().for_each(|byte| *byte ^= 0x55);
    fs::write(&table, bytes).expect("writes");
    let run = within(&dir, "export --json --format csv --seeds 8-9 --tables DIR --out DIR/out");
    run.json_error(1, "corrupt_table");
    assert_eq!(files(&dir.path().join("out")), ["abapa-08.csv"]);
}

#[test]
fn ranks_and_positions_belong_together() {
    let layer = Layer::of(&ABAPA, Seeds::new(7).expect("fewer than 48"));
    for rank in [0, 1, 1999, 31_811] {
        let board = layer.position(Rank(rank)).expect("a position").to_string();
        assert_eq!(oware(&format!("unindex 7 {rank}")).out, format!("{board}\n"));
        assert_eq!(oware_on("index", &board).out, format!("{rank}\n"));
        let said = oware(&format!("unindex --json 7 {rank}")).json();
        assert_eq!((&said["rank"], &said["seeds"]), (&json!(rank), &json!(7)));
        assert_eq!(oware_on("index --json", &board).json(), said);
    }
    let beyond = oware("unindex --json 7 31812").json_error(2, "usage");
    assert!(beyond.contains("indexes from 0 to 31811"), "{beyond}");
    let outside = oware_on("index --json", "0 0 0 0 0 0  1 1 1 1 1 1").json_error(2, "usage");
    assert!(outside.contains("does not contain 0 0 0 0 0 0  1 1 1 1 1 1"), "{outside}");
    let plain = oware_on("index --rules plain", "0 0 0 0 0 0  1 1 1 1 1 1");
    assert_eq!(plain.code, 0);
}
