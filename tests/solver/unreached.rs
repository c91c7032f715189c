//! Boards that no move leads to: what they are worth, against one board after the other.

use oware_db::game::{
    AWARI, HOUSES, Interval, Origin, Rules, SHEETS, ScoreRange, Seeds, legal_moves,
};
use oware_db::layer::{Domain, Layer, LayerStats, Rank};
use oware_db::solver::unreached::stats;
use oware_db::solver::{InMemory, Layers};
use rayon::prelude::*;

use crate::solver::tests::large::Elsewhere;
use crate::solver::tests::layers::solved;

/// One board after the other, one move after the other.
fn plainly(rules: &'static Rules, seeds: Seeds, layers: &InMemory) -> LayerStats {
    let (all, reached) = (Layer::new(seeds, Domain::All), Layer::of(rules, seeds));
    let boards = (0..all.positions()).into_par_iter().filter_map(|rank| all.position(Rank(rank)));
    let bounds = boards.filter(|board| reached.cell(board).is_none()).map(|board| {
        let moves = legal_moves(rules, &board);
        let worth = moves.iter().map(|found| {
            let solved = &layers.layers()[found.next.seeds().get()];
            solved.interval(&found.next).expect("a position").after_capture(found.captured)
        });
        let best = worth.reduce(|one, other| Interval {
            low: one.low.max(other.low),
            high: one.high.max(other.high),
        });
        let best = best.unwrap_or(Interval::exact(board.own_rows()));
        (best.low.get(), best.high.get())
    });
    let (low, high): (Vec<_>, Vec<_>) = bounds.unzip();
    LayerStats::of_bounds(ScoreRange::full(seeds), &low, &high)
}

#[test]
fn their_worth_is_that_of_their_best_move() {
    for rules in SHEETS {
        let most = if rules.endless.is_settled() { 9 } else { 11 };
        let layers = &solved(rules, most);
        for seeds in Seeds::new(most).unwrap().up_to() {
            let expected = plainly(rules, seeds, layers);
            let all: [(&dyn Layers, u64); 3] =
                [(layers, u64::MAX), (layers, 100), (&Elsewhere(layers), 1000)];
            for (layers, room) in all {
                let found = stats(rules, seeds, layers, room).unwrap();
                assert_eq!(found, expected, "{} {room}", rules.id);
            }
            let left_out = rules.origin == Origin::Skipped && seeds.get() >= HOUSES;
            assert_eq!(expected.positions > 0, left_out, "{} {seeds}", rules.id);
        }
    }
}

/// Twelve seeds and more in a house go round the board; six that cross over may take all.
#[test]
fn long_sowings_and_forced_slams_are_entered() {
    let layers = solved(&AWARI, 14);
    for seeds in [13, 14].map(|seeds| Seeds::new(seeds).unwrap()) {
        let expected = plainly(&AWARI, seeds, &layers);
        assert_eq!(stats(&AWARI, seeds, &layers, u64::MAX).unwrap(), expected);
    }
}
