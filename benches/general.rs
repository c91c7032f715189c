//! The games beside Oware: one layer, given the layers below it, in positions a second.
//!
//! `cargo bench --bench general` solves a small layer of each way of solving again and again, and
//! then once each, on one thread and on as many as there are
//! processors, the layers that speed is asked of: `nam-nam` 20, `bao-laps` 14, `bao-stores` 16,
//! `bao-kujifunza-4x3` 16. They take up to 2 GB; `GAMES=nam-nam:16,bao-laps:12` names others, and
//! leaves the small ones out. Where other work runs beside it, the time that both processors spent on
//! it says more than that on the clock; so both are printed. All answers are held against those of
//! independent programs (`tests/data/games/layers.tsv`), as far as these have the layer.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use oware_db::game::mancala::{Layers, Sheet};
use oware_db::layer::general::{GeneralLayer, GeneralSolved};
use oware_db::solver::general::{Below, Edges, solve};

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
    let facts = facts.filter(|line| !line.starts_with('#'));
    let mut facts = facts.map(|fact| fact.split('\t').collect::<Vec<&str>>());
    let fact = facts.find(|fact| {
        let is_sheet = fact[0] == id || format!("{}-{}", fact[0], fact.get(1).unwrap_or(&"")) == id;
        let is_equal = !layer.sheet().has_owners || fact[1] == "mmmmmmoooooo";
        is_sheet && is_equal && fact[2] == layer.seeds().to_string()
    });
    fact.map(|fact| fact[7].parse().expect("a sum"))
}

fn small(criterion: &mut Criterion) {
    if std::env::var_os("GAMES").is_some() {
        return;
    }
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
    }
}

/// Seconds of processor time that this program has taken, in hundredths; no number elsewhere than
/// on Linux.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name of the program, which may have spaces in it, the twelfth and the next.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: Vec<f64> = fields.skip(11).take(2).filter_map(|field| field.parse().ok()).collect();
    if ticks.len() == 2 { ticks.iter().sum::<f64>() / 100.0 } else { f64::NAN }
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
            let (start, before) = (Instant::now(), processor_seconds());
            let found = pool.expect("threads").install(|| solved(layer, &below, Edges::Kept));
            let seconds = start.elapsed().as_secs_f64();
            let processor = processor_seconds() - before;
            let known = match known_sum(&layer) {
                Some(known) => {
                    assert_eq!(sum(&found.low), known, "{id} {seeds}");
                    "as independent programs say"
                }
                None => "not known from elsewhere",
            };
            println!(
                "    {threads} threads: {seconds:.2} s, {:.1} million positions a second; {processor:.2} s \
                 of processor time, {:.1} million a second of it; sum {}, {known}",
                positions as f64 / seconds / 1e6,
                positions as f64 / processor / 1e6,
                sum(&found.low)
            );
        }
    }
}

criterion_group!(benches, small, large);
criterion_main!(benches);
