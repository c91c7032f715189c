//! Tournament Oware on rows of any length, written for these tests: boards so small that lines of
//! play can be followed to the end.

use std::collections::HashMap;

use oware_db::game::{Interval, Score};
use oware_db::solver::game_graph::Step;

use super::listed::Listed;

/// The moves of a board, mover's houses first: seeds captured and the board the next player sees.
pub fn moves(board: &[u8]) -> Vec<(u8, Vec<u8>)> {
    let houses = board.len() / 2;
    let hungry = board[houses..].iter().all(|&seeds| seeds == 0);
    let mut moves = Vec::new();
    for house in (0..houses).filter(|&house| board[house] > 0) {
        let (sown, last) = sow(board, house);
        if hungry && sown[houses..].iter().all(|&seeds| seeds == 0) {
            continue;
        }
        let (captured, left) = capture(&sown, last);
        moves.push((captured, [&left[houses..], &left[..houses]].concat()));
    }
    moves
}

fn sow(board: &[u8], house: usize) -> (Vec<u8>, usize) {
    let mut sown = board.to_vec();
    let mut last = house;
    for _ in 0..std::mem::take(&mut sown[house]) {
        last = (last + 1) % board.len();
        if last == house {
            last = (last + 1) % board.len();
        }
        sown[last] += 1;
    }
    (sown, last)
}

fn capture(sown: &[u8], last: usize) -> (u8, Vec<u8>) {
    let houses = sown.len() / 2;
    let mut left = sown.to_vec();
    let mut captured = 0;
    for house in (houses..=last).rev() {
        match left[house] {
            2 | 3 => captured += std::mem::take(&mut left[house]),
            _ => break,
        }
    }
    let slam = captured > 0 && left[houses..].iter().all(|&seeds| seeds == 0);
    if slam { (0, sown.to_vec()) } else { (captured, left) }
}

/// All boards with `houses` houses in all and `seeds` seeds.
pub fn boards(houses: usize, seeds: u8) -> Vec<Vec<u8>> {
    if houses == 1 {
        return vec![vec![seeds]];
    }
    let with = |first: u8| {
        boards(houses - 1, seeds - first)
            .into_iter()
            .map(move |rest| [&[first], &rest[..]].concat())
    };
    (0..=seeds).flat_map(with).collect()
}

/// The layer of `seeds` seeds on rows of `houses` houses, given what all lower layers are worth.
pub fn layer(houses: usize, seeds: u8, lower: &[Vec<Interval>]) -> Listed {
    let rank = |seeds: u8| -> HashMap<Vec<u8>, usize> {
        boards(2 * houses, seeds)
            .into_iter()
            .enumerate()
            .map(|(rank, board)| (board, rank))
            .collect()
    };
    let ranks: Vec<HashMap<Vec<u8>, usize>> = (0..=seeds).map(rank).collect();
    let step = |(captured, next): (u8, Vec<u8>)| {
        let seeds_left = seeds - captured;
        let rank = ranks[seeds_left as usize][&next];
        match captured {
            0 => Step::Stays(rank),
            _ => Step::Leaves(lower[seeds_left as usize][rank].after_capture(captured)),
        }
    };
    let steps = |board: &Vec<u8>| match moves(board) {
        none if none.is_empty() => vec![Step::Leaves(Interval::exact(own_rows(board)))],
        some => some.into_iter().map(step).collect(),
    };
    let both = |board: &Vec<u8>| board.chunks(houses).all(|row| row.iter().any(|&seeds| seeds > 0));
    let all = boards(2 * houses, seeds);
    Listed {
        steps: all.iter().map(steps).collect(),
        rows: all.iter().map(|board| both(board).then(|| own_rows(board))).collect(),
    }
}

/// The same layer where a repetition ends the game also if a row is empty.
pub fn where_all_count(houses: usize, seeds: u8, layer: Listed) -> Listed {
    let rows = boards(2 * houses, seeds).iter().map(|board| Some(own_rows(board))).collect();
    Listed { rows, ..layer }
}

fn own_rows(board: &[u8]) -> Score {
    let row = |row: &[u8]| row.iter().map(|&seeds| seeds as i8).sum::<i8>();
    let (mover, opponent) = board.split_at(board.len() / 2);
    Score::new(row(mover) - row(opponent))
}
