//! Positions and moves as text.
//!
//! Three forms of a position are in use and told apart by their shape:
//!
//! | form | example | who is first |
//! |---|---|---|
//! | twelve numbers, between them spaces, commas, dashes or slashes | `0 0 0 0 1 2  1 0 0 0 3 0` | the mover |
//! | engines: twelve houses, both stores, side to move | `4-4-4-4-4-4-4-4-4-4-4-4-0-0-S` | South, also when North moves |
//! | OpenSpiel: `side \| stores \| houses` | `0 \| 0 0 \| 4 4 4 4 4 4 4 4 4 4 4 4` | player 0, also when player 1 moves |

use crate::error::{Error, Result};
use crate::game::{Board, House, Seeds};

/// Seeds already captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stores {
    /// By the player to move.
    pub mover: u8,
    /// By the other player.
    pub opponent: u8,
}

/// A position as somebody wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The board, turned so that the mover is first.
    pub board: Board,
    /// Captured totals, in the forms that carry them.
    pub stores: Option<Stores>,
}

fn wrong(what: impl Into<String>) -> Error {
    Error::Notation { what: what.into() }
}

/// Reads a position in any of the three forms.
pub fn parse_position(text: &str) -> Result<Position> {
    if text.contains('|') {
        return parse_openspiel(text);
    }
    let fields = fields(text)?;
    match fields.last() {
        Some(&last) if last.eq_ignore_ascii_case("s") || last.eq_ignore_ascii_case("n") => {
            parse_engine(&fields)
        }
        _ => Ok(Position { board: board(&fields)?, stores: None }),
    }
}

/// Reads `A-B-C-D-E-F-a-b-c-d-e-f-SouthStore-NorthStore-S|N`, already split.
fn parse_engine(fields: &[&str]) -> Result<Position> {
    let (side, rest) = fields.split_last().ok_or_else(|| wrong("it is empty"))?;
    let Some((houses, [south, north])) = rest.split_last_chunk::<2>() else {
        return Err(wrong("the engines' form has twelve houses, two stores and S or N"));
    };
    seated(houses, south, north, side.eq_ignore_ascii_case("n"))
}

/// Reads `side | score0 score1 | twelve seeds`.
fn parse_openspiel(text: &str) -> Result<Position> {
    let parts: Vec<&str> = text.split('|').collect();
    let [side, stores, houses] = parts[..] else {
        return Err(wrong(
            "OpenSpiel's form has three parts, `side | score0 score1 | twelve seeds`",
        ));
    };
    let turned = match side.trim() {
        "0" => false,
        "1" => true,
        other => return Err(wrong(format!("the side to move is 0 or 1, not `{}`", shown(other)))),
    };
    let [first, second] = fields(stores)?[..] else {
        return Err(wrong("two scores are needed between the bars"));
    };
    seated(&fields(houses)?, first, second, turned)
}

/// A position written from a fixed seat, turned to the mover's.
fn seated(houses: &[&str], first: &str, second: &str, turned: bool) -> Result<Position> {
    let (board, first, second) = (board(houses)?, number(first)?, number(second)?);
    let total = board.seeds().get() + first as usize + second as usize;
    if total > Seeds::MAX.get() {
        return Err(wrong(format!(
            "{total} seeds on the board and in the stores; the game has 48"
        )));
    }
    Ok(match turned {
        false => Position { board, stores: Some(Stores { mover: first, opponent: second }) },
        true => Position {
            board: board.turned(),
            stores: Some(Stores { mover: second, opponent: first }),
        },
    })
}

fn board(fields: &[&str]) -> Result<Board> {
    let numbers = fields.iter().map(|field| number(field)).collect::<Result<Vec<u8>>>()?;
    let houses: [u8; 12] = numbers
        .try_into()
        .map_err(|found: Vec<u8>| wrong(format!("it has {} numbers instead of 12", found.len())))?;
    let total: usize = houses.iter().map(|&count| count as usize).sum();
    Board::new(houses).ok_or_else(|| wrong(format!("{total} seeds on the board; the game has 48")))
}

fn number(field: &str) -> Result<u8> {
    let digits = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
    match field.parse::<u64>() {
        Ok(count) if digits && count <= Seeds::MAX.get() as u64 => Ok(count as u8),
        _ if digits => Err(wrong(format!("{} seeds in one place; the game has 48", shown(field)))),
        _ => Err(wrong(format!("`{}` is not a number", shown(field)))),
    }
}

/// At most twenty characters of what somebody typed.
fn shown(field: &str) -> String {
    match field.char_indices().nth(20) {
        Some((end, _)) => format!("{}...", &field[..end]),
        None => field.to_owned(),
    }
}

/// Splits at separators. A dash that can only be a sign is an error, not a separator.
fn fields(text: &str) -> Result<Vec<&str>> {
    let separator = |c: char| c.is_whitespace() || matches!(c, ',' | '-' | '/');
    let mut before = None;
    for (at, c) in text.char_indices() {
        let signs = before.is_none_or(separator)
            && text[at + c.len_utf8()..].starts_with(|c: char| c.is_ascii_digit());
        if c == '-' && signs {
            return Err(wrong("a house cannot hold a negative number of seeds"));
        }
        before = Some(c);
    }
    Ok(text.split(separator).filter(|field| !field.is_empty()).collect())
}

/// Reads a house of the mover: `A`..`F`, `a`..`f` or 0..5.
pub fn parse_house(text: &str) -> Option<House> {
    let mut characters = text.chars();
    let (first, None) = (characters.next()?, characters.next()) else { return None };
    House::new(match first.to_ascii_uppercase() {
        letter @ 'A'..='F' => letter as usize - 'A' as usize,
        digit @ '0'..='5' => digit as usize - '0' as usize,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        parse_position(text).unwrap_err().to_string()
    }

    #[test]
    fn separators_do_not_matter() {
        let expected = Board::new([0, 0, 0, 0, 1, 2, 1, 0, 0, 0, 3, 0]).unwrap();
        for text in [
            "0 0 0 0 1 2  1 0 0 0 3 0",
            "0,0,0,0,1,2,1,0,0,0,3,0",
            "0, 0, 0, 0, 1, 2, 1, 0, 0, 0, 3, 0",
            "0-0-0-0-1-2-1-0-0-0-3-0",
            "0 0 0 0 1 2 / 1 0 0 0 3 0",
            " 0-0-0-0-1-2/1-0-0-0-3-0\n",
            "0 0 0 0 1 2 - 1 0 0 0 3 0",
        ] {
            assert_eq!(
                parse_position(text).unwrap(),
                Position { board: expected, stores: None },
                "{text}"
            );
        }
    }

    #[test]
    fn forms_with_stores_turn_to_the_mover() {
        let south = parse_position("1-0-0-0-0-0-0-0-0-0-0-2-20-25-S").unwrap();
        assert_eq!(south.board.houses(), [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
        assert_eq!(south.stores, Some(Stores { mover: 20, opponent: 25 }));
        let north = parse_position("1-0-0-0-0-0-0-0-0-0-0-2-20-25-N").unwrap();
        assert_eq!(north.board, south.board.turned());
        assert_eq!(north.stores, Some(Stores { mover: 25, opponent: 20 }));
        assert_eq!(parse_position("0 | 20 25 | 1 0 0 0 0 0 0 0 0 0 0 2").unwrap(), south);
        assert_eq!(parse_position("1 | 20 25 | 1 0 0 0 0 0 0 0 0 0 0 2").unwrap(), north);
        let initial = parse_position("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S").unwrap();
        assert_eq!(initial.board, Board::INITIAL);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("", "0 numbers instead of 12"),
            ("1 2 3", "3 numbers"),
            ("0 0 0 0 0 0 0 0 0 0 0 0 0", "13 numbers"),
            ("x 0 0 0 0 0 0 0 0 0 0 0", "`x` is not a number"),
            ("-1 0 0 0 0 0 0 0 0 0 0 0", "negative"),
            ("0,-1,0,0,0,0,0,0,0,0,0,0", "negative"),
            ("0 0 0 0 0 0 0 0 0 0 0 -3", "negative"),
            ("49 0 0 0 0 0 0 0 0 0 0 0", "49 seeds in one place"),
            ("99999999999999999999999999 0 0 0 0 0 0 0 0 0 0 0", "..."),
            ("4 4 4 4 4 4 4 4 4 4 4 5", "49 seeds on the board"),
            ("4-4-4-4-4-4-4-4-4-4-4-4-1-0-S", "49 seeds on the board and in the stores"),
            ("4-4-4-4-4-4-4-4-4-4-4-4-0-S", "11 numbers"),
            ("S", "twelve houses, two stores"),
            ("2 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4", "0 or 1"),
            (
                "a side to move that does not end | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4",
                "`a side to move that ...`",
            ),
            ("0 | 0 | 4 4 4 4 4 4 4 4 4 4 4 4", "two scores"),
            ("0 | 0 0", "three parts"),
            ("+1 0 0 0 0 0 0 0 0 0 0 0", "`+1` is not a number"),
            ("½ 0 0 0 0 0 0 0 0 0 0 0", "`½` is not a number"),
        ] {
            assert!(message(text).contains(part), "{text:?}: {}", message(text));
            assert!(message(text).contains("twelve numbers, mover first"), "the remedy");
        }
    }

    #[test]
    fn houses_are_letters_or_digits() {
        for house in House::ALL {
            assert_eq!(parse_house(&house.letter().to_string()), Some(house));
            assert_eq!(parse_house(&house.opponent_letter().to_string()), Some(house));
            assert_eq!(parse_house(&house.index().to_string()), Some(house));
        }
        for text in ["", "G", "6", "AB", "-1", "é"] {
            assert_eq!(parse_house(text), None);
        }
    }
}
