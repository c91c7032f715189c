//! Arrays of whole numbers, of whatever type: they are looked at one by one, and copied, so that
//! no thread changes them meanwhile.

use numpy::{
    Element, PyArray1, PyArray2, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray,
    PyUntypedArrayMethods, get_array_module,
};
use oware_db::Board;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::IntoPyDict;

use crate::errors::usage;

/// What was asked for.
#[derive(Clone, Copy)]
pub struct Expected<'a> {
    /// What the items are.
    pub what: &'a str,
    /// The shape, as text.
    pub shape: &'a str,
}

/// Reads an array with the shape (N, places) whose numbers are bytes: the rows, one behind the
/// other.
pub fn rows(given: &Bound<'_, PyAny>, places: usize, expected: Expected<'_>) -> PyResult<Vec<u8>> {
    let array = whole_numbers(given, 2, expected)?;
    if array.shape()[1] != places {
        return Err(expected.but(given));
    }
    if let Ok(bytes) = array.cast::<PyArray2<u8>>() {
        let bytes = bytes.try_readonly()?;
        // A slice would be column by column where the array is.
        return Ok(match bytes.is_c_contiguous() {
            true => bytes.as_slice()?.to_vec(),
            false => bytes.as_array().iter().copied().collect(),
        });
    }
    let row = |at: usize| format!("boards[{}]", at / places);
    widened(&array, |at, number: i128| {
        u8::try_from(number).map_err(|_| usage(format!("{}: {number} seeds in a house", row(at))))
    })
}

/// Reads an array with the shape (N,) whose numbers are not negative.
pub fn ranks(given: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    let array = whole_numbers(given, 1, Expected { what: "ranks", shape: "(N,)" })?;
    widened(&array, |at, number: i128| {
        u64::try_from(number)
            .map_err(|_| usage(format!("ranks[{at}] is {number}; ranks are not negative")))
    })
}

/// Returns an argument as an array of so many dimensions that holds whole numbers.
fn whole_numbers<'py>(
    given: &Bound<'py, PyAny>,
    dimensions: usize,
    expected: Expected<'_>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let array = as_array(given).map_err(|error| expected.or(given, error))?;
    let is_whole = matches!(array.dtype().kind(), b'i' | b'u');
    match is_whole && array.ndim() == dimensions {
        true => Ok(array),
        false => Err(expected.but(&array)),
    }
}

fn as_array<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    if let Ok(array) = given.cast::<PyUntypedArray>() {
        return Ok(array.clone());
    }
    let made = get_array_module(given.py())?.call_method1("asarray", (given,))?;
    Ok(made.cast_into()?)
}

/// Reads numbers of any type, signed or not, in this machine's order of bytes or the other.
fn widened<T>(
    array: &Bound<'_, PyUntypedArray>,
    read: impl Fn(usize, i128) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    match array.dtype().kind() {
        b'u' => converted::<u64, T>(array, "uint64", read),
        _ => converted::<i64, T>(array, "int64", read),
    }
}

fn converted<W: Element + Copy + Into<i128>, T>(
    array: &Bound<'_, PyUntypedArray>,
    wide: &str,
    read: impl Fn(usize, i128) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    let copy = [("copy", false)].into_py_dict(array.py())?;
    let flat = array.call_method("astype", (wide,), Some(&copy))?.call_method0("ravel")?;
    let flat = flat.cast_into::<PyArray1<W>>()?;
    let numbers = flat.try_readonly()?;
    numbers.as_array().iter().enumerate().map(|(at, &number)| read(at, number.into())).collect()
}

impl Expected<'_> {
    /// Says what was found instead.
    fn but(self, given: &Bound<'_, PyAny>) -> PyErr {
        let found = match given.cast::<PyUntypedArray>() {
            Ok(array) => format!("{} with shape {:?}", array.dtype(), array.shape()),
            Err(_) => given.get_type().name().map_or("that".to_owned(), |name| name.to_string()),
        };
        let Expected { what, shape } = self;
        usage(format!("{what} are an array of whole numbers with shape {shape}, not {found}"))
    }

    /// Says what was expected where numpy makes no array of an argument. What has nothing to do with
    /// it, Ctrl-C for one, stays what it is.
    fn or(self, given: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
        let py = given.py();
        let is_mistake = error.is_instance_of::<PyTypeError>(py)
            || error.is_instance_of::<PyValueError>(py)
            || error.is_instance_of::<PyOverflowError>(py);
        if is_mistake { self.but(given) } else { error }
    }
}

/// Returns boards as an array of `uint8` with the shape (N, 12).
pub fn of_boards<'py>(
    py: Python<'py>,
    boards: impl ExactSizeIterator<Item = Board>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let count = boards.len();
    let houses: Vec<u8> = boards.flat_map(Board::houses).collect();
    PyArray1::from_vec(py, houses).reshape([count, 12])
}

/// Makes an array that cannot be written to.
pub fn frozen<'py, T: Element>(
    array: Bound<'py, PyArray1<T>>,
) -> PyResult<Bound<'py, PyArray1<T>>> {
    array.call_method1("setflags", (false,))?;
    Ok(array)
}
