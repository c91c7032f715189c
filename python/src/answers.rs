//! What tables answer: the classes `Probe`, `ScoredMove` and `Line`. Each can be made of what it
//! shows, as pickle does.

use numpy::PyArray1;
use oware_db::game::{Board, House, Interval, parse_house};
use oware_db::probe::{self, LineEnd};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::arguments::{Ours, Small, Text, Whole, items};
use crate::boards::PositionLike;
use crate::errors::usage;

/// What the tables know of a position.
#[pyclass(module = "oware_db", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub struct Probe {
    low: i8,
    high: i8,
    over: bool,
    moves: Vec<ScoredMove>,
}

impl Probe {
    pub fn new(interval: Interval, moves: &[probe::ScoredMove], over: bool) -> Probe {
        let (low, high) = (interval.low.get(), interval.high.get());
        Probe { low, high, over, moves: moves.iter().map(ScoredMove::from).collect() }
    }
}

#[pymethods]
impl Probe {
    #[new]
    fn of(low: Small, high: Small, over: &Bound<'_, PyAny>, moves: Moves) -> PyResult<Probe> {
        let (low, high) = bounds(low, high)?;
        Ok(Probe { low, high, over: over.is_truthy()?, moves: moves.0 })
    }

    /// What the mover gets at least: seeds still to come minus the opponent's.
    #[getter]
    fn low(&self) -> i8 {
        self.low
    }

    /// What the mover gets at most.
    #[getter]
    fn high(&self) -> i8 {
        self.high
    }

    /// The score; None if the bounds differ.
    #[getter]
    fn value(&self) -> Option<i8> {
        value(self.low, self.high)
    }

    /// The legal moves, best first; none if the game is over.
    #[getter]
    fn moves(&self) -> Vec<ScoredMove> {
        self.moves.clone()
    }

    /// Whether the player to move has no move.
    #[getter]
    fn over(&self) -> bool {
        self.over
    }

    /// What it is made of, for pickle and copy.
    fn __reduce__<'py>(slf: &Bound<'py, Probe>) -> Made<'py, ProbeParts> {
        let Probe { low, high, over, moves } = slf.get();
        (slf.get_type(), (*low, *high, *over, moves.clone()))
    }

    fn __str__(&self) -> String {
        let moves = self.moves.iter().map(|found| format!("{} {}", found.house(), found.score()));
        let moves =
            if self.over { "over".to_owned() } else { moves.collect::<Vec<_>>().join(", ") };
        format!("{} ({moves})", score(self.low, self.high))
    }

    fn __repr__(&self) -> String {
        let Probe { low, high, .. } = self;
        let over = truth(self.over);
        let moves = self.moves.iter().map(ScoredMove::__repr__).collect::<Vec<_>>().join(", ");
        format!("Probe(low={low}, high={high}, over={over}, moves=[{moves}])")
    }
}

/// What a `Probe` is made of.
type ProbeParts = (i8, i8, bool, Vec<ScoredMove>);

/// A class, and what an object is made of.
pub type Made<'py, A> = (Bound<'py, PyType>, A);

/// Scored moves as an argument.
struct Moves(Vec<ScoredMove>);

impl<'py> FromPyObject<'_, 'py> for Moves {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Moves> {
        let moves: Vec<Ours<'py, ScoredMove>> = items(&given, "a list of scored moves")?;
        Ok(Moves(moves.iter().map(|found| found.0.get().clone()).collect()))
    }
}

/// A legal move and its score, from the seat of the player who makes it.
#[pyclass(module = "oware_db", frozen, eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ScoredMove {
    house: House,
    captured: u8,
    board: Board,
    low: i8,
    high: i8,
    certified: bool,
}

impl From<&probe::ScoredMove> for ScoredMove {
    fn from(found: &probe::ScoredMove) -> ScoredMove {
        let &probe::ScoredMove { played, interval, certified, .. } = found;
        let (low, high) = (interval.low.get(), interval.high.get());
        let (house, captured, board) = (played.house, played.captured, played.next);
        ScoredMove { house, captured, board, low, high, certified }
    }
}

#[pymethods]
impl ScoredMove {
    #[new]
    fn of(
        house: HouseLike,
        captured: Whole,
        board: PositionLike,
        low: Small,
        high: Small,
        certified: &Bound<'_, PyAny>,
    ) -> PyResult<ScoredMove> {
        let ((low, high), board) = (bounds(low, high)?, board.0.board);
        let (house, captured) = (house.0, captured_seeds(&captured, &board)?);
        Ok(ScoredMove { house, captured, board, low, high, certified: certified.is_truthy()? })
    }

    /// The house that is emptied, "A" to "F".
    #[getter]
    fn house(&self) -> char {
        self.house.letter()
    }

    /// The seeds that are captured.
    #[getter]
    fn captured(&self) -> u8 {
        self.captured
    }

    /// What the move brings at least, its capture included.
    #[getter]
    fn low(&self) -> i8 {
        self.low
    }

    /// What the move brings at most.
    #[getter]
    fn high(&self) -> i8 {
        self.high
    }

    /// Both bounds.
    #[getter]
    fn interval(&self) -> (i8, i8) {
        (self.low, self.high)
    }

    /// The score; None if the bounds differ.
    #[getter]
    fn value(&self) -> Option<i8> {
        value(self.low, self.high)
    }

    /// Whether `low` is secured by this move and the strategy of the tables.
    #[getter]
    fn certified(&self) -> bool {
        self.certified
    }

    /// The board that results, as an array of uint8, from the next player's seat.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_slice(py, &self.board.houses())
    }

    /// What it is made of, for pickle and copy.
    fn __reduce__<'py>(
        slf: &Bound<'py, ScoredMove>,
    ) -> Made<'py, (char, u8, String, i8, i8, bool)> {
        let ScoredMove { house, captured, board, low, high, certified } = slf.get();
        let made = (house.letter(), *captured, board.to_string(), *low, *high, *certified);
        (slf.get_type(), made)
    }

    fn __str__(&self) -> String {
        let certified = if self.certified { ", certified" } else { "" };
        format!("{} {}, captures {}{certified}", self.house(), self.score(), self.captured)
    }

    fn __repr__(&self) -> String {
        let ScoredMove { captured, board, low, high, .. } = self;
        format!(
            "ScoredMove(\"{}\", captured={captured}, board=\"{board}\", low={low}, high={high}, \
             certified={})",
            self.house(),
            truth(self.certified)
        )
    }
}

impl ScoredMove {
    fn score(&self) -> String {
        score(self.low, self.high)
    }
}

/// A house as an argument: a letter, "A" to "F" or "a" to "f", or 0 to 5.
pub struct HouseLike(pub House);

impl<'py> FromPyObject<'_, 'py> for HouseLike {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<HouseLike> {
        let number = || given.extract::<i64>().map(|number| number.to_string());
        let text = given.extract::<String>().or_else(|_| number());
        let text = text.unwrap_or_else(|_| crate::arguments::shown(&given));
        let unknown = || usage(format!("`{text}` is not a house; write A to F, or 0 to 5"));
        parse_house(&text).map(HouseLike).ok_or_else(unknown)
    }
}

/// Reads how many seeds a move captures that leads to a board.
pub fn captured_seeds(captured: &Whole, board: &Board) -> PyResult<u8> {
    let captured = u8::try_from(captured.0).ok();
    let is_possible = |&captured: &u8| board.seeds().get() + usize::from(captured) <= 48;
    let impossible = || usage("more seeds are captured than there are");
    captured.filter(is_possible).ok_or_else(impossible)
}

fn bounds(low: Small, high: Small) -> PyResult<(i8, i8)> {
    match low.0 <= high.0 {
        true => Ok((low.0, high.0)),
        false => Err(usage(format!("the lower bound {} is above the upper one {}", low.0, high.0))),
    }
}

fn value(low: i8, high: i8) -> Option<i8> {
    (low == high).then_some(low)
}

/// A score as people read it.
fn score(low: i8, high: i8) -> String {
    if low == high { low.to_string() } else { format!("{low}..{high}") }
}

/// As Python writes it.
pub fn truth(is_so: bool) -> &'static str {
    if is_so { "True" } else { "False" }
}

/// A line of best play.
#[pyclass(module = "oware_db", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub struct Line {
    letters: Vec<char>,
    captured: Vec<u8>,
    ends: &'static str,
    cycle_after: Option<usize>,
}

impl From<probe::Line> for Line {
    fn from(line: probe::Line) -> Line {
        let captured = line.moves.iter().map(|&(_, captured)| captured).collect();
        let (ends, cycle_after) = match line.ends {
            LineEnd::GameOver => (GAME_OVER, None),
            LineEnd::Cycle { after } => (CYCLE, Some(after)),
            LineEnd::Limit => (LIMIT, None),
        };
        Line { letters: line.letters().collect(), captured, ends, cycle_after }
    }
}

const GAME_OVER: &str = "game over";
const CYCLE: &str = "cycle";
const LIMIT: &str = "limit";

#[pymethods]
impl Line {
    #[new]
    #[pyo3(signature = (moves, captured, ends, cycle_after=None))]
    fn of(
        moves: Letters,
        captured: Captured,
        ends: Text,
        cycle_after: Option<Whole>,
    ) -> PyResult<Line> {
        let (letters, captured) = (moves.0, captured.0);
        let cycle_after = cycle_after.map(Whole::count);
        let ends = [GAME_OVER, CYCLE, LIMIT].into_iter().find(|&known| known == ends.0);
        let ends =
            ends.ok_or_else(|| usage("a line ends with \"game over\", \"cycle\" or \"limit\""))?;
        let is_line = letters.len() == captured.len()
            && (ends == CYCLE) == cycle_after.is_some()
            && cycle_after.is_none_or(|after| after <= letters.len());
        match is_line {
            true => Ok(Line { letters, captured, ends, cycle_after }),
            false => Err(usage("the parts of the line do not fit together")),
        }
    }

    /// The letters of the moves: "A" to "F" for the player who moves first, "a" to "f" for the
    /// other.
    #[getter]
    fn moves(&self) -> Vec<char> {
        self.letters.clone()
    }

    /// The seeds that each move captures.
    #[getter]
    fn captured(&self) -> Vec<u16> {
        self.captured.iter().copied().map(u16::from).collect()
    }

    /// Why there is no further move: "game over", "cycle" or "limit".
    #[getter]
    fn ends(&self) -> &'static str {
        self.ends
    }

    /// How many moves lead to the cycle; None if the line does not end in one.
    #[getter]
    fn cycle_after(&self) -> Option<usize> {
        self.cycle_after
    }

    /// What it is made of, for pickle and copy.
    fn __reduce__<'py>(
        slf: &Bound<'py, Line>,
    ) -> Made<'py, (String, Vec<u16>, &'static str, Option<usize>)> {
        let line = slf.get();
        (slf.get_type(), (line.text(), line.captured(), line.ends, line.cycle_after))
    }

    fn __str__(&self) -> String {
        format!("{} ({})", self.text(), self.ends)
    }

    fn __repr__(&self) -> String {
        let after = self.cycle_after.map_or("None".to_owned(), |after| after.to_string());
        let Line { captured, ends, .. } = self;
        let moves = self.text();
        format!("Line(\"{moves}\", captured={captured:?}, ends=\"{ends}\", cycle_after={after})")
    }
}

impl Line {
    fn text(&self) -> String {
        self.letters.iter().collect()
    }
}

/// Letters of moves as an argument: a text, or one for each.
struct Letters(Vec<char>);

impl<'py> FromPyObject<'_, 'py> for Letters {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Letters> {
        let letters: Vec<Text> = items(&given, "letters of moves")?;
        let letters: Vec<char> = letters.iter().flat_map(|text| text.0.chars()).collect();
        match letters.iter().all(|letter| matches!(letter, 'A'..='F' | 'a'..='f')) {
            true => Ok(Letters(letters)),
            false => Err(usage("letters of moves are A to F and a to f")),
        }
    }
}

/// Seeds captured by each move.
struct Captured(Vec<u8>);

impl<'py> FromPyObject<'_, 'py> for Captured {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Captured> {
        let counts: Vec<Whole> = items(&given, "a list of numbers of seeds")?;
        let most = |count: &Whole| u8::try_from(count.0).ok().filter(|&count| count <= 48);
        let counts: Option<Vec<u8>> = counts.iter().map(most).collect();
        counts.map(Captured).ok_or_else(|| usage("a move captures no more than 48 seeds"))
    }
}
