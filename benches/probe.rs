//! One probe of a table: into a block that has to be decoded, and into one that is at hand.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use oware_db::board::Seeds;
use oware_db::index::{Place, Rank};
use oware_db::rules::AWARI;
use oware_db::score::Interval;
use oware_db::solver::plane::Solved;
use oware_db::solver::ports::{InMemory, Unobserved};
use oware_db::solver::{Kernel, Solver};
use oware_db::table::{Access, Scratch, TILE_POSITIONS, Table, WriteOptions, write};

/// The table has 800 tiles, more than a [`Scratch`] keeps.
const SEEDS: usize = 13;

fn solve() -> InMemory {
    let mut solver = Solver::new(&AWARI, Kernel::best());
    let mut layers = InMemory::default();
    for seeds in Seeds::new(SEEDS).expect("48 at most").up_to() {
        let solved = solver.solve(seeds, &layers, &Unobserved).expect("solved");
        layers.push(solved);
    }
    layers
}

fn expected(solved: &Solved, rank: u64) -> (Place, Interval) {
    let board = solved.layer().position(Rank(rank)).expect("a rank");
    (solved.layer().place(&board).expect("in the layer"), solved.interval(&board).expect("in the layer"))
}

/// Probes that each have to decode a block: one in every block, round and round.
fn cold(solved: &Solved) -> Vec<(Rank, Interval)> {
    let block = u64::from(BLOCK_POSITIONS);
    (0..solved.layer().positions() / block).map(|i| expected(solved, i * block + i * 7919 % block)).collect()
}

/// Probes into the first block.
fn warm(solved: &Solved) -> Vec<(Rank, Interval)> {
    (0..1000).map(|i| expected(solved, i * 7919 % u64::from(BLOCK_POSITIONS))).collect()
}

fn probes(criterion: &mut Criterion) {
    let layers = solve();
    let solved = &layers.layers()[SEEDS];
    let dir = tempfile::tempdir().expect("a directory");
    let written = write(dir.path(), &AWARI, &**solved, WriteOptions::default()).expect("written");
    for (how, access) in [("mapped", Access::Map), ("read", Access::Read)] {
        let table = Table::open(&written.path, access).expect("opened");
        for (what, facts) in [("cold", cold(solved)), ("warm", warm(solved))] {
            let (mut scratch, mut next) = (Scratch::new(), facts.iter().cycle());
            criterion.bench_function(&format!("probe, awari, {SEEDS} seeds, {how}, {what} block"), |bencher| {
                bencher.iter(|| {
                    let &(rank, interval) = next.next().expect("it goes round");
                    assert_eq!(table.interval(black_box(rank), &mut scratch).expect("probed"), interval);
                });
            });
        }
    }
}

fn short() -> Criterion {
    Criterion::default()
        .sample_size(30)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
}

criterion_group! { name = benches; config = short(); targets = probes }
criterion_main!(benches);
