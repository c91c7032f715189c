//! The proof accepts what is right, and nothing that only looks right.

use std::sync::Arc;

use crate::solver::tests::oracle::{Finite, OwareLayer, solve_even_split, solve_own_side};
use oware_db::certify::proof::{Bounds, Claims, Fault, ProofReport, Prover};
use oware_db::game::{
    ABAPA_AGREED, ABAPA_EVEN, Board, Endless, House, Interval, Move, Repetition, Rules, SHEETS,
    Score, Seeds, legal_moves,
};
use oware_db::layer::{
    Exception, Exceptions, Layer, Plane, Rank, Solved, is_good_for_mover, is_good_for_opponent,
};
use oware_db::random::Dice;
use oware_db::solver::game_graph::{GameGraph, OwnSide, Step};
use rayon::prelude::*;

use crate::solver::tests::layers::solved;

fn layer(rules: &Rules, seeds: usize) -> Layer {
    Layer::of(rules, Seeds::new(seeds).unwrap())
}

/// The layers of 0..=most seeds as the solver solves them, with its exceptions.
fn claims_of(rules: &'static Rules, most: usize) -> Vec<Claims> {
    let claims = |solved: &Arc<Solved>| {
        let copy = Solved {
            low: solved.low.clone(),
            high: solved.high.clone(),
            exceptions: None,
            attained: None,
            knots: solved.knots.clone(),
        };
        Claims::of(copy, solved.exceptions.clone().unwrap())
    };
    solved(rules, most).layers().iter().map(claims).collect()
}

/// The layers of 0..=most seeds as the oracle solves them under the conventions of `cycles`, with a
/// strategy that `rules` allow.
fn by_oracle(
    rules: &Rules,
    most: usize,
    cycles: impl Fn(&OwareLayer) -> Vec<Interval>,
) -> Vec<Claims> {
    let (mut intervals, mut below, mut claims) = (Vec::new(), Vec::new(), Vec::new());
    for seeds in 0..=most {
        let found = cycles(&OwareLayer { rules, layer: layer(rules, seeds), lower: &intervals });
        let made = by_rounds(rules, &below, bounds(&found), layer(rules, seeds));
        intervals.push(found);
        below.push(made.bounds.clone());
        claims.push(made);
    }
    claims
}

fn even_split(game: &OwareLayer) -> Vec<Interval> {
    solve_even_split(game).into_iter().map(Interval::exact).collect()
}

/// Cycles that leave each player the row of the other one.
struct RowsExchanged<'a>(&'a OwareLayer<'a>);

impl Finite for RowsExchanged<'_> {
    fn positions(&self) -> usize {
        self.0.positions()
    }
}

impl GameGraph for RowsExchanged<'_> {
    fn steps(&self, position: usize) -> Vec<Step> {
        self.0.steps(position)
    }
}

impl OwnSide for RowsExchanged<'_> {
    fn own_rows(&self, position: usize) -> Option<Score> {
        self.0.own_rows(position).map(|rows| rows.after_capture(0))
    }
}

fn bounds(intervals: &[Interval]) -> Bounds {
    let ends = |end: fn(&Interval) -> Score| {
        intervals.iter().map(|interval| end(interval).get()).collect::<Vec<_>>()
    };
    Bounds { low: ends(|interval| interval.low), high: Some(ends(|interval| interval.high)) }
}

fn claims(layer: Layer, bounds: Bounds, exceptions: Exceptions) -> Claims {
    let plane = |scores: Vec<i8>| Plane::of_scores(layer, scores);
    let (low, high) = (plane(bounds.low), bounds.high.map(plane));
    Claims::of(Solved { low, high, exceptions: None, attained: None, knots: None }, exceptions)
}

/// A position as the conditions see it.
struct Node {
    /// Whether the mover's claim is had at once.
    done: bool,
    /// Where tight quiet moves lead, in the order of houses.
    tight: Vec<(House, usize)>,
    good_for_mover: bool,
    good_for_opponent: bool,
    /// The claim of the player who is not to move.
    claim: i8,
}

fn node(rules: &Rules, below: &[Bounds], bounds: &Bounds, board: &Board) -> Node {
    let of = |board: &Board| {
        let bounds = below.get(board.seeds().get()).unwrap_or(bounds);
        let rank = Layer::of(rules, board.seeds()).rank(board).unwrap().0 as usize;
        (bounds.low[rank], bounds.high()[rank], rank)
    };
    let (low, high, _) = of(board);
    let moves: Vec<Move> = legal_moves(rules, board).iter().collect();
    let tight = |played: &&Move| played.captured as i8 - of(&played.next).1 == low;
    let quiet = moves.iter().filter(|played| played.captured == 0).filter(tight);
    Node {
        done: moves.is_empty()
            || moves.iter().filter(|played| played.captured > 0).any(|played| tight(&played)),
        tight: quiet.map(|played| (played.house, of(&played.next).2)).collect(),
        good_for_mover: is_good_for_mover(rules, board, Score::new(low)),
        good_for_opponent: is_good_for_opponent(rules, board, Score::new(-high)),
        claim: -high,
    }
}

/// A strategy for any bounds, as good as there is: claims settle in rounds, first whatever is nearer
/// to something settled, and when there is no more of it, all that can be kept for ever; and each move
/// is one to the claim that settled earliest.
fn by_rounds(rules: &Rules, below: &[Bounds], bounds: Bounds, layer: Layer) -> Claims {
    let boards: Vec<Board> =
        (0..layer.positions()).map(|rank| layer.position(Rank(rank)).unwrap()).collect();
    let nodes: Vec<Node> = boards.iter().map(|board| node(rules, below, &bounds, board)).collect();
    let replies: Vec<Vec<usize>> = boards
        .iter()
        .zip(&nodes)
        .map(|(board, node)| {
            let quiet = legal_moves(rules, board)
                .iter()
                .filter(|played| played.captured == 0)
                .collect::<Vec<_>>();
            let ranks = quiet.iter().map(|played| layer.rank(&played.next).unwrap().0 as usize);
            ranks.filter(|&reply| bounds.low[reply] == node.claim).collect()
        })
        .collect();
    let mut settled_in: Vec<Option<u32>> = vec![None; nodes.len()];
    let needs_nothing = |claim: i8| match rules.endless {
        Endless::EvenSplit => claim <= 0,
        Endless::Drawn => claim == -(layer.seeds().get() as i8),
        Endless::OwnSide(_) => false,
    };
    settled_in
        .iter_mut()
        .zip(&nodes)
        .filter(|(_, node)| needs_nothing(node.claim))
        .for_each(|(round, _)| *round = Some(0));
    for round in 1.. {
        let reached = |reply: &usize, settled_in: &[Option<u32>]| {
            let is_settled = |&(_, child): &(House, usize)| settled_in[child].is_some();
            nodes[*reply].done || nodes[*reply].tight.iter().any(is_settled)
        };
        let open: Vec<usize> =
            (0..nodes.len()).filter(|&rank| settled_in[rank].is_none()).collect();
        let near = |&&rank: &&usize| replies[rank].iter().all(|reply| reached(reply, &settled_in));
        let mut settled: Vec<usize> = open.iter().filter(near).copied().collect();
        if settled.is_empty() {
            // The greatest set that can be kept: begin with all that is good, strike out what
            // cannot.
            settled = open.into_iter().filter(|&rank| nodes[rank].good_for_opponent).collect();
            loop {
                let before = settled.len();
                let kept = |reply: &usize| {
                    let stays = |(_, child): &(House, usize)| settled.binary_search(child).is_ok();
                    reached(reply, &settled_in)
                        || nodes[*reply].good_for_mover && nodes[*reply].tight.iter().any(stays)
                };
                let rest = settled
                    .iter()
                    .filter(|&&rank| replies[rank].iter().all(kept))
                    .copied()
                    .collect();
                settled = rest;
                if settled.len() == before {
                    break;
                }
            }
        }
        settled.iter().for_each(|&rank| settled_in[rank] = Some(round));
        if settled.is_empty() {
            break;
        }
    }
    let exceptions = nodes.iter().enumerate().filter_map(|(rank, node)| {
        let round = |&&(_, child): &&(House, usize)| settled_in[child].unwrap_or(u32::MAX);
        let &(house, _) = node.tight.iter().min_by_key(round)?;
        (house != node.tight[0].0).then_some(Exception { rank: Rank(rank as u64), house })
    });
    let exceptions = Exceptions::new(exceptions);
    claims(layer, bounds, exceptions)
}

/// Exceptions at all positions.
fn everywhere(layer: Layer, mut house: impl FnMut() -> House) -> Exceptions {
    let all = (0..layer.positions()).map(|rank| Exception { rank: Rank(rank), house: house() });
    Exceptions::new(all)
}

/// What a checker of the minimax equations alone would say.
fn equations_hold(rules: &Rules, below: &[Bounds], claims: &Claims) -> bool {
    (0..claims.layer.positions()).all(|rank| {
        let board = claims.layer.position(Rank(rank)).unwrap();
        let of = |board: &Board| {
            let bounds = below.get(board.seeds().get()).unwrap_or(&claims.bounds);
            let rank = Layer::of(rules, board.seeds()).rank(board).unwrap().0 as usize;
            (bounds.low[rank], bounds.high()[rank])
        };
        let moves = legal_moves(rules, &board);
        let worth = || moves.iter().map(|played| (played.captured as i8, of(&played.next)));
        let low = worth().map(|(captured, child)| captured - child.1).max();
        let high = worth().map(|(captured, child)| captured - child.0).max();
        let rows = board.own_rows().get();
        of(&board) == (low.unwrap_or(rows), high.unwrap_or(rows)) && of(&board).0 <= of(&board).1
    })
}

fn assert_proved(prover: &mut Prover, claims: Claims) {
    let (plain, positions) = (prover.judge_plainly(&claims), claims.layer.positions());
    let report = prover.admit(claims);
    assert!(report.is_proved(), "{}", report.objections[0]);
    assert_eq!(report, plain);
    assert_eq!(report.positions, positions);
}

fn assert_rejected(prover: &Prover, claims: &Claims) -> ProofReport {
    let report = prover.judge(claims);
    assert!(!report.is_proved());
    assert_eq!(report, prover.judge_plainly(claims));
    assert_eq!(report.objections.is_empty(), report.failing == 0);
    report
}

/// Long sowings, bounds that differ, and knots. Both provers look at smaller layers in
/// `default_moves`.
#[test]
fn what_the_solver_makes_of_larger_layers_is_proved() {
    for rules in SHEETS {
        let mut prover = Prover::new(rules);
        for claims in claims_of(rules, 12) {
            let report = prover.admit(claims);
            assert!(report.is_proved(), "{} {}", rules.id, report.objections[0]);
            let published = [(8, 62_939), (9, 167_596)]
                .into_iter()
                .find(|(seeds, _)| *seeds == report.seeds.get());
            match (rules.endless, published) {
                (Endless::EvenSplit | Endless::OwnSide(Repetition::First), _) => {
                    assert_eq!(report.exact, report.positions)
                }
                (Endless::OwnSide(Repetition::Agreed), Some((_, exact))) => {
                    assert_eq!(report.exact, exact)
                }
                (Endless::OwnSide(_) | Endless::Drawn, _) => {}
            }
        }
    }
}

#[test]
fn what_the_oracle_finds_is_proved_by_other_exceptions() {
    for rules in SHEETS {
        let mut prover = Prover::new(rules);
        let found = by_oracle(rules, 6, |game| game.solve());
        found.into_iter().for_each(|claims| assert_proved(&mut prover, claims));
    }
}

/// Gives the first layer that differs, and a prover that has admitted what is below.
fn first_difference<'a>(
    rules: &'static Rules,
    wrong: &'a [Claims],
    right: &'a [Claims],
) -> (Prover, Vec<Bounds>, &'a Claims, &'a Claims) {
    let mut prover = Prover::new(rules);
    let mut below = Vec::new();
    for (wrong, right) in wrong.iter().zip(right) {
        let same =
            wrong.bounds.low == right.bounds.low && wrong.bounds.high() == right.bounds.high();
        if !same {
            return (prover, below, wrong, right);
        }
        assert!(prover.admit(right.clone()).is_proved());
        below.push(right.bounds.clone());
    }
    panic!("no difference");
}

/// Wrong scores that support each other around cycles: a minimax check finds nothing, and no
/// exceptions make the proof accept them.
#[test]
fn equations_alone_accept_tables_that_are_wrong() {
    const MOST: usize = 5;
    let right =
        [&ABAPA_AGREED, &ABAPA_EVEN].map(|rules| by_oracle(rules, MOST, |game| game.solve()));
    let even_for_abapa = by_oracle(&ABAPA_AGREED, MOST, even_split);
    let rows_for_even = by_oracle(&ABAPA_EVEN, MOST, |game| solve_own_side(game));
    for (rules, wrong, right) in
        [(&ABAPA_AGREED, &even_for_abapa, &right[0]), (&ABAPA_EVEN, &rows_for_even, &right[1])]
    {
        let (prover, below, wrong, right) = first_difference(rules, wrong, right);
        assert!(equations_hold(rules, &below, wrong));
        let strategies = [
            Exceptions::default(),
            wrong.exceptions.clone(),
            right.exceptions.clone(),
            by_rounds(rules, &below, wrong.bounds.clone(), wrong.layer).exceptions,
        ];
        let of_one = House::ALL.map(|house| everywhere(wrong.layer, || house));
        let mut dice = Dice::new(1);
        let random =
            (0..20).map(|_| everywhere(wrong.layer, || House::ALL[dice.below(6) as usize]));
        for exceptions in strategies.into_iter().chain(of_one).chain(random) {
            assert_rejected(&prover, &Claims { exceptions, ..wrong.clone() });
        }
    }
}

/// All tables of a sheet at once can be wrong together: the moves of `abapa-even` are those of
/// `abapa`, so the scores of one solve the equations of the other.
#[test]
fn equations_alone_do_not_tell_sheets_apart() {
    let (rows, even) = (claims_of(&ABAPA_AGREED, 7), claims_of(&ABAPA_EVEN, 7));
    let (mut below, mut wrong) = (Vec::new(), 0);
    for (rows, even) in rows.into_iter().zip(even) {
        assert!(equations_hold(&ABAPA_EVEN, &below, &rows));
        wrong += rows
            .bounds
            .low
            .iter()
            .zip(&even.bounds.low)
            .filter(|(rows, even)| rows != even)
            .count();
        below.push(rows.bounds);
    }
    assert_eq!(wrong, 5_186);
}

/// The better side gets 2 or 4. An even split says what it gets exactly, and solves the equations.
#[test]
fn doubt_cannot_be_argued_away() {
    let mut layers = claims_of(&ABAPA_AGREED, 8);
    let right = layers.pop().unwrap();
    let mut prover = Prover::new(&ABAPA_AGREED);
    let lower: Vec<Vec<Interval>> = layers.iter().map(|claims| intervals(&claims.bounds)).collect();
    let below: Vec<Bounds> = layers.iter().map(|claims| claims.bounds.clone()).collect();
    layers.into_iter().for_each(|claims| assert!(prover.admit(claims).is_proved()));
    let found = even_split(&OwareLayer { rules: &ABAPA_AGREED, layer: right.layer, lower: &lower });
    assert!(
        found
            .iter()
            .zip(intervals(&right.bounds))
            .any(|(found, right)| right.value().is_none() && holds(right, *found))
    );
    let wrong = by_rounds(&ABAPA_AGREED, &below, bounds(&found), right.layer);
    assert!(equations_hold(&ABAPA_AGREED, &below, &wrong));
    assert_rejected(&prover, &wrong);
    assert_rejected(&prover, &Claims { exceptions: right.exceptions, ..wrong });
}

fn intervals(bounds: &Bounds) -> Vec<Interval> {
    let pairs = bounds.low.iter().zip(bounds.high());
    pairs.map(|(&low, &high)| Interval { low: Score::new(low), high: Score::new(high) }).collect()
}

fn holds(outer: Interval, inner: Interval) -> bool {
    outer.low <= inner.low && inner.high <= outer.high
}

/// What is not proved: that an interval is as narrow as can be. Here both players claim less than
/// they can secure, and they do secure that.
#[test]
fn a_wider_interval_may_be_as_true() {
    let right = by_oracle(&ABAPA_AGREED, 3, |game| game.solve());
    let wider = by_oracle(&ABAPA_AGREED, 3, |game| solve_own_side(&RowsExchanged(game)));
    let (mut prover, _, wider, right) = first_difference(&ABAPA_AGREED, &wider, &right);
    let pairs = intervals(&wider.bounds).into_iter().zip(intervals(&right.bounds));
    assert!(pairs.clone().all(|(wider, right)| holds(wider, right)));
    assert!(
        pairs.filter(|(wider, right)| wider != right).all(|(_, right)| right.value().is_some())
    );
    assert_proved(&mut prover, wider.clone());
}

/// The same, the other way round: right scores with a strategy that does not collect them.
#[test]
fn right_scores_need_moves_that_keep_them() {
    for rules in [&ABAPA_AGREED, &ABAPA_EVEN] {
        let (last, below) = claims_of(rules, 5)
            .split_last()
            .map(|(last, below)| (last.clone(), below.to_vec()))
            .unwrap();
        let mut prover = Prover::new(rules);
        below.into_iter().for_each(|claims| assert!(prover.admit(claims).is_proved()));
        for house in House::ALL {
            let exceptions = everywhere(last.layer, || house);
            let report = assert_rejected(&prover, &Claims { exceptions, ..last.clone() });
            let circles = |fault: Fault| matches!(fault, Fault::Circles { .. });
            assert!(report.objections.iter().all(|objection| circles(objection.fault)));
        }
    }
}

/// A layer of a sheet, and what is needed to judge it.
struct Last {
    rules: &'static Rules,
    below: Vec<Bounds>,
    prover: Prover,
    right: Claims,
}

fn last_layers(seeds: usize) -> impl Iterator<Item = Last> {
    SHEETS.into_iter().map(move |rules| {
        let mut prover = Prover::new(rules);
        let mut layers = claims_of(rules, seeds);
        let mut right = layers.pop().unwrap();
        let below = layers.iter().map(|claims| claims.scores().into_owned()).collect();
        layers.into_iter().for_each(|claims| assert!(prover.admit(claims).is_proved()));
        right.bounds.high = Some(right.bounds.high().to_vec());
        Last { rules, below, prover, right }
    })
}

#[test]
fn every_single_wrong_bound_is_found() {
    for Last { prover, right, .. } in last_layers(4) {
        assert!(prover.judge(&right).is_proved());
        let changes = [-100, -2, -1, 1, 2, 100];
        (0..right.bounds.low.len()).into_par_iter().step_by(5).for_each(|rank| {
            let change = changes[rank % changes.len()];
            let mut wrong = right.clone();
            wrong.bounds.low[rank] += change;
            assert_rejected(&prover, &wrong);
            let mut wrong = right.clone();
            wrong.bounds.high.as_mut().unwrap()[rank] += change;
            assert_rejected(&prover, &wrong);
        });
    }
}

/// Theorem 3 by trying: plays the strategy against every tight reply and looks at the cycles that
/// can be closed. Each position on them has to pay the claim.
fn assert_cycles_pay(rules: &Rules, below: &[Bounds], claims: &Claims) {
    let boards: Vec<Board> = (0..claims.layer.positions())
        .map(|rank| claims.layer.position(Rank(rank)).unwrap())
        .collect();
    let nodes: Vec<Node> =
        boards.iter().map(|board| node(rules, below, &claims.bounds, board)).collect();
    let replies = |rank: usize| {
        let quiet = legal_moves(rules, &boards[rank])
            .iter()
            .filter(|played| played.captured == 0)
            .collect::<Vec<_>>();
        let ranks =
            quiet.into_iter().map(|played| claims.layer.rank(&played.next).unwrap().0 as usize);
        ranks
            .filter(|&reply| claims.bounds.low[reply] == nodes[rank].claim && !nodes[reply].done)
            .collect::<Vec<_>>()
    };
    let choices = |reply: usize| -> Vec<usize> {
        let wanted = claims.exceptions.house(Rank(reply as u64));
        let is_chosen = |house: House| wanted.is_none_or(|wanted| wanted == house);
        let mut tight = nodes[reply].tight.iter();
        tight.find(|&&(house, _)| is_chosen(house)).map(|&(_, child)| child).into_iter().collect()
    };
    // Where the opponent is to move, and where the play may be two plies later.
    let after: Vec<Vec<usize>> = (0..nodes.len())
        .map(|rank| replies(rank).into_iter().flat_map(choices).collect())
        .collect();
    let reaches = |from: &[usize], to: usize| {
        let (mut open, mut seen) = (from.to_vec(), vec![false; nodes.len()]);
        while let Some(rank) = open.pop() {
            if rank == to {
                return true;
            }
            if !std::mem::replace(&mut seen[rank], true) {
                open.extend(&after[rank]);
            }
        }
        false
    };
    for (rank, node) in nodes.iter().enumerate() {
        assert!(
            node.good_for_opponent || !reaches(&after[rank], rank),
            "{} {}",
            rules.id,
            boards[rank]
        );
        for reply in replies(rank).into_iter().filter(|&reply| !nodes[reply].good_for_mover) {
            assert!(!reaches(&choices(reply), rank), "{} {}", rules.id, boards[reply]);
        }
    }
}

#[test]
fn cycles_pay_what_proved_layers_claim() {
    for rules in SHEETS {
        let mut below = Vec::new();
        for claims in claims_of(rules, 6) {
            assert_cycles_pay(rules, &below, &claims);
            below.push(claims.scores().into_owned());
        }
    }
}

/// Another move may be as good as the one that the strategy makes.
#[test]
fn every_single_wrong_exception_is_found() {
    for Last { rules, below, prover, right } in last_layers(4) {
        let places = 0..right.layer.positions().div_ceil(7);
        let is_harmless = |&place: &u64| {
            let rank = Rank(7 * place);
            let others = right.exceptions.iter().filter(|held| held.rank != rank);
            let forged = others.chain([Exception { rank, house: House::ALL[place as usize % 6] }]);
            let changed = Claims { exceptions: Exceptions::new(forged), ..right.clone() };
            let report = prover.judge(&changed);
            assert_eq!(report, prover.judge_plainly(&changed));
            if report.is_proved() {
                assert_cycles_pay(rules, &below, &changed);
            }
            report.is_proved()
        };
        let harmless = places.clone().into_par_iter().filter(is_harmless).count();
        let found = places.count() - harmless;
        assert!(found > 0 && harmless > 0, "{found} found, {harmless} harmless");
    }
}

#[test]
fn a_layer_that_is_not_proved_is_not_relied_on() {
    let mut prover = Prover::new(&ABAPA_AGREED);
    let layers = claims_of(&ABAPA_AGREED, 3);
    let mut wrong = layers[0].clone();
    wrong.bounds.low[0] = 1;
    assert!(!prover.admit(wrong).is_proved());
    assert!(layers.into_iter().all(|claims| prover.admit(claims).is_proved()));
}

#[test]
fn objections_name_the_position_and_the_numbers() {
    let layers = claims_of(&ABAPA_AGREED, 3);
    let mut prover = Prover::new(&ABAPA_AGREED);
    layers[..3].iter().for_each(|claims| assert!(prover.admit(claims.clone()).is_proved()));
    let board = Board::new([0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1]).unwrap();
    let rank = layers[3].layer.rank(&board).unwrap().0 as usize;
    let mut wrong = layers[3].clone();
    wrong.bounds.low[rank] = 2;
    let words: Vec<String> =
        prover.judge(&wrong).objections.iter().map(|objection| objection.to_string()).collect();
    let expected =
        "`0 0 0 0 0 1  1 0 0 0 0 1`: its bounds are 2..2, its moves give 3..3 (condition 1)";
    assert!(words.iter().any(|words| words == expected), "{words:?}");
    wrong.bounds.low[rank] = 4;
    let words = prover
        .judge(&wrong)
        .objections
        .iter()
        .map(|objection| objection.to_string())
        .collect::<String>();
    assert!(words.contains("its bounds 4..4 are no interval of possible scores"), "{words}");
}

#[test]
#[should_panic(expected = "layers come in order")]
fn layers_are_judged_in_order() {
    Prover::new(&ABAPA_AGREED).judge(&claims_of(&ABAPA_AGREED, 1)[1]);
}
