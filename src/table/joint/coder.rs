//! What ranks encode while they solve the next layer.
//!
//! ```text
//!   solver    solve 17 | hand over | solve 18 ................ | hand over | solve 19
//!   coder                 encode 17 ............                  encode 18
//! ```
//!
//! Every rank hands over its part of each layer, in the same order, and has a thread that takes them
//! one by one. So no rank has to announce what is next, and each layer that all have handed over is
//! encoded whatever becomes of their solvers.

use std::sync::mpsc::{Sender, channel};
use std::thread::Scope;

use crate::solver::cluster::{Networks, Transport};

/// A rank's part of what all encode together, to be done over the network that they encode over.
type Work<'s> = Box<dyn FnOnce(&dyn Transport) + Send + 's>;

/// Where a rank encodes together with others.
pub enum Coder<'s> {
    /// On a thread of its own. It ends when its work is done and the coder is dropped.
    Beside(Sender<Work<'s>>),
    /// When a layer is handed over, for there is but one network.
    AtOnce(&'s dyn Transport),
}

impl<'s> Coder<'s> {
    /// Starts what ranks have all of or none.
    pub fn start(scope: &'s Scope<'s, '_>, networks: Networks<'s>) -> Coder<'s> {
        let Some(network) = networks.encoding else { return Coder::AtOnce(networks.solving) };
        let (sender, works) = channel::<Work>();
        scope.spawn(move || works.into_iter().for_each(|work| work(network)));
        Coder::Beside(sender)
    }

    /// Does `work` after all that it was given before.
    pub fn run(&self, work: impl FnOnce(&dyn Transport) + Send + 's) {
        match self {
            // A thread that is gone has panicked, which comes out at the end of its scope.
            Coder::Beside(works) => drop(works.send(Box::new(work))),
            Coder::AtOnce(network) => work(*network),
        }
    }
}
