//! The classes of the games beside Oware: `MancalaTables`, `MancalaLayer`, and `mancala_moves`.

use std::path::PathBuf;

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use oware_db::game::mancala::placement::{own_half, turned_owners};
use oware_db::game::mancala::{Layers, MANCALAS, Placement, Sheet};
use oware_db::json::general::GeneralStatsDocument;
use oware_db::json::{Asked, Game};
use oware_db::layer::general::{GeneralLayer, GeneralSolved};
use oware_db::pool::Pool;
use oware_db::probe::general::{GeneralProber, GeneralTables};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use rayon::prelude::*;

use crate::errors::{exception, usage};
use crate::library::{self, frozen};

/// Positions that one task probes.
const TASK: usize = 1 << 10;

/// A directory of tables of a game beside Oware.
///
/// Any number of threads may use it. Files are opened when they are first needed.
#[pyclass(module = "oware_db", frozen)]
pub struct MancalaTables {
    tables: GeneralTables,
    sheet: &'static Sheet,
    probers: Pool<'static, GeneralProber>,
}

/// A position as an argument: a text as the command line reads it, or as many numbers as the board
/// has places.
#[derive(FromPyObject)]
pub enum PlacementLike {
    Text(String),
    Numbers(Vec<i64>),
}

impl PlacementLike {
    fn placement(self, sheet: &Sheet) -> PyResult<Placement> {
        let text = match self {
            PlacementLike::Text(text) => text,
            PlacementLike::Numbers(numbers) => {
                numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")
            }
        };
        sheet.parse(&text).map_err(|error| exception(&error))
    }
}

/// Lower and upper bounds.
type TwoArrays<'py> = (Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<i8>>);

#[pymethods]
impl MancalaTables {
    #[new]
    fn new(path: PathBuf, rules: &str) -> PyResult<MancalaTables> {
        let (sheet, tables) = (sheet(rules)?, GeneralTables::open(path));
        let handle = tables.clone();
        let probers = Pool::new(move || GeneralProber::new(&handle, sheet));
        Ok(MancalaTables { tables, sheet, probers })
    }

    /// The directory.
    #[getter]
    fn path(&self) -> PathBuf {
        self.tables.dir().to_owned()
    }

    /// The id of the rule sheet.
    #[getter]
    fn rules(&self) -> &'static str {
        self.sheet.id
    }

    /// The places of the board.
    #[getter]
    fn places(&self) -> usize {
        2 * self.sheet.half
    }

    /// The layers that have a table in which each player owns a half of the board, as numbers of
    /// seeds, fewest first.
    #[getter]
    fn seeds(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        let layers = library::call(py, || self.tables.available(self.sheet))?;
        let usual = layers.iter().filter(|layer| layer.owners() == own_half(self.sheet.half));
        Ok(usual.map(GeneralLayer::seeds).collect())
    }

    /// Returns what `oware query --json` prints of a position, as a dictionary: its score, its moves,
    /// and a line of best play of at most `limit` moves.
    #[pyo3(signature = (position, limit=40))]
    fn probe<'py>(
        &self,
        py: Python<'py>,
        position: PlacementLike,
        limit: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let placement = position.placement(self.sheet)?;
        let asked = Asked { line: limit, scores_only: false, explain: false };
        let text = library::call(py, || {
            self.probers.with(|prober| Ok(json(&<&Sheet>::analysis(prober, placement, asked)?)))
        })?;
        loads(py, &text)
    }

    /// Returns the scores of many positions: two arrays of int8, the lower and the upper bounds.
    ///
    /// `boards` is an array of uint8 with shape (N, places), the mover's places first. In Nam Nam
    /// `owners` says whose the houses are in all of them, six each if it is left out.
    #[pyo3(signature = (boards, owners=None))]
    fn probe_many<'py>(
        &self,
        py: Python<'py>,
        boards: Bound<'py, PyAny>,
        owners: Option<&str>,
    ) -> PyResult<TwoArrays<'py>> {
        let owners = owners_of(self.sheet, owners)?;
        let placements = placements(self.sheet, &boards, owners)?;
        let (mut low, mut high) = (vec![0; placements.len()], vec![0; placements.len()]);
        let bounds = low.par_chunks_mut(TASK).zip(high.par_chunks_mut(TASK));
        let tasks = placements.par_chunks(TASK).zip(bounds);
        library::call(py, || {
            tasks.try_for_each(|(placements, (low, high))| {
                self.probers.with(|prober| {
                    for (at, placement) in placements.iter().enumerate() {
                        let known = prober.known(placement)?;
                        (low[at], high[at]) = (known.low, known.high);
                    }
                    Ok(())
                })
            })
        })?;
        Ok((PyArray1::from_vec(py, low), PyArray1::from_vec(py, high)))
    }

    /// Returns the figures of every layer that has a table, one dictionary each.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = library::call(py, || {
            let layers = self.tables.available(self.sheet)?;
            Ok(json(&GeneralStatsDocument::of(&self.tables, self.sheet, &layers)?.layers))
        })?;
        loads(py, &text)
    }

    /// Returns a layer as arrays, decoded at once. In Nam Nam `owners` says whose the houses are.
    #[pyo3(signature = (seeds, owners=None))]
    fn layer(&self, py: Python<'_>, seeds: usize, owners: Option<&str>) -> PyResult<MancalaLayer> {
        if !self.sheet.has_layer(seeds) {
            return Err(usage(format!("`{}` has no layer of {seeds} seeds", self.sheet.id)));
        }
        let owners = owners_of(self.sheet, owners)?;
        let owners = owners.max(turned_owners(owners, self.sheet.half));
        let layer = GeneralLayer::of_owners(self.sheet, seeds, owners);
        let solved = library::call(py, || self.tables.require(&layer)?.load())?;
        let GeneralSolved { low, high, stamps, .. } = solved;
        let low = frozen(PyArray1::from_vec(py, low))?;
        let high = match high {
            None => low.clone(),
            Some(high) => frozen(PyArray1::from_vec(py, high))?,
        };
        let beside = stamps.map(|stamps| frozen(PyArray1::from_vec(py, stamps))).transpose()?;
        let beside = beside.map(Bound::unbind);
        Ok(MancalaLayer { layer, low: low.unbind(), high: high.unbind(), beside })
    }

    /// What it is made of, for pickle.
    fn __reduce__<'py>(
        slf: &Bound<'py, MancalaTables>,
    ) -> (Bound<'py, PyType>, (PathBuf, &'static str)) {
        (slf.get_type(), (slf.get().path(), slf.get().rules()))
    }

    fn __repr__(&self) -> String {
        format!("MancalaTables({:?}, rules=\"{}\")", self.tables.dir(), self.sheet.id)
    }
}

/// All positions with the same number of seeds, in the order of their ranks.
///
/// `len(layer)` is their number. Where the players of Nam Nam own unlike houses, the positions of the
/// player come first whose owners the file names, then those of the other.
#[pyclass(module = "oware_db", frozen)]
pub struct MancalaLayer {
    layer: GeneralLayer,
    low: Py<PyArray1<i8>>,
    high: Py<PyArray1<i8>>,
    beside: Option<Py<PyArray1<u8>>>,
}

#[pymethods]
impl MancalaLayer {
    fn __len__(&self) -> usize {
        self.layer.positions() as usize
    }

    /// The number of seeds on the board.
    #[getter]
    fn seeds(&self) -> usize {
        self.layer.seeds()
    }

    /// The id of the rule sheet.
    #[getter]
    fn rules(&self) -> &'static str {
        self.layer.sheet().id
    }

    /// The lower bounds, an array of int8 that cannot be written to.
    #[getter]
    fn low<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        self.low.bind(py).clone()
    }

    /// The upper bounds; the same array as `low` if one number is both.
    #[getter]
    fn high<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        self.high.bind(py).clone()
    }

    /// When each claim settled, an array of uint8; None if the table holds no stamps.
    #[getter]
    fn stamps<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<u8>>> {
        self.of_layers(py, Layers::BySeeds)
    }

    /// Plies to the end, an array of uint8 with 255 where there is none; None in games in which
    /// seeds leave the board.
    #[getter]
    fn plies<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<u8>>> {
        self.of_layers(py, Layers::Alone)
    }

    /// Returns the positions with the ranks from `start` up to `stop`, not included: an array of
    /// uint8 with shape (stop - start, places). The whole layer if both are left out.
    #[pyo3(signature = (start=0, stop=None))]
    fn boards<'py>(
        &self,
        py: Python<'py>,
        start: u64,
        stop: Option<u64>,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let positions = self.layer.positions();
        let stop = stop.unwrap_or(positions).min(positions);
        let count = stop.saturating_sub(start) as usize;
        let places = 2 * self.layer.sheet().half;
        let found = library::call(py, || {
            let mut found = library::room(count.saturating_mul(places))?;
            let placements = self.layer.placements(start, count);
            placements.for_each(|placement| found.extend(placement.counts()));
            Ok(found)
        })?;
        PyArray1::from_vec(py, found).reshape([count, places])
    }

    fn __repr__(&self) -> String {
        format!("MancalaLayer({}, {})", self.rules(), self.seeds())
    }
}

impl MancalaLayer {
    fn of_layers<'py>(&self, py: Python<'py>, layers: Layers) -> Option<Bound<'py, PyArray1<u8>>> {
        let held = self.beside.as_ref().filter(|_| self.layer.sheet().layers == layers)?;
        Some(held.bind(py).clone())
    }
}

/// Returns what `oware moves --json` prints of a position of a game beside Oware, as a dictionary; it
/// takes no tables.
#[pyfunction]
pub fn mancala_moves<'py>(
    py: Python<'py>,
    position: PlacementLike,
    rules: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let sheet = sheet(rules)?;
    let placement = position.placement(sheet)?;
    loads(py, &json(&sheet.moves(placement)))
}

/// Returns the ids of the sheets of the games beside Oware and what they stand for.
#[pyfunction]
pub fn mancala_sheets() -> Vec<(&'static str, &'static str)> {
    MANCALAS.iter().map(|sheet| (sheet.id, sheet.title)).collect()
}

/// Returns the sheet with this id.
fn sheet(id: &str) -> PyResult<&'static Sheet> {
    let known: Vec<&str> = MANCALAS.iter().map(|sheet| sheet.id).collect();
    let unknown = || usage(format!("unknown rules `{id}`; known sheets: {}", known.join(", ")));
    Sheet::by_id(id).ok_or_else(unknown)
}

fn owners_of(sheet: &Sheet, text: Option<&str>) -> PyResult<u32> {
    match text {
        None => Ok(own_half(sheet.half)),
        Some(text) => sheet.parse_owners(text).map_err(|error| exception(&error)),
    }
}

/// Reads positions: an array of `uint8` with the shape (N, places), copied so that nobody changes it
/// meanwhile.
fn placements(sheet: &Sheet, boards: &Bound<'_, PyAny>, owners: u32) -> PyResult<Vec<Placement>> {
    let places = 2 * sheet.half;
    let array = boards.extract::<PyReadonlyArray2<'_, u8>>().ok();
    let array = array.filter(|array| array.shape()[1] == places).ok_or_else(|| {
        PyTypeError::new_err(format!("boards are an array of uint8 with shape (N, {places})"))
    })?;
    let rows = array.as_array();
    let rows = rows.rows().into_iter().enumerate();
    rows.map(|(at, row)| {
        let counts: Vec<u8> = row.iter().copied().collect();
        let seeds: usize = counts.iter().map(|&count| usize::from(count)).sum();
        if seeds > sheet.most || !sheet.has_layer(seeds) {
            let id = sheet.id;
            return Err(usage(format!("boards[{at}]: `{id}` has no positions of {seeds} seeds")));
        }
        Ok(Placement::new(&counts).with_owners(owners))
    })
    .collect()
}

fn json(document: &impl serde::Serialize) -> String {
    serde_json::to_string(document).expect("documents have names for keys")
}

fn loads<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}
