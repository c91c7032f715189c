//! The fast solver against the slow one, and both against facts from outside.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::solver::tests::oracle::OwareLayer;
use oware_db::error::Error;
use oware_db::game::{
    ABAPA, ABAPA_AGREED, ABAPA_EVERY, AWARI, Board, Endless, Interval, MASTERS_DRAWN, Rules,
    SHEETS, Score, Seeds, legal_moves,
};
use oware_db::layer::{Layer, Plane, Rank, Solved};
use oware_db::solver::{Event, InMemory, Kernel, Observer, Solver, Unobserved};

use crate::solver::tests::layers::{affordable, long, solved, solved_by, solver};
use crate::solver::tests::own_side::OWARE;

fn fast(rules: &'static Rules, most: usize, kernel: Kernel) -> InMemory {
    solved_by(solver(rules, kernel), most)
}

/// Bounds that hold wherever a cycle is cut, given the scores of lower layers: those of the sheet,
/// where its first repetition ends the game, are taken from `exact`.
fn slow(rules: &Rules, most: usize, exact: &InMemory) -> Vec<Vec<Interval>> {
    let (mut lower, mut bounds) = (Vec::new(), Vec::new());
    for seeds in Seeds::new(most).unwrap().up_to() {
        let game = OwareLayer { rules, layer: Layer::of(rules, seeds), lower: &lower };
        let intervals = game.solve();
        let settled = &exact.layers()[seeds.get()];
        lower.push(if rules.endless.is_settled() {
            intervals_of(&settled.low, settled.high())
        } else {
            intervals.clone()
        });
        bounds.push(intervals);
    }
    bounds
}

fn intervals_of(low: &Plane, high: &Plane) -> Vec<Interval> {
    let bounds = scores(low).into_iter().zip(scores(high));
    bounds.map(|(low, high)| Interval { low, high }).collect()
}

fn scores(plane: &Plane) -> Vec<Score> {
    plane.scores().map(Score::new).collect()
}

fn assert_equals_oracle(rules: &'static Rules, most: usize) {
    assert_equals(rules, &slow(rules, most, &solved(rules, most)));
}

/// The bounds of the layers from 0 on.
fn assert_equals(rules: &'static Rules, expected: &[Vec<Interval>]) {
    let most = expected.len() - 1;
    for kernel in Kernel::available() {
        let layers = fast(rules, most, kernel);
        for (seeds, expected) in expected.iter().enumerate() {
            let solved = &layers.layers()[seeds];
            let (low, high) = solved.bounds();
            let found = intervals_of(low, high);
            let first = found.iter().zip(expected).position(|(found, expected)| found != expected);
            assert_eq!(found.len(), expected.len());
            if let Some(rank) = first {
                let board = Layer::of(rules, Seeds::new(seeds).unwrap());
                let board = board.position(Rank(rank as u64)).unwrap();
                panic!(
                    "{} {kernel:?} {board}: {} instead of {}",
                    rules.id, found[rank], expected[rank]
                );
            }
        }
    }
}

fn even_sheets() -> impl Iterator<Item = &'static Rules> {
    SHEETS.into_iter().filter(|rules| rules.endless == Endless::EvenSplit)
}

#[test]
fn every_kernel_equals_the_oracle_on_every_sheet() {
    let most = |rules: &Rules| if rules == &AWARI { 8 } else { long(8) };
    even_sheets().for_each(|rules| assert_equals_oracle(rules, most(rules)));
    // Nothing is left open below 8 seeds, so both sheets have the same bounds that far.
    assert_equals(&ABAPA, &OWARE);
    assert_equals(&ABAPA_AGREED, &OWARE);
    assert_equals_oracle(&ABAPA_EVERY, long(7));
    assert_equals_oracle(&MASTERS_DRAWN, long(8));
}

#[test]
#[ignore = "up to a minute: cargo test --release --lib fixpoints -- --ignored"]
fn every_kernel_equals_the_oracle_of_own_rows_in_larger_layers() {
    assert_equals_oracle(&ABAPA, 9);
    assert_equals_oracle(&ABAPA_AGREED, 8);
    assert_equals_oracle(&ABAPA_EVERY, 8);
}

#[test]
fn sums_of_independent_programs() {
    let facts = std::fs::read_to_string("tests/data/layers.tsv").unwrap();
    let mut checked = 0;
    for rules in even_sheets() {
        let layers = solved(rules, 10);
        for fact in facts.lines().filter(|line| line.starts_with(&format!("{}\t", rules.id))) {
            let fields: Vec<i64> =
                fact.split('\t').skip(1).map(|field| field.parse().unwrap()).collect();
            let found = scores(&layers.layers()[fields[0] as usize].low);
            let count = |wanted: std::cmp::Ordering| {
                found.iter().filter(|score| score.cmp(&&Score::ZERO) == wanted).count() as i64
            };
            use std::cmp::Ordering::{Equal, Greater, Less};
            let sum: i64 = found.iter().map(|score| i64::from(score.get())).sum();
            assert_eq!(
                fields[1..],
                [found.len() as i64, count(Greater), count(Equal), count(Less), sum],
                "{fact}"
            );
            checked += 1;
        }
    }
    assert_eq!(checked, facts.lines().filter(|line| !line.starts_with('#')).count());
}

/// Beyond the oracle's reach: every kernel computes the same, and scores solve the equations of
/// their children, positions with long sowings included.
#[test]
#[ignore = "minutes: cargo test --release --lib fixpoints -- --ignored"]
fn kernels_agree_and_equations_hold_to_fourteen_seeds() {
    for rules in SHEETS {
        let found: Vec<InMemory> =
            Kernel::available().into_iter().map(|kernel| fast(rules, 14, kernel)).collect();
        let best = found.last().expect("a kernel").layers();
        for (seeds, solved) in best.iter().enumerate() {
            for other in &found {
                let other = &other.layers()[seeds];
                assert!(
                    solved.low == other.low && solved.high() == other.high(),
                    "{} {seeds}",
                    rules.id
                );
            }
            assert_equations(rules, best, solved.layer());
        }
    }
}

fn assert_equations(rules: &Rules, layers: &[Arc<Solved>], layer: Layer) {
    for board in (0..layer.positions()).step_by(7).filter_map(|rank| layer.position(Rank(rank))) {
        let of = |board: &Board| {
            layers[board.seeds().get()].interval(board).expect("a position of the layer")
        };
        let moves = legal_moves(rules, &board);
        let after = || moves.iter().map(|found| of(&found.next).after_capture(found.captured));
        let best =
            |bound: fn(Interval) -> Score| after().map(bound).max().unwrap_or(board.own_rows());
        let expected = Interval { low: best(|after| after.low), high: best(|after| after.high) };
        assert_eq!(of(&board), expected, "{} {board}", rules.id);
    }
}

/// Which cores prove more than self-terminating play does: those to 10 seeds.
#[test]
#[ignore = "seconds, and 300 MB: cargo test --release --lib fixpoints -- --ignored"]
fn cores_to_18_seeds() {
    #[derive(Default)]
    struct Cores(Mutex<BTreeSet<usize>>);
    impl Observer for Cores {
        fn notice(&self, event: Event) {
            if let Event::Core { seeds, proves_more: true } = event {
                self.0.lock().unwrap().insert(seeds.get());
            }
        }
    }
    let (cores, mut solver, mut layers) =
        (Cores::default(), Solver::new(&ABAPA_AGREED, Kernel::best()), InMemory::default());
    for seeds in Seeds::new(18).unwrap().up_to() {
        let solved = solver.solve(seeds, &layers, &cores).unwrap();
        layers.push(solved);
    }
    assert_eq!(cores.0.into_inner().unwrap(), (2..=10).collect());
}

/// Bytes of a build depend on the sheet alone: not on the kernel, not on how many threads there
/// are, not on where a solve begins to go from change to change.
#[test]
fn nothing_but_time_depends_on_kernel_threads_and_tail() {
    for rules in SHEETS {
        let most = long(if rules.endless == Endless::EvenSplit { 9 } else { 7 });
        let expected = solved_with(rules, most, Kernel::best(), 1, NEVER);
        for (kernel, threads, tail) in
            [(0, 1, NEVER), (0, 3, 1), (1, 2, 3), (2, 1, 1), (2, 1, 20), (2, 7, 500), (2, 2, NEVER)]
        {
            let available = Kernel::available();
            let kernel = available[kernel.min(available.len() - 1)];
            let found = solved_with(rules, most, kernel, threads, tail);
            for (found, expected) in found.layers().iter().zip(expected.layers()) {
                let what =
                    format!("{} {:?} {kernel:?} {threads} {tail}", rules.id, expected.layer());
                assert!(found.low == expected.low && found.high == expected.high, "{what}");
                assert!(found.attained == expected.attained, "{what}");
            }
        }
    }
}

/// A tail that begins when less than no position changes.
const NEVER: u64 = u64::MAX;

fn solved_with(
    rules: &'static Rules,
    most: usize,
    kernel: Kernel,
    threads: usize,
    tail: u64,
) -> InMemory {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut solver = solver(rules, kernel).with_tail(tail);
    let mut layers = InMemory::default();
    for seeds in Seeds::new(most).unwrap().up_to() {
        let solved = pool.install(|| solver.solve(seeds, &layers, &Unobserved).unwrap());
        layers.push(solved);
    }
    layers
}

/// How much each sweep of a layer changes.
#[derive(Default)]
struct Changes(Mutex<Vec<u64>>);

impl Observer for Changes {
    fn notice(&self, event: Event) {
        if let Event::Swept { changed, .. } = event {
            self.0.lock().unwrap().push(changed);
        }
    }
}

/// Rows by depth find in each sweep what strips find, in one plane and in two, packed or not.
#[test]
fn cut_for_many_threads_a_solve_makes_the_same_sweeps() {
    let sheets = SHEETS.into_iter().map(|rules| (rules, None));
    let clamped = [11, 13, 15].map(|game| (&AWARI, Seeds::new(game)));
    for (rules, game) in sheets.chain(clamped) {
        let solver = || solver(rules, Kernel::best()).for_games_of(game).without_strategies();
        let [mut few, mut many] = [1, 12].map(|threads| solver().with_threads(threads));
        let mut layers = InMemory::default();
        for seeds in Seeds::new(affordable(rules, 11)).unwrap().up_to() {
            let changes = [Changes::default(), Changes::default()];
            let expected = few.solve(seeds, &layers, &changes[0]).unwrap();
            let found = many.solve(seeds, &layers, &changes[1]).unwrap();
            let what = format!("{} {seeds} {game:?}", rules.id);
            let [expected_changes, changes] =
                changes.map(|changes| changes.0.into_inner().unwrap());
            assert_eq!(changes, expected_changes, "{what}");
            assert!(found.low == expected.low && found.high == expected.high, "{what}");
            layers.push(expected);
        }
    }
}

/// Asked so many times, it wants the solve to end.
struct Impatient(AtomicUsize);

impl Observer for Impatient {
    fn interrupted(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) == 1
    }
}

/// Whenever it is interrupted, even if only for a moment, a solve gives no layer; and the solver is
/// as good as before.
#[test]
fn a_solve_is_interrupted_anywhere() {
    let (mut solver, mut layers) =
        (Solver::new(&AWARI, Kernel::best()).with_tail(50), InMemory::default());
    let seeds = Seeds::new(9).unwrap();
    for below in seeds.up_to().take(seeds.get()) {
        layers.push(solver.solve(below, &layers, &Unobserved).unwrap());
    }
    let expected = solver.solve(seeds, &layers, &Unobserved).unwrap();
    let mut interrupted = 0;
    for patience in (1..).step_by(17) {
        match solver.solve(seeds, &layers, &Impatient(AtomicUsize::new(patience))) {
            Err(Error::Interrupted) => interrupted += 1,
            Ok(solved) => {
                assert!(solved.low == expected.low);
                break;
            }
            Err(error) => panic!("{error}"),
        }
    }
    // 167,596 positions: it is asked every few thousand.
    assert!(interrupted > 50, "{interrupted}");
}
