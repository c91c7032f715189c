//! Directories of tables to ask.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{Run, oware};

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

/// The megabytes with which two threads can build so many layers at least; the scores of the last
/// are on disk then.
pub fn least_memory(rules: &str, seeds: usize, words: &str) -> usize {
    let dir = tempfile::tempdir().expect("a directory");
    let dry_run = |megabytes: &usize| {
        let words = format!("{words} --rules {rules} --seeds {seeds} --memory {megabytes}M");
        within(&dir, &format!("build --json --dry-run --threads 2 {words} --out DIR/new"))
    };
    let least = (50..400).find(|megabytes| dry_run(megabytes).code == 0).expect("enough");
    let first = dry_run(&least).json()["scores_on_disk_from"].as_u64();
    assert!(first.expect("a layer on disk") <= seeds as u64);
    least
}
