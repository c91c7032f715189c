//! The games beside Oware: one layer, given the layers below it, in positions a second.
//!
//! `cargo bench --bench general` solves a small layer of each way of solving again and again, with
//! the slow solver beside it, and then once each, on one thread and on as many as there are
//! processors, the layers that speed is asked of: `nam-nam` 20, `bao-laps` 14, `bao-stores` 16,
//! `bao-kujifunza-4x3` 16. They take up to 4 GB; `GAMES=nam-nam:16,bao-laps:12` names others. All
//! answers are held against those of independent programs (`tests/data/games/layers.tsv`), as far as
//! these have the layer.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use oware_db::game::Interval;
use oware_db::game::mancala::{Layers, Sheet};
use oware_db::layer::general::{GeneralLayer, GeneralSolved};
use oware_db::solver::general::{Below, Edges, solve};
use oware_db::solver::oracle::{MancalaLayer, solve_even_split};

/// The layers that are timed once.
const LARGE: &str = "nam-nam:20,bao-laps:14,bao-stores:16,bao-kujifunza-4x3:16";

/// The layers that are timed again and again.
const SMALL: [(&str, usize); 4] =
    [("nam-nam", 8), ("bao-laps", 7), ("bao-stores", 7), ("bao-kujifunza-4x3", 8)];

fn layer(id: &str, seeds: usize) -> GeneralLayer {
    let sheet = Sheet::by_id(id).expect("a sheet");
    assert!(sheet.has_layer(seeds), "{id} has no layer of {seeds}");
    GeneralLayer::new(sheet, seeds)
}

fn solved(layer: GeneralLayer, below: &Below, edges: Edges) -> GeneralSolved {
    solve(layer, below, edges, &AtomicBool::new(false)).expect("nobody stops it")
}

/// All layers that one rests on.
fn below(layer: GeneralLayer) -> Below {
    let mut below = Below::new();
    if layer.sheet().layers == Layers::BySeeds {
        for seeds in (0..layer.seeds()).filter(|&seeds| layer.sheet().has_layer(seeds)) {
            let found = solved(layer.with_seeds(seeds), &below, Edges::Kept);
            below.insert(seeds, found);
        }
    }
    below
}

fn sum(scores: &[i8]) -> i64 {
    scores.iter().map(|&score| i64::from(score)).sum()
}

/// The sum of the scores of a layer, by independent programs.
fn known_sum(layer: &GeneralLayer) -> Option<i64> {
    let id = layer.sheet().id;
    let facts = include_str!("../tests/data/games/layers.tsv").lines();
    let mut facts = facts.map(|fact| fact.split('\t').collect::<Vec<&str>>());
    let fact = facts.find(|fact| {
        let is_sheet = fact[0] == id || format!("{}-{}", fact[0], fact.get(1).unwrap_or(&"")) == id;
        let is_equal = !layer.sheet().has_owners || fact[1] == "mmmmmmoooooo";
        is_sheet && is_equal && fact[2] == layer.seeds().to_string()
    });
    fact.map(|fact| fact[7].parse().expect("a sum"))
}

fn small(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("general");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    for (id, seeds) in SMALL {
        let layer = layer(id, seeds);
        let (below, positions) = (below(layer), layer.positions());
        let expected = known_sum(&layer).expect("a known layer");
        group.throughput(Throughput::Elements(positions));
        for (name, edges) in [("", Edges::Kept), (", moves made anew", Edges::MadeAnew)] {
            let name = format!("{id}, {seeds} seeds, {positions} positions{name}");
            group.bench_function(name, |bencher| {
                bencher.iter(|| solved(layer, &below, edges));
            });
            assert_eq!(sum(&solved(layer, &below, edges).low), expected);
        }
        let lower: BTreeMap<usize, Vec<Interval>> =
            below.iter().map(|(&seeds, solved)| (seeds, intervals(solved))).collect();
        let game = MancalaLayer { layer, lower: &lower };
        let name = format!("{id}, {seeds} seeds, {positions} positions, slow");
        group.bench_function(name, |bencher| bencher.iter(|| solve_even_split(&game)));
        let slow: Vec<i8> = solve_even_split(&game).iter().map(|score| score.get()).collect();
        assert_eq!(sum(&slow), expected);
    }
}

fn intervals(solved: &GeneralSolved) -> Vec<Interval> {
    solved.low.iter().map(|&low| Interval::exact(oware_db::game::Score::new(low))).collect()
}

/// Large layers as a build solves them: all lower ones are in memory.
fn large(_: &mut Criterion) {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let named = std::env::var("GAMES").unwrap_or_else(|_| LARGE.to_owned());
    for game in named.split(',').filter(|game| !game.is_empty()) {
        let (id, seeds) = game.split_once(':').expect("SHEET:SEEDS");
        let layer = layer(id, seeds.parse().expect("a number of seeds"));
        let (below, positions) = (below(layer), layer.positions());
        println!("{id}, {seeds} seeds, {positions} positions, {processors} processors");
        for threads in [1, processors] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let start = Instant::now();
            let found = pool.expect("threads").install(|| solved(layer, &below, Edges::Kept));
            let seconds = start.elapsed().as_secs_f64();
            let known = match known_sum(&layer) {
                Some(known) => {
                    assert_eq!(sum(&found.low), known, "{id} {seeds}");
                    "as independent programs say"
                }
                None => "not known from elsewhere",
            };
            println!(
                "    {threads} threads: {seconds:.2} s, {:.1} million positions a second, sum {}, \
                 {known}",
                positions as f64 / seconds / 1e6,
                sum(&found.low)
            );
        }
    }
}

criterion_group!(benches, small, large);
criterion_main!(benches);
