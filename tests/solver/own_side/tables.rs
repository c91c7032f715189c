//! Facts about tournament Oware that other programs produced, put to whoever claims to know the
//! interval of a position.

use std::io::{BufRead, BufReader, Read};

use flate2::read::GzDecoder;
use oware_db::game::{Board, Interval, Seeds};

/// Who claims to know.
pub type Claim<'a> = &'a dyn Fn(&Board) -> Interval;

/// Seeds, positions, positions with an exact score, sum of low, sum of high.
pub const SUMS: [(usize, usize, usize, i64, i64); 8] = [
    (2, 78, 78, -34, -34),
    (3, 364, 364, -180, -180),
    (4, 1_365, 1_365, -378, -378),
    (5, 4_368, 4_368, -114, -114),
    (6, 12_375, 12_375, 3_804, 3_804),
    (7, 31_812, 31_812, 19_362, 19_362),
    (8, 75_504, 62_939, 51_002, 76_132),
    (9, 167_596, 167_596, 182_316, 182_316),
];

/// Low and high of every position to 5 seeds and of a sample to 7. Returns how many up to `most`
/// seeds were asked.
pub fn assert_intervals(most: usize, claim: Claim) -> usize {
    let facts = std::fs::File::open("tests/data/own-side-le7.tsv").expect("the facts");
    asked(facts, most, |board, [low, high]| {
        let claimed = claim(board);
        assert_eq!([claimed.low.get(), claimed.high.get()], [low, high], "{board}");
    })
}

/// What each side can force by play that ends of itself, in seeds: intervals lie inside. A sample
/// to 11 seeds; returns how many up to `most` were asked.
pub fn assert_inside_forced_bounds(most: usize, claim: Claim) -> usize {
    each_forced_bound(most, |board, mover, opponent| {
        let (claimed, seeds) = (claim(board), board.seeds().get() as i8);
        assert_eq!((seeds + claimed.low.get()) % 2, 0, "{board}: {claimed}");
        assert!(
            seeds + claimed.low.get() >= 2 * mover,
            "{board}: {claimed}, but the mover can force {mover} seeds"
        );
        assert!(
            seeds - claimed.high.get() >= 2 * opponent,
            "{board}: {claimed}, but the opponent can force {opponent} seeds"
        );
    })
}

/// Calls `with` the board, the seeds that the mover can force, and those that the opponent can.
pub fn each_forced_bound(most: usize, with: impl Fn(&Board, i8, i8)) -> usize {
    let facts = std::fs::File::open("tests/data/forced-bounds.tsv.gz").expect("the facts");
    asked(GzDecoder::new(facts), most, |board, [mover, opponent]| with(board, mover, opponent))
}

/// Reads lines of twelve houses and two numbers.
fn asked(facts: impl Read, most: usize, with: impl Fn(&Board, [i8; 2])) -> usize {
    let most = Seeds::new(most).expect("a number of seeds");
    let lines = BufReader::new(facts).lines().map(|line| line.expect("text"));
    let boards = lines.filter(|line| !line.starts_with('#')).map(|line| fact(&line));
    boards
        .filter(|(board, _)| board.seeds() <= most)
        .map(|(board, numbers)| with(&board, numbers))
        .count()
}

fn fact(line: &str) -> (Board, [i8; 2]) {
    let numbers: Vec<i8> =
        line.split_whitespace().map(|number| number.parse().expect("a number")).collect();
    let houses: [i8; 12] = numbers[..12].try_into().expect("twelve houses");
    (
        Board::new(houses.map(|seeds| seeds as u8)).expect("a board"),
        numbers[12..].try_into().expect("two numbers"),
    )
}
