//! Position to rank and back: 1,000 positions of a layer, spread over all of it.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use oware_db::game::{Board, Seeds};
use oware_db::layer::{Domain, Layer, Rank};
use oware_db::random::Dice;

const POSITIONS: u64 = 1000;

/// Ranks in an order that no cache foresees.
fn ranks(layer: Layer) -> Vec<Rank> {
    (1..=POSITIONS).map(|i| Rank(Dice::new(i).below(layer.positions()))).collect()
}

fn both_ways(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("index");
    group.throughput(Throughput::Elements(POSITIONS));
    for (seeds, domain) in [
        (12, Domain::EmptyHouse),
        (24, Domain::EmptyHouse),
        (48, Domain::EmptyHouse),
        (48, Domain::All),
    ] {
        let layer = Layer::new(Seeds::new(seeds).expect("48 at most"), domain);
        let ranks = ranks(layer);
        let boards: Vec<Board> =
            ranks.iter().map(|&rank| layer.position(rank).expect("a rank")).collect();
        group.bench_function(
            format!("rank, {POSITIONS} positions of {seeds} seeds, {domain:?}"),
            |bencher| {
                bencher.iter(|| {
                    let found = boards.iter().map(|board| layer.rank(black_box(board)));
                    assert!(found.eq(ranks.iter().map(|&rank| Some(rank))));
                });
            },
        );
        group.bench_function(
            format!("position, {POSITIONS} ranks of {seeds} seeds, {domain:?}"),
            |bencher| {
                bencher.iter(|| {
                    let found = ranks.iter().map(|&rank| layer.position(black_box(rank)));
                    assert!(found.eq(boards.iter().map(|&board| Some(board))));
                });
            },
        );
    }
}

fn short() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
}

criterion_group! { name = benches; config = short(); targets = both_ways }
criterion_main!(benches);
