//! Moves as programs and sites write them, distinguished by their shape.
//!
//! * letters, apart or run together, perhaps with what they capture: `FfB`, `F+2`, `Fx2`
//! * squares as PlayStrategy writes them, `c1f2`: files `a` to `f` from South's left, rank 1 South's
//!   and rank 2 North's; the square of the last seed comes second. Its games end at the first
//!   repetition with seeds on both sides, which is the sheet `abapa`
//! * numbers from 0 on: 0 to 5 from the player's left, as in OpenSpiel's `history_str()`, or 0 to 5
//!   for South and 6 to 11 for North
//! * pairs of numbers from 1 on, as [wikimanqala](http://www.wikimanqala.org/wiki/Oware_nomenclature)
//!   writes them: `64`, the house and, in either row, the house of the last seed; perhaps with all
//!   that the player has captured, `53 (20)`
//!
//! A house says which move it is, so where the last seed falls is not looked at.

use crate::game::board::{HOUSES, House};
use crate::game::position::is_play_strategy;
use crate::game::seat::{Ply, Seat};

/// A move, and what it captures where that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrittenMove {
    /// The move.
    pub ply: Ply,
    /// Seeds that it captures, as it is written.
    pub captured: Option<u8>,
}

/// Reads moves of any shape, the first of them by `first`, between spaces or commas; returns the
/// first word that is none.
pub fn read(text: &str, first: Seat) -> Result<Vec<WrittenMove>, &str> {
    let words = text.split(|c: char| c.is_whitespace() || ",[]".contains(c));
    let words: Vec<&str> = words.filter(|word| !word.is_empty() && !is_total(word)).collect();
    if words.iter().all(|word| is_number(word)) {
        let plies = numbers(&words, first)?;
        return Ok(plies.into_iter().map(|ply| WrittenMove { ply, captured: None }).collect());
    }
    let mut moves = Vec::new();
    for word in words {
        moves.extend(read_word(word).ok_or(word)?);
    }
    Ok(moves)
}

/// Reads a word of letters or squares.
pub fn read_word(word: &str) -> Option<Vec<WrittenMove>> {
    square(word).map(|ply| vec![WrittenMove { ply, captured: None }]).or_else(|| letters(word))
}

/// Reads moves as numbers, the first of them by `first`; returns the first number that is none.
pub fn numbers<'t>(words: &[&'t str], first: Seat) -> Result<Vec<Ply>, &'t str> {
    let mut seat = first;
    // `11` is North's house f, or the first house of either player.
    let are_pairs =
        words.iter().all(|word| pair(word).is_some()) && !(seat == Seat::North && words == ["11"]);
    let ply = |word: &&'t str| {
        let house = if are_pairs { pair(word) } else { single(word, seat) };
        let ply = Ply { seat, house: house.ok_or(*word)? };
        seat = seat.other();
        Ok(ply)
    };
    words.iter().map(ply).collect()
}

/// Returns whether a text has a position or a move as PlayStrategy alone writes them, and so comes
/// from games by `abapa`.
pub fn is_of_play_strategy(text: &str) -> bool {
    text.split_whitespace().any(|word| square(word).is_some() || is_play_strategy(word))
}

/// Returns whether a word has digits alone.
pub fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a word is a number in brackets.
fn is_total(word: &str) -> bool {
    word.strip_prefix('(').and_then(|word| word.strip_suffix(')')).is_some_and(is_number)
}

fn single(word: &str, seat: Seat) -> Option<House> {
    let number: usize = word.parse().ok()?;
    match seat {
        Seat::North if number >= HOUSES => House::new(number - HOUSES),
        Seat::South | Seat::North => House::new(number),
    }
}

fn pair(word: &str) -> Option<House> {
    let &[from @ b'1'..=b'6', b'1'..=b'6'] = word.as_bytes() else { return None };
    House::new((from - b'1').into())
}

fn square(word: &str) -> Option<Ply> {
    let &[file @ b'a'..=b'f', rank, b'a'..=b'f', b'1' | b'2'] = word.as_bytes() else {
        return None;
    };
    let file = usize::from(file - b'a');
    let (seat, house) = match rank {
        b'1' => (Seat::South, file),
        b'2' => (Seat::North, HOUSES - 1 - file),
        _ => return None,
    };
    Some(Ply { seat, house: House::new(house)? })
}

/// Reads letters that are run together, each perhaps with what it captures: `F`, `f+12`, `Fx3`.
fn letters(word: &str) -> Option<Vec<WrittenMove>> {
    let mut found = Vec::new();
    let mut rest = word.chars();
    while let Some(letter) = rest.next() {
        let ply = Ply::from_letter(letter)?;
        let mut captured = None;
        if let Some(number) = rest.as_str().strip_prefix(['+', 'x', '×']) {
            let after = number.trim_start_matches(|c: char| c.is_ascii_digit());
            let digits = &number[..number.len() - after.len()];
            captured = Some(digits.parse().ok().filter(|_| digits.len() <= 2)?);
            rest = after.chars();
        }
        found.push(WrittenMove { ply, captured });
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str, first: Seat) -> Result<String, &str> {
        Ok(read(text, first)?.iter().map(|written| written.ply.to_string()).collect())
    }

    /// The first moves of the page about the nomenclature, and of PlayStrategy's tests.
    #[test]
    fn moves_of_every_shape_are_read() {
        for (text, expected) in [
            ("FfB", "FfB"),
            ("F f+2, Bx12", "FfB"),
            ("5 5 1", "FfB"),
            ("5, 5, 1", "FfB"),
            ("[5, 11, 1]", "FfB"),
            ("5 11 1", "FfB"),
            ("64 64 21 32", "FfBc"),
            ("64 64 53 (20) 11", "FfEa"),
            ("11", "A"),
            ("d1e2 b2c1 b1f2 a2e1", "DeBf"),
            ("c1f2", "C"),
            ("", ""),
        ] {
            assert_eq!(moves(text, Seat::South), Ok(expected.to_owned()), "{text}");
        }
        for (text, expected) in [("5 5", "fF"), ("11 0", "fA"), ("11", "f"), ("11 64", "aF")] {
            assert_eq!(moves(text, Seat::North), Ok(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn the_word_that_is_no_move_is_named() {
        for (text, wrong) in [
            ("5 0 12", "12"),
            ("6 0", "6"),
            ("5 x", "5"),
            ("F 5", "5"),
            ("64 64 2", "64"),
            ("F g", "g"),
            ("c3f2", "c3f2"),
            ("F+", "F+"),
            ("A+123", "A+123"),
            ("x3", "x3"),
        ] {
            assert_eq!(moves(text, Seat::South), Err(wrong), "{text}");
        }
    }
}
