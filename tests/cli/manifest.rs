//! Manifests: written for those who publish tables, compared by those who fetch them.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::tables::{built, within};

/// Tables of two sheets, with a manifest.
fn published() -> TempDir {
    let dir = built("abapa", 4);
    within(&dir, "build --quiet --rules awari --seeds 2 --out DIR");
    let run = within(&dir, "check --json --write-manifest --tables DIR");
    assert_eq!(
        (run.code, &run.json()["manifest"]["files"], &run.json()["problems"]),
        (0, &json!(8), &json!([]))
    );
    dir
}

fn manifest(dir: &TempDir) -> String {
    fs::read_to_string(dir.path().join("SHA256SUMS")).expect("a manifest")
}

/// File names and what is wrong with them.
fn problems(document: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let name =
        |problem: &Value| text(&problem["file"]).rsplit('/').next().expect("a name").to_owned();
    let problems = document["problems"].as_array().expect("problems").iter();
    problems.map(|problem| (name(problem), text(&problem["what"]))).collect()
}

#[test]
fn is_what_sha256sum_prints() {
    let dir = published();
    let names: Vec<String> = manifest(&dir).lines().map(|line| line[66..].to_owned()).collect();
    let abapa = (0..=4).map(|seeds| format!("abapa-0{seeds}.oware"));
    assert_eq!(
        names,
        abapa.chain((0..=2).map(|seeds| format!("awari-0{seeds}.oware"))).collect::<Vec<_>>()
    );
    let sha256sum = |arguments: &[&str]| {
        Command::new("sha256sum").args(arguments).current_dir(dir.path()).output()
    };
    // Not every system has the tool.
    let Ok(printed) = sha256sum(&names.iter().map(String::as_str).collect::<Vec<_>>()) else {
        return;
    };
    assert_eq!(manifest(&dir).as_bytes(), printed.stdout);
    assert!(sha256sum(&["--check", "--strict", "SHA256SUMS"]).expect("runs").status.success());
    let binary = sha256sum(&["--binary", "abapa-04.oware"]).expect("runs").stdout;
    fs::write(dir.path().join("SUMS"), binary).expect("writes");
    assert_eq!(
        within(&dir, "check --tables DIR --rules abapa --manifest DIR/SUMS").code,
        1,
        "it names one file"
    );
    let others: String = manifest(&dir).lines().take(4).map(|line| format!("{line}\n")).collect();
    let all = fs::read_to_string(dir.path().join("SUMS")).expect("reads") + &others;
    fs::write(dir.path().join("SUMS"), all).expect("writes");
    assert_eq!(within(&dir, "check --tables DIR --rules abapa --manifest DIR/SUMS").code, 0);
}

#[test]
fn agrees_with_the_tables_it_was_written_for() {
    let dir = published();
    let run = within(&dir, "check --manifest --tables DIR");
    assert!(
        run.code == 0 && run.out.contains("SHA256SUMS: SHA-256 sums of 8 files."),
        "{}",
        run.out
    );
    let said = |words: &str| within(&dir, &format!("check --json --tables DIR {words}")).json();
    let document = said("--manifest DIR/SHA256SUMS");
    assert_eq!((&document["problems"], &document["manifest"]["files"]), (&json!([]), &json!(8)));
    assert!(said("").get("manifest").is_none());
    for (words, files) in [("--rules awari", 3), ("--seeds 1", 4), ("--rules abapa --seeds 3", 4)] {
        let document = said(&format!("--manifest {words}"));
        assert_eq!(
            (&document["problems"], &document["manifest"]["files"]),
            (&json!([]), &json!(files)),
            "{words}"
        );
    }
    let rebuilt = within(&dir, "build --force --quiet --threads 1 --seeds 4 --out DIR").code;
    assert_eq!((rebuilt, said("--manifest")["problems"].clone()), (0, json!([])));
}

#[test]
fn finds_missing_different_and_further_files() {
    let dir = published();
    let at = |name: &str| dir.path().join(name);
    fs::remove_file(at("abapa-01.oware")).expect("removes");
    within(&dir, "build --force --quiet --no-strategy --rules awari --seeds 2 --out DIR");
    within(&dir, "build --quiet --rules plain --seeds 0 --out DIR");
    let foreign =
        format!("# ours\n\n{}{}  README\n1234  abapa-00.oware\n", manifest(&dir), "0".repeat(64));
    fs::write(at("SHA256SUMS"), foreign).expect("writes");
    let run = within(&dir, "check --json --manifest --tables DIR");
    let found = problems(&run.json());
    let expected = [
        ("SHA256SUMS", "line 12 is not a SHA-256"),
        ("abapa-01.oware", "missing"),
        ("awari-00.oware", "its SHA-256 is"),
        ("awari-01.oware", "its SHA-256 is"),
        ("awari-02.oware", "its SHA-256 is"),
        ("README", "missing"),
        ("plain-00.oware", "it is not in the manifest"),
    ];
    assert_eq!((run.code, found.len()), (1, expected.len()), "{found:?}");
    for ((file, what), (name, part)) in found.iter().zip(expected) {
        assert!(file == name && what.contains(part), "{file}: {what}");
    }
    assert!(within(&dir, "check --manifest --tables DIR").out.contains("7 problems"));
    let bare = tempfile::tempdir().expect("a directory");
    let sums = at("SHA256SUMS").display().to_string();
    let empty = within(&bare, &format!("check --json --tables DIR --manifest {sums}"));
    assert_eq!((empty.code, problems(&empty.json()).len()), (1, 1 + 8 + 1));
}

#[test]
fn of_damaged_tables_is_not_written() {
    let dir = published();
    let before = manifest(&dir);
    let path = dir.path().join("awari-02.oware");
    let mut bytes = fs::read(&path).expect("reads");
    bytes[200] ^= 1;
    fs::write(&path, bytes).expect("writes");
    let run = within(&dir, "check --json --write-manifest --tables DIR");
    assert_eq!((run.code, problems(&run.json()).len(), manifest(&dir)), (1, 1, before));
    assert!(run.json().get("manifest").is_none());
    let run = within(&dir, "check --json --manifest --tables DIR");
    assert!(problems(&run.json()).iter().all(|(file, _)| file == "awari-02.oware"));
}

#[test]
fn that_cannot_be_used_is_an_error() {
    let dir = published();
    for words in ["--manifest DIR/nowhere", "--manifest DIR", "--write-manifest DIR/nowhere/sums"] {
        within(&dir, &format!("check --json --tables DIR {words}")).json_error(1, "io");
    }
    assert!(!Path::new("SHA256SUMS").exists(), "the default is beside the tables");
    within(&dir, "check --json --tables DIR --manifest --write-manifest").json_error(2, "usage");
    within(&dir, "check --json --tables DIR/nowhere --write-manifest")
        .json_error(1, "missing_table");
}

#[test]
fn replaces_no_table() {
    let dir = published();
    let table = dir.path().join("awari-01.oware");
    let before = fs::read(&table).expect("a table");
    let run = within(&dir, "check --tables DIR --write-manifest DIR/awari-01.oware --json");
    assert!(run.json_error(2, "usage").contains("is a table"));
    assert_eq!(fs::read(&table).expect("a table"), before);
}
