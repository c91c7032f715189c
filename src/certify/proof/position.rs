//! A position against condition 1, as [`crate::layer::Exceptions`] words it: legal moves, ranks, and
//! nothing clever. What the scans over half-boards find is put in words here, and they have to agree
//! with it on every position.

use rayon::prelude::*;

use super::circles;
use super::fault::Fault;
use super::next::{Failing, Next};
use crate::game::{Board, Move, legal_moves};
use crate::layer::Rank;

/// The positions whose bounds are wrong; if there are none, those whose strategy is.
pub fn failing(next: &Next) -> Failing {
    let ranks = (0..next.claims.layer.positions()).into_par_iter();
    let is_wrong = |&rank: &Rank| bounds_fault(next, &next.board(rank)).is_some();
    let wrong: Vec<Rank> = ranks.map(Rank).filter(is_wrong).collect();
    if wrong.is_empty() { circles::failing(next) } else { wrong.into_iter().collect() }
}

/// What is wrong with the bounds or the strategy of a position that fails.
pub fn fault(next: &Next, rank: Rank) -> Fault {
    let board = next.board(rank);
    let (low, high) = next.bounds(&board);
    bounds_fault(next, &board).unwrap_or(Fault::Circles { low, high })
}

/// What a move brings: the bounds of the child, turned round, and what it captures.
fn brings(next: &Next, played: &Move) -> (i8, i8) {
    let (low, high) = next.bounds(&played.next);
    let captured = played.captured as i8;
    let range = next.claims.layer.range();
    (range.clamp(captured - high), range.clamp(captured - low))
}

/// Condition 1.
fn bounds_fault(next: &Next, board: &Board) -> Option<Fault> {
    let (low, high) = next.bounds(board);
    let range = next.claims.layer.range();
    let most = range.end();
    if low > high || low < -most || high > most {
        return Some(Fault::NoInterval { low, high });
    }
    let moves = legal_moves(next.rules, board);
    let worth: Vec<(i8, i8)> = moves.iter().map(|played| brings(next, &played)).collect();
    let rows = range.clamp(board.own_rows().get());
    let best_low = worth.iter().map(|worth| worth.0).max().unwrap_or(rows);
    let best_high = worth.iter().map(|worth| worth.1).max().unwrap_or(rows);
    let (claimed, found) = ((low, high), (best_low, best_high));
    (claimed != found).then_some(Fault::Bounds { claimed, found })
}
