//! The tables of every sheet, solved once for all tests.

use std::fs;
use std::sync::LazyLock;

use oware_db::game::{Rules, SHEETS, Seeds};
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
use oware_db::table::{WriteOptions, file_name, to_bytes};
use tempfile::TempDir;

/// A table: its seeds, the name of its file, and its bytes.
type File = (usize, String, Vec<u8>);

/// Seeds of the largest layers that tests share.
const SHARED: usize = 7;

static FILES: LazyLock<Vec<File>> = LazyLock::new(|| files(SHARED));

/// A directory of its own with the tables of every sheet up to so many seeds.
pub fn built(most: usize) -> TempDir {
    match most {
        ..=SHARED => written(FILES.iter().filter(|(seeds, ..)| *seeds <= most)),
        _ => written(&files(most)),
    }
}

fn files(most: usize) -> Vec<File> {
    SHEETS.into_iter().flat_map(|rules| files_of(rules, most)).collect()
}

fn files_of(rules: &'static Rules, most: usize) -> Vec<File> {
    let mut solver = Solver::new(rules, Kernel::best());
    let mut layers = InMemory::default();
    let file = |seeds| {
        let solved = solver.solve(seeds, &layers, &Unobserved).expect("solves");
        let bytes = to_bytes(rules, &solved, WriteOptions::default()).expect("encodes");
        layers.push(solved);
        (seeds.get(), file_name(rules, seeds), bytes)
    };
    Seeds::new(most).expect("seeds").up_to().map(file).collect()
}

fn written<'a>(files: impl IntoIterator<Item = &'a File>) -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    for (_, name, bytes) in files {
        fs::write(dir.path().join(name), bytes).expect("writes");
    }
    dir
}
