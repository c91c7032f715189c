//! What has to hold for any text that is given as a position.

use oware_db::game::{Position, Seeds, parse_house, parse_position};

/// Reads a text; if it is a position, writes it in every form and reads those. Says whether it was.
///
/// # Panics
/// If a form is read as something else.
pub fn round_trip(text: &str) -> bool {
    let _ = parse_house(text);
    let position = match parse_position(text) {
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
    for form in forms(&position) {
        assert_eq!(parse_position(&form).expect("a position"), position, "{form}");
    }
    let board = Position { stores: None, ..position };
    assert_eq!(parse_position(&position.board.to_string()).expect("a position"), board);
    true
}

/// The position as South's and as North's, as engines and as OpenSpiel write it.
fn forms(position: &Position) -> Vec<String> {
    let Some(stores) = position.stores else { return vec![position.board.to_string()] };
    let (ours, theirs) = (stores.mover, stores.opponent);
    let list = |houses: [u8; 12], separator| houses.map(|count| count.to_string()).join(separator);
    let (south, north) = (position.board.houses(), position.board.turned().houses());
    vec![
        format!("{}-{ours}-{theirs}-S", list(south, "-")),
        format!("{}-{theirs}-{ours}-N", list(north, "-")),
        format!("0 | {ours} {theirs} | {}", list(south, " ")),
        format!("1 | {theirs} {ours} | {}", list(north, " ")),
    ]
}
