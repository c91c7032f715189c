//! How far the engine's estimates are from the scores, by seeds on the board: what `oware query
//! --estimate` says of itself.
//!
//! ```console
//! $ cargo run --release -- build --seeds 22 --tables tables
//! $ cargo run --release --example estimate_error -- tables 200 1
//! ```
//!
//! The words are a directory of tables of `abapa`, how many positions of each number of seeds, and a
//! seed. Positions come from games that the engine plays against itself at level 3, without tables,
//! and plays on for seeds where 25 have decided; of a game, one of each number of seeds, as captures
//! lead to it. The engine that estimates has no tables either.

use std::sync::atomic::AtomicBool;

use oware_db::engine::level::Level;
use oware_db::engine::search::{DEEPEST, Engine, SearchLimits, TranspositionTable};
use oware_db::game::{ABAPA, Board, Game, Position, Stores, legal_moves};
use oware_db::json::estimate::EstimatedPosition;
use oware_db::probe::{Prober, Tables};
use oware_db::random::Dice;

/// Megabytes in which a search remembers positions.
const HASH: usize = 16;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [dir, most, seed] = &words[..] else {
        panic!("a directory, how many positions of each number of seeds, a seed")
    };
    let number = |word: &String| word.parse::<u64>().expect("a number");
    let tables = Tables::open(dir).expect("a directory of tables");
    let range = tables.available(&ABAPA).expect("tables").into_iter().max().expect("a table");
    let mut found = vec![Vec::new(); range.get() + 1];
    let mut dice = Dice::new(number(seed));
    while found[2..].iter().any(|boards| (boards.len() as u64) < number(most)) {
        play(&mut dice, number(most) as usize, &mut found);
    }
    let mut prober = Prober::new(&tables, &ABAPA);
    for (seeds, boards) in found.iter().enumerate().skip(2) {
        let errors: Vec<f64> =
            boards.iter().filter_map(|board| error(&mut prober, board)).collect();
        let count = errors.len() as f64;
        let mean = errors.iter().sum::<f64>() / count;
        let square = errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>() / count;
        println!(
            "{seeds} seeds: {mean:.2} ± {:.2}, {count} positions",
            1.96 * (square / count).sqrt()
        );
    }
}

/// Plays a game, and adds a board for each number of seeds that is still wanted.
fn play(dice: &mut Dice, most: usize, found: &mut [Vec<Board>]) {
    let hash = TranspositionTable::new(1).expect("memory");
    let limits = SearchLimits { depth: DEEPEST, time: None, nodes: u64::MAX };
    let level = Level::new(3).expect("a level");
    let mut game = Game::new(&ABAPA, Position::INITIAL);
    let mut last = game.board().seeds();
    while game.over().is_none() && !legal_moves(&ABAPA, game.board()).is_empty() {
        let engine = Engine::new(None, &hash, 1);
        let stop = AtomicBool::new(false);
        let chosen = level.think(engine, &game, &limits, &stop, dice, &mut |_| {}).expect("a move");
        game.play(chosen.line[0]).expect("a legal move");
        let seeds = game.board().seeds();
        if seeds != last {
            let stores = Some(Stores::EMPTY);
            game = Game::new(&ABAPA, Position { stores, ..*game.position() });
        }
        if seeds != last
            && let Some(boards) = found.get_mut(seeds.get())
            && boards.len() < most
        {
            boards.push(*game.board());
        }
        last = seeds;
    }
}

/// Returns by how many seeds an estimate of a board is wrong; `None` if there is nothing to
/// estimate, or no one score.
fn error(prober: &mut Prober, board: &Board) -> Option<f64> {
    let hash = TranspositionTable::new(HASH).expect("memory");
    let engine = Engine::new(None, &hash, 1);
    let position = Position::from(*board);
    let estimate = EstimatedPosition::of(&engine, &ABAPA, position)?.moves[0].estimate.estimate;
    let score = prober.interval(board).expect("a table").value()?;
    Some((estimate - f64::from(score.get())).abs())
}
