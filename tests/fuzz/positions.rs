//! What has to hold for any text that is given as a position.

use oware_db::game::{Position, Seat, Seeds, parse_house};

/// Reads a text; if it is a position, writes it in every form and reads those. Says whether it was.
///
/// # Panics
/// If a form is read as something else.
pub fn round_trip(text: &str) -> bool {
    let _ = parse_house(text);
    let position = match text.parse::<Position>() {
        Ok(position) => position,
        Err(error) => {
            assert!(error.to_string().len() < 400, "{error}");
            return false;
        }
    };
    let stored = position
        .stores
        .map_or(0, |stores| usize::from(stores.mover) + usize::from(stores.opponent));
    assert!(position.board.seeds().get() + stored <= Seeds::MAX.get());
    for (form, seat) in forms(&position) {
        assert_eq!(form.parse::<Position>().expect("a position"), Position { seat, ..position });
    }
    let written = position.to_string().parse::<Position>().expect("a position");
    assert_eq!(written, position.as_start());
    let board = position.board.to_string().parse::<Position>().expect("a position");
    assert_eq!(board, Position::from(position.board));
    true
}

/// The position as South's and as North's, as engines and as OpenSpiel write it.
fn forms(position: &Position) -> Vec<(String, Seat)> {
    let Some(stores) = position.stores else {
        return vec![(position.board.to_string(), Seat::South)];
    };
    let (ours, theirs) = (stores.mover, stores.opponent);
    let list = |houses: [u8; 12], separator| houses.map(|count| count.to_string()).join(separator);
    let (south, north) = (position.board.houses(), position.board.turned().houses());
    vec![
        (format!("{}-{ours}-{theirs}-S", list(south, "-")), Seat::South),
        (format!("{}-{theirs}-{ours}-N", list(north, "-")), Seat::North),
        (format!("0 | {ours} {theirs} | {}", list(south, " ")), Seat::South),
        (format!("1 | {theirs} {ours} | {}", list(north, " ")), Seat::North),
    ]
}
