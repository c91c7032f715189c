//! Tables on shelves: in memory and far away they say what they say in files.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use oware_db::error::Error;
use oware_db::game::{ABAPA, Seeds};
use oware_db::layer::{Layer, Rank};
use oware_db::probe::{Prober, Tables};
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
use oware_db::table::{self, FarShelf, Fetch, Fetched, InMemoryShelf, WriteOptions};
use tempfile::TempDir;

const MOST: usize = 7;

/// A directory of tables, and the same on a shelf in memory.
fn built() -> (TempDir, Arc<InMemoryShelf>) {
    let (dir, shelf) = (tempfile::tempdir().expect("a directory"), InMemoryShelf::default());
    let mut solver = Solver::new(&ABAPA, Kernel::best());
    let mut layers = InMemory::default();
    for seeds in Seeds::new(MOST).expect("few").up_to() {
        let solved = solver.solve(seeds, &layers, &Unobserved).expect("solved");
        let options = WriteOptions::default();
        let written = table::write(dir.path(), &ABAPA, &solved, options).expect("written");
        let bytes = table::to_bytes(&ABAPA, &solved, options).expect("encoded");
        assert_eq!(fs::read(written.path).expect("read"), bytes);
        shelf.put(table::file_name(&ABAPA, seeds), bytes);
        layers.push(solved);
    }
    (dir, Arc::new(shelf))
}

/// Brings parts of files, of which one may have a byte changed.
struct Disk {
    dir: PathBuf,
    changed: Option<(String, u64)>,
    fetched: Arc<AtomicU64>,
}

impl Fetch for Disk {
    fn fetch(&self, name: &str, range: Range<u64>) -> io::Result<Fetched> {
        let mut bytes = fs::read(self.dir.join(name))?;
        if let Some((_, at)) = self.changed.as_ref().filter(|(changed, _)| changed == name) {
            bytes[*at as usize] ^= 0x11;
        }
        self.fetched.fetch_add(range.end - range.start, Ordering::Relaxed);
        Ok(Fetched::Part(bytes[range.start as usize..range.end as usize].into()))
    }
}

fn far(dir: &TempDir, changed: Option<(String, u64)>) -> (Tables, Arc<AtomicU64>) {
    let fetched = Arc::new(AtomicU64::new(0));
    let disk = Disk { dir: dir.path().to_owned(), changed, fetched: fetched.clone() };
    let shelf = FarShelf::new(disk);
    for seeds in Seeds::new(MOST).expect("few").up_to() {
        let name = table::file_name(&ABAPA, seeds);
        let bytes = fs::metadata(dir.path().join(&name)).expect("a file").len();
        shelf.note(name, bytes);
    }
    (Tables::on_shelf("far away", Arc::new(shelf)), fetched)
}

#[test]
fn tables_on_shelves_say_what_files_say() {
    let (dir, shelf) = built();
    let files = Tables::open(dir.path()).expect("a directory");
    for tables in [Tables::on_shelf("memory", shelf), far(&dir, None).0] {
        assert_eq!(tables.available(&ABAPA).expect("a list").len(), MOST + 1);
        let (mut one, mut other) = (Prober::new(&files, &ABAPA), Prober::new(&tables, &ABAPA));
        for seeds in Seeds::new(MOST).expect("few").up_to() {
            let layer = Layer::of(&ABAPA, seeds);
            for rank in (0..layer.positions()).step_by(7) {
                let board = layer.position(Rank(rank)).expect("a position");
                let found = other.moves(&board).expect("scores");
                assert_eq!(found, one.moves(&board).expect("scores"), "{board}");
                let interval = other.interval(&board).expect("a score");
                assert_eq!(interval, one.interval(&board).expect("a score"), "{board}");
            }
        }
        let table = tables.require(&ABAPA, Seeds::new(MOST).expect("few")).expect("a table");
        table.check().expect("whole");
    }
}

#[test]
fn whatever_byte_is_wrong_far_away_is_never_a_score() {
    let (dir, _) = built();
    let files = Tables::open(dir.path()).expect("a directory");
    let mut right = Prober::new(&files, &ABAPA);
    let board = "1-1-1-0-1-1-0-1-0-0-1-0".parse::<oware_db::Position>().expect("a position").board;
    let expected = right.interval(&board).expect("a score");
    let name = table::file_name(&ABAPA, board.seeds());
    let length = fs::metadata(dir.path().join(&name)).expect("a file").len();
    let mut refused = 0;
    for at in (0..length).step_by(13).chain(length - 80..length) {
        let (tables, _) = far(&dir, Some((name.clone(), at)));
        match Prober::new(&tables, &ABAPA).interval(&board) {
            Ok(found) => assert_eq!(found, expected, "byte {at}"),
            Err(Error::CorruptTable { .. } | Error::WrongVersion { .. }) => refused += 1,
            Err(error) => panic!("byte {at}: {error}"),
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn a_probe_fetches_little() {
    let (dir, _) = built();
    let (tables, fetched) = far(&dir, None);
    let board = "1-1-1-0-1-1-0-1-0-0-1-0".parse::<oware_db::Position>().expect("a position").board;
    let mut prober = Prober::new(&tables, &ABAPA);
    prober.interval(&board).expect("a score");
    let cold = fetched.load(Ordering::Relaxed);
    prober.interval(&board).expect("a score");
    assert!(cold > 0 && cold == fetched.load(Ordering::Relaxed));
}
