//! From rules to scores: layer by layer, fewest seeds first.
//!
//! A capture leads into a lower layer, which is solved; every other move stays. So a layer is
//! solved in three steps, and [`Solver::solve`] reads as they do:
//!
//! 1. [`plan`]: what each half-board's moves do to whole rows of positions;
//! 2. [`captures`]: the best score that each position reaches by capturing, a constant;
//! 3. [`sweep`]: quiet moves, row against row, until nothing changes. What endless play is worth
//!    decides which fixpoint that is: [`even_split`] or [`repetition`].
//!
//! [`rows`] holds the arithmetic, [`oracle`] the slow and obvious solver that the fast one equals
//! in every test, [`Observer`] what the solver asks of its caller.

#[doc(hidden)]
pub mod captures;
#[doc(hidden)]
pub mod even_split;
pub mod exact;
#[doc(hidden)]
pub mod knots;
pub(crate) mod observer;
#[doc(hidden)]
pub mod oracle;
#[doc(hidden)]
pub mod plan;
#[doc(hidden)]
pub mod repetition;
#[doc(hidden)]
pub mod rows;
pub mod settle;
#[doc(hidden)]
pub mod sweep;

pub use observer::{Checkpoint, Event, InMemory, Layers, Observer, Unobserved};
pub use rows::Kernel;

use crate::error::{Error, Result};
use crate::game::board::Seeds;
use crate::game::rules::{Endless, Rules};
use crate::layer::index::Layer;
use crate::layer::plane::{Plane, Solved};
use captures::CapturePlane;
use plan::Plans;
use repetition::CaptureBounds;
use rows::Changes;
use sweep::Sweeper;

/// Solves the layers of one sheet.
#[derive(Debug)]
pub struct Solver {
    kernel: Kernel,
    plans: Plans,
    changes: Vec<Changes>,
    strategies: bool,
}

impl Solver {
    /// A solver for `rules` that keeps strategies.
    pub fn new(rules: &'static Rules, kernel: Kernel) -> Solver {
        Solver { kernel, plans: Plans::new(rules), changes: Vec::new(), strategies: true }
    }

    /// The same, but scores are all it keeps.
    pub fn without_strategies(self) -> Solver {
        Solver { strategies: false, ..self }
    }

    /// Every position of the layer of `seeds` seeds, given all layers below. It goes on from a
    /// checkpoint if the observer has one.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if the observer asks for it, and whatever `lower` fails with.
    pub fn solve(
        &mut self,
        seeds: Seeds,
        lower: &dyn Layers,
        observer: &dyn Observer,
    ) -> Result<Solved> {
        observer.notice(Event::Started { seeds });
        let plan = &self.plans.layer(seeds);
        let sweeper = &mut Sweeper::new(plan, self.kernel, observer, &mut self.changes);
        let solved = match plan.rules.endless {
            Endless::EvenSplit => {
                let mut captures = CapturePlane::new(plan);
                each_lower_layer(seeds, lower, observer, |solved| {
                    captures.enter_layer(plan, &solved.low)
                })?;
                even_split::solve(sweeper, &captures, self.strategies)?
            }
            Endless::OwnSide(_) => {
                let captures = || {
                    let constants = CapturePlane::new(plan);
                    let mut captures = CaptureBounds { low: constants.clone(), high: constants };
                    each_lower_layer(seeds, lower, observer, |solved| {
                        captures.low.enter_layer(plan, solved.high());
                        captures.high.enter_layer(plan, &solved.low);
                    })?;
                    Ok(captures)
                };
                repetition::solve(sweeper, captures, self.strategies)?
            }
        };
        observer.notice(Event::Settled { seeds });
        Ok(solved)
    }
}

impl Solver {
    /// Every position of a layer of which a table holds the bounds that captures do not attain, and
    /// of the others some that are no larger ([`crate::table`]).
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn complete(&mut self, stored: Solved, lower: &dyn Layers) -> Result<Solved> {
        let seeds = stored.layer().seeds();
        let plan = &self.plans.layer(seeds);
        let sweeper = &mut Sweeper::new(plan, self.kernel, &Unobserved, &mut self.changes);
        let mut raised = |plane: Plane, children: fn(&Solved) -> &Plane| {
            let mut captures = CapturePlane::new(plan);
            each_lower_layer(seeds, lower, &Unobserved, |solved| {
                captures.enter_layer(plan, children(solved))
            })?;
            sweeper.raise(plane, &captures)
        };
        let low = raised(stored.low, Solved::high)?;
        let high = stored.high.map(|high| raised(high, |solved| &solved.low)).transpose()?;
        Ok(Solved { low, high, ..stored })
    }
}

/// Shows each layer below `seeds` to `enter`, one at a time.
fn each_lower_layer(
    seeds: Seeds,
    lower: &dyn Layers,
    observer: &dyn Observer,
    mut enter: impl FnMut(&Solved),
) -> Result<()> {
    for into in seeds.below() {
        if observer.interrupted() {
            return Err(Error::Interrupted);
        }
        enter(&*lower.solved(into)?);
        observer.notice(Event::Captures { seeds, into });
    }
    Ok(())
}

/// How many numbers a position of this sheet needs: one for a score, two for both ends of an
/// interval.
#[doc(hidden)]
pub fn planes(rules: &Rules) -> u64 {
    match rules.endless {
        Endless::EvenSplit => 1,
        Endless::OwnSide(_) => 2,
    }
}

/// Bytes of memory that solving a layer takes, with or without a strategy, lower layers not counted.
pub fn memory(rules: &Rules, seeds: Seeds, strategy: bool) -> u64 {
    let layer = Layer::of(rules, seeds);
    let largest_block =
        (0..=seeds.get()).map(|own| layer.block_shape(own)).map(|(r, c)| r as u64 * c as u64).max();
    let (plane, captures) = (Plane::memory(layer), CapturePlane::memory(layer));
    let bounds = match rules.endless {
        Endless::EvenSplit => plane + captures,
        // Either what is proved and what captures are worth, or what is proved and the core, of which
        // one half comes to be beside what captures are worth to it.
        Endless::OwnSide(_) => 2 * plane + (2 * captures).max(2 * plane).max(plane + captures),
    };
    let stamps = if strategy { plane } else { 0 };
    // A changed line is noted with its place; plans come to a few dozen bytes for each row.
    let changes = largest_block.unwrap_or(0) * 9 / 8;
    let rows: u64 = (0..=seeds.get()).map(|own| crate::layer::index::rows(own) as u64).sum();
    bounds + stamps + marks(rules, seeds) + changes + 100 * rows
}

/// Bytes of memory that it takes to know where captures attain the bounds of a layer.
#[doc(hidden)]
pub fn marks(rules: &Rules, seeds: Seeds) -> u64 {
    planes(rules) * Plane::memory(Layer::of(rules, seeds)) / 8
}
