//! The class `Position`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use numpy::PyArray1;
use oware_db::game;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::boards::PositionLike;

/// A position: the board, who is to move, and, where known, what has been captured.
///
/// It is read from a text in each of the three forms of the command line, or from twelve numbers,
/// the mover's row first; `str` writes the engines' form.
#[pyclass(module = "oware_db", frozen, eq)]
#[derive(PartialEq, Eq, Hash)]
pub struct Position(pub game::Position);

#[pymethods]
impl Position {
    #[new]
    fn new(position: PositionLike) -> Position {
        Position(position.0)
    }

    /// The start of every game: four seeds in every house, South to move.
    #[staticmethod]
    fn initial() -> Position {
        Position(game::Position::INITIAL)
    }

    /// The twelve houses, A B C D E F a b c d e f, as an array of uint8; the mover's row first.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_slice(py, &self.0.board.houses())
    }

    /// The number of seeds on the board.
    #[getter]
    fn seeds(&self) -> usize {
        self.0.board.seeds().get()
    }

    /// What the mover and the opponent have captured; None if that is not known.
    #[getter]
    fn stores(&self) -> Option<(u8, u8)> {
        self.0.stores.map(|stores| (stores.mover, stores.opponent))
    }

    /// Who is to move, "South" or "North".
    #[getter]
    fn seat(&self) -> String {
        self.0.seat.to_string()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    pub fn __repr__(&self) -> String {
        format!("Position(\"{}\")", self.text())
    }

    /// What it is made of, for pickle and copy.
    fn __reduce__<'py>(slf: &Bound<'py, Position>) -> (Bound<'py, PyType>, (String,)) {
        (slf.get_type(), (slf.get().text(),))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the board as numpy asks for it, so that `np.asarray(position)` has the shape (12,).
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // The array is always a new one.
        let _ = copy;
        let board = self.board(py).into_any();
        dtype.map_or(Ok(board.clone()), |dtype| board.call_method1("astype", (dtype,)))
    }
}

impl Position {
    /// A text that the position can be read from.
    fn text(&self) -> String {
        match self.0.stores {
            Some(_) => self.0.to_string(),
            None => self.0.board.to_string(),
        }
    }
}
