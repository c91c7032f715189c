//! The class `Layer`: all positions with the same number of seeds, as arrays.

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use oware_db::game::{Rules, Seeds};
use oware_db::layer::{self, Plane, Rank};
use oware_db::probe;
use oware_db::solver::{InMemory, Kernel, Solver};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use rayon::prelude::*;

use crate::boards::{self, Boards, SeedCount};
use crate::errors::usage;
use crate::library::{self, frozen};
use crate::tables::Tables;

/// Boards that one task makes.
const TASK: usize = 1 << 16;

/// One score for each position of a layer.
type Scores = Py<PyArray1<i8>>;

/// All positions with the same number of seeds, in the order of their ranks.
///
/// `len(layer)` is their number. `low` and `high` have one byte for each; they are decoded when they
/// are first asked for, together with the layers below, and kept.
#[pyclass(module = "oware_db", frozen)]
pub struct Layer {
    tables: probe::Tables,
    rules: &'static Rules,
    layer: layer::Layer,
    bounds: PyOnceLock<[Scores; 2]>,
}

#[pymethods]
impl Layer {
    /// Makes the layer of so many seeds of a directory of tables.
    #[new]
    pub fn new(tables: &Tables, seeds: SeedCount) -> Layer {
        let (tables, rules) = (tables.tables.clone(), tables.rules);
        let layer = layer::Layer::of(rules, seeds.0);
        Layer { tables, rules, layer, bounds: PyOnceLock::new() }
    }

    fn __len__(&self) -> usize {
        self.layer.positions() as usize
    }

    /// The number of seeds on the board.
    #[getter]
    fn seeds(&self) -> usize {
        self.layer.seeds().get()
    }

    /// The id of the rule sheet.
    #[getter]
    fn rules(&self) -> &'static str {
        self.rules.id
    }

    /// Returns the positions with the ranks from `start` up to `stop`, not included: an array of
    /// uint8 with shape (stop - start, 12), the mover's row first. The whole layer if both are left
    /// out.
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
        let found = library::call(py, || {
            let mut houses = library::room(count.saturating_mul(12))?;
            houses.resize(12 * count, 0);
            houses.par_chunks_mut(12 * TASK).enumerate().for_each(|(task, houses)| {
                let boards = self.layer.boards(Rank(start + (task * TASK) as u64));
                for (houses, board) in houses.chunks_exact_mut(12).zip(boards) {
                    houses.copy_from_slice(&board.houses());
                }
            });
            Ok(houses)
        })?;
        PyArray1::from_vec(py, found).reshape([count, 12])
    }

    /// Returns the ranks of positions, as an array of uint64. They all have to be in the layer.
    fn rank<'py>(&self, py: Python<'py>, boards: Boards) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let outside = |at: usize| {
            let (seeds, board) = (self.seeds(), boards.0[at]);
            usage(format!("boards[{at}]: the layer of {seeds} seeds has no position {board}"))
        };
        let ranks = library::call(py, || {
            Ok(boards.0.par_iter().map(|board| self.layer.rank(board)).collect::<Vec<_>>())
        })?;
        let known = ranks.iter().enumerate();
        let known = known.map(|(at, rank)| rank.map(|rank| rank.0).ok_or_else(|| outside(at)));
        Ok(PyArray1::from_vec(py, known.collect::<PyResult<_>>()?))
    }

    /// Returns the positions with these ranks: an array of uint8 with shape (N, 12).
    fn unrank<'py>(
        &self,
        py: Python<'py>,
        ranks: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let ranks = self.ranks(ranks)?;
        let position = |&rank: &u64| self.layer.position(Rank(rank));
        let found = library::call(py, || Ok(ranks.par_iter().map(position).collect::<Vec<_>>()))?;
        let found = ranks.iter().zip(found).map(|(rank, position)| {
            position.ok_or_else(|| {
                let (seeds, positions) = (self.seeds(), self.layer.positions());
                usage(format!("the layer of {seeds} seeds has {positions} positions, no {rank}"))
            })
        });
        boards::array(py, found.collect::<PyResult<Vec<_>>>()?.into_iter())
    }

    /// The lower bounds, an array of int8 that cannot be written to.
    #[getter]
    fn low<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        Ok(self.bounds(py)?[0].bind(py).clone())
    }

    /// The upper bounds, an array of int8 that cannot be written to; the same array as `low` if
    /// all scores are exact.
    #[getter]
    fn high<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        Ok(self.bounds(py)?[1].bind(py).clone())
    }

    fn __repr__(&self) -> String {
        format!("Layer(seeds={}, rules=\"{}\")", self.seeds(), self.rules.id)
    }
}

impl Layer {
    fn bounds(&self, py: Python<'_>) -> PyResult<&[Scores; 2]> {
        self.bounds.get_or_try_init(py, || {
            let seeds = self.layer.seeds();
            let (low, high) = bounds(py, &self.tables, self.rules, seeds)?;
            let low = frozen(PyArray1::from_vec(py, low))?;
            let high = match high {
                Some(high) => frozen(PyArray1::from_vec(py, high))?,
                None => low.clone(),
            };
            Ok([low.unbind(), high.unbind()])
        })
    }

    /// Reads ranks: any array or sequence of whole numbers.
    fn ranks(&self, given: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
        if let Ok(array) = given.extract::<PyReadonlyArray1<'_, u64>>() {
            return Ok(array.as_array().to_vec());
        }
        if let Ok(array) = given.extract::<PyReadonlyArray1<'_, i64>>() {
            let known: Result<Vec<u64>, _> =
                array.as_array().iter().map(|&rank| u64::try_from(rank)).collect();
            return known.map_err(|_| usage("ranks are not negative"));
        }
        given.extract().map_err(|_| {
            PyTypeError::new_err("ranks are an array of int64 or uint64 with shape (N,)")
        })
    }
}

/// The bounds of a layer in rank order; the upper ones only if some differ.
type Bounds = (Vec<i8>, Option<Vec<i8>>);

/// Decodes the layers up to one, as [`probe::Tables::load`] does. Before each somebody may
/// interrupt.
fn bounds(
    py: Python<'_>,
    tables: &probe::Tables,
    rules: &'static Rules,
    seeds: Seeds,
) -> PyResult<Bounds> {
    let mut layers = InMemory::default();
    let mut solver = Solver::new(rules, Kernel::best());
    for seeds in seeds.up_to() {
        py.check_signals()?;
        library::call(py, || {
            let table = tables.require(rules, seeds)?;
            let stored = table.load_stored()?;
            layers.push(solver.complete(stored, table.settlement()?, &layers)?);
            Ok(())
        })?;
    }
    let solved = &layers.layers()[seeds.get()];
    library::call(py, || Ok((bytes(&solved.low)?, solved.high.as_ref().map(bytes).transpose()?)))
}

fn bytes(plane: &Plane) -> oware_db::Result<Vec<i8>> {
    let positions = plane.layer().positions() as usize;
    let mut found = library::room(positions)?;
    found.resize(positions, 0);
    plane.copy_from_rank(Rank(0), &mut found);
    Ok(found)
}
