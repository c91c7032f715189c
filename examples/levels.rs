//! How strong the five levels are: each plays the one below it, the lowest a greedy player.
//!
//! ```console
//! $ cargo run --release --example levels -- 400 1
//! $ cargo run --release --example levels -- 400 1 tables
//! ```
//!
//! The words are how many games a pair of levels plays, a seed, perhaps a directory of tables for all
//! (`-` for none), and perhaps the levels to look at. Openings are [`PLIES`] random moves, each
//! played with both sides. The same words give the same games: levels look at so many positions, and the
//! best, which has no limit of its own, at [`NODES`]. A greedy player takes what it can at once, and
//! draws among moves that take as much.

use std::sync::atomic::AtomicBool;

use oware_db::engine::MatchScore;
use oware_db::engine::level::Level;
use oware_db::engine::search::{DEEPEST, Engine, SearchLimits, TranspositionTable};
use oware_db::game::{ABAPA, Game, Move, Position, Seat, legal_moves};
use oware_db::probe::Tables;
use oware_db::random::Dice;

/// Random moves at the beginning.
const PLIES: u32 = 8;
/// Positions that the best level looks at for a move.
const NODES: u64 = 5_000;
/// Megabytes in which a search remembers positions.
const HASH: usize = 16;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [games, seed, rest @ ..] = &words[..] else {
        panic!("how many games, a seed, perhaps a directory of tables, perhaps levels")
    };
    let number = |word: &String| word.parse::<u64>().expect("a number");
    let dir = rest.first().filter(|word| *word != "-");
    let tables = dir.map(|dir| Tables::open(dir).expect("a directory of tables"));
    let levels: Vec<u64> = rest.iter().skip(1).map(number).collect();
    for level in (1..=5).filter(|level| levels.is_empty() || levels.contains(level)) {
        let players = [level, level - 1].map(|level| Player::new(level as u8, tables.as_ref()));
        let score = compete(players, number(games), number(seed));
        let elo = score.elo().map(|elo| elo.unwrap_or(f64::NAN));
        let MatchScore { wins, draws, losses } = score;
        println!(
            "level {level} against {}: +{wins} ={draws} -{losses}, {:+.0} Elo ({:+.0} to {:+.0})",
            level - 1,
            elo[0],
            elo[1],
            elo[2]
        );
    }
}

/// A level, or a greedy player.
struct Player<'t> {
    level: Option<Level>,
    tables: Option<&'t Tables>,
    hash: TranspositionTable,
}

impl<'t> Player<'t> {
    /// Makes a player of a level; greedy at level 0.
    fn new(level: u8, tables: Option<&'t Tables>) -> Player<'t> {
        let hash = TranspositionTable::new(HASH).expect("memory");
        Player { level: Level::new(level), tables, hash }
    }

    fn choose(&self, game: &Game, dice: &mut Dice) -> Option<Move> {
        let Some(level) = self.level else {
            let moves = legal_moves(&ABAPA, game.board());
            return dice.greatest(moves.iter(), |played| played.captured);
        };
        let limits = SearchLimits { depth: DEEPEST, time: None, nodes: NODES };
        let engine = Engine::new(self.tables, &self.hash, 1);
        let stop = AtomicBool::new(false);
        let found = level.think(engine, game, &limits, &stop, dice, &mut |_| {})?;
        game.find(found.line[0].house)
    }
}

/// Plays a match; the score is the first player's.
fn compete(players: [Player; 2], games: u64, seed: u64) -> MatchScore {
    let mut score = MatchScore::default();
    for number in 0..games {
        let opening = opening(&mut Dice::new(seed << 32 | (number / 2)));
        let first = Seat::BOTH[number as usize % 2];
        players.iter().for_each(|player| player.hash.clear());
        score.add(play(&players, opening, first, &mut Dice::new(seed << 48 | number)));
    }
    score
}

fn opening(dice: &mut Dice) -> Game {
    let mut game = Game::new(&ABAPA, Position::INITIAL);
    for _ in 0..PLIES {
        let moves = legal_moves(&ABAPA, game.board());
        game.make(&dice.greatest(moves.iter(), |_| 0).expect("a move"));
    }
    game
}

/// Plays a game, and returns what the first player gets: 1, 0.5 or 0.
fn play(players: &[Player; 2], mut game: Game, first: Seat, dice: &mut Dice) -> f64 {
    while game.over().is_none() {
        let player = &players[usize::from(game.seat() != first)];
        let Some(played) = player.choose(&game, dice) else { break };
        game.make(&played);
    }
    let margin = game.over().map_or(game.ahead(), |(_, margin)| margin).get().signum();
    (1.0 + f64::from(if game.seat() == first { margin } else { -margin })) / 2.0
}
