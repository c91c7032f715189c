//! Positions reached in play: of games that an engine without tables plays against itself, or
//! against random moves.
//!
//! Two games of four are between engines, in the third South plays at random, in the fourth North.
//! All begin with some random moves, so that no two are alike. A game depends on the seed and its
//! number alone.

use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use crate::engine::search::{Engine, SearchLimits, TranspositionTable};
use crate::error::Result;
use crate::game::{Game, Move, Position, Rules, Seat, Seeds, legal_moves};
use crate::random::Dice;

use super::row::{RowOrigin, Subject};

/// Random moves at the beginning.
pub const OPENING: usize = 6;
/// How many plies the engine looks ahead.
pub const DEPTH: u32 = 3;
/// Games that are played at a time, at most.
const AT_ONCE: u64 = 256;
/// Games that may be played for nothing, where layers are so small that few come within.
const MOST_IN_VAIN: u64 = 1000;

/// Which games are played.
#[derive(Clone, Copy)]
pub struct Games {
    pub rules: &'static Rules,
    /// The largest layer that positions are taken from.
    pub most: Seeds,
    pub seed: u64,
}

impl Games {
    /// Returns the first this many positions, in the order of games, and how many games they took.
    /// There are fewer only if hardly any game comes within the layers.
    pub fn positions(self, count: usize) -> Result<(Vec<Subject>, u64)> {
        first(count, |number| self.play(number))
    }

    /// Returns the positions of a game within the layers.
    fn play(self, number: u64) -> Result<Vec<Subject>> {
        let Games { rules, most, seed } = self;
        let mut dice = Dice::new(Dice::new(seed).number() ^ Dice::new(number).number());
        let hash = TranspositionTable::new(1)?;
        let engine = Engine::new(None, &hash, 1);
        let (by_chance, source) = match number % 4 {
            2 => (Some(Seat::South), RowOrigin::RandomGame),
            3 => (Some(Seat::North), RowOrigin::RandomGame),
            _ => (None, RowOrigin::EngineGame),
        };
        let (mut game, mut plies, mut found) = (Game::new(rules, Position::INITIAL), 0, Vec::new());
        while game.over().is_none() {
            if game.board().seeds() <= most {
                found.push(Subject { board: *game.board(), stores: Some(game.stores()), source });
            }
            let chosen = match plies < OPENING || by_chance == Some(game.seat()) {
                true => dice.greatest(legal_moves(rules, game.board()).iter(), |_| 0),
                false => thought(&engine, &game),
            };
            game.make(&chosen.expect("the game is not over"));
            plies += 1;
        }
        Ok(found)
    }
}

/// Returns the first this many of what games hold, and how many games they took. At first as many are
/// played at a time as there are threads, then twice as many each time, so that few are played in vain.
/// Nothing of what is returned depends on that.
fn first<T: Send>(
    count: usize,
    play: impl Fn(u64) -> Result<Vec<T>> + Sync,
) -> Result<(Vec<T>, u64)> {
    let (mut found, mut games) = (Vec::new(), 0);
    let most = (MOST_IN_VAIN + 4 * count as u64).next_multiple_of(AT_ONCE);
    let mut at_once = rayon::current_num_threads() as u64;
    while found.len() < count && games < most {
        at_once = AT_ONCE.min(at_once);
        let numbers = games..most.min(games + at_once);
        at_once *= 2;
        let played: Vec<Vec<T>> = numbers.into_par_iter().map(&play).collect::<Result<_>>()?;
        for positions in played {
            if found.len() < count {
                found.extend(positions);
                games += 1;
            }
        }
    }
    found.truncate(count);
    Ok((found, games))
}

/// The move that the engine finds.
fn thought(engine: &Engine, game: &Game) -> Option<Move> {
    let limits = SearchLimits { depth: DEPTH, time: None, nodes: u64::MAX };
    let found = engine.think(game, &limits, &AtomicBool::new(false), &mut |_| {})?;
    game.find(found.line.first()?.house)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn few_games_are_played_for_few_rows_and_threads_do_not_matter() {
        for threads in [1, 2, 7] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let first = |count, rows| {
                let played = AtomicU64::new(0);
                let play = |number| {
                    played.fetch_add(1, Ordering::Relaxed);
                    Ok(vec![number; rows])
                };
                let (found, games) = pool.install(|| first(count, play)).unwrap();
                (found, games, played.into_inner())
            };
            let (found, games, played) = first(35, 10);
            assert!(found.into_iter().eq((0..35).map(|row| row / 10)) && games == 4);
            assert!((4..=7).contains(&played), "{played} on {threads} threads");
            assert_eq!(first(40, 0), (vec![], 1280, 1280));
        }
    }
}
