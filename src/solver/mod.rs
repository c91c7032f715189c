//! From rules to scores: layer by layer, fewest seeds first.
//!
//! A capture leads into a lower layer, which is solved; every other move stays. So a layer is
//! solved in four steps:
//!
//! 1. `plan`: what each half-board's moves do to whole rows of positions;
//! 2. `captures`: the best score that each position reaches by capturing, a constant, in memory
//!    or on disk, as `Storage` says;
//! 3. `fixpoint`: quiet moves, until nothing changes. What endless play is worth decides which
//!    fixpoint that is: `fixpoint::even_split`, `fixpoint::repetition` or
//!    `fixpoint::drawn`. It is reached by
//!    dense sweeps in an order that gets far (`sweep`), and then by a work list (`tail`);
//! 4. `claims`: with the scores fixed, that both players can achieve them, and how. Where the first
//!    repetition ends the game, this is what makes the scores of one plane certain; if it fails, as
//!    in a few layers up to 13 seeds, the layer is solved in two planes.
//!
//! `fixpoint` states these steps once, for a layer that one process holds (`whole`) and for one that
//! several processes hold in parts (`cluster`). Captures are entered (`capture_area`) and rows of a pair of
//! blocks computed (`sweep::rows`) by the same code in both.
//!
//! `kernel` holds the arithmetic, [`Observer`] is what the solver asks of its caller. Tests hold the
//! slow and obvious solver that this one equals (`tests/solver/oracle`).

mod capture_area;
mod captures;
mod catching;
mod checkpoint;
pub(crate) mod claims;
pub(crate) mod cluster;
pub(crate) mod exact;
mod fixpoint;
pub(crate) mod game_graph;
pub mod general;
pub(crate) mod kernel;
pub(crate) mod knots;
mod lower;
pub(crate) mod observer;
pub(crate) mod plan;
pub(crate) mod settle;
mod storage;
mod sweep;
mod tail;
#[path = "../../tests/solver/mod.rs"]
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod unreached;
mod whole;
mod windows;

pub use checkpoint::{Checkpoint, ReadPlane, ShownPlane};
pub use kernel::Kernel;
pub use observer::{Bound, Event, InMemory, Layers, Observer, Unobserved};
pub use storage::Way;
pub(crate) use storage::hangs_on_claims;

pub(crate) use observer::{Lower, Streamed};
pub(crate) use storage::{Storage, disk, marks, reading};
pub use storage::{memory, planes, plenty};

use crate::error::Result;
use crate::game::board::Seeds;
use crate::game::rules::Rules;
use crate::game::score_range::ScoreRange;
use crate::layer::arena::Arena;
use crate::layer::index::Layer;
use crate::layer::knots::Settlement;
use crate::layer::plane::Plane;
use crate::layer::solved::Solved;
use lower::Entering;
use plan::Plans;
use settle::{LIMITS, Limits};
use whole::{Settling, WholeLayer};

/// Solves the layers of one sheet.
pub struct Solver {
    kernel: Kernel,
    plans: Plans,
    arena: Arena,
    tail: Option<u64>,
    window: Option<u64>,
    threads: Option<usize>,
    storage: Storage,
    strategies: bool,
    game: Option<Seeds>,
    limits: Limits,
}

impl Solver {
    /// A solver for `rules` that keeps strategies.
    pub fn new(rules: &'static Rules, kernel: Kernel) -> Solver {
        let (plans, arena) = (Plans::new(rules), Arena::default());
        let (tail, window, threads, storage) = (None, None, None, Storage::Plenty);
        let (strategies, game, limits) = (true, None, LIMITS);
        Solver { kernel, plans, arena, tail, window, threads, storage, strategies, game, limits }
    }

    /// Returns a solver that clamps scores to what decides games of this many seeds, if any
    /// ([`ScoreRange::deciding`]). The sheet must have exact scores ([`ScoreRange::can_clamp`]),
    /// and no layer may have more seeds than the game.
    pub fn for_games_of(self, game: Option<Seeds>) -> Solver {
        Solver { game, ..self }
    }

    /// Returns a solver that keeps scores alone.
    pub fn without_strategies(self) -> Solver {
        Solver { strategies: false, ..self }
    }

    /// Returns a solver that goes from change to change as soon as less than one in `tail`
    /// positions changes in a sweep. Nothing but time depends on it.
    pub fn with_tail(self, tail: u64) -> Solver {
        Solver { tail: Some(tail.max(1)), ..self }
    }

    /// Returns a solver that cuts its work for this many threads, however many do it. Nothing but
    /// time depends on it.
    pub fn with_threads(self, threads: usize) -> Solver {
        Solver { threads: Some(threads.max(1)), ..self }
    }

    /// Returns a solver that looks at no more than this many bytes of a lower layer at a time, or
    /// at a single block, if that is read from elsewhere. Nothing but time depends on it.
    pub fn with_window(self, window: u64) -> Solver {
        Solver { window: Some(window), ..self }
    }

    /// Sets where scores and captures are kept while a layer is solved. Nothing but time and memory
    /// depends on it.
    pub fn keep_in(&mut self, storage: Storage) {
        self.storage = storage;
    }

    /// Bytes of a lower layer to look at at a time: what will be there later, scores, or if there
    /// is less room, the larger block of a pair.
    fn window(&self, layer: Layer) -> u64 {
        let rules = self.plans.rules();
        let later = match self.storage {
            Storage::Plenty => Plane::memory(layer),
            // Captures of both bounds may be entered at the same time.
            Storage::Bounded(Way::InMemory, _) => Plane::memory(layer) / 2,
            Storage::Bounded(..) => sweep::late_memory(layer),
        };
        self.window.unwrap_or(planes(rules) * later)
    }

    /// Returns a solver that searches knots within other limits. What it leaves open keeps its
    /// bounds.
    pub(crate) fn with_limits(self, limits: Limits) -> Solver {
        Solver { limits, ..self }
    }

    /// Every position of the layer of `seeds` seeds, given all layers below. It goes on from a
    /// checkpoint if the observer has one.
    ///
    /// # Errors
    /// [`Interrupted`](crate::error::Error::Interrupted) if the observer asks for it, and whatever
    /// `lower` fails with.
    pub fn solve(
        &mut self,
        seeds: Seeds,
        lower: &dyn Layers,
        observer: &dyn Observer,
    ) -> Result<Solved> {
        observer.notice(Event::Started { seeds });
        let range = ScoreRange::deciding(self.plans.rules(), seeds, self.game);
        let window = self.window(Layer::of(self.plans.rules(), seeds).with_range(range));
        self.arena = self.storage.arena().unwrap_or_else(|| self.arena.clone());
        let plan = &self.plans.layer(seeds).with_range(range);
        let (arena, kernel, storage) = (&self.arena, self.kernel, &self.storage);
        let room = storage.room_for_captures();
        let entering = Entering { plan, kernel, arena, lower, observer, window, room };
        let core = storage.core_arena(plan.rules).unwrap_or_else(|| arena.clone());
        let threads = self.threads.unwrap_or_else(rayon::current_num_threads);
        let settling = Settling { tail: self.tail, sweep: 0, settled: 0 };
        let strategies = self.strategies;
        let mut whole = WholeLayer { entering, storage, core, strategies, threads, settling };
        let solved = fixpoint::solve(&mut whole)?;
        let solved = exact::settle(plan.rules, solved, lower, &whole.core, self.limits, observer)?;
        observer.notice(Event::Settled { seeds });
        Ok(solved)
    }

    /// Every position of a layer of which a table holds the bounds that captures do not attain, of
    /// the others some that are no larger, and what is settled where the bounds differ
    /// ([`crate::table`]).
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn complete(
        &mut self,
        stored: Solved,
        settlement: Option<&Settlement>,
        lower: &dyn Layers,
        observer: &dyn Observer,
    ) -> Result<Solved> {
        let seeds = stored.layer().seeds();
        let window = self.window(stored.layer());
        self.arena = self.storage.arena().unwrap_or_else(|| self.arena.clone());
        let plan = &self.plans.layer(seeds).with_range(stored.layer().range());
        let (arena, kernel) = (&self.arena, self.kernel);
        let room = None;
        let entering = Entering { plan, kernel, arena, lower, observer, window, room };
        let raised = |mut plane: Plane, children: Bound| {
            entering.enter(&[children], |captures| {
                captures.iter().for_each(|captures| captures.raise(plan, &mut plane));
                Ok(())
            })?;
            Ok(plane)
        };
        let low = raised(stored.low, Bound::High)?;
        let high = stored.high.map(|high| raised(high, Bound::Low)).transpose()?;
        let bounds = Solved { low, high, ..stored };
        Ok(match settlement {
            Some(settlement) => bounds.settled_in(arena, settlement.clone())?,
            None => bounds,
        })
    }
}
