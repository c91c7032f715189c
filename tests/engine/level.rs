//! The five levels: how they err, and how they do not.

use std::sync::atomic::AtomicBool;

use oware_db::engine::level::Level;
use oware_db::engine::search::{
    DEEPEST, Endgames, Engine, SearchLimits, SearchResult, TranspositionTable,
};
use oware_db::game::{ABAPA, Game, House, Move, Position, Seat, legal_moves};
use oware_db::random::Dice;

use oware_db::engine::search::plain;

fn level(number: u8) -> Level {
    Level::new(number).expect("a level")
}

/// Looks at so many positions for a move.
fn limits(nodes: u64) -> SearchLimits {
    SearchLimits { depth: DEEPEST, time: None, nodes }
}

fn think(level: Level, game: &Game, dice: &mut Dice) -> SearchResult {
    let hash = TranspositionTable::new(1).expect("memory");
    let (engine, stop) = (Engine::new(None, &hash, 1), AtomicBool::new(false));
    level.think(engine, game, &limits(3000), &stop, dice, &mut |_| {}).expect("a move")
}

fn chosen(level: Level, game: &Game, dice: &mut Dice) -> Move {
    game.find(think(level, game, dice).line[0].house).expect("a legal move")
}

/// Plays a game from the beginning, each move as `choose` says.
fn game(mut choose: impl FnMut(&Game) -> Move) -> (Game, Vec<House>) {
    let mut game = Game::new(&ABAPA, Position::INITIAL);
    let mut moves = Vec::new();
    while game.over().is_none() {
        let played = choose(&game);
        moves.push(played.house);
        game.make(&played);
    }
    (game, moves)
}

/// Returns whether a seat has won a game that is over.
fn has_won(game: &Game, seat: Seat) -> bool {
    let margin = game.over().expect("the end").1.get();
    if game.seat() == seat { margin > 0 } else { margin < 0 }
}

#[test]
fn there_are_five_levels() {
    assert!(Level::new(0).is_none() && Level::new(6).is_none());
    assert_eq!((Level::LOWEST.number(), Level::BEST.number()), (1, 5));
}

/// The best level is the engine itself: what its limits say, and no luck.
#[test]
fn the_best_level_is_the_engine_itself() {
    let game = Game::new(&ABAPA, Position::INITIAL);
    let hash = TranspositionTable::new(1).expect("memory");
    let engine = Engine::new(None, &hash, 1);
    let alone = engine.think(&game, &limits(3000), &AtomicBool::new(false), &mut |_| {});
    for seed in 0..3 {
        let found = Some(think(Level::BEST, &game, &mut Dice::new(seed)));
        assert_eq!(format!("{found:?}"), format!("{alone:?}"));
    }
}

/// Whoever takes what can be taken and sees nothing else wins now and then, and loses now and then.
#[test]
fn the_lowest_level_is_beaten_by_a_greedy_player_now_and_then() {
    let mut greedy_wins = 0;
    for number in 0..60 {
        let (mut dice, us) = (Dice::new(number), Seat::BOTH[number as usize % 2]);
        let (over, _) = game(|game| match game.seat() == us {
            true => chosen(Level::LOWEST, game, &mut dice),
            false => {
                let moves = legal_moves(&ABAPA, game.board());
                dice.greatest(moves.iter(), |played| played.captured).expect("a move")
            }
        });
        greedy_wins += u32::from(has_won(&over, us.other()));
    }
    assert!((3..=30).contains(&greedy_wins), "a greedy player won {greedy_wins} of 60 games");
}

/// Where a capture of five seeds or more brings four more than any other move, as far as three plies
/// show, and one ply as well, the lower levels take it, whatever they draw. Those above look further,
/// and may know why not to.
#[test]
fn no_level_refuses_a_free_capture_of_many_seeds() {
    let mut endgames = Endgames::new(None, &ABAPA);
    let (mut free, mut dice) = (0, Dice::new(45));
    while free < 60 {
        let mut game = Game::new(&ABAPA, Position::INITIAL);
        for _ in 0..20 + dice.below(20) {
            let moves = legal_moves(&ABAPA, game.board());
            let Some(played) = dice.greatest(moves.iter(), |_| 0) else { break };
            game.make(&played);
        }
        if game.over().is_some() {
            continue;
        }
        let Some(capture) = free_capture(&game, &mut endgames) else { continue };
        free += 1;
        for number in 1..=3 {
            for _ in 0..4 {
                let played = chosen(level(number), &game, &mut dice);
                let at = game.position();
                assert_eq!(played.house, capture.house, "level {number}, {at}");
            }
        }
    }
}

/// Returns the move that takes five seeds or more and brings four more than any other.
fn free_capture(game: &Game, endgames: &mut Endgames) -> Option<Move> {
    let moves = legal_moves(&ABAPA, game.board());
    let mut worths: Vec<(i32, Move)> = Vec::new();
    for played in moves.iter() {
        let mut next = game.clone();
        next.make(&played);
        if next.over().is_some() {
            return None;
        }
        worths.push((-plain::minimax(&next, 2, endgames).0.hundredths(), played));
    }
    worths.sort_by_key(|(worth, _)| -worth);
    let [(best, played), (next, _), ..] = worths[..] else { return None };
    let mut others = moves.iter().filter(|other| other.house != played.house);
    let is_alone = others.all(|other| other.captured + 4 <= played.captured);
    let is_seen = plain::minimax(game, 1, endgames).1 == [played.house];
    (played.captured >= 5 && is_alone && is_seen && best - next >= 400).then_some(played)
}

/// Of two games of a level against itself no two are alike, unless luck is the same.
#[test]
fn the_same_game_is_not_played_twice() {
    for number in 1..Level::BEST.number() {
        let [one, again, other] = [1, 1, 2].map(|seed| {
            let mut dice = Dice::new(seed);
            game(|game| chosen(level(number), game, &mut dice)).1
        });
        assert_eq!(one, again, "level {number}");
        assert_ne!(one, other, "level {number}");
    }
}
