//! What can be checked of tables, of Oware or of another game.

use std::fmt::Display;
use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use oware_db::error::Result;

use super::problem::Problem;
use super::published::ComparedScores;
use crate::cli::output::Voice;

/// A file by its name, and what reads every byte of it and returns how many there are.
pub type Named<'a> = (String, Box<dyn Fn() -> Result<u64> + 'a>);

/// What has been found: the fields of the document, and sentences for people.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Found {
    pub fields: Value,
    #[serde(skip)]
    pub text: String,
}

impl Found {
    /// Of each sheet.
    pub fn each<T: Serialize + Display>(sheets: &[T]) -> Found {
        Found { fields: json!(sheets), text: sheets.iter().map(T::to_string).collect() }
    }
}

/// The tables to check.
pub trait Checked {
    /// Returns the files.
    fn files(&self) -> Vec<Named<'_>>;

    /// Returns the names of the files, as manifests have them.
    fn names(&self) -> Vec<String> {
        let name = |(file, _)| Path::new(&file).file_name()?.to_str().map(str::to_owned);
        self.files().into_iter().filter_map(name).collect()
    }

    /// Compares the scores of `count` random positions of each layer, or of all of a smaller one,
    /// with those of their moves.
    fn sample(&self, count: u64, problems: &mut Vec<Problem>) -> Result<Found>;

    /// Proves layers, those of fewer seeds first.
    fn prove(&self, voice: Voice, problems: &mut Vec<Problem>) -> Result<Found>;

    /// Plays this many games.
    fn play(&self, games: u64, voice: Voice, problems: &mut Vec<Problem>) -> Result<Found>;

    /// Compares the scores with published ones.
    fn compare(
        &self,
        dir: &Path,
        voice: Voice,
        problems: &mut Vec<Problem>,
    ) -> Result<ComparedScores>;
}
