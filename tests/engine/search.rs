//! The search against minimax, and the engine's play against whatever there is.

use std::sync::atomic::AtomicBool;

use oware_db::engine::search::{
    DEEPEST, Endgames, Engine, Network, SearchLimits, SearchResult, TranspositionTable,
};
use oware_db::game::{Board, Game, Position, Rules, SHEETS, Seat, Seeds, Stores, legal_moves};
use oware_db::layer::{Layer, Rank};
use oware_db::probe::{Prober, Tables, best_of, of_strategy};
use oware_db::random::Dice;

use super::tables::built;
use oware_db::engine::search::plain;

fn hash() -> TranspositionTable {
    TranspositionTable::new(2).expect("memory")
}

/// Looks so many plies ahead, and no clock.
fn to_depth(depth: u32) -> SearchLimits {
    SearchLimits { depth, time: None, nodes: u64::MAX }
}

fn think(engine: &Engine, game: &Game, depth: u32) -> Option<SearchResult> {
    engine.think(game, &to_depth(depth), &AtomicBool::new(false), &mut |_| {})
}

/// A position of a layer, in the middle of some game or other.
fn drawn(rules: &'static Rules, seeds: usize, dice: &mut Dice) -> Position {
    let layer = Layer::of(rules, Seeds::new(seeds).expect("seeds"));
    let board = layer.position(Rank(dice.below(layer.positions()))).expect("a rank");
    let gone = 48 - seeds as u64;
    let captured = dice.below(gone + 1).clamp(gone.saturating_sub(24), gone.min(24)) as u8;
    let seat = Seat::BOTH[dice.below(2) as usize];
    let stores = Stores { mover: captured, opponent: gone as u8 - captured };
    Position { board, stores: Some(stores), seat }
}

/// Plays at random, so that there is history.
fn stroll(game: &mut Game, plies: u64, dice: &mut Dice) {
    for _ in 0..plies {
        let Some(played) = dice.greatest(legal_moves(game.rules(), game.board()).iter(), |_| 0)
        else {
            return;
        };
        let before = game.clone();
        game.make(&played);
        if game.over().is_some() {
            *game = before;
            return;
        }
    }
}

/// Searches with and without what is remembered, and with help, find what minimax finds.
#[track_caller]
fn equals_minimax(tables: Option<&Tables>, game: &Game, depth: u32, hashes: &[TranspositionTable]) {
    let mut endgames = Endgames::new(tables, game.rules());
    for (threads, hash) in [1, 1, 3].into_iter().zip(hashes) {
        let found = think(&Engine::new(tables, hash, threads).full_width(), game, depth);
        let Some(SearchResult { line, worth, depth, .. }) = found else {
            assert!(legal_moves(game.rules(), game.board()).is_empty());
            continue;
        };
        let (expected, best) = plain::minimax(game, depth, &mut endgames);
        let what = format!(
            "{} {} {:?}, depth {depth}: {best:?}",
            game.rules().id,
            game.position(),
            game.history().since_capture()
        );
        assert_eq!(worth, expected, "{what}");
        assert!(best.contains(&line[0].house), "{what}, not {line:?}");
    }
}

#[test]
fn finds_what_minimax_finds() {
    for rules in SHEETS {
        let mut dice = Dice::new(7);
        // One table remembers all positions, one none for long, one is shared by threads.
        let hashes = [hash(), hash(), hash()];
        for seeds in (1..=48).filter(|&seeds| seeds != 47).chain(2..12) {
            let mut game = Game::new(rules, drawn(rules, seeds, &mut dice));
            let plies = dice.below(20);
            stroll(&mut game, plies, &mut dice);
            equals_minimax(None, &game, 1 + dice.below(6) as u32, &hashes);
            hashes[1].clear();
        }
    }
}

#[test]
fn finds_what_minimax_finds_above_tables() {
    let dir = built(5);
    let tables = Tables::open(dir.path()).expect("a directory");
    for rules in SHEETS {
        let mut dice = Dice::new(8);
        warm(&tables, rules, 5);
        let hashes = [hash(), hash(), hash()];
        for seeds in (6..=16).chain(6..=16) {
            let game = Game::new(rules, drawn(rules, seeds, &mut dice));
            equals_minimax(Some(&tables), &game, 1 + dice.below(6) as u32, &hashes);
        }
    }
}

/// Reads all blocks, so that no leaf is left out because its table would have to be read.
fn warm(tables: &Tables, rules: &'static Rules, most: usize) {
    let mut prober = Prober::new(tables, rules);
    for layer in (0..=most).map(|seeds| Layer::of(rules, Seeds::new(seeds).expect("seeds"))) {
        for rank in 0..layer.positions() {
            prober.interval(&layer.position(Rank(rank)).expect("a rank")).expect("a table");
        }
    }
}

/// Repetition: with few seeds, deep searches and a game's history cycles close all the time. What
/// the last ply of a cycle is worth is in every search to depth 1.
#[test]
fn sees_cycles_that_the_game_has_nearly_closed() {
    let mut closing = 0;
    for rules in SHEETS {
        let mut dice = Dice::new(9);
        for _ in 0..300 {
            let seeds = 2 + dice.below(3) as usize;
            let mut game = Game::new(rules, drawn(rules, seeds, &mut dice));
            stroll(&mut game, 60, &mut dice);
            let moves = legal_moves(rules, game.board());
            closing +=
                moves.iter().filter(|played| game.worth_of_repetition(played).is_some()).count();
            equals_minimax(None, &game, 1 + dice.below(5) as u32, &[hash()]);
        }
    }
    assert!(closing > 300, "{closing}");
}

/// No search promises more than is on the board: neither where all seeds lie in one house, nor where a
/// game goes round whose winner is known, on any sheet, with the network or without.
#[test]
fn estimates_stay_within_what_is_on_the_board() {
    let mut dice = Dice::new(11);
    for rules in SHEETS {
        let heaps = (0..12).map(|house| {
            let mut houses = [0; 12];
            houses[house] = 1 + dice.below(48) as u8;
            Game::new(rules, Board::new(houses).expect("a board").into())
        });
        let mut games: Vec<Game> = heaps.collect();
        for number in 0..90 {
            let board = drawn(rules, 2 + number % 3, &mut dice).board;
            let gone = 48 - board.seeds().get() as u8;
            let mover = [30, 13, 25][number % 3];
            let stores = Stores { mover, opponent: gone - mover };
            let mut game =
                Game::new(rules, Position { board, stores: Some(stores), seat: Seat::South });
            // Beyond the end, where `stroll` would stop.
            for _ in 0..40 {
                let moves = legal_moves(rules, game.board());
                let Some(played) = dice.greatest(moves.iter(), |_| 0) else { break };
                game.make(&played);
            }
            games.push(game);
        }
        for game in games {
            let most = 100 * game.board().seeds().get() as i32;
            for network in [Network::built_in().ok(), None] {
                let hash = hash();
                let engine = Engine::new(None, &hash, 1).with_network(network);
                let Some(found) = think(&engine, &game, 8) else { continue };
                let rest = found.worth.hundredths() - 100 * i32::from(game.ahead().get());
                assert!(rest.abs() <= most, "{}, {}: {rest}", rules.id, game.position());
            }
        }
    }
}

#[test]
fn limits_are_kept() {
    let hash = hash();
    let engine = Engine::new(None, &hash, 2);
    let game = Game::new(SHEETS[0], Position::INITIAL);
    let found = think(&engine, &game, 3).expect("a move");
    assert_eq!((found.depth, found.line.len()), (3, 3));
    let stop = AtomicBool::new(true);
    let at_once = engine.think(&game, &to_depth(DEEPEST), &stop, &mut |_| {}).expect("a move");
    assert!(at_once.depth < 8);
    let started = std::time::Instant::now();
    let limits =
        SearchLimits { time: Some(std::time::Duration::from_millis(50)), ..to_depth(DEEPEST) };
    let timed = engine.think(&game, &limits, &AtomicBool::new(false), &mut |_| {}).expect("a move");
    // Far more than it should take, far less than the whole search would.
    assert!(started.elapsed().as_secs() < 20 && timed.depth > 1);
    let few = engine.think(
        &game,
        &SearchLimits { nodes: 5000, ..to_depth(DEEPEST) },
        &AtomicBool::new(false),
        &mut |_| {},
    );
    let few = few.expect("a move");
    assert!(few.depth > 1 && few.nodes < 6000, "{few:?}");
}

/// Whoever has not followed the strategy may come to a position from which it would close a cycle
/// that pays less than promised. The engine looks at the real history, and plays another move that
/// keeps the promise if there is one.
#[test]
fn history_may_spoil_the_strategy() {
    let dir = built(5);
    let tables = Tables::open(dir.path()).expect("a directory");
    let (mut spoilt, mut saved) = (0, 0);
    for rules in SHEETS {
        let mut dice = Dice::new(10);
        let (mut prober, mut endgames) =
            (Prober::new(&tables, rules), Endgames::new(Some(&tables), rules));
        for _ in 0..4000 {
            let seeds = 2 + dice.below(4) as usize;
            let mut game = Game::new(rules, drawn(rules, seeds, &mut dice));
            stroll(&mut game, 40, &mut dice);
            let moves = prober.moves_in_game(game.history()).expect("tables");
            let (Some(by_table), Some(best)) = (of_strategy(&moves), best_of(&moves)) else {
                continue;
            };
            let low = best.low;
            let advised = endgames.advise(&game).expect("within range").played;
            let worth = |played: &_| game.worth_of_repetition(played);
            if worth(&by_table).is_none_or(|worth| worth >= low) {
                // The strategy is good, or a cycle pays more than it.
                assert!(
                    advised == by_table || worth(&advised) > Some(low),
                    "{} {}",
                    rules.id,
                    game.position()
                );
                continue;
            }
            spoilt += 1;
            saved += u32::from(
                worth(&advised).is_none_or(|worth| worth >= low) && {
                    prober
                        .interval(&advised.next)
                        .expect("a table")
                        .after_capture(advised.captured)
                        .low
                        >= low
                },
            );
            assert!(worth(&advised) >= worth(&by_table) || worth(&advised).is_none());
        }
    }
    assert!(spoilt > 10 && saved > 5, "{spoilt} {saved}");
}

/// One thread, one depth and an empty table: the same search each time.
#[test]
fn one_thread_is_deterministic() {
    let game = Game::new(SHEETS[0], Position::INITIAL);
    let search = || think(&Engine::new(None, &hash(), 1), &game, 7);
    assert_eq!(format!("{:?}", search()), format!("{:?}", search()));
}

/// One thread, so many positions and an empty table: the same search each time, too.
#[test]
fn one_thread_is_deterministic_by_nodes() {
    let game = Game::new(SHEETS[0], Position::INITIAL);
    let limits = SearchLimits { depth: DEEPEST, time: None, nodes: 20_000 };
    let search = || {
        let hash = hash();
        let engine = Engine::new(None, &hash, 1);
        engine.think(&game, &limits, &AtomicBool::new(false), &mut |_| {}).expect("a move")
    };
    let found = search();
    assert_eq!(format!("{:?}", search()), format!("{found:?}"));
    // Looks at the clock, and so at the count, are 256 positions apart.
    assert!((20_000..20_256 + 256).contains(&found.nodes), "{found:?}");
}

/// Threads count the positions that they visit together.
#[test]
fn threads_share_the_nodes_they_may_visit() {
    let game = Game::new(SHEETS[0], Position::INITIAL);
    let limits = SearchLimits { depth: DEEPEST, time: None, nodes: 20_000 };
    for threads in [2, 4] {
        let hash = hash();
        let engine = Engine::new(None, &hash, threads);
        let found = engine.think(&game, &limits, &AtomicBool::new(false), &mut |_| {});
        let nodes = found.expect("a move").nodes;
        assert!((20_000..20_256 + 256 * threads as u64).contains(&nodes), "{nodes}");
    }
}

/// Who plays against the engine.
#[derive(Clone, Copy, Debug)]
enum Opponent {
    Random,
    Greedy,
    ByTable,
    WithoutTables,
}

impl Opponent {
    const ALL: [Opponent; 4] =
        [Opponent::Random, Opponent::Greedy, Opponent::ByTable, Opponent::WithoutTables];
}

/// Plays a game; gives what the engine got more than the tables had promised, which must not be
/// below 0.
fn margin(tables: &Tables, start: Position, opponent: Opponent, dice: &mut Dice) -> i8 {
    let rules = SHEETS[dice.below(SHEETS.len() as u64) as usize];
    let (hash, other) = (hash(), hash());
    let (ours, theirs) = (Engine::new(Some(tables), &hash, 1), Engine::new(None, &other, 1));
    let mut prober = Prober::new(tables, rules);
    let mut game = Game::new(rules, start);
    let us = Seat::BOTH[dice.below(2) as usize];
    let interval = prober.interval(game.board()).expect("a table");
    let promise = if us == game.seat() { interval.low.get() } else { -interval.high.get() };
    loop {
        if let Some((_, score)) = game.over() {
            let got = if us == game.seat() { score.get() } else { -score.get() };
            return got - promise;
        }
        let moves = legal_moves(rules, game.board());
        let played = match opponent {
            _ if us == game.seat() => {
                game.find(think(&ours, &game, 4).expect("a move").line[0].house)
            }
            Opponent::Random => dice.greatest(moves.iter(), |_| 0),
            Opponent::Greedy => dice.greatest(moves.iter(), |played| played.captured),
            Opponent::ByTable => {
                let high = |played: &_| after(&mut prober, played);
                dice.greatest(moves.iter(), high)
            }
            Opponent::WithoutTables => {
                game.find(think(&theirs, &game, 4).expect("a move").line[0].house)
            }
        };
        game.make(&played.expect("a legal move"));
    }
}

fn after(prober: &mut Prober, played: &oware_db::game::Move) -> i8 {
    prober.interval(&played.next).expect("a table").after_capture(played.captured).high.get()
}

/// Games from random positions, against everybody.
fn never_less_than_low(most: usize, games: u64) {
    let dir = built(most);
    let tables = Tables::open(dir.path()).expect("a directory");
    for opponent in Opponent::ALL {
        let (mut more, started) = (0, std::time::Instant::now());
        for number in 0..games {
            let mut dice = Dice::new(number);
            let seeds = 1 + dice.below(most as u64) as usize;
            let layer = Layer::of(SHEETS[0], Seeds::new(seeds).expect("seeds"));
            let board = layer.position(Rank(dice.below(layer.positions()))).expect("a rank");
            // Far from 25 seeds, so that every seed is played for.
            let start = Position::from(board);
            let margin = margin(&tables, start, opponent, &mut dice);
            assert!(margin >= 0, "game {number} against {opponent:?}: {margin} from {start}");
            more += i64::from(margin);
        }
        let mean = more as f64 / games as f64;
        println!(
            "{games} games to {most} seeds against {opponent:?}: never less than promised, {mean:.2} more on average, {:.1} s",
            started.elapsed().as_secs_f64()
        );
    }
}

#[test]
fn collects_what_the_tables_promise() {
    never_less_than_low(7, 120);
}

#[test]
#[ignore = "builds six sheets to 12 seeds and plays 4,000 games"]
fn collects_what_the_tables_promise_to_twelve_seeds() {
    never_less_than_low(12, 1000);
}
