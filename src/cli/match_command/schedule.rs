//! The games of a match, several at a time.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;
use serde::Serialize;

use crate::engine::arena::{Match, MatchGame, Pairs, Sprt, SprtState, TestVerdict};
use crate::engine::driver::{Driver, Launch};
use crate::error::Error;
use crate::pool::locked;
use crate::probe::{Prober, Tables};

use super::recorder::Recorder;
use crate::cli::{interrupt, progress, threads};

/// The games that are to be played, and those that have been.
pub struct Schedule<'a> {
    terms: &'a Match,
    launches: &'a [Launch; 2],
    games: u64,
    /// A test that ends the match early.
    pub sprt: Option<Sprt>,
    /// Tables that end games.
    pub tables: Option<Tables>,
    next: AtomicU64,
    played: Mutex<Played>,
    bar: ProgressBar,
}

/// What has been played, in any order as long as the match goes on.
#[derive(Default)]
pub struct Played {
    /// Games that have been played.
    pub games: Vec<NumberedGame>,
    /// What the test has decided. Games that were still being played then change nothing about it.
    pub decided: Option<SprtState>,
    /// Why the match ended before its last game.
    pub trouble: Option<Error>,
    /// Where the games are written.
    pub recorder: Option<Recorder>,
}

/// A game with its number, from 1 on.
#[derive(Serialize)]
pub struct NumberedGame {
    pub game: u64,
    #[serde(flatten)]
    pub played: MatchGame,
}

impl Played {
    /// Returns the pairs of games with one opening that are complete.
    pub fn pairs(&self) -> Pairs {
        Pairs::of(self.games.iter().map(|game| (game.game, game.played.result)))
    }
}

impl<'a> Schedule<'a> {
    /// Plans `games` games.
    pub fn new(
        terms: &'a Match,
        launches: &'a [Launch; 2],
        games: u64,
        recorder: Option<Recorder>,
    ) -> Schedule<'a> {
        let (next, bar) = (AtomicU64::new(0), progress::count(games, "games"));
        let played = Mutex::new(Played { recorder, ..Played::default() });
        let (sprt, tables) = (None, None);
        Schedule { terms, launches, games, sprt, tables, next, played, bar }
    }

    /// Plays all games, or as many as engines and the user let it. Returns them in order.
    pub fn play(self, concurrency: NonZeroUsize) -> Played {
        let interrupt = interrupt::flag();
        let workers = concurrency.get().min(self.games as usize);
        threads::together(workers, || self.work(&interrupt));
        self.bar.finish_and_clear();
        let mut played = self.played.into_inner().unwrap_or_else(PoisonError::into_inner);
        played.games.sort_by_key(|game| game.game);
        played
    }

    /// Plays games as long as there are any, with two engines of its own.
    fn work(&self, interrupt: &AtomicBool) {
        let mut first = Driver::new(&self.launches[0], interrupt);
        let mut second = Driver::new(&self.launches[1], interrupt);
        let mut prober = self.tables.as_ref().map(|tables| Prober::new(tables, self.terms.rules));
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.games {
                return;
            }
            match self.terms.play(number, [&mut first, &mut second], prober.as_mut()) {
                Ok(game) => self.add(number + 1, game),
                Err(error) => {
                    self.stop();
                    locked(&self.played).trouble.get_or_insert(error);
                }
            }
        }
    }

    /// Adds game `number`, from 1 on.
    fn add(&self, number: u64, game: MatchGame) {
        let mut played = locked(&self.played);
        if let Some(recorder) = &mut played.recorder {
            let [first, second] = self.distinct_names();
            self.bar.suspend(|| recorder.add(number, &game, [&first, &second]));
        }
        played.games.push(NumberedGame { game: number, played: game });
        self.bar.inc(1);
        let state = self.sprt.map(|sprt| sprt.state(played.pairs()));
        if let Some(state) = state.filter(|state| state.verdict != TestVerdict::Open) {
            played.decided.get_or_insert(state);
            self.stop();
        }
    }

    /// Returns names that differ, numbered where the engines call themselves the same.
    fn distinct_names(&self) -> [String; 2] {
        let names = self.launches.each_ref().map(Launch::name);
        if names[0] != names[1] {
            return names;
        }
        [1, 2].map(|number| format!("{} ({number})", names[0]))
    }

    /// Games that are being played are played to their end, and no more are begun.
    fn stop(&self) {
        self.next.store(self.games, Ordering::Relaxed);
    }
}
