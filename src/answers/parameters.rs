//! The parameters of a question.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::engine::protocol::Setup;
use crate::error::{Error, Result};
use crate::game::mancala::Sheet;
use crate::game::{ABAPA, House, Rules, parse_house};
use crate::json::{AnySheet, Game};

/// Reads what stands behind the question mark. An unknown name is an error: a client that writes
/// `sheet=awari` must not get answers of another sheet.
///
/// # Errors
/// [`Error::Usage`] if a name is unknown or given twice, or a value is not of its kind.
pub fn parameters<T: DeserializeOwned>(text: &str) -> Result<T> {
    let pairs = serde_urlencoded::Deserializer::new(form_urlencoded::parse(text.as_bytes()));
    serde_path_to_error::deserialize(pairs)
        .map_err(|error| Error::Usage(format!("parameters: {error}; see /openapi.json")))
}

/// Returns the sheet of an id; the default sheet if none is given.
///
/// # Errors
/// [`Error::UnknownRules`] if no sheet has that id, [`Error::Usage`] if one of another game has it.
pub fn sheet(id: Option<&str>) -> Result<&'static Rules> {
    let Some(id) = id else { return Ok(&ABAPA) };
    if let Some(sheet) = Sheet::by_id(id) {
        return Err(about_oware(sheet));
    }
    Rules::by_id(id).ok_or_else(|| {
        let known = format!("{}; /v1/sheets also lists those of other games", Rules::ids());
        Error::UnknownRules { id: id.chars().take(20).collect(), known }
    })
}

/// Returns the sheet of an id, of any game; the default sheet if none is given.
///
/// # Errors
/// [`Error::UnknownRules`] if no sheet has that id.
pub fn any_sheet(id: Option<&str>) -> Result<AnySheet> {
    let known = id.and_then(AnySheet::by_id);
    known.map_or_else(|| sheet(id).map(AnySheet::Oware), Ok)
}

/// The error of a request that is about Oware alone.
fn about_oware(sheet: &Sheet) -> Error {
    Error::Usage(format!(
        "`{}` is not a sheet of Oware, which is all this path handles; /v1/query, /v1/moves, \
         /v1/batch, /v1/stats, /v1/tables and /v1/sheets accept it",
        sheet.id
    ))
}

/// The parameters of `GET /v1/tables` and `POST /v1/verify`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SheetParams {
    /// The sheet that is asked for.
    pub rules: Option<String>,
}

/// Reads the parameter `board`.
///
/// # Errors
/// [`Error::Notation`] if it is not a position, [`Error::Usage`] if it is missing.
pub fn position<G: Game>(game: G, board: Option<&str>) -> Result<G::Position> {
    game.read(board.ok_or_else(missing_board)?)
}

/// Reads the parameter `board` of a question about a game: a position, or one with moves from there on.
///
/// # Errors
/// As [`position`], and [`Error::Usage`] if there are too many moves. They need not be legal.
pub fn setup(board: Option<&str>) -> Result<Setup> {
    let setup: Setup = board.ok_or_else(missing_board)?.parse()?;
    match setup.moves.len() <= LONGEST_GAME {
        true => Ok(setup),
        false => Err(Error::Usage(format!("a game has at most {LONGEST_GAME} moves here"))),
    }
}

/// Returns the error of a request without a position.
fn missing_board() -> Error {
    Error::Usage(
        "the parameter `board` is missing: a position, as in `board=0-0-0-0-1-2-1-0-0-0-3-0`"
            .to_owned(),
    )
}

/// Returns the number of moves that is asked for in the parameter `name`.
///
/// # Errors
/// [`Error::Usage`] if it is above `most`.
pub fn at_most(name: &str, asked: Option<usize>, default: usize, most: usize) -> Result<usize> {
    match asked.unwrap_or(default) {
        count if count <= most => Ok(count),
        _ => Err(Error::Usage(format!("the parameter `{name}` must be at most {most}"))),
    }
}

/// Moves of a game that are taken.
const LONGEST_GAME: usize = 1000;

/// Reads the moves of a game: letters, perhaps with spaces and commas between them. Beside each house
/// stands what to say if the move is wrong.
pub fn moves(text: &str) -> impl Iterator<Item = Result<(House, impl Fn(&str) -> Error)>> {
    let letters = text.chars().filter(|c| !c.is_whitespace() && *c != ',');
    (1..).zip(letters).map(|(number, letter)| {
        let wrong = move |why: &str| Error::Usage(format!("move {number}, `{letter}`: {why}"));
        if number > LONGEST_GAME {
            return Err(wrong(&format!("a game has at most {LONGEST_GAME} moves here")));
        }
        let house = parse_house(letter.encode_utf8(&mut [0; 4]));
        house.map(|house| (house, wrong)).ok_or_else(|| wrong("houses are A to F"))
    })
}
