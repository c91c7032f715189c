//! The opening book: what to play in the first moves, found beforehand by a longer search than
//! there is time for in a game.
//!
//! `openings.txt` has a line for each position: the moves that lead to it from the beginning, or
//! `-`, and the move to play. For either player it follows the book's own moves and every answer to
//! them. `examples/build_book.rs` makes it.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::game::{ABAPA, Game, House, Ply, Position, Rules};

/// The positions of the book, each with the move to play. A line that is not of its form, or has a
/// move that is not legal, is skipped.
static BOOK: LazyLock<FxHashMap<Position, House>> =
    LazyLock::new(|| include_str!("openings.txt").lines().filter_map(entry).collect());

/// Returns the move to play in a position, if the book has it; it has none for sheets whose moves
/// are not those of tournament Oware.
pub fn book_move(rules: &Rules, position: &Position) -> Option<House> {
    if rules.moves_like(&ABAPA) { BOOK.get(position).copied() } else { None }
}

/// Reads a line.
fn entry(line: &str) -> Option<(Position, House)> {
    let (before, best) = line.split_once(' ')?;
    let mut game = Game::new(&ABAPA, Position::INITIAL);
    for letter in before.trim_matches('-').chars() {
        game.play(Ply::from_letter(letter)?).ok()?;
    }
    let ply = Ply::from_letter(best.chars().next()?)?;
    let legal = ply.seat == game.seat() && game.find(ply.house).is_some();
    legal.then(|| (*game.position(), ply.house))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{AWARI, legal_moves};

    #[test]
    fn every_line_of_the_book_is_a_position_with_a_legal_move() {
        let lines: Vec<&str> = include_str!("openings.txt").lines().collect();
        let source = lines[0];
        assert!(source.starts_with("# source: examples/build_book.rs"), "{source}");
        for line in &lines[1..] {
            assert!(entry(line).is_some(), "{line}");
        }
        assert!(lines.len() > 100 && include_str!("openings.txt").len() < 200_000);
        assert!(entry("FfA").is_none() && entry("A A").is_none() && entry("x A").is_none());
    }

    /// Whatever the opponent plays, the book knows the next move.
    #[test]
    fn the_book_answers_every_move_of_the_opponent() {
        let found = |game: &Game| book_move(&ABAPA, game.position());
        let start = Game::new(&ABAPA, Position::INITIAL);
        let mut opened = start.clone();
        opened.make(&start.find(found(&start).unwrap()).unwrap());
        for game in [start, opened] {
            for played in legal_moves(&ABAPA, game.board()).iter() {
                let mut answered = game.clone();
                answered.make(&played);
                assert!(found(&answered).is_some(), "{}", played.house);
            }
        }
        assert!(book_move(&AWARI, &Position::INITIAL).is_none());
    }
}
