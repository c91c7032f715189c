//! The tables of every sheet, solved once for all tests.

use std::fs;
use std::path::Path;

use oware_db::game::{Rules, SHEETS, Seeds};
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
use oware_db::table::{WriteOptions, file_name, to_bytes};
use tempfile::TempDir;

use super::copies;

/// Seeds of the largest layers that most tests need.
const SHARED: usize = 7;

/// A directory of its own with the tables of every sheet up to so many seeds.
pub fn built(most: usize) -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    for rules in SHEETS {
        copies::put_tables(&dir, rules.id, most, |place| {
            build_for(None, rules, most.max(SHARED), place.path())
        });
    }
    dir
}

/// Writes the tables of a sheet, or what decides games of so many seeds.
pub fn build_for(game: Option<Seeds>, rules: &'static Rules, most: usize, dir: &Path) {
    let mut solver = Solver::new(rules, Kernel::best()).for_games_of(game);
    let mut layers = InMemory::default();
    for seeds in Seeds::new(most).expect("seeds").up_to() {
        let solved = solver.solve(seeds, &layers, &Unobserved).expect("solves");
        let bytes = to_bytes(rules, &solved, WriteOptions::default()).expect("encodes");
        fs::write(dir.join(file_name(rules, seeds)), bytes).expect("writes");
        layers.push(solved);
    }
}
