//! How long one probe takes, captures looked up included: random positions of 17 seeds, with all
//! tiles they need to be decoded, and with all of them in the cache: the same position again, and, as a
//! search sees it, distinct positions whose tiles have all been decoded. Every answer is compared with the
//! solver's.
//!
//! `cargo bench --bench probe` prints medians; `cargo bench --bench probe -- awari 15` takes
//! another sheet and layer.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use oware_db::error::Result;
use oware_db::game::{Board, Rules, Seeds};
use oware_db::layer::{Layer, Rank};
use oware_db::probe::{Prober, Tables};
use oware_db::random::Dice;
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
use oware_db::table::{WriteOptions, write};

/// Probes of each kind.
const PROBES: usize = 1000;

/// Distinct positions.
const DISTINCT: usize = 500_000;

/// Bytes of a cache that has room for all tiles.
const DECODED: u64 = 2 << 30;

/// Probes that fill the smallest cache with something else.
const OTHERS: usize = 60;

fn main() {
    // `cargo bench` passes an option of its own.
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let sheets = words.first().map_or(vec!["awari", "abapa"], |sheet| vec![sheet]);
    let seeds = words.get(1).map_or(17, |seeds| seeds.parse().expect("a number of seeds"));
    for rules in sheets {
        let rules = Rules::by_id(rules).expect("a sheet");
        let dir = tempfile::tempdir().expect("a directory");
        let most = Seeds::new(seeds).expect("48 at most");
        let layers = build(rules, most, dir.path());
        for (how, tables) in [("mapped", mapped(dir.path())), ("read", Tables::open(dir.path()))] {
            let tables = tables.expect("opens").with_cache(0);
            let what = format!("{}, {seeds} seeds, {how}", rules.id);
            report(&what, &tables, rules, &layers);
        }
        let tables = mapped(dir.path()).expect("opens").with_cache(DECODED);
        distinct(&format!("{}, {seeds} seeds", rules.id), &tables, rules, &layers);
    }
}

#[allow(unsafe_code)]
fn mapped(dir: &Path) -> Result<Tables> {
    // SAFETY: the tables are complete, and nobody else knows the directory.
    unsafe { Tables::open_mapped(dir) }
}

fn build(rules: &'static Rules, most: Seeds, dir: &Path) -> InMemory {
    let (mut solver, mut layers) = (Solver::new(rules, Kernel::best()), InMemory::default());
    for seeds in most.up_to() {
        let solved = solver.solve(seeds, &layers, &Unobserved).expect("solves");
        write(dir, rules, &solved, WriteOptions::default()).expect("writes");
        layers.push(solved);
    }
    layers
}

fn report(what: &str, tables: &Tables, rules: &'static Rules, layers: &InMemory) {
    let mut prober = Prober::new(tables, rules);
    let (mut dice, layer) = (Dice::new(17), layers.layers().last().expect("layers").layer());
    let (mut cold, mut warm, mut scored) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..PROBES {
        for _ in 0..OTHERS {
            prober.interval(&random(layer, &mut dice)).expect("probes");
        }
        let board = random(layer, &mut dice);
        let expected = layers.layers()[layer.seeds().get()].interval(&board).expect("in the layer");
        let mut timed = |into: &mut Vec<f64>| {
            let clock = Instant::now();
            let found = prober.interval(black_box(&board)).expect("probes");
            into.push(clock.elapsed().as_secs_f64() * 1e6);
            assert_eq!(found, expected, "{board}");
        };
        timed(&mut cold);
        timed(&mut warm);
        drop(prober.moves(&board).expect("probes"));
        let clock = Instant::now();
        black_box(prober.moves(black_box(&board)).expect("probes"));
        scored.push(clock.elapsed().as_secs_f64() * 1e6);
    }
    for (kind, times) in
        [("cold", &mut cold), ("warm", &mut warm), ("warm, every move", &mut scored)]
    {
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[(share * PROBES as f64) as usize];
        println!(
            "{what}, {kind}: median {:.2} µs, nine in ten {:.2} µs, all {:.2} µs",
            at(0.5),
            at(0.9),
            times[PROBES - 1]
        );
    }
}

/// What a probe of a distinct position takes on the average when all tiles have been decoded.
fn distinct(what: &str, tables: &Tables, rules: &'static Rules, layers: &InMemory) {
    let mut prober = Prober::new(tables, rules);
    let (mut dice, solved) = (Dice::new(18), layers.layers().last().expect("layers"));
    let boards: Vec<Board> = (0..DISTINCT).map(|_| random(solved.layer(), &mut dice)).collect();
    for board in &boards {
        prober.moves(board).expect("probes");
        let found = prober.interval(board).expect("probes");
        assert_eq!(Some(found), solved.interval(board), "{board}");
    }
    let score = mean_time(&boards, |board| drop(black_box(prober.interval(board))));
    println!("{what}, distinct: {score:.2} µs");
    let moves = mean_time(&boards, |board| drop(black_box(prober.moves(board))));
    println!("{what}, distinct, every move: {moves:.2} µs");
}

/// Microseconds for each of the boards.
fn mean_time(boards: &[Board], probe: impl FnMut(&Board)) -> f64 {
    let clock = Instant::now();
    boards.iter().for_each(probe);
    clock.elapsed().as_secs_f64() * 1e6 / boards.len() as f64
}

fn random(layer: Layer, dice: &mut Dice) -> Board {
    layer.position(Rank(dice.below(layer.positions()))).expect("a rank of the layer")
}
