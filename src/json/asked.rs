//! Positions that are asked about in JSON.

use serde::Deserialize;

use crate::error::{Error, Kind, Result};
use crate::game::Stores;

/// A line of JSON.
#[derive(Deserialize)]
#[serde(untagged)]
enum RequestLine {
    Failure { error: Failed },
    Object { board: Houses, stores: Option<Stores>, owners: Option<String> },
    Board(Houses),
}

/// What an earlier run said where it had no answer.
#[derive(Deserialize)]
struct Failed {
    kind: String,
    message: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Houses {
    Text(String),
    Numbers(Vec<i64>),
}

impl Houses {
    fn text(self) -> String {
        match self {
            Houses::Text(text) => text,
            Houses::Numbers(counts) => {
                counts.iter().map(i64::to_string).collect::<Vec<_>>().join("-")
            }
        }
    }
}

/// A position that a line of JSON asks about.
pub struct AskedPosition {
    /// The board, and what else its text says.
    pub board: String,
    /// What has been captured, in Oware.
    pub stores: Option<Stores>,
    /// Whose the houses are, in Nam Nam.
    pub owners: Option<String>,
}

/// Reads a line of JSON: a text, a list of numbers, or an object with one of them as `board`.
///
/// # Errors
/// [`Error::Notation`] if it is none of these; [`Error::HandedOn`] if the line says why there was no
/// answer before.
pub fn read(line: &[u8]) -> Result<AskedPosition> {
    let asked = serde_json::from_slice(line).map_err(|_| Error::Notation {
        what: "a line of JSON is a text, a list of numbers, or an object with one of them as \
               `board`"
            .to_owned(),
    })?;
    let (board, stores, owners) = match asked {
        RequestLine::Failure { error: Failed { kind, message } } => {
            let kind = Kind::by_name(&kind).unwrap_or(Kind::Usage);
            return Err(Error::HandedOn { kind, message });
        }
        RequestLine::Object { board, stores, owners } => (board, stores, owners),
        RequestLine::Board(board) => (board, None, None),
    };
    Ok(AskedPosition { board: board.text(), stores, owners })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::mancala::NAM_NAM;
    use crate::game::{ABAPA, Board, Position};
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
            let of_another_game = (&NAM_NAM).read_line(line.as_bytes()).err();
            for error in [read_line(line.as_bytes()).err(), of_another_game] {
                let Some(Error::HandedOn { kind, message }) = error else { panic!("{line}") };
                assert_eq!((kind, message.as_str()), (expected, "no table"));
            }
        }
        assert_eq!(Board::INITIAL, read_line(b"[4,4,4,4,4,4,4,4,4,4,4,4]").unwrap().board);
    }
}
