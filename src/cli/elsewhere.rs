//! Tables that are not where they are looked for, but below.

use std::fs;
use std::path::{Path, PathBuf};

use crate::game::Rules;
use crate::game::mancala::Sheet;
use crate::json::words::quoted;
use crate::probe::{Tables, address, directories};

use super::options::DEFAULT_TABLES;
use super::output;

/// How far below a directory tables are looked for.
const DEEPEST: usize = 2;
/// Directories that are looked into, at most.
const MOST: usize = 1000;

/// Says where there are tables of a sheet, if `dir` has none and directories below it do.
pub fn hint(dir: &Path, rules: &str) -> Option<String> {
    let dirs = directories(dir);
    if address(dir).is_some() || dirs.iter().any(|dir| tables(dir, rules) > 0) {
        return None;
    }
    let mut below = dirs;
    for _ in 0..DEEPEST {
        below = below.iter().flat_map(|dir| inside(dir)).take(MOST).collect();
        let found: Vec<&PathBuf> = below.iter().filter(|dir| tables(dir, rules) > 0).collect();
        if !found.is_empty() {
            let joined = std::env::join_paths(found).ok()?;
            return Some(format!("`--tables {}` has some", quoted(Path::new(&joined))));
        }
    }
    None
}

/// Says so on standard error, for commands that go on.
pub fn note(dir: &Path, rules: &str) {
    if let Some(hint) = hint(dir, rules) {
        output::note(&format!("oware: no {rules} tables in {}; {hint}", dir.display()));
    }
}

/// Returns the directory, of those that a path names, that has most tables of a sheet: it is the one
/// in which others are built best. Nothing is built at an address, but in the usual directory.
pub fn home(dir: &Path, rules: &str) -> PathBuf {
    if address(dir).is_some() {
        return DEFAULT_TABLES.into();
    }
    let dirs = directories(dir);
    // Of several `max_by_key` takes the last.
    let home = dirs.iter().rev().max_by_key(|dir| tables(dir, rules));
    home.map_or_else(|| dir.to_owned(), Clone::clone)
}

/// Counts the tables of a sheet in a directory.
fn tables(dir: &Path, rules: &str) -> usize {
    let Ok(tables) = Tables::open(dir) else { return 0 };
    let found = match (Rules::by_id(rules), Sheet::by_id(rules)) {
        (Some(rules), _) => tables.available(rules).map(|found| found.len()),
        (None, Some(sheet)) => tables.available(sheet).map(|found| found.len()),
        (None, None) => Ok(0),
    };
    found.unwrap_or(0)
}

/// Returns the directories in a directory, by name.
fn inside(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.is_dir()).take(MOST).collect();
    found.sort();
    found
}
