//! When a build saves checkpoints, and what becomes of them.
//!
//! A build that is killed starts the current layer over, which costs little while layers are small.
//! Of one that takes longer than a minute, the solver's state is [saved](CheckpointFile) now and
//! then, and the next build goes on from there. A sweep is the smallest step; the values of
//! captures are computed again.
//!
//! A checkpoint is a convenience. If it cannot be written, the build says so and goes on without;
//! if it cannot be read, or belongs to another build, it is removed and the layer starts over. It is
//! removed when the layer has its table.
//!
//! Figures: `oware build --seeds 20 --checkpoint-seconds 0`, layer 20 of `abapa`, two cores of a
//! shared virtual machine with an SSD, AVX-512, other work on both cores. A checkpoint takes 247 MB
//! and takes 0.28 s to save, 0.56 s at most; all 43 together 12.2 s compared with 13.2 s of
//! solving. At the usual pace this layer gets none, for it takes less than a minute; one that takes
//! longer spends at most a twentieth on them.

use std::fmt::Display;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::game::{Endless, Seeds};
use crate::json::words::with_command;
use crate::layer::Layer;
use crate::layer::general::GeneralLayer;
use crate::pool::locked;
use crate::solver::general::{Keeper, Resumed, Snapshot, Way};
use crate::solver::{Checkpoint, Event, Observer, ReadPlane, ShownPlane};
use crate::table::checkpoint::{self, CheckpointFile};

use super::general_forecast::table_bytes;
use super::progress::Progress;
use super::wanted::Wanted;

/// Seconds that a layer takes before its first checkpoint, and from one to the next at least.
pub const SECONDS: u64 = 60;

/// Between two checkpoints passes at least this times what saving one takes: it costs up to 5 %.
const SPARING: u32 = 20;

/// How many bytes a second are saved, before one has been: a slow disk.
const ASSUMED_SPEED: f64 = 200.0e6;

/// An observer that saves checkpoints, and shows the user how the build gets on.
pub struct Checkpoints<'a> {
    pub wanted: Wanted,
    pub saver: Saver<'a>,
}

/// Who saves checkpoints of layers, of any game, and ends a build after a signal.
pub struct Saver<'a> {
    dir: PathBuf,
    interval: Duration,
    progress: &'a Progress,
    /// What tells this program from others; `None` if that is not known.
    program: Option<u64>,
    pace: Mutex<SavingPace>,
}

impl<'a> Saver<'a> {
    /// Creates one that leaves at least `interval` between checkpoints.
    pub fn new(dir: &Path, interval: Duration, progress: &'a Progress) -> Saver<'a> {
        let (program, pace) = (checkpoint::program().ok(), Mutex::new(SavingPace::new()));
        Saver { dir: dir.to_owned(), interval, progress, program, pace }
    }

    /// Begins a layer.
    pub fn begin_layer(&self) {
        let mut pace = locked(&self.pace);
        *pace = SavingPace { speed: pace.speed, ..SavingPace::new() };
    }

    /// Returns the file of a layer of another game.
    fn file(&self, layer: &GeneralLayer, way: Way, bytes: u64) -> Option<CheckpointFile> {
        Some(CheckpointFile::of_other(&self.dir, layer, way, bytes, self.program?))
    }

    /// Returns whether to save a checkpoint of this file's length now.
    fn is_due(&self, file: &CheckpointFile) -> bool {
        locked(&self.pace).is_due(file.bytes(), self.interval, self.progress.interrupted())
    }

    /// Has a checkpoint saved if it is time for that and there is also room for the tables that may
    /// come to be written before it goes, of so many bytes. If that fails the layer gets none any
    /// more. Returns whether it has been saved.
    fn save(
        &self,
        seeds: impl Display,
        file: &CheckpointFile,
        tables: u64,
        sweep: usize,
        save: impl FnOnce() -> Result<()>,
    ) -> bool {
        if !self.is_due(file) {
            return false;
        }
        let (start, bytes) = (Instant::now(), file.bytes());
        let free = fs4::available_space(&self.dir);
        let saved = match free.map_err(Error::io("querying free space", &self.dir)) {
            Ok(free) if free < bytes + tables => {
                Err(Error::io("writing", file.path())(io::ErrorKind::StorageFull.into()))
            }
            free => free.and_then(|_| save()),
        };
        match &saved {
            Ok(()) => {
                let (mut pace, speed) =
                    (locked(&self.pace), bytes as f64 / start.elapsed().as_secs_f64());
                (pace.since, pace.speed, pace.saved) = (Instant::now(), speed, Some(sweep));
            }
            Err(error) => {
                locked(&self.pace).given_up = true;
                let why = with_command(error);
                self.progress.warn(&format!("{why}; layer {seeds} gets no further checkpoint"));
            }
        }
        saved.is_ok()
    }

    /// Returns the checkpoint that has been found. One that cannot be gone on from is removed; if it
    /// stays, the next one replaces it. One that could not be read, for want of memory, say, stays in any
    /// case, and the layer gets no other.
    fn sound<T>(&self, path: &Path, found: io::Result<Option<T>>) -> Option<T> {
        found.unwrap_or_else(|flaw| {
            let mut what = "the layer starts over";
            match flaw.kind() {
                ErrorKind::Other | ErrorKind::UnexpectedEof | ErrorKind::InvalidInput => {
                    let _ = fs::remove_file(path);
                }
                _ => {
                    locked(&self.pace).given_up = true;
                    what = "the file stays, but the layer starts over";
                }
            }
            self.progress.warn(&format!("{}: {flaw}; {what}", path.display()));
            None
        })
    }
}

/// What decides when to save.
struct SavingPace {
    /// Since when the current layer is being solved.
    begun: Instant,
    /// The end of its last save, or its beginning.
    since: Instant,
    /// Bytes in a second.
    speed: f64,
    /// The sweep that its last checkpoint was saved after.
    saved: Option<usize>,
    /// Whether it gets no more checkpoints, because saving one failed.
    given_up: bool,
}

impl SavingPace {
    fn new() -> SavingPace {
        let now = Instant::now();
        SavingPace { begun: now, since: now, speed: ASSUMED_SPEED, saved: None, given_up: false }
    }

    /// Returns whether to save this many bytes now. Before the build stops, what has been done
    /// since the last time is worth it in any case. Without an interval, everything is saved.
    fn is_due(&self, bytes: u64, interval: Duration, stopping: bool) -> bool {
        let cost = Duration::from_secs_f64(bytes as f64 / self.speed);
        let due = if stopping {
            self.begun.elapsed() >= interval
        } else {
            self.since.elapsed() >= interval.max(cost * SPARING)
        };
        !self.given_up && (due || interval.is_zero())
    }
}

impl Checkpoints<'_> {
    /// Says which checkpoint there is of a layer that failed to be solved, if it was stopped and
    /// there is one.
    pub fn stopped(&self, seeds: Seeds, error: &Error) {
        if let (Error::Interrupted, Some(sweep)) = (error, locked(&self.saver.pace).saved) {
            self.saver.progress.tell(&format!("layer {seeds:>2}: checkpoint after sweep {sweep}"));
        }
    }

    fn file(&self, seeds: Seeds) -> Option<CheckpointFile> {
        let Wanted { rules, .. } = self.wanted;
        let (dir, layer) = (&self.saver.dir, self.wanted.layer(seeds));
        Some(CheckpointFile::new(dir, rules, layer, self.saver.program?))
    }
}

impl Observer for Checkpoints<'_> {
    fn notice(&self, event: Event) {
        if let Event::Started { .. } = event {
            self.saver.begin_layer();
        }
        self.saver.progress.notice(event);
    }

    fn interrupted(&self) -> bool {
        self.saver.progress.interrupted()
    }

    fn wants_checkpoint(&self, layer: Layer) -> bool {
        self.file(layer.seeds()).is_some_and(|file| self.saver.is_due(&file))
    }

    fn offer(&self, checkpoint: &Checkpoint<&dyn ShownPlane>) {
        let (seeds, sweep) = (checkpoint.low.layer().seeds(), checkpoint.sweep);
        // While claims are closed the same scores are offered again.
        if locked(&self.saver.pace).saved == Some(sweep) {
            return;
        }
        let Some(file) = self.file(seeds) else { return };
        // This layer's table and those of layers below that are not there yet.
        let is_missing = |&at: &Seeds| {
            !self.saver.dir.join(crate::table::file_name(self.wanted.rules, at)).exists()
        };
        let tables = seeds.up_to().filter(is_missing).map(|at| self.wanted.table(at)).sum();
        let (held, save) = (file.holding(checkpoint), || file.save(checkpoint));
        self.saver.save(seeds, &held, tables, sweep, save);
    }

    fn resume(&self, seeds: Seeds, read: &mut ReadPlane) -> Option<Checkpoint<()>> {
        let file = self.file(seeds)?;
        let found = self.saver.sound(file.path(), file.load(read))?;
        locked(&self.saver.pace).saved = Some(found.sweep);
        self.saver.progress.resumed();
        let sweep = found.sweep;
        let told = format!("layer {seeds:>2}: continues from a checkpoint after sweep {sweep}");
        self.saver.progress.tell(&told);
        Some(found)
    }
}

impl Keeper for Saver<'_> {
    fn is_stopped(&self) -> bool {
        self.progress.interrupted()
    }

    fn offer(&self, layer: &GeneralLayer, snapshot: &Snapshot) {
        let Some(file) = self.file(layer, snapshot.way, snapshot.bytes) else { return };
        let (seeds, save) = (layer.seeds(), || file.save_as(snapshot.stage, snapshot.write));
        if self.save(seeds, &file, table_bytes(layer), 1, save) && self.is_stopped() {
            self.progress.tell(&format!("layer {seeds:>2}: there is a checkpoint"));
        }
    }

    fn resume(&self, layer: &GeneralLayer, way: Way, bytes: u64) -> Option<Resumed> {
        let file = self.file(layer, way, bytes)?;
        let found = self.sound(file.path(), file.resume(layer, way))?;
        let told = format!("layer {:>2}: continues from a checkpoint", layer.seeds());
        self.progress.tell(&told);
        Some(found)
    }
}

/// Returns the bytes of disk that checkpoints need for a while: a layer's own, the one that
/// replaces it, and that of the layer below, which goes when its table is there.
pub fn disk(wanted: Wanted, seeds: Seeds) -> u64 {
    let planes = match wanted.rules.endless {
        Endless::EvenSplit => 1,
        Endless::OwnSide(_) | Endless::Drawn => 2,
    };
    let file = CheckpointFile::new(Path::new(""), wanted.rules, wanted.layer(seeds), 0);
    3 * file.with_planes(planes).bytes()
}

/// Makes sure that no checkpoint of layers that are to be built would be lost for being of a build with
/// another `--game-seeds`.
///
/// # Errors
/// [`Error::Usage`] if one would.
pub fn make_sure_of_games(dir: &Path, wanted: Wanted, missing: &[Seeds]) -> Result<()> {
    let path = |seeds| checkpoint::path(dir, &crate::table::file_name(wanted.rules, seeds));
    for &seeds in missing.iter().filter(|&&seeds| path(seeds).exists()) {
        let Ok(program) = checkpoint::program() else { continue };
        let file = CheckpointFile::new(dir, wanted.rules, wanted.layer(seeds), program);
        let (what, how) = match file.other_game() {
            None => continue,
            Some(0) => ("full scores".to_owned(), "omit --game-seeds".to_owned()),
            Some(game) => (
                format!("only what decides games of {game} seeds"),
                format!("use --game-seeds {game}"),
            ),
        };
        let path = file.path().display();
        return Err(Error::Usage(format!(
            "{path} stores {what}; {how} to continue from it, or remove it to start the layer over"
        )));
    }
    Ok(())
}

/// Removes the checkpoints, as far as they are there, of layers that have a table, or are to be
/// rebuilt, given the names of the tables.
///
/// # Errors
/// [`Error::Io`] if one stays.
pub fn remove(dir: &Path, tables: impl IntoIterator<Item = String>) -> Result<()> {
    let mut paths = tables.into_iter().map(|table| checkpoint::path(dir, &table));
    paths.try_for_each(|path| match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound && !path.is_dir() => {
            Err(Error::io("removing", path)(error))
        }
        _ => Ok(()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the pace of a layer that began and was last saved this many seconds ago.
    fn pace(begun: u64, since: u64) -> SavingPace {
        let ago =
            |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).expect("a past");
        SavingPace { begun: ago(begun), since: ago(since), speed: 100.0, ..SavingPace::new() }
    }

    #[test]
    fn saving_waits_for_the_interval_and_for_its_cost() {
        for (interval, begun, since, bytes, stopping, is_due) in [
            (60, 59, 59, 1, false, false),
            (60, 61, 61, 1, false, true),
            (60, 300, 59, 1, false, false),
            // 1000 bytes take ten seconds.
            (60, 300, 199, 1000, false, false),
            (60, 300, 201, 1000, false, true),
            // Before the end only a short layer is not saved.
            (60, 61, 1, 1000, true, true),
            (60, 59, 59, 1000, true, false),
            // Without an interval every sweep is saved, until that fails.
            (0, 0, 0, 1000, false, true),
        ] {
            let due = pace(begun, since).is_due(bytes, Duration::from_secs(interval), stopping);
            assert_eq!(due, is_due, "{interval} {begun} {since} {bytes} {stopping}");
        }
        let given_up = SavingPace { given_up: true, ..pace(900, 900) };
        assert!([false, true].iter().all(|&stop| !given_up.is_due(1, Duration::ZERO, stop)));
    }
}
