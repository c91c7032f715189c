//! A position against the conditions, as [`crate::layer::Strategy`] words them: legal moves,
//! ranks, and nothing clever. What the scans over half-boards find is put in words here, and they
//! have to agree with it on every position.

use rayon::prelude::*;

use super::circles;
use super::claims::Bounds;
use super::fault::Fault;
use super::next::{Failing, Next};
use crate::game::{Board, Move, Score, legal_moves};
use crate::layer::{Layer, Moment, Rank, UNSTAMPED, is_good_for_mover, is_good_for_opponent};

/// The positions whose bounds are wrong; if there are none, those whose strategy is.
pub fn failing(next: &Next) -> Failing {
    let by_bounds = each(next, bounds_fault);
    match next.claims.exceptions {
        _ if by_bounds.count > 0 => by_bounds,
        Some(_) => circles::failing(next),
        None => each(next, stamp_fault),
    }
}

fn each(next: &Next, fault: impl Fn(&Next, &Board) -> Option<Fault> + Sync) -> Failing {
    let ranks = (0..next.claims.layer.positions()).into_par_iter();
    let wrong: Vec<u64> =
        ranks.filter(|&rank| fault(next, &next.board(Rank(rank))).is_some()).collect();
    let mut failing = Failing::default();
    for rank in wrong {
        failing.note(rank);
    }
    failing
}

/// What is wrong with the bounds or the strategy of a position that fails.
pub fn fault(next: &Next, rank: Rank) -> Fault {
    let board = next.board(rank);
    let by_stamp = || match next.claims.exceptions {
        Some(_) => None,
        None => stamp_fault(next, &board),
    };
    let (low, high) = bounds(next, &board);
    bounds_fault(next, &board).or_else(by_stamp).unwrap_or(Fault::Circles { low, high })
}

/// The bounds of any position of this layer or of one below.
fn bounds(next: &Next, board: &Board) -> (i8, i8) {
    let layer = Layer::of(next.rules, board.seeds());
    let bounds: &Bounds = next.below.get(board.seeds().get()).unwrap_or(&next.claims.bounds);
    let rank = layer.rank(board).expect("moves lead into the layers").0 as usize;
    (bounds.low[rank], bounds.high()[rank])
}

/// What a move brings: the bounds of the child, turned round, and what it captures.
fn brings(next: &Next, played: &Move) -> (i16, i16) {
    let (low, high) = bounds(next, &played.next);
    let captured = i16::from(played.captured);
    (captured - i16::from(high), captured - i16::from(low))
}

/// Condition 1.
fn bounds_fault(next: &Next, board: &Board) -> Option<Fault> {
    let (low, high) = bounds(next, board);
    let most = board.seeds().get() as i8;
    if low > high || low < -most || high > most {
        return Some(Fault::NoInterval { low, high });
    }
    let moves = legal_moves(next.rules, board);
    let worth: Vec<(i16, i16)> = moves.iter().map(|played| brings(next, &played)).collect();
    let rows = i16::from(board.own_rows().get());
    let best_low = worth.iter().map(|worth| worth.0).max().unwrap_or(rows);
    let best_high = worth.iter().map(|worth| worth.1).max().unwrap_or(rows);
    let found = (best_low as i8, best_high as i8);
    let agree = best_low == i16::from(low) && best_high == i16::from(high);
    (!agree).then_some(Fault::Bounds { claimed: (low, high), found })
}

/// The moment of the mover's claim; `None` if the position is done.
fn moment(next: &Next, board: &Board) -> Option<Moment> {
    let moves = legal_moves(next.rules, board);
    let low = i16::from(bounds(next, board).0);
    let tight = |played: &Move| brings(next, played).0 == low;
    let done = moves.is_empty() || moves.iter().any(|played| played.captured > 0 && tight(&played));
    let settled = |played: Move| Moment::new(stamp(next, &played.next), &played.next);
    let quiet = moves.iter().filter(|played| played.captured == 0 && tight(played));
    (!done).then(|| quiet.map(settled).min().expect("bounds are what moves bring"))
}

fn stamp(next: &Next, board: &Board) -> u8 {
    next.claims.stamps[next.claims.layer.rank(board).expect("a position of the layer").0 as usize]
}

/// Conditions 3 and 4, given that bounds are what moves bring.
fn stamp_fault(next: &Next, board: &Board) -> Option<Fault> {
    let moment = Moment::new(stamp(next, board), board);
    match moment.stamp {
        UNSTAMPED => Some(Fault::Unstamped),
        stamp if next.claims.holds.contains(stamp) => hold_fault(next, board, stamp),
        _ => {
            let late = tight_replies(next, board).find(|&(_, settled)| settled >= moment);
            late.map(|(reply, later)| Fault::NoProgress { moment, reply, later })
        }
    }
}

/// Condition 4.
fn hold_fault(next: &Next, board: &Board, stamp: u8) -> Option<Fault> {
    let claim = -bounds(next, board).1;
    if !is_good_for_opponent(next.rules, board, Score::new(claim)) {
        return Some(Fault::NotGood { stamp, claim });
    }
    let is_good = |reply: &Board| is_good_for_mover(next.rules, reply, Score::new(claim));
    let kept = |reply: &Board, moment: Moment| {
        moment.stamp < stamp || moment.stamp == stamp && is_good(reply)
    };
    let open = tight_replies(next, board).find(|(reply, moment)| !kept(reply, *moment));
    open.map(|(reply, moment)| Fault::NotKept { stamp, claim, reply, moment })
}

/// The positions after tight quiet replies that are not done, with their moments.
fn tight_replies<'a>(next: &'a Next, board: &Board) -> impl Iterator<Item = (Board, Moment)> + 'a {
    let claim = -bounds(next, board).1;
    let replies: Vec<Move> = legal_moves(next.rules, board).iter().collect();
    let quiet = replies.into_iter().filter(|played| played.captured == 0).map(|played| played.next);
    let tight = quiet.filter(move |reply| bounds(next, reply).0 == claim);
    tight.filter_map(|reply| Some((reply, moment(next, &reply)?)))
}
