//! Layers that keep apart what decides a game against full ones, clamped: scores, strategies, proofs,
//! tables, and ranks.

use std::sync::Arc;

use oware_db::certify::proof::{Claims, Prover};
use oware_db::error::Error;
use oware_db::game::{AWARI, Interval, Rules, SHEETS, Score, ScoreRange, Seeds, final_score};
use oware_db::layer::{Arena, LayerStats, Rank, Solved};
use oware_db::probe::{Prober, Tables};
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
use oware_db::table::{Table, WriteOptions, file_name, write};

use crate::solver::tests::cluster::{How, spilled, together_so};
use crate::solver::tests::layers::{long, solved, solved_by};

fn seeds(count: usize) -> Seeds {
    Seeds::new(count).unwrap()
}

/// The sheets whose scores can be clamped.
fn sheets() -> impl Iterator<Item = &'static Rules> {
    SHEETS.into_iter().filter(|rules| ScoreRange::can_clamp(rules))
}

fn solver(rules: &'static Rules, game: Option<usize>) -> Solver {
    Solver::new(rules, Kernel::best()).for_games_of(game.map(seeds))
}

/// Every score of every layer is that of the full layer, clamped, whether or not there are strategies
/// and whether one plane has the scores or two.
#[test]
fn clamped_scores_are_clamped_full_scores() {
    for rules in sheets() {
        let most = long(12);
        let full = solved(rules, most);
        for (game, strategies) in [(most, true), (most, false), (10, true), (9, true), (7, false)] {
            let solver = solver(rules, Some(game));
            let solver = if strategies { solver } else { solver.without_strategies() };
            let clamped = solved_by(solver, game);
            for (full, clamped) in full.layers().iter().zip(clamped.layers()) {
                let range = clamped.layer().range();
                assert_eq!(
                    range,
                    ScoreRange::deciding(rules, full.layer().seeds(), Some(seeds(game)))
                );
                assert!(full.high.is_none() && clamped.high.is_none());
                let scores = full.low.scores().map(|score| range.clamp(score));
                assert!(scores.eq(clamped.low.scores()), "{} {game}", rules.id);
            }
        }
    }
}

/// Both provers prove them, and none that claims more within the range.
#[test]
fn clamped_layers_are_proved_and_wrong_ones_are_not() {
    for rules in sheets() {
        let layers = solved_by(solver(rules, Some(9)), long(9));
        let mut prover = Prover::new(rules);
        for solved in layers.layers() {
            let exceptions = solved.exceptions.clone().unwrap();
            let (low, high) = solved.bounds();
            let high = (low != high).then(|| high.clone());
            let copy =
                Solved { low: low.clone(), high, exceptions: None, attained: None, knots: None };
            let settlement = solved.knots.as_ref().map(|knots| &knots.settlement);
            let claims = Claims::of_stored(copy, settlement, exceptions);
            let report = prover.judge(&claims);
            assert_eq!(report, prover.judge_plainly(&claims));
            assert!(report.is_proved(), "{}: {:?}", rules.id, report.objections);
            assert_eq!(report.exact, LayerStats::of_solved(solved).exact);
            let range = solved.layer().range();
            for rank in (0..claims.bounds.low.len()).step_by(claims.bounds.low.len() / 3 + 1) {
                let mut wrong = claims.clone();
                let score = &mut wrong.bounds.low[rank];
                *score = if *score == range.end() { 0 } else { *score + 1 };
                let report = prover.judge(&wrong);
                assert!(!report.is_proved() || range.end() == 0, "{} {rank}", rules.id);
            }
            prover.admit(claims);
        }
    }
}

/// A table says what is known: the score, or on which side of the range it is.
#[test]
fn tables_say_what_is_known() {
    for rules in sheets() {
        let most = long(11);
        let full = solved(rules, most);
        let (dir, game) = (tempfile::tempdir().unwrap(), Some(seeds(11)));
        let mut solver = solver(rules, Some(11));
        let mut layers = InMemory::default();
        for seeds in seeds(most).up_to() {
            let solved = solver.solve(seeds, &layers, &Unobserved).unwrap();
            let path = dir.path().join(file_name(rules, seeds));
            write(dir.path(), rules, &solved, WriteOptions::default()).unwrap();
            let table = Table::open(path).unwrap();
            assert_eq!(table.range(), ScoreRange::deciding(rules, seeds, game));
            assert_eq!(
                LayerStats { bytes: 0, ..table.stats().clone() },
                LayerStats::of_solved(&solved)
            );
            table.check().unwrap();
            layers.push(solved);
        }
        let tables = Tables::open(dir.path()).unwrap();
        let mut prober = Prober::new(&tables, rules);
        for full in full.layers() {
            let layer = full.layer();
            let range = ScoreRange::deciding(rules, layer.seeds(), game);
            for rank in (0..layer.positions()).step_by(7) {
                let board = layer.position(Rank(rank)).unwrap();
                let score = full.low.score(&board).unwrap();
                let known = prober.interval(&board).unwrap();
                match final_score(rules, &board) {
                    Some(score) => assert_eq!(known, Interval::exact(score)),
                    None => assert_eq!(known, range.known(Interval::exact(score)), "{board}"),
                }
                let moves = prober.moves(&board).unwrap();
                if !moves.is_empty() {
                    assert_eq!(prober.interval_of(&board, &moves).unwrap(), known);
                    assert!(
                        moves.iter().any(|scored| scored.collects == Some(known.low)),
                        "{board}"
                    );
                }
            }
        }
        let loaded = tables.load(rules, seeds(most)).unwrap();
        for (loaded, solved) in loaded.layers().iter().zip(layers.layers()) {
            assert!(loaded.layer() == solved.layer() && loaded.low == solved.low);
        }
    }
}

/// Full layers, and those of larger games, do below a clamped one; narrower ones do not.
#[test]
fn a_layer_that_needs_more_than_is_below_is_refused() {
    let below = solved(&AWARI, 9);
    let clamped = solver(&AWARI, Some(12)).solve(seeds(10), &below, &Unobserved).unwrap();
    let expected = solved_by(solver(&AWARI, Some(12)), 10);
    assert!(clamped.low == expected.layers()[10].low);
    let mut narrow = solved_by(solver(&AWARI, Some(10)), 9);
    for game in [None, Some(11)] {
        let refused = solver(&AWARI, game).solve(seeds(10), &narrow, &Unobserved).err();
        assert!(matches!(refused, Some(Error::NarrowRange { seeds: 10, .. })), "{refused:?}");
    }
    narrow.push(solver(&AWARI, Some(10)).solve(seeds(10), &narrow, &Unobserved).unwrap());
    assert!(narrow.layers()[10].low.scores().all(|score| score.abs() <= 1));
}

/// Ranks find the same layers, with their parts in memory or, three of them, in files.
#[test]
fn ranks_solve_clamped_layers() {
    for (rules, ranks) in sheets().flat_map(|rules| [(rules, 2), (rules, 3)]) {
        let most = long(10);
        let expected = solved_by(solver(rules, Some(most)), most);
        let files = Arc::default();
        let on_disk = || spilled(&files);
        let game = Some(seeds(most));
        let how = match ranks {
            3 => How { game, arena: &on_disk, ..How::default() },
            _ => How { game, arena: &Arena::passing, ..How::default() },
        };
        let ((), others) = together_so(how, rules, ranks, true, |solver, _| {
            let mut layers = InMemory::default();
            for (seeds, expected) in seeds(most).up_to().zip(expected.layers()) {
                let solved = solver.solve(seeds, &layers, &Unobserved).unwrap();
                assert!(solved.low == expected.low && solved.exceptions == expected.exceptions);
                layers.push(solved);
            }
            solver.dismiss().unwrap();
        });
        assert!(others.iter().all(Result::is_ok));
    }
}

/// What no score of a clamped layer can be.
#[test]
fn scores_beyond_the_range_are_not_proved() {
    let layers = solved_by(solver(&AWARI, Some(8)), 8);
    let mut prover = Prover::new(&AWARI);
    for solved in layers.layers() {
        let (low, exceptions) = (solved.low.clone(), solved.exceptions.clone().unwrap());
        let copy = Solved { low, high: None, exceptions: None, attained: None, knots: None };
        let claims = Claims::of_stored(copy, None, exceptions);
        let mut beyond = claims.clone();
        let end = solved.layer().range().end();
        let at = beyond.bounds.low.iter().position(|&score| score == end);
        if let Some(at) = at.filter(|_| !solved.layer().range().is_full()) {
            beyond.bounds.low[at] = Score::new(end + 1).get();
            assert!(!prover.judge(&beyond).is_proved());
        }
        prover.admit(claims);
    }
}
