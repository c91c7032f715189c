//! What becomes of a layer that has been solved: its table is encoded while the next layers are
//! solved, and published when all tables below it are there.
//!
//! ```text
//!   solver -- layer --> encoding -- complete file --> publisher -- table -->
//!             waits for room                          in the order of layers,
//!             in memory                               waits for the disk
//! ```
//!
//! Several layers are encoded at once, for parts of that work keep one thread busy only.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};

use oware_db::error::Result;
use oware_db::layer::{Attained, Exceptions, Layer, Solved, Strategy};
use oware_db::table::{Contents, UnpublishedTable, WriteOptions, write_unpublished};

use super::backlog::{Backlog, Share};
use super::coders::Coders;
use super::progress::Progress;
use super::publisher::{Announced, Publisher};
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
    coders: Coders,
    backlog: Arc<Backlog>,
    announce: Sender<Announced>,
    publisher: ScopedJoinHandle<'scope, Result<Vec<LayerFields>>>,
}

impl<'scope> Pipeline<'scope> {
    /// Starts the threads that encode, and the one that publishes.
    pub fn start(
        scope: &'scope Scope<'scope, '_>,
        output: Output,
        progress: &'scope Progress,
    ) -> Pipeline<'scope> {
        let (announce, announced) = channel();
        let publisher = Publisher::new(&output.dir, output.wanted.rules, progress);
        let publisher = scope.spawn(move || publisher.run(&announced));
        let (coders, backlog) = (Coders::new(), Arc::default());
        Pipeline { output, coders, backlog, announce, publisher }
    }

    /// Waits until layers that are being encoded hold no more than so many bytes beside their
    /// scores.
    pub fn wait_for_room(&self, bytes: u64) {
        self.backlog.wait_until(bytes);
    }

    /// Takes a layer that took some seconds to solve, and exceptions if they are to be written instead
    /// of stamps, and returns its scores for the layers above.
    pub fn push(
        &self,
        mut solved: Solved,
        exceptions: Option<Exceptions>,
        seconds: f64,
    ) -> Arc<Solved> {
        let (layer, output) = (solved.layer(), self.output.clone());
        let share = self.backlog.share(output.wanted.encoding(layer.seeds()));
        let (strategy, attained) = (solved.strategy.take(), solved.attained.take());
        let strategy = strategy.filter(|_| exceptions.is_none());
        let scores = Arc::new(solved);
        let unwritten =
            Unwritten { scores: scores.clone(), strategy, exceptions, attained, _share: share };
        let fields = LayerFields::built(layer, seconds);
        let (sender, encoded) = channel();
        // A publisher or a receiver that is gone has panicked, which comes out at the end.
        let _ = self.announce.send(Announced { fields, encoded });
        self.coders.spawn(move || {
            let _ = sender.send(output.encode(unwritten));
        });
        scores
    }

    /// Takes the table of a layer that took some seconds to solve and has been encoded already.
    pub fn push_table(&self, layer: Layer, table: UnpublishedTable, seconds: f64) {
        let fields = LayerFields::built(layer, seconds);
        let (sender, encoded) = channel();
        // As above.
        let _ = self.announce.send(Announced { fields, encoded });
        let _ = sender.send(Ok(table));
    }

    /// Waits until every layer has its table, and returns their figures.
    ///
    /// # Errors
    /// What kept the first from being written that has none. Then those above have none either.
    pub fn finish(self) -> Result<Vec<LayerFields>> {
        drop(self.announce);
        self.publisher.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// A layer that waits to be encoded. Dropping it makes room.
struct Unwritten {
    scores: Arc<Solved>,
    strategy: Option<Strategy>,
    exceptions: Option<Exceptions>,
    attained: Option<Attained>,
    /// Comes last: it is given back when the others are gone.
    _share: Share,
}

impl Output {
    fn encode(&self, layer: Unwritten) -> Result<UnpublishedTable> {
        let contents = Contents {
            solved: &layer.scores,
            strategy: layer.strategy.as_ref(),
            exceptions: layer.exceptions.as_ref(),
            attained: layer.attained.as_ref(),
        };
        write_unpublished(&self.dir, self.wanted.rules, contents, self.options)
    }
}
