//! A position of a game: the board, what has been captured, who is to move; and its text.
//!
//! A position is written in one of four forms, recognized by their shape, perhaps with `fen` or
//! `position` before it:
//!
//! * twelve numbers, between them spaces, commas, dashes or slashes, the mover's row first:
//!   `0 0 0 0 1 2  1 0 0 0 3 0`
//! * the engines' form, twelve houses, both stores and the side to move, South's first even when
//!   North is to move: `4-4-4-4-4-4-4-4-4-4-4-4-0-0-S`
//! * OpenSpiel's form, the side to move, both stores and twelve houses, player 0's first even when
//!   player 1 is to move: `0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4`
//! * PlayStrategy's form, North's row from its right end, South's row, both stores, S or N, and the
//!   number of the move or not; `2S` is a house with 2 seeds, `3` are three empty houses:
//!   `3,2S,1S,2S/1S,3,2S,3S 20 17 S 50`. Its games end at the first repetition with seeds on both
//!   sides: by the sheet `abapa`
//!
//! `startpos` is the beginning of a game.
//!
//! Twelve numbers say neither what has been captured nor who is to move. They read as a position
//! whose stores are not known and in which South is to move.

use std::fmt;
use std::str::FromStr;

#[cfg(feature = "serde")]
use serde::Serialize;
#[cfg(feature = "serde")]
use serde::ser::{SerializeStruct, Serializer};

use crate::error::{Error, Result};
use crate::game::board::{Board, HOUSES, House, Seeds};
use crate::game::moves::Move;
use crate::game::numbers;
use crate::game::score::Score;
use crate::game::seat::Seat;
use crate::lines::{self, unmarked};

/// Seeds that decide a game: more than half of 48.
const MAJORITY: u8 = 25;

/// Seeds that the players have captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stores {
    /// By the player to move.
    pub mover: u8,
    /// By the other player.
    pub opponent: u8,
}

impl Stores {
    /// Nothing captured.
    pub const EMPTY: Stores = Stores { mover: 0, opponent: 0 };

    /// Divides the seeds that are not on `board` among the players, half to each and an odd one to
    /// the opponent.
    pub fn even(board: &Board) -> Stores {
        let gone = (Seeds::MAX.get() - board.seeds().get()) as u8;
        Stores { mover: gone / 2, opponent: gone - gone / 2 }
    }

    /// Returns how many seeds both have captured.
    pub fn seeds(self) -> usize {
        usize::from(self.mover) + usize::from(self.opponent)
    }

    /// Returns what the mover has captured more than the opponent.
    pub fn ahead(self) -> Score {
        Score::new(self.mover as i8 - self.opponent as i8)
    }

    /// Returns whether one of the players has 25 seeds or more, which wins the game.
    pub fn decide(self) -> bool {
        self.mover.max(self.opponent) >= MAJORITY
    }

    /// Returns the stores as the next player sees them, after a move that captures `captured`
    /// seeds.
    pub fn after_capture(self, captured: u8) -> Stores {
        Stores { mover: self.opponent, opponent: self.mover + captured }
    }

    /// Returns the stores as the other player sees them.
    pub fn turned(self) -> Stores {
        self.after_capture(0)
    }
}

/// A position of a game: the board, who is to move, and, where known, the stores.
///
/// It is read from each of the forms ([`FromStr`]) and written in the engines' form
/// ([`fmt::Display`]); as JSON it is the contract's position object: `board`, `seeds` and, where
/// they are known, `stores`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The board, the mover's row first.
    pub board: Board,
    /// What has been captured, if that is known.
    pub stores: Option<Stores>,
    /// Who is to move: South where nothing else is said.
    pub seat: Seat,
}

impl Position {
    /// The start of every game: South moves first.
    pub const INITIAL: Position =
        Position { board: Board::INITIAL, stores: Some(Stores::EMPTY), seat: Seat::South };

    /// Returns what has been captured: nothing where that is not known.
    pub fn captured(&self) -> Stores {
        self.stores.unwrap_or_default()
    }

    /// Returns the position as a game starts from it: with empty stores where they are not known.
    pub fn as_start(self) -> Position {
        Position { stores: Some(self.captured()), ..self }
    }

    /// Returns how many seeds lie on the board and in the stores, if these are known and no game of
    /// `game` seeds has this many.
    pub(crate) fn misfit(&self, game: Seeds) -> Option<usize> {
        let total = self.board.seeds().get() + self.stores?.seeds();
        (total != game.get()).then_some(total)
    }

    /// Returns the position that a legal move leads to.
    pub fn after(&self, played: &Move) -> Position {
        Position {
            board: played.next,
            stores: self.stores.map(|stores| stores.after_capture(played.captured)),
            seat: self.seat.other(),
        }
    }
}

impl From<Board> for Position {
    /// The stores are not known, and South is to move.
    fn from(board: Board) -> Position {
        Position { board, stores: None, seat: Seat::South }
    }
}

impl fmt::Display for Position {
    /// Writes the engines' form, `4-4-4-4-4-4-4-4-4-4-4-4-0-0-S`: twelve houses and two stores,
    /// South's first, and who is to move. Stores that are not known are written as empty.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (board, stores, letter) = match self.seat {
            Seat::South => (self.board, self.captured(), 'S'),
            Seat::North => (self.board.turned(), self.captured().turned(), 'N'),
        };
        for count in board.houses() {
            write!(f, "{count}-")?;
        }
        write!(f, "{}-{}-{letter}", stores.mover, stores.opponent)
    }
}

#[cfg(feature = "serde")]
impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let fields = if self.stores.is_some() { 3 } else { 2 };
        let mut object = serializer.serialize_struct("Position", fields)?;
        object.serialize_field("board", &self.board)?;
        object.serialize_field("seeds", &self.board.seeds())?;
        match &self.stores {
            Some(stores) => object.serialize_field("stores", stores)?,
            None => object.skip_field("stores")?,
        }
        object.end()
    }
}

impl FromStr for Position {
    type Err = Error;

    /// Reads any of the forms.
    ///
    /// # Errors
    /// [`Error::Notation`].
    fn from_str(text: &str) -> Result<Position> {
        numbers::read(text).map_or_else(|| parse_any(text), |board| Ok(board.into()))
    }
}

/// Reads any of the forms, number by number.
pub(super) fn parse_any(text: &str) -> Result<Position> {
    let text = without_keywords(text);
    if text == "startpos" {
        return Ok(Position::INITIAL);
    }
    if text.contains('|') {
        return parse_openspiel(text);
    }
    if let Some((rows, rest)) = text.split_once(char::is_whitespace)
        && is_play_strategy(rows)
    {
        return parse_play_strategy(rows, rest);
    }
    let fields = fields(text)?;
    match fields.split_last() {
        Some((&"S" | &"s", rest)) => parse_engine(rest, Seat::South),
        Some((&"N" | &"n", rest)) => parse_engine(rest, Seat::North),
        _ => Ok(board(&fields)?.into()),
    }
}

/// Returns a text without a byte order mark and the words that announce a position to an engine.
pub(super) fn without_keywords(text: &str) -> &str {
    ["position", "fen"].iter().fold(unmarked(text).trim(), |text, word| {
        let rest = text.strip_prefix(word).filter(|rest| rest.starts_with(char::is_whitespace));
        rest.unwrap_or(text).trim_start()
    })
}

fn wrong(what: impl Into<String>) -> Error {
    Error::Notation { what: what.into() }
}

/// Reads `A-B-C-D-E-F-a-b-c-d-e-f-SouthStore-NorthStore`, already split.
fn parse_engine(fields: &[&str], seat: Seat) -> Result<Position> {
    let Some((houses, [south, north])) = fields.split_last_chunk::<2>() else {
        return Err(wrong("the engines' form has twelve houses, two stores and S or N"));
    };
    seated(houses, south, north, seat)
}

/// Reads `side | score0 score1 | twelve seeds`.
fn parse_openspiel(text: &str) -> Result<Position> {
    let parts: Vec<&str> = text.split('|').collect();
    let [side, stores, houses] = parts[..] else {
        return Err(wrong(
            "OpenSpiel's form has three parts, `side | score0 score1 | twelve seeds`",
        ));
    };
    let seat = match side.trim() {
        "0" => Seat::South,
        "1" => Seat::North,
        other => return Err(wrong(format!("the side to move is 0 or 1, not `{}`", shown(other)))),
    };
    let [first, second] = fields(stores)?[..] else {
        return Err(wrong("two scores are needed between the bars"));
    };
    seated(&fields(houses)?, first, second, seat)
}

/// Returns whether a word is two rows of houses as PlayStrategy writes them.
pub(super) fn is_play_strategy(word: &str) -> bool {
    let belongs = |c: char| c.is_ascii_digit() || matches!(c, ',' | '/' | 'S' | 's');
    word == "6/6" || word.contains('/') && word.contains(['S', 's']) && word.chars().all(belongs)
}

/// Reads `North's row/South's row SouthStore NorthStore S|N`, and perhaps the number of the move.
fn parse_play_strategy(rows: &str, rest: &str) -> Result<Position> {
    let expected = || {
        wrong("PlayStrategy's form has two rows, two stores, and S or N, as in `6/5,1S 20 27 S 50`")
    };
    let (north, south) = rows.split_once('/').ok_or_else(expected)?;
    let mut houses = play_strategy_row(south)?;
    houses.extend(play_strategy_row(north)?.into_iter().rev());
    let words: Vec<&str> = rest.split_whitespace().collect();
    let ([south, north, side] | [south, north, side, _]) = words[..] else {
        return Err(expected());
    };
    let seat = match side {
        "S" | "s" => Seat::South,
        "N" | "n" => Seat::North,
        _ => return Err(expected()),
    };
    seated(&houses, south, north, seat)
}

/// Returns the houses of a row: `2S` is one with 2 seeds, `S` one with a single seed, `3` are three
/// without.
fn play_strategy_row(row: &str) -> Result<Vec<&str>> {
    let mut houses = Vec::new();
    for part in row.split(',') {
        match part.strip_suffix(['S', 's']) {
            Some("") => houses.push("1"),
            Some(seeds) => houses.push(seeds),
            None => houses.extend(vec!["0"; number(part)?.into()]),
        }
    }
    match houses.len() {
        HOUSES => Ok(houses),
        other => Err(wrong(format!("the row `{}` has {other} houses instead of 6", shown(row)))),
    }
}

/// Turns a position that is written from South's side to the player to move.
fn seated(houses: &[&str], south: &str, north: &str, seat: Seat) -> Result<Position> {
    let board = board(houses)?;
    let stores = Stores { mover: number(south)?, opponent: number(north)? };
    let total = board.seeds().get() + stores.seeds();
    if total > Seeds::MAX.get() {
        return Err(wrong(format!(
            "{total} seeds on the board and in the stores; the game has 48"
        )));
    }
    Ok(match seat {
        Seat::South => Position { board, stores: Some(stores), seat },
        Seat::North => Position { board: board.turned(), stores: Some(stores.turned()), seat },
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

/// At most twenty characters of the input.
fn shown(field: &str) -> String {
    lines::shown(field, 20)
}

/// Splits at separators.
fn fields(text: &str) -> Result<Vec<&str>> {
    let separator = |c: char| c.is_whitespace() || matches!(c, ',' | '-' | '/');
    if has_sign(text, separator) {
        return Err(wrong(NEGATIVE));
    }
    Ok(text.split(separator).filter(|field| !field.is_empty()).collect())
}

/// What is wrong with a number that has a sign.
pub(super) const NEGATIVE: &str = "a house cannot hold a negative number of seeds";

/// Whether a dash stands before a number and after a separator or nothing, so that it can only be a sign.
pub(super) fn has_sign(text: &str, separator: impl Fn(char) -> bool) -> bool {
    let mut before = None;
    text.char_indices().any(|(at, c)| {
        let signs = before.is_none_or(&separator)
            && text[at + c.len_utf8()..].starts_with(|c: char| c.is_ascii_digit());
        before = Some(c);
        c == '-' && signs
    })
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

    fn parse(text: &str) -> Position {
        text.parse().unwrap()
    }

    fn message(text: &str) -> String {
        text.parse::<Position>().unwrap_err().to_string()
    }

    /// Separators, and the words before a position, do not matter. PlayStrategy's rows are North's from
    /// its right end and South's; the example of a game in play, and those of the site's own tests.
    #[test]
    fn forms_of_a_position_are_read_alike() {
        let board = Board::new([0, 0, 0, 0, 1, 2, 1, 0, 0, 0, 3, 0]).unwrap();
        let (plain, initial) = ("0-0-0-0-1-2-1-0-0-0-3-0", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S");
        assert_eq!(parse(plain), Position { board, stores: None, seat: Seat::South });
        assert_eq!(parse(initial), Position::INITIAL);
        for (text, same) in [
            ("0 0 0 0 1 2  1 0 0 0 3 0", plain),
            ("0,0,0,0,1,2,1,0,0,0,3,0", plain),
            ("0, 0, 0, 0, 1, 2, 1, 0, 0, 0, 3, 0", plain),
            ("0 0 0 0 1 2 / 1 0 0 0 3 0", plain),
            (" 0-0-0-0-1-2/1-0-0-0-3-0\n", plain),
            ("0 0 0 0 1 2 - 1 0 0 0 3 0", plain),
            ("fen 0 0 0 0 1 2 1 0 0 0 3 0", plain),
            ("position fen 0-0-0-0-1-2-1-0-0-0-3-0", plain),
            ("startpos", initial),
            ("position startpos", initial),
            (" startpos\n", initial),
            ("\u{feff}startpos", initial),
            ("4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1", initial),
            ("3,2S,1S,2S/1S,3,2S,3S 20 17 S 50", "1-0-0-0-2-3-2-1-2-0-0-0-20-17-S"),
            ("3,2S,1S,2S/1S,3,2S,3S 20 17 N 50", "1-0-0-0-2-3-2-1-2-0-0-0-20-17-N"),
            ("1,1S,1S,1S,1S,2S/6 20 22 S", "0-0-0-0-0-0-2-1-1-1-1-0-20-22-S"),
            ("5,11S/2,S,2,23S 10 3 S 50", "0-0-1-0-0-23-11-0-0-0-0-0-10-3-S"),
            ("6/6 24 24 s 80", "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S"),
        ] {
            assert_eq!(parse(text), parse(same), "{text:?}");
        }
    }

    #[test]
    fn forms_with_stores_turn_to_the_mover() {
        let south = parse("1-0-0-0-0-0-0-0-0-0-0-2-20-25-S");
        assert_eq!(south.board.houses(), [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
        assert_eq!(south.stores, Some(Stores { mover: 20, opponent: 25 }));
        let north = parse("1-0-0-0-0-0-0-0-0-0-0-2-20-25-N");
        assert_eq!(north.board, south.board.turned());
        assert_eq!(north.stores, Some(Stores { mover: 25, opponent: 20 }));
        assert_eq!(parse("0 | 20 25 | 1 0 0 0 0 0 0 0 0 0 0 2"), south);
        assert_eq!(parse("1 | 20 25 | 1 0 0 0 0 0 0 0 0 0 0 2"), north);
        assert_eq!((south.seat, north.seat), (Seat::South, Seat::North));
    }

    #[test]
    fn positions_are_written_as_they_are_read() {
        for text in ["4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "1-0-0-0-0-0-0-0-0-0-0-2-20-25-N"] {
            assert_eq!(parse(text).to_string(), text);
        }
        for form in ["1 0 0 0 0 0 0 0 0 0 0 2", "0 | 0 0 | 1 0 0 0 0 0 0 0 0 0 0 2"] {
            assert!(parse(form).to_string().ends_with("2-0-0-S"));
        }
        let north = parse("1 | 3 4 | 1 0 0 0 0 0 0 0 0 0 0 2");
        assert_eq!(north.to_string(), "1-0-0-0-0-0-0-0-0-0-0-2-3-4-N");
    }

    #[test]
    fn a_game_starts_with_empty_stores_where_they_are_not_known() {
        let unknown = parse("1 0 0 0 0 0 0 0 0 0 0 2");
        assert_eq!(unknown.as_start(), parse("1-0-0-0-0-0-0-0-0-0-0-2-0-0-S"));
        let known = parse("1-0-0-0-0-0-0-0-0-0-0-2-20-25-N");
        assert_eq!(known.as_start(), known);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn the_json_is_the_position_object() {
        let json = |text: &str| serde_json::to_value(parse(text)).unwrap();
        let board = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2];
        assert_eq!(
            json("1 0 0 0 0 0 0 0 0 0 0 2"),
            serde_json::json!({"board": board, "seeds": 3})
        );
        assert_eq!(
            json("0 | 20 25 | 1 0 0 0 0 0 0 0 0 0 0 2"),
            serde_json::json!({"board": board, "seeds": 3, "stores": {"mover": 20, "opponent": 25}})
        );
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("", "0 numbers instead of 12"),
            ("1 2 3", "3 numbers"),
            ("0 0 0 0 0 0 0 0 0 0 0 0 0", "13 numbers"),
            ("x 0 0 0 0 0 0 0 0 0 0 0", "`x` is not a number"),
            ("\u{1b}[2J 0 0 0 0 0 0 0 0 0 0 0", "`\u{fffd}[2J` is not a number"),
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
            ("3,2S/6 20 17 S 50", "the row `3,2S` has 4 houses"),
            ("6/5,1S 20 S 50", "two rows, two stores"),
            ("6/5,1S 20 27 W 50", "two rows, two stores"),
            ("6/5,1S 20 28 S 50", "49 seeds"),
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
