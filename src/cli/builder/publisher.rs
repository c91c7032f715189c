//! Gives tables their names in the order of layers, on a thread that waits for the disk.

use std::iter;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;

use oware_db::error::Result;
use oware_db::game::{Rules, Seeds};
use oware_db::table::{UnpublishedTable, file_name, publish_all};

use super::checkpoints;
use super::progress::Progress;
use super::report::LayerFields;

/// A layer whose table is being encoded: what is known of it before it is written, and where its
/// file comes from.
pub struct Announced {
    pub fields: LayerFields,
    pub encoded: Receiver<Result<UnpublishedTable>>,
}

/// Makes tables of complete files.
pub struct Publisher<'a> {
    dir: PathBuf,
    rules: &'static Rules,
    progress: &'a Progress,
}

impl<'a> Publisher<'a> {
    /// Creates the publisher of a build.
    pub fn new(dir: &Path, rules: &'static Rules, progress: &'a Progress) -> Publisher<'a> {
        Publisher { dir: dir.to_owned(), rules, progress }
    }

    /// Publishes tables as they come, until no more are announced, and returns their figures. The
    /// first that fails stops the build; the files of those above are removed.
    pub fn run(&self, announced: &Receiver<Announced>) -> Result<Vec<LayerFields>> {
        let mut queue = Queue { announced, next: None };
        let published = self.publish(&mut queue);
        if published.is_err() {
            self.progress.stop();
            while queue.next().is_some() {}
        }
        published
    }

    /// Publishes together what has been encoded in the meantime, for each wait for the disk is
    /// long.
    fn publish(&self, queue: &mut Queue) -> Result<Vec<LayerFields>> {
        let mut built = Vec::new();
        while let Some(first) = queue.next() {
            let others = iter::from_fn(|| queue.next_if_encoded());
            let (layers, files, complete) = until_failure(iter::once(first).chain(others));
            for (fields, table) in layers.into_iter().zip(publish_all(files)?) {
                built.push(self.published(LayerFields { bytes: table.bytes, ..fields }));
            }
            complete?;
        }
        Ok(built)
    }

    /// Cleans up after a layer that has its table, and shows it.
    fn published(&self, fields: LayerFields) -> LayerFields {
        // A checkpoint that stays is removed by the next build.
        let table = Seeds::new(fields.seeds).map(|seeds| file_name(self.rules, seeds));
        let _ = checkpoints::remove(&self.dir, table);
        self.progress.written(&fields);
        fields
    }
}

/// A layer, and its file or what went wrong with it.
type Encoded = (LayerFields, Result<UnpublishedTable>);

/// Takes layers up to the first that failed.
fn until_failure(
    encoded: impl Iterator<Item = Encoded>,
) -> (Vec<LayerFields>, Vec<UnpublishedTable>, Result<()>) {
    let (mut layers, mut files) = (Vec::new(), Vec::new());
    for (fields, file) in encoded {
        match file {
            Ok(file) => files.push(file),
            Err(error) => return (layers, files, Err(error)),
        }
        layers.push(fields);
    }
    (layers, files, Ok(()))
}

/// Announced layers in their order.
struct Queue<'a> {
    announced: &'a Receiver<Announced>,
    /// A layer that was not encoded yet when it was looked at.
    next: Option<Announced>,
}

impl Queue<'_> {
    /// Waits for the next layer to be announced and encoded; `None` after the last.
    fn next(&mut self) -> Option<Encoded> {
        let Announced { fields, encoded } =
            self.next.take().or_else(|| self.announced.recv().ok())?;
        Some((fields, encoded.recv().expect("encoding has an end")))
    }

    /// Returns the next layer if it has been encoded already.
    fn next_if_encoded(&mut self) -> Option<Encoded> {
        if self.next.is_none() {
            self.next = self.announced.try_recv().ok();
        }
        let file = self.next.as_ref()?.encoded.try_recv().ok()?;
        Some((self.next.take()?.fields, file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io;
    use std::sync::mpsc::{Sender, channel};
    use std::time::Duration;

    use oware_db::error::Error;
    use oware_db::game::AWARI;
    use oware_db::solver::{InMemory, Kernel, Observer, Solver, Unobserved};
    use oware_db::table::{WriteOptions, write_unpublished};

    /// Returns layers whose tables are files under temporary names.
    fn encoded(dir: &Path, count: usize) -> Vec<(LayerFields, UnpublishedTable)> {
        let (mut solver, mut layers) = (Solver::new(&AWARI, Kernel::best()), InMemory::default());
        let encode = |seeds: Seeds| {
            let solved = solver.solve(seeds, &layers, &Unobserved).unwrap();
            let file = write_unpublished(dir, &AWARI, &solved, WriteOptions::default()).unwrap();
            let fields =
                LayerFields::built(seeds.get(), solved.layer().positions(), Duration::ZERO);
            layers.push(solved);
            (fields, file)
        };
        Seeds::new(count - 1).unwrap().up_to().map(encode).collect()
    }

    fn announce(
        queue: &Sender<Announced>,
        fields: LayerFields,
    ) -> Sender<Result<UnpublishedTable>> {
        let (sender, encoded) = channel();
        queue.send(Announced { fields, encoded }).unwrap();
        sender
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
        let progress = Progress::start(&[], true);
        let (queue, announced) = channel();
        let layers = encoded(dir.path(), 3);
        std::thread::scope(|scope| {
            let publisher = Publisher::new(dir.path(), &AWARI, &progress);
            let running = scope.spawn(move || publisher.run(&announced));
            let mut waiting = Vec::new();
            for (fields, file) in layers {
                waiting.push((announce(&queue, fields), file));
            }
            drop(queue);
            while let Some((sender, file)) = waiting.pop() {
                assert!(names(dir.path()).iter().all(|name| name.ends_with(".tmp")));
                sender.send(Ok(file)).unwrap();
                std::thread::sleep(Duration::from_millis(20));
            }
            let built = running.join().unwrap().unwrap();
            assert!(built.iter().map(|layer| layer.seeds).eq(0..3));
            assert!(built.iter().all(|layer| layer.bytes > 0));
        });
        assert_eq!(names(dir.path()), [0, 1, 2].map(|seeds| format!("awari-0{seeds}.oware")));
    }

    #[test]
    fn a_layer_that_fails_stops_the_build_and_has_no_table_above() {
        let dir = tempfile::tempdir().unwrap();
        let progress = Progress::start(&[], true);
        let (queue, announced) = channel();
        for (fields, file) in encoded(dir.path(), 4) {
            let full = || Error::io("writing", "a disk")(io::ErrorKind::StorageFull.into());
            let file = if fields.seeds == 2 { Err(full()) } else { Ok(file) };
            announce(&queue, fields).send(file).unwrap();
        }
        drop(queue);
        let failed = Publisher::new(dir.path(), &AWARI, &progress).run(&announced);
        assert!(failed.is_err_and(|error| error.to_string().contains("a disk")));
        assert!(progress.interrupted());
        assert_eq!(names(dir.path()), ["awari-00.oware", "awari-01.oware"]);
    }
}
