//! The class `Tables`, and what it answers.

use std::path::PathBuf;

use numpy::PyArray1;
use oware_db::engine::search::best_move;
use oware_db::game::{Interval, Rules, Seeds, final_score};
use oware_db::pool::Pool;
use oware_db::probe::{self, LineEnd, Prober};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use rayon::prelude::*;

use crate::boards::{Boards, PositionLike, SeedCount};
use crate::errors::usage;
use crate::game::Game;
use crate::layer::Layer;
use crate::library;

/// Positions that one task probes.
const TASK: usize = 1 << 12;

/// Positions that are probed before somebody may interrupt.
const PIECE: usize = 1 << 20;

/// A directory of tables, of one sheet.
///
/// Any number of threads may use it. Files are opened when they are first needed, and decoded
/// pieces of them stay in a cache of at most `cache` bytes. It can be pickled: another process opens
/// the files itself.
#[pyclass(module = "oware_db", frozen)]
pub struct Tables {
    pub tables: probe::Tables,
    pub rules: &'static Rules,
    cache: Option<u64>,
    probers: Pool<'static, Prober>,
}

#[pymethods]
impl Tables {
    #[new]
    #[pyo3(signature = (path, rules="abapa", cache=None))]
    fn new(py: Python<'_>, path: PathBuf, rules: &str, cache: Option<u64>) -> PyResult<Tables> {
        let rules = library::rules(rules)?;
        let mut tables = library::call(py, || probe::Tables::open(path))?;
        if let Some(bytes) = cache {
            tables = tables.with_cache(bytes);
        }
        let handle = tables.clone();
        let probers = Pool::new(move || Prober::new(&handle, rules));
        Ok(Tables { tables, rules, cache, probers })
    }

    /// The directory.
    #[getter]
    fn path(&self) -> PathBuf {
        self.tables.dir().to_owned()
    }

    /// The id of the rule sheet.
    #[getter]
    fn rules(&self) -> &'static str {
        self.rules.id
    }

    /// The layers that have a table, as numbers of seeds, fewest first.
    #[getter]
    fn seeds(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        Ok(self.available(py)?.into_iter().map(Seeds::get).collect())
    }

    /// Returns the score of a position and of each of its moves, best first.
    fn probe(&self, py: Python<'_>, board: PositionLike) -> PyResult<Probe> {
        let board = board.0.board;
        let ask = |prober: &mut Prober| Ok((prober.interval(&board)?, prober.moves(&board)?));
        let (interval, moves) = library::call(py, || self.probers.with(ask))?;
        let moves = moves.into_iter().map(ScoredMove).collect();
        Ok(Probe { interval, moves, over: final_score(self.rules, &board).is_some() })
    }

    /// Returns the scores of many positions: two arrays of int8, the lower and the upper bounds.
    ///
    /// `boards` is an array of uint8 with shape (N, 12), the mover's row first. All processors
    /// work on it, and other Python threads go on meanwhile.
    fn probe_many<'py>(&self, py: Python<'py>, boards: Boards) -> PyResult<TwoArrays<'py>> {
        let (mut low, mut high) = (vec![0; boards.0.len()], vec![0; boards.0.len()]);
        let pieces = low.chunks_mut(PIECE).zip(high.chunks_mut(PIECE));
        for (at, (boards, (low, high))) in boards.0.chunks(PIECE).zip(pieces).enumerate() {
            library::call(py, || self.fill(at * PIECE, boards, low, high))?;
            py.check_signals()?;
        }
        Ok((PyArray1::from_vec(py, low), PyArray1::from_vec(py, high)))
    }

    /// Returns the move that collects what the tables promise in a game of the same sheet, given
    /// where play has been since the last capture; None if the game is over.
    ///
    /// A repetition is taken where it pays more. The scores of the move are those of fresh history,
    /// as `probe` has them.
    fn best(&self, py: Python<'_>, game: &Bound<'_, Game>) -> PyResult<Option<ScoredMove>> {
        let game = game.get().now();
        if game.rules() != self.rules {
            let (theirs, ours) = (game.rules().id, self.rules.id);
            return Err(usage(format!(
                "the game is one of `{theirs}`, and the tables of `{ours}`"
            )));
        }
        let ask = |prober: &mut Prober| best_move(prober, &game);
        let best = library::call(py, || self.probers.with(ask))?;
        Ok(best.map(ScoredMove))
    }

    /// Returns a line of best play from a position, at most `limit` moves long.
    #[pyo3(signature = (board, limit=40))]
    fn line(&self, py: Python<'_>, board: PositionLike, limit: usize) -> PyResult<Line> {
        let ask = |prober: &mut Prober| prober.line(&board.0.board, limit);
        library::call(py, || self.probers.with(ask)).map(Line)
    }

    /// Returns the figures of every layer that has a table, one dictionary each.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.available(py)?.into_iter().map(|seeds| self.layer_stats(py, seeds)).collect()
    }

    /// Returns a layer, to be had as arrays.
    fn layer(&self, seeds: SeedCount) -> Layer {
        Layer::new(self, seeds)
    }

    /// What it is made of, for pickle.
    fn __reduce__<'py>(
        slf: &Bound<'py, Tables>,
    ) -> (Bound<'py, PyType>, (PathBuf, &'static str, Option<u64>)) {
        let tables = slf.get();
        (slf.get_type(), (tables.path(), tables.rules(), tables.cache))
    }

    fn __repr__(&self) -> String {
        format!("Tables({:?}, rules=\"{}\")", self.tables.dir(), self.rules.id)
    }
}

/// Lower and upper bounds.
type TwoArrays<'py> = (Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<i8>>);

impl Tables {
    fn available(&self, py: Python<'_>) -> PyResult<Vec<Seeds>> {
        library::call(py, || self.tables.available(self.rules))
    }

    /// Probes boards, the first of which has the number `first`.
    fn fill(
        &self,
        first: usize,
        boards: &[oware_db::Board],
        low: &mut [i8],
        high: &mut [i8],
    ) -> oware_db::Result<()> {
        let bounds = low.par_chunks_mut(TASK).zip(high.par_chunks_mut(TASK));
        let tasks = boards.par_chunks(TASK).zip(bounds).enumerate();
        tasks.try_for_each(|(task, (boards, (low, high)))| {
            self.probers.with(|prober| {
                for (at, board) in boards.iter().enumerate() {
                    let number = first + task * TASK + at;
                    let found = prober.interval(board);
                    let Interval { low: least, high: most } =
                        found.map_err(|error| numbered(number, error))?;
                    (low[at], high[at]) = (least.get(), most.get());
                }
                Ok(())
            })
        })
    }

    fn layer_stats<'py>(&self, py: Python<'py>, seeds: Seeds) -> PyResult<Bound<'py, PyDict>> {
        let table = library::call(py, || self.tables.require(self.rules, seeds))?;
        let stats = table.stats();
        let figures = PyDict::new(py);
        figures.set_item("seeds", stats.seeds.get())?;
        figures.set_item("positions", stats.positions)?;
        figures.set_item("exact", stats.exact)?;
        figures.set_item("wins", stats.wins)?;
        figures.set_item("draws", stats.draws)?;
        figures.set_item("losses", stats.losses)?;
        figures.set_item("low_sum", stats.low_sum)?;
        figures.set_item("high_sum", stats.high_sum)?;
        figures.set_item("widest", stats.widest)?;
        figures.set_item("histogram", &stats.histogram)?;
        figures.set_item("bytes", stats.bytes)?;
        Ok(figures)
    }
}

/// Says which of many positions a mistake is in. What is wrong with tables is not the position's.
fn numbered(number: usize, error: oware_db::Error) -> oware_db::Error {
    match error {
        oware_db::Error::Notation { what } => {
            oware_db::Error::Notation { what: format!("boards[{number}]: {what}") }
        }
        error => error,
    }
}

/// What the tables know of a position.
#[pyclass(module = "oware_db", frozen)]
pub struct Probe {
    interval: Interval,
    moves: Vec<ScoredMove>,
    over: bool,
}

#[pymethods]
impl Probe {
    /// What the mover gets at least: seeds still to come minus the opponent's.
    #[getter]
    fn low(&self) -> i8 {
        self.interval.low.get()
    }

    /// What the mover gets at most.
    #[getter]
    fn high(&self) -> i8 {
        self.interval.high.get()
    }

    /// The score; None if the bounds differ.
    #[getter]
    fn value(&self) -> Option<i8> {
        self.interval.value().map(|score| score.get())
    }

    /// The legal moves, best first; none if the game is over.
    #[getter]
    fn moves(&self) -> Vec<ScoredMove> {
        self.moves.clone()
    }

    /// Whether the player to move has no move.
    #[getter]
    fn over(&self) -> bool {
        self.over
    }

    fn __repr__(&self) -> String {
        let houses: String = self.moves.iter().map(ScoredMove::house).collect();
        format!("Probe({}, moves=\"{houses}\")", self.interval)
    }
}

/// A legal move and its score, from the seat of the player who makes it.
#[pyclass(module = "oware_db", frozen)]
#[derive(Clone, Copy)]
pub struct ScoredMove(probe::ScoredMove);

#[pymethods]
impl ScoredMove {
    /// The house that is emptied, "A" to "F".
    #[getter]
    fn house(&self) -> char {
        self.0.played.house.letter()
    }

    /// The seeds that are captured.
    #[getter]
    fn captured(&self) -> u8 {
        self.0.played.captured
    }

    /// What the move brings at least, its capture included.
    #[getter]
    fn low(&self) -> i8 {
        self.0.interval.low.get()
    }

    /// What the move brings at most.
    #[getter]
    fn high(&self) -> i8 {
        self.0.interval.high.get()
    }

    /// Both bounds.
    #[getter]
    fn interval(&self) -> (i8, i8) {
        (self.low(), self.high())
    }

    /// The score; None if the bounds differ.
    #[getter]
    fn value(&self) -> Option<i8> {
        self.0.interval.value().map(|score| score.get())
    }

    /// Whether `low` is secured by this move and the strategy of the tables.
    #[getter]
    fn certified(&self) -> bool {
        self.0.certified
    }

    /// The board that results, as an array of uint8, from the next player's seat.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_slice(py, &self.0.played.next.houses())
    }

    fn __repr__(&self) -> String {
        let certified = if self.certified() { ", certified" } else { "" };
        let (house, captured) = (self.house(), self.captured());
        format!("ScoredMove({house}, {}, captured={captured}{certified})", self.0.interval)
    }
}

/// A line of best play.
#[pyclass(module = "oware_db", frozen)]
pub struct Line(probe::Line);

#[pymethods]
impl Line {
    /// The letters of the moves: "A" to "F" for the player who moves first, "a" to "f" for the
    /// other.
    #[getter]
    fn moves(&self) -> Vec<char> {
        self.0.letters().collect()
    }

    /// The seeds that each move captures.
    #[getter]
    fn captured(&self) -> Vec<u8> {
        self.0.moves.iter().map(|&(_, captured)| captured).collect()
    }

    /// Why there is no further move: "game over", "cycle" or "limit".
    #[getter]
    fn ends(&self) -> &'static str {
        match self.0.ends {
            LineEnd::GameOver => "game over",
            LineEnd::Cycle { .. } => "cycle",
            LineEnd::Limit => "limit",
        }
    }

    /// How many moves lead to the cycle; None if the line does not end in one.
    #[getter]
    fn cycle_after(&self) -> Option<usize> {
        let LineEnd::Cycle { after } = self.0.ends else { return None };
        Some(after)
    }

    fn __repr__(&self) -> String {
        let letters: String = self.0.letters().collect();
        format!("Line(\"{letters}\", {})", self.ends())
    }
}
