//! What the solver asks of the world. It knows no table and no checkpoint file, prints nothing and
//! goes by no clock: a caller that drives it implements these traits. Files that stand for memory
//! are an arena's affair (`layer::spill`).

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::game::board::Seeds;
use crate::layer::index::Layer;
use crate::layer::plane::Plane;
use crate::layer::solved::Solved;
use crate::solver::checkpoint::{Checkpoint, ReadPlane, ShownPlane};

/// Where the solver finds the layers that are solved already.
pub trait Layers {
    /// A layer that was solved before. The solver asks for one at a time and lets go of it.
    fn solved(&self, seeds: Seeds) -> Result<Arc<Solved>>;

    /// The same, if it is wanted only for the values of captures: block by block where it is not in
    /// memory.
    fn lower(&self, seeds: Seeds) -> Result<Lower> {
        self.solved(seeds).map(Lower::Whole)
    }
}

/// A solved layer as captures look at it.
#[derive(Clone)]
pub enum Lower {
    /// In memory.
    Whole(Arc<Solved>),
    /// Somewhere else.
    Streamed(Arc<dyn Streamed>),
}

/// One of the two numbers of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// What the mover secures.
    Low,
    /// What the mover cannot exceed.
    High,
}

impl Bound {
    /// The plane of a solved layer that holds it.
    pub(super) fn of(self, solved: &Solved) -> &Plane {
        match self {
            Bound::Low => &solved.low,
            Bound::High => solved.high(),
        }
    }
}

/// A solved layer that is read block by block.
pub trait Streamed: Send + Sync {
    /// The layer.
    fn layer(&self) -> Layer;

    /// Whether both bounds are the same everywhere.
    fn is_exact(&self) -> bool;

    /// Reads the blocks that an excerpt has room for.
    ///
    /// # Errors
    /// Whatever the place where they are fails with.
    fn read(&self, bound: Bound, excerpt: &mut Plane) -> Result<()>;
}

impl Lower {
    /// The layer.
    pub fn layer(&self) -> Layer {
        match self {
            Lower::Whole(solved) => solved.layer(),
            Lower::Streamed(layer) => layer.layer(),
        }
    }

    /// Whether both bounds are the same everywhere.
    pub fn is_exact(&self) -> bool {
        match self {
            Lower::Whole(solved) => solved.high.is_none(),
            Lower::Streamed(layer) => layer.is_exact(),
        }
    }
}

/// A step of a solve that an observer is notified of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// Work on a layer begins.
    Started {
        /// The layer.
        seeds: Seeds,
    },
    /// The captures into one lower layer have been entered.
    Captures {
        /// The layer being solved.
        seeds: Seeds,
        /// The lower layer.
        into: Seeds,
    },
    /// A sweep over the layer has ended.
    Swept {
        /// The layer.
        seeds: Seeds,
        /// Sweeps of this layer so far, those before a checkpoint included.
        sweep: usize,
        /// Scores that changed in it; 0 in the last.
        changed: u64,
    },
    /// A core has been computed that players can keep for ever, see
    /// `solver::fixpoint::repetition`.
    Core {
        /// The layer.
        seeds: Seeds,
        /// Whether it proves more than was proved before; if not, the layer is solved.
        proves_more: bool,
    },
    /// The layer is solved.
    Settled {
        /// The layer.
        seeds: Seeds,
    },
}

/// A caller that is notified how a solve gets on, who may end it, and who may keep what is needed
/// to go on with it another time.
pub trait Observer: Sync {
    /// Called from the solving thread after each step.
    fn notice(&self, event: Event) {
        let _ = event;
    }

    /// Asked between steps; `true` ends the solve with [`crate::error::Error::Interrupted`].
    fn interrupted(&self) -> bool {
        false
    }

    /// An error if the solver is to stop.
    ///
    /// # Errors
    /// [`Error::Interrupted`] then.
    fn go_on(&self) -> Result<()> {
        if self.interrupted() { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Asked before a checkpoint is offered of a layer that is scattered over several machines; if not
    /// wanted, it is not offered.
    fn wants_checkpoint(&self, layer: Layer) -> bool {
        let _ = layer;
        true
    }

    /// Shown after each sweep from which a solve can go on, before it is asked about interruption.
    /// While claims are closed, which changes no score, the last one is shown again now and then.
    fn offer(&self, checkpoint: &Checkpoint<&dyn ShownPlane>) {
        let _ = checkpoint;
    }

    /// Asked when work on a layer begins: a checkpoint that was offered by a solver like this one,
    /// for the same layer of the same sheet. Any other makes wrong tables. Its planes are given to
    /// `read`, in order; if then there turns out to be none, what was read is forgotten.
    fn resume(&self, seeds: Seeds, read: &mut ReadPlane) -> Option<Checkpoint<()>> {
        let _ = (seeds, read);
        None
    }
}

/// An observer that ignores everything: it never ends a solve and keeps nothing.
pub struct Unobserved;

impl Observer for Unobserved {
    fn wants_checkpoint(&self, _: Layer) -> bool {
        false
    }
}

/// Layers kept in memory, all from 0 on.
#[derive(Clone, Debug, Default)]
pub struct InMemory {
    layers: Vec<Arc<Solved>>,
}

impl InMemory {
    /// Takes the next layer; they come in order.
    pub fn push(&mut self, solved: Solved) {
        assert_eq!(solved.layer().seeds().get(), self.layers.len(), "layers come in order");
        self.layers.push(Arc::new(solved));
    }

    /// The layers of no more than this many seeds, which are not copied.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn up_to(&self, most: Seeds) -> InMemory {
        InMemory { layers: self.layers[..=most.get()].to_vec() }
    }

    /// The layers so far.
    pub fn layers(&self) -> &[Arc<Solved>] {
        &self.layers
    }
}

impl Layers for InMemory {
    fn solved(&self, seeds: Seeds) -> Result<Arc<Solved>> {
        Ok(self.layers[seeds.get()].clone())
    }
}
