//! Twelve numbers, read in one go: what most lines of a batch are.
//!
//! It reads what [`Position`](super::Position) would read, and leaves everything else to it: other
//! forms, and all mistakes. There each number is a piece of text first, in memory of its own.

use crate::game::board::{Board, HOUSES};

/// Returns the board that twelve numbers stand for; `None` where they are not twelve, not between
/// plain separators, or not the seeds of a board.
pub fn read(text: &str) -> Option<Board> {
    let (mut houses, mut read) = ([0; 2 * HOUSES], 0);
    let mut number: Option<u8> = None;
    for byte in text.trim_ascii_end().bytes() {
        match byte {
            b'0'..=b'9' => {
                let before = number.unwrap_or(0).checked_mul(10)?;
                number = Some(before.checked_add(byte - b'0')?);
            }
            // Behind a number a dash is no sign.
            b'-' if number.is_none() => return None,
            b' ' | b',' | b'-' | b'/' => {
                if let Some(number) = number.take() {
                    *houses.get_mut(read)? = number;
                    read += 1;
                }
            }
            _ => return None,
        }
    }
    *houses.get_mut(read)? = number?;
    if read + 1 == houses.len() { Board::new(houses) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::position::parse_any;
    use crate::random::Dice;

    #[test]
    fn what_is_read_in_one_go_is_read_number_by_number() {
        let (mut dice, mut read_in_one_go) = (Dice::new(12), 0);
        for _ in 0..20_000 {
            let between = [" ", "  ", ",", "-", "/", ", ", " / ", " -", "\t"];
            let most = [2, 5, 60][dice.below(3) as usize];
            let kinds = [1, 5, 9][dice.below(3) as usize];
            let mut text = String::new();
            for _ in 0..[12, 12, 11, 13][dice.below(4) as usize] {
                let number = dice.below(most);
                text += &format!("{number}{}", between[dice.below(kinds) as usize]);
            }
            let text = &text[..text.len() - dice.below(3) as usize];
            if let Some(board) = read(text) {
                assert_eq!(parse_any(text).unwrap(), board.into(), "{text:?}");
                read_in_one_go += 1;
            }
        }
        assert!(read_in_one_go > 1000, "{read_in_one_go}");
    }

    #[test]
    fn twelve_numbers_are_read_and_everything_else_is_left_to_others() {
        let expected = Board::new([0, 0, 0, 0, 1, 2, 10, 0, 0, 0, 3, 32]);
        assert!(expected.is_some());
        for (text, expected) in [
            ("0 0 0 0 1 2  10 0 0 0 3 32", expected),
            (" 0,0,0,0,1,2,10,0,0,0,3,32\r\n", expected),
            ("0-0-0-0-1-2-10-0-0-0-3-32", expected),
            ("0 0 0 0 1 2 / 10 0 0 0 3 0032\n", expected),
            ("", None),
            ("\n", None),
            ("1 2 3", None),
            ("0 0 0 0 0 0 0 0 0 0 0 0 0", None),
            ("0 0 0 0 0 0 0 0 0 0 0 0,", None),
            ("0 0 0 0 0 0 0 0 0 0 0 -3", None),
            ("-1 0 0 0 0 0 0 0 0 0 0 0", None),
            ("49 0 0 0 0 0 0 0 0 0 0 0", None),
            ("300 0 0 0 0 0 0 0 0 0 0 0", None),
            ("4 4 4 4 4 4 4 4 4 4 4 5", None),
            ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", None),
            ("+1 0 0 0 0 0 0 0 0 0 0 0", None),
            ("½ 0 0 0 0 0 0 0 0 0 0 0", None),
        ] {
            assert_eq!(read(text), expected, "{text:?}");
        }
    }
}
