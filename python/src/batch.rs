//! Scores of many positions, and what stands for those that no table has.

use std::sync::Arc;

use numpy::PyArray1;
use oware_db::error::Error;
use oware_db::pool::Pool;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyString};

use crate::arguments::{Small, shown};
use crate::errors::{Failed, usage};
use crate::library::{self, Caller};

/// Positions that are probed at once on the calling thread.
const FEW: usize = 1 << 12;

/// The score of a position, if a table has it.
type Found = Option<(i8, i8)>;

/// What becomes of a position that no table has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// The first one is an error.
    Error,
    /// It is masked, in masked arrays.
    Masked,
    /// Both its bounds are this.
    Marked(i8),
}

/// What is below a mask: no score at all.
const NO_SCORE: i8 = i8::MIN;

impl<'py> FromPyObject<'_, 'py> for Missing {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Missing> {
        if let Ok(text) = given.cast::<PyString>() {
            return match text.to_string().as_str() {
                "error" => Ok(Missing::Error),
                "mask" => Ok(Missing::Masked),
                _ => Err(Missing::unknown(&given)),
            };
        }
        let mark = given.extract::<Small>().map_err(|_| Missing::unknown(&given))?;
        Ok(Missing::Marked(mark.0))
    }
}

impl Missing {
    fn unknown(given: &Borrowed<'_, '_, PyAny>) -> PyErr {
        let given = shown(given);
        usage(format!("missing={given}: use \"error\", \"mask\", or a number that is not a score"))
    }

    /// Makes sure that a mark cannot be taken for the score of a position of at most so many seeds.
    pub fn check(self, most: usize) -> PyResult<()> {
        match self {
            Missing::Marked(mark) if usize::from(mark.unsigned_abs()) <= most => {
                Err(usage(format!("missing={mark} may be a score; -128 is not")))
            }
            _ => Ok(()),
        }
    }
}

/// Many questions to tables, which can be asked of any thread.
pub trait Questions: Send + Sync + 'static {
    /// What answers.
    type Tool: Send + 'static;
    /// A position.
    type Position: Sync + ToString;

    /// The tools.
    fn tools(&self) -> &Pool<'static, Self::Tool>;

    /// The positions.
    fn positions(&self) -> &[Self::Position];

    /// Finds the score of a position.
    fn score(&self, tool: &mut Self::Tool, at: &Self::Position) -> Result<(i8, i8), Error>;
}

/// Returns the scores of many positions as two arrays, the lower bounds and the upper ones. All
/// processors work on it, and Ctrl-C ends it.
pub fn scores<'py>(
    py: Python<'py>,
    questions: impl Questions,
    missing: Missing,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let ask = move |questions: &_, tool: &mut _, position: &_| match Questions::score(
        questions, tool, position,
    ) {
        Ok(score) => Ok(Some(score)),
        Err(Error::MissingTable { .. }) if missing != Missing::Error => Ok(None),
        Err(error) => Err(error),
    };
    arrays(py, &answers(py, questions, None, ask)?, missing)
}

/// Returns what `ask` finds out about each of many positions, all processors working on it; until then
/// there is `blank`.
pub fn answers<Q: Questions, A: Copy + Send + Sync + 'static>(
    py: Python<'_>,
    questions: Q,
    blank: A,
    ask: impl Fn(&Q, &mut Q::Tool, &Q::Position) -> Result<A, Error> + Send + Sync + 'static,
) -> PyResult<Vec<A>> {
    let few = questions.positions().len() <= FEW;
    let found = match few {
        true => library::call(py, || Ok(all_answers(&questions, blank, &ask, || Ok(()))))?,
        false => library::patiently(py, 1, move |caller: &Caller<()>| {
            Ok(all_answers(&questions, blank, &ask, || caller.go_on()))
        })?,
    };
    found.map_err(|failed| failed.exception())
}

fn all_answers<Q: Questions, A: Copy + Send + Sync>(
    questions: &Q,
    blank: A,
    ask: &(impl Fn(&Q, &mut Q::Tool, &Q::Position) -> Result<A, Error> + Sync),
    go_on: impl Fn() -> Result<(), Error> + Sync,
) -> Result<Vec<A>, Failed> {
    let positions = questions.positions();
    let mut found = library::filled(positions.len(), blank)?;
    questions.tools().answer_all(positions, &mut found, |tool, number, position| {
        go_on()?;
        ask(questions, tool, position)
            .map_err(|error| Failed { question: Some((number, position.to_string())), error })
    })?;
    Ok(found)
}

fn arrays<'py>(
    py: Python<'py>,
    found: &[Found],
    missing: Missing,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let mark = if let Missing::Marked(mark) = missing { mark } else { NO_SCORE };
    let bound = |which: fn((i8, i8)) -> i8| {
        let mut bounds = library::room(found.len())?;
        bounds.extend(found.iter().map(|found| found.map_or(mark, which)));
        Ok::<Vec<i8>, Error>(bounds)
    };
    let [low, high] = [bound(|(low, _)| low), bound(|(_, high)| high)];
    let array = |bounds: Result<Vec<i8>, Error>| {
        let bounds = bounds.map_err(|error| crate::errors::exception(&error))?;
        let array = PyArray1::from_vec(py, bounds).into_any();
        if missing == Missing::Masked { masked(&array, found) } else { Ok(array) }
    };
    Ok((array(low)?, array(high)?))
}

/// Masks what has not been found.
fn masked<'py>(array: &Bound<'py, PyAny>, found: &[Found]) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let mask = PyArray1::from_iter(py, found.iter().map(Option::is_none));
    let options =
        [("mask", mask.into_any()), ("fill_value", NO_SCORE.into_pyobject(py)?.into_any())];
    py.import("numpy.ma")?.call_method("MaskedArray", (array,), Some(&options.into_py_dict(py)?))
}

/// What is open, and the positions that are asked of it.
pub struct Asked<T, P> {
    pub open: Arc<T>,
    pub positions: Vec<P>,
}
