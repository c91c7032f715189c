//! Plays games and writes down their positions, each with what it is worth: what
//! `examples/train_evaluation.rs` learns from.
//!
//! ```console
//! $ cargo run --release -- build --seeds 29 --no-strategy --tables tables
//! $ cargo run --release --example evaluation_data -- tables 32000 1 > positions.txt
//! ```
//!
//! The words are a directory of tables, how many games, a seed, and perhaps a file of weights to
//! play with instead of the built-in ones (another round). A line is a position: its twelve houses, the
//! mover's first, and what the mover gets more than the opponent from here on, in hundredths of a
//! seed.
//!
//! Moves are those of a search of [`NODES`] positions, with the tables below, and now and then a move
//! by lot. It plays for seeds, not for 25 of them: what was captured before does not count, so that a
//! position is worth what the tables would say. Within the tables each worth is exact. Above them
//! it is a mean of what the tables said in the end and of what searches said on the way, the
//! earlier the less ([`TRACE`]); a move by lot cuts the mean off, as the end does not speak of best play.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use oware_db::engine::search::{DEEPEST, Engine, Network, SearchLimits, TranspositionTable, Worth};
use oware_db::game::{ABAPA, Board, Game, Move, Position, Score, Stores, legal_moves};
use oware_db::probe::{Prober, Tables};
use oware_db::random::Dice;

/// Positions that a search visits.
const NODES: u64 = 800;
/// A game of fewer seeds is not played on.
const FEWEST: usize = 6;
/// Moves by lot at the beginning of a game, at least and at most.
const OPENING: [u64; 2] = [2, 24];
/// One move in so many is drawn by lot: above the tables, and within them.
const BY_LOT: [u64; 2] = [10, 3];
/// How much of what is known of the next position counts for a position; the rest is what a search
/// of it says.
const TRACE: f64 = 0.8;

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [dir, games, seed, weights @ ..] = &words[..] else {
        panic!("a directory, how many games, a seed, and perhaps a file of weights")
    };
    let number = |word: &String| word.parse::<u64>().expect("a number");
    let tables = Tables::open(dir).expect("a directory of tables");
    let network = match weights {
        [] => Network::built_in(),
        [file, ..] => Network::read(&fs::read(file)?).map(Arc::new),
    };
    let transpositions = TranspositionTable::new(4).expect("memory");
    let engine = Engine::new(Some(&tables), &transpositions, 1).with_network(network.ok());
    let mut player = Player { prober: Prober::new(&tables, &ABAPA), engine };
    let mut out = BufWriter::new(io::stdout().lock());
    for game in 0..number(games) {
        for (board, worth) in player.play(Dice::new(number(seed) << 32 | game)) {
            let houses = board.houses().map(|count| count.to_string()).join(" ");
            writeln!(out, "{houses} {worth:.0}")?;
        }
    }
    out.flush()
}

/// A position of a game, and how it went on.
struct Step {
    board: Board,
    /// Hundredths of a seed, by the tables or by a search.
    worth: i32,
    is_exact: bool,
    is_by_lot: bool,
    captured: u8,
}

struct Player<'t> {
    prober: Prober,
    engine: Engine<'t>,
}

impl Player<'_> {
    /// Plays a game and returns its positions, the last one first.
    fn play(&mut self, mut dice: Dice) -> Vec<(Board, f64)> {
        let mut game = Game::new(&ABAPA, Position::INITIAL);
        let opening = OPENING[0] + dice.below(OPENING[1] - OPENING[0]);
        let mut steps = Vec::new();
        for ply in 0.. {
            let moves = legal_moves(&ABAPA, game.board());
            let Some(drawn) = dice.greatest(moves.iter(), |_| 0) else { break };
            if game.over().is_some() || game.board().seeds().get() < FEWEST {
                break;
            }
            let mut played = drawn;
            if ply >= opening {
                let (worth, best, is_exact) = self.best(&game, &mut dice);
                let is_by_lot = dice.below(BY_LOT[usize::from(is_exact)]) == 0;
                played = if is_by_lot { drawn } else { best };
                let (board, captured) = (*game.board(), played.captured);
                steps.push(Step { board, worth, is_exact, is_by_lot, captured });
            }
            game.make(&played);
            // What was captured does not count, and no position from before comes back.
            if played.captured > 0 {
                let stores = Some(Stores::EMPTY);
                game = Game::new(&ABAPA, Position { stores, ..*game.position() });
            }
        }
        traced(steps)
    }

    /// Returns what a position is worth, a best move, and whether the worth is exact.
    fn best(&mut self, game: &Game, dice: &mut Dice) -> (i32, Move, bool) {
        let board = game.board();
        if let Some(worth) = exact(&mut self.prober, board) {
            let moves: Vec<Move> = legal_moves(&ABAPA, board).iter().collect();
            let best = dice.greatest(moves, |played| {
                let next = exact(&mut self.prober, &played.next).expect("a lower or equal layer");
                100 * i32::from(played.captured) - next
            });
            return (worth, best.expect("a move"), true);
        }
        let limits = SearchLimits { depth: DEEPEST, time: None, nodes: NODES };
        let found = self.engine.think(game, &limits, &AtomicBool::new(false), &mut |_| ());
        let found = found.expect("a move");
        let played = game.find(found.line[0].house).expect("a legal move");
        (found.worth.hundredths(), played, false)
    }
}

/// Returns what the tables say of a position, in hundredths of a seed.
fn exact(prober: &mut Prober, board: &Board) -> Option<i32> {
    let interval = prober.interval(board).ok()?;
    Some(Worth::within(prober.rules(), Score::ZERO, interval).hundredths())
}

/// Says what each position is worth, from the end to the beginning.
fn traced(steps: Vec<Step>) -> Vec<(Board, f64)> {
    let mut known: Option<f64> = None;
    let mut samples = Vec::new();
    for step in steps.into_iter().rev() {
        let worth = f64::from(step.worth);
        let next = known.map(|next| 100.0 * f64::from(step.captured) - next);
        let worth = match next.filter(|_| !step.is_exact && !step.is_by_lot) {
            Some(next) => TRACE * next + (1.0 - TRACE) * worth,
            None => worth,
        };
        samples.push((step.board, worth));
        known = Some(worth);
    }
    samples
}
