//! The function `build`.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use oware_db::error::Error;
use oware_db::game::{Rules, Seeds};
use oware_db::layer::Layer;
use oware_db::probe::Tables;
use oware_db::solver::{Event, InMemory, Kernel, Observer, Solver};
use oware_db::table::{Lock, WriteOptions, write};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::boards::SeedCount;
use crate::library;

/// Builds the tables of a sheet, from no seeds up to `seeds`, into the directory `out`; layers that
/// have a table are kept. Returns the numbers of seeds of the layers that were built.
///
/// `progress` is called with a dictionary after each step: "event" ("started", "captures", "swept",
/// "core", "settled" or "written"), "seeds", and what belongs to the event. What it raises ends the
/// build, as Ctrl-C does; finished layers are kept. A directory has one builder at a time, `oware
/// build` included: another one is an `OSError`. All layers are in memory at the same time: for
/// more than some 20 seeds use `oware build`, which keeps to a ceiling and makes the same files.
#[pyfunction]
#[pyo3(signature = (rules, seeds, out, progress=None))]
pub fn build(
    py: Python<'_>,
    rules: &str,
    seeds: SeedCount,
    out: PathBuf,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<usize>> {
    let (rules, most) = (library::rules(rules)?, seeds.0);
    let observer = Caller { progress, raised: Mutex::new(None) };
    let built = library::call(py, || build_layers(rules, most, &out, &observer));
    match observer.raised.into_inner() {
        Ok(Some(raised)) => Err(raised),
        _ => built,
    }
}

fn build_layers(
    rules: &'static Rules,
    most: Seeds,
    out: &Path,
    observer: &Caller,
) -> oware_db::Result<Vec<usize>> {
    std::fs::create_dir_all(out).map_err(Error::io("making the directory", out))?;
    let lock = Lock::take(out)?;
    lock.sweep_up()?;
    let tables = Tables::open(out)?;
    let mut solver = Solver::new(rules, Kernel::best());
    let (mut layers, mut built) = (InMemory::default(), Vec::new());
    for seeds in most.up_to() {
        if let Some(table) = tables.layer(rules, seeds)? {
            layers.push(solver.complete(table.load_stored()?, table.settlement()?, &layers)?);
            continue;
        }
        let mut solved = solver.solve(seeds, &layers, observer)?;
        write(out, rules, &solved, WriteOptions::default())?;
        observer.report("written", seeds, &[("positions", Layer::of(rules, seeds).positions())]);
        (solved.exceptions, solved.attained) = (None, None);
        layers.push(solved);
        built.push(seeds.get());
    }
    Ok(built)
}

/// Whoever called `build`: is told how it gets on, and asked whether it is to end.
struct Caller {
    progress: Option<Py<PyAny>>,
    /// What a signal or `progress` has raised.
    raised: Mutex<Option<PyErr>>,
}

impl Caller {
    fn raised(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `progress` with an event and what belongs to it.
    fn report(&self, event: &str, seeds: Seeds, details: &[(&str, u64)]) {
        let Some(progress) = &self.progress else { return };
        let told = Python::attach(|py| {
            let fields = PyDict::new(py);
            fields.set_item("event", event)?;
            fields.set_item("seeds", seeds.get())?;
            details.iter().try_for_each(|(name, value)| fields.set_item(name, value))?;
            progress.call1(py, (fields,)).map(drop)
        });
        if let Err(error) = told {
            self.raised().get_or_insert(error);
        }
    }
}

impl Observer for Caller {
    fn notice(&self, event: Event) {
        match event {
            Event::Started { seeds } => self.report("started", seeds, &[]),
            Event::Captures { seeds, into } => {
                self.report("captures", seeds, &[("into", into.get() as u64)]);
            }
            Event::Swept { seeds, sweep, changed } => {
                self.report("swept", seeds, &[("sweep", sweep as u64), ("changed", changed)]);
            }
            Event::Core { seeds, .. } => self.report("core", seeds, &[]),
            Event::Settled { seeds } => self.report("settled", seeds, &[]),
        }
    }

    fn interrupted(&self) -> bool {
        if let Err(signal) = Python::attach(|py| py.check_signals()) {
            self.raised().get_or_insert(signal);
        }
        self.raised().is_some()
    }
}
