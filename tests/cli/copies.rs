//! Tables that are built once for all tests of a program, of which each test gets copies.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use oware_db::pool::locked;
use tempfile::TempDir;

/// Files by their names.
pub type Contents = BTreeMap<String, Vec<u8>>;

/// Puts the tables of a sheet, up to so many seeds, into a directory. Those that no test has asked
/// for yet are built by `build`, in a directory with those that there are. Where that panics, the
/// next test that wants them tries it again.
pub fn put_tables(dir: &TempDir, sheet: &str, seeds: usize, build: impl FnOnce(&TempDir)) {
    static SHEETS: Mutex<BTreeMap<String, Arc<Mutex<Contents>>>> = Mutex::new(BTreeMap::new());
    let of_sheet = locked(&SHEETS).entry(sheet.to_owned()).or_default().clone();
    let mut tables = locked(&of_sheet);
    if !tables.keys().any(|name| seeds_of(name) == seeds) {
        let place = directory(&*tables);
        build(&place);
        *tables = contents(place.path());
    }
    write(dir.path(), tables.iter().filter(|(name, _)| seeds_of(name) <= seeds));
}

/// The number before the ending of a table's name.
pub fn seeds_of(name: &str) -> usize {
    let number = name.strip_suffix(".oware").and_then(|name| name.rsplit('-').next());
    number.and_then(|number| number.parse().ok()).expect("the name of a table")
}

/// A new directory with these files.
pub fn directory<'f>(files: impl IntoIterator<Item = (&'f String, &'f Vec<u8>)>) -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    write(dir.path(), files);
    dir
}

fn write<'f>(dir: &Path, files: impl IntoIterator<Item = (&'f String, &'f Vec<u8>)>) {
    for (name, bytes) in files {
        fs::write(dir.join(name), bytes).expect("writes");
    }
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
pub fn contents(dir: &Path) -> Contents {
    files(dir)
        .into_iter()
        .map(|name| (name.clone(), fs::read(dir.join(name)).expect("a file")))
        .collect()
}
