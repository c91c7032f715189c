//! The state of a solve in the middle of a layer, as it is kept and comes back.

use std::io;

use crate::layer::index::Layer;
use crate::layer::plane::Plane;

/// The state of a solve after some sweep. A solve that goes on from here ends with the same
/// layer as one that was never interrupted: sweeps only ever follow changes, and one that looks
/// everywhere finds what the next one would have found anyway.
///
/// Planes are shown as [something to be written](ShownPlane), and come back as something to be
/// [read](ReadPlane): no reader needs to have one whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint<P> {
    /// The scores, or what is proved of their lower bounds.
    pub low: P,
    /// What is proved of upper bounds, if they have a plane of their own.
    pub high: Option<P>,
    /// Sweeps so far.
    pub sweep: usize,
}

/// A plane of a checkpoint, wherever it is.
pub trait ShownPlane {
    /// The layer.
    fn layer(&self) -> Layer;

    /// Writes its bytes, for [`Plane::read_from`] of the same program.
    ///
    /// # Errors
    /// Whatever `out` fails with, and the place where the plane is.
    fn write_to(&self, out: &mut dyn io::Write) -> io::Result<()>;
}

impl ShownPlane for Plane {
    fn layer(&self) -> Layer {
        Plane::layer(self)
    }

    fn write_to(&self, mut out: &mut dyn io::Write) -> io::Result<()> {
        Plane::write_to(self, &mut out)
    }
}

/// Takes the next plane of a checkpoint that is read: as many bytes as it has.
pub type ReadPlane<'r> = dyn FnMut(&mut dyn io::Read) -> io::Result<()> + 'r;

impl<P> Checkpoint<P> {
    /// The same with other planes, each made of one of these, in the order in which they are read:
    /// lower bounds, upper ones.
    pub fn map<Q>(self, mut plane: impl FnMut(P) -> Q) -> Checkpoint<Q> {
        let Checkpoint { low, high, sweep } = self;
        Checkpoint { low: plane(low), high: high.map(plane), sweep }
    }

    /// The same with references to its planes.
    pub fn as_ref(&self) -> Checkpoint<&P> {
        let Checkpoint { low, high, sweep } = self;
        Checkpoint { low, high: high.as_ref(), sweep: *sweep }
    }
}
