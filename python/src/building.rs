//! The function `build`.

use std::path::{Path as Directory, PathBuf};

use oware_db::error::Error;
use oware_db::game::{Rules, Seeds};
use oware_db::layer::{Layer, Solved};
use oware_db::probe::{Tables, directories};
use oware_db::solver::{Event, InMemory, Kernel, Observer, Solver};
use oware_db::table::{Lock, WriteOptions, write_unless};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{Bytes, Callable, Path, SeedCount, Text};
use crate::errors::usage;
use crate::forecast::Forecast;
use crate::library::{self, Caller};

/// Builds the tables of a sheet, from no seeds up to `seeds`, into the directory `out`; layers that
/// have a table are kept. Returns the numbers of seeds of the layers that were built.
///
/// All layers are in memory at the same time. If that takes more than `memory`, a number of bytes or
/// a text such as "8G", or more than three quarters of what is available, nothing is built:
/// `forecast` tells, and `oware build` needs less and makes the same files. A layer may turn out to
/// take more than was foreseen, where repetition leaves much open: one that goes beyond that ends the
/// build, and finished layers are kept.
///
/// `progress` is called with a dictionary at the beginning and after each step: "event" ("forecast",
/// "started", "captures", "swept", "core", "settled" or "written"), "seeds", and what belongs to the
/// event. What it raises ends the build, as Ctrl-C does, within a second; finished layers are kept. A
/// directory has one builder at a time, `oware build` included: another one is an `OSError`.
#[pyfunction]
#[pyo3(signature = (rules, seeds, out, progress=None, memory=None))]
pub fn build(
    py: Python<'_>,
    rules: Text,
    seeds: SeedCount,
    out: Path,
    progress: Option<Callable>,
    memory: Option<Bytes>,
) -> PyResult<Vec<usize>> {
    let (rules, out) = (library::rules(&rules.0)?, out.0);
    if directories(&out).len() > 1 {
        return Err(usage("layers are built in one directory"));
    }
    let forecast = Forecast::of(py, rules, seeds.0, out.clone(), memory)?;
    forecast.make_sure()?;
    let told = |fields: Bound<'_, PyDict>| match &progress {
        Some(progress) => progress.0.call1(fields.py(), (fields,)).map(drop),
        None => Ok(()),
    };
    let fields = forecast.fields(py)?;
    fields.set_item("event", "forecast")?;
    told(fields)?;
    let ceiling = forecast.ceiling();
    let work = move |caller: &Caller<Step>| build_layers(rules, &forecast.missing, &out, caller);
    library::listening(py, usize::MAX, work, |py, step| {
        ceiling.make_sure()?;
        step.map_or(Ok(()), |step| told(step.fields(py)?))
    })
}

/// A step of a build.
struct Step {
    event: &'static str,
    seeds: Seeds,
    details: Vec<(&'static str, u64)>,
}

impl Step {
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = PyDict::new(py);
        fields.set_item("event", self.event)?;
        fields.set_item("seeds", self.seeds.get())?;
        self.details.iter().try_for_each(|(name, value)| fields.set_item(name, value))?;
        Ok(fields)
    }
}

fn build_layers(
    rules: &'static Rules,
    missing: &[Seeds],
    out: &Directory,
    caller: &Caller<Step>,
) -> oware_db::Result<Vec<usize>> {
    std::fs::create_dir_all(out).map_err(Error::io("creating the directory", out))?;
    let lock = Lock::take(out)?;
    lock.sweep_up()?;
    let most = missing.last().map_or(0, |seeds| seeds.get() + 1);
    let mut build = Build {
        tables: Tables::open(out)?,
        solver: Solver::new(rules, Kernel::best()),
        layers: InMemory::default(),
        rules,
        out: out.to_owned(),
        caller,
    };
    let mut built = Vec::new();
    for seeds in Seeds::MAX.up_to().take(most) {
        if build.layer(seeds)? {
            built.push(seeds.get());
        }
    }
    Ok(built)
}

/// A build under way.
struct Build<'a> {
    tables: Tables,
    solver: Solver,
    layers: InMemory,
    rules: &'static Rules,
    out: PathBuf,
    caller: &'a Caller<Step>,
}

impl Build<'_> {
    /// Reads a layer, or builds it, and returns whether that was necessary.
    fn layer(&mut self, seeds: Seeds) -> oware_db::Result<bool> {
        self.caller.go_on()?;
        if let Some(table) = self.tables.layer(self.rules, seeds)? {
            let (stored, settlement) = (table.load_stored()?, table.settlement()?);
            let whole = self.solver.complete(stored, settlement, &self.layers, self.caller)?;
            self.keep(whole);
            return Ok(false);
        }
        let solved = self.solver.solve(seeds, &self.layers, self.caller)?;
        let ended = || self.caller.has_ended();
        write_unless(&self.out, self.rules, &solved, WriteOptions::default(), &ended)?.publish()?;
        let positions = Layer::of(self.rules, seeds).positions();
        self.caller.report("written", seeds, &[("positions", positions)]);
        self.keep(solved);
        Ok(true)
    }

    /// Keeps of a layer what the layers above ask for: its scores.
    fn keep(&mut self, solved: Solved) {
        let (exceptions, attained, knots) = (None, None, None);
        self.layers.push(Solved { exceptions, attained, knots, ..solved });
    }
}

impl Caller<Step> {
    fn report(&self, event: &'static str, seeds: Seeds, details: &[(&'static str, u64)]) {
        self.tell(Step { event, seeds, details: details.to_vec() });
    }
}

impl Observer for Caller<Step> {
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
            _ => {}
        }
    }

    fn interrupted(&self) -> bool {
        self.has_ended()
    }
}
