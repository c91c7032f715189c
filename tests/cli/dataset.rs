//! `oware dataset`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use oware_db::game::{ABAPA, Board};
use oware_db::probe::{Prober, Tables};
use sha2::{Digest, Sha256};

use super::tables::{built, files, within};

/// Bytes of a row, and of what stands before rows.
const ROW: usize = 30;
const HEADER: usize = 512;

/// The rows of all files by the names of their splits.
fn rows(dir: &Path) -> BTreeMap<String, Vec<Vec<u8>>> {
    let mut found: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    for name in files(dir).into_iter().filter(|name| name.ends_with(".npy")) {
        let bytes = fs::read(dir.join(&name)).expect("a file");
        let (header, rows) = bytes.split_at(HEADER);
        assert!(header.starts_with(b"\x93NUMPY\x01\x00") && rows.len() % ROW == 0, "{name}");
        let split = name.split('-').next().expect("a split").to_owned();
        found.entry(split).or_default().extend(rows.chunks(ROW).map(<[u8]>::to_vec));
    }
    found
}

#[test]
fn a_dataset_says_what_the_tables_say() {
    let dir = built("abapa", 8);
    let run = within(
        &dir,
        "dataset --json --format npy --rows 6000 --shard-rows 900 --tables DIR --out DIR/out",
    );
    assert_eq!(run.code, 0, "{}", run.err);
    let document = run.json();
    assert_eq!(document["rows"], 6000);
    // Layers to 4 seeds have fewer positions than their share; 600 rows come from games.
    let drawn = |seeds: usize| document["layers"][seeds]["rows"].as_u64().expect("a number");
    assert_eq!([0, 1, 2, 3].map(drawn), [1, 12, 78, 364]);
    assert!((4..=8).all(|seeds| (988..=990).contains(&drawn(seeds))), "{document}");
    assert_eq!(document["games"]["rows"], 600);

    let tables = Tables::open(dir.path()).expect("a directory");
    let mut prober = Prober::new(&tables, &ABAPA);
    let (mut count, mut drawn, mut played) = (0, BTreeSet::new(), 0);
    for (split, rows) in rows(&dir.path().join("out")) {
        for row in rows {
            let board = Board::new(row[..12].try_into().expect("twelve")).expect("a board");
            let seeds = board.seeds().get();
            let signed = |at: usize| row[at].cast_signed();
            let interval = prober.interval(&board).expect("a score");
            assert_eq!(usize::from(row[12]), seeds);
            assert_eq!([signed(13), signed(14)], [interval.low.get(); 2], "{board}");
            assert_eq!(signed(15), interval.high.get());
            let moves = prober.moves(&board).expect("moves");
            let mut q = [-128; 6];
            moves
                .iter()
                .for_each(|scored| q[scored.played.house.index()] = scored.interval.low.get());
            assert_eq!([16, 17, 18, 19, 20, 21].map(signed), q, "{board}");
            let best = moves
                .iter()
                .filter(|scored| scored.certified && scored.interval.low == interval.low);
            let best = best.fold(0, |bits, scored| bits | 1 << scored.played.house.index());
            assert_eq!(row[22] & !best, 0, "{board}");
            assert_eq!(row[22] == 0, moves.is_empty());
            let line = prober.line(&board, 1000).expect("a line");
            let plies = i16::from_le_bytes([row[27], row[28]]);
            assert_eq!(usize::try_from(plies), Ok(line.moves.len()), "{board}");
            let is_held_out = seeds > 0 && seeds.is_multiple_of(7);
            assert_eq!(split == "held_out", is_held_out, "{board}");
            assert_eq!(split, ["train", "validation", "test", "held_out"][usize::from(row[29])]);
            match row[23] {
                0 => {
                    assert_eq!([signed(24), signed(25), signed(26)], [-1, -1, -128]);
                    assert!(drawn.insert(board.houses()), "{board} is drawn twice");
                }
                _ => {
                    assert_eq!(seeds + usize::from(row[24]) + usize::from(row[25]), 48);
                    let end = i16::from(row[24]) - i16::from(row[25]) + i16::from(signed(13));
                    assert_eq!(i16::from(signed(26)), end.signum());
                    played += 1;
                }
            }
            count += 1;
        }
    }
    assert_eq!((count, drawn.len(), played), (6000, 5400, 600));
}

#[test]
fn the_same_options_make_the_same_bytes() {
    let dir = built("abapa", 6);
    let make = |out: &str, seed: u64, more: &str| {
        let words = format!(
            "dataset --format npy --rows 2000 --seed {seed} --shard-rows 700 {more} --tables DIR --out DIR/{out}"
        );
        let run = within(&dir, &words);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        super::tables::contents(&dir.path().join(out))
    };
    let (one, again, other) = (make("one", 1, ""), make("again", 1, ""), make("other", 2, ""));
    assert!(one == again, "{:?}", one.keys());
    let shards =
        |of: &BTreeMap<String, Vec<u8>>| of.keys().filter(|name| name.ends_with(".npy")).count();
    assert!(shards(&one) >= 4 && one["train-00000.npy"] != other["train-00000.npy"]);
    for (name, bytes) in &make("short", 1, "--no-plies --played 0") {
        let of_none = |row: &[u8]| row[23] == 0 && row[27..29] == [255, 255];
        assert!(!name.ends_with(".npy") || bytes[HEADER..].chunks(ROW).all(of_none), "{name}");
    }
}

/// There are 455 positions, and a tenth of all rows comes from games.
#[test]
fn a_share_is_one_of_the_rows_that_there_are() {
    let dir = built("abapa", 3);
    for (rows, played, drawn, from_games) in
        [(u64::MAX, 10, 455, 50), (u64::MAX, 20, 455, 113), (400, 10, 360, 40), (60, 100, 0, 60)]
    {
        let words = format!(
            "dataset --json --format npy --rows {rows} --played {played} --no-plies --tables DIR --out DIR/{rows}-{played}"
        );
        let document = within(&dir, &words).json();
        assert_eq!(document["rows"], drawn + from_games, "{words}");
        assert_eq!(document["games"]["rows"], from_games, "{words}");
    }
}

/// The SHA-256 of a file, in hexadecimal digits.
fn sha256(path: &Path) -> String {
    let sum = Sha256::digest(fs::read(path).expect("a file"));
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_dataset_is_described_and_has_its_sums() {
    let dir = built("abapa", 4);
    let words = "dataset --format npy --rows 500 --seed 3 --tables DIR --out DIR/out";
    assert_eq!(within(&dir, words).code, 0);
    let out = dir.path().join("out");
    let sums = fs::read_to_string(out.join("SHA256SUMS")).expect("a file");
    let named: Vec<&str> = sums.lines().map(|line| &line[66..]).collect();
    let mut others = files(&out);
    others.retain(|name| name != "SHA256SUMS");
    assert_eq!(named, others);
    for line in sums.lines() {
        assert_eq!(line[..64], sha256(&out.join(&line[66..])));
    }
    let card = fs::read_to_string(out.join("README.md")).expect("a file");
    let command =
        "oware dataset --rules abapa --seeds 4 --rows 500 --seed 3 --played 10 --format npy";
    let table = sha256(&dir.path().join("abapa-04.oware"));
    for said in [command, "`mover_captured`", "| 4 | 1365 | ", &table] {
        assert!(card.contains(said), "{said}: {card}");
    }
    let citation = fs::read_to_string(out.join("CITATION.cff")).expect("a file");
    assert!(citation.starts_with("cff-version: 1.2.0\n") && citation.contains("type: dataset"));

    let again = within(&dir, words);
    assert!(again.error(2).contains("already has a dataset"), "{}", again.err);
    for name in ["README.md", "CITATION.cff", "SHA256SUMS"] {
        let other = dir.path().join(format!("other-{name}"));
        fs::create_dir(&other).unwrap();
        fs::write(other.join(name), "mine").unwrap();
        let words = format!("dataset --format npy --rows 0 --tables DIR --out DIR/other-{name}");
        assert!(within(&dir, &words).error(2).contains(name));
        assert_eq!(fs::read_to_string(other.join(name)).unwrap(), "mine");
    }
    let missing = within(&dir, "dataset --format npy --seeds 5 --tables DIR --out DIR/five");
    assert!(missing.error(1).contains("oware build"), "{}", missing.err);
    assert!(!dir.path().join("five").exists());
}
