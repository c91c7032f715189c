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

use std::collections::BTreeMap;
use std::iter;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::Duration;

use crate::error::{Error, Result};
use crate::game::Seeds;
use crate::layer::Solved;
use crate::solver::cluster::{Networks, SpreadLayer, Team};
use crate::table::joint::{self, Coder};
use crate::table::{
    Contents, UnpublishedTable, WriteOptions, file_name, publish_all, write_unless,
};

use super::checkpoints;
use super::coders::{Backlog, Coders};
use super::progress::Progress;
use super::report::LayerFields;
use super::wanted::Wanted;

/// What is known of a layer before its table is written, and its file or what went wrong with it.
type Encoded = (LayerFields, Result<UnpublishedTable>);

/// Which tables are written where, and how.
#[derive(Clone)]
pub struct Output {
    pub dir: PathBuf,
    pub wanted: Wanted,
    pub options: WriteOptions,
}

impl Output {
    /// Publishes the tables of these layers, which may come in any order, until no more come, and
    /// returns their figures; together those that have been encoded in the meantime, for each wait
    /// for the disk is long. The first that fails stops the build; the files of those above are
    /// removed.
    fn publish(
        &self,
        encoded: &Receiver<Encoded>,
        layers: &[Seeds],
        progress: &Progress,
    ) -> Result<Vec<LayerFields>> {
        let (mut built, mut waiting) = (Vec::new(), BTreeMap::new());
        let mut order = layers.iter().map(|seeds| seeds.get()).peekable();
        for first in encoded {
            let others = encoded.try_iter();
            let come = iter::once(first).chain(others).map(|come| (come.0.seeds, come));
            waiting.extend(come);
            let next = || waiting.remove(&order.next_if(|next| waiting.contains_key(next))?);
            let mut complete = Ok(());
            let sound = |(fields, file): Encoded| match file {
                Ok(file) => Some((fields, file)),
                Err(error) => {
                    complete = Err(error);
                    None
                }
            };
            let (layers, files): (Vec<_>, Vec<_>) = iter::from_fn(next).map_while(sound).unzip();
            let published = publish_all(files);
            for (fields, table) in layers.into_iter().zip(published.iter().flatten()) {
                let fields = LayerFields { bytes: table.bytes, ..fields };
                // A checkpoint that stays is removed by the next build.
                let name =
                    Seeds::new(fields.seeds).map(|seeds| file_name(self.wanted.rules, seeds));
                let _ = checkpoints::remove(&self.dir, name);
                progress.written(&fields);
                built.push(fields);
            }
            if let Err(error) = published.and(complete) {
                progress.stop();
                encoded.iter().for_each(drop);
                return Err(error);
            }
        }
        assert!(waiting.is_empty(), "the layers below are encoded");
        Ok(built)
    }
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
    /// Starts the threads that encode, and the one that publishes layers in this order.
    ///
    /// # Errors
    /// [`Error::Io`] if the system allows no more threads.
    pub fn start(
        scope: &'scope Scope<'scope, '_>,
        output: Output,
        (layers, progress): (&'scope [Seeds], &'scope Progress),
        networks: Option<Networks<'scope>>,
    ) -> Result<Pipeline<'scope>> {
        let (encoded, receiver) = channel();
        let published = output.clone();
        let publish = move || published.publish(&receiver, layers, progress);
        let publisher = Builder::new().spawn_scoped(scope, publish);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io;
    use std::path::Path;

    use crate::game::AWARI;
    use crate::solver::{InMemory, Kernel, Observer, Solver, Unobserved};

    /// Returns layers whose tables are files under temporary names.
    fn encoded(dir: &Path, count: usize) -> Vec<(LayerFields, UnpublishedTable)> {
        let (mut solver, mut layers) = (Solver::new(&AWARI, Kernel::best()), InMemory::default());
        let encode = |seeds: Seeds| {
            let solved = solver.solve(seeds, &layers, &Unobserved).unwrap();
            let options = WriteOptions::default();
            let file = write_unless(dir, &AWARI, &solved, options, &|| false).unwrap();
            let fields =
                LayerFields::built(seeds.get(), solved.layer().positions(), Duration::ZERO);
            layers.push(solved);
            (fields, file)
        };
        Seeds::new(count - 1).unwrap().up_to().map(encode).collect()
    }

    fn output(dir: &Path) -> Output {
        let wanted = Wanted { rules: &AWARI, strategies: true, game: None, ranks: None };
        Output { dir: dir.to_owned(), wanted, options: WriteOptions::default() }
    }

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn no_table_is_there_before_those_below() {
        let dir = tempfile::tempdir().unwrap();
        let (progress, seeds) = (Progress::start(&[], true), Seeds::new(2).unwrap());
        let order: Vec<Seeds> = seeds.up_to().collect();
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            let (output, order, progress) = (output(dir.path()), &order, &progress);
            let running = scope.spawn(move || output.publish(&receiver, order, progress));
            for (fields, file) in encoded(dir.path(), 3).into_iter().rev() {
                assert!(names(dir.path()).iter().all(|name| name.ends_with(".tmp")));
                sender.send((fields, Ok(file))).unwrap();
                std::thread::sleep(Duration::from_millis(20));
            }
            drop(sender);
            let built = running.join().unwrap().unwrap();
            assert!(built.iter().map(|layer| layer.seeds).eq(0..3));
            assert!(built.iter().all(|layer| layer.bytes > 0));
        });
        assert_eq!(names(dir.path()), [0, 1, 2].map(|seeds| format!("awari-0{seeds}.oware")));
    }

    #[test]
    fn a_layer_that_fails_stops_the_build_and_has_no_table_above() {
        let dir = tempfile::tempdir().unwrap();
        let (progress, seeds) = (Progress::start(&[], true), Seeds::new(3).unwrap());
        let order: Vec<Seeds> = seeds.up_to().collect();
        let (sender, receiver) = channel();
        for (fields, file) in encoded(dir.path(), 4) {
            let full = || Error::io("writing", "a disk")(io::ErrorKind::StorageFull.into());
            let file = if fields.seeds == 2 { Err(full()) } else { Ok(file) };
            sender.send((fields, file)).unwrap();
        }
        drop(sender);
        let failed = output(dir.path()).publish(&receiver, &order, &progress);
        assert!(failed.is_err_and(|error| error.to_string().contains("a disk")));
        assert!(progress.interrupted());
        assert_eq!(names(dir.path()), ["awari-00.oware", "awari-01.oware"]);
    }
}
