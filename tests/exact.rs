//! Exact scores under the first repetition, against facts from outside.

use std::io::Read;

use oware_db::game::{
    ABAPA, ABAPA_AGREED, ABAPA_EVERY, Board, Interval, Rules, Score, Seeds, legal_moves,
};
use oware_db::layer::Solved;
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};

fn solve(rules: &'static Rules, most: usize) -> InMemory {
    let mut solver = Solver::new(rules, Kernel::best());
    let mut layers = InMemory::default();
    for seeds in Seeds::new(most).unwrap().up_to() {
        layers.push(solver.solve(seeds, &layers, &Unobserved).expect("solves"));
    }
    layers
}

fn score(numbers: &[i8]) -> Board {
    Board::new(std::array::from_fn(|house| numbers[house] as u8)).expect("a board")
}

/// The lines of a table of numbers, without what is no number.
fn rows(text: &str) -> impl Iterator<Item = Vec<i8>> {
    text.lines()
        .filter(|line| line.starts_with(|first: char| first.is_ascii_digit()))
        .map(|line| line.split('\t').map_while(|cell| cell.parse().ok()).collect())
}

fn unpacked(bytes: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).expect("text");
    text
}

fn interval(layers: &InMemory, board: &Board) -> Interval {
    layers.layers()[board.seeds().get()].interval(board).expect("a position of its layer")
}

fn sum(solved: &Solved) -> i64 {
    solved.low.stretches().flatten().map(|&score| i64::from(score)).sum()
}

#[test]
fn layers_to_thirteen_seeds() {
    let layers = solve(&ABAPA, 13);
    for line in include_str!("data/exact-layers.tsv").lines().filter(|line| !line.starts_with('#'))
    {
        let numbers: Vec<i64> = line.split('\t').map(|cell| cell.parse().unwrap()).collect();
        let [seeds, positions, open, total] = numbers[..] else { panic!("{line}") };
        let Some(solved) = layers.layers().get(seeds as usize) else { continue };
        assert_eq!(solved.layer().positions() as i64, positions);
        assert!(solved.high.is_none(), "{seeds} seeds: not every score is settled");
        assert_eq!(sum(solved), total, "{seeds} seeds");
        let knots = solved.knots.as_ref().map_or(0, |knots| knots.open().count());
        assert_eq!(knots as i64, open, "{seeds} seeds");
    }
    let mut settled = 0;
    for row in rows(include_str!("data/exact-settled.tsv")) {
        let (board, expected) = (score(&row[1..13]), Score::new(row[15]));
        assert_eq!(interval(&layers, &board).value(), Some(expected), "{board}");
        let knots = layers.layers()[row[0] as usize].knots.as_ref().expect("knots");
        let bounds = (knots.low.score(&board), knots.high.score(&board));
        assert_eq!(bounds, (Some(Score::new(row[13])), Some(Score::new(row[14]))), "{board}");
        let rank = knots.low.layer().rank(&board).expect("a rank");
        let house = knots.find(rank, Score::new(row[14])).expect("a move in the knot");
        assert!(legal_moves(&ABAPA, &board).iter().any(|played| played.house == house));
        settled += 1;
    }
    assert_eq!(settled, 1826 + 7 + 13);
    let mut sampled = 0;
    for row in rows(&unpacked(include_bytes!("data/exact-8-10.tsv.gz"))) {
        let board = score(&row[..12]);
        assert_eq!(interval(&layers, &board).value(), Some(Score::new(row[12])), "{board}");
        sampled += 1;
    }
    assert!(sampled > 1000, "{sampled}");
}

#[test]
fn intervals_hold_the_scores() {
    let (exact, agreed) = (solve(&ABAPA, 10), solve(&ABAPA_AGREED, 10));
    let mut open = 0;
    for (exact, agreed) in exact.layers().iter().zip(agreed.layers()) {
        assert!(agreed.knots.is_none());
        let bounds = agreed.low.stretches().flatten().zip(agreed.high().stretches().flatten());
        for (score, (low, high)) in exact.low.stretches().flatten().zip(bounds) {
            assert!(low <= score && score <= high);
            open += u64::from(low != high);
        }
    }
    assert!(open > 60_000, "{open}");
}

#[test]
fn a_repetition_with_an_empty_row_ends_the_game_too() {
    let layers = solve(&ABAPA_EVERY, 7);
    let (mut rows_seen, mut narrower) = (0, 0);
    for row in rows(&unpacked(include_bytes!("data/every-le7.tsv.gz"))) {
        let board = score(&row[..12]);
        let Some(found) = layers.layers()[board.seeds().get()].interval(&board) else { continue };
        assert!(row[12] <= found.low.get() && found.high.get() <= row[13], "{board}: {found:?}");
        rows_seen += 1;
        narrower += u32::from(found.low.get() > row[12] || found.high.get() < row[13]);
    }
    println!("{rows_seen} rows, {narrower} narrower");
    for (seeds, solved) in layers.layers().iter().enumerate() {
        let open = solved.knots.as_ref().map_or(0, |knots| knots.open().count());
        let left = oware_db::layer::Knots::clone(match &solved.knots {
            Some(k) => k,
            None => continue,
        });
        let _ = left;
        let still = solved.high.as_ref().map_or(0, |high| {
            solved
                .low
                .stretches()
                .flatten()
                .zip(high.stretches().flatten())
                .filter(|(a, b)| a != b)
                .count()
        });
        println!("{seeds} seeds: {open} open, {still} left");
    }
}
