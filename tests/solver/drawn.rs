//! Endless play as a drawn game (sheet `masters-drawn`): two numbers that say who wins, against
//! independent programs and against games with captures, move by move.

use std::io::Read;

use flate2::read::GzDecoder;
use oware_db::game::{Board, MASTERS_DRAWN, Position, Seeds, final_score, legal_moves};
use oware_db::layer::{Domain, Layer, Rank};
use oware_db::solver::InMemory;

use crate::solver::tests::layers::solved;

fn solve(most: usize) -> InMemory {
    solved(&MASTERS_DRAWN, most)
}

/// Low and high of any position: of one that no layer holds, by its moves.
fn bounds(layers: &InMemory, board: &Board) -> (i64, i64) {
    let pair = |low: i8, high: i8| (i64::from(low), i64::from(high));
    if let Some(found) = layers.layers()[board.seeds().get()].interval(board) {
        return pair(found.low.get(), found.high.get());
    }
    if let Some(score) = final_score(&MASTERS_DRAWN, board) {
        return pair(score.get(), score.get());
    }
    let moves = legal_moves(&MASTERS_DRAWN, board);
    let after = moves.iter().map(|played| {
        let (low, high) = bounds(layers, &played.next);
        (i64::from(played.captured) - high, i64::from(played.captured) - low)
    });
    after.reduce(|one, other| (one.0.max(other.0), one.1.max(other.1))).expect("a move")
}

/// All boards of a layer in lexicographic order, whether or not they can arise.
fn boards(seeds: usize, domain: Domain) -> Vec<Board> {
    let layer = Layer::new(Seeds::new(seeds).unwrap(), domain);
    let ranks = (0..layer.positions()).map(Rank);
    let mut boards: Vec<Board> = ranks.filter_map(|rank| layer.position(rank)).collect();
    boards.sort_by_key(|board| board.houses());
    boards
}

#[test]
fn layers_of_an_independent_program() {
    let layers = solve(8);
    let facts = include_str!("../data/games/drawn-layers.tsv");
    let mut checked = 0;
    for fact in facts.lines().filter(|line| line.starts_with("masters\t")) {
        let fields: Vec<&str> = fact.split('\t').collect();
        let number = |at: usize| fields[at].parse::<i64>().unwrap();
        let domain = if fields[1] == "all" { Domain::All } else { Domain::EmptyHouse };
        let found: Vec<(i64, i64)> =
            boards(number(2) as usize, domain).iter().map(|board| bounds(&layers, board)).collect();
        let agree = found.iter().filter(|(low, high)| low == high).count() as i64;
        let widest = found.iter().map(|(low, high)| high - low).max().unwrap();
        let low: i64 = found.iter().map(|found| found.0).sum();
        let high: i64 = found.iter().map(|found| found.1).sum();
        // The program that made the facts multiplies in 64 bits.
        let numbers = found.iter().flat_map(|&(low, high)| [low, high]);
        let sum = numbers.fold(0u64, |sum, score| {
            sum.wrapping_mul(1_000_003).wrapping_add((score + 128) as u64) % ((1 << 53) - 1)
        });
        assert_eq!(
            [found.len() as i64, agree, low, high, widest, sum as i64],
            [3, 4, 5, 6, 7, 8].map(number),
            "{fact}"
        );
        checked += 1;
    }
    assert_eq!(checked, 18);
}

#[test]
fn positions_of_an_independent_program() {
    let layers = solve(10);
    let (packed, mut text) = (include_bytes!("../data/games/drawn-values.tsv.gz"), String::new());
    GzDecoder::new(&packed[..]).read_to_string(&mut text).expect("text");
    let mut open = [0; 2];
    for fact in text.lines().filter(|line| line.starts_with("masters\t")) {
        let fields: Vec<&str> = fact.split('\t').collect();
        let Position { board, .. } = fields[1].parse().unwrap();
        let expected = (fields[2].parse().unwrap(), fields[3].parse().unwrap());
        assert_eq!(bounds(&layers, &board), expected, "{fact}");
        open[usize::from(expected.0 < expected.1)] += 1;
    }
    assert!(open[0] > 1000 && open[1] > 1000, "{open:?}");
}

/// Games in which every seed counts: who has more than half of all has won, and play that goes
/// round is drawn.
struct Games {
    layers: Vec<Layer>,
    /// By layer, and by lead of the mover from −n to n: 1, 0 or −1 for each position.
    results: Vec<Vec<Vec<i8>>>,
}

impl Games {
    fn new(most: usize) -> Games {
        let layer = |seeds| Layer::new(Seeds::new(seeds).unwrap(), Domain::All);
        let mut games = Games { layers: (0..=most).map(layer).collect(), results: Vec::new() };
        for seeds in 0..=most {
            games
                .results
                .push(vec![vec![0; games.layers[seeds].positions() as usize]; 2 * seeds + 1]);
            while games.improve(seeds) {}
        }
        games
    }

    /// Looks at every position and every lead once more. Whether anything changed.
    fn improve(&mut self, seeds: usize) -> bool {
        let mut changed = false;
        for lead in -(seeds as i8)..=seeds as i8 {
            for rank in 0..self.layers[seeds].positions() {
                let board = self.layers[seeds].position(Rank(rank)).unwrap();
                let moves = legal_moves(&MASTERS_DRAWN, &board);
                let best = moves
                    .iter()
                    .map(|played| -self.result(&played.next, -(lead + played.captured as i8)));
                let over = || (lead + board.own_rows().get()).signum();
                let best = best.max().unwrap_or_else(over);
                let at = (lead + seeds as i8) as usize;
                changed |=
                    std::mem::replace(&mut self.results[seeds][at][rank as usize], best) != best;
            }
        }
        changed
    }

    fn result(&self, board: &Board, lead: i8) -> i8 {
        let seeds = board.seeds().get();
        match usize::from(lead.unsigned_abs()) {
            far if far > seeds => lead.signum(),
            _ => {
                let rank = self.layers[seeds].rank(board).unwrap().0 as usize;
                self.results[seeds][(lead + seeds as i8) as usize][rank]
            }
        }
    }
}

#[test]
fn two_numbers_say_who_wins() {
    let (layers, games) = (solve(6), Games::new(6));
    let mut results = [0; 3];
    for board in (0..=6).flat_map(|seeds| boards(seeds, Domain::All)) {
        let seeds = board.seeds().get() as i8;
        let (low, high) = bounds(&layers, &board);
        for lead in -seeds..=seeds {
            let by_numbers = match i64::from(lead) {
                lead if lead + low > 0 => 1,
                lead if lead + high < 0 => -1,
                _ => 0,
            };
            assert_eq!(games.result(&board, lead), by_numbers, "{board} {lead}");
            results[(by_numbers + 1) as usize] += 1;
        }
    }
    assert!(results.iter().all(|&count| count > 10_000), "{results:?}");
}
