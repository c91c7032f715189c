//! The class `Game`: moves, history, and how the sheet ends it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use oware_db::game::{self, Ending, House, Ply, Seat, legal_moves};
use pyo3::prelude::*;

use crate::answers::{HouseLike, Made};
use crate::arguments::{Small, Text, items};
use crate::boards::PositionLike;
use crate::errors::{exception, usage};
use crate::library;
use crate::moves::{self, Move};
use crate::position::Position;

/// A game being played: its sheet, its position, its moves so far, and how it ended if it did.
///
/// `copy.copy` makes another game that goes on from here, and pickle takes it to other processes.
#[pyclass(module = "oware_db", frozen)]
pub struct Game(Mutex<Played>);

/// The game, where it began, and the letters of its moves.
struct Played {
    start: game::Position,
    game: game::Game,
    letters: Vec<char>,
}

/// Moves as an argument: letters in one text, or houses one by one.
struct Moves(Vec<House>);

impl<'py> FromPyObject<'_, 'py> for Moves {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Moves> {
        let houses: Vec<HouseLike> = items(&given, "the letters of moves, as in \"FaE\"")?;
        Ok(Moves(houses.into_iter().map(|house| house.0).collect()))
    }
}

#[pymethods]
impl Game {
    /// Starts a game, at the usual position if none is given, and makes moves.
    #[new]
    #[pyo3(
        signature = (rules=Text::usual_rules(), position=None, moves=None),
        text_signature = "(rules='abapa', position=None, moves=None)"
    )]
    fn new(rules: Text, position: Option<PositionLike>, moves: Option<Moves>) -> PyResult<Game> {
        let start = position.map_or(game::Position::INITIAL, |position| position.0);
        let game = game::Game::new(library::rules(&rules.0)?, start);
        let mut played = Played { start, game, letters: Vec::new() };
        let mut moves = moves.map_or_else(Vec::new, |moves| moves.0).into_iter();
        moves.try_for_each(|house| played.play(house))?;
        Ok(Game(Mutex::new(played)))
    }

    /// The present position; its stores are known.
    #[getter]
    fn position(&self) -> Position {
        Position(*self.played().game.position())
    }

    /// The letters of the moves so far: "A" to "F" are South's, "a" to "f" North's.
    #[getter]
    fn moves(&self) -> Vec<char> {
        self.played().letters.clone()
    }

    /// The id of the rule sheet.
    #[getter]
    fn rules(&self) -> &'static str {
        self.played().game.rules().id
    }

    /// Returns the legal moves of the present position; none if the game is over.
    fn legal_moves(&self) -> Vec<Move> {
        let played = self.played();
        if played.game.over().is_some() {
            return Vec::new();
        }
        moves::list(legal_moves(played.game.rules(), played.game.board()).iter())
    }

    /// Makes a move: the letter of the mover's house, in capitals or not, or 0 to 5.
    fn play(&self, house: HouseLike) -> PyResult<()> {
        self.played().play(house.0)
    }

    /// Takes the last move back.
    fn undo(&self) -> PyResult<()> {
        let mut played = self.played();
        played.letters.pop().ok_or_else(|| usage("there is no move to take back"))?;
        played.game.take_back();
        Ok(())
    }

    /// How often the present position was there since the last capture, this time not counted.
    #[getter]
    fn repetitions(&self) -> usize {
        self.played().game.history().repeats().count()
    }

    /// How the game ended by the sheet's rules; None while it goes on.
    #[getter]
    fn result(&self) -> Option<Result> {
        let game = &self.played().game;
        let (ending, margin) = game.over()?;
        let margin = margin.get();
        Some(Result { ending, margin: if game.seat() == Seat::South { margin } else { -margin } })
    }

    /// What it is made of, for pickle and copy.
    fn __reduce__<'py>(slf: &Bound<'py, Game>) -> Made<'py, Arguments> {
        let played = slf.get().played();
        let start = Position(played.start);
        (slf.get_type(), (played.game.rules().id, start, played.letters.clone()))
    }

    fn __repr__(&self) -> String {
        let played = self.played();
        let (rules, moves) = (played.game.rules().id, played.letters.iter().collect::<String>());
        let position = Position(played.start).__repr__();
        format!("Game(rules=\"{rules}\", position={position}, moves=\"{moves}\")")
    }
}

/// What a game is made of: its sheet, where it began, and the letters of its moves.
type Arguments = (&'static str, Position, Vec<char>);

impl Game {
    /// The game as it stands.
    pub fn now(&self) -> game::Game {
        self.played().game.clone()
    }

    fn played(&self) -> MutexGuard<'_, Played> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Played {
    fn play(&mut self, house: House) -> PyResult<()> {
        if self.game.over().is_some() {
            return Err(usage("the game is over"));
        }
        let ply = Ply { seat: self.game.seat(), house };
        self.game.play(ply).map_err(|error| exception(&error))?;
        self.letters.push(ply.seat.letter(house));
        Ok(())
    }
}

/// How a game ended.
#[pyclass(module = "oware_db", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub struct Result {
    ending: Ending,
    margin: i8,
}

#[pymethods]
impl Result {
    #[new]
    fn of(ending: Text, margin: Small) -> PyResult<Result> {
        let all = [Ending::Decided, Ending::Repetition, Ending::NoMove];
        let known = all.into_iter().find(|known| known.name() == ending.0);
        let names = all.map(Ending::name).join(", ");
        let unknown = || usage(format!("`{}` is no ending; there are {names}", ending.0));
        Ok(Result { ending: known.ok_or_else(unknown)?, margin: margin.0 })
    }

    /// Why it is over: "decided" (25 seeds), "repetition" or "no_move".
    #[getter]
    fn ending(&self) -> &'static str {
        self.ending.name()
    }

    /// What South has in the end more than North, in seeds.
    #[getter]
    fn margin(&self) -> i8 {
        self.margin
    }

    /// Who wins, "South" or "North"; None if it is a draw.
    #[getter]
    fn winner(&self) -> Option<String> {
        let seat = match self.margin {
            0 => return None,
            1.. => Seat::South,
            _ => Seat::North,
        };
        Some(seat.to_string())
    }

    /// What it is made of, for pickle and copy.
    fn __reduce__<'py>(slf: &Bound<'py, Result>) -> Made<'py, (&'static str, i8)> {
        let result = slf.get();
        (slf.get_type(), (result.ending(), result.margin))
    }

    fn __repr__(&self) -> String {
        format!("Result(\"{}\", margin={})", self.ending.name(), self.margin)
    }
}
