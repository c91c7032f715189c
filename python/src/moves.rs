//! Moves, without tables: `moves`, `perft`, `sheets`.

use numpy::PyArray1;
use oware_db::game::{self, Board, House, Rules, SHEETS, legal_moves};
use pyo3::prelude::*;

use crate::answers::{HouseLike, Made, captured_seeds};
use crate::arguments::{Text, Whole};
use crate::boards::PositionLike;
use crate::errors::usage;
use crate::library;

/// A legal move, and the board that it leads to.
#[pyclass(module = "oware_db", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub struct Move {
    house: House,
    captured: u8,
    board: Board,
}

impl From<game::Move> for Move {
    fn from(found: game::Move) -> Move {
        Move { house: found.house, captured: found.captured, board: found.next }
    }
}

#[pymethods]
impl Move {
    #[new]
    fn of(house: HouseLike, captured: Whole, board: PositionLike) -> PyResult<Move> {
        let board = board.0.board;
        Ok(Move { house: house.0, captured: captured_seeds(&captured, &board)?, board })
    }

    /// The house that is emptied, "A" to "F", from the mover's left to right.
    #[getter]
    fn house(&self) -> char {
        self.house.letter()
    }

    /// The seeds that are captured.
    #[getter]
    fn captured(&self) -> u8 {
        self.captured
    }

    /// The board that results, as an array of uint8, from the next player's seat.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_slice(py, &self.board.houses())
    }

    /// What it is made of, for pickle and copy.
    fn __reduce__<'py>(slf: &Bound<'py, Move>) -> Made<'py, (char, u8, String)> {
        let found = slf.get();
        (slf.get_type(), (found.house(), found.captured, found.board.to_string()))
    }

    fn __repr__(&self) -> String {
        let Move { captured, board, .. } = self;
        format!("Move(\"{}\", captured={captured}, board=\"{board}\")", self.house())
    }
}

/// Returns the legal moves of a position, by house; it takes no tables.
#[pyfunction]
#[pyo3(signature = (position, rules=Text::usual_rules()), text_signature = "(position, rules='abapa')")]
pub fn moves(position: PositionLike, rules: Text) -> PyResult<Vec<Move>> {
    let rules = library::rules(&rules.0)?;
    Ok(legal_moves(rules, &position.0.board).iter().map(Move::from).collect())
}

/// The longest paths that `perft` counts, as the command line has it.
const LONGEST: u64 = 100;

/// Moves that are counted at a stretch: some ten thousand paths, a few milliseconds.
const STRETCH: u32 = 5;

/// Returns the number of move paths of a length, at most 100, from a position. Ctrl-C ends it.
#[pyfunction]
#[pyo3(
    signature = (position, depth, rules=Text::usual_rules()),
    text_signature = "(position, depth, rules='abapa')"
)]
pub fn perft(py: Python<'_>, position: PositionLike, depth: Whole, rules: Text) -> PyResult<u64> {
    if depth.0 > LONGEST {
        return Err(usage(format!("depth {} is not in 0..={LONGEST}", depth.0)));
    }
    paths(py, library::rules(&rules.0)?, &position.0.board, depth.0 as u32)
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
    moves.map(Move::from).collect()
}
