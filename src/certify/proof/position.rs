//! Positions against the conditions, as [`crate::layer::Exceptions`] words them: legal moves, ranks, and
//! nothing clever. Condition 2 is looked at word for word: cycles of default moves, exceptions and tight
//! replies are strongly connected components of a graph of claims. What the scans over half-boards find
//! is put in words here, and they have to agree with it on every position.

use bitvec::prelude::{BitVec, bitvec};

use super::fault::Fault;
use super::next::{Failing, Next};
use crate::game::{Board, Endless, Move, Score, legal_moves};
use crate::layer::{Rank, is_good_for_mover, is_good_for_opponent};
use crate::parallel;
use crate::scc::each_component;

/// Positions that are one task.
const PIECE: usize = 1 << 12;

/// The positions whose bounds are wrong; if there are none, those with a claim that is not met.
pub fn failing(next: &Next) -> Failing {
    let positions = next.claims.layer.positions();
    let is_wrong = |&rank: &Rank| bounds_fault(next, &next.board(rank)).is_some();
    let wrong = parallel::map_of((0..positions).step_by(PIECE), |first| {
        let ranks = first..positions.min(first + PIECE as u64);
        ranks.map(Rank).filter(is_wrong).collect::<Vec<_>>()
    });
    let wrong = wrong.concat();
    if !wrong.is_empty() {
        return wrong.into_iter().collect();
    }
    let unmet = unmet(next);
    let ranks = (0..).map(Rank).zip(unmet.chunks_exact(2));
    ranks.filter(|(_, unmet)| unmet.any()).map(|(rank, _)| rank).collect()
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

/// A claim of a position, numbered: twice the rank, and one more for the opponent's.
type Number = u32;

/// The claims that are not met, by number, given bounds that are right.
fn unmet(next: &Next) -> BitVec {
    let positions = next.claims.layer.positions();
    let count = 2 * positions as usize;
    let followers = parallel::filled(count, PIECE, None, |number| follows(next, number as Number));
    let follow = |number: Number| followers[number as usize].clone().unwrap_or_default();
    let mut is_unmet = bitvec![0; count];
    each_component(count, follow, |members| {
        let is_inside = |number: Number| members.contains(&number);
        let circles = members.len() > 1 || follow(members[0]).into_iter().any(is_inside);
        let spoils = |&number: &Number| {
            followers[number as usize].is_none()
                || circles && !is_good(next, number)
                || follow(number).iter().any(|&to| is_unmet[to as usize])
        };
        if members.iter().any(spoils) {
            members.iter().for_each(|&member| is_unmet.set(member as usize, true));
        }
    });
    is_unmet
}

/// Whether nothing need be done about a claim.
fn is_idle(next: &Next, claim: i8) -> bool {
    let is_least = claim == -next.claims.layer.range().end();
    is_least || next.rules.endless == Endless::EvenSplit && claim <= 0
}

fn is_good(next: &Next, number: Number) -> bool {
    let board = next.board(Rank(u64::from(number / 2)));
    let (low, high) = next.bounds(&board);
    if number.is_multiple_of(2) {
        is_good_for_mover(next.rules, &board, Score::new(low))
    } else {
        is_good_for_opponent(next.rules, &board, Score::new(-high))
    }
}

/// The claims that follow a claim; `None` if the strategy has no move that keeps it.
fn follows(next: &Next, number: Number) -> Option<Vec<Number>> {
    let rank = Rank(u64::from(number / 2));
    let board = next.board(rank);
    let (low, high) = next.bounds(&board);
    let moves: Vec<Move> = legal_moves(next.rules, &board).iter().collect();
    let child = |played: &Move| next.claims.layer.rank(&played.next).expect("it stays").0 as Number;
    if !number.is_multiple_of(2) {
        let is_tight =
            |played: &&Move| played.captured == 0 && next.bounds(&played.next).0 == -high;
        let replies = moves.iter().filter(is_tight).map(|played| 2 * child(played));
        return Some(if is_idle(next, -high) { Vec::new() } else { replies.collect() });
    }
    let keeps = |played: &&Move| brings(next, played).0 == low;
    let is_done = moves.iter().filter(keeps).any(|played| played.captured > 0);
    if moves.is_empty() || is_done || is_idle(next, low) {
        return Some(Vec::new());
    }
    let wanted = next.claims.exceptions.house(rank);
    let mut quiet = moves.iter().filter(keeps);
    let played = quiet.find(|played| wanted.is_none_or(|house| house == played.house))?;
    Some(vec![2 * child(played) + 1])
}
