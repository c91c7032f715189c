//! The games of a match, several at a time.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use indicatif::ProgressBar;

use oware_db::engine::arena::{Match, MatchGame};
use oware_db::engine::driver::{Driver, Launch};
use oware_db::error::Result;

use crate::cli::{interrupt, progress};

/// What two engines call themselves, if they do.
pub type Names = [Option<String>; 2];

/// The games that are to be played, and those that have been.
pub struct Schedule<'a> {
    terms: &'a Match,
    launches: &'a [Launch; 2],
    games: u64,
    next: AtomicU64,
    /// Games with their numbers.
    played: Mutex<Vec<(u64, MatchGame)>>,
    bar: ProgressBar,
}

impl<'a> Schedule<'a> {
    /// Plans `games` games.
    pub fn new(terms: &'a Match, launches: &'a [Launch; 2], games: u64) -> Schedule<'a> {
        Schedule {
            terms,
            launches,
            games,
            next: AtomicU64::new(0),
            played: Mutex::default(),
            bar: progress::count(games, "games"),
        }
    }

    /// Plays all games. Returns what the engines call themselves, and the games in order.
    pub fn play(self, concurrency: NonZeroUsize) -> Result<(Names, Vec<MatchGame>)> {
        let interrupt = interrupt::flag();
        let workers = concurrency.get().min(self.games as usize);
        let results: Vec<Result<Names>> = thread::scope(|scope| {
            let work = || self.work(&interrupt);
            let started: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            let join = |worker: thread::ScopedJoinHandle<'_, Result<Names>>| {
                worker.join().expect("a worker does not panic")
            };
            started.into_iter().map(join).collect()
        });
        self.bar.finish_and_clear();
        let names = results.into_iter().collect::<Result<Vec<_>>>()?;
        let names = names.into_iter().next().expect("there is a worker");
        Ok((names, self.in_order()))
    }

    fn in_order(self) -> Vec<MatchGame> {
        let mut played = self.played.into_inner().unwrap_or_else(PoisonError::into_inner);
        played.sort_by_key(|(number, _)| *number);
        played.into_iter().map(|(_, game)| game).collect()
    }

    /// Plays games as long as there are any, with two engines of its own.
    fn work(&self, interrupt: &AtomicBool) -> Result<Names> {
        let mut first = Driver::new(&self.launches[0], interrupt);
        let mut second = Driver::new(&self.launches[1], interrupt);
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.games {
                return Ok([first, second].map(|engine| engine.name().map(str::to_owned)));
            }
            match self.terms.play(number, [&mut first, &mut second]) {
                Ok(game) => self.add(number, game),
                Err(error) => {
                    // The other workers need not go on.
                    self.next.store(self.games, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
    }

    fn add(&self, number: u64, game: MatchGame) {
        self.played.lock().unwrap_or_else(PoisonError::into_inner).push((number, game));
        self.bar.inc(1);
    }
}
