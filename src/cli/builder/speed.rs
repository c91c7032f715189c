//! How fast this machine builds.
//!
//! A build of some seconds is forecast at a speed that is assumed. For a longer one, small layers
//! are solved beforehand, and the last of them is solved, encoded and written against the clock:
//! part of a second that tells minutes from hours. Knots are left alone: they take as long as they
//! take, however many positions there are. A build does these side by side, which is faster;
//! layers of more seeds take more sweeps, which is slower, and which no small layer shows. What
//! other programs do meanwhile is in the forecast as far as they are at it already.

use std::fmt;
use std::thread;
use std::time::Instant;

use oware_db::game::Seeds;
use oware_db::solver::settle::Limits;
use oware_db::solver::{InMemory, Kernel, Solver, Unobserved};
use oware_db::table::{Contents, WriteOptions, write_unless};

use super::means::available_memory;
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// It was not measured.
    Assumed(f64),
    /// On this machine, a moment ago.
    Measured(f64),
    /// The same, for more threads than this machine has processors.
    Scaled {
        /// What was measured.
        here: f64,
        /// On this many threads.
        processors: usize,
        /// Those that it is taken for.
        threads: usize,
    },
}

/// Of the time of threads beyond this machine's, the part in which they are taken to be at work, not
/// waiting for each other.
const BUSY: f64 = 0.85;

impl Speed {
    /// A slow machine.
    pub const ASSUMED: Speed = Speed::Assumed(10.0e6);

    /// Returns the speed for a build of this many positions with a ceiling on memory.
    pub fn of(wanted: Wanted, positions: u64, memory: u64) -> Speed {
        if positions < LONG || memory < MEMORY {
            return Speed::ASSUMED;
        }
        measure(wanted).map_or(Speed::ASSUMED, Speed::Measured)
    }

    /// Returns the speed for a machine with this many threads, which may be more than this one has
    /// processors: it is measured here.
    pub fn elsewhere(wanted: Wanted, threads: usize) -> Speed {
        if available_memory() < MEMORY {
            return Speed::ASSUMED;
        }
        let processors = thread::available_parallelism().map_or(1, usize::from).min(threads);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(processors).build().ok();
        match pool.and_then(|pool| pool.install(|| measure(wanted))) {
            Some(here) if threads > processors => Speed::Scaled { here, processors, threads },
            Some(here) => Speed::Measured(here),
            None => Speed::ASSUMED,
        }
    }

    /// Returns the positions that are built in a second.
    fn positions_a_second(self) -> f64 {
        match self {
            Speed::Assumed(speed) | Speed::Measured(speed) => speed,
            Speed::Scaled { here, processors, threads } => {
                here * (1.0 + BUSY * (threads - processors) as f64 / processors as f64)
            }
        }
    }

    /// Returns the seconds for this many positions.
    pub fn seconds(self, positions: u64) -> f64 {
        positions as f64 / self.positions_a_second()
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Speed::Assumed(speed) => {
                write!(f, "assuming {:.0} million positions a second", speed / 1e6)
            }
            Speed::Measured(speed) => {
                write!(f, "at {:.0} million positions a second, measured just now", speed / 1e6)
            }
            Speed::Scaled { here, processors, threads } => {
                let speed = self.positions_a_second() / 1e6;
                write!(
                    f,
                    "at {speed:.0} million positions a second on {threads} threads, taken from "
                )?;
                write!(f, "{:.0} million measured just now on {processors}", here / 1e6)
            }
        }
    }
}

/// Returns the positions that are solved in a second.
fn measure(wanted: Wanted) -> Option<f64> {
    let solver = Solver::new(wanted.rules, Kernel::best()).with_limits(NO_KNOTS);
    let mut solver = if wanted.strategies { solver } else { solver.without_strategies() };
    let mut layers = InMemory::default();
    for seeds in TIMED.up_to().filter(|&seeds| seeds != TIMED) {
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
    use oware_db::game::AWARI;

    #[test]
    fn only_long_builds_are_measured_and_only_with_memory_for_it() {
        let wanted = Wanted { rules: &AWARI, strategies: true, game: None, ranks: None };
        assert_eq!(Speed::of(wanted, LONG - 1, u64::MAX), Speed::ASSUMED);
        assert_eq!(Speed::of(wanted, u64::MAX, MEMORY - 1), Speed::ASSUMED);
        let Speed::Measured(speed) = Speed::of(wanted, LONG, u64::MAX) else {
            panic!("not measured")
        };
        assert!(speed > 1000.0 && Speed::Measured(speed).seconds(2 * speed as u64) > 1.9);
    }

    #[test]
    fn more_threads_than_there_are_build_faster_but_not_as_much() {
        let wanted = Wanted { rules: &AWARI, strategies: false, game: None, ranks: None };
        let here = thread::available_parallelism().unwrap().get();
        assert!(matches!(Speed::elsewhere(wanted, 1), Speed::Measured(_)));
        let many = Speed::elsewhere(wanted, 16 * here);
        let Speed::Scaled { here: measured, processors, threads } = many else { panic!("{many}") };
        assert_eq!((processors, threads), (here, 16 * here));
        let gain = many.positions_a_second() / measured;
        assert!((13.0..16.0).contains(&gain), "{gain}");
        assert!(many.to_string().contains("threads, taken from"), "{many}");
    }
}
