//! How long lines of best play are, for all positions of the layers so far.
//!
//! In each position the strategy has one move for what the position is worth with fresh history. So
//! lines are paths in a forest, or they end in a circle, and the lengths of all come from one walk.
//! `oware query` follows a line for what was promised at its beginning; in knots, where only the first
//! repetition decides, that may be another move. So the longest are followed again before they are
//! reported.

use crate::game::{Board, Rules, Score};
use crate::layer::{Layer, Rank};

/// Lines that are followed move by move to find the longest.
const CONFIRMED: usize = 64;
/// The value of a position of which only bounds are known.
pub const OPEN: i8 = i8::MIN;
/// There is no move within the layer.
pub const END: u32 = u32::MAX;
/// The difference changes no more, or no capture comes.
pub const NEVER: u16 = u16::MAX;

/// Where the lines of positions that follow each other lead.
#[derive(Default)]
pub struct Paths {
    /// What each is worth, or [`OPEN`].
    pub values: Vec<i8>,
    /// The rank that the strategy's move leads to within the layer, or [`END`].
    pub next: Vec<u32>,
    /// Where that is [`END`]: moves until the last change of the difference, or [`NEVER`].
    pub distance: Vec<u16>,
    /// Where that is [`END`]: moves until the capture, 1, or 0 where the game is over.
    pub until: Vec<u16>,
}

/// What is measured of a line.
#[derive(Clone, Copy, Debug)]
pub enum Measure {
    /// Moves until the score of a won position is achieved.
    Win,
    /// Moves until the first capture.
    UntilCapture,
}

/// By layer and rank: the moves until the last change of the difference, or [`NEVER`].
#[derive(Default)]
pub struct Lengths(Vec<Vec<u16>>);

impl Lengths {
    /// Returns the moves until the last change after a capture led to a position; 0 if there is
    /// none.
    pub fn after(&self, rules: &Rules, board: &Board) -> u16 {
        let layer = Layer::of(rules, board.seeds());
        let rank = layer.rank(board).expect("a move leads into its layer");
        let moves = self.0[board.seeds().get()][rank.0 as usize];
        if moves == NEVER { 0 } else { moves }
    }

    /// Follows the lines of a layer, the next one, and returns for each measure the ranks of those
    /// that last longest, longest first.
    pub fn add(&mut self, rules: &Rules, layer: Layer, found: &mut Paths) -> [Vec<u64>; 2] {
        let mut path = Vec::new();
        for rank in 0..found.next.len() as u32 {
            walk(rules, layer, found, rank, &mut path);
        }
        let wins =
            longest(&found.distance, |rank| found.values[rank] > 0 && found.values[rank] != OPEN);
        let quiet = longest(&found.until, |_| true);
        self.0.push(std::mem::take(&mut found.distance));
        [wins, quiet]
    }
}

/// Set in `next` of a position that is on the path.
const ON_PATH: u32 = u32::MAX - 1;

/// Follows a line until something is known of it, and notes that for all positions on the way.
fn walk(rules: &Rules, layer: Layer, found: &mut Paths, from: u32, path: &mut Vec<u32>) {
    let mut at = from;
    while found.next[at as usize] < ON_PATH {
        path.push(at);
        at = std::mem::replace(&mut found.next[at as usize], ON_PATH);
    }
    let (mut distance, mut until) = (found.distance[at as usize], found.until[at as usize]);
    if found.next[at as usize] == ON_PATH {
        close(rules, layer, found, at, path);
        (distance, until) = (found.distance[at as usize], NEVER);
    }
    for rank in path.drain(..).rev() {
        distance = after(distance);
        until = after(until);
        let rank = rank as usize;
        (found.distance[rank], found.until[rank], found.next[rank]) = (distance, until, END);
    }
}

/// Notes what a circle is worth to those on it, and takes them off the path: a line that begins there
/// goes round once, or twice until the same player is to move, and on to a position that counts, and
/// what is left is divided then.
fn close(rules: &Rules, layer: Layer, found: &mut Paths, first: u32, path: &mut Vec<u32>) {
    let begin = path.iter().position(|&rank| rank == first).expect("it is on the path");
    let circle = path.split_off(begin);
    let worth = |rank: &u32| {
        let board = layer.position(Rank((*rank).into())).expect("a rank of the layer");
        rules.worth_of_repetition(&board)
    };
    let worths: Vec<Option<Score>> = circle.iter().map(worth).collect();
    let around = circle.len() * (1 + circle.len() % 2);
    for (at, &rank) in circle.iter().enumerate() {
        let mut ahead = worths[at..].iter().chain(&worths[..at]).enumerate();
        let counts = ahead.find_map(|(moves, worth)| worth.map(|rest| (moves, rest)));
        let changes = counts.filter(|&(_, rest)| rest != Score::ZERO);
        let rank = rank as usize;
        found.distance[rank] =
            changes.map_or(NEVER, |(moves, _)| (around + moves).min(NEVER as usize - 1) as u16);
        (found.until[rank], found.next[rank]) = (NEVER, END);
    }
}

/// One move more.
fn after(moves: u16) -> u16 {
    if moves == NEVER { NEVER } else { (moves + 1).min(NEVER - 1) }
}

/// Returns the ranks with the greatest numbers, greatest first, of equals the first ones.
fn longest(moves: &[u16], counts: impl Fn(usize) -> bool) -> Vec<u64> {
    let mut best: Vec<(u16, u64)> = Vec::new();
    for (rank, &moves) in moves.iter().enumerate().filter(|&(_, &moves)| moves != NEVER) {
        let is_more = best.len() < CONFIRMED || best.last().is_some_and(|last| moves > last.0);
        if moves > 0 && is_more && counts(rank) {
            let at = best.partition_point(|&(other, _)| other >= moves);
            best.insert(at, (moves, rank as u64));
            best.truncate(CONFIRMED);
        }
    }
    best.into_iter().map(|(_, rank)| rank).collect()
}
