//! Time to a depth, with one thread and with two: `cargo bench --bench search`.
//!
//! Not a matter for statistics of microseconds: a search takes a good part of a second, and two
//! threads never search the same way twice. Printed are wall-clock seconds and positions; on a
//! machine that does other things, too, twice the positions of one thread divided by those of two
//! is what two free processors would gain.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use oware_db::engine::search::{Engine, SearchLimits, TranspositionTable};
use oware_db::game::{ABAPA, Game, Position, legal_moves};
use oware_db::random::Dice;

const DEPTH: u32 = 16;
const POSITIONS: u64 = 36;
const HASH: usize = 64;

/// A position of the middle game.
fn drawn(number: u64) -> Game {
    let mut dice = Dice::new(number);
    loop {
        let mut game = Game::new(&ABAPA, Position::INITIAL);
        for _ in 0..8 + number % 12 {
            let moves = legal_moves(&ABAPA, game.board());
            game.make(&dice.greatest(moves.iter(), |_| 0).expect("a move"));
        }
        if game.over().is_none() && legal_moves(&ABAPA, game.board()).len() > 2 {
            return game;
        }
    }
}

/// Searches all positions, each with a hash table of its own, whose making does not count; returns
/// the time and the number of positions visited.
fn search(threads: usize) -> (Duration, u64) {
    let limits = SearchLimits { depth: DEPTH, time: None, nodes: u64::MAX };
    let (mut time, mut nodes) = (Duration::ZERO, 0);
    for number in 0..POSITIONS {
        let hash = TranspositionTable::new(HASH).expect("memory");
        let (game, engine) = (drawn(number), Engine::new(None, &hash, threads));
        let start = Instant::now();
        let found = engine.think(&game, &limits, &AtomicBool::new(false), &mut |_| {});
        time += start.elapsed();
        let found = found.expect("a move");
        assert_eq!(found.depth, DEPTH, "{found:?}");
        nodes += found.nodes;
    }
    (time, nodes)
}

fn main() {
    // What `cargo bench` says to every bench does not matter here; `cargo test` only compiles.
    if std::env::args().any(|word| word == "--test") {
        return;
    }
    let [one, two] = [1, 2].map(search);
    for (threads, (time, nodes)) in [(1, one), (2, two)] {
        let (seconds, rate) = (time.as_secs_f64(), nodes as f64 / time.as_secs_f64() / 1e6);
        println!(
            "{POSITIONS} positions to depth {DEPTH}, {threads} threads: {seconds:.2} s, \
             {nodes} positions, {rate:.2} million a second"
        );
    }
    let gain = one.0.as_secs_f64() / two.0.as_secs_f64();
    let by_positions = 2.0 * one.1 as f64 / two.1 as f64;
    println!("two threads gain {gain:.2} in time, {by_positions:.2} by positions");
}
