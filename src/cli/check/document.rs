//! What a check has found, as JSON and for people.

use serde::Serialize;

use oware_db::json::words::bytes;

use super::manifest::ComparedManifest;
use super::playing::PlayedSheet;
use super::problem::Problem;
use super::proving::ProvedSheet;
use super::published::ComparedScores;
use super::sampling::SampledSheet;

/// What has been found. What was not asked for, or not done because of problems, is `None`.
#[derive(Default, Serialize)]
pub struct Document {
    pub files: usize,
    pub bytes: u64,
    pub problems: Vec<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampled: Option<Vec<SampledSheet>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest: Option<ComparedManifest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<Vec<ProvedSheet>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<Vec<PlayedSheet>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<ComparedScores>,
}

impl Document {
    /// Returns what has been found, in a few sentences.
    pub fn closing(&self) -> String {
        let files = count(self.files, "file");
        let mut text = match self.problems.len() {
            0 => format!("\n{files}, {}: every byte is right.\n", bytes(self.bytes)),
            found => format!("\n{files}, {}:\n", count(found, "problem")),
        };
        for Problem { file, what } in &self.problems {
            text += &format!("  {file}: {what}\n");
        }
        if let Some(ComparedManifest { file, files }) = &self.manifest {
            text += &format!("{file}: SHA-256 sums of {}.\n", count(*files, "file"));
        }
        for SampledSheet { rules, layers, positions } in self.sampled.iter().flatten() {
            text += &format!(
                "Sampled of sheet `{rules}`: {positions} positions of {layers} layers, compared \
                 with their moves.\n"
            );
        }
        for proved in self.proved.iter().flatten().filter(|proved| proved.layers > 0) {
            text += &proved.to_string();
        }
        for played in self.played.iter().flatten() {
            text += &played.to_string();
        }
        if let Some(compared) = &self.published {
            text += &compared.to_string();
        }
        text
    }
}

/// `1 file`, `2 files`.
fn count(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
