//! Laws that hold for every sheet and every number of seeds, on boards drawn at random.

use oware_db::game::{
    Board, Harvest, Origin, Position, Rules, SHEETS, Seat, Seeds, Side, Stores, final_score,
    legal_moves,
};
use oware_db::layer::{Domain, Layer, Rank, row_at, rows};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Any row with `seeds` seeds, each as likely as every other.
fn row(seeds: usize) -> impl Strategy<Value = Side> {
    (0..rows(seeds)).prop_map(move |rank| row_at(seeds, rank))
}

/// A board with any number of seeds up to 48 and any share of them on either side.
fn board() -> impl Strategy<Value = Board> {
    let shares =
        (0..=48usize).prop_flat_map(|seeds| (0..=seeds).prop_map(move |own| (own, seeds - own)));
    shares.prop_flat_map(|(own, other)| {
        (row(own), row(other)).prop_map(|(mover, opponent)| Board { mover, opponent })
    })
}

fn layer() -> impl Strategy<Value = Layer> {
    let domains = select(vec![Domain::EmptyHouse, Domain::All]);
    (0..=48usize, domains)
        .prop_map(|(seeds, domain)| Layer::new(Seeds::new(seeds).expect("48 at most"), domain))
}

fn sheet() -> impl Strategy<Value = &'static Rules> {
    select(SHEETS.to_vec())
}

fn list(numbers: &[u8], separator: &str) -> String {
    numbers.iter().map(|number| number.to_string()).collect::<Vec<_>>().join(separator)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn a_rank_is_the_rank_of_its_position(layer in layer(), place in any::<Index>()) {
        // The largest layer has 1.4e11 positions, which `usize` holds where it has 64 bits.
        let rank = Rank(place.index(layer.positions() as usize) as u64);
        let board = layer.position(rank).expect("a rank of the layer");
        prop_assert_eq!(board.seeds(), layer.seeds());
        prop_assert_eq!(layer.rank(&board), Some(rank));
    }

    #[test]
    fn a_position_is_the_position_of_its_rank(board in board()) {
        for domain in [Domain::EmptyHouse, Domain::All] {
            let layer = Layer::new(board.seeds(), domain);
            let inside = domain == Domain::All || board.opponent.has_empty_house();
            let back = layer.rank(&board).and_then(|rank| layer.position(rank));
            prop_assert_eq!(back, inside.then_some(board));
        }
    }

    #[test]
    fn twelve_numbers_are_read_as_written(
        board in board(),
        separator in select(vec![" ", ",", "-", "/", ", ", " - "]),
    ) {
        let expected = Position::from(board);
        prop_assert_eq!(board.to_string().parse::<Position>().expect("readable"), expected);
        let read: Position = list(&board.houses(), separator).parse().expect("readable");
        prop_assert_eq!(read, expected);
    }

    #[test]
    fn forms_with_stores_are_read_as_written(
        board in board(),
        share in any::<Index>(),
        turned in any::<bool>(),
    ) {
        let captured = 48 - board.seeds().get();
        let mover = share.index(captured + 1) as u8;
        let stores = Stores { mover, opponent: captured as u8 - mover };
        let seat = if turned { Seat::North } else { Seat::South };
        let expected = Position { board, stores: Some(stores), seat };
        let (first, scores) = if turned {
            (board.turned(), [stores.opponent, stores.mover])
        } else {
            (board, [stores.mover, stores.opponent])
        };
        let seat = if turned { "N" } else { "S" };
        let engine = format!("{}-{}-{seat}", list(&first.houses(), "-"), list(&scores, "-"));
        prop_assert_eq!(engine.parse::<Position>().expect("readable"), expected);
        let (side, houses) = (u8::from(turned), list(&first.houses(), " "));
        let observation = format!("{side} | {} | {houses}", list(&scores, " "));
        prop_assert_eq!(observation.parse::<Position>().expect("readable"), expected);
    }

    #[test]
    fn seeds_are_conserved_and_layers_never_rise(rules in sheet(), board in board()) {
        for found in legal_moves(rules, &board).iter() {
            prop_assert!(board.mover[found.house] > 0);
            let seeds = found.next.seeds().get() + found.captured as usize;
            prop_assert_eq!(seeds, board.seeds().get());
            let twos_and_threes = found.captured != 1;
            prop_assert!(twos_and_threes || rules.harvest == Harvest::Opposite);
        }
    }

    #[test]
    fn what_moves_lead_to_lies_in_a_table(rules in sheet(), board in board()) {
        for found in legal_moves(rules, &board).iter() {
            prop_assert!(Layer::of(rules, found.next.seeds()).rank(&found.next).is_some());
            let origin = found.next.opponent[found.house];
            prop_assert!(rules.origin == Origin::Sown || origin == 0);
        }
    }

    #[test]
    fn a_game_is_over_exactly_when_nothing_can_be_played(rules in sheet(), board in board()) {
        let end = legal_moves(rules, &board).is_empty().then(|| board.own_rows());
        prop_assert_eq!(final_score(rules, &board), end);
        prop_assert!(end.is_none() || board.mover.is_empty() || board.opponent.is_empty());
    }
}

/// Every row of up to 12 seeds has its own number, and no number is left out.
#[test]
fn rows_are_numbered_without_a_gap() {
    for domain in [Domain::EmptyHouse, Domain::All] {
        for seeds in 0..=12 {
            for rank in 0..domain.rows(seeds) {
                assert_eq!(
                    domain.row_rank(domain.row_at(seeds, rank)),
                    Some(rank),
                    "{domain:?} {seeds}"
                );
            }
        }
    }
}
