//! From rules to scores: layer by layer, fewest seeds first.
//!
//! A capture leads into a lower layer, which is solved; every other move stays. So a layer is
//! solved in three steps, and [`Solver::solve`] reads as they do:
//!
//! 1. [`plan`]: what each half-board's moves do to whole rows of positions;
//! 2. [`captures`]: the best score that each position reaches by capturing, a constant;
//! 3. [`sweep`]: quiet moves, row against row, until nothing changes.
//!
//! [`rows`] holds the arithmetic, [`oracle`] the slow and obvious solver that the fast one equals
//! in every test, [`ports`] what the solver asks of its caller.

pub mod captures;
pub mod oracle;
pub mod plan;
pub mod plane;
pub mod ports;
pub mod rows;
pub mod sweep;

pub use rows::Kernel;

use crate::board::Seeds;
use crate::error::{Error, Result};
use crate::index::Layer;
use crate::rules::{ABAPA_EVEN, Endless, Rules};
use captures::CapturePlane;
use plan::Plans;
use plane::{Plane, Solved};
use ports::{Event, Layers, Observer};
use rows::Changes;
use sweep::Sweeper;

/// Solves the layers of one sheet.
#[derive(Debug)]
pub struct Solver {
    kernel: Kernel,
    plans: Plans,
    changes: Vec<Changes>,
}

impl Solver {
    /// A solver for `rules`.
    ///
    /// # Errors
    /// [`Error::UnsolvedEndless`] where endless play is not halved.
    pub fn new(rules: &'static Rules, kernel: Kernel) -> Result<Solver> {
        match rules.endless {
            Endless::EvenSplit => Ok(Solver { kernel, plans: Plans::new(rules), changes: Vec::new() }),
            Endless::OwnSide => Err(Error::UnsolvedEndless { id: rules.id, instead: ABAPA_EVEN.id }),
        }
    }

    /// Every position of the layer of `seeds` seeds, given all layers below.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if the observer asks for it, and whatever `lower` fails with.
    pub fn solve(&mut self, seeds: Seeds, lower: &dyn Layers, observer: &dyn Observer) -> Result<Solved> {
        observer.notice(Event::Started { seeds });
        let plan = self.plans.layer(seeds);
        let mut captures = CapturePlane::new(&plan);
        for into in seeds.below() {
            if observer.interrupted() {
                return Err(Error::Interrupted);
            }
            captures.enter_layer(&plan, &lower.solved(into)?.low);
            observer.notice(Event::Captures { seeds, into });
        }
        let mut low = Plane::new(plan.layer, 0);
        Sweeper { plan: &plan, captures: &captures, kernel: self.kernel }.settle(
            &mut low,
            &mut self.changes,
            observer,
        )?;
        observer.notice(Event::Settled { seeds });
        Ok(Solved { low, high: None })
    }
}

/// Bytes of memory that solving a layer takes, lower layers not counted.
pub fn memory(rules: &Rules, seeds: Seeds) -> u64 {
    let layer = Layer::of(rules, seeds);
    let largest_block = (0..=seeds.get()).map(|own| layer.block_shape(own)).map(|(r, c)| r as u64 * c as u64).max();
    Plane::memory(layer) + CapturePlane::memory(layer) + largest_block.unwrap_or(0)
}
