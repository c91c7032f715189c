//! Moves, without tables: `moves`, `perft`, `sheets`.

use numpy::PyArray1;
use oware_db::game::{self, Board, Rules, SHEETS, legal_moves};
use pyo3::prelude::*;

use crate::boards::PositionLike;
use crate::errors::usage;
use crate::library;

/// A legal move, and the board that it leads to.
#[pyclass(module = "oware_db", frozen)]
pub struct Move(game::Move);

#[pymethods]
impl Move {
    /// The house that is emptied, "A" to "F", from the mover's left to right.
    #[getter]
    fn house(&self) -> char {
        self.0.house.letter()
    }

    /// The seeds that are captured.
    #[getter]
    fn captured(&self) -> u8 {
        self.0.captured
    }

    /// The board that results, as an array of uint8, from the next player's seat.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_slice(py, &self.0.next.houses())
    }

    fn __repr__(&self) -> String {
        format!("Move({}, captured={}, board=\"{}\")", self.house(), self.captured(), self.0.next)
    }
}

/// Returns the legal moves of a position, by house; it takes no tables.
#[pyfunction]
#[pyo3(signature = (position, rules="abapa"))]
pub fn moves(position: PositionLike, rules: &str) -> PyResult<Vec<Move>> {
    let rules = library::rules(rules)?;
    Ok(legal_moves(rules, &position.0.board).iter().map(Move).collect())
}

/// The longest paths that `perft` counts, as the command line has it.
const LONGEST: u32 = 100;

/// Moves that are counted at a stretch: some ten thousand paths, a few milliseconds.
const STRETCH: u32 = 5;

/// Returns the number of move paths of a length, at most 100, from a position. Ctrl-C ends it.
#[pyfunction]
#[pyo3(signature = (position, depth, rules="abapa"))]
pub fn perft(py: Python<'_>, position: PositionLike, depth: u32, rules: &str) -> PyResult<u64> {
    if depth > LONGEST {
        return Err(usage(format!("depth {depth} is not in 0..={LONGEST}")));
    }
    paths(py, library::rules(rules)?, &position.0.board, depth)
}

fn paths(py: Python<'_>, rules: &'static Rules, board: &Board, depth: u32) -> PyResult<u64> {
    if depth <= STRETCH {
        py.check_signals()?;
        return library::call(py, || Ok(game::perft(rules, board, depth)));
    }
    let moves = legal_moves(rules, board);
    moves.iter().map(|found| paths(py, rules, &found.next, depth - 1)).sum()
}

/// Returns the ids of the rule sheets and what they stand for.
#[pyfunction]
pub fn sheets() -> Vec<(&'static str, &'static str)> {
    SHEETS.iter().map(|rules| (rules.id, rules.title)).collect()
}

/// Returns moves as Python sees them.
pub fn list(moves: impl Iterator<Item = game::Move>) -> Vec<Move> {
    moves.map(Move).collect()
}
