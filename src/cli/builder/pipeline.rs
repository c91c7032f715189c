//! What becomes of a layer that has been solved: its table is encoded while the next layers are
//! solved, and published when all tables below it are there.
//!
//! ```text
//!   solver -- layer --> encoding -- complete file --> publisher -- table -->
//!             waits for room                          in the order of layers,
//!             in memory                               waits for the disk
//! ```
//!
//! Several layers are encoded at once, for parts of that work keep one thread busy only. Those that
//! ranks have solved together they encode together, one after the other, on a thread of each.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::Duration;

use oware_db::error::{Error, Result};
use oware_db::layer::Solved;
use oware_db::solver::cluster::{Networks, SpreadLayer, Team};
use oware_db::table::joint::{self, Coder};
use oware_db::table::{Contents, WriteOptions, write_unless};

use super::coders::{Backlog, Coders};
use super::publisher::{Encoded, Publisher};
use super::report::LayerFields;
use super::wanted::Wanted;

/// Which tables are written where, and how.
#[derive(Clone)]
pub struct Output {
    pub dir: PathBuf,
    pub wanted: Wanted,
    pub options: WriteOptions,
}

/// Layers on their way to the disk. Whether or not it is finished, the layers that it has got come
/// to have tables: the scope of its publisher ends when they do.
pub struct Pipeline<'scope> {
    output: Output,
    coders: Arc<Coders>,
    /// Where ranks encode together, if there are several.
    joint: Option<Coder<'scope>>,
    /// Whether ranks have failed to encode a layer: they do not wait for each other any more.
    failed: Arc<AtomicBool>,
    /// What layers that are being encoded hold in addition to their scores.
    pub backlog: Arc<Backlog>,
    encoded: Sender<Encoded>,
    publisher: ScopedJoinHandle<'scope, Result<Vec<LayerFields>>>,
}

impl<'scope> Pipeline<'scope> {
    /// Starts the threads that encode, and the one that publishes.
    ///
    /// # Errors
    /// [`Error::Io`] if the system allows no more threads.
    pub fn start(
        scope: &'scope Scope<'scope, '_>,
        output: Output,
        publisher: Publisher<'scope>,
        networks: Option<Networks<'scope>>,
    ) -> Result<Pipeline<'scope>> {
        let (encoded, receiver) = channel();
        let publisher = Builder::new().spawn_scoped(scope, move || publisher.run(&receiver));
        let publisher = publisher.map_err(Error::io("starting", "a thread"))?;
        let joint = networks.map(|networks| Coder::start(scope, networks));
        let (coders, backlog, failed) = (Arc::new(Coders::new()), Arc::default(), Arc::default());
        Ok(Pipeline { output, coders, joint, failed, backlog, encoded, publisher })
    }

    /// Takes a layer that took some time to solve, and returns its scores for the layers above.
    pub fn push(&self, mut solved: Solved, taken: Duration) -> Arc<Solved> {
        let (layer, output) = (solved.layer(), self.output.clone());
        let share = self.backlog.share(output.wanted.encoding(layer.seeds()));
        let (exceptions, attained) = (solved.exceptions.take(), solved.attained.take());
        let scores = Arc::new(solved);
        let solved = scores.clone();
        let fields = LayerFields::built(layer.seeds().get(), layer.positions(), taken);
        let sender = self.encoded.clone();
        self.coders.spawn(move || {
            let contents = Contents {
                solved: &solved,
                exceptions: exceptions.as_ref(),
                attained: attained.as_ref(),
            };
            let Output { dir, wanted, options } = &output;
            let encoded = write_unless(dir, wanted.rules, contents, *options, &|| false);
            // There is room once all that the layer held is gone, which the share comes after.
            drop((solved, exceptions, attained, share));
            // A publisher that is gone has panicked, which comes out at the end.
            let _ = sender.send((fields, encoded));
        });
        scores
    }

    /// Takes this rank's part of a layer that all ranks hand over.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if a layer has failed to be encoded; [`Pipeline::finish`] says why.
    ///
    /// # Panics
    /// If there are no other ranks.
    pub fn push_spread(&self, layer: Arc<SpreadLayer>, taken: Duration) -> Result<()> {
        let (output, coders, seeds) =
            (self.output.clone(), self.coders.clone(), layer.layer().seeds());
        let share = self.backlog.share(output.wanted.encoding(seeds));
        let fields = LayerFields::built(seeds.get(), layer.layer().positions(), taken);
        let sender = self.encoded.clone();
        let joint = self.joint.as_ref().expect("ranks that hand over a layer encode it");
        let failed = self.failed.clone();
        joint.run(move |network| {
            let Output { dir, wanted, options } = &output;
            let encode = || {
                let team = &Team::new(network);
                joint::write_unpublished(dir, wanted.rules, team, &layer, *options)
            };
            let encoded = match failed.load(Ordering::Relaxed) {
                false => coders.install(encode),
                true => Err(Error::Interrupted),
            };
            drop((layer, share));
            failed.store(encoded.is_err(), Ordering::Relaxed);
            let _ = sender.send((fields, encoded));
        });
        if self.failed.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Waits until every layer has its table, and returns their figures.
    ///
    /// # Errors
    /// What kept the first from being written that has none. Then those above have none either.
    pub fn finish(self) -> Result<Vec<LayerFields>> {
        drop((self.encoded, self.joint));
        self.publisher.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
