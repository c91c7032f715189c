//! Layers larger than memory: whatever is kept elsewhere, the scores are the same.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use oware_db::error::{Error, Result};
use oware_db::game::{Rules, SHEETS, Seeds};
use oware_db::layer::{Excerpt, Layer, Solved, span};
use oware_db::solver::{
    Bound, InMemory, Kernel, Layers, Lower, Scratch, ScratchFile, Solver, Streamed, Unobserved,
};

/// A solved layer that is handed out block by block.
struct Copied(Arc<Solved>);

impl Streamed for Copied {
    fn layer(&self) -> Layer {
        self.0.layer()
    }

    fn is_exact(&self) -> bool {
        self.0.high.is_none()
    }

    fn read(&self, bound: Bound, excerpt: &mut Excerpt) -> Result<()> {
        let plane = match bound {
            Bound::Low => &self.0.low,
            Bound::High => self.0.high(),
        };
        let span = span(self.layer(), excerpt.held());
        let bytes = &plane.blocks().bytes()[span.start as usize..span.end as usize];
        excerpt.bytes_mut().copy_from_slice(bytes);
        Ok(())
    }
}

/// Layers of which none is in memory as a whole.
struct Elsewhere<'a>(&'a InMemory);

impl Layers for Elsewhere<'_> {
    fn solved(&self, seeds: Seeds) -> Result<Arc<Solved>> {
        self.0.solved(seeds)
    }

    fn lower(&self, seeds: Seeds) -> Result<Lower> {
        Ok(Lower::Streamed(Arc::new(Copied(self.0.solved(seeds)?))))
    }
}

fn layers(rules: &'static Rules, most: usize) -> InMemory {
    let (mut solver, mut layers) = (Solver::new(rules, Kernel::best()), InMemory::default());
    for seeds in Seeds::new(most).unwrap().up_to() {
        layers.push(solver.solve(seeds, &layers, &Unobserved).unwrap());
    }
    layers
}

fn assert_same(found: &Solved, expected: &Solved) {
    let (rules, what) = (found.layer(), "everything that is written");
    assert!(found.low == expected.low && found.high == expected.high, "{rules:?}: {what}");
    assert!(found.strategy == expected.strategy && found.attained == expected.attained, "{what}");
}

/// One block at a time, some, and all.
#[test]
fn lower_layers_may_be_read_in_pieces() {
    for rules in SHEETS {
        let layers = layers(rules, 9);
        for window in [0, 20_000, u64::MAX] {
            let mut solver = Solver::new(rules, Kernel::best()).with_window(window);
            for expected in layers.layers() {
                let seeds = expected.layer().seeds();
                let found = solver.solve(seeds, &Elsewhere(&layers), &Unobserved).unwrap();
                assert_same(&found, expected);
            }
        }
    }
}

/// Files that are not files, and fail when so many bytes have been written or read.
struct Pretended(Arc<AtomicU64>);

struct PretendedFile {
    bytes: Mutex<Vec<u8>>,
    left: Arc<AtomicU64>,
}

impl Pretended {
    fn failing_after(bytes: u64) -> Arc<Pretended> {
        Arc::new(Pretended(Arc::new(AtomicU64::new(bytes))))
    }
}

impl Scratch for Pretended {
    fn file(&self) -> Result<Box<dyn ScratchFile>> {
        Ok(Box::new(PretendedFile { bytes: Mutex::default(), left: self.0.clone() }))
    }
}

impl PretendedFile {
    fn spend(&self, bytes: usize) -> Result<()> {
        let spent = |left: u64| left.checked_sub(bytes as u64);
        let spent = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spent);
        spent.map(drop).map_err(|_| Error::io("using", "a disk")(std::io::Error::other("broken")))
    }
}

impl ScratchFile for PretendedFile {
    fn write_at(&self, bytes: &[u8], offset: u64) -> Result<()> {
        self.spend(bytes.len())?;
        let (mut file, offset) = (self.bytes.lock().unwrap(), offset as usize);
        let end = file.len().max(offset + bytes.len());
        file.resize(end, 0);
        file[offset..][..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn read_at(&self, bytes: &mut [u8], offset: u64) -> Result<()> {
        self.spend(bytes.len())?;
        bytes.copy_from_slice(&self.bytes.lock().unwrap()[offset as usize..][..bytes.len()]);
        Ok(())
    }
}

/// Dense sweeps alone, and a tail that begins at once, which looks at single captures.
#[test]
fn captures_may_be_on_disk() {
    for rules in SHEETS {
        let layers = layers(rules, 9);
        for tail in [1, u64::MAX] {
            let mut solver = Solver::new(rules, Kernel::best()).with_tail(tail);
            solver.keep_captures(Some(Pretended::failing_after(u64::MAX)));
            for expected in layers.layers() {
                let seeds = expected.layer().seeds();
                assert_same(&solver.solve(seeds, &layers, &Unobserved).unwrap(), expected);
            }
        }
    }
}

#[test]
fn a_disk_that_fails_at_any_time_ends_the_solve() {
    for rules in SHEETS {
        let (layers, seeds) = (layers(rules, 7), Seeds::new(7).unwrap());
        let solved = |bytes: u64| {
            let mut solver = Solver::new(rules, Kernel::best()).with_tail(1);
            let disk = Pretended::failing_after(bytes);
            solver.keep_captures(Some(disk.clone()));
            let solved = solver.solve(seeds, &layers, &Unobserved);
            (solved, u64::MAX - disk.0.load(Ordering::Relaxed))
        };
        let (all, needed) = solved(u64::MAX);
        assert!(all.is_ok() && needed > 0);
        for bytes in (0..needed).step_by(needed as usize / 17) {
            let failed = solved(bytes).0;
            assert!(failed.is_err_and(|error| error.to_string().contains("a disk")), "{bytes}");
        }
    }
}
