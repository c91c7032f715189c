//! The class `Tables`.

use std::path::PathBuf;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use oware_db::Board;
use oware_db::engine::search::best_move;
use oware_db::error::Error;
use oware_db::game::{HOUSES, Rules, Seeds, final_score};
use oware_db::pool::Pool;
use oware_db::probe::{self, Prober};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::answers::{Line, Made, Probe, ScoredMove};
use crate::arguments::{Bytes, Ours, Path, SeedCount, Text, Whole};
use crate::batch::{self, Asked, Missing, Questions};
use crate::boards::{Boards, PositionLike};
use crate::errors::{exception, usage};
use crate::game::Game;
use crate::handle::Handle;
use crate::layer::Layer;
use crate::library;

/// A directory of tables, of one sheet.
///
/// Any number of threads may use it. Files are opened when they are first needed, and decoded
/// pieces of them stay in a cache of at most `cache` bytes. `with` closes it, and `close`. It can be
/// pickled, and used after a fork: another process opens the files itself.
#[pyclass(module = "oware_db", frozen)]
pub struct Tables {
    path: PathBuf,
    rules: &'static Rules,
    cache: Option<u64>,
    open: Handle<Open>,
}

/// Tables of a sheet that are open.
pub struct Open {
    pub tables: probe::Tables,
    pub rules: &'static Rules,
    probers: Pool<'static, Prober>,
}

impl Open {
    fn new(
        path: &std::path::Path,
        rules: &'static Rules,
        cache: Option<u64>,
    ) -> oware_db::Result<Open> {
        let tables = probe::Tables::open(path)?;
        let tables = match cache {
            Some(bytes) => tables.with_cache(bytes),
            None => tables,
        };
        let handle = tables.clone();
        Ok(Open { tables, rules, probers: Pool::new(move || Prober::new(&handle, rules)) })
    }

    fn probe(&self, board: &Board) -> oware_db::Result<Probe> {
        let ask = |prober: &mut Prober| Ok((prober.interval(board)?, prober.moves(board)?));
        let (interval, moves) = self.probers.with(ask)?;
        Ok(Probe::new(interval, &moves, final_score(self.rules, board).is_some()))
    }

    fn available(&self) -> oware_db::Result<Vec<Seeds>> {
        self.tables.available(self.rules)
    }
}

impl Questions for Asked<Open, Board> {
    type Tool = Prober;
    type Position = Board;

    fn tools(&self) -> &Pool<'static, Prober> {
        &self.open.probers
    }

    fn positions(&self) -> &[Board] {
        &self.positions
    }

    fn score(&self, prober: &mut Prober, board: &Board) -> oware_db::Result<(i8, i8)> {
        let found = prober.interval(board)?;
        Ok((found.low.get(), found.high.get()))
    }
}

#[pymethods]
impl Tables {
    #[new]
    #[pyo3(
        signature = (path, rules=Text::usual_rules(), cache=None),
        text_signature = "(path, rules='abapa', cache=None)"
    )]
    fn new(py: Python<'_>, path: Path, rules: Text, cache: Option<Bytes>) -> PyResult<Tables> {
        let (path, rules) = (path.0, library::rules(&rules.0)?);
        let (cache, dir) = (cache.map(|bytes| bytes.0), path.clone());
        let open = Handle::new(py, move || Open::new(&dir, rules, cache))?;
        Ok(Tables { path, rules, cache, open })
    }

    /// The directory.
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// The id of the rule sheet.
    #[getter]
    fn rules(&self) -> &'static str {
        self.rules.id
    }

    /// The layers that have a table, as numbers of seeds, fewest first.
    #[getter]
    fn seeds(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        let open = self.open.get(py)?;
        let available = library::call(py, || open.available())?;
        Ok(available.into_iter().map(Seeds::get).collect())
    }

    /// Returns the score of a position and of each of its moves, best first.
    fn probe(&self, py: Python<'_>, board: PositionLike) -> PyResult<Probe> {
        let open = self.open.get(py)?;
        library::call(py, || open.probe(&board.0.board))
    }

    /// Returns what `probe` does, or `default` if no table has the position or one of its moves.
    #[pyo3(signature = (board, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        board: PositionLike,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let open = self.open.get(py)?;
        let found = library::call(py, || Ok(open.probe(&board.0.board)))?;
        match found {
            Ok(found) => Ok(Some(Bound::new(py, found)?.into_any())),
            Err(Error::MissingTable { .. }) => Ok(default),
            Err(error) => Err(exception(&error)),
        }
    }

    /// Returns the scores of many positions: two arrays of int8, the lower and the upper bounds.
    ///
    /// `boards` is an array of whole numbers with shape (N, 12), the mover's row first. All
    /// processors work on it, other Python threads go on meanwhile, and Ctrl-C ends it.
    ///
    /// A position that no table has is an error, which names the first one. With `missing="mask"`
    /// such positions are masked instead, in masked arrays of numpy, and with a number that is no
    /// score, as in `missing=-128`, both bounds are that.
    #[pyo3(
        signature = (boards, missing=Missing::Error),
        text_signature = "($self, boards, missing='error')"
    )]
    fn probe_many<'py>(
        &self,
        py: Python<'py>,
        boards: Boards,
        missing: Missing,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        missing.check(Seeds::MAX.get())?;
        batch::scores(py, Asked { open: self.open.get(py)?, positions: boards.0 }, missing)
    }

    /// Returns the scores of the moves of many positions: two arrays of int8 with shape (N, 6), the
    /// lower and the upper bounds for each house of the mover, and an array of bool with the same
    /// shape that is true of the best moves.
    ///
    /// A score counts what the move captures, as in `probe`; it is -128 where the move is not legal.
    /// A move is best if it is certified to achieve the position's lower bound, as `oware query` marks,
    /// or the only one. `boards` is as in `probe_many`; a position that no table has is an error.
    #[pyo3(text_signature = "($self, boards)")]
    fn moves_many<'py>(&self, py: Python<'py>, boards: Boards) -> PyResult<MoveArrays<'py>> {
        let asked = Asked { open: self.open.get(py)?, positions: boards.0 };
        let ask = |_: &Asked<Open, Board>, prober: &mut Prober, board: &Board| {
            prober.moves(board).map(|moves| by_house(&moves))
        };
        let found = batch::answers(py, asked, [NO_MOVE; HOUSES], ask)?;
        let found = found.as_flattened();
        let count = found.len() / HOUSES;
        let bounds = |bound: fn(&HouseScore) -> i8| {
            PyArray1::from_iter(py, found.iter().map(bound)).reshape([count, HOUSES])
        };
        let best = PyArray1::from_iter(py, found.iter().map(|score| score.best));
        Ok((
            bounds(|score| score.low)?,
            bounds(|score| score.high)?,
            best.reshape([count, HOUSES])?,
        ))
    }

    /// Returns the move that collects what the tables promise in a game of the same sheet, given
    /// where play has been since the last capture; None if the game is over.
    ///
    /// A repetition is taken where it pays more. The scores of the move are those of fresh history,
    /// as `probe` has them.
    fn best(&self, py: Python<'_>, game: Ours<'_, Game>) -> PyResult<Option<ScoredMove>> {
        let game = game.0.get().now();
        if game.rules() != self.rules {
            let (theirs, ours) = (game.rules().id, self.rules.id);
            return Err(usage(format!(
                "the game is one of `{theirs}`, and the tables of `{ours}`"
            )));
        }
        let open = self.open.get(py)?;
        let ask = |prober: &mut Prober| best_move(prober, &game);
        let best = library::call(py, || open.probers.with(ask))?;
        Ok(best.as_ref().map(ScoredMove::from))
    }

    /// Returns a line of best play from a position, at most `limit` moves long.
    #[pyo3(signature = (board, limit=Whole(40)), text_signature = "($self, board, limit=40)")]
    fn line(&self, py: Python<'_>, board: PositionLike, limit: Whole) -> PyResult<Line> {
        let (open, limit) = (self.open.get(py)?, limit.count());
        let ask = |prober: &mut Prober| prober.line(&board.0.board, limit);
        library::call(py, || open.probers.with(ask)).map(Line::from)
    }

    /// Returns the figures of every layer that has a table, one dictionary each.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let open = self.open.get(py)?;
        let layers = library::call(py, || open.available())?;
        layers.into_iter().map(|seeds| layer_stats(py, &open, seeds)).collect()
    }

    /// Returns a layer, to be had as arrays.
    fn layer(slf: &Bound<'_, Tables>, seeds: SeedCount) -> PyResult<Layer> {
        Layer::new(Ours(slf.clone()), seeds)
    }

    /// Closes the files and frees what is decoded of them. Arrays and answers stay as they are. A
    /// closed directory answers nothing more; to close it again does no harm.
    fn close(&self, py: Python<'_>) {
        self.open.close(py);
    }

    fn __enter__<'py>(slf: &Bound<'py, Tables>) -> PyResult<Bound<'py, Tables>> {
        slf.get().open.get(slf.py())?;
        Ok(slf.clone())
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) {
        self.open.close(py);
    }

    /// What it is made of, for pickle.
    fn __reduce__<'py>(
        slf: &Bound<'py, Tables>,
    ) -> PyResult<Made<'py, (PathBuf, &'static str, Option<u64>)>> {
        let tables = slf.get();
        tables.open.get(slf.py())?;
        Ok((slf.get_type(), (tables.path(), tables.rules(), tables.cache)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let path = PyString::new(py, &self.path.to_string_lossy()).repr()?;
        let closed = if self.open.is_open(py) { "" } else { "closed " };
        let cache = self.cache.map(|bytes| format!(", cache={bytes}")).unwrap_or_default();
        Ok(format!("{closed}Tables({path}, rules=\"{}\"{cache})", self.rules.id))
    }
}

impl Tables {
    /// Returns what is open.
    pub fn opened(&self, py: Python<'_>) -> PyResult<std::sync::Arc<Open>> {
        self.open.get(py)
    }

    /// Returns the sheet.
    pub fn sheet(&self) -> &'static Rules {
        self.rules
    }
}

/// The bounds of the moves of each house, and which moves are best.
type MoveArrays<'py> =
    (Bound<'py, PyArray2<i8>>, Bound<'py, PyArray2<i8>>, Bound<'py, PyArray2<bool>>);

/// The score of a house's move.
#[derive(Clone, Copy)]
struct HouseScore {
    low: i8,
    high: i8,
    best: bool,
}

/// What stands for a move that is not legal.
const NO_MOVE: HouseScore = HouseScore { low: i8::MIN, high: i8::MIN, best: false };

fn by_house(moves: &[probe::ScoredMove]) -> [HouseScore; HOUSES] {
    let mut scores = [NO_MOVE; HOUSES];
    for scored in moves {
        let interval = scored.interval;
        let best = moves.len() == 1 || (scored.certified && interval.low == moves[0].interval.low);
        let (low, high) = (interval.low.get(), interval.high.get());
        scores[scored.played.house.index()] = HouseScore { low, high, best };
    }
    scores
}

fn layer_stats<'py>(py: Python<'py>, open: &Open, seeds: Seeds) -> PyResult<Bound<'py, PyDict>> {
    let table = library::call(py, || open.tables.require(open.rules, seeds))?;
    let stats = table.stats();
    let figures = PyDict::new(py);
    figures.set_item("seeds", stats.seeds.get())?;
    figures.set_item("positions", stats.positions)?;
    figures.set_item("range", table.range().clamp_end())?;
    figures.set_item("exact", stats.exact)?;
    figures.set_item("wins", stats.wins)?;
    figures.set_item("draws", stats.draws)?;
    figures.set_item("losses", stats.losses)?;
    figures.set_item("low_sum", stats.low_sum)?;
    figures.set_item("high_sum", stats.high_sum)?;
    figures.set_item("widest", stats.widest)?;
    figures.set_item("histogram", &stats.histogram)?;
    figures.set_item("bytes", stats.bytes)?;
    figures.set_item("exceptions", library::call(py, || table.exceptions_count())?)?;
    Ok(figures)
}
