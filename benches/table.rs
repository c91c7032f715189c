//! What writing and reading the table of a layer take, in nanoseconds a position, on one thread.
//!
//! It encodes a layer as a build does, proves every byte of the file, and decodes all of it into
//! planes; what comes back has the bounds of the layer wherever no capture attains them. Times are
//! those of the processor, not of the clock. `LAYERS=12,20` names other layers than 17.

use std::time::Duration;

use oware_db::game::{ABAPA, ABAPA_AGREED, AWARI, Rules, Seeds};
use oware_db::layer::{Layer, Solved};
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
use oware_db::table::{Table, WriteOptions, write};

/// Runs that are timed, after a first one.
const RUNS: usize = 5;

fn main() {
    let layers = std::env::var("LAYERS").unwrap_or_else(|_| "17".to_owned());
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for rules in [&AWARI, &ABAPA, &ABAPA_AGREED] {
        for seeds in layers.split(',').map(|count| count.parse().expect("a number of seeds")) {
            alone.install(|| time_layer(rules, Seeds::new(seeds).expect("48 at most")));
        }
    }
}

fn time_layer(rules: &'static Rules, seeds: Seeds) {
    let (solved, positions) = (solved(rules, seeds), Layer::of(rules, seeds).positions());
    println!("{}, {seeds} seeds, {positions} positions", rules.id);
    let dir = tempfile::tempdir().expect("a temporary directory");
    let print = |what: &str, run: &mut dyn FnMut()| {
        run();
        let mut times: Vec<Duration> = (0..RUNS).map(|_| processor_time(run)).collect();
        times.sort();
        let nanoseconds = times[RUNS / 2].as_secs_f64() * 1e9 / positions as f64;
        println!("    {what}: {nanoseconds:.1} ns a position");
    };
    let mut path = None;
    print("encoding", &mut || {
        let written = write(dir.path(), rules, &solved, WriteOptions::default());
        path = Some(written.expect("written").path);
    });
    let table = Table::open(path.expect("written")).expect("opened");
    println!("    {:.3} bits a position", 8.0 * table.bytes() as f64 / positions as f64);
    print("proving every byte", &mut || table.check().expect("whole"));
    print("decoding into planes", &mut || compare(&table.load_stored().expect("whole"), &solved));
}

/// A layer with all that a table wants of it.
fn solved(rules: &'static Rules, seeds: Seeds) -> Solved {
    let mut layers = InMemory::default();
    let mut solver = Solver::new(rules, Kernel::best()).without_strategies();
    for lower in seeds.up_to().filter(|&lower| lower < seeds) {
        let solved = solver.solve(lower, &layers, &Unobserved).expect("solved");
        layers.push(solved);
    }
    solver.solve(seeds, &layers, &Unobserved).expect("solved")
}

/// What is stored is never above the truth.
fn compare(stored: &Solved, solved: &Solved) {
    let both = stored.low.scores().zip(solved.low.scores());
    assert!(both.fold(true, |all, (stored, truth)| all & (stored <= truth)));
}

/// What the processors have done for this process while something ran, as Linux counts it.
fn processor_time(run: &mut dyn FnMut()) -> Duration {
    let before = worked();
    run();
    worked() - before
}

fn worked() -> Duration {
    let mut sum = Duration::ZERO;
    for thread in std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        let time = text.split_whitespace().next().and_then(|time| time.parse().ok());
        sum += Duration::from_nanos(time.unwrap_or(0));
    }
    sum
}
