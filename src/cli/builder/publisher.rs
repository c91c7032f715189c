//! Gives tables their names in the order of layers, on a thread that waits for the disk.

use std::collections::BTreeMap;
use std::iter;
use std::path::Path;
use std::sync::mpsc::Receiver;

use oware_db::error::Result;
use oware_db::game::{Rules, Seeds};
use oware_db::table::{UnpublishedTable, file_name, publish_all};

use super::checkpoints;
use super::progress::Progress;
use super::report::LayerFields;

/// What is known of a layer before its table is written, and its file or what went wrong with it.
pub type Encoded = (LayerFields, Result<UnpublishedTable>);

/// Makes tables of complete files.
#[derive(Clone, Copy)]
pub struct Publisher<'a> {
    pub dir: &'a Path,
    pub rules: &'static Rules,
    /// The layers that are built, in the order in which they are published.
    pub layers: &'a [Seeds],
    pub progress: &'a Progress,
}

impl Publisher<'_> {
    /// Publishes the tables of layers, which may come in any order, until no more come, and returns
    /// their figures. The first that fails stops the build; the files of those above are removed.
    pub fn run(self, encoded: &Receiver<Encoded>) -> Result<Vec<LayerFields>> {
        let published = self.publish(encoded);
        if published.is_err() {
            self.progress.stop();
            encoded.iter().for_each(drop);
        }
        published
    }

    /// Publishes together what has been encoded in the meantime, for each wait for the disk is
    /// long.
    fn publish(self, encoded: &Receiver<Encoded>) -> Result<Vec<LayerFields>> {
        let (mut built, mut waiting) = (Vec::new(), BTreeMap::new());
        let mut order = self.layers.iter().map(|seeds| seeds.get()).peekable();
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
            for (fields, table) in layers.into_iter().zip(publish_all(files)?) {
                let fields = LayerFields { bytes: table.bytes, ..fields };
                // A checkpoint that stays is removed by the next build.
                let name = Seeds::new(fields.seeds).map(|seeds| file_name(self.rules, seeds));
                let _ = checkpoints::remove(self.dir, name);
                self.progress.written(&fields);
                built.push(fields);
            }
            complete?;
        }
        assert!(waiting.is_empty(), "the layers below are encoded");
        Ok(built)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use oware_db::error::Error;
    use oware_db::game::AWARI;
    use oware_db::solver::{InMemory, Kernel, Observer, Solver, Unobserved};
    use oware_db::table::{WriteOptions, write_unless};

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

    fn publisher<'a>(dir: &'a Path, layers: &'a [Seeds], progress: &'a Progress) -> Publisher<'a> {
        Publisher { dir, rules: &AWARI, layers, progress }
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
            let publisher = publisher(dir.path(), &order, &progress);
            let running = scope.spawn(move || publisher.run(&receiver));
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
        let failed = publisher(dir.path(), &order, &progress).run(&receiver);
        assert!(failed.is_err_and(|error| error.to_string().contains("a disk")));
        assert!(progress.interrupted());
        assert_eq!(names(dir.path()), ["awari-00.oware", "awari-01.oware"]);
    }
}
