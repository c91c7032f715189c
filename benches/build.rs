//! How long a build takes, in seconds and in units of this machine.
//!
//! Seconds say little about a program unless the machine is known. So the same run times a *unit*
//! of the work that a solver cannot do without: 80,000 passes of `acc[i] = max(acc[i], -src[i])`
//! over two arrays of 256 KiB, on one core, compiled for the machine. Then `oware build` makes
//! tables in a fresh directory, on one thread and on two, from the start of the process to its
//! end, every file on the disk; what it built is compared with the sums of independent programs.
//!
//! `scripts/bench-build` runs it as it is meant to be run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Deserialize;

/// Each figure is the median of this many runs.
const RUNS: usize = 3;

fn main() {
    let wish = Wish::read();
    let program = compile_unit();
    let unit = median((0..RUNS).map(|_| unit(&program)), |&seconds| seconds);
    // Taken in turns, so that a slow minute of the machine hits all alike.
    let runs: Vec<[Built; 3]> = (0..RUNS)
        .map(|_| {
            [(1, true), (2, true), (2, false)]
                .map(|(threads, strategies)| build(&wish, threads, strategies))
        })
        .collect();
    let of = |kind: usize| median(runs.iter().map(|built| &built[kind]), |built| built.seconds);
    report(&wish, unit, of(0), of(1), of(2));
}

/// What to build, and with which program.
struct Wish {
    oware: PathBuf,
    rules: String,
    seeds: usize,
}

impl Wish {
    /// From `--oware PATH --rules SHEET --seeds N`. What `cargo bench` adds is passed over.
    fn read() -> Wish {
        let mut wish =
            Wish { oware: env!("CARGO_BIN_EXE_oware").into(), rules: "awari".into(), seeds: 20 };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().unwrap_or_else(|| panic!("{word} needs a value"));
            match word.as_str() {
                "--oware" => wish.oware = value().into(),
                "--rules" => wish.rules = value(),
                "--seeds" => wish.seeds = value().parse().expect("--seeds needs a number"),
                _ => {}
            }
        }
        wish
    }

    fn command(&self, what: &str) -> Command {
        let mut command = Command::new(&self.oware);
        command.args([what, "--rules", &self.rules]).stdin(Stdio::null());
        command
    }
}

/// Compiles the unit for this machine; gives the program.
fn compile_unit() -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unit");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/build/unit.rs");
    let mut rustc = Command::new("rustc");
    rustc
        .args(["--edition=2024", "-Copt-level=3", "-Ctarget-cpu=native", source, "-o"])
        .arg(&program);
    assert!(rustc.status().expect("rustc starts").success(), "the unit does not compile");
    program
}

/// Seconds that the unit takes.
fn unit(program: &Path) -> f64 {
    let output = Command::new(program).output().expect("the unit starts");
    assert!(output.status.success(), "the unit failed");
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("seconds")
}

/// What a build took and what it left behind.
struct Built {
    seconds: f64,
    peak_bytes: u64,
    layers: Vec<Layer>,
}

/// The fields of `oware stats --json` that matter here.
#[derive(Deserialize)]
struct Layer {
    seeds: usize,
    positions: u64,
    low_sum: i64,
    bytes: u64,
}

/// Builds in a fresh directory and compares the sums.
fn build(wish: &Wish, threads: usize, strategies: bool) -> Built {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let mut command = wish.command("build");
    command.args([
        "--quiet",
        "--seeds",
        &wish.seeds.to_string(),
        "--threads",
        &threads.to_string(),
    ]);
    if !strategies {
        command.arg("--no-strategy");
    }
    let (seconds, peak_bytes) = time(command.arg("--out").arg(dir.path()).stdout(Stdio::null()));
    Built { seconds, peak_bytes, layers: layers(wish, dir.path()) }
}

/// Seconds from the start of a process to its end, and the most memory it held.
fn time(command: &mut Command) -> (f64, u64) {
    let start = Instant::now();
    let mut child = command.spawn().expect("the program starts");
    let (status, ended) = (format!("/proc/{}/status", child.id()), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut peak = 0;
            while !ended.load(Ordering::Relaxed) {
                peak = peak_memory(&status).unwrap_or(peak);
                std::thread::sleep(Duration::from_millis(2));
            }
            peak
        });
        let success = child.wait().expect("the program ends").success();
        let seconds = start.elapsed().as_secs_f64();
        ended.store(true, Ordering::Relaxed);
        assert!(success, "the build failed");
        (seconds, watcher.join().expect("a watcher"))
    })
}

/// The high-water mark that Linux keeps of a process; elsewhere there is none to read.
fn peak_memory(status: &str) -> Option<u64> {
    let text = std::fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes << 10)
}

/// The layers in `dir`, their sums compared with `tests/data/layers.tsv` as far as that goes.
fn layers(wish: &Wish, dir: &Path) -> Vec<Layer> {
    #[derive(Deserialize)]
    struct Stats {
        layers: Vec<Layer>,
    }
    let output = wish
        .command("stats")
        .arg("--json")
        .arg("--tables")
        .arg(dir)
        .output()
        .expect("the program runs");
    let stats: Stats = serde_json::from_slice(&output.stdout).expect("statistics");
    assert_eq!(stats.layers.len(), wish.seeds + 1);
    let facts = include_str!("../tests/data/layers.tsv").lines();
    for fact in facts.filter_map(|line| line.strip_prefix(&format!("{}\t", wish.rules))) {
        let numbers: Vec<i64> =
            fact.split('\t').map(|field| field.parse().expect("a number")).collect();
        let (seeds, sum) = (numbers[0] as usize, numbers[numbers.len() - 1]);
        if let Some(layer) = stats.layers.iter().find(|layer| layer.seeds == seeds) {
            assert_eq!((layer.positions as i64, layer.low_sum), (numbers[1], sum), "{fact}");
        }
    }
    stats.layers
}

fn median<T>(samples: impl Iterator<Item = T>, key: impl Fn(&T) -> f64) -> T {
    let mut samples: Vec<T> = samples.collect();
    samples.sort_by(|one, other| key(one).total_cmp(&key(other)));
    samples.swap_remove(samples.len() / 2)
}

fn report(wish: &Wish, unit: f64, one: &Built, two: &Built, scores: &Built) {
    let (largest, lower) = two.layers.split_last().expect("a layer");
    let sum = |number: fn(&Layer) -> u64, layers: &[Layer]| layers.iter().map(number).sum::<u64>();
    let (positions, files) =
        (sum(|layer| layer.positions, &two.layers), sum(|layer| layer.bytes, &two.layers));
    let time =
        |built: &Built| format!("{:.2} s = {:.2} units", built.seconds, built.seconds / unit);
    let memory = |built: &Built| {
        let each = built.peak_bytes as f64 / largest.positions as f64;
        format!(
            "{:.0} MB = {each:.2} bytes a position of the largest layer",
            built.peak_bytes as f64 / 1e6
        )
    };
    println!("| `oware build --rules {} --seeds {}` | median of {RUNS} |", wish.rules, wish.seeds);
    println!("|---|---|");
    println!("| unit | {unit:.3} s |");
    println!("| build, 1 thread | {} |", time(one));
    println!("| build, 2 threads | {} |", time(two));
    println!("| build, 2 threads, `--no-strategy` | {} |", time(scores));
    println!("| time with strategies, by time without | {:.2} |", two.seconds / scores.seconds);
    println!("| speed-up | {:.2} |", one.seconds / two.seconds);
    println!("| positions, all layers | {positions} |");
    println!(
        "| positions a second, 2 threads | {:.1} million |",
        positions as f64 / two.seconds / 1e6
    );
    println!("| positions, largest layer | {} |", largest.positions);
    println!("| peak memory, 1 thread | {} |", memory(one));
    println!("| peak memory, 2 threads | {} |", memory(two));
    println!("| peak memory, 2 threads, `--no-strategy` | {} |", memory(scores));
    println!(
        "| lower layers at one byte a position | {:.0} MB |",
        sum(|layer| layer.positions, lower) as f64 / 1e6
    );
    println!("| lower layers, files | {:.1} MB |", sum(|layer| layer.bytes, lower) as f64 / 1e6);
    let bits = |bytes: u64| {
        format!(
            "{:.1} MB = {:.2} bits a position",
            bytes as f64 / 1e6,
            8.0 * bytes as f64 / positions as f64
        )
    };
    let without = sum(|layer| layer.bytes, &scores.layers);
    println!("| all files | {} |", bits(files));
    println!("| all files, `--no-strategy` | {} |", bits(without));
    println!("| strategies | {} |", bits(files - without));
}
