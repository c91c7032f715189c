//! Fits the weights of the engine's evaluation to games whose end the tables know.
//!
//! ```console
//! $ cargo run --release -- build --seeds 14 --out tables
//! $ cargo run --release --example tune_evaluation -- tables 4000 1 > src/engine/search/weights.rs
//! ```
//!
//! The engine plays itself, with a few thousand positions a move and a move by lot now and then,
//! until the board comes within the tables; from there on the score is exact. Each position before,
//! if its mover can capture nothing, is an equation: the weights of what stands in the twelve
//! houses add up to what the mover gets, seeds captured before left out. What the mover gets is a
//! mean of what the tables said in the end and of what searches said on the way, the earlier the
//! less ([`TRACE`]): the end alone is exact, but it has many fathers. The weights with the least
//! squared error are printed, by the number of seeds on the board; the error stands on standard
//! error, on games that were fitted to and on games that were not.

use std::sync::atomic::AtomicBool;

use oware_db::engine::search::estimate::{BANDS, COUNTS, FEATURES, features};
use oware_db::engine::search::{Engine, SearchLimits, TranspositionTable};
use oware_db::game::{ABAPA, Board, Game, Position, legal_moves};
use oware_db::probe::{Prober, Tables};
use oware_db::random::Dice;

/// Positions that the engine visits for a move.
const NODES: u64 = 1500;
/// One move in so many is drawn by lot, and all of the first ones.
const BY_LOT: u64 = 12;
const OPENING: usize = 8;
/// One game in so many is left out of the fit.
const HELD_OUT: usize = 10;
/// How many equations say that a weight is nothing.
const RIDGE: f64 = 30.0;

/// How much of what is known of the next position counts for a position; the rest is what a search
/// of the next one says.
const TRACE: f64 = 0.85;

/// A board, and what its mover had in the end more than the opponent, in seeds.
type Sample = (Board, f64);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [dir, games, seed] = &words[..] else { panic!("a directory, how many games, and a seed") };
    let number = |word: &String| word.parse::<u64>().expect("a number");
    let tables = Tables::open(dir).expect("a directory of tables");
    let played: Vec<Vec<Sample>> =
        (0..number(games)).map(|game| play(&tables, number(seed) << 32 | game)).collect();
    let (held_out, fitted): (Vec<_>, Vec<_>) =
        played.into_iter().enumerate().partition(|(game, _)| game % HELD_OUT == 0);
    let samples = |games: Vec<(usize, Vec<Sample>)>| -> Vec<Sample> {
        games.into_iter().flat_map(|(_, samples)| samples).collect()
    };
    let (held_out, fitted) = (samples(held_out), samples(fitted));
    let weights = fit(&fitted);
    let simple = |board: &Board| f64::from(board.own_rows().get()) / 10.0;
    for (name, samples) in [("fitted", &fitted), ("held out", &held_out)] {
        eprintln!(
            "{name}: {} positions, error {:.3} seeds, of a tenth of the own row {:.3}",
            samples.len(),
            error(samples, |board| value(&weights, board)),
            error(samples, simple)
        );
    }
    print(&weights);
}

/// Plays a game and returns its positions.
fn play(tables: &Tables, seed: u64) -> Vec<Sample> {
    let mut dice = Dice::new(seed);
    let hash = TranspositionTable::new(1).expect("memory");
    let engine = Engine::new(Some(tables), &hash, 1);
    let mut prober = Prober::new(tables, &ABAPA);
    let limits = SearchLimits { depth: 30, time: None, nodes: NODES };
    let mut game = Game::new(&ABAPA, Position::INITIAL);
    let mut boards = Vec::new();
    let margin = loop {
        if let Some((_, margin)) = game.over() {
            break f64::from(margin.get());
        }
        if let Ok(interval) = prober.interval(game.board()) {
            let rest = f64::from(interval.low.get()) + f64::from(interval.high.get());
            break f64::from(game.ahead().get()) + rest / 2.0;
        }
        let by_lot = boards.len() < OPENING || dice.below(BY_LOT) == 0;
        let (played, worth) = if by_lot {
            (dice.greatest(legal_moves(&ABAPA, game.board()).iter(), |_| 0), None)
        } else {
            let found = engine.think(&game, &limits, &AtomicBool::new(false), &mut |_| {});
            let found = found.expect("a move");
            let worth = f64::from(found.worth.hundredths()) / 100.0;
            (game.find(found.line[0].house), Some(worth))
        };
        boards.push((*game.board(), game.ahead(), worth));
        game.make(&played.expect("a move"));
    };
    // From the end to the beginning; the players take turns.
    let (mut known, mut samples) = (margin, Vec::new());
    for (board, ahead, worth) in boards.into_iter().skip(OPENING).rev() {
        known = -known;
        if legal_moves(&ABAPA, &board).iter().all(|played| played.captured == 0) {
            samples.push((board, known - f64::from(ahead.get())));
        }
        known = worth.map_or(known, |worth| TRACE * known + (1.0 - TRACE) * worth);
    }
    samples
}

/// The weights of a band, the last one always counted.
type Weights = Vec<Vec<f64>>;

fn fit(samples: &[Sample]) -> Weights {
    let size = FEATURES + 1;
    let mut systems = vec![(vec![0.0; size * size], vec![0.0; size]); BANDS];
    for (board, target) in samples {
        let (band, found) = features(board);
        let (matrix, right) = &mut systems[band];
        let found: Vec<usize> = found.into_iter().chain([FEATURES]).collect();
        for &one in &found {
            right[one] += target;
            found.iter().for_each(|&other| matrix[one * size + other] += 1.0);
        }
    }
    systems
        .into_iter()
        .map(|(mut matrix, right)| {
            (0..size).for_each(|at| matrix[at * size + at] += RIDGE);
            solve(matrix, right)
        })
        .collect()
}

/// Solves linear equations whose matrix is symmetric and positive by elimination.
fn solve(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for at in 0..size {
        for row in at + 1..size {
            let factor = matrix[row * size + at] / matrix[at * size + at];
            if factor != 0.0 {
                for column in at..size {
                    matrix[row * size + column] -= factor * matrix[at * size + column];
                }
                right[row] -= factor * right[at];
            }
        }
    }
    for at in (0..size).rev() {
        let known: f64 = (at + 1..size).map(|place| matrix[at * size + place] * right[place]).sum();
        right[at] = (right[at] - known) / matrix[at * size + at];
    }
    right
}

fn value(weights: &Weights, board: &Board) -> f64 {
    let (band, found) = features(board);
    let weights = &weights[band];
    weights[FEATURES] + found.into_iter().map(|at| weights[at]).sum::<f64>()
}

/// The root of the mean squared error.
fn error(samples: &[Sample], value: impl Fn(&Board) -> f64) -> f64 {
    let squares: f64 = samples.iter().map(|(board, target)| (value(board) - target).powi(2)).sum();
    (squares / samples.len() as f64).sqrt()
}

fn print(weights: &Weights) {
    let hundredths = |weight: &f64| format!("{:.0}", 100.0 * weight).replace("-0", "0");
    println!(
        "//! The weights of the evaluation, as `examples/tune_evaluation.rs` has printed them."
    );
    println!("\n/// What it is worth to be to move, by band, in hundredths of a seed.");
    let tempo: Vec<String> = weights.iter().map(|band| hundredths(&band[FEATURES])).collect();
    println!("pub const TEMPO: [i16; {BANDS}] = [{}];\n", tempo.join(", "));
    println!("/// What seeds in a house are worth: by band, house (the mover's first) and count.");
    println!("#[rustfmt::skip]\npub static WEIGHTS: [[i16; {FEATURES}]; {BANDS}] = [");
    for band in weights {
        println!("    [");
        for house in band[..FEATURES].chunks(COUNTS) {
            let row: Vec<String> = house.iter().map(hundredths).collect();
            println!("        {},", row.join(", "));
        }
        println!("    ],");
    }
    println!("];");
}
