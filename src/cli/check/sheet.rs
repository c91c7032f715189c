//! The layers of a rule sheet that are checked, their files, and what is found of them.

use serde::Serialize;
use serde_json::Value;

use oware_db::game::{Rules, Seeds};
use oware_db::probe::{Tabled, Tables};

use crate::cli::output::Voice;

/// The layers of a rule sheet that are to be checked.
pub struct SheetLayers {
    pub rules: &'static Rules,
    /// Fewest seeds first.
    pub layers: Vec<Seeds>,
}

/// What tables are looked into with.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    pub tables: &'a Tables,
    /// The seed of the dice.
    pub seed: u64,
    pub voice: Voice,
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
    /// Those of several sheets as a list.
    pub fn list(sheets: Vec<Findings>) -> Findings {
        let found = sheets.into_iter().map(|Findings { fields, text }| (fields, text));
        let (fields, text): (Vec<Value>, String) = found.unzip();
        Findings { fields: fields.into(), text }
    }
}
