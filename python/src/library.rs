//! The border: calls into the library.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use numpy::PyArray1;
use oware_db::error::{Error, Result};
use oware_db::game::Rules;
use oware_db::game::mancala::Sheet;
use pyo3::prelude::*;

use crate::errors::{OwareError, exception, usage};

/// Does `work` without Python's lock, and turns what it fails with into an exception, a panic
/// included.
pub fn call<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    match done {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(exception(&error)),
        Err(panic) => Err(OwareError::new_err(format!("a mistake in oware_db: {}", text(&*panic)))),
    }
}

/// Returns an empty vector with room for `count` items.
///
/// # Errors
/// [`Error::OutOfMemory`] if the system does not give it.
pub fn room<T>(count: usize) -> Result<Vec<T>> {
    let mut items = Vec::new();
    let bytes = (count as u64).saturating_mul(size_of::<T>() as u64);
    items.try_reserve_exact(count).map_err(|_| Error::OutOfMemory { bytes })?;
    Ok(items)
}

/// Makes an array that cannot be written to.
pub fn frozen<'py, T: numpy::Element>(
    array: Bound<'py, PyArray1<T>>,
) -> PyResult<Bound<'py, PyArray1<T>>> {
    array.call_method1("setflags", (false,))?;
    Ok(array)
}

/// Fails with a panic, so that the tests see what becomes of one. Not part of the package's face.
#[pyfunction]
pub fn _panic(py: Python<'_>, text: String) -> PyResult<()> {
    call(py, || panic!("{text}"))
}

/// What a panic says.
fn text(panic: &(dyn Any + Send)) -> &str {
    let literal = panic.downcast_ref::<&str>().copied();
    literal.or(panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

/// Returns the sheet with this id.
pub fn rules(id: &str) -> PyResult<&'static Rules> {
    let known = || match Sheet::by_id(id) {
        Some(_) => format!(
            "`{id}` is no sheet of Oware; MancalaTables asks its tables, which `oware build` makes, \
             and mancala_moves has its moves"
        ),
        None => format!("unknown rules `{id}`; known sheets: {}", Rules::ids()),
    };
    Rules::by_id(id).ok_or_else(|| usage(known()))
}
