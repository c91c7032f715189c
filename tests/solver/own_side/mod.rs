//! Endless play that leaves each player their own row: the slow solver against games that really
//! stop when a position comes round again, against a second algorithm, and against facts from
//! outside.

pub mod brute_force;
pub mod listed;
mod small_boards;
mod tables;
mod thresholds;

use std::sync::LazyLock;

use crate::solver::tests::oracle::{Finite, Forced, OwareLayer, solve_forced, solve_own_side};
use arrayvec::ArrayVec;
use brute_force::{BruteForce, Cut};
use listed::{Blurred, Dice, Listed, random_game};
use oware_db::game::{
    ABAPA_AGREED, ABAPA_EVERY, Board, HOUSES, History, Interval, Move, Position, Score, Seeds,
    final_score, legal_moves,
};
use oware_db::layer::{Layer, Rank};
use oware_db::probe::{Prober, Tables};
use oware_db::solver::InMemory;
use oware_db::solver::exact::{Wins, settle_open};
use oware_db::solver::game_graph::{OwnSide, Step};
use oware_db::solver::settle::LIMITS;
use oware_db::table::{WriteOptions, write};
use rayon::prelude::*;
use thresholds::solve_by_thresholds;

use crate::solver::tests::layers::solved;

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
fn assert_holds(
    intervals: &[Interval],
    search: &BruteForce,
    told: impl Fn(usize) -> String,
) -> Settled {
    let values = search.values();
    for (position, (interval, value)) in intervals.iter().zip(&values).enumerate() {
        let Some(value) = *value else { continue };
        assert!(
            interval.low <= value && value <= interval.high,
            "{value} outside {interval} at {}",
            told(position)
        );
    }
    Settled { finished: values.iter().flatten().count(), positions: values.len() }
}

/// What must hold between a position and its moves, and between the two algorithms' bounds.
fn assert_laws(game: &(impl OwnSide + Finite), intervals: &[Interval]) {
    let forced = solve_forced(game);
    for position in 0..game.positions() {
        let found = intervals[position];
        assert!(found.low <= found.high, "{position}: {found}");
        assert!(
            forced[position].holds(found),
            "{position}: {found} outside {:?}",
            forced[position]
        );
        let after = |step: &Step| match *step {
            Step::Leaves(interval) => interval,
            Step::Stays(child) => intervals[child].after_capture(0),
        };
        // A play is worth what its end or its cycle is, so a bound is the best over the moves.
        let steps = game.steps(position);
        assert_eq!(steps.iter().map(|step| after(step).low).max(), Some(found.low), "{position}");
        assert_eq!(steps.iter().map(|step| after(step).high).max(), Some(found.high), "{position}");
    }
}

#[test]
fn random_games_that_stop_at_a_repetition() {
    let mut dice = Dice::new(1);
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

/// A layer written out, given the intervals of all layers below.
type LayerOf<'a> = &'a dyn Fn(usize, &[Vec<Interval>]) -> Listed;

/// Solves layers 0, 1, ... `most` of a family, each with the intervals of those below.
fn climb(most: usize, layer: LayerOf) -> Vec<Vec<Interval>> {
    let mut solved = Vec::new();
    for seeds in 0..=most {
        solved.push(solve_own_side(&layer(seeds, &solved)));
    }
    solved
}

/// Searches layers 0, 1, ... by brute force, each with what was found out about those below, and
/// returns what was settled.
fn assert_family_holds(solved: &[Vec<Interval>], cut: Cut, effort: u64, layer: LayerOf) -> Settled {
    let (mut lower, mut settled) = (Vec::new(), Settled::default());
    for (seeds, intervals) in solved.iter().enumerate() {
        let listed = layer(seeds, &lower);
        let search = BruteForce::new(&listed, intervals, cut, effort);
        let told = |position| format!("position {position} with {seeds} seeds, {cut:?}");
        settled.add(assert_holds(intervals, &search, told));
        lower.push(search.intervals());
    }
    println!("{cut:?}: {settled:?}");
    settled
}

fn assert_small_board_holds(houses: usize, most: usize, percent: usize) {
    let layer =
        |seeds: usize, lower: &[Vec<Interval>]| small_boards::layer(houses, seeds as u8, lower);
    let solved = climb(most, &layer);
    for (seeds, intervals) in solved.iter().enumerate() {
        let listed = layer(seeds, &solved);
        assert_laws(&listed, intervals);
        assert_eq!(*intervals, solve_by_thresholds(&listed));
    }
    let open = solved.iter().flatten().filter(|interval| interval.value().is_none()).count();
    println!("{houses} houses a row: {open} positions are open");
    for cut in CUTS {
        let settled = assert_family_holds(&solved, cut, 5_000, &layer);
        assert!(settled.percent() >= percent, "{houses} houses a row, {cut:?}: {settled:?}");
    }
}

#[test]
fn two_houses_a_row() {
    assert_small_board_holds(2, 15, 75);
}

#[test]
fn three_houses_a_row() {
    assert_small_board_holds(3, 9, 70);
}

#[test]
fn the_small_board_knows_oware() {
    for seeds in [0, 1, 3, 5] {
        for houses in small_boards::boards(12, seeds) {
            let board = Board::new(houses[..].try_into().unwrap()).unwrap();
            let moves = legal_moves(&ABAPA_AGREED, &board);
            let moves: Vec<_> =
                moves.iter().map(|found| (found.captured, found.next.houses().to_vec())).collect();
            assert_eq!(small_boards::moves(&houses), moves, "{board}");
        }
    }
}

fn seeds(count: usize) -> Seeds {
    Seeds::new(count).unwrap()
}

fn oware_layer(count: usize, lower: &[Vec<Interval>]) -> Listed {
    Listed::copy(&OwareLayer {
        rules: &ABAPA_AGREED,
        layer: Layer::of(&ABAPA_AGREED, seeds(count)),
        lower,
    })
}

/// Layers 0..=8 of tournament Oware; eight seeds are the first that leave a doubt.
pub static OWARE: LazyLock<Vec<Vec<Interval>>> = LazyLock::new(|| climb(8, &oware_layer));

/// The interval of a board among solved layers; one that cannot arise is a move away from them.
fn interval(solved: &[Vec<Interval>], board: &Board) -> Interval {
    if let Some(Rank(rank)) = Layer::of(&ABAPA_AGREED, board.seeds()).rank(board) {
        return solved[board.seeds().get()][rank as usize];
    }
    if let Some(score) = final_score(&ABAPA_AGREED, board) {
        return Interval::exact(score);
    }
    let moves = legal_moves(&ABAPA_AGREED, board);
    let after =
        || moves.iter().map(|found| interval(solved, &found.next).after_capture(found.captured));
    let best = |bound: fn(Interval) -> Score| after().map(bound).max().expect("a move");
    Interval { low: best(|after| after.low), high: best(|after| after.high) }
}

#[test]
fn intervals_of_an_independent_program() {
    assert_eq!(tables::assert_intervals(7, &|board| interval(&OWARE, board)), 9_188);
}

#[test]
fn sums_of_an_independent_program() {
    let within_reach = tables::SUMS.into_iter().filter(|sums| sums.0 < OWARE.len());
    within_reach.for_each(|sums| assert_eq!(sums_of(sums.0, &OWARE[sums.0]), sums));
}

#[test]
#[ignore = "up to a minute: cargo test --release --lib own_side -- --ignored"]
fn nine_seeds_sum_up_too() {
    let nine = solve_own_side(&oware_layer(9, &OWARE));
    assert_eq!(sums_of(9, &nine), tables::SUMS[7]);
}

/// The fast solver's layers 0..=11: every fact there is.
static FAST: LazyLock<InMemory> = LazyLock::new(|| solved(&ABAPA_AGREED, 11));

/// The fast solver's interval of a board.
fn fast_interval(board: &Board) -> Interval {
    if let Some(interval) = FAST.layers()[board.seeds().get()].interval(board) {
        return interval;
    }
    let moves = legal_moves(&ABAPA_AGREED, board);
    let after =
        || moves.iter().map(|found| fast_interval(&found.next).after_capture(found.captured));
    let best = |bound: fn(Interval) -> Score| after().map(bound).max().expect("a move");
    Interval { low: best(|after| after.low), high: best(|after| after.high) }
}

#[test]
fn the_fast_solver_knows_the_facts() {
    assert_eq!(tables::assert_intervals(7, &fast_interval), 9_188);
    assert!(tables::assert_inside_forced_bounds(11, &fast_interval) > FORCED_BOUNDS_TO_EIGHT_SEEDS);
    for sums in tables::SUMS {
        let solved = &FAST.layers()[sums.0];
        let bounds = solved.low.scores().zip(solved.high().scores());
        let interval = |(low, high)| Interval { low: Score::new(low), high: Score::new(high) };
        assert_eq!(sums_of(sums.0, &bounds.map(interval).collect::<Vec<_>>()), sums);
    }
}

/// Both bounds solve the equations of their children, exactly.
#[test]
fn laws_of_the_fast_solver() {
    for solved in FAST.layers() {
        let layer = solved.layer();
        (0..layer.positions()).into_par_iter().for_each(|rank| {
            let board = layer.position(Rank(rank)).expect("a rank of the layer");
            let found = solved.interval(&board).expect("a position of the layer");
            let moves = legal_moves(&ABAPA_AGREED, &board);
            let after = |found: Move| fast_interval(&found.next).after_capture(found.captured);
            let after: ArrayVec<Interval, HOUSES> = moves.iter().map(after).collect();
            let best = |bound: fn(&Interval) -> Score| {
                after.iter().map(bound).max().unwrap_or(board.own_rows())
            };
            assert!(found.low <= found.high, "{board}");
            assert_eq!(
                found,
                Interval { low: best(|after| after.low), high: best(|after| after.high) },
                "{board}"
            );
        });
    }
}

/// A line of [`tables::SUMS`].
fn sums_of(seeds: usize, found: &[Interval]) -> (usize, usize, usize, i64, i64) {
    let sum =
        |bound: fn(&Interval) -> Score| found.iter().map(|each| i64::from(bound(each).get())).sum();
    let exact = found.iter().filter(|each| each.value().is_some()).count();
    (seeds, found.len(), exact, sum(|each| each.low), sum(|each| each.high))
}

/// Lines of the file.
const FORCED_BOUNDS_TO_EIGHT_SEEDS: usize = 1_892;

#[test]
fn inside_what_each_side_can_force() {
    assert_eq!(
        tables::assert_inside_forced_bounds(8, &|board| interval(&OWARE, board)),
        FORCED_BOUNDS_TO_EIGHT_SEEDS
    );
}

/// Self-terminating play over lower layers of which nothing else is known either, as the program
/// behind the facts has it: both bounds, in seeds.
#[test]
fn forced_bounds_of_an_independent_program() {
    let mut lower: Vec<Vec<Interval>> = Vec::new();
    for count in 0..=8 {
        let forced = solve_forced(&oware_layer(count, &lower));
        lower.push(forced.into_iter().map(|forced| in_seeds(forced, count as i8)).collect());
    }
    let asked = tables::each_forced_bound(8, |board, mover, opponent| {
        let (found, seeds) = (interval(&lower, board), board.seeds().get() as i8);
        assert_eq!(
            (seeds + found.low.get(), seeds - found.high.get()),
            (2 * mover, 2 * opponent),
            "{board}"
        );
    });
    assert_eq!(asked, FORCED_BOUNDS_TO_EIGHT_SEEDS);
}

/// Nobody can get less than nothing nor more than all.
fn in_seeds(forced: Forced, all: i8) -> Interval {
    Interval {
        low: forced.low.unwrap_or(Score::new(-all)),
        high: forced.high.unwrap_or(Score::new(all)),
    }
}

#[test]
fn laws_of_oware_layers() {
    for (seeds, intervals) in OWARE.iter().enumerate() {
        assert_laws(&oware_layer(seeds, &OWARE), intervals);
    }
}

#[test]
fn thresholds_give_the_same_intervals() {
    for (seeds, intervals) in OWARE.iter().enumerate().take(7) {
        assert_eq!(*intervals, solve_by_thresholds(&oware_layer(seeds, &OWARE)), "{seeds} seeds");
    }
}

/// Both moves of this board bring 3 with fresh history. But one of them lets the opponent close the
/// cycle on the board itself, where the mover's row holds 1 more than the other.
#[test]
fn a_quiet_move_keeps_no_fresh_history() {
    let start = Board::new([0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1]).unwrap();
    let moves = legal_moves(&ABAPA_AGREED, &start);
    let fresh: Vec<_> = moves
        .iter()
        .map(|found| interval(&OWARE, &found.next).after_capture(found.captured))
        .collect();
    assert_eq!(fresh, [Interval::exact(Score::new(3)); 2]);

    let mut lower = Vec::new();
    for (seeds, guesses) in OWARE.iter().enumerate().take(3) {
        let listed = oware_layer(seeds, &lower);
        lower.push(BruteForce::new(&listed, guesses, Cut::Occurrence(2), 5_000).intervals());
    }
    let listed = oware_layer(3, &lower);
    let mut search = BruteForce::new(&listed, &OWARE[3], Cut::Occurrence(2), 5_000);
    let Rank(rank) = Layer::of(&ABAPA_AGREED, seeds(3)).rank(&start).unwrap();
    assert_eq!(
        search.after_steps(rank as usize, 1_000_000),
        [Some(Score::new(3)), Some(Score::new(1))]
    );
}

/// Whatever the probe certifies, the real game with its history bears out: after a certified move
/// the mover can still secure its lower end, and of the best moves one is certified.
#[test]
fn certified_moves_keep_their_lower_end() {
    let dir = tempfile::tempdir().expect("a directory");
    for solved in solved(&ABAPA_AGREED, 4).layers() {
        write(dir.path(), &ABAPA_AGREED, &**solved, WriteOptions::default()).expect("written");
    }
    let tables = Tables::open(dir.path()).expect("tables");
    let mut prober = Prober::new(&tables, &ABAPA_AGREED);
    let (mut borne_out, mut unknown, mut worse) = (0, 0, 0);
    for cut in CUTS {
        let mut lower = Vec::new();
        for (seeds, guesses) in OWARE.iter().enumerate().take(5) {
            let listed = oware_layer(seeds, &lower);
            let mut search = BruteForce::new(&listed, guesses, cut, 5_000);
            let layer = Layer::of(&ABAPA_AGREED, self::seeds(seeds));
            for rank in 0..layer.positions() {
                let board = layer.position(Rank(rank)).expect("a rank of the layer");
                let mut moves = prober.moves(&board).expect("moves");
                assert!(moves.first().is_none_or(|best| {
                    moves
                        .iter()
                        .any(|found| found.certified && found.interval.low == best.interval.low)
                }));
                moves.sort_by_key(|found| found.played.house);
                for (found, value) in moves.iter().zip(search.after_steps(rank as usize, 2_000)) {
                    match value {
                        None => unknown += 1,
                        Some(value) if value >= found.interval.low => {
                            borne_out += u32::from(found.certified)
                        }
                        Some(value) => {
                            assert!(
                                !found.certified,
                                "{board} {}: {value}, {cut:?}",
                                found.played.house.letter()
                            );
                            worse += 1;
                        }
                    }
                }
            }
            lower.push(search.intervals());
        }
    }
    // The numbers show that the test tests something.
    assert!(borne_out > 2_000 && worse > 0, "{borne_out} {worse} {unknown}");
}

#[test]
fn oware_that_stops_at_a_repetition() {
    for (cut, percent) in CUTS.into_iter().zip([30, 20, 30]) {
        let settled = assert_family_holds(&OWARE[..=5], cut, 5_000, &oware_layer);
        assert!(settled.percent() >= percent, "{cut:?}: {settled:?}");
    }
}

/// Intervals of a game, settled as far as `wins` count.
fn settled(game: &Listed, intervals: &[Interval], wins: Wins) -> Vec<Interval> {
    let mut settled = intervals.to_vec();
    let open = intervals.iter().copied().enumerate();
    let open: Vec<_> = open.filter(|(_, interval)| interval.value().is_none()).collect();
    let exact = settle_open(game, &open, LIMITS, wins, &|| false);
    for (position, interval) in exact.intervals {
        settled[position] = interval;
    }
    settled
}

#[test]
fn random_games_are_settled_exactly() {
    let mut dice = Dice::new(7);
    let (mut open, mut left, mut finished) = (0, 0, 0);
    for number in 0..6000 {
        let Blurred { exact, seen } = random_game(&mut dice);
        let intervals = solve_own_side(&exact);
        let found = settled(&exact, &intervals, Wins::All);
        let search = BruteForce::new(&exact, &intervals, Cut::Occurrence(2), 50_000);
        let told = |position| format!("position {position} of game {number}");
        finished += assert_holds(&found, &search, told).finished;
        open += intervals.iter().filter(|interval| interval.value().is_none()).count();
        left += found.iter().filter(|interval| interval.value().is_none()).count();
        // What is known only roughly narrows nothing wrongly.
        for wins in [Wins::All, Wins::ByPosition] {
            let rough = settled(&seen, &solve_own_side(&seen), wins);
            assert_holds(&rough, &search, told);
        }
    }
    println!("{open} open positions, {left} left open, {finished} searched to the end");
    assert!(open > 1000 && left * 100 < open, "{left} of {open}");
}

fn assert_small_board_is_exact(houses: usize, most: usize, effort: u64) {
    let mut lower = Vec::new();
    let (mut open, mut positions) = (0, 0);
    for seeds in 0..=most {
        let listed = small_boards::layer(houses, seeds as u8, &lower);
        let intervals = solve_own_side(&listed);
        open += intervals.iter().filter(|interval| interval.value().is_none()).count();
        let found = settled(&listed, &intervals, Wins::All);
        let search = BruteForce::new(&listed, &intervals, Cut::Occurrence(2), effort);
        let values: Vec<Option<Interval>> =
            search.values().into_iter().map(|value| value.map(Interval::exact)).collect();
        for (position, (found, value)) in found.iter().zip(&values).enumerate() {
            assert_eq!(Some(*found), *value, "position {position} with {seeds} seeds");
        }
        positions += found.len();
        lower.push(found);
    }
    println!("{houses} houses a row: {positions} positions, {open} of them were open");
    assert!(open > 0);
}

/// Whole games with their real history, and no theory.
#[test]
fn two_houses_a_row_are_exact() {
    assert_small_board_is_exact(2, 24, 10_000_000);
}

#[test]
fn three_houses_a_row_are_exact() {
    assert_small_board_is_exact(3, 10, 10_000_000);
}

/// What moves by position show is right where every repetition counts, too, on top of layers that
/// are not all exact: whole games with their real history say the same where they can be searched
/// to the end.
#[test]
fn small_boards_are_settled_where_every_repetition_counts() {
    let (mut open, mut narrowed, mut searched, mut positions) = (0, 0, 0, 0);
    for (houses, most) in [(2, 24), (3, 10)] {
        let (mut lower, mut values) = (Vec::new(), Vec::new());
        for seeds in 0..=most {
            let layer = |lower: &[Vec<Interval>]| {
                let layer = small_boards::layer(houses, seeds, lower);
                small_boards::where_all_count(houses, seeds, layer)
            };
            let listed = layer(&lower);
            let intervals = solve_own_side(&listed);
            let found = settled(&listed, &intervals, Wins::ByPosition);
            let known = layer(&values);
            let search = BruteForce::new(&known, &found, Cut::Occurrence(2), 20_000);
            let told = |position| format!("position {position} with {seeds} seeds");
            searched += assert_holds(&found, &search, told).finished;
            open += intervals.iter().filter(|interval| interval.value().is_none()).count();
            narrowed += found.iter().zip(&intervals).filter(|(now, before)| now != before).count();
            positions += found.len();
            values.push(search.intervals());
            lower.push(found);
        }
    }
    println!("{open} open, {narrowed} narrowed, {searched} searched to the end");
    assert_eq!(positions, 20_475 + 8_008);
    assert!(searched > 25_000 && narrowed > 1_800, "{searched} {narrowed} of {open}");
}

/// Of every move it is true what is said of it in a game with its history: no move brings more than
/// the upper end, a certified one no less than the lower, and the best of them what the position is
/// worth.
#[test]
fn what_is_said_of_moves_is_true_where_every_repetition_counts() {
    let most = 4;
    let dir = tempfile::tempdir().expect("a directory");
    for solved in solved(&ABAPA_EVERY, most).layers() {
        write(dir.path(), &ABAPA_EVERY, &**solved, WriteOptions::default()).expect("written");
    }
    let mut prober = Prober::new(&Tables::open(dir.path()).expect("tables"), &ABAPA_EVERY);
    let (mut true_ones, mut unknown, mut unlike_fresh) = (0, 0, 0);
    let mut lower: Vec<Vec<Interval>> = Vec::new();
    for count in seeds(most).up_to() {
        let layer = Layer::of(&ABAPA_EVERY, count);
        let listed = Listed::copy(&OwareLayer { rules: &ABAPA_EVERY, layer, lower: &lower });
        let boards: Vec<Board> = layer.boards(Rank(0)).collect();
        let guesses: Vec<Interval> =
            boards.iter().map(|board| prober.interval(board).expect("a score")).collect();
        let mut search = BruteForce::new(&listed, &guesses, Cut::Occurrence(2), 50_000);
        assert_holds(&guesses, &search, |position| boards[position].to_string());
        for (rank, board) in boards.iter().enumerate() {
            let history = History::new(Position::from(*board));
            let mut moves = prober.moves_in_game(&history).expect("moves");
            moves.sort_by_key(|found| found.played.house);
            for (found, value) in moves.iter().zip(search.after_steps(rank, 5_000)) {
                let Some(value) = value else {
                    unknown += 1;
                    continue;
                };
                let told = format!("{board} {}: {value}, {found:?}", found.played.house.letter());
                assert!(value <= found.interval.high, "{told}");
                assert!(!found.certified || value >= found.interval.low, "{told}");
                let fresh = prober.interval(&found.played.next).expect("a score");
                let fresh = fresh.after_capture(found.played.captured);
                unlike_fresh += u32::from(value > fresh.high || value < fresh.low);
                true_ones += 1;
            }
        }
        lower.push(search.intervals());
    }
    println!("{true_ones} moves, {unlike_fresh} unlike their child's score, {unknown} unknown");
    assert!(true_ones > 1_000 && unlike_fresh > 5, "{true_ones} {unlike_fresh} {unknown}");
}
