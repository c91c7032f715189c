//! How fast this machine builds.
//!
//! A build of some seconds is forecast at a speed that is assumed. For a longer one, small layers
//! are solved beforehand, and the last of them is solved, encoded and written against the clock:
//! part of a second that tells minutes from hours. Knots are left alone: they take as long as they
//! take, however many positions there are. A build does these side by side, which is faster;
//! layers of more seeds take more sweeps, which is slower, and which no small layer shows. What
//! other programs do meanwhile is in the forecast as far as they are at it already.

use std::time::Instant;

use crate::game::Seeds;
use crate::pool::processors;
use crate::solver::settle::Limits;
use crate::solver::{InMemory, Unobserved};
use crate::table::{Contents, WriteOptions, write_unless};

use super::means::available_memory;
use super::solvers;
use super::wanted::Wanted;

/// The layer that is timed.
const TIMED: Seeds = Seeds::new(13).expect("fewer than 48");
/// Positions of a build that is long enough to measure first.
const LONG: u64 = 1_000_000_000;
/// Bytes of memory that measuring may take.
const MEMORY: u64 = 500_000_000;

/// How far knots are searched while measuring.
const NO_KNOTS: Limits = Limits { open: 0, vertices: 0, effort: 0 };

/// Positions that a build solves and writes in a second.
#[derive(Clone, Debug, PartialEq)]
pub struct Speed {
    a_second: f64,
    /// That number, and where it is from.
    pub words: String,
}

/// Of the time of threads beyond this machine's, the part in which they are taken to be at work, not
/// waiting for each other.
const BUSY: f64 = 0.85;

impl Speed {
    /// Returns that of a slow machine: it was not measured.
    pub fn assumed() -> Speed {
        Speed::of_words(10.0e6, |speed| format!("assuming {speed} a second"))
    }

    /// Returns what was measured on this machine, a moment ago.
    fn measured(speed: f64) -> Speed {
        Speed::of_words(speed, |speed| format!("at {speed} a second, measured just now"))
    }

    /// Returns the same for more threads than this machine has processors.
    fn scaled(here: f64, processors: usize, threads: usize) -> Speed {
        let speed = here * (1.0 + BUSY * (threads - processors) as f64 / processors as f64);
        Speed::of_words(speed, |speed| {
            let here = here / 1e6;
            format!(
                "at {speed} a second on {threads} threads, taken from {here:.0} million measured \
                 just now on {processors}"
            )
        })
    }

    fn of_words(a_second: f64, words: impl FnOnce(&str) -> String) -> Speed {
        Speed { a_second, words: words(&format!("{:.0} million positions", a_second / 1e6)) }
    }

    /// Returns whether a build of this many positions takes long enough to measure first.
    pub fn matters(positions: u64) -> bool {
        positions >= LONG
    }

    /// Returns the speed for a build of this many positions with a ceiling on memory.
    pub fn of(wanted: Wanted, positions: u64, memory: u64) -> Speed {
        if !Speed::matters(positions) || memory < MEMORY {
            return Speed::assumed();
        }
        measure(wanted).map_or_else(Speed::assumed, Speed::measured)
    }

    /// Returns the speed for a machine with this many threads, which may be more than this one has
    /// processors: it is measured here.
    pub fn elsewhere(wanted: Wanted, threads: usize) -> Speed {
        if available_memory() < MEMORY {
            return Speed::assumed();
        }
        let processors = processors().min(threads);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(processors).build().ok();
        match pool.and_then(|pool| pool.install(|| measure(wanted))) {
            Some(here) if threads > processors => Speed::scaled(here, processors, threads),
            Some(here) => Speed::measured(here),
            None => Speed::assumed(),
        }
    }

    /// Returns the seconds for this many positions.
    pub fn seconds(&self, positions: u64) -> f64 {
        positions as f64 / self.a_second
    }
}

/// Returns the positions that are solved in a second.
fn measure(wanted: Wanted) -> Option<f64> {
    let (mut solver, mut layers) =
        (solvers::alone(wanted).with_limits(NO_KNOTS), InMemory::default());
    for seeds in TIMED.below().rev() {
        layers.push(solver.solve(seeds, &layers, &Unobserved).ok()?);
    }
    let dir = tempfile::tempdir().ok()?;
    let start = Instant::now();
    let solved = solver.solve(TIMED, &layers, &Unobserved).ok()?;
    let (contents, options) = (Contents::from(&solved), WriteOptions::default());
    drop(write_unless(dir.path(), wanted.rules, contents, options, &|| false).ok()?);
    Some(solved.layer().positions() as f64 / start.elapsed().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::AWARI;

    #[test]
    fn only_long_builds_are_measured_and_only_with_memory_for_it() {
        let wanted = Wanted { rules: &AWARI, strategies: true, game: None, ranks: None };
        assert_eq!(Speed::of(wanted, LONG - 1, u64::MAX), Speed::assumed());
        assert_eq!(Speed::of(wanted, u64::MAX, MEMORY - 1), Speed::assumed());
        let speed = Speed::of(wanted, LONG, u64::MAX);
        assert!(speed.words.ends_with("a second, measured just now"), "{speed:?}");
        assert!(speed.a_second > 1000.0 && speed.seconds(2 * speed.a_second as u64) > 1.9);
    }

    #[test]
    fn more_threads_than_there_are_build_faster_but_not_as_much() {
        let wanted = Wanted { rules: &AWARI, strategies: false, game: None, ranks: None };
        let here = processors();
        let one = Speed::elsewhere(wanted, 1);
        assert!(one.words.ends_with("a second, measured just now"), "{one:?}");
        let many = Speed::elsewhere(wanted, 16 * here).words;
        assert!(many.contains(&format!("on {} threads, taken from", 16 * here)), "{many}");
        assert!(many.ends_with(&format!("measured just now on {here}")), "{many}");
        let gain = Speed::scaled(1.0, here, 16 * here).a_second;
        assert!((13.0..16.0).contains(&gain), "{gain}");
        assert_eq!(Speed::assumed().words, "assuming 10 million positions a second");
    }
}
