//! The plain form: a position, the word `moves`, and letters.

use crate::game::seat::Ply;

use super::builder::RecordBuilder;

/// Returns the position and the moves of a line in this form; `None` for any other line.
pub fn split(line: &str) -> Option<(&str, &str)> {
    let is_the_word = |word: &str| word.eq_ignore_ascii_case("moves");
    let words = line.split_inclusive(char::is_whitespace).scan(0, |at, word| {
        *at += word.len();
        Some((*at - word.len(), word.trim_end()))
    });
    let (at, word) = words.into_iter().find(|(_, word)| is_the_word(word))?;
    let (position, rest) = (&line[..at], &line[at + word.len()..]);
    // The word may stand in a comment.
    (!position.contains(['{', ';', '('])).then_some((position, rest))
}

/// Reads the position and the moves of line `number`.
pub fn parse(number: usize, position: &str, moves: &str) -> RecordBuilder {
    let mut builder = RecordBuilder::new();
    match position.parse() {
        Ok(start) => builder.start_at(start),
        Err(error) => builder.fail(number, error.to_string()),
    }
    for letter in moves.chars().filter(|c| !c.is_whitespace()) {
        match Ply::from_letter(letter) {
            Some(ply) => builder.add_move(ply),
            None => builder.fail(
                number,
                format!(
                    "`{}` is no move; South's are A to F, North's a to f",
                    letter.escape_debug()
                ),
            ),
        }
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
            parse(3, position, moves).finish(1)
        };
        let spaced = game("0 0 0 0 1 2 1 0 0 0 3 0 moves E a F").unwrap();
        assert_eq!(spaced.start.to_string(), "0-0-0-0-1-2-1-0-0-0-3-0-0-0-S");
        assert_eq!(spaced, game("0-0-0-0-1-2-1-0-0-0-3-0-0-0-S Moves EaF").unwrap());
        assert_eq!(game("0 0 0 0 1 2 1 0 0 0 3 0 moves").unwrap().moves, []);
        let error = game("0 0 0 0 1 2 1 0 0 0 3 0 moves EgF").unwrap_err().to_string();
        assert!(error.starts_with("game 1, line 3: `g` is no move"), "{error}");
        assert!(game("1 2 3 moves E").unwrap_err().to_string().contains("3 numbers"));
        assert_eq!(split("1. A {he moves} a"), None);
        assert_eq!(split("1. A a"), None);
    }
}
