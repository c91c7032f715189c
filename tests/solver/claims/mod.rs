//! Claims that default moves and exceptions meet, found fast and slowly.

mod slowly;

use oware_db::error::Error;
use oware_db::game::{
    ABAPA, ABAPA_EVEN, AWARI, Board, Endless, Interval, Rules, SHEETS, Score, ScoreRange, Seeds,
};
use oware_db::layer::{Arena, Exceptions, Plane, Rank, Solved};
use oware_db::solver::claims::{Alone, Asking, Certificate, ClaimSearch, Means, TightMoves, close};
use oware_db::solver::plan::Plans;
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};

use crate::solver::tests::checkpoints::EndsAfter;
use crate::solver::tests::layers::{solved, solved_by, solver};
use slowly::{Slowly, Verdict};

fn seeds(count: usize) -> Seeds {
    Seeds::new(count).unwrap()
}

fn exceptions(solved: &Solved) -> &Exceptions {
    solved.exceptions.as_ref().expect("a strategy")
}

/// Whether the twin finds the same strategy, and no cycle of it passes a bad position. Returns how
/// many exceptions it has.
fn assert_found_slowly(rules: &'static Rules, layers: &InMemory, count: usize) -> usize {
    let solved = &layers.layers()[count];
    let (slowly, found) = (Slowly::of(rules, layers, solved), exceptions(solved));
    let what = format!("{} {count}", rules.id);
    let expected = slowly.certify();
    assert!(expected.claims_are_met, "{what}");
    assert_eq!(found.len(), expected.exceptions.len(), "{what}");
    assert!(*found == expected.exceptions, "{what}");
    assert_eq!(slowly.bad_on_cycles(found), [], "{what}");
    found.len()
}

#[test]
fn strategies_are_those_of_the_twin_on_every_sheet() {
    for rules in SHEETS {
        let layers = solved(rules, 8);
        let counts =
            [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|count| assert_found_slowly(rules, &layers, count));
        println!("{}: {counts:?} exceptions", rules.id);
    }
}

#[test]
fn strategies_of_larger_layers_are_those_of_the_twin() {
    assert_found_slowly(&AWARI, &solved(&AWARI, 11), 11);
    assert_found_slowly(&ABAPA, &solved(&ABAPA, 9), 9);
}

#[test]
#[ignore = "minutes: cargo test --release --lib claims -- --ignored"]
fn strategies_to_eleven_seeds_are_those_of_the_twin() {
    for rules in [&ABAPA, &AWARI] {
        let layers = solved(rules, 11);
        let counts = [9, 10, 11].map(|count| assert_found_slowly(rules, &layers, count));
        println!("{}: {counts:?} exceptions", rules.id);
    }
}

/// The scores that solve the equations of a layer from 0 on, above right ones: those of the sheet
/// with the same moves and an even split.
fn from_zero(layers: &InMemory, count: usize) -> Solved {
    let mut solver = Solver::new(&ABAPA_EVEN, Kernel::best()).without_strategies();
    solver.solve(seeds(count), layers, &Unobserved).unwrap()
}

/// What a strategy meets of the claims, in memory where the list may have as many entries as it likes.
fn certificate(rules: &'static Rules, solved: &Solved) -> Certificate {
    let asking = Asking::all(rules, solved.layer().range());
    certificate_by(rules, solved, TightMoves::ByDefault, asking)
}

/// The same by some moves, if only some claims are asked for.
fn certificate_by(
    rules: &'static Rules,
    solved: &Solved,
    play: TightMoves,
    asking: Asking,
) -> Certificate {
    let (mut plans, arena) = (Plans::new(rules), &Arena::default());
    let (kernel, seeds) = (Kernel::best(), solved.layer().seeds());
    let (observer, entries) = (&Unobserved, u64::MAX);
    let means = Means { kernel, arena, near: None, observer, asking, play, entries, threads: 2 };
    let plan = plans.layer(seeds);
    let done = &solved.attained.as_ref().unwrap().low;
    let alone = &Alone { offer: &|| Ok(()) };
    let bounds = [&solved.low, solved.high()].map(Plane::blocks);
    close(&ClaimSearch::new(&plan, means, bounds, done, None), alone).unwrap()
}

/// The settled scores of one number of seeds.
fn settled_facts(count: usize) -> Vec<(Board, Score)> {
    let lines = include_str!("../../data/exact-settled.tsv").lines();
    let numbers =
        |line: &str| -> Vec<i8> { line.split('\t').map_while(|cell| cell.parse().ok()).collect() };
    let rows = lines.map(numbers).filter(|row| row.first() == Some(&(count as i8)));
    let fact = |row: Vec<i8>| {
        let board = Board::new(std::array::from_fn(|house| row[1 + house] as u8));
        (board.unwrap(), Score::new(row[15]))
    };
    rows.map(fact).collect()
}

/// Scores from 0 solve the equations of every layer. Some are wrong, among them those of 8, 11 and 13
/// seeds, and nothing but their claims says so.
#[test]
fn a_layer_whose_claims_cannot_all_be_met_is_not_taken_for_exact() {
    let layers = solved(&ABAPA, 13);
    for (count, right) in layers.layers().iter().enumerate() {
        let found = from_zero(&layers, count);
        let is_exact = certificate(&ABAPA, &found).claims_are_met;
        let is_right = right.knots.is_none() && right.high.is_none() && found.low == right.low;
        assert_eq!(is_exact, is_right, "{count} seeds");
        // Without a strategy nobody looks for claims that going round satisfies.
        let all = Asking::all(&ABAPA, ScoreRange::full(seeds(count)));
        let by_any = [all, all.not_above_zero()]
            .map(|asking| certificate_by(&ABAPA, &found, TightMoves::ByAny, asking).claims_are_met);
        println!("{count} seeds: right {is_right}, without a strategy {by_any:?}");
        assert!(by_any[0] == by_any[1] && (is_right || !by_any[0]), "{count} seeds");
        let facts = settled_facts(count);
        assert_eq!(facts.is_empty(), ![8, 11, 13].contains(&count));
        assert_eq!(right.knots.is_none(), facts.is_empty(), "{count} seeds");
        for (board, score) in &facts {
            assert_eq!(right.interval(board), Some(Interval::exact(*score)), "{board}");
        }
    }
}

/// A score that no move brings is found out, whatever circles there are.
#[test]
fn a_claim_without_a_tight_move_is_not_met() {
    let mut tried = 0;
    for (rules, count) in [(&AWARI, 5), (&AWARI, 7), (&ABAPA, 5), (&ABAPA, 7)] {
        let layers = solved(rules, count);
        let mut solver = Solver::new(rules, Kernel::best()).without_strategies();
        let mut wrong = solver.solve(seeds(count), &layers, &Unobserved).unwrap();
        assert!(wrong.high.is_none() && certificate(rules, &wrong).claims_are_met, "{}", rules.id);
        let positions = wrong.layer().positions();
        for rank in (0..positions).step_by(positions as usize / 300).map(Rank) {
            let board = wrong.layer().position(rank).unwrap();
            let right = wrong.low.score(&board).unwrap();
            let more = right.get() + 2;
            // What a capture brings is marked, and is not looked at again.
            let cell = wrong.layer().cell(&board).unwrap();
            let is_marked = wrong.attained.as_ref().unwrap().low.has(cell);
            if more > 0 && more <= count as i8 && !is_marked {
                wrong.low.set(rank, Score::new(more));
                assert!(!certificate(rules, &wrong).claims_are_met, "{} {board}", rules.id);
                wrong.low.set(rank, right);
                tried += 1;
            }
        }
    }
    assert!(tried > 50, "{tried}");
}

/// What is met of claims that cannot all be met is the same as well.
#[test]
fn all_that_is_made_of_scores_from_zero_is_what_the_twin_makes() {
    let (layers, mut are_met) = (solved(&ABAPA, 9), Vec::new());
    for count in 0..=9 {
        let found = from_zero(&layers, count);
        let Certificate { claims_are_met, exceptions } = certificate(&ABAPA, &found);
        let bounds = |board: &Board| found.interval(board).unwrap();
        let slowly = Slowly::new(&ABAPA, &layers, found.layer(), bounds).certify();
        assert!(slowly == Verdict { claims_are_met, exceptions }, "{count} seeds");
        are_met.push(claims_are_met);
    }
    assert!(!are_met[8] && are_met[6], "{are_met:?}");
}

#[test]
fn scores_do_not_depend_on_whether_strategies_are_wanted() {
    for rules in SHEETS {
        let with = solved(rules, 8);
        let without = solved_by(solver(rules, Kernel::best()).without_strategies(), 8);
        for (with, without) in with.layers().iter().zip(without.layers()) {
            let what = format!("{} {}", rules.id, with.layer().seeds());
            assert!(with.exceptions.is_some() && without.exceptions.is_none(), "{what}");
            assert!(with.low == without.low && with.high == without.high, "{what}");
            assert!(with.attained == without.attained, "{what}");
            assert!(with.bounds() == without.bounds(), "{what}");
            assert_eq!(with.knots.is_some(), without.knots.is_some(), "{what}");
        }
    }
}

/// Nothing depends on the kernel, the number of threads, or on where the solver leaves sweeps for
/// the tail.
#[test]
fn exceptions_do_not_depend_on_how_a_layer_is_solved() {
    for rules in SHEETS {
        let most = if [&ABAPA, &AWARI].contains(&rules) { 9 } else { 7 };
        let layers = solved(rules, most);
        let expected = exceptions(&layers.layers()[most]);
        for (threads, tail) in [(1, 1), (2, 1_000), (5, u64::MAX)] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for kernel in Kernel::available() {
                let mut solver = solver(rules, kernel).with_tail(tail);
                let solved = pool.install(|| solver.solve(seeds(most), &layers, &Unobserved));
                let solved = solved.unwrap();
                assert!(exceptions(&solved) == expected, "{} {kernel:?} {threads}", rules.id);
            }
        }
    }
}

/// Where scores are certain without claims, nothing but those asks after the last sweep.
#[test]
fn closing_claims_ends_when_it_is_asked_to() {
    for rules in SHEETS.into_iter().filter(|rules| rules.endless == Endless::EvenSplit) {
        for count in [0, 1, 7] {
            let layers = solved(rules, count.max(1) - 1);
            let observer = || EndsAfter::new(1, Unobserved);
            let solve = |mut solver: Solver| solver.solve(seeds(count), &layers, &observer());
            let ended = solve(Solver::new(rules, Kernel::best()));
            assert!(matches!(ended, Err(Error::Interrupted)), "{} {count}", rules.id);
            assert!(solve(Solver::new(rules, Kernel::best()).without_strategies()).is_ok());
        }
    }
}

/// How many exceptions layers have: a mistake that costs nothing but these would not show otherwise.
#[test]
fn there_are_few_exceptions() {
    let (abapa, awari) = (solved(&ABAPA, 12), solved(&AWARI, 12));
    let [abapa, awari] = [abapa, awari].map(|layers| exceptions(&layers.layers()[12]).len());
    println!("abapa 12: {abapa}, awari 12: {awari}");
    assert!(0 < abapa && abapa <= 3_000, "{abapa}");
    assert!(0 < awari && awari <= 100, "{awari}");
}

#[test]
fn there_are_few_exceptions_in_fifteen_seeds() {
    let count = exceptions(&solved(&ABAPA, 15).layers()[15]).len();
    println!("abapa 15: {count}");
    assert!(0 < count && count <= 1_000, "{count}");
}
