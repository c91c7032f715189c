//! Endless play that leaves each player the own row: the slow solver against games that really stop
//! when a position comes round again, against a second algorithm, and against facts from outside.

mod brute_force;
mod listed;
mod small_boards;
mod tables;
mod thresholds;

use std::sync::LazyLock;

use brute_force::{BruteForce, Cut};
use listed::{Blurred, Dice, Listed, random_game};
use oware_db::board::{Board, Seeds};
use oware_db::index::{Layer, Rank};
use oware_db::moves::{final_score, legal_moves};
use oware_db::rules::ABAPA;
use oware_db::score::{Interval, Score};
use oware_db::solver::oracle::{Forced, OwareLayer, OwnSide, Step, solve_forced, solve_own_side};
use thresholds::solve_by_thresholds;

const CUTS: [Cut; 3] = [Cut::Occurrence(2), Cut::Occurrence(3), Cut::OnePlyBack];

/// How many positions a search settled.
#[derive(Clone, Copy, Debug, Default)]
struct Settled {
    finished: usize,
    positions: usize,
}

impl Settled {
    fn add(&mut self, other: Settled) {
        self.finished += other.finished;
        self.positions += other.positions;
    }

    fn percent(self) -> usize {
        100 * self.finished / self.positions
    }
}

/// Every value that the search found lies in its interval.
fn assert_holds(intervals: &[Interval], search: &BruteForce, told: impl Fn(usize) -> String) -> Settled {
    let values = search.values();
    for (position, (interval, value)) in intervals.iter().zip(&values).enumerate() {
        let Some(value) = *value else { continue };
        assert!(interval.low <= value && value <= interval.high, "{value} outside {interval} at {}", told(position));
    }
    Settled { finished: values.iter().flatten().count(), positions: values.len() }
}

/// What must hold between a position and its moves, and between the two algorithms' bounds.
fn assert_laws(game: &impl OwnSide, intervals: &[Interval]) {
    let forced = solve_forced(game);
    for position in 0..game.positions() {
        let found = intervals[position];
        assert!(found.low <= found.high, "{position}: {found}");
        assert!(forced[position].holds(found), "{position}: {found} outside {:?}", forced[position]);
        let after = |step: &Step| match *step {
            Step::Leaves(interval) => interval,
            Step::Stays(child) => intervals[child].after_capture(0),
        };
        // A play is worth what its end or its circle is, so a bound is the best over the moves.
        let steps = game.steps(position);
        assert_eq!(steps.iter().map(|step| after(step).low).max(), Some(found.low), "{position}");
        assert_eq!(steps.iter().map(|step| after(step).high).max(), Some(found.high), "{position}");
    }
}

#[test]
fn random_games_that_stop_at_a_repetition() {
    let mut dice = Dice(1);
    let mut settled = [Settled::default(); 3];
    let mut open = 0;
    for number in 0..6000 {
        let Blurred { exact, seen } = random_game(&mut dice);
        let intervals = solve_own_side(&seen);
        assert_eq!(intervals, solve_by_thresholds(&seen), "game {number}");
        assert_laws(&seen, &intervals);
        let exact_intervals = solve_own_side(&exact);
        open += usize::from(exact_intervals.iter().any(|interval| interval.value().is_none()));
        for (cut, settled) in CUTS.into_iter().zip(&mut settled) {
            let search = BruteForce::new(&exact, &exact_intervals, cut, 20_000);
            let told = |position| format!("position {position} of game {number}, {cut:?}");
            assert_holds(&intervals, &search, told);
            settled.add(assert_holds(&exact_intervals, &search, told));
        }
    }
    println!("random games: {settled:?}, {open} with an open interval");
    assert!(settled.iter().all(|settled| settled.percent() >= 80), "{settled:?}");
    assert!(open > 500, "only {open} games have an open interval");
}

/// Solves layers 0, 1, ... `most` of a family, each with the intervals of those below.
fn climb(most: usize, layer: impl Fn(usize, &[Vec<Interval>]) -> Listed) -> Vec<(Listed, Vec<Interval>)> {
    let (mut layers, mut lower) = (Vec::new(), Vec::new());
    for seeds in 0..=most {
        let listed = layer(seeds, &lower);
        lower.push(solve_own_side(&listed));
        layers.push((listed, lower[seeds].clone()));
    }
    layers
}

/// Searches layers 0, 1, ... by brute force, each with what was found out about those below, and
/// returns what was settled.
fn assert_family_holds(
    solved: &[Vec<Interval>],
    cut: Cut,
    effort: u64,
    layer: impl Fn(usize, &[Vec<Interval>]) -> Listed,
) -> Settled {
    let (mut lower, mut settled) = (Vec::new(), Settled::default());
    for (seeds, intervals) in solved.iter().enumerate() {
        let listed = layer(seeds, &lower);
        let search = BruteForce::new(&listed, intervals, cut, effort);
        let here =
            assert_holds(intervals, &search, |position| format!("position {position} with {seeds} seeds, {cut:?}"));
        println!("{seeds} seeds, {cut:?}: {here:?}");
        settled.add(here);
        lower.push(search.intervals());
    }
    settled
}

fn assert_small_board_holds(houses: usize, most: usize, percent: usize) {
    let layer = |seeds: usize, lower: &[Vec<Interval>]| small_boards::layer(houses, seeds as u8, lower);
    let layers = climb(most, layer);
    for (listed, intervals) in &layers {
        assert_laws(listed, intervals);
        assert_eq!(*intervals, solve_by_thresholds(listed));
        let open = intervals.iter().filter(|interval| interval.value().is_none()).count();
        println!("{houses} houses: {open} of {} open", intervals.len());
    }
    let solved: Vec<Vec<Interval>> = layers.into_iter().map(|(_, intervals)| intervals).collect();
    for cut in CUTS {
        let settled = assert_family_holds(&solved, cut, 5_000, layer);
        println!("{houses} houses a row, {cut:?}: {settled:?}");
        assert!(settled.percent() >= percent, "{houses} houses a row, {cut:?}: {settled:?}");
    }
}

#[test]
fn two_houses_a_row() {
    assert_small_board_holds(2, 12, 50);
}

#[test]
fn three_houses_a_row() {
    assert_small_board_holds(3, 7, 50);
}

#[test]
fn the_small_board_knows_oware() {
    for seeds in [0, 1, 3, 5] {
        for houses in small_boards::boards(12, seeds) {
            let board = Board::new(houses[..].try_into().unwrap()).unwrap();
            let moves = legal_moves(&ABAPA, &board);
            let moves: Vec<_> = moves.iter().map(|found| (found.captured, found.next.houses().to_vec())).collect();
            assert_eq!(small_boards::moves(&houses), moves, "{board}");
        }
    }
}

fn seeds(count: usize) -> Seeds {
    Seeds::new(count).unwrap()
}

fn oware_layer(count: usize, lower: &[Vec<Interval>]) -> Listed {
    Listed::copy(&OwareLayer { rules: &ABAPA, layer: Layer::of(&ABAPA, seeds(count)), lower })
}

/// Layers 0..=7 of tournament Oware.
static OWARE: LazyLock<Vec<(Listed, Vec<Interval>)>> = LazyLock::new(|| climb(7, oware_layer));

/// The interval of a board among solved layers; one that cannot arise is a move away from them.
fn interval(solved: &[Vec<Interval>], board: &Board) -> Interval {
    if let Some(Rank(rank)) = Layer::of(&ABAPA, board.seeds()).rank(board) {
        return solved[board.seeds().get()][rank as usize];
    }
    if let Some(score) = final_score(&ABAPA, board) {
        return Interval::exact(score);
    }
    let moves = legal_moves(&ABAPA, board);
    let after = || moves.iter().map(|found| interval(solved, &found.next).after_capture(found.captured));
    let best = |bound: fn(Interval) -> Score| after().map(bound).max().expect("a move");
    Interval { low: best(|after| after.low), high: best(|after| after.high) }
}

fn oware_intervals() -> Vec<Vec<Interval>> {
    OWARE.iter().map(|(_, intervals)| intervals.clone()).collect()
}

#[test]
fn intervals_of_an_independent_program() {
    let solved = oware_intervals();
    assert_eq!(tables::assert_intervals(7, &|board| interval(&solved, board)), 9_188);
}

#[test]
fn sums_of_an_independent_program() {
    for (seeds, positions, exact, low, high) in tables::SUMS {
        let Some((_, found)) = OWARE.get(seeds) else { continue };
        let sum = |bound: fn(&Interval) -> Score| found.iter().map(|each| i64::from(bound(each).get())).sum::<i64>();
        let decided = found.iter().filter(|each| each.value().is_some()).count();
        let sums = (found.len(), decided, sum(|each| each.low), sum(|each| each.high));
        assert_eq!(sums, (positions, exact, low, high), "{seeds} seeds");
    }
}

#[test]
fn inside_what_each_side_can_force() {
    let solved = oware_intervals();
    let asked = tables::assert_inside_forced_bounds(7, &|board| interval(&solved, board));
    println!("{asked} forced bounds");
    assert!(asked > 500, "{asked}");
}

#[test]
fn laws_of_oware_layers() {
    OWARE.iter().for_each(|(listed, intervals)| assert_laws(listed, intervals));
}

#[test]
fn thresholds_give_the_same_intervals() {
    for (listed, intervals) in &OWARE[..=5] {
        assert_eq!(*intervals, solve_by_thresholds(listed));
    }
}

/// Self-terminating play over lower layers of which nothing else is known either, as the program
/// behind the facts has it: both bounds, in seeds.
#[test]
fn forced_bounds_of_an_independent_program() {
    let mut lower: Vec<Vec<Interval>> = Vec::new();
    for count in 0..=7 {
        let all = Score::new(count as i8);
        let trivial = Interval { low: all.after_capture(0), high: all };
        let within = |forced: Forced| Interval {
            low: forced.low.unwrap_or(trivial.low),
            high: forced.high.unwrap_or(trivial.high),
        };
        let forced = solve_forced(&oware_layer(count, &lower));
        lower.push(forced.into_iter().map(within).collect());
    }
    let asked = tables::each_forced_bound(7, |board, mover, opponent| {
        let (found, seeds) = (interval(&lower, board), board.seeds().get() as i8);
        assert_eq!((seeds + found.low.get(), seeds - found.high.get()), (2 * mover, 2 * opponent), "{board}");
    });
    println!("{asked} forced bounds");
}

#[test]
fn a_quiet_move_keeps_no_fresh_history() {
    let (mut lower, start) = (Vec::new(), Board::new([0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1]).unwrap());
    let solved = oware_intervals();
    for count in 0..3 {
        let listed = oware_layer(count, &lower);
        lower.push(BruteForce::new(&listed, &solved[count], Cut::Occurrence(2), 5_000).intervals());
    }
    let listed = oware_layer(3, &lower);
    let mut search = BruteForce::new(&listed, &solved[3], Cut::Occurrence(2), 100_000);
    let Rank(rank) = Layer::of(&ABAPA, seeds(3)).rank(&start).unwrap();
    let after = search.after_steps(rank as usize, 1_000_000);
    assert_eq!(after, [Some(Score::new(3)), Some(Score::new(1))]);
    let told = legal_moves(&ABAPA, &start);
    let told = told.iter().map(|found| interval(&solved, &found.next).after_capture(found.captured));
    assert_eq!(told.collect::<Vec<_>>(), [Interval::exact(Score::new(3)); 2]);
}

#[test]
fn oware_that_stops_at_a_repetition() {
    for cut in CUTS {
        let settled = assert_family_holds(&oware_intervals()[..=4], cut, 5_000, oware_layer);
        println!("oware, {cut:?}: {settled:?}");
    }
}
