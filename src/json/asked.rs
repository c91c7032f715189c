//! Positions that are asked about in JSON.

use serde::Deserialize;

use crate::engine::protocol::Setup;
use crate::error::{Error, Kind, Result};
use crate::game::{Position, Rules};

/// A line of JSON.
#[derive(Deserialize)]
#[serde(untagged)]
enum RequestLine {
    Failure { error: Failed },
    Text(String),
    Board([u8; 12]),
    TextBoard { board: String, stores: Option<AskedStores> },
    Position { board: [u8; 12], stores: Option<AskedStores> },
}

/// What an earlier run said where it had no answer.
#[derive(Deserialize)]
struct Failed {
    kind: String,
    message: String,
}

#[derive(Deserialize)]
struct AskedStores {
    mover: u8,
    opponent: u8,
}

/// Reads the position that a line of JSON asks about.
///
/// # Errors
/// [`Error::Notation`] if there is none; [`Error::HandedOn`] if the line says why there was no
/// answer before.
pub fn read(rules: &'static Rules, bytes: &[u8]) -> Result<Position> {
    let asked = serde_json::from_slice(bytes).map_err(|_| Error::Notation {
        what: "a line of JSON is a text, a list of twelve numbers, or an object with one of them \
               as `board`"
            .to_owned(),
    })?;
    match asked {
        RequestLine::Failure { error: Failed { kind, message } } => {
            Err(Error::HandedOn { kind: Kind::by_name(&kind).unwrap_or(Kind::Usage), message })
        }
        RequestLine::Text(text) | RequestLine::TextBoard { board: text, stores: None } => {
            read_text(rules, &text)
        }
        RequestLine::TextBoard { board, stores } => {
            let position = read_text(rules, &board)?;
            if position.stores.is_some() {
                let what = "`stores` stand in the text of the board already".to_owned();
                return Err(Error::Notation { what });
            }
            let stored = parse_numbers(position.board.houses(), stores)?;
            Ok(Position { seat: position.seat, ..stored })
        }
        RequestLine::Board(board) => parse_numbers(board, None),
        RequestLine::Position { board, stores } => parse_numbers(board, stores),
    }
}

/// Reads a position, or one with moves from there on, as in `startpos moves FfB`.
///
/// # Errors
/// [`Error::Notation`] if there is none, and [`Error::IllegalMove`].
pub fn read_text(rules: &'static Rules, text: &str) -> Result<Position> {
    let has_moves = text.split_whitespace().any(|word| word.eq_ignore_ascii_case("moves"));
    if has_moves { text.parse::<Setup>()?.position(rules) } else { text.parse() }
}

/// Reads the position that numbers stand for, as the text of them would be read.
fn parse_numbers(board: [u8; 12], stores: Option<AskedStores>) -> Result<Position> {
    let houses = board.map(|count| count.to_string()).join("-");
    match stores {
        None => houses.parse(),
        Some(AskedStores { mover, opponent }) => format!("{houses}-{mover}-{opponent}-S").parse(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{ABAPA, Board, Stores};
    use crate::json::Game;

    fn read_line(bytes: &[u8]) -> Result<Position> {
        (&ABAPA).read_line(bytes)
    }

    #[test]
    fn lines_are_positions_in_text_or_json() {
        let plain: Position = "0 0 0 0 1 2 1 0 0 0 3 0".parse().unwrap();
        for text in [
            "0 0 0 0 1 2 1 0 0 0 3 0\n",
            "\"0-0-0-0-1-2-1-0-0-0-3-0\"\r\n",
            "[0,0,0,0,1,2,1,0,0,0,3,0]",
            " {\"board\": [0,0,0,0,1,2,1,0,0,0,3,0], \"seeds\": 7}",
            "{\"board\": \"0 0 0 0 1 2 1 0 0 0 3 0\"}",
            "\u{feff}0 0 0 0 1 2 1 0 0 0 3 0",
            "\u{feff}[0,0,0,0,1,2,1,0,0,0,3,0]",
            "1 0 0 1 2 0  0 0 0 0 1 2 moves 3",
            "\"position fen 1 0 0 1 2 0  0 0 0 0 1 2 moves D\"",
        ] {
            assert_eq!(read_line(text.as_bytes()).unwrap().board, plain.board, "{text}");
        }
        let stored = read_line(
            br#"{"board": [0,0,0,0,1,2,1,0,0,0,3,0], "stores": {"mover": 20, "opponent": 21}}"#,
        )
        .unwrap();
        assert_eq!(
            (stored.board, stored.stores),
            (plain.board, Some(Stores { mover: 20, opponent: 21 }))
        );
        for (board, expected) in
            [("0 0 0 0 1 2 1 0 0 0 3 0", true), ("0-0-0-0-1-2-1-0-0-0-3-0-20-21-S", false)]
        {
            let line =
                format!(r#"{{"board": "{board}", "stores": {{"mover": 20, "opponent": 21}}}}"#);
            assert_eq!(read_line(line.as_bytes()).is_ok_and(|found| found == stored), expected);
        }
        for text in [
            "{}",
            "[1,2]",
            "{\"board\": 7}",
            "\"1 2 3\"",
            "[49,0,0,0,0,0,0,0,0,0,0,0]",
            "{\"board\"",
            "",
            "{\"error\": 7}",
        ] {
            assert!(matches!(read_line(text.as_bytes()), Err(Error::Notation { .. })), "{text}");
        }
        for (word, expected) in [("missing_table", Kind::MissingTable), ("?", Kind::Usage)] {
            let line = format!(r#"{{"error": {{"kind": "{word}", "message": "no table"}}}}"#);
            let Err(Error::HandedOn { kind, message }) = read_line(line.as_bytes()) else {
                panic!("{line}");
            };
            assert_eq!((kind, message.as_str()), (expected, "no table"));
        }
        assert_eq!(Board::INITIAL, read_line(b"[4,4,4,4,4,4,4,4,4,4,4,4]").unwrap().board);
    }
}
