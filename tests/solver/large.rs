//! Layers larger than memory: whatever is kept elsewhere, the scores are the same.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use oware_db::error::{Error, Result};
use oware_db::game::{Endless, Repetition, SHEETS, ScoreRange, Seeds};
use oware_db::layer::{Backing, Layer, Plane, Solved, Spill, span};
use oware_db::solver::{
    Bound, Event, InMemory, Kernel, Layers, Lower, Observer, Solver, Storage, Streamed, Unobserved,
    Way,
};
use oware_db::table::{Table, WriteOptions, file_name, write};

use crate::solver::tests::layers::{affordable, long, repeatable, solved, solver};

/// A solved layer that is handed out block by block.
struct Copied(Arc<Solved>);

/// The same, which does not say whether both bounds are equal.
struct Doubted(Copied);

impl Streamed for Doubted {
    fn layer(&self) -> Layer {
        self.0.layer()
    }

    fn is_exact(&self) -> bool {
        false
    }

    fn read(&self, bound: Bound, excerpt: &mut Plane) -> Result<()> {
        self.0.read(bound, excerpt)
    }
}

/// Layers that are all doubted.
struct InDoubt<'a>(&'a InMemory);

impl Layers for InDoubt<'_> {
    fn solved(&self, seeds: Seeds) -> Result<Arc<Solved>> {
        self.0.solved(seeds)
    }

    fn lower(&self, seeds: Seeds) -> Result<Lower> {
        Ok(Lower::Streamed(Arc::new(Doubted(Copied(self.0.solved(seeds)?)))))
    }
}

impl Streamed for Copied {
    fn layer(&self) -> Layer {
        self.0.layer()
    }

    fn is_exact(&self) -> bool {
        self.0.high.is_none()
    }

    fn read(&self, bound: Bound, excerpt: &mut Plane) -> Result<()> {
        let plane = match bound {
            Bound::Low => &self.0.low,
            Bound::High => self.0.high(),
        };
        let span = span(self.layer(), excerpt.held());
        let bytes = &plane.blocks().bytes()[span.start as usize..span.end as usize];
        excerpt.blocks_mut().bytes_mut().copy_from_slice(bytes);
        Ok(())
    }
}

/// Layers of which none is in memory as a whole.
pub struct Elsewhere<'a>(pub &'a InMemory);

impl Layers for Elsewhere<'_> {
    fn solved(&self, seeds: Seeds) -> Result<Arc<Solved>> {
        self.0.solved(seeds)
    }

    fn lower(&self, seeds: Seeds) -> Result<Lower> {
        Ok(Lower::Streamed(Arc::new(Copied(self.0.solved(seeds)?))))
    }
}

fn assert_same(found: &Solved, expected: &Solved) {
    let (rules, what) = (found.layer(), "everything that is written");
    assert!(found.low == expected.low && found.high == expected.high, "{rules:?}: {what}");
    assert!(found.attained == expected.attained, "{what}");
    assert!(found.exceptions == expected.exceptions, "{what}");
}

/// Above exact layers captures are looked at in the first sweep only, above others in every sweep and
/// by the tail.
#[test]
fn lower_bounds_stand_for_captures() {
    for rules in SHEETS.into_iter().filter(|rules| matches!(rules.endless, Endless::OwnSide(_))) {
        let layers = solved(rules, long(7));
        for (storage, tail) in [
            (Storage::Plenty, 1),
            (Storage::Plenty, u64::MAX),
            (bounded(Way::InMemory).0, 1),
            (bounded(Way::ScoresOnDisk).0, u64::MAX),
        ] {
            let mut solver = solver(rules, Kernel::best()).with_tail(tail);
            solver.keep_in(storage);
            for expected in layers.layers() {
                let seeds = expected.layer().seeds();
                let known = solver.solve(seeds, &layers, &Unobserved).unwrap();
                let doubted = solver.solve(seeds, &InDoubt(&layers), &Unobserved).unwrap();
                assert_same(&known, expected);
                assert_same(&doubted, expected);
            }
        }
    }
}

/// One block at a time, some, and all.
#[test]
fn lower_layers_may_be_read_in_pieces() {
    for rules in SHEETS {
        let layers = solved(rules, affordable(rules, 9));
        for window in [0, 20_000, u64::MAX] {
            let mut solver = solver(rules, Kernel::best()).with_window(window);
            for expected in layers.layers() {
                let seeds = expected.layer().seeds();
                let found = solver.solve(seeds, &Elsewhere(&layers), &Unobserved).unwrap();
                assert_same(&found, expected);
            }
        }
    }
}

/// Captures of a few blocks at a time, which are put on disk before others are entered.
#[test]
fn captures_may_be_entered_in_groups() {
    struct Entered(AtomicU64);
    impl Observer for Entered {
        fn notice(&self, event: Event) {
            let counts = matches!(event, Event::Captures { into, .. } if into.get() == 0);
            self.0.fetch_add(counts.into(), Ordering::Relaxed);
        }
    }
    for rules in SHEETS {
        // Of fewer seeds all captures are one group.
        let layers = solved(rules, repeatable(rules, 9));
        let (tight, _) = bounded(Way::CapturesOnDisk);
        let groups = [tight, bounded(Way::InMemory).0].map(|storage| {
            let mut solver = solver(rules, Kernel::best()).with_window(0);
            solver.keep_in(storage);
            let entered = Entered(AtomicU64::new(0));
            for expected in layers.layers() {
                let seeds = expected.layer().seeds();
                let found = solver.solve(seeds, &Elsewhere(&layers), &entered).unwrap();
                assert_same(&found, expected);
            }
            entered.0.into_inner()
        });
        assert!(groups[0] > groups[1], "{}: {groups:?}", rules.id);
    }
}

/// Dense sweeps alone, and a tail that begins at once, which looks at single captures.
#[test]
fn captures_may_be_on_disk() {
    for rules in SHEETS {
        let layers = solved(rules, affordable(rules, 9));
        for tail in [1, u64::MAX] {
            let mut solver = solver(rules, Kernel::best()).with_tail(tail);
            solver.keep_in(bounded(Way::CapturesOnDisk).0);
            for expected in layers.layers() {
                let seeds = expected.layer().seeds();
                assert_same(&solver.solve(seeds, &layers, &Unobserved).unwrap(), expected);
            }
        }
    }
}

/// What has to be confirmed takes files where that is not expected; nothing else does, but for claims
/// if captures are there, too.
#[test]
fn cores_may_be_on_disk() {
    for rules in SHEETS {
        let layers = solved(rules, affordable(rules, 9));
        for tail in [1, u64::MAX] {
            let ways = [(bounded(Way::CapturesOnDisk), true), (bounded(Way::InMemory), false)];
            for ((storage, left), has_claims_there) in ways {
                let mut solver = solver(rules, Kernel::best()).with_tail(tail);
                solver.keep_in(storage);
                for expected in layers.layers() {
                    let seeds = expected.layer().seeds();
                    let found = solver.solve(seeds, &Elsewhere(&layers), &Unobserved).unwrap();
                    assert_same(&found, expected);
                }
                let took_files = left.load(Ordering::Relaxed) < u64::MAX;
                let has_core_there = rules.endless == Endless::OwnSide(Repetition::First);
                assert_eq!(took_files, has_claims_there || has_core_there, "{}", rules.id);
            }
        }
    }
}

/// Files for mapped memory on a disk with room for so many bytes. Of every few looks at the bound
/// some find that the program holds too much, so pages go all the time.
struct Tight {
    left: Arc<AtomicU64>,
    looks: AtomicU64,
}

impl Backing for Tight {
    fn dir(&self, bytes: u64) -> Result<PathBuf> {
        let taken = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        let full = || Error::io("using", "a disk")(std::io::ErrorKind::StorageFull.into());
        taken.map(|_| std::env::temp_dir()).map_err(|_| full())
    }

    fn excess(&self, _: u64) -> u64 {
        u64::from(self.looks.fetch_add(1, Ordering::Relaxed) % 40 < 4)
    }

    /// Two frames, and captures in two groups of blocks.
    fn room(&self) -> u64 {
        200_000
    }
}

fn tight(room: u64) -> (Spill, Arc<AtomicU64>) {
    let left = Arc::new(AtomicU64::new(room));
    (Spill::new(Tight { left: left.clone(), looks: AtomicU64::new(0) }), left)
}

/// A layer is solved one way on such a disk, which has room for all.
fn bounded(way: Way) -> (Storage, Arc<AtomicU64>) {
    let (spill, left) = tight(u64::MAX);
    (Storage::Bounded(way, spill), left)
}

/// A program that holds too much until so many strides have gone.
struct Greedy(AtomicU64);

impl Backing for Greedy {
    fn dir(&self, _: u64) -> Result<PathBuf> {
        Ok(std::env::temp_dir())
    }

    fn excess(&self, _: u64) -> u64 {
        let less = |left: u64| Some(left.saturating_sub(1));
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).expect("always some")
    }
}

/// Round and round, through all that is mapped, or as far as it takes.
#[test]
fn what_is_let_go_comes_back() {
    for looks in [0, 1, 2, 3, 5, u64::MAX] {
        let spill = Spill::new(Greedy(AtomicU64::new(looks)));
        let lengths = [0, 1, 5000, 3 << 20, (1 << 20) + 1];
        let mut pieces = lengths.map(|length| spill.piece(length).unwrap());
        for (number, piece) in (1..).zip(&mut pieces) {
            assert!(piece.bytes().iter().all(|&byte| byte == 0));
            piece.bytes_mut().fill(number);
        }
        for _ in 0..3 {
            spill.enforce_bound();
            for ((number, length), piece) in (1..).zip(lengths).zip(&pieces) {
                assert!(piece.bytes().len() == length.max(1));
                assert!(piece.bytes().iter().all(|&byte| byte == number));
            }
        }
        let [.., last] = pieces;
        spill.enforce_bound();
        assert!(last.bytes().iter().all(|&byte| byte == 5), "others are gone");
    }
}

/// With dense sweeps alone, a tail that begins at once, and as usual; lower
/// layers in pieces.
#[test]
fn scores_may_be_on_disk() {
    for rules in SHEETS {
        let layers = solved(rules, affordable(rules, 8));
        for tail in [Some(1), Some(u64::MAX), None] {
            let solver = solver(rules, Kernel::best()).with_window(20_000);
            let mut solver = tail.into_iter().fold(solver, Solver::with_tail);
            solver.keep_in(bounded(Way::ScoresOnDisk).0);
            for expected in layers.layers() {
                let seeds = expected.layer().seeds();
                let found = solver.solve(seeds, &Elsewhere(&layers), &Unobserved).unwrap();
                assert_same(&found, expected);
            }
        }
    }
}

/// Lines of bytes, half bytes, thirds and quarters: from 5 seeds on scores are clamped.
#[test]
fn packed_layers_may_be_on_disk() {
    for rules in SHEETS.into_iter().filter(|rules| ScoreRange::can_clamp(rules)) {
        let solver = || solver(rules, Kernel::best()).for_games_of(Seeds::new(9));
        let mut layers = InMemory::default();
        for seeds in Seeds::new(9).unwrap().up_to() {
            layers.push(solver().solve(seeds, &layers, &Unobserved).unwrap());
        }
        for (way, tail) in [
            (Way::CapturesOnDisk, 1),
            (Way::CapturesOnDisk, u64::MAX),
            (Way::ScoresOnDisk, 1),
            (Way::ScoresOnDisk, u64::MAX),
        ] {
            let mut solver = solver().with_window(0).with_tail(tail);
            solver.keep_in(bounded(way).0);
            for expected in layers.layers() {
                let seeds = expected.layer().seeds();
                let found = solver.solve(seeds, &Elsewhere(&layers), &Unobserved).unwrap();
                assert_same(&found, expected);
            }
        }
    }
}

/// What a table holds of a layer becomes the layer again in mapped memory, too, and the table of a
/// mapped layer is that of any other, byte for byte.
#[test]
fn tables_do_not_depend_on_where_scores_are() {
    for rules in SHEETS {
        let (layers, dir) = (solved(rules, 8), tempfile::tempdir().unwrap());
        let mut solver = solver(rules, Kernel::best());
        solver.keep_in(bounded(Way::ScoresOnDisk).0);
        let file = dir.path().join(file_name(rules, Seeds::new(8).unwrap()));
        let written = |solved: &Solved| {
            write(dir.path(), rules, solved, WriteOptions::default()).unwrap();
            std::fs::read(&file).unwrap()
        };
        let expected = &layers.layers()[8];
        let found = solver.solve(expected.layer().seeds(), &layers, &Unobserved).unwrap();
        assert!(written(&found) == written(expected), "{}", rules.id);
        let table = Table::from_bytes(std::fs::read(&file).unwrap()).unwrap();
        let stored = table.load_stored_in(&bounded(Way::ScoresOnDisk).0.arena().unwrap()).unwrap();
        let complete =
            solver.complete(stored, table.settlement().unwrap(), &layers, &Unobserved).unwrap();
        assert!(complete.low == expected.low && complete.high == expected.high, "{}", rules.id);
    }
}

/// For scores, or for captures and claims alone.
#[test]
fn a_disk_without_room_ends_the_solve() {
    for (rules, way) in SHEETS
        .into_iter()
        .flat_map(|rules| [Way::CapturesOnDisk, Way::ScoresOnDisk].map(|way| (rules, way)))
    {
        let (layers, seeds) = (solved(rules, 7), Seeds::new(7).unwrap());
        let solved = |room: u64| {
            let mut solver = solver(rules, Kernel::best()).with_tail(1);
            let (spill, left) = tight(room);
            solver.keep_in(Storage::Bounded(way, spill));
            let solved = solver.solve(seeds, &layers, &Unobserved);
            (solved, u64::MAX - left.load(Ordering::Relaxed))
        };
        let (all, needed) = solved(u64::MAX);
        assert!(all.is_ok() && needed > 0);
        // How much the list of open claims takes depends on how far threads come in a sweep.
        for room in (0..8).map(|eighths| needed / 8 * eighths) {
            let failed = solved(room).0;
            assert!(failed.is_err_and(|error| error.to_string().contains("a disk")), "{room}");
        }
    }
}
