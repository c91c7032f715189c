//! What a table is needed for that is not there: the moves that lead from a position to its layer.

use std::collections::HashSet;

use crate::error::Error;
use crate::game::{Board, Rules, captures, final_score, legal_moves};
use crate::layer::Layer;

use super::games::{Game, Requested};

/// Captures in a row, at most, that are looked for.
const MOST: usize = 8;

/// Returns an error as it is, or if a table is missing that a position does not lie in, with what that
/// is needed for.
pub fn with_need<G: Game>(game: G, position: G::Position, asked: Requested, error: Error) -> Error {
    match error {
        Error::MissingTable { seeds, .. } if seeds < game.seeds(position) => {
            let path = game.path_to(position, seeds, asked);
            let by = path.unwrap_or_else(|| "the line of best play".to_owned());
            Error::Needed { missing: Box::new(error), by }
        }
        error => error,
    }
}

/// Returns the moves through which the score of a position, or with `all` those of its moves, rests on
/// the layer of `seeds` seeds, as in `A bx2`.
pub fn path(rules: &'static Rules, board: &Board, seeds: usize, all: bool) -> Option<String> {
    let mut at = vec![(*board, Vec::new())];
    let mut seen = HashSet::from([*board]);
    for depth in 0..MOST {
        let mut reached = Vec::new();
        for (board, path) in &at {
            let is_held = Layer::of(rules, board.seeds()).cell(board).is_some();
            let by_captures = is_held && !(all && depth == 0);
            let moves =
                if by_captures { captures(rules, board) } else { legal_moves(rules, board) };
            for played in moves.iter().filter(|played| final_score(rules, &played.next).is_none()) {
                let letter = match depth % 2 {
                    0 => played.house.letter(),
                    _ => played.house.opponent_letter(),
                };
                let mut path: Vec<String> = path.clone();
                path.push(match played.captured {
                    0 => letter.to_string(),
                    captured => format!("{letter}x{captured}"),
                });
                if played.next.seeds().get() == seeds {
                    return Some(path.join(" "));
                }
                if seen.insert(played.next) {
                    reached.push((played.next, path));
                }
            }
        }
        at = reached;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ABAPA;

    #[test]
    fn paths_are_the_captures_that_lead_there() {
        let board = Board::new([1, 1, 3, 1, 1, 1, 2, 0, 0, 0, 0, 2]).unwrap();
        let path = |seeds, all| path(&ABAPA, &board, seeds, all);
        assert_eq!(path(9, true).as_deref(), Some("Fx3"));
        assert_eq!(path(9, false).as_deref(), Some("Fx3"));
        assert_eq!(path(8, true).as_deref(), Some("C fx4"));
        assert_eq!(path(8, false), None);
        // After `Fx3 fx4` the game is over, which takes no table.
        assert_eq!(path(5, true), None);
        assert_eq!(path(11, true), None);
    }
}
