//! One layer, given the layers below it: every kernel this machine has, with its speed in positions
//! a second and cycles a position; large layers on one thread and on many, and how long they wait.
//!
//! `cargo bench --bench solve` takes some gigabytes for the largest layer; `LAYERS=20` names
//! others.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use oware_db::game::{AWARI, Seeds};
use oware_db::layer::{Layer, Solved};
use oware_db::solver::{Event, InMemory, Kernel, Observer, Solver, Unobserved};

/// Sum of the scores of Awari's layer of 8 seeds, by independent programs
/// (`tests/data/layers.tsv`).
const SUM_OF_8: i64 = 62_883;

/// Seeds of a layer that no cache holds.
const LARGE: usize = 17;

/// Solves of a large layer that are timed with each number of threads, after a first one.
const RUNS: u32 = 5;

fn seeds(count: usize) -> Seeds {
    Seeds::new(count).expect("48 at most")
}

fn below(count: usize) -> InMemory {
    let mut layers = InMemory::default();
    let mut solver = Solver::new(&AWARI, Kernel::best()).without_strategies();
    for lower in 0..count {
        let solved = solver.solve(seeds(lower), &layers, &Unobserved).expect("solved");
        layers.push(solved);
    }
    layers
}

fn sum(solved: &Solved) -> i64 {
    solved.low.scores().map(i64::from).sum()
}

fn kernels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve");
    group.sampling_mode(SamplingMode::Flat);
    // The threads of this machine would tell more about the machine than about the kernels.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for count in [8, 12, LARGE] {
        let lower = below(count);
        let mut best = Solver::new(&AWARI, Kernel::best());
        let solved = best.solve(seeds(count), &lower, &Unobserved).expect("solved");
        let expected = if count == 8 { SUM_OF_8 } else { sum(&solved) };
        let positions = Layer::of(&AWARI, seeds(count)).positions();
        group.throughput(Throughput::Elements(positions));
        for kernel in Kernel::available() {
            let name = format!("awari, {count} seeds, {positions} positions, {}", kernel.name());
            // The same solver again and again: its plans and its memory are there, as they are when
            // layers are built one after the other.
            let mut solver = Solver::new(&AWARI, kernel).without_strategies();
            let mut seconds = f64::INFINITY;
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    let start = Instant::now();
                    let solved = alone.install(|| solver.solve(seeds(count), &lower, &Unobserved));
                    seconds = seconds.min(start.elapsed().as_secs_f64());
                    solved.expect("solved")
                });
            });
            let solved = solver.solve(seeds(count), &lower, &Unobserved).expect("solved");
            assert_eq!(sum(&solved), expected);
            if seconds.is_finite() {
                print_speed(positions, seconds);
            }
        }
    }
}

/// What the fastest solve took on one thread, by positions.
fn print_speed(positions: u64, seconds: f64) {
    let speed = positions as f64 / seconds / 1e6;
    let cycles =
        megahertz().map(|megahertz| format!(", {:.1} cycles a position", megahertz / speed));
    println!("    {speed:.1} million positions a second{}", cycles.unwrap_or_default());
}

/// What Linux says the processor's clock is.
fn megahertz() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("cpu MHz"))?;
    line.split(':').nth(1)?.trim().parse().ok()
}

/// Large layers as a build solves them: all lower ones are in memory, and the solver keeps its
/// plans and its memory. On one thread, on as many as there are processors, and on more, which
/// tells whether any thread is waited for in vain.
fn layers(_: &mut Criterion) {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    for count in large_layers() {
        let lower = below(count);
        let positions = Layer::of(&AWARI, seeds(count)).positions();
        println!("awari, {count} seeds, {positions} positions, {processors} processors");
        for threads in [1, processors, 4 * processors] {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| time_layer(count, &lower));
        }
    }
}

/// The layers that are timed, or those that `LAYERS` names instead, as `20,22`.
fn large_layers() -> Vec<usize> {
    let named = std::env::var("LAYERS").unwrap_or_else(|_| "20,24".to_owned());
    named.split(',').map(|count| count.parse().expect("a number of seeds")).collect()
}

/// Solves a layer again and again on the threads of the pool.
fn time_layer(count: usize, lower: &InMemory) {
    let positions = Layer::of(&AWARI, seeds(count)).positions();
    let mut solver = Solver::new(&AWARI, Kernel::best()).without_strategies();
    if let Ok(tail) = std::env::var("TAIL") {
        solver = solver.with_tail(tail.parse().expect("one in so many positions"));
    }
    let threads = rayon::current_num_threads();
    println!("  {threads} threads");
    let mut times = Vec::new();
    for run in 0..=RUNS {
        let (start, before) = (Instant::now(), thread_seconds());
        solver.solve(seeds(count), lower, &Unobserved).expect("solved");
        let seconds = start.elapsed().as_secs_f64();
        let [worked, ready] = [0, 1].map(|which| thread_seconds()[which] - before[which]);
        let idle = 1.0 - (worked + ready) / seconds / threads as f64;
        if run == 0 {
            println!("    first, plans and pages new: {seconds:.3} s");
        } else {
            times.push((seconds, worked, idle));
        }
    }
    times.sort_by(|one, other| one.0.total_cmp(&other.0));
    for (name, (seconds, worked, idle)) in
        [("fastest", times[0]), ("median", times[times.len() / 2])]
    {
        println!(
            "    {name} {seconds:.3} s, {worked:.3} s of processors, idle {:.0} %",
            100.0 * idle
        );
        print_speed(positions, seconds);
    }
    print_steps(&mut solver, count, lower);
}

/// How long the threads of this process have worked, and how long they would have if a processor
/// had been free; the rest of the time they have waited for each other. As Linux counts it.
fn thread_seconds() -> [f64; 2] {
    let mut sums = [0.0; 2];
    for thread in std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        let times = text.split_whitespace().filter_map(|time| time.parse::<f64>().ok());
        sums.iter_mut().zip(times).for_each(|(sum, time)| *sum += time / 1e9);
    }
    sums
}

/// Notes what each step of a solve has taken, of time and of processors.
struct Clock(Mutex<(Instant, f64, [[f64; 2]; 3])>);

/// Steps of a solve, of which sweeps are printed one by one.
const STEPS: [&str; 3] = ["plan and first captures", "other captures", "marks"];

impl Clock {
    fn start() -> Clock {
        Clock(Mutex::new((Instant::now(), thread_seconds()[0], [[0.0; 2]; 3])))
    }
}

impl Observer for Clock {
    fn notice(&self, event: Event) {
        let mut clock = self.0.lock().expect("one thread tells");
        let (now, worked) = (Instant::now(), thread_seconds()[0]);
        let passed = [now.duration_since(clock.0).as_secs_f64(), worked - clock.1];
        (clock.0, clock.1) = (now, worked);
        let add = |step: &mut [f64; 2]| step.iter_mut().zip(passed).for_each(|(sum, s)| *sum += s);
        match event {
            Event::Captures { seeds, into } => {
                add(&mut clock.2[usize::from(into.get() + 1 < seeds.get())]);
            }
            Event::Swept { sweep, changed, .. } => {
                println!("    sweep {sweep}: {}, {changed} changes", milliseconds(passed));
            }
            Event::Settled { .. } => add(&mut clock.2[2]),
            _ => {}
        }
    }
}

fn milliseconds([passed, worked]: [f64; 2]) -> String {
    format!("{:.1} ms, {:.1} ms of processors", 1e3 * passed, 1e3 * worked)
}

/// Prints what the steps of a solve take.
fn print_steps(solver: &mut Solver, count: usize, lower: &InMemory) {
    let clock = Clock::start();
    solver.solve(seeds(count), lower, &clock).expect("solved");
    let (_, _, steps) = clock.0.into_inner().expect("one thread tells");
    for (name, step) in STEPS.iter().zip(steps) {
        println!("    {name}: {}", milliseconds(step));
    }
}

fn short() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(2))
}

criterion_group! { name = benches; config = short(); targets = kernels, layers }
criterion_main!(benches);
