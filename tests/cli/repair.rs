//! Damaged tables: a build never rests on one, and a repair puts back what was there.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::tables::{built, contents, files, within};

/// Changes one bit of a file.
fn flip(path: &Path, at: impl FnOnce(&[u8]) -> usize) {
    let mut bytes = fs::read(path).expect("reads");
    let at = at(&bytes);
    bytes[at] ^= 4;
    fs::write(path, bytes).expect("writes");
}

/// Eight bytes of a file, as a place in it.
fn place(bytes: &[u8], at: usize) -> usize {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes")) as usize
}

/// The directory, whose place the trailer of 48 bytes begins with.
fn directory(bytes: &[u8]) -> usize {
    place(bytes, bytes.len() - 48)
}

/// Changes one bit of the first tile, whose place the directory begins with.
pub fn flip_a_score(path: &Path) {
    flip(path, |bytes| place(bytes, directory(bytes)) + 5);
}

type Accident = fn(&Path);

/// What can become of the file of a table, and what is said of it.
const ACCIDENTS: [(&str, Accident); 9] = [
    ("has a wrong checksum", |path| flip(path, |bytes| bytes.len() / 2)),
    ("header's checksum is wrong", |path| flip(path, |_| 50)),
    ("checksum of the whole file is wrong", |path| flip(path, |bytes| bytes.len() - 20)),
    ("its end is missing", |path| {
        let bytes = fs::read(path).expect("reads");
        fs::write(path, &bytes[..bytes.len() - 100]).expect("writes");
    }),
    ("it is empty", |path| fs::write(path, "").expect("writes")),
    ("not an oware-db table", |path| fs::write(path, "dear diary, ".repeat(99)).expect("writes")),
    ("not what its name says", |path| {
        let other = path.with_file_name("awari-02.oware");
        fs::write(path, fs::read(other).expect("reads")).expect("writes");
    }),
    ("it has format version 5", |path| flip(path, |_| 8)),
    ("it is not a file", |path| {
        fs::remove_file(path).expect("removes");
        fs::create_dir(path).expect("makes");
    }),
];

/// The layers that a build says it has kept.
fn kept(document: &Value) -> Vec<u64> {
    let layers = document["layers"].as_array().expect("layers").iter();
    layers
        .filter(|layer| layer["kept"] == true)
        .map(|layer| layer["seeds"].as_u64().expect("seeds"))
        .collect()
}

fn file(dir: &TempDir, seeds: usize) -> PathBuf {
    dir.path().join(format!("awari-0{seeds}.oware"))
}

#[test]
fn a_damaged_layer_ends_the_build_that_needs_it_and_is_named() {
    let dir = built("awari", 7);
    flip_a_score(&file(&dir, 6));
    let build = "build --rules awari --seeds 8 --quiet --out DIR";
    let message = within(&dir, build).error(1).to_owned();
    let out = dir.path().display();
    for part in [
        "awari-06.oware: frame 0 has a wrong checksum",
        &format!("`oware build --repair --rules awari --tables {out}`"),
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    within(&dir, &format!("{build} --json")).json_error(1, "corrupt_table");
    assert!(!file(&dir, 8).exists());
}

#[test]
fn every_accident_is_repaired_and_nothing_else_is_touched() {
    let dir = built("awari", 6);
    let whole = contents(dir.path());
    for (what, accident) in ACCIDENTS {
        let before = whole
            .keys()
            .map(|name| fs::metadata(dir.path().join(name)).and_then(|found| found.modified()));
        let before: Vec<_> = before.map(|time| time.expect("a time")).collect();
        accident(&file(&dir, 4));
        let check = within(&dir, "check --json --tables DIR").json();
        assert!(
            check["problems"][0]["what"]
                .as_str()
                .is_some_and(|remedy| remedy.contains("oware build --repair"))
        );
        let run = within(&dir, "build --repair --rules awari --json --quiet --out DIR");
        assert_eq!((run.code, run.err.lines().count()), (0, 1), "{what}: {}", run.err);
        assert!(
            run.err.contains("awari-04.oware: ") && run.err.contains(what),
            "{what}: {}",
            run.err
        );
        assert!(run.err.ends_with("; it must be rebuilt\n"), "{}", run.err);
        let document = run.json();
        assert_eq!(kept(&document), [0, 1, 2, 3, 5, 6], "{what}");
        let replaced = document["replaced"].as_array().expect("files");
        assert!(
            replaced.len() == 1
                && replaced[0]["what"].as_str().is_some_and(|said| said.contains(what))
        );
        assert!(replaced[0]["file"].as_str().is_some_and(|name| name.ends_with("awari-04.oware")));
        assert!(contents(dir.path()) == whole, "{what}");
        for ((name, before), seeds) in whole.keys().zip(before).zip(0..) {
            let after = fs::metadata(dir.path().join(name))
                .and_then(|found| found.modified())
                .expect("a time");
            assert_eq!(seeds != 4, after == before, "{what}: {name}");
        }
    }
}

#[test]
fn many_damaged_layers_are_built_on_each_other() {
    for least in [50, 1000] {
        let dir = built("abapa", 8);
        let whole = contents(dir.path());
        for seeds in [2, 3, 7] {
            flip_a_score(&dir.path().join(format!("abapa-0{seeds}.oware")));
        }
        fs::remove_file(dir.path().join("abapa-05.oware")).expect("removes");
        fs::write(dir.path().join("abapa-08.oware"), "").expect("writes");
        let repair = |megabytes| {
            within(&dir, &format!("build --repair --memory {megabytes}M --json --out DIR"))
        };
        let run = (least..least + 99).map(repair).find(|run| run.code == 0).expect("enough");
        assert_eq!(kept(&run.json()), [0, 1, 4, 6], "{}", run.err);
        assert_eq!(run.json()["replaced"].as_array().map(Vec::len), Some(4), "one was not there");
        assert!(contents(dir.path()) == whole);
    }
}

#[test]
fn damage_in_a_strategy_is_found_though_no_build_reads_it() {
    // Exceptions come last before the first tile.
    let last_exception = |bytes: &[u8]| place(bytes, directory(bytes)) - 1;
    let dir = tempfile::tempdir().expect("a directory");
    let build = |words: &str| within(&dir, &format!("build --rules awari {words} --out DIR"));
    assert_eq!(build("--quiet --seeds 6").code, 0);
    let whole = contents(dir.path());
    flip(&file(&dir, 6), last_exception);
    assert_eq!(build("--seeds 7 --quiet").code, 0);
    fs::remove_file(file(&dir, 7)).expect("removes");
    let run = build("--repair");
    let said = "its exceptions have a wrong checksum";
    assert!(run.code == 0 && run.err.contains(said), "{}", run.err);
    assert!(
        run.out.contains("Built 1 layers of ") && run.out.contains("(6 already present)"),
        "{}",
        run.out
    );
    assert!(contents(dir.path()) == whole);
}

/// One sentence names the version found, the one known, and the remedy.
#[test]
fn a_table_of_another_version_is_told_and_built_anew() {
    let dir = built("awari", 4);
    let (out, whole) = (dir.path().display(), contents(dir.path()));
    flip(&file(&dir, 4), |_| 8);
    let query = "query --rules awari --tables DIR 0 0 0 0 0 1 0 0 0 0 1 2";
    let said = format!(
        "awari-04.oware: it has format version 5, but this program reads version 1; \
         `oware build --repair --rules awari --tables {out}` rebuilds it"
    );
    assert!(within(&dir, query).error(1).contains(&said));
    within(&dir, "build --quiet --repair --rules awari --tables DIR");
    assert!(contents(dir.path()) == whole);
}

#[test]
fn of_whole_tables_changes_nothing() {
    let dir = built("awari", 5);
    let run = within(&dir, "build --rules awari --repair --json --out DIR");
    assert_eq!((run.code, run.err.as_str(), &run.json()["replaced"]), (0, "", &json!([])));
    assert_eq!(kept(&run.json()), [0, 1, 2, 3, 4, 5]);
    assert!(
        within(&dir, "build --rules awari --seeds 5 --json --out DIR")
            .json()
            .get("replaced")
            .is_none()
    );
    let more = within(&dir, "build --rules awari --repair --seeds 7 --json --out DIR").json();
    assert_eq!((kept(&more), files(dir.path()).len()), (vec![0, 1, 2, 3, 4, 5], 8));
    within(&dir, "build --repair --force --json --out DIR").json_error(2, "usage");
}

#[test]
fn a_directory_that_holds_something_is_not_replaced() {
    let dir = built("awari", 3);
    fs::remove_file(file(&dir, 2)).expect("removes");
    fs::create_dir(file(&dir, 2)).expect("makes");
    fs::write(file(&dir, 2).join("diary"), "dear diary").expect("writes");
    for option in ["", "--repair", "--force"] {
        let run =
            within(&dir, &format!("build --rules awari --seeds 3 {option} --quiet --out DIR"));
        assert!(run.code == 1 && run.err.contains("awari-02.oware"), "{option}: {}", run.err);
        assert_eq!(fs::read(file(&dir, 2).join("diary")).expect("reads"), b"dear diary");
    }
}

/// A file far above all others makes no build of all layers between.
#[test]
fn a_misnamed_table_above_a_gap_is_left_alone() {
    let dir = built("abapa", 4);
    let stray = dir.path().join("abapa-40.oware");
    fs::copy(dir.path().join("abapa-03.oware"), &stray).expect("copies");
    flip_a_score(&dir.path().join("abapa-04.oware"));
    let run = within(&dir, "build --repair --json --tables DIR");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("abapa-40.oware: not what its name says"), "{}", run.err);
    assert_eq!(run.json()["replaced"].as_array().map(Vec::len), Some(1));
    fs::remove_file(stray).expect("removes");
    assert_eq!(within(&dir, "check --tables DIR").code, 0);
    // A damaged table above a gap is one that is to be rebuilt.
    fs::remove_file(dir.path().join("abapa-02.oware")).expect("removes");
    flip_a_score(&dir.path().join("abapa-04.oware"));
    assert_eq!(within(&dir, "build --repair --tables DIR").code, 0);
    assert_eq!(within(&dir, "check --proof --tables DIR").code, 0);
}
