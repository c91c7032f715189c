//! Checkpoints of the games beside Oware, at the pace of Oware's.
//!
//! A checkpoint is a convenience. If it cannot be written, the build says so and goes on without;
//! if it cannot be read, or is of something else, the layer begins anew. It is removed when the
//! layer has its table.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use oware_db::error::{Error, Result};
use oware_db::game::mancala::Circling;
use oware_db::json::words::with_command;
use oware_db::layer::general::GeneralLayer;
use oware_db::solver::general::{Keeper, Resumed, Snapshot, Way};
use oware_db::table::checkpoint::program;
use oware_db::table::general::checkpoint::{self, GeneralCheckpoint};

use super::checkpoints::Pace;
use crate::cli::{interrupt, output};

/// Who keeps the checkpoints of a build, and ends it after a signal.
pub struct Keeping {
    dir: PathBuf,
    interval: Duration,
    stop: Arc<AtomicBool>,
    quiet: bool,
    /// What tells this program from others; `None` if that is not known.
    program: Option<u64>,
    pace: Mutex<Pace>,
}

impl Keeping {
    /// Creates the keeper of a build, with at least so many seconds between checkpoints.
    pub fn new(dir: &Path, seconds: u64, quiet: bool) -> Keeping {
        Keeping {
            dir: dir.to_owned(),
            interval: Duration::from_secs(seconds),
            stop: interrupt::flag(),
            quiet,
            program: program().ok(),
            pace: Mutex::new(Pace::new()),
        }
    }

    /// Begins a layer. Unless a checkpoint of it may be gone on from, there is none afterwards.
    ///
    /// # Errors
    /// [`Error::Io`] if one stays.
    pub fn begin(&self, layer: &GeneralLayer, goes_on: bool) -> Result<()> {
        self.pace().begin_layer();
        if goes_on { Ok(()) } else { self.end(layer) }
    }

    /// Removes the checkpoint of a layer, if there is one.
    ///
    /// # Errors
    /// [`Error::Io`] if it stays.
    pub fn end(&self, layer: &GeneralLayer) -> Result<()> {
        let path = checkpoint::path(&self.dir, layer);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::io("removing", &path)(error))
            }
            _ => Ok(()),
        }
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn file(&self, layer: &GeneralLayer, way: Way, bytes: u64) -> Option<GeneralCheckpoint> {
        Some(GeneralCheckpoint::new(&self.dir, layer, way, bytes, self.program?))
    }

    fn tell(&self, text: &str) {
        if !self.quiet {
            output::note(text);
        }
    }

    /// Saves a checkpoint if there is room beside it for the table that comes after it.
    fn save(
        &self,
        file: &GeneralCheckpoint,
        layer: &GeneralLayer,
        snapshot: &Snapshot,
    ) -> Result<()> {
        let free = fs4::available_space(&self.dir)
            .map_err(Error::io("asking for free space", &self.dir))?;
        if free < file.length() + table_bytes(layer) {
            return Err(Error::io("writing", file.path())(io::ErrorKind::StorageFull.into()));
        }
        file.save(snapshot)
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
        self.program.is_some() && self.pace().is_due(bytes, self.interval, self.is_stopped())
    }

    fn offer(&self, layer: &GeneralLayer, snapshot: &Snapshot) {
        let Some(file) = self.file(layer, snapshot.way, snapshot.bytes) else { return };
        let start = Instant::now();
        let seeds = layer.seeds();
        match self.save(&file, layer, snapshot) {
            Ok(()) => {
                self.pace().saved(1, file.length(), start.elapsed());
                if self.is_stopped() {
                    self.tell(&format!("layer {seeds:>2}: there is a checkpoint"));
                }
            }
            Err(error) => {
                let why = with_command(&error);
                output::note(&format!("{why}; layer {seeds} gets no further checkpoint"));
                self.pace().given_up = true;
            }
        }
    }

    fn resume(&self, layer: &GeneralLayer, way: Way, bytes: u64) -> Option<Resumed> {
        let file = self.file(layer, way, bytes)?;
        match file.load() {
            Ok(None) => None,
            Ok(Some(kept)) => {
                self.tell(&format!("layer {:>2}: goes on from a checkpoint", layer.seeds()));
                Some(kept)
            }
            Err(flaw) => {
                output::note(&format!("{}: {flaw}; the layer begins anew", file.path().display()));
                // If it stays, the next one replaces it.
                let _ = fs::remove_file(file.path());
                None
            }
        }
    }
}
