//! Strategies of default moves and exceptions: stored, proved and played. `claims` is about how they
//! are found.

use oware_db::certify::playout::prove_layer;
use oware_db::certify::proof::{Claims, Objection, ProofReport, Prover};
use oware_db::game::{ABAPA, AWARI, HOUSES, House, Origin, Rules, SHEETS, Seeds};
use oware_db::layer::{Exception, Exceptions, Rank, Solved};
use oware_db::probe::{Prober, Tables};
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
use oware_db::table::{Contents, Table, WriteOptions, file_name, write};
use rayon::prelude::*;

use crate::solver::tests::layers::solved;

fn seeds(count: usize) -> Seeds {
    Seeds::new(count).unwrap()
}

/// The layers to `most` seeds with their exceptions.
fn with_exceptions(rules: &'static Rules, most: usize) -> (InMemory, Vec<Exceptions>) {
    let layers = solved(rules, most);
    let exceptions = layers.layers().iter().map(|layer| layer.exceptions.clone().unwrap());
    (layers.clone(), exceptions.collect())
}

/// A copy of a layer's bounds, as a table stores them.
fn copy(solved: &Solved) -> Solved {
    let (low, high) = solved.bounds();
    let high = (low != high).then(|| high.clone());
    Solved { low: low.clone(), high, exceptions: None, attained: None, knots: None }
}

fn claims(solved: &Solved, exceptions: &Exceptions) -> Claims {
    let settlement = solved.knots.as_ref().map(|knots| &knots.settlement);
    Claims::of_stored(copy(solved), settlement, exceptions.clone())
}

/// What both provers find, which is the same.
fn judged(prover: &Prover, claims: &Claims) -> ProofReport {
    let report = prover.judge(claims);
    assert_eq!(report, prover.judge_plainly(claims));
    report
}

#[test]
fn what_was_solved_is_proved_on_every_sheet() {
    for rules in SHEETS {
        let (layers, exceptions) = with_exceptions(rules, 8);
        let mut prover = Prover::new(rules);
        for (solved, exceptions) in layers.layers().iter().zip(&exceptions) {
            let claims = claims(solved, exceptions);
            let plain = prover.judge_plainly(&claims);
            let report = prover.admit(claims);
            assert!(report.is_proved(), "{}: {:?}", rules.id, report.objections);
            assert_eq!(report, plain);
            assert_eq!(report.positions, solved.layer().positions());
        }
    }
}

/// Without exceptions play goes round where the origin of a sowing is skipped; where it is sown,
/// default moves happen to do in so small layers. A wrong exception is found wherever it matters.
#[test]
fn forged_exceptions_are_rejected() {
    for rules in SHEETS {
        let (layers, exceptions) = with_exceptions(rules, 7);
        let mut prover = Prover::new(rules);
        for (solved, exceptions) in layers.layers().iter().zip(&exceptions).take(7) {
            prover.admit(claims(solved, exceptions));
        }
        let (solved, right) = (&layers.layers()[7], &exceptions[7]);
        let none = judged(&prover, &claims(solved, &Exceptions::default()));
        assert_eq!(none.failing > 0, rules.origin == Origin::Skipped, "{}", rules.id);
        let explained = |found: &Objection| found.to_string().contains("cycle for ever");
        assert!(none.objections.iter().all(explained));
        let is_harmless = |&rank: &Rank| {
            let others = right.iter().filter(|held| held.rank != rank);
            let house = House::ALL[rank.0 as usize % HOUSES];
            let forged = others.chain([Exception { rank, house }]);
            judged(&prover, &claims(solved, &Exceptions::new(forged))).is_proved()
        };
        let ranks: Vec<Rank> = (0..solved.layer().positions()).step_by(2_999).map(Rank).collect();
        let tried = ranks.len();
        let wrong = tried - ranks.into_par_iter().filter(is_harmless).count();
        println!("{}: {wrong} of {tried} forged exceptions do harm", rules.id);
        assert!(wrong < tried && (wrong > 0 || rules.origin == Origin::Sown), "{}", rules.id);
    }
}

/// Exceptions left out, one at a time, until one is missed. Of 348 in 6 seeds of `abapa` that are 18:
/// others lead to what is met without them once all the rest is.
#[test]
fn exceptions_that_are_left_out_are_missed() {
    for rules in SHEETS.into_iter().filter(|rules| rules.origin == Origin::Skipped) {
        let (layers, exceptions) = with_exceptions(rules, 6);
        let mut prover = Prover::new(rules);
        for (solved, exceptions) in layers.layers().iter().zip(&exceptions).take(6) {
            prover.admit(claims(solved, exceptions));
        }
        let (solved, right) = (&layers.layers()[6], &exceptions[6]);
        let is_missed = right.iter().any(|left_out| {
            let others = right.iter().filter(|held| *held != left_out);
            !judged(&prover, &claims(solved, &Exceptions::new(others))).is_proved()
        });
        assert!(is_missed, "{}: {} exceptions", rules.id, right.len());
    }
}

/// Bounds are judged in the same pass, and before anything else.
#[test]
fn wrong_bounds_are_found_beside_default_moves() {
    for rules in SHEETS {
        let (layers, exceptions) = with_exceptions(rules, 5);
        let mut prover = Prover::new(rules);
        for (solved, exceptions) in layers.layers().iter().zip(&exceptions).take(5) {
            prover.admit(claims(solved, exceptions));
        }
        let right = claims(&layers.layers()[5], &exceptions[5]);
        (0..right.bounds.low.len()).into_par_iter().step_by(37).for_each(|at| {
            let mut wrong = right.clone();
            wrong.bounds.low[at] += if at % 2 == 0 { 1 } else { -1 };
            let report = judged(&prover, &wrong);
            assert!(!report.is_proved(), "{} position {at}", rules.id);
            let explained = |found: &Objection| !found.to_string().contains("cycle for ever");
            assert!(report.objections.iter().all(explained), "{}", rules.id);
        });
    }
}

/// Tables the exceptions of which have been left out.
fn tables_without_exceptions(most: usize) -> (tempfile::TempDir, Tables) {
    let (dir, exceptions) = (tempfile::tempdir().unwrap(), Some(&Exceptions::default()));
    for rules in SHEETS {
        for solved in solved(rules, most).layers() {
            let contents = Contents { exceptions, ..Contents::from(&**solved) };
            write(dir.path(), rules, contents, WriteOptions::default()).unwrap();
        }
    }
    let tables = Tables::open(dir.path()).unwrap();
    (dir, tables)
}

/// Whoever knows them gets what was promised: `playout` has that.
#[test]
fn whoever_knows_no_exceptions_goes_round() {
    let (_dir, tables) = tables_without_exceptions(7);
    for rules in SHEETS {
        let proved = prove_layer(&mut Prober::new(&tables, rules), seeds(7)).unwrap();
        let goes_round = !proved.shortfalls.is_empty();
        assert_eq!(goes_round, rules.origin == Origin::Skipped, "{}", rules.id);
    }
}

fn bytes(rules: &'static Rules, count: usize) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let (layers, exceptions) = with_exceptions(rules, count);
    let (solved, exceptions) = (&*layers.layers()[count], exceptions.last());
    let contents = Contents { exceptions, ..Contents::from(solved) };
    write(dir.path(), rules, contents, WriteOptions::default()).unwrap();
    std::fs::read(dir.path().join(file_name(rules, seeds(count)))).unwrap()
}

#[test]
fn exceptions_come_back_from_the_table() {
    for rules in SHEETS {
        let (layers, exceptions) = with_exceptions(rules, 7);
        let table = Table::from_bytes(bytes(rules, 7)).unwrap();
        assert_eq!(table.exceptions().unwrap(), exceptions.last());
        assert!(table.header().has_strategy());
        table.check().unwrap();
        let stored = table.load_stored().unwrap();
        let mut solver = Solver::new(rules, Kernel::best());
        let completed =
            solver.complete(stored, table.settlement().unwrap(), &layers, &Unobserved).unwrap();
        let solved = &layers.layers()[7];
        assert!(completed.low == solved.low && completed.high() == solved.high());
    }
}

#[test]
fn every_byte_of_a_file_with_exceptions_matters() {
    for rules in [&AWARI, &ABAPA] {
        let right = bytes(rules, 6);
        for at in 0..right.len() {
            let mut wrong = right.clone();
            wrong[at] ^= 1 << (at % 8);
            let found = Table::from_bytes(wrong).and_then(|table| table.check());
            assert!(found.is_err(), "{} byte {at}", rules.id);
        }
        for end in (0..right.len()).step_by(7) {
            assert!(Table::from_bytes(right[..end].to_vec()).is_err());
        }
    }
}

/// Layers are as large as they are without a strategy, but for the exceptions.
#[test]
fn they_take_few_bytes() {
    let (layers, exceptions) = with_exceptions(&AWARI, 10);
    let (solved, exceptions) = (&*layers.layers()[10], exceptions.last());
    let dir = tempfile::tempdir().unwrap();
    let size = |contents: Contents| {
        write(dir.path(), &AWARI, contents, WriteOptions::default()).unwrap().bytes
    };
    let without = Contents { exceptions: None, ..Contents::from(solved) };
    let (none, all) = (size(without), size(Contents { exceptions, ..without }));
    assert!(none < all && 20 * (all - none) < none, "{none} bytes, {all} with exceptions");
}
