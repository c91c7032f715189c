//! A probe whose tiles are at hand allocates nothing: engines call it in their innermost loop.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use oware_db::game::{ABAPA, AWARI, Rules, Seeds};
use oware_db::layer::{Layer, Rank};
use oware_db::probe::{Prober, Tables};
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
use oware_db::table::{Contents, WriteOptions, write};

/// The system's allocator, counting.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the promises that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test alone in its file: what others allocate would be counted, too.
#[test]
fn a_probe_allocates_nothing_when_its_tiles_are_at_hand() {
    for rules in [&AWARI, &ABAPA] {
        let (mut solver, mut layers) = (Solver::new(rules, Kernel::best()), InMemory::default());
        for seeds in Seeds::new(9).unwrap().up_to() {
            layers.push(solver.solve(seeds, &layers, &Unobserved).unwrap());
        }
        for has_strategy in [false, true] {
            probes_allocate_nothing(rules, &layers, has_strategy);
        }
    }
}

fn probes_allocate_nothing(rules: &'static Rules, layers: &InMemory, has_strategy: bool) {
    let dir = tempfile::tempdir().unwrap();
    for solved in layers.layers() {
        let exceptions = solved.exceptions.as_ref().filter(|_| has_strategy);
        let contents = Contents { exceptions, ..Contents::from(&**solved) };
        write(dir.path(), rules, contents, WriteOptions::default()).unwrap();
    }
    // SAFETY: the tables are complete, and nobody else knows the directory.
    let mapped = unsafe { Tables::open_mapped(dir.path()) }.unwrap();
    let read = Tables::open(dir.path()).unwrap();
    let layer = Layer::of(rules, Seeds::new(9).unwrap());
    let boards: Vec<_> = (0..layer.positions())
        .step_by(37)
        .map(|rank| layer.position(Rank(rank)).unwrap())
        .collect();
    for tables in [mapped, read] {
        let mut prober = Prober::new(&tables, rules);
        let mut ask = || {
            for board in &boards {
                prober.interval(board).unwrap();
                prober.cached(board).unwrap();
                prober.moves(board).unwrap();
                prober.strategy_move(board).unwrap();
            }
        };
        ask();
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        ask();
        assert_eq!(
            ALLOCATIONS.load(Ordering::Relaxed) - before,
            0,
            "{}: {} positions",
            rules.id,
            boards.len()
        );
    }
}
