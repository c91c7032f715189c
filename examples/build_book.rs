//! Makes the engine's opening book by search.
//!
//! ```console
//! $ cargo run --release --example build_book -- 1000000 4 > src/engine/openings.txt
//! ```
//!
//! The numbers, here those of the book in use, say how many positions the search visits for a move, and
//! how many moves of its own the book has for either player. It follows its own moves and every answer to them.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use oware_db::engine::search::{Engine, SearchLimits, TranspositionTable};
use oware_db::game::{ABAPA, Game, Ply, Position, Seat, legal_moves};

fn main() {
    let numbers: Vec<u64> =
        std::env::args().skip(1).map(|word| word.parse().expect("a number")).collect();
    let [nodes, moves] = numbers[..] else { panic!("how many positions, and how many moves") };
    println!("# source: examples/build_book.rs, {nodes} positions a move");
    let mut maker =
        Maker { hash: TranspositionTable::new(256).expect("memory"), nodes, found: HashMap::new() };
    for seat in Seat::BOTH {
        maker.follow(&Game::new(&ABAPA, Position::INITIAL), String::new(), seat, moves);
    }
}

struct Maker {
    hash: TranspositionTable,
    nodes: u64,
    found: HashMap<Position, Ply>,
}

impl Maker {
    /// Prints what `seat` plays from here on, `moves` times in each line.
    fn follow(&mut self, game: &Game, line: String, seat: Seat, moves: u64) {
        if moves == 0 || game.over().is_some() {
            return;
        }
        let own = game.seat() == seat;
        let best = own.then(|| self.best(game, &line));
        for played in legal_moves(&ABAPA, game.board()).iter() {
            let ply = Ply { seat: game.seat(), house: played.house };
            if best.is_none_or(|best| best == ply) {
                let mut next = game.clone();
                next.make(&played);
                self.follow(&next, format!("{line}{ply}"), seat, moves - u64::from(own));
            }
        }
    }

    /// Returns the best move, and prints it if the position is new.
    fn best(&mut self, game: &Game, line: &str) -> Ply {
        if let Some(known) = self.found.get(game.position()) {
            return *known;
        }
        let limits = SearchLimits { depth: 64, time: None, nodes: self.nodes };
        let engine = Engine::new(None, &self.hash, 1);
        let found = engine.think(game, &limits, &AtomicBool::new(false), &mut |_| {});
        let best = found.expect("a move").line[0];
        println!("{} {best}", if line.is_empty() { "-" } else { line });
        self.found.insert(*game.position(), best);
        best
    }
}
