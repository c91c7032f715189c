//! The classes of the other games: `MancalaTables`, `MancalaLayer`, and `mancala_moves`.

use std::path::PathBuf;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use oware_db::error::Error;
use oware_db::game::mancala::placement::{own_half, turned_owners};
use oware_db::game::mancala::{Layers, MANCALAS, Placement, Sheet};
use oware_db::json::stats::StatsDocument;
use oware_db::json::{Game, Requested as Asking};
use oware_db::layer::general::{GeneralLayer, GeneralSolved};
use oware_db::pool::Pool;
use oware_db::probe::Tables;
use oware_db::probe::general::GeneralProber;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyString};

use crate::answers::Made;
use crate::arguments::{Path, Text, Whole};
use crate::arrays::{self, Expected, frozen};
use crate::batch::{self, Asked, Missing, Questions};
use crate::boards::as_text;
use crate::errors::{exception, usage};
use crate::frames;
use crate::handle::Handle;
use crate::library;

/// A directory of tables of another game.
///
/// Any number of threads may use it. Files are opened when they are first needed; `with` closes them,
/// and `close`. It can be pickled, and used after a fork: another process opens the files itself.
#[pyclass(module = "oware_db", frozen)]
pub struct MancalaTables {
    path: PathBuf,
    sheet: &'static Sheet,
    open: Handle<Open>,
}

/// Tables of a sheet that are open.
struct Open {
    tables: Tables,
    sheet: &'static Sheet,
    probers: Pool<'static, GeneralProber>,
}

impl Open {
    fn new(path: &std::path::Path, sheet: &'static Sheet) -> oware_db::Result<Open> {
        let tables = Tables::open(path)?;
        let handle = tables.clone();
        let probers = Pool::new(move || GeneralProber::new(&handle, sheet));
        Ok(Open { tables, sheet, probers })
    }

    /// The document of `oware query`.
    fn probe(&self, placement: Placement, limit: usize) -> oware_db::Result<String> {
        let asked = Asking { line: limit, scores_only: false, explain: false };
        self.probers.with(|prober| Ok(json(&<&Sheet>::analysis(prober, placement, asked)?)))
    }
}

impl Questions for Asked<Open, Placement> {
    type Tool = GeneralProber;
    type Position = Placement;

    fn tools(&self) -> &Pool<'static, GeneralProber> {
        &self.open.probers
    }

    fn positions(&self) -> &[Placement] {
        &self.positions
    }

    fn score(&self, prober: &mut GeneralProber, at: &Placement) -> oware_db::Result<(i8, i8)> {
        let known = prober.known(at)?;
        Ok((known.low, known.high))
    }
}

/// A position as an argument: a text as the command line reads it, or as many numbers as the board
/// has places.
pub struct PlacementLike(String);

impl<'py> FromPyObject<'_, 'py> for PlacementLike {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<PlacementLike> {
        as_text(&given, "a position is a text, or whole numbers").map(PlacementLike)
    }
}

impl PlacementLike {
    fn placement(self, sheet: &Sheet) -> PyResult<Placement> {
        sheet.parse(&self.0).map_err(|error| exception(&error))
    }
}

#[pymethods]
impl MancalaTables {
    #[new]
    fn new(py: Python<'_>, path: Path, rules: Text) -> PyResult<MancalaTables> {
        let (path, sheet) = (path.0, sheet(&rules.0)?);
        let dir = path.clone();
        let open = Handle::new(py, move || Open::new(&dir, sheet))?;
        Ok(MancalaTables { path, sheet, open })
    }

    /// The directory.
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
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
        let open = self.open.get(py)?;
        let layers = library::call(py, || open.tables.available(self.sheet))?;
        let usual = layers.iter().filter(|layer| layer.owners() == own_half(self.sheet.half));
        Ok(usual.map(GeneralLayer::seeds).collect())
    }

    /// Returns what `oware query --json` prints of a position, as a dictionary: its score, its moves,
    /// and a line of best play of at most `limit` moves.
    #[pyo3(
        signature = (position, limit=Whole(40)),
        text_signature = "($self, position, limit=40)"
    )]
    fn probe<'py>(
        &self,
        py: Python<'py>,
        position: PlacementLike,
        limit: Whole,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (open, placement) = (self.open.get(py)?, position.placement(self.sheet)?);
        loads(py, &library::call(py, || open.probe(placement, limit.count()))?)
    }

    /// Returns what `probe` does, or `default` if a table is missing that it takes.
    #[pyo3(signature = (position, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        position: PlacementLike,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (open, placement) = (self.open.get(py)?, position.placement(self.sheet)?);
        match library::call(py, || Ok(open.probe(placement, LINE)))? {
            Ok(found) => loads(py, &found).map(Some),
            Err(Error::MissingTable { .. }) => Ok(default),
            Err(error) => Err(exception(&error)),
        }
    }

    /// Returns the scores of many positions: two arrays of int8, the lower and the upper bounds.
    ///
    /// `boards` is an array of whole numbers with shape (N, places), the mover's places first. In Nam
    /// Nam `owners` says whose the houses are in all of them, six each if it is left out. `missing`
    /// says what becomes of positions that no table has, as in `Tables.probe_many`.
    #[pyo3(
        signature = (boards, owners=None, missing=Missing::Error),
        text_signature = "($self, boards, owners=None, missing='error')"
    )]
    fn probe_many<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
        owners: Option<Text>,
        missing: Missing,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        missing.check(self.sheet.most)?;
        let owners = owners_of(self.sheet, owners)?;
        let positions = placements(self.sheet, boards, owners)?;
        batch::scores(py, Asked { open: self.open.get(py)?, positions }, missing)
    }

    /// Returns the figures of every layer that has a table, one dictionary each.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let open = self.open.get(py)?;
        let text = library::call(py, || {
            let layers = open.tables.available(open.sheet)?;
            Ok(json(&StatsDocument::of(&open.tables, open.sheet, &layers)?.layers))
        })?;
        loads(py, &text)
    }

    /// Returns a layer as arrays, decoded at once. In Nam Nam `owners` says whose the houses are.
    #[pyo3(signature = (seeds, owners=None))]
    fn layer(
        slf: &Bound<'_, MancalaTables>,
        seeds: Whole,
        owners: Option<Text>,
    ) -> PyResult<MancalaLayer> {
        let (py, sheet, seeds) = (slf.py(), slf.get().sheet, seeds.count());
        if !sheet.has_layer(seeds) {
            return Err(usage(format!("`{}` has no layer of {seeds} seeds", sheet.id)));
        }
        let given = owners.as_ref().map(|owners| owners.0.clone());
        let owners = owners_of(sheet, owners)?;
        let owners = owners.max(turned_owners(owners, sheet.half));
        let layer = GeneralLayer::of_owners(sheet, seeds, owners);
        let open = slf.get().open.get(py)?;
        let load = move |_: &library::Caller<()>| open.tables.require(sheet, layer)?.load();
        let solved = library::patiently(py, usize::MAX, load)?;
        MancalaLayer::of(slf, layer, given, solved)
    }

    /// Closes the files and frees what is decoded of them. Layers and answers stay as they are. A
    /// closed directory answers nothing more; to close it again does no harm.
    fn close(&self, py: Python<'_>) {
        self.open.close(py);
    }

    fn __enter__<'py>(slf: &Bound<'py, MancalaTables>) -> PyResult<Bound<'py, MancalaTables>> {
        slf.get().open.get(slf.py())?;
        Ok(slf.clone())
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) {
        self.open.close(py);
    }

    /// What it is made of, for pickle.
    fn __reduce__<'py>(
        slf: &Bound<'py, MancalaTables>,
    ) -> PyResult<Made<'py, (PathBuf, &'static str)>> {
        slf.get().open.get(slf.py())?;
        Ok((slf.get_type(), (slf.get().path(), slf.get().rules())))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let path = PyString::new(py, &self.path.to_string_lossy()).repr()?;
        let closed = if self.open.is_open(py) { "" } else { "closed " };
        Ok(format!("{closed}MancalaTables({path}, rules=\"{}\")", self.sheet.id))
    }
}

/// Moves of a line of best play, unless a call says otherwise.
const LINE: usize = 40;

/// All positions with the same number of seeds, in the order of their ranks.
///
/// `len(layer)` is their number, `layer[rank]` one of them as a text, `layer[start:stop]` some as an
/// array of uint8. Where the players of Nam Nam own unlike houses, the positions of the player come
/// first whose owners the file names, then those of the other.
#[pyclass(module = "oware_db", frozen)]
pub struct MancalaLayer {
    tables: Py<MancalaTables>,
    owners: Option<String>,
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

    /// Returns a position, of which a negative rank is counted from the end, or for a slice an array
    /// of uint8 with a row for each.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(slice) = key.cast::<PySlice>() {
            return Ok(self.some(py, slice)?.into_any());
        }
        let wrong = |_| usage("a layer is indexed by a rank or a slice");
        let number: i128 = key.extract().map_err(wrong)?;
        let positions = i128::from(self.layer.positions());
        let rank = if number < 0 { number + positions } else { number };
        if !(0..positions).contains(&rank) {
            let seeds = self.seeds();
            let what = format!("the layer of {seeds} seeds has {positions} positions, no {number}");
            return Err(PyIndexError::new_err(what));
        }
        Ok(PyString::new(py, &self.layer.placement(rank as u64).to_string()).into_any())
    }

    /// Returns the positions one by one.
    fn __iter__(slf: &Bound<'_, MancalaLayer>) -> Placements {
        Placements { layer: slf.get().layer, next: 0, some: Vec::new() }
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
    #[pyo3(signature = (start=Whole(0), stop=None), text_signature = "($self, start=0, stop=None)")]
    fn boards<'py>(
        &self,
        py: Python<'py>,
        start: Whole,
        stop: Option<Whole>,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let positions = self.layer.positions();
        let stop = stop.map_or(positions, |stop| stop.0).min(positions);
        let count = stop.saturating_sub(start.0) as usize;
        let places = 2 * self.layer.sheet().half;
        let found = library::call(py, || {
            let mut found = library::room(count.saturating_mul(places))?;
            let placements = self.layer.placements(start.0, count);
            placements.for_each(|placement| found.extend(placement.counts()));
            Ok(found)
        })?;
        PyArray1::from_vec(py, found).reshape([count, places])
    }

    /// Returns the layer as a data frame of pandas, which has to be installed: a row for each
    /// position, with its rank as index.
    fn to_frame<'py>(slf: &Bound<'py, MancalaLayer>) -> PyResult<Bound<'py, PyAny>> {
        frames::frame(slf.as_any())
    }

    /// Returns the layer as a table of Arrow, for which pyarrow has to be installed.
    fn to_arrow<'py>(slf: &Bound<'py, MancalaLayer>) -> PyResult<Bound<'py, PyAny>> {
        frames::arrow(slf.as_any())
    }

    /// Writes the layer as a Parquet file, for which pyarrow has to be installed. The file gets its
    /// name when it is complete.
    fn to_parquet(slf: &Bound<'_, MancalaLayer>, path: Path) -> PyResult<()> {
        frames::parquet(slf.as_any(), path.0)
    }

    /// The names of the places of the board, in order.
    #[getter]
    fn _places(&self) -> Vec<String> {
        let sheet = self.layer.sheet();
        frames::places(sheet.half, |place| match sheet.layers {
            Layers::BySeeds => char::from(b'a' + place as u8).to_string(),
            Layers::Alone => place.to_string(),
        })
    }

    /// What it is made of, for pickle and copy: the other process decodes the table itself.
    fn __reduce__<'py>(
        slf: &Bound<'py, MancalaLayer>,
    ) -> PyResult<(Bound<'py, PyAny>, LayerParts)> {
        let layer = slf.get();
        let make = layer.tables.bind(slf.py()).getattr("layer")?;
        Ok((make, (layer.seeds(), layer.owners.clone())))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let tables = self.tables.bind(py).repr()?;
        let owners = self.owners.as_ref().map_or(String::new(), |owners| format!(", \"{owners}\""));
        Ok(format!("{tables}.layer({}{owners})", self.seeds()))
    }
}

impl MancalaLayer {
    fn of(
        tables: &Bound<'_, MancalaTables>,
        layer: GeneralLayer,
        owners: Option<String>,
        solved: GeneralSolved,
    ) -> PyResult<MancalaLayer> {
        let py = tables.py();
        let GeneralSolved { low, high, stamps, .. } = solved;
        let low = frozen(PyArray1::from_vec(py, low))?;
        let high = match high {
            None => low.clone(),
            Some(high) => frozen(PyArray1::from_vec(py, high))?,
        };
        let beside = stamps.map(|stamps| frozen(PyArray1::from_vec(py, stamps))).transpose()?;
        let beside = beside.map(Bound::unbind);
        let (tables, low, high) = (tables.clone().unbind(), low.unbind(), high.unbind());
        Ok(MancalaLayer { tables, owners, layer, low, high, beside })
    }

    fn of_layers<'py>(&self, py: Python<'py>, layers: Layers) -> Option<Bound<'py, PyArray1<u8>>> {
        let held = self.beside.as_ref().filter(|_| self.layer.sheet().layers == layers)?;
        Some(held.bind(py).clone())
    }

    /// The boards of a slice.
    fn some<'py>(
        &self,
        py: Python<'py>,
        slice: &Bound<'py, PySlice>,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let wrong = |_| usage("a layer is sliced by whole numbers, and steps other than 0");
        let some = slice.indices(self.__len__() as isize).map_err(wrong)?;
        let rank = |at: usize| (some.start + some.step * at as isize) as u64;
        let placements = (0..some.slicelength).map(|at| self.layer.placement(rank(at)));
        let counts: Vec<u8> = placements.flat_map(|at| at.counts().to_vec()).collect();
        let places = 2 * self.layer.sheet().half;
        PyArray1::from_vec(py, counts).reshape([some.slicelength, places])
    }
}

/// Seeds and owners: what tables make a layer of.
type LayerParts = (usize, Option<String>);

/// The positions of a layer, one by one, as texts.
#[pyclass(module = "oware_db", name = "_Placements")]
pub struct Placements {
    layer: GeneralLayer,
    next: u64,
    /// The next ones, the last of them first.
    some: Vec<Placement>,
}

/// Positions that are made at once.
const AT_ONCE: u64 = 1 << 10;

#[pymethods]
impl Placements {
    fn __iter__(slf: PyRef<'_, Placements>) -> PyRef<'_, Placements> {
        slf
    }

    fn __next__(&mut self) -> Option<String> {
        let left = self.layer.positions() - self.next;
        if self.some.is_empty() && left > 0 {
            let count = left.min(AT_ONCE);
            self.some.extend(self.layer.placements(self.next, count as usize));
            self.next += count;
            self.some.reverse();
        }
        self.some.pop().map(|placement| placement.to_string())
    }
}

/// Returns what `oware moves --json` prints of a position of another game, as a dictionary; it
/// takes no tables.
#[pyfunction]
pub fn mancala_moves<'py>(
    py: Python<'py>,
    position: PlacementLike,
    rules: Text,
) -> PyResult<Bound<'py, PyAny>> {
    let sheet = sheet(&rules.0)?;
    let placement = position.placement(sheet)?;
    loads(py, &json(&sheet.moves(placement)))
}

/// Returns the ids of the sheets of the other games and what they stand for.
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

fn owners_of(sheet: &Sheet, text: Option<Text>) -> PyResult<u32> {
    match text {
        None => Ok(own_half(sheet.half)),
        Some(text) => sheet.parse_owners(&text.0).map_err(|error| exception(&error)),
    }
}

/// Reads positions: an array of whole numbers with the shape (N, places).
fn placements(sheet: &Sheet, boards: &Bound<'_, PyAny>, owners: u32) -> PyResult<Vec<Placement>> {
    let places = 2 * sheet.half;
    let shape = format!("(N, {places})");
    let counts = arrays::rows(boards, places, Expected { what: "boards", shape: &shape })?;
    let rows = counts.chunks_exact(places).enumerate();
    rows.map(|(at, counts)| {
        let seeds: usize = counts.iter().map(|&count| usize::from(count)).sum();
        if seeds > sheet.most || !sheet.has_layer(seeds) {
            let id = sheet.id;
            return Err(usage(format!("boards[{at}]: `{id}` has no positions of {seeds} seeds")));
        }
        Ok(Placement::new(counts).with_owners(owners))
    })
    .collect()
}

fn json(document: &impl serde::Serialize) -> String {
    serde_json::to_string(document).expect("documents have names for keys")
}

fn loads<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}
