//! Writes honest files and positions where the targets look for a corpus.

use std::fs;
use std::io;

const POSITIONS: [&str; 4] = [
    "0 0 0 0 1 2  1 0 0 0 3 0",
    "1-0-0-0-0-0/0,0,0,0,0,48",
    "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N",
    "1 | 20 25 | 1 0 0 0 0 0 0 0 0 0 0 2",
];

fn main() -> io::Result<()> {
    corpus("table", oware_db_fuzz::files::honest())?;
    corpus("position", POSITIONS)?;
    corpus("record", [include_str!("../../tests/data/games.ogn")])
}

fn corpus(target: &str, seeds: impl IntoIterator<Item = impl AsRef<[u8]>>) -> io::Result<()> {
    let dir = format!("{}/corpus/{target}", env!("CARGO_MANIFEST_DIR"));
    fs::create_dir_all(&dir)?;
    seeds
        .into_iter()
        .enumerate()
        .try_for_each(|(number, seed)| fs::write(format!("{dir}/seed-{number:02}"), seed))
}
