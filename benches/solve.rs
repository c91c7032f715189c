//! One layer, given the layers below it: every kernel this machine has, and, on a smaller layer,
//! the slow solver beside them.

use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use oware_db::game::{AWARI, Interval, Score, Seeds};
use oware_db::layer::{Layer, Solved};
use oware_db::solver::oracle::{OwareLayer, solve_even_split};
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};

/// Sum of the scores of Awari's layer of 8 seeds, by independent programs (`tests/data/layers.tsv`).
const SUM_OF_8: i64 = 62_883;

fn seeds(count: usize) -> Seeds {
    Seeds::new(count).expect("48 at most")
}

fn solve(kernel: Kernel, count: usize, lower: &InMemory) -> Solved {
    let mut solver = Solver::new(&AWARI, kernel);
    solver.solve(seeds(count), lower, &Unobserved).expect("solved")
}

fn below(count: usize) -> InMemory {
    let mut layers = InMemory::default();
    for lower in 0..count {
        let solved = solve(Kernel::best(), lower, &layers);
        layers.push(solved);
    }
    layers
}

fn sum(solved: &Solved) -> i64 {
    solved.low.stretches().flatten().map(|&score| i64::from(score)).sum()
}

fn kernels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve");
    group.sampling_mode(SamplingMode::Flat);
    for count in [8, 12] {
        let lower = below(count);
        let expected =
            if count == 8 { SUM_OF_8 } else { sum(&solve(Kernel::available()[0], count, &lower)) };
        let positions = Layer::of(&AWARI, seeds(count)).positions();
        group.throughput(Throughput::Elements(positions));
        for kernel in Kernel::available() {
            let name = format!("awari, {count} seeds, {positions} positions, {}", kernel.name());
            group.bench_function(name, |bencher| {
                bencher.iter(|| assert_eq!(sum(&solve(kernel, count, &lower)), expected));
            });
        }
    }
}

fn oracle(criterion: &mut Criterion) {
    let (count, layers) = (8, below(8));
    let exact = |&score: &i8| Interval::exact(Score::new(score));
    let scores = |solved: &Solved| solved.low.stretches().flatten().map(exact).collect();
    let lower: Vec<Vec<Interval>> = layers.layers().iter().map(|solved| scores(solved)).collect();
    let layer = OwareLayer { rules: &AWARI, layer: Layer::of(&AWARI, seeds(count)), lower: &lower };
    let positions = layer.layer.positions();
    let mut group = criterion.benchmark_group("solve");
    group.sampling_mode(SamplingMode::Flat).throughput(Throughput::Elements(positions));
    group.bench_function(
        format!("awari, {count} seeds, {positions} positions, oracle"),
        |bencher| {
            let solved =
                || solve_even_split(&layer).iter().map(|score| i64::from(score.get())).sum::<i64>();
            bencher.iter(|| assert_eq!(solved(), SUM_OF_8));
        },
    );
}

fn short() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(2))
}

criterion_group! { name = benches; config = short(); targets = kernels, oracle }
criterion_main!(benches);
