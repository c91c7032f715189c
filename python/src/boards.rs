//! Boards as Python writes them: one in any form, many as an array.

use oware_db::game;
use oware_db::{Board, Seeds};
use pyo3::prelude::*;

use crate::arguments::items;
use crate::arrays::{self, Expected};
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
        let text = as_text(&given, "a position is a Position, a text, or twelve whole numbers")?;
        text.parse().map(PositionLike).map_err(|error| exception(&error))
    }
}

/// Returns a position as a text, if it is one or consists of whole numbers.
pub fn as_text(given: &Borrowed<'_, '_, PyAny>, expected: &str) -> PyResult<String> {
    if let Ok(text) = given.extract::<String>() {
        return Ok(text);
    }
    let numbers = items::<Number>(given, expected).map_err(|_| {
        let found = given.get_type().name().map_or("that".to_owned(), |name| name.to_string());
        usage(format!("{expected}, not {found}"))
    })?;
    Ok(numbers.iter().map(|number| number.0.to_string()).collect::<Vec<_>>().join(" "))
}

/// A whole number of any size that a board may have or not.
struct Number(i128);

impl<'py> FromPyObject<'_, 'py> for Number {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Number> {
        given.extract().map(Number)
    }
}

/// Positions as an argument: an array of whole numbers with the shape (N, 12).
pub struct Boards(pub Vec<Board>);

impl<'py> FromPyObject<'_, 'py> for Boards {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Boards> {
        let expected = Expected { what: "boards", shape: "(N, 12)" };
        let houses = arrays::rows(&given, 12, expected)?;
        let (boards, _) = houses.as_chunks::<12>();
        let board = |(at, &houses): (usize, &[u8; 12])| {
            Board::new(houses).ok_or_else(|| too_many(at, houses))
        };
        boards.iter().enumerate().map(board).collect::<PyResult<_>>().map(Boards)
    }
}

fn too_many(at: usize, houses: [u8; 12]) -> PyErr {
    let total: usize = houses.iter().map(|&count| usize::from(count)).sum();
    usage(format!("boards[{at}]: {total} seeds on the board; the game has {}", Seeds::MAX))
}
