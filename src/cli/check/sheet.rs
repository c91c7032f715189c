//! The layers of a rule sheet that are checked, their files, and what is found of them.

use std::fmt::Display;

use serde::Serialize;
use serde_json::{Value, json};

use oware_db::game::mancala::Sheet;
use oware_db::game::{Rules, Seeds};
use oware_db::probe::{Tabled, Tables};

/// The layers of a rule sheet that are to be checked.
pub struct SheetLayers {
    pub rules: &'static Rules,
    /// Fewest seeds first.
    pub layers: Vec<Seeds>,
}

/// Returns the path of a table, as text.
pub fn file<G: Tabled>(tables: &Tables, sheet: &G, layer: G::Layer) -> String {
    tables.path(sheet, layer).display().to_string()
}

/// Something that is wrong with a file.
#[derive(Serialize)]
pub struct Problem {
    pub file: String,
    pub what: String,
}

/// What has been found: the fields of the document, and sentences for people.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Findings {
    pub fields: Value,
    #[serde(skip)]
    pub text: String,
}

impl Findings {
    /// Of each sheet.
    pub fn each<T: Serialize + Display>(sheets: &[T]) -> Findings {
        Findings { fields: json!(sheets), text: sheets.iter().map(T::to_string).collect() }
    }

    /// Adds what was found of a sheet of another game.
    pub fn add(&mut self, sheet: &Sheet, mut of_sheet: Findings) {
        of_sheet.fields["rules"] = json!(sheet.id);
        self.fields.as_array_mut().expect("a list of sheets").push(of_sheet.fields);
        self.text += &of_sheet.text;
    }
}
