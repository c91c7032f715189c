//! The plain form: a position, the word `moves` or not, and letters.

use crate::game::notation::{self, is_number};
use crate::game::position::{Position, without_keywords};
use crate::game::seat::{Ply, Seat};

use super::builder::RecordBuilder;
use super::ogn::mistake;

/// Returns the position and the moves of a line in this form; `None` for any other line.
pub fn split(line: &str) -> Option<(&str, &str)> {
    by_the_word(line).or_else(|| by_the_position(line)).or_else(|| by_the_commas(line))
}

/// Returns the words of a line, and where they begin.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let begins = |word: &str| word.as_ptr().addr() - line.as_ptr().addr();
    line.split_whitespace().map(move |word| (begins(word), word))
}

/// Splits at the word `moves`.
fn by_the_word(line: &str) -> Option<(&str, &str)> {
    let (at, word) = words(line).find(|(_, word)| word.eq_ignore_ascii_case("moves"))?;
    let (position, rest) = (&line[..at], &line[at + word.len()..]);
    // The word may stand in a comment.
    (!position.contains(['{', ';', '('])).then_some((position, rest))
}

/// Splits a line that begins with a position after it. What follows are moves or nothing.
fn by_the_position(line: &str) -> Option<(&str, &str)> {
    let part = |word: &str| {
        matches!(word, "position" | "fen" | "startpos")
            || word.chars().all(|c| c.is_ascii_digit() || ",-/|SNsn".contains(c))
    };
    let beginning = words(line).find(|(_, word)| *word == "startpos");
    let at = match beginning.map(|(at, word)| at + word.len()) {
        Some(at) => at,
        None => words(line).find(|(_, word)| !part(word)).map_or(line.len(), |(at, _)| at),
    };
    let (position, moves) = line.split_at(at);
    let readable = notation::read(moves, Seat::South).is_ok();
    (at > 0 && readable && start(position).is_ok()).then_some((position, moves))
}

/// Takes a line of numbers between commas for the moves of a game from its beginning, as OpenSpiel's
/// `history_str()` writes them.
fn by_the_commas(line: &str) -> Option<(&str, &str)> {
    let is_history = line.split(',').all(|number| is_number(number.trim()));
    (line.contains(',') && is_history).then_some(("startpos", line))
}

/// Reads where a game starts: `None` at the beginning, as `startpos` says.
fn start(text: &str) -> crate::error::Result<Option<Position>> {
    match without_keywords(text) {
        "startpos" => Ok(None),
        text => text.parse().map(Some),
    }
}

/// Returns the first letter that stands for no house.
fn wrong_letter(word: &str) -> Option<&str> {
    let belongs =
        |c: char| Ply::from_letter(c).is_some() || "+x×".contains(c) || c.is_ascii_digit();
    let (at, letter) = word.char_indices().find(|&(_, c)| !belongs(c))?;
    Some(&word[at..at + letter.len_utf8()])
}

/// Reads the position and the moves of line `number`.
pub fn parse(number: usize, position: &str, moves: &str) -> RecordBuilder {
    let mut builder = RecordBuilder::new(number, String::new());
    match start(position) {
        Ok(Some(start)) => builder.start_at(start),
        Ok(None) => {}
        Err(error) => builder.fail(number, error.to_string()),
    }
    match notation::read(moves, builder.seat()) {
        Ok(moves) => moves.into_iter().for_each(|written| builder.add_move(written)),
        Err(word) => builder.fail(number, mistake(wrong_letter(word).unwrap_or(word))),
    }
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_parts_position_and_moves() {
        let game = |line: &str| {
            let (position, moves) = split(line).unwrap();
            parse(3, position, moves).finish(1).0
        };
        let spaced = game("0 0 0 0 1 2 1 0 0 0 3 0 moves E a F").unwrap();
        assert_eq!(spaced.start.to_string(), "0-0-0-0-1-2-1-0-0-0-3-0-0-0-S");
        assert_eq!(spaced, game("0-0-0-0-1-2-1-0-0-0-3-0-0-0-S Moves EaF").unwrap());
        assert_eq!(game("0 0 0 0 1 2 1 0 0 0 3 0 moves").unwrap().moves, []);
        let error = game("0 0 0 0 1 2 1 0 0 0 3 0 moves EgF").unwrap_err().to_string();
        assert!(error.starts_with("game 1, line 3: `g` is not a move"), "{error}");
        assert!(game("1 2 3 moves E").unwrap_err().to_string().contains("3 numbers"));
        for glued in
            ["position0 0 0 0 1 2 1 0 0 0 3 0 moves E", "fen0 0 0 0 1 2 1 0 0 0 3 0 moves E"]
        {
            assert!(game(glued).is_err(), "{glued}");
        }
        assert_eq!(split("1. A {he moves} a"), None);
        assert_eq!(split("1. A a"), None);
    }

    /// As programs write them on their way to an engine, and as people leave a word out.
    #[test]
    fn the_word_may_be_missing_and_the_start_be_named() {
        let game = |line: &str| {
            let (position, moves) = split(line).unwrap_or_else(|| panic!("{line}"));
            parse(1, position, moves).finish(1).0.unwrap()
        };
        let opened = game("startpos moves FfB");
        assert!(opened.moves.len() == 3 && opened.tags.is_empty());
        assert_eq!(opened.start, Position::INITIAL);
        for same in ["position startpos moves F f B", "startpos FfB"] {
            assert_eq!(game(same), opened, "{same}");
        }
        let captured =
            game("startpos F f+0 B").moves.iter().map(|it| it.captured).collect::<Vec<_>>();
        assert_eq!(captured, [None, Some(0), None]);
        let endgame = game("0 0 0 0 1 2 1 0 0 0 3 0 moves EaF");
        for same in [
            "0 0 0 0 1 2 1 0 0 0 3 0 E a F",
            "fen 0-0-0-0-1-2-1-0-0-0-3-0-0-0-S EaF",
            "position fen 0-0-0-0-1-2-1-0-0-0-3-0-0-0-S moves Ea F",
            "0 | 0 0 | 0 0 0 0 1 2 1 0 0 0 3 0 EaF",
        ] {
            assert_eq!(game(same), endgame, "{same}");
        }
        assert_eq!(game("1-0-0-0-0-0-0-0-0-0-0-2-20-25-N").moves, []);
        for same in [
            "startpos moves 5 5 1",
            "startpos moves 5, 11, 1",
            "5, 5, 1",
            "startpos moves 64 64 21",
            "startpos 5 5 1",
            "startpos f1d2 a2d1 b1a2",
            "4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1 f1d2 a2d1 b1a2",
        ] {
            assert_eq!(game(same).moves, opened.moves, "{same}");
        }
        for other in ["25-23", "1 2 3 A", "", "FfEe", "0 0 0 0 1 2 1 0 0 0 3 0 {E}", "sn A"] {
            assert_eq!(split(other), None, "{other}");
        }
    }
}
