//! What a build takes of memory and disk, and whether there is as much.
//!
//! `build` has all layers in memory: those below the one that is solved as scores, and of that one
//! whatever the solver says that it takes.

use std::path::{Path as Directory, PathBuf};

use oware_db::error::Error;
use oware_db::game::{Rules, Seeds};
use oware_db::json::words::bytes;
use oware_db::layer::{Layer, Plane};
use oware_db::pool::on_own_threads;
use oware_db::probe::Tables;
use oware_db::solver::{Way, memory, planes, plenty};
use oware_db::table::expected_bytes;
use pyo3::exceptions::{PyMemoryError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{Bytes, Path, SeedCount, Text};
use crate::errors::usage;
use crate::library;

/// Bytes for what encodes and decodes, for each thread, and for the program around it. Measured with
/// builds to 14, 18 and 21 seeds; `test_a_build_keeps_to_its_forecast` holds it.
const THREAD: u64 = 20_000_000;

/// Bytes for anything else.
const PROGRAM: u64 = 40_000_000;

/// Planes of a layer that are there while what intervals leave open is settled, where a sheet has
/// that in every layer: 8.0 to 8.8 in `abapa-every` with 16, 18 and 20 seeds.
const SETTLING: u64 = 9;

/// How much more to count on than what is known: `plain-opposite` took 4% more with 20 seeds.
const ROUGHLY: (u64, u64) = (9, 8);

/// Of the memory that is available, the part that a build may take by default.
const SHARE: (u64, u64) = (3, 4);

/// What a build takes.
pub struct Forecast {
    pub rules: &'static Rules,
    /// The layer to build up to.
    pub most: Seeds,
    /// The layers to build.
    pub missing: Vec<Seeds>,
    dir: PathBuf,
    memory: u64,
    allowed: u64,
    /// Whether the caller has said what is allowed.
    is_asked: bool,
    /// The largest layer that the memory suffices for.
    possible: Option<Seeds>,
    disk: u64,
    free: u64,
}

impl Forecast {
    /// Foresees what it takes to build a sheet's tables in a directory, which need not exist.
    pub fn of(
        py: Python<'_>,
        rules: &'static Rules,
        most: Seeds,
        dir: PathBuf,
        memory: Option<Bytes>,
    ) -> PyResult<Forecast> {
        let missing = library::call(py, || missing(rules, most, &dir))?;
        let machine = py.import("oware_db._machine")?;
        let available: u64 = machine.call_method0("available_memory")?.extract()?;
        let free: u64 = machine.call_method1("free_disk", (&dir,))?.extract()?;
        let disk = missing.iter().map(|&seeds| table(rules, seeds)).sum();
        let is_asked = memory.is_some();
        let allowed = memory.map_or(available / SHARE.1 * SHARE.0, |bytes| bytes.0);
        // What a layer takes depends on how many threads there are.
        let (memory, possible) = library::call(py, || {
            on_own_threads(usize::MAX, || {
                let fits = |&seeds: &Seeds| needed(rules, seeds) <= allowed;
                let most = missing.last().map_or(0, |&seeds| needed(rules, seeds));
                (most, Seeds::MAX.up_to().take_while(fits).last())
            })
        })?;
        Ok(Forecast { rules, most, missing, dir, memory, allowed, is_asked, possible, disk, free })
    }

    /// Makes sure that there is enough of everything.
    pub fn make_sure(&self) -> PyResult<()> {
        if self.memory > self.allowed {
            let text = self.too_little_memory();
            return Err(if self.is_asked { usage(text) } else { PyMemoryError::new_err(text) });
        }
        if self.disk > self.free {
            let (needed, free) = (bytes(self.disk), bytes(self.free));
            let dir = self.dir.display();
            return Err(PyOSError::new_err(format!(
                "the tables take about {needed} in {dir}, but only {free} are free; choose another \
                 directory or build fewer seeds"
            )));
        }
        Ok(())
    }

    /// Returns what keeps the build to what it may take, in addition to what this process has already.
    pub fn ceiling(&self) -> Ceiling {
        let (allowed, is_asked) = (self.allowed, self.is_asked);
        Ceiling { before: resident().unwrap_or(0), allowed, is_asked }
    }

    fn too_little_memory(&self) -> String {
        let (needed, allowed) = (bytes(self.memory), bytes(self.allowed));
        let (id, most, dir) = (self.rules.id, self.most, self.dir.display());
        let possible = match self.possible {
            Some(seeds) => format!("up to {seeds} seeds are possible"),
            None => "not a single layer fits".to_owned(),
        };
        format!(
            "building to {most} seeds takes {needed} of memory, but only {allowed} are allowed; \
             {possible}, and `oware build --rules {id} --seeds {most} --tables {dir}` moves to \
             disk what does not fit"
        )
    }

    /// Returns the numbers, as an event and as `forecast` has them.
    pub fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = PyDict::new(py);
        fields.set_item("seeds", self.most.get())?;
        let missing: Vec<usize> = self.missing.iter().map(|seeds| seeds.get()).collect();
        fields.set_item("missing", missing)?;
        fields.set_item("memory", self.memory)?;
        fields.set_item("allowed", self.allowed)?;
        fields.set_item("disk", self.disk)?;
        fields.set_item("free", self.free)?;
        fields.set_item("possible", self.possible.map(Seeds::get))?;
        Ok(fields)
    }
}

/// Bytes that a process may hold though nothing is in them: what the C library keeps for later of
/// what threads have freed. After six builds to 16 seeds that was 120 MB.
const FREED: u64 = 250_000_000;

/// The memory that a build may take.
pub struct Ceiling {
    /// What the process held before.
    before: u64,
    allowed: u64,
    is_asked: bool,
}

impl Ceiling {
    /// Makes sure that the process does not hold much more, where the system says so.
    pub fn make_sure(&self) -> PyResult<()> {
        let held = resident().unwrap_or(0).saturating_sub(self.before);
        if held <= self.allowed / ROUGHLY.1 * ROUGHLY.0 + FREED {
            return Ok(());
        }
        let text = format!(
            "the build has reached {} of memory, but only {} are allowed; finished layers are \
             kept, and `oware build` moves to disk what does not fit",
            bytes(held),
            bytes(self.allowed)
        );
        Err(if self.is_asked { usage(text) } else { PyMemoryError::new_err(text) })
    }
}

/// Returns the bytes of memory that this process holds, where Linux says so.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Returns the layers that have no table. One that is clamped does not do: builds make full scores.
fn missing(rules: &'static Rules, most: Seeds, dir: &Directory) -> oware_db::Result<Vec<Seeds>> {
    let tables = Tables::open_early(dir)?;
    let present = tables.available(rules)?;
    for &seeds in present.iter().filter(|&&seeds| seeds <= most) {
        let table = tables.require(rules, seeds)?;
        if let Some(game) = table.range().game() {
            return Err(Error::Usage(format!(
                "{} stores only what decides games of {game} seeds, but full scores are built; \
                 remove it, or choose another directory",
                table.path().display()
            )));
        }
    }
    Ok(most.up_to().filter(|seeds| !present.contains(seeds)).collect())
}

/// Returns the bytes of memory that it takes to build a layer, all those below in memory.
fn needed(rules: &'static Rules, seeds: Seeds) -> u64 {
    let layer = Layer::of(rules, seeds);
    let scores = |seeds| planes(rules) * Plane::memory(Layer::of(rules, seeds));
    let below: u64 = seeds.below().map(scores).sum();
    let solving = memory(rules, layer, Way::InMemory, true) + plenty(rules, layer);
    let settling = if is_settled_apart(rules) { SETTLING * Plane::memory(layer) } else { 0 };
    let threads = rayon::current_num_threads() as u64;
    let needed = below + solving + settling + (threads * THREAD).min(4 * scores(seeds));
    PROGRAM + needed / ROUGHLY.1 * ROUGHLY.0
}

/// Returns whether scores of a sheet are intervals first, which are settled then.
fn is_settled_apart(rules: &'static Rules) -> bool {
    planes(rules) == 2 && rules.endless.is_settled()
}

/// Returns the bytes of a layer's table.
fn table(rules: &'static Rules, seeds: Seeds) -> u64 {
    expected_bytes(Layer::of(rules, seeds).positions(), true, 1.0)
}

/// Returns what `build` would take, as a dictionary: "missing" are the layers to build, "memory" and
/// "disk" the bytes that it takes, "allowed" and "free" those that there are, and "possible" is the
/// number of seeds of the largest layer that the memory suffices for. Nothing is built.
#[pyfunction]
#[pyo3(signature = (rules, seeds, out, memory=None))]
pub fn forecast<'py>(
    py: Python<'py>,
    rules: Text,
    seeds: SeedCount,
    out: Path,
    memory: Option<Bytes>,
) -> PyResult<Bound<'py, PyDict>> {
    Forecast::of(py, library::rules(&rules.0)?, seeds.0, out.0, memory)?.fields(py)
}
