//! Legal moves: a fixed set of positions, and perft from the start of the game.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use oware_db::game::{ABAPA, Board, SHEETS, Seeds, legal_moves, perft};
use oware_db::layer::{Domain, Layer, Rank};
use oware_db::random::Dice;

const BOARDS: u64 = 1000;

/// Boards with 1 to 48 seeds.
fn boards() -> Vec<Board> {
    let board = |i: u64| {
        let layer = Layer::new(Seeds::new(1 + i as usize % 48).expect("48 at most"), Domain::All);
        let rank = Rank(Dice::new(i).below(layer.positions()));
        layer.position(rank).expect("a rank")
    };
    (1..=BOARDS).map(board).collect()
}

fn moves(criterion: &mut Criterion) {
    let boards = boards();
    let mut group = criterion.benchmark_group("moves");
    group.throughput(Throughput::Elements(BOARDS));
    for rules in SHEETS {
        let count =
            || boards.iter().map(|board| legal_moves(rules, black_box(board)).len()).sum::<usize>();
        let expected: usize = boards.iter().map(|board| perft(rules, board, 1) as usize).sum();
        group.bench_function(format!("legal_moves, {BOARDS} boards, {}", rules.id), |bencher| {
            bencher.iter(|| assert_eq!(count(), expected));
        });
    }
    group.throughput(Throughput::Elements(27_332));
    group.bench_function("perft 6 from the start, 27332 paths, abapa", |bencher| {
        bencher.iter(|| assert_eq!(perft(&ABAPA, black_box(&Board::INITIAL), 6), 27_332));
    });
}

fn short() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
}

criterion_group! { name = benches; config = short(); targets = moves }
criterion_main!(benches);
