//! Where doubt is born, in layers that are solved here.

use oware_db::game::{ABAPA_AGREED, AWARI, Board, Rules, legal_moves};
use oware_db::solver::InMemory;
use oware_db::solver::knots::Doubt;

use crate::solver::tests::layers::solved;

/// The layers of 0..=most seeds and what is in doubt in each.
fn doubts(rules: &'static Rules, most: usize) -> (InMemory, Vec<Doubt>) {
    let layers = solved(rules, most);
    let doubts = layers.layers().iter().map(|solved| Doubt::of(rules, solved, &layers).unwrap());
    (layers.clone(), doubts.collect())
}

/// An independent program found knots of 1,826, 179 and 80 positions up to ten seeds.
#[test]
fn knots_are_those_of_an_independent_program() {
    let (_, doubts) = doubts(&ABAPA_AGREED, 10);
    let found = doubts
        .iter()
        .flat_map(|doubt| doubt.components.iter().map(|knot| (doubt.seeds.get(), knot.positions)));
    assert_eq!(found.collect::<Vec<_>>(), [(8, 1_826), (10, 179), (10, 80)]);
    assert_eq!(doubts[8].open, 75_504 - 62_939);
    assert!(doubts[9].open == 0 && doubts[10].open > 0);
}

/// The better side of the first knot gets 2 or 4, and the doubt of ten seeds rests on it.
#[test]
fn only_the_first_of_them_is_closed() {
    let (layers, doubts) = doubts(&ABAPA_AGREED, 10);
    let knot = &doubts[8].components[0];
    let texts: Vec<String> =
        knot.intervals.iter().map(|(interval, _)| interval.to_string()).collect();
    assert!(knot.is_closed() && texts == ["-4..-2", "+2..+4"]);
    assert_eq!(knot.intervals.iter().map(|(_, count)| count).sum::<u64>(), knot.positions);
    assert_eq!(layers.layers()[8].interval(&knot.example).unwrap(), knot.intervals[0].0);
    assert!(doubts[10].components.iter().all(|knot| knot.captures > 0));
}

/// Seven positions of eleven seeds, each with one move that is not a mistake; after seven moves
/// the board is the same and the other player is to move.
#[test]
fn a_ring_of_seven_is_closed() {
    let (layers, doubts) = doubts(&ABAPA_AGREED, 11);
    let closed: Vec<_> = doubts[11].components.iter().filter(|knot| knot.is_closed()).collect();
    assert_eq!(closed.iter().map(|knot| knot.positions).collect::<Vec<_>>(), [7]);
    let interval = |board: &Board| layers.layers()[11].interval(board).unwrap();
    let mut at = closed[0].example;
    for _ in 0..7 {
        assert_eq!(interval(&at).to_string(), "-1..+1");
        let moves = legal_moves(&ABAPA_AGREED, &at);
        let open: Vec<Board> = moves
            .iter()
            .map(|played| played.next)
            .filter(|next| interval(next).value().is_none())
            .collect();
        assert_eq!(open.len(), 1);
        at = open[0];
    }
    assert_eq!(at, closed[0].example);
}

#[test]
fn an_even_split_leaves_no_doubt() {
    let (_, doubts) = doubts(&AWARI, 6);
    assert!(doubts.iter().all(|doubt| doubt.open == 0 && doubt.components.is_empty()));
}
