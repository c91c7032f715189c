//! The games of a match, several at a time.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use indicatif::ProgressBar;

use oware_db::engine::arena::{Match, MatchGame, MatchScore, Sprt, Verdict};
use oware_db::engine::driver::{Driver, Launch};
use oware_db::error::Result;

use crate::cli::{interrupt, progress};

/// What an engine has told of itself.
#[derive(Clone, Default)]
pub struct Heard {
    /// What it calls itself.
    pub name: Option<String>,
    /// Options that were to be set and that it does not have.
    pub unknown_options: Vec<String>,
}

impl Heard {
    fn of(engine: &Driver) -> Heard {
        let unknown_options = engine.unknown_options().to_vec();
        Heard { name: engine.name().map(str::to_owned), unknown_options }
    }
}

/// The games that are to be played, and those that have been.
pub struct Schedule<'a> {
    terms: &'a Match,
    launches: &'a [Launch; 2],
    games: u64,
    /// A test that ends the match early.
    sprt: Option<Sprt>,
    next: AtomicU64,
    /// Games with their numbers.
    played: Mutex<Vec<(u64, MatchGame)>>,
    bar: ProgressBar,
}

impl<'a> Schedule<'a> {
    /// Plans `games` games, or less if `sprt` has decided before.
    pub fn new(
        terms: &'a Match,
        launches: &'a [Launch; 2],
        games: u64,
        sprt: Option<Sprt>,
    ) -> Schedule<'a> {
        Schedule {
            terms,
            launches,
            games,
            sprt,
            next: AtomicU64::new(0),
            played: Mutex::default(),
            bar: progress::count(games, "games"),
        }
    }

    /// Plays all games. Returns what the engines told of themselves, and the games in order.
    pub fn play(self, concurrency: NonZeroUsize) -> Result<([Heard; 2], Vec<MatchGame>)> {
        let interrupt = interrupt::flag();
        let workers = concurrency.get().min(self.games as usize);
        let results: Vec<Result<[Heard; 2]>> = thread::scope(|scope| {
            let work = || self.work(&interrupt);
            let started: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            let join = |worker: thread::ScopedJoinHandle<'_, Result<[Heard; 2]>>| {
                worker.join().expect("a worker does not panic")
            };
            started.into_iter().map(join).collect()
        });
        self.bar.finish_and_clear();
        let heard = results.into_iter().collect::<Result<Vec<_>>>()?;
        // A worker that came too late for a game has heard nothing.
        let heard =
            heard.into_iter().reduce(|one, other| if one[0].name.is_some() { one } else { other });
        Ok((heard.expect("there is a worker"), self.in_order()))
    }

    fn in_order(self) -> Vec<MatchGame> {
        let mut played = self.played.into_inner().unwrap_or_else(PoisonError::into_inner);
        played.sort_by_key(|(number, _)| *number);
        played.into_iter().map(|(_, game)| game).collect()
    }

    /// Plays games as long as there are any, with two engines of its own.
    fn work(&self, interrupt: &AtomicBool) -> Result<[Heard; 2]> {
        let mut first = Driver::new(&self.launches[0], interrupt);
        let mut second = Driver::new(&self.launches[1], interrupt);
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.games {
                return Ok([first, second].map(|engine| Heard::of(&engine)));
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
        let mut played = self.played.lock().unwrap_or_else(PoisonError::into_inner);
        played.push((number, game));
        self.bar.inc(1);
        let mut score = MatchScore::default();
        played.iter().for_each(|(_, game)| score.add(game.result));
        if self.sprt.is_some_and(|sprt| sprt.state(&score).verdict != Verdict::Open) {
            // Games that are being played are played to their end.
            self.next.store(self.games, Ordering::Relaxed);
        }
    }
}
