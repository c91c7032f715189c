//! From rules to scores: layer by layer, fewest seeds first.
//!
//! A capture leads into a lower layer, which is solved; every other move stays. So a layer is
//! solved in three steps, and [`Solver::solve`] reads as they do:
//!
//! 1. [`plan`]: what each half-board's moves do to whole rows of positions;
//! 2. [`captures`]: the best score that each position reaches by capturing, a constant, in memory
//!    or on disk ([`strips`]);
//! 3. [`fixpoint`]: quiet moves, until nothing changes. What endless play is worth decides which
//!    fixpoint that is: [`fixpoint::even_split`], [`fixpoint::repetition`] or
//!    [`fixpoint::drawn`]. It is reached by
//!    dense sweeps in an order that gets far ([`sweep`]), and then by a work list ([`tail`]).
//!
//! [`kernel`] holds the arithmetic, [`oracle`] the slow and obvious solver that the fast one equals
//! in every test, [`Observer`] what the solver asks of its caller.

#[doc(hidden)]
pub mod captures;
#[doc(hidden)]
pub mod cluster;
#[doc(hidden)]
pub mod exact;
pub mod exceptions;
#[doc(hidden)]
pub mod fixpoint;
pub mod general;
#[doc(hidden)]
pub mod kernel;
#[doc(hidden)]
pub mod knots;
#[doc(hidden)]
pub mod lower;
pub(crate) mod observer;
#[doc(hidden)]
pub mod oracle;
#[doc(hidden)]
pub mod plan;
#[doc(hidden)]
pub mod settle;
#[doc(hidden)]
pub mod strips;
#[doc(hidden)]
pub mod sweep;
#[doc(hidden)]
pub mod tail;
#[doc(hidden)]
pub mod windows;

pub use kernel::Kernel;
pub use observer::{
    Bound, Checkpoint, Event, InMemory, Layers, Lower, Observer, Scratch, ScratchFile, Streamed,
    Unobserved,
};

use std::sync::Arc;

use crate::error::Result;
use crate::game::board::Seeds;
use crate::game::rules::{Endless, Rules};
use crate::layer::arena::Arena;
use crate::layer::exceptions::Exceptions;
use crate::layer::index::Layer;
use crate::layer::knots::Settlement;
use crate::layer::plane::Plane;
use crate::layer::solved::Solved;
use captures::CapturePlane;
use fixpoint::repetition::CaptureBounds;
use fixpoint::{Settling, drawn, even_split, repetition};
use lower::Entering;
use plan::Plans;
use settle::{LIMITS, Limits};
use strips::Captures;

/// Solves the layers of one sheet.
pub struct Solver {
    kernel: Kernel,
    plans: Plans,
    arena: Arena,
    tail: Option<u64>,
    window: Option<u64>,
    scratch: Option<Arc<dyn Scratch>>,
    strategies: bool,
    limits: Limits,
}

impl Solver {
    /// A solver for `rules` that keeps strategies.
    pub fn new(rules: &'static Rules, kernel: Kernel) -> Solver {
        let (plans, arena) = (Plans::new(rules), Arena::default());
        let (tail, window, scratch) = (None, None, None);
        Solver { kernel, plans, arena, tail, window, scratch, strategies: true, limits: LIMITS }
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

    /// Returns a solver that looks at no more than so many bytes of a lower layer at a time, or at
    /// a single block, if that is read from elsewhere. Nothing but time depends on it.
    pub fn with_window(self, window: u64) -> Solver {
        Solver { window: Some(window), ..self }
    }

    /// Sets where captures are kept while a layer is swept: there, or in memory. Nothing but time
    /// and memory depends on it.
    pub fn keep_captures(&mut self, scratch: Option<Arc<dyn Scratch>>) {
        self.scratch = scratch;
    }

    /// Bytes of a lower layer to look at at a time: what will be there later, scores, or if there
    /// is less room, the larger block of a pair.
    fn window(&self, seeds: Seeds) -> u64 {
        let rules = self.plans.rules();
        let later = match self.scratch {
            None => Plane::memory(Layer::of(rules, seeds)),
            Some(_) => sweep::late_memory(seeds),
        };
        self.window.unwrap_or(planes(rules) * later)
    }

    /// Returns a solver that searches knots within other limits. What it leaves open keeps its
    /// bounds.
    pub fn with_limits(self, limits: Limits) -> Solver {
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
        let solved = self.solve_here(seeds, lower, observer)?;
        observer.notice(Event::Settled { seeds });
        Ok(solved)
    }

    fn solve_here(
        &mut self,
        seeds: Seeds,
        lower: &dyn Layers,
        observer: &dyn Observer,
    ) -> Result<Solved> {
        let (window, scratch) = (self.window(seeds), self.scratch.clone());
        let scratch = scratch.as_deref();
        if scratch.is_some() {
            // What captures take must be free again before there are scores.
            self.arena = Arena::default();
        }
        let (plan, arena, kernel) = (&self.plans.layer(seeds), &self.arena, self.kernel);
        let threads = rayon::current_num_threads();
        let passing = Arena::passing();
        let constants = if scratch.is_some() { &passing } else { arena };
        let entering = Entering { plan, arena: constants, lower, observer, window };
        let mut settling = Settling {
            plan,
            kernel,
            observer,
            arena,
            tail: self.tail.unwrap_or(fixpoint::TAIL),
            threads,
            clock: 1,
            sweep: 0,
        };
        match plan.rules.endless {
            Endless::EvenSplit => {
                let mut captures = CapturePlane::new(plan, kernel, entering.arena)?;
                entering.enter(&mut [(Bound::Low, &mut captures)])?;
                let captures = Captures::new(captures, scratch)?;
                even_split::solve(&mut settling, &captures, self.strategies)
            }
            Endless::OwnSide(_) => {
                let captures = || capture_bounds(kernel, &entering, scratch);
                let bounds = repetition::solve(&mut settling, captures, self.strategies)?;
                exact::settle(plan.rules, bounds, lower, arena, self.limits)
            }
            Endless::Drawn => {
                let captures = capture_bounds(kernel, &entering, scratch)?;
                drawn::solve(&mut settling, &captures, self.strategies)
            }
        }
    }

    /// Returns where the strategy of a layer that this solver has solved needs something else than
    /// default moves ([`Exceptions`]); `None` if it was solved without a strategy.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is no memory for it.
    pub fn exceptions(&mut self, solved: &Solved) -> Result<Option<Exceptions>> {
        // What captures took must be free again.
        self.arena = Arena::default();
        exceptions::find(&self.plans.layer(solved.layer().seeds()), solved)
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
    ) -> Result<Solved> {
        let seeds = stored.layer().seeds();
        let window = self.window(seeds);
        let (plan, arena, kernel) = (&self.plans.layer(seeds), &self.arena, self.kernel);
        let entering = Entering { plan, arena, lower, observer: &Unobserved, window };
        let raised = |mut plane: Plane, children: Bound| {
            let mut captures = CapturePlane::new(plan, kernel, arena)?;
            entering.enter(&mut [(children, &mut captures)])?;
            captures.raise(plan, &mut plane);
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

/// What captures are worth to both ends of intervals.
fn capture_bounds(
    kernel: Kernel,
    entering: &Entering,
    scratch: Option<&dyn Scratch>,
) -> Result<CaptureBounds> {
    let constants = || CapturePlane::new(entering.plan, kernel, entering.arena);
    let (mut low, mut high) = (constants()?, constants()?);
    entering.enter(&mut [(Bound::High, &mut low), (Bound::Low, &mut high)])?;
    let low = Captures::new(low, scratch)?;
    Ok(CaptureBounds { low, high: Captures::new(high, scratch)? })
}

/// Returns how many numbers a position of this sheet needs: one for a score, two for both ends of
/// an interval.
pub fn planes(rules: &Rules) -> u64 {
    match rules.endless {
        Endless::EvenSplit => 1,
        Endless::OwnSide(_) | Endless::Drawn => 2,
    }
}

/// Where what captures are worth is kept while a layer is swept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// In memory, beside the scores.
    InMemory,
    /// On disk, strip by strip.
    CapturesOnDisk,
}

/// Returns the bytes of memory that solving a layer takes one way or the other, with or without a
/// strategy, lower layers not counted.
pub fn memory(rules: &Rules, seeds: Seeds, strategy: bool, way: Way) -> u64 {
    let layer = Layer::of(rules, seeds);
    let scores = planes(rules) * layer.positions();
    // The larger block of a pair is kept aside until the pair is done. Where no core comes
    // afterwards, that is over when marks are made.
    let (late, tail) = (planes(rules) * sweep::late_memory(seeds), fixpoint::tail_memory(scores));
    let beside = match rules.endless {
        Endless::EvenSplit | Endless::Drawn => (late + tail).max(marks(rules, seeds)),
        Endless::OwnSide(_) => late + tail.max(marks(rules, seeds)),
    };
    let stamps = if strategy { Plane::memory(layer) } else { 0 };
    let bounds = match way {
        Way::InMemory => in_memory(rules, layer) + stamps,
        Way::CapturesOnDisk => {
            let entered = planes(rules) * CapturePlane::memory(layer);
            entered.max(with_strips(rules, layer) + stamps)
        }
    };
    bounds + beside + plans(seeds)
}

/// Returns the bytes of memory that it takes to find the exceptions of a solved layer
/// ([`Solver::exceptions`]), lower layers not counted.
pub fn exceptions_memory(rules: &Rules, seeds: Seeds) -> u64 {
    let layer = Layer::of(rules, seeds);
    let solved = (planes(rules) + 1) * Plane::memory(layer) + marks(rules, seeds);
    solved + exceptions::memory(layer, rules.endless) + plans(seeds)
}

/// Bytes for scores and captures.
fn in_memory(rules: &Rules, layer: Layer) -> u64 {
    let (plane, captures) = (Plane::memory(layer), CapturePlane::memory(layer));
    match rules.endless {
        Endless::EvenSplit => plane + captures,
        Endless::Drawn => 2 * (plane + captures),
        // Either what is proved and what captures are worth, or what is proved and the core, of
        // which one half comes to be beside what captures are worth to it.
        Endless::OwnSide(_) => 2 * plane + (2 * captures).max(2 * plane).max(plane + captures),
    }
}

/// Bytes for scores and strips of captures.
fn with_strips(rules: &Rules, layer: Layer) -> u64 {
    let plane = Plane::memory(layer);
    let strips = sweep::most_strips(rayon::current_num_threads()) as u64
        * planes(rules)
        * Captures::strip_memory(layer);
    match rules.endless {
        Endless::EvenSplit => plane + strips,
        Endless::Drawn => 2 * plane + strips,
        // What is proved, and the core.
        Endless::OwnSide(_) => 4 * plane + strips,
    }
}

/// Returns the bytes of disk that captures take.
pub fn captures_on_disk(rules: &Rules, seeds: Seeds) -> u64 {
    planes(rules) * Captures::disk(Layer::of(rules, seeds))
}

/// Bytes of the plans of a layer for each half-board with as many seeds or fewer, and of what
/// encoding keeps of them.
const PLAN_BYTES: u64 = 200;

/// Returns the bytes of memory that the plans of a layer and all below take.
fn plans(seeds: Seeds) -> u64 {
    let rows = |own| crate::layer::index::rows(own) as u64;
    PLAN_BYTES * (0..=seeds.get()).map(rows).sum::<u64>()
}

/// Returns the bytes of memory that it takes to know where captures attain the bounds of a layer.
pub fn marks(rules: &Rules, seeds: Seeds) -> u64 {
    planes(rules) * Plane::memory(Layer::of(rules, seeds)) / 8
}
