//! The layers that are checked, and what is found of them, as JSON and for people.

use serde::Serialize;
use serde_json::Value;

use crate::error::Result;
use crate::game::{Rules, Seeds};
use crate::json::words::bytes;
use crate::probe::{Tabled, Tables};

use crate::cli::output::{self, Voice, count};

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

/// What has been found. What was not asked for, or not done because of problems, is `None`.
#[derive(Default, Serialize)]
pub struct CheckDocument {
    pub files: usize,
    pub bytes: u64,
    pub problems: Vec<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampled: Option<Findings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest: Option<Findings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<Findings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<Findings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Findings>,
}

impl CheckDocument {
    /// Adds a file, of which every byte has been `read`: so many, unless something is wrong.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn add(&mut self, file: String, read: Result<u64>, voice: Voice) -> Result<()> {
        self.files += 1;
        match read {
            Ok(length) => {
                self.bytes += length;
                voice.say(&format!("{file}: intact, {}", bytes(length)))
            }
            Err(error) => {
                let what = output::with_command(&error);
                let what = what.strip_prefix(&format!("{file}: ")).unwrap_or(&what).to_owned();
                let said = voice.say(&format!("{file}: NOT intact"));
                self.problems.push(Problem { file, what });
                said
            }
        }
    }

    /// Returns what has been found, in a few sentences.
    pub fn closing(&self) -> String {
        let files = count(self.files as u64, "file");
        let mut text = match self.problems.len() as u64 {
            0 => format!("\n{files}, {}: all bytes are intact.\n", bytes(self.bytes)),
            found => format!("\n{files}, {}:\n", count(found, "problem")),
        };
        for Problem { file, what } in &self.problems {
            text += &format!("  {file}: {what}\n");
        }
        let found = [&self.manifest, &self.sampled, &self.proved, &self.played, &self.published];
        found.into_iter().flatten().for_each(|found| text += &found.text);
        text
    }
}
