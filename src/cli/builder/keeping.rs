//! Checkpoints of the games beside Oware, at the pace of Oware's.
//!
//! A checkpoint is a convenience. If it cannot be written, the build says so and goes on without;
//! if it cannot be read, or is of something else, the layer begins anew. It is removed when the
//! layer has its table.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use oware_db::error::Result;
use oware_db::game::mancala::Circling;
use oware_db::layer::general::GeneralLayer;
use oware_db::solver::general::{Keeper, Resumed, Snapshot, Way};
use oware_db::table::general::checkpoint::{self, GeneralCheckpoint};

use super::checkpoints::{Saver, given_up, remove_file, useless};
use crate::cli::{interrupt, output};

/// Who keeps the checkpoints of a build, and ends it after a signal.
pub struct Keeping {
    stop: Arc<AtomicBool>,
    quiet: bool,
    saver: Saver,
}

impl Keeping {
    /// Creates the keeper of a build, with at least so many seconds between checkpoints.
    pub fn new(dir: &Path, seconds: u64, quiet: bool) -> Keeping {
        let saver = Saver::new(dir, Duration::from_secs(seconds));
        Keeping { stop: interrupt::flag(), quiet, saver }
    }

    /// Begins a layer. Unless a checkpoint of it may be gone on from, there is none afterwards.
    ///
    /// # Errors
    /// [`oware_db::Error::Io`] if one stays.
    pub fn begin(&self, layer: &GeneralLayer, goes_on: bool) -> Result<()> {
        self.saver.pace().begin_layer();
        if goes_on { Ok(()) } else { self.end(layer) }
    }

    /// Removes the checkpoint of a layer, if there is one.
    ///
    /// # Errors
    /// [`oware_db::Error::Io`] if it stays.
    pub fn end(&self, layer: &GeneralLayer) -> Result<()> {
        remove_file(&checkpoint::path(&self.saver.dir, layer))
    }

    fn file(&self, layer: &GeneralLayer, way: Way, bytes: u64) -> Option<GeneralCheckpoint> {
        let Saver { dir, program, .. } = &self.saver;
        Some(GeneralCheckpoint::new(dir, layer, way, bytes, (*program)?))
    }

    fn tell(&self, text: &str) {
        if !self.quiet {
            output::note(text);
        }
    }
}

/// Bytes of disk that a table takes at most: half a byte for each number that it holds. Those that
/// were built take up to 0.37 (`bao-laps` with 13 seeds, which has two numbers a position).
pub fn table_bytes(layer: &GeneralLayer) -> u64 {
    let sheet = layer.sheet();
    let numbers = sheet.planes() as u64 + u64::from(sheet.circling != Circling::Never);
    // Small files are mostly what is around the numbers.
    (layer.positions().saturating_mul(numbers) / 2).saturating_add(1000)
}

impl Keeper for Keeping {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn wants(&self, _: &GeneralLayer, bytes: u64) -> bool {
        self.saver.program.is_some() && self.saver.is_due(bytes, self.is_stopped())
    }

    fn offer(&self, layer: &GeneralLayer, snapshot: &Snapshot) {
        let Some(file) = self.file(layer, snapshot.way, snapshot.bytes) else { return };
        let seeds = layer.seeds();
        let sizes = [file.length(), table_bytes(layer)];
        match self.saver.save(file.path(), sizes, 1, || file.save(snapshot)) {
            Ok(()) if self.is_stopped() => {
                self.tell(&format!("layer {seeds:>2}: there is a checkpoint"));
            }
            Ok(()) => {}
            Err(error) => output::note(&given_up(&error, seeds)),
        }
    }

    fn resume(&self, layer: &GeneralLayer, way: Way, bytes: u64) -> Option<Resumed> {
        let file = self.file(layer, way, bytes)?;
        let found = file.load().unwrap_or_else(|flaw| {
            output::note(&useless(file.path(), &flaw));
            None
        })?;
        self.tell(&format!("layer {:>2}: goes on from a checkpoint", layer.seeds()));
        Some(found)
    }
}
