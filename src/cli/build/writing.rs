//! Writes the table of one layer while the next is being solved; at most one at a time.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use oware_db::error::Result;
use oware_db::game::Rules;
use oware_db::layer::{Attained, Solved, Strategy};
use oware_db::table::{Contents, WriteOptions, Written, write};

use super::{LayerFields, checkpoints};

/// The writer of a build. Dropping it waits for what it is writing: a layer that has been solved
/// is kept, however the build ends.
pub struct Writing {
    dir: PathBuf,
    rules: &'static Rules,
    options: WriteOptions,
    under_way: Option<UnderWay>,
}

/// What goes into a table beside the scores, and is let go of when it is written.
pub struct Beside {
    pub strategy: Option<Strategy>,
    pub attained: Option<Attained>,
}

/// A layer whose table is being written, and what is known of it before it is.
struct UnderWay {
    fields: LayerFields,
    thread: JoinHandle<Result<Written>>,
}

impl Writing {
    /// A writer of tables into a directory.
    pub fn into(dir: &Path, rules: &'static Rules, options: WriteOptions) -> Writing {
        Writing { dir: dir.to_owned(), rules, options, under_way: None }
    }

    /// Begins to write a layer that took some seconds to solve. The one before must be finished.
    pub fn start(&mut self, solved: Arc<Solved>, beside: Beside, seconds: f64) {
        assert!(self.under_way.is_none(), "one table is written at a time");
        let layer = solved.layer();
        let fields = LayerFields {
            seeds: layer.seeds().get(),
            positions: layer.positions(),
            seconds,
            bytes: 0,
            kept: false,
        };
        let (dir, rules, options) = (self.dir.clone(), self.rules, self.options);
        let thread = thread::spawn(move || {
            let Beside { strategy, attained } = &beside;
            let (strategy, attained) = (strategy.as_ref(), attained.as_ref());
            let written =
                write(&dir, rules, Contents { solved: &solved, strategy, attained }, options)?;
            // One that stays is removed by the next build.
            let _ = checkpoints::remove(&dir, rules, [layer.seeds()]);
            Ok(written)
        });
        self.under_way = Some(UnderWay { fields, thread });
    }

    /// Waits for the table under way and gives its figures, if there is one.
    pub fn finish(&mut self) -> Result<Option<LayerFields>> {
        let Some(UnderWay { fields, thread }) = self.under_way.take() else { return Ok(None) };
        let written = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(Some(LayerFields { bytes: written.bytes, ..fields }))
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        if let Some(UnderWay { thread, .. }) = self.under_way.take() {
            // The build has failed already, and that failure is the one to report.
            let _ = thread.join();
        }
    }
}
