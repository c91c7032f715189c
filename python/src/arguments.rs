//! Arguments. Whatever is wrong with one is a `UsageError`, of the wrong type or out of range.

use std::path::PathBuf;

use oware_db::Seeds;
use oware_db::json::words::parse_bytes;
use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::usage;

/// Characters of an argument that an exception shows.
const SHOWN: usize = 60;

/// Returns an argument as Python writes it, shortened.
pub fn shown(given: &Borrowed<'_, '_, PyAny>) -> String {
    let text = given.repr().map_or("something".to_owned(), |text| text.to_string());
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Says that an argument is not what was expected.
fn not(given: &Borrowed<'_, '_, PyAny>, expected: &str) -> PyErr {
    usage(format!("{} is not {expected}", shown(given)))
}

/// A text.
pub struct Text(pub String);

impl<'py> FromPyObject<'_, 'py> for Text {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Text> {
        given.extract().map(Text).map_err(|_| not(&given, "a text"))
    }
}

impl Text {
    /// The id of the usual sheet.
    pub fn usual_rules() -> Text {
        Text("abapa".to_owned())
    }
}

/// A path of a directory or a file.
pub struct Path(pub PathBuf);

impl<'py> FromPyObject<'_, 'py> for Path {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Path> {
        given.extract().map(Path).map_err(|_| not(&given, "a path"))
    }
}

/// A whole number from 0 on.
pub struct Whole(pub u64);

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Whole> {
        given.extract().map(Whole).map_err(|_| not(&given, "a whole number from 0 to 2**64 - 1"))
    }
}

impl Whole {
    /// Returns the number, or as much of it as memory could hold.
    pub fn count(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// A small whole number, negative or not, as scores are.
pub struct Small(pub i8);

impl<'py> FromPyObject<'_, 'py> for Small {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Small> {
        given.extract().map(Small).map_err(|_| not(&given, "a whole number from -128 to 127"))
    }
}

/// A number of seeds.
pub struct SeedCount(pub Seeds);

impl<'py> FromPyObject<'_, 'py> for SeedCount {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<SeedCount> {
        let count: i64 = given.extract().map_err(|_| not(&given, "a number of seeds"))?;
        let seeds = usize::try_from(count).ok().and_then(Seeds::new);
        let impossible = || usage(format!("{count} seeds; the game has 0 to {}", Seeds::MAX));
        seeds.map(SeedCount).ok_or_else(impossible)
    }
}

/// A number of bytes: as it is, or as a text such as "8G".
pub struct Bytes(pub u64);

impl<'py> FromPyObject<'_, 'py> for Bytes {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Bytes> {
        if let Ok(text) = given.cast::<PyString>() {
            let text = text.to_string();
            let wrong = |expected| usage(format!("`{text}` is {expected}"));
            return parse_bytes(&text).map(Bytes).map_err(wrong);
        }
        let wrong = |_| not(&given, "a number of bytes, or a text such as \"8G\"");
        given.extract().map(Bytes).map_err(wrong)
    }
}

/// An object of one of our classes.
pub struct Ours<'py, T: PyClass>(pub Bound<'py, T>);

impl<'py, T: PyClass> FromPyObject<'_, 'py> for Ours<'py, T> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Ours<'py, T>> {
        let found = given.cast::<T>().map_err(|_| not(&given, &format!("a {}", T::NAME)))?;
        Ok(Ours(found.to_owned()))
    }
}

/// Something to call.
pub struct Callable(pub Py<PyAny>);

impl<'py> FromPyObject<'_, 'py> for Callable {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Callable> {
        match given.is_callable() {
            true => Ok(Callable(given.to_owned().unbind())),
            false => Err(not(&given, "something to call")),
        }
    }
}

/// Items of which each is read as `T`.
pub fn items<'py, T>(given: &Borrowed<'_, 'py, PyAny>, expected: &str) -> PyResult<Vec<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    let items = given.try_iter().map_err(|_| not(given, expected))?;
    items.map(|item| item?.extract()).collect()
}
