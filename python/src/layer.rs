//! The class `Layer`: all positions with the same number of seeds, as a sequence and as arrays.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use oware_db::Board;
use oware_db::game::{self, Interval, Rules, Score, Seeds, final_score};
use oware_db::layer::{self, Plane, Rank, Solved};
use oware_db::pool::{Pool, on_own_threads};
use oware_db::solver::{InMemory, Kernel, Observer, Solver};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PySlice;
use rayon::prelude::*;

use crate::answers::Made;
use crate::arguments::{Ours, Path, SeedCount, Whole};
use crate::arrays::{self, frozen};
use crate::boards::{Boards, PositionLike};
use crate::errors::usage;
use crate::frames;
use crate::library::{self, Caller};
use crate::position::Position;
use crate::tables::{Open, Tables};

/// Boards that one task makes, and that the calling thread makes if there are no more.
const TASK: usize = 1 << 16;

/// One score for each position of a layer.
type Scores = Py<PyArray1<i8>>;

/// All positions with the same number of seeds, in the order of their ranks.
///
/// `len(layer)` is their number, `layer[rank]` one of them as a `Position`, `layer[start:stop]` some
/// as an array of uint8. `low` and `high` have one byte for each; they are decoded when they are first
/// asked for, together with the layers below, and kept. Where the table is clamped (`range`) they are
/// what is known, as of `probe`: `high` is `seeds` of a score that is at least `range`, and `low` is
/// `-seeds` of one that is at most `-range`.
#[pyclass(module = "oware_db", frozen)]
pub struct Layer {
    tables: Py<Tables>,
    layer: layer::Layer,
    /// Locked only with Python's lock held, so never when a process forks.
    bounds: Mutex<Option<[Scores; 2]>>,
}

#[pymethods]
impl Layer {
    /// Makes the layer of so many seeds of a directory of tables.
    #[new]
    pub fn new(tables: Ours<'_, Tables>, seeds: SeedCount) -> PyResult<Layer> {
        tables.0.get().opened(tables.0.py())?;
        let layer = layer::Layer::of(tables.0.get().sheet(), seeds.0);
        Ok(Layer { tables: tables.0.unbind(), layer, bounds: Mutex::new(None) })
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
        self.sheet().id
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
        let board = u64::try_from(rank).ok().and_then(|rank| self.layer.position(Rank(rank)));
        let outside = || {
            let seeds = self.seeds();
            PyIndexError::new_err(format!(
                "the layer of {seeds} seeds has {positions} positions, no {number}"
            ))
        };
        let position = Position(game::Position::from(board.ok_or_else(outside)?));
        Ok(Bound::new(py, position)?.into_any())
    }

    /// Returns the positions one by one.
    fn __iter__(slf: &Bound<'_, Layer>) -> Positions {
        Positions { layer: slf.get().layer, next: 0, some: Vec::new() }
    }

    /// Returns whether the layer has a position.
    fn __contains__(&self, position: PositionLike) -> bool {
        self.layer.rank(&position.0.board).is_some()
    }

    /// Returns the positions with the ranks from `start` up to `stop`, not included: an array of
    /// uint8 with shape (stop - start, 12), the mover's row first. The whole layer if both are left
    /// out.
    #[pyo3(signature = (start=Whole(0), stop=None), text_signature = "($self, start=0, stop=None)")]
    fn boards<'py>(
        &self,
        py: Python<'py>,
        start: Whole,
        stop: Option<Whole>,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let (layer, positions) = (self.layer, self.layer.positions());
        let stop = stop.map_or(positions, |stop| stop.0).min(positions);
        let count = stop.saturating_sub(start.0) as usize;
        let fill = move |houses: &mut [u8], first: u64| {
            let boards = layer.boards(Rank(first));
            for (houses, board) in houses.chunks_exact_mut(12).zip(boards) {
                houses.copy_from_slice(&board.houses());
            }
        };
        let found = made(py, count, move |caller| {
            let mut houses = library::filled(count.saturating_mul(12), 0)?;
            if count <= TASK {
                fill(&mut houses, start.0);
                return Ok(houses);
            }
            let tasks = houses.par_chunks_mut(12 * TASK).enumerate();
            on_own_threads(tasks.len(), || {
                tasks.try_for_each(|(task, houses)| {
                    fill(houses, start.0 + (task * TASK) as u64);
                    caller.go_on()
                })
            })??;
            Ok(houses)
        })?;
        PyArray1::from_vec(py, found).reshape([count, 12])
    }

    /// Returns the ranks of positions, as an array of uint64. They all have to be in the layer.
    fn rank<'py>(&self, py: Python<'py>, boards: Boards) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let (layer, boards) = (self.layer, boards.0);
        let ranks = made(py, boards.len(), move |caller| {
            let mut ranks = library::filled(boards.len(), 0)?;
            let done = Pool::new(|| ()).answer_all(&boards, &mut ranks, |(), at, board: &Board| {
                caller.go_on().map_err(Wrong::Failed)?;
                let wrong = || Wrong::Item(at, board.to_string());
                layer.rank(board).map(|rank| rank.0).ok_or_else(wrong)
            });
            Ok(done.map(|()| ranks))
        })?;
        let seeds = self.seeds();
        let ranks = ranks.map_err(|wrong| {
            wrong.exception(|at, board| {
                format!("boards[{at}]: the layer of {seeds} seeds has no position {board}")
            })
        })?;
        Ok(PyArray1::from_vec(py, ranks))
    }

    /// Returns the positions with these ranks, an array of whole numbers: an array of uint8 with
    /// shape (N, 12).
    fn unrank<'py>(
        &self,
        py: Python<'py>,
        ranks: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let (layer, ranks) = (self.layer, arrays::ranks(ranks)?);
        let boards = made(py, ranks.len(), move |caller| {
            let any = layer.position(Rank(0)).expect("every layer has positions");
            let mut boards = library::filled(ranks.len(), any)?;
            let done = Pool::new(|| ()).answer_all(&ranks, &mut boards, |(), at, &rank: &u64| {
                caller.go_on().map_err(Wrong::Failed)?;
                layer.position(Rank(rank)).ok_or_else(|| Wrong::Item(at, rank.to_string()))
            });
            Ok(done.map(|()| boards))
        })?;
        let (seeds, positions) = (self.seeds(), self.layer.positions());
        let boards = boards.map_err(|wrong| {
            wrong.exception(|at, rank| {
                format!(
                    "ranks[{at}]: the layer of {seeds} seeds has {positions} positions, no {rank}"
                )
            })
        })?;
        arrays::of_boards(py, boards.into_iter())
    }

    /// The largest score that the table distinguishes, if it is clamped (`oware build --game-seeds`);
    /// None if it holds full scores.
    #[getter]
    fn range(&self, py: Python<'_>) -> PyResult<Option<i8>> {
        let (open, seeds) = (self.tables.get().opened(py)?, self.layer.seeds());
        library::call(py, || Ok(open.tables.require(open.rules, seeds)?.range().clamp_end()))
    }

    /// The lower bounds, an array of int8 that cannot be written to.
    #[getter]
    fn low<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let [low, _] = self.bounds(py)?;
        Ok(low)
    }

    /// The upper bounds, an array of int8 that cannot be written to; the same array as `low` if
    /// all scores are exact.
    #[getter]
    fn high<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let [_, high] = self.bounds(py)?;
        Ok(high)
    }

    /// Returns the layer as a data frame of pandas, which has to be installed: a row for each
    /// position, with its rank as index.
    fn to_frame<'py>(slf: &Bound<'py, Layer>) -> PyResult<Bound<'py, PyAny>> {
        frames::frame(slf.as_any())
    }

    /// Returns the layer as a table of Arrow, for which pyarrow has to be installed.
    fn to_arrow<'py>(slf: &Bound<'py, Layer>) -> PyResult<Bound<'py, PyAny>> {
        frames::arrow(slf.as_any())
    }

    /// Writes the layer as a Parquet file, for which pyarrow has to be installed. The file gets its
    /// name when it is complete.
    fn to_parquet(slf: &Bound<'_, Layer>, path: Path) -> PyResult<()> {
        frames::parquet(slf.as_any(), path.0)
    }

    /// The names of the places of the board, in order.
    #[getter]
    fn _places(&self) -> Vec<String> {
        frames::places(6, |place| char::from(b'a' + place as u8).to_string())
    }

    /// What it is made of, for pickle and copy: the arrays do not go along.
    fn __reduce__<'py>(slf: &Bound<'py, Layer>) -> Made<'py, (Py<Tables>, usize)> {
        let layer = slf.get();
        (slf.get_type(), (layer.tables.clone_ref(slf.py()), layer.seeds()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let tables = self.tables.bind(py).repr()?;
        Ok(format!("Layer({tables}, seeds={})", self.seeds()))
    }
}

/// Does work on so many items, with an eye on Ctrl-C if they are many.
fn made<T: Send + 'static>(
    py: Python<'_>,
    count: usize,
    work: impl FnOnce(&Caller<()>) -> oware_db::Result<T> + Send + 'static,
) -> PyResult<T> {
    match count <= TASK {
        true => library::call(py, || work(&Caller::alone())),
        false => library::patiently(py, 1, work),
    }
}

/// Why many items are not answered.
enum Wrong {
    /// One is not of the layer.
    Item(usize, String),
    Failed(oware_db::Error),
}

impl From<oware_db::Error> for Wrong {
    fn from(error: oware_db::Error) -> Wrong {
        Wrong::Failed(error)
    }
}

impl Wrong {
    fn exception(self, text: impl FnOnce(usize, String) -> String) -> PyErr {
        match self {
            Wrong::Item(at, item) => usage(text(at, item)),
            Wrong::Failed(error) => crate::errors::exception(&error),
        }
    }
}

/// The positions of a layer, one by one.
#[pyclass(module = "oware_db", name = "_Positions")]
pub struct Positions {
    layer: layer::Layer,
    next: u64,
    /// The next ones, the last of them first.
    some: Vec<Board>,
}

/// Positions that are made at once.
const AT_ONCE: usize = 1 << 10;

#[pymethods]
impl Positions {
    fn __iter__(slf: PyRef<'_, Positions>) -> PyRef<'_, Positions> {
        slf
    }

    fn __next__(&mut self) -> Option<Position> {
        if self.some.is_empty() {
            self.some.extend(self.layer.boards(Rank(self.next)).take(AT_ONCE));
            self.next += self.some.len() as u64;
            self.some.reverse();
        }
        self.some.pop().map(|board| Position(game::Position::from(board)))
    }
}

impl Layer {
    fn sheet(&self) -> &'static Rules {
        self.tables.get().sheet()
    }

    /// The boards of a slice.
    fn some<'py>(
        &self,
        py: Python<'py>,
        slice: &Bound<'py, PySlice>,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let wrong = |_| usage("a layer is sliced by whole numbers, and steps other than 0");
        let some = slice.indices(self.__len__() as isize).map_err(wrong)?;
        if some.step == 1 {
            let (start, count) = (some.start as u64, some.slicelength as u64);
            return self.boards(py, Whole(start), Some(Whole(start + count)));
        }
        let rank = |at: usize| Rank((some.start + some.step * at as isize) as u64);
        let boards = (0..some.slicelength)
            .map(|at| self.layer.position(rank(at)).expect("a slice of the layer"));
        arrays::of_boards(py, boards)
    }

    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyArray1<i8>>; 2]> {
        let kept = |held: &Option<[Scores; 2]>| {
            held.as_ref().map(|held| held.each_ref().map(|bound| bound.bind(py).clone()))
        };
        if let Some(bounds) = kept(&self.held(py)) {
            return Ok(bounds);
        }
        let (open, seeds) = (self.tables.get().opened(py)?, self.layer.seeds());
        let (low, high) =
            library::patiently(py, usize::MAX, move |caller| bounds(&open, seeds, caller))?;
        let low = frozen(PyArray1::from_vec(py, low))?;
        let high = match high {
            Some(high) => frozen(PyArray1::from_vec(py, high))?,
            None => low.clone(),
        };
        let mut held = self.held(py);
        // Another thread may have been faster; both get the same arrays.
        held.get_or_insert_with(|| [low.unbind(), high.unbind()]);
        Ok(kept(&held).expect("they are there"))
    }

    fn held(&self, _: Python<'_>) -> MutexGuard<'_, Option<[Scores; 2]>> {
        self.bounds.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bounds of a layer in rank order; the upper ones only if some differ.
type Bounds = (Vec<i8>, Option<Vec<i8>>);

/// Decodes the layers up to one, as [`oware_db::Tables::load`] does.
fn bounds(open: &Open, seeds: Seeds, caller: &Caller<()>) -> oware_db::Result<Bounds> {
    let mut layers = InMemory::default();
    let mut solver = Solver::new(open.rules, Kernel::best());
    for seeds in seeds.up_to() {
        caller.go_on()?;
        let table = open.tables.require(open.rules, seeds)?;
        let (stored, settlement) = (table.load_stored()?, table.settlement()?);
        let whole = solver.complete(stored, settlement, &layers, caller)?;
        layers.push(Solved { knots: None, ..whole });
    }
    let solved = &layers.layers()[seeds.get()];
    let (mut low, range) = (bytes(&solved.low)?, solved.layer().range());
    if range.is_full() {
        return Ok((low, solved.high.as_ref().map(bytes).transpose()?));
    }
    let mut high = bytes(solved.high())?;
    let tasks = low.par_chunks_mut(TASK).zip(high.par_chunks_mut(TASK)).enumerate();
    tasks.try_for_each(|(task, (low, high))| {
        let boards = solved.layer().boards(Rank((task * TASK) as u64));
        for ((low, high), board) in low.iter_mut().zip(high).zip(boards) {
            let bounds = Interval { low: Score::new(*low), high: Score::new(*high) };
            // Of a finished game all is known.
            let over = final_score(open.rules, &board).map(Interval::exact);
            let known = over.unwrap_or_else(|| range.known(bounds));
            (*low, *high) = (known.low.get(), known.high.get());
        }
        caller.go_on()
    })?;
    Ok((low, Some(high)))
}

impl Observer for Caller<()> {
    fn interrupted(&self) -> bool {
        self.has_ended()
    }
}

fn bytes(plane: &Plane) -> oware_db::Result<Vec<i8>> {
    let mut found = library::filled(plane.layer().positions() as usize, 0)?;
    plane.copy_from_rank(Rank(0), &mut found);
    Ok(found)
}
