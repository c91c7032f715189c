//! Boards as Python writes them: one in any form, many as an array.

use numpy::{PyArray2, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use oware_db::game;
use oware_db::{Board, Seeds};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::{exception, usage};
use crate::position::Position;

/// A position as an argument: a `Position`, a text of any form, or twelve numbers.
pub struct PositionLike(pub game::Position);

impl<'py> FromPyObject<'_, 'py> for PositionLike {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<PositionLike> {
        if let Ok(position) = given.cast::<Position>() {
            return Ok(PositionLike(position.get().0));
        }
        if let Ok(text) = given.extract::<String>() {
            return text.parse().map(PositionLike).map_err(|error| exception(&error));
        }
        let Ok(numbers) = given.extract::<Vec<i64>>() else {
            let found = given.get_type().name()?;
            let expected = "a position is a Position, a text, or twelve whole numbers";
            return Err(PyTypeError::new_err(format!("{expected}, not {found}")));
        };
        let text = numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        text.parse().map(PositionLike).map_err(|error| exception(&error))
    }
}

/// Positions as an argument: an array of `uint8` with the shape (N, 12), copied so that nobody
/// changes it meanwhile.
pub struct Boards(pub Vec<Board>);

impl<'py> FromPyObject<'_, 'py> for Boards {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Boards> {
        let Ok(array) = given.cast::<PyArray2<u8>>() else { return Err(unexpected(given)) };
        if array.shape()[1] != 12 {
            return Err(unexpected(given));
        }
        let numbers = array.try_readonly()?;
        let rows = numbers.as_array();
        let boards = rows.rows().into_iter().enumerate().map(|(at, row)| {
            let houses: [u8; 12] = std::array::from_fn(|house| row[house]);
            Board::new(houses).ok_or_else(|| too_many(at, houses))
        });
        boards.collect::<PyResult<_>>().map(Boards)
    }
}

fn too_many(at: usize, houses: [u8; 12]) -> PyErr {
    let total: usize = houses.iter().map(|&count| usize::from(count)).sum();
    usage(format!("boards[{at}]: {total} seeds on the board; the game has {}", Seeds::MAX))
}

/// Says what was expected, and what was found.
fn unexpected(given: Borrowed<'_, '_, PyAny>) -> PyErr {
    let found = match given.cast::<PyUntypedArray>() {
        Ok(array) => format!("{} with shape {:?}", array.dtype(), array.shape()),
        Err(_) => {
            given.get_type().name().map_or("something else".to_owned(), |name| name.to_string())
        }
    };
    PyTypeError::new_err(format!("boards are an array of uint8 with shape (N, 12), not {found}"))
}

/// Returns boards as an array of `uint8` with the shape (N, 12).
pub fn array<'py>(
    py: Python<'py>,
    boards: impl ExactSizeIterator<Item = Board>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let count = boards.len();
    let houses: Vec<u8> = boards.flat_map(Board::houses).collect();
    numpy::PyArray1::from_vec(py, houses).reshape([count, 12])
}

/// A number of seeds as an argument.
pub struct SeedCount(pub Seeds);

impl<'py> FromPyObject<'_, 'py> for SeedCount {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<SeedCount> {
        let count: i64 = given.extract()?;
        let seeds = usize::try_from(count).ok().and_then(Seeds::new);
        let impossible = || usage(format!("{count} seeds; the game has 0 to {}", Seeds::MAX));
        seeds.map(SeedCount).ok_or_else(impossible)
    }
}
