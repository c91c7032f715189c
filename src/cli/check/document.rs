//! What a check has found, as JSON and for people.

use std::path::Path;

use serde::Serialize;

use oware_db::error::Result;
use oware_db::json::words::bytes;

use super::manifest::ComparedManifest;
use super::published::ComparedScores;
use super::sheet::{Findings, Problem};
use crate::cli::output::{self, Voice, count};

/// What has been found. What was not asked for, or not done because of problems, is `None`.
#[derive(Default, Serialize)]
pub struct CheckDocument {
    pub files: usize,
    pub bytes: u64,
    pub problems: Vec<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampled: Option<Findings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest: Option<ComparedManifest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<Findings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<Findings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<ComparedScores>,
}

impl CheckDocument {
    /// Reads every byte of every table.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn of_files(checked: &impl Checked, voice: Voice) -> Result<CheckDocument> {
        let mut document = CheckDocument::default();
        for (file, read) in checked.files() {
            document.files += 1;
            match read() {
                Ok(length) => {
                    document.bytes += length;
                    voice.say(&format!("{file}: intact, {}", bytes(length)))?;
                }
                Err(error) => {
                    voice.say(&format!("{file}: NOT intact"))?;
                    let what = output::with_command(&error);
                    let what = what.strip_prefix(&format!("{file}: ")).unwrap_or(&what).to_owned();
                    document.problems.push(Problem { file, what });
                }
            }
        }
        Ok(document)
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
        if let Some(ComparedManifest { file, files }) = &self.manifest {
            text += &format!("{file}: SHA-256 sums of {}.\n", count(*files as u64, "file"));
        }
        for found in [&self.sampled, &self.proved, &self.played].into_iter().flatten() {
            text += &found.text;
        }
        text + &self.published.as_ref().map_or(String::new(), ComparedScores::to_string)
    }
}

/// A file by its name, and what reads every byte of it and returns how many there are.
pub type Named<'a> = (String, Box<dyn Fn() -> Result<u64> + 'a>);

/// The tables to check.
pub trait Checked {
    /// Returns the files.
    fn files(&self) -> Vec<Named<'_>>;

    /// Returns the names of the files, as manifests have them.
    fn names(&self) -> Vec<String> {
        let name = |(file, _)| Path::new(&file).file_name()?.to_str().map(str::to_owned);
        self.files().into_iter().filter_map(name).collect()
    }

    /// Makes sure that no table clamps scores that one above it needs.
    fn make_sure_of_ranges(&self) -> Result<()> {
        Ok(())
    }

    /// Compares the scores of `count` random positions of each layer, or of all of a smaller one,
    /// with those of their moves.
    fn sample(&self, count: u64, problems: &mut Vec<Problem>) -> Result<Findings>;

    /// Proves layers, those of fewer seeds first.
    fn prove(&self, voice: Voice, problems: &mut Vec<Problem>) -> Result<Findings>;

    /// Plays this many games.
    fn play(&self, games: u64, voice: Voice, problems: &mut Vec<Problem>) -> Result<Findings>;

    /// Compares the scores with published ones.
    fn compare(
        &self,
        dir: &Path,
        voice: Voice,
        problems: &mut Vec<Problem>,
    ) -> Result<ComparedScores>;
}
