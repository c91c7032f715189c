//! Answers as JSON.

use serde::Serialize;

/// A JSON document, or in answer to a batch one a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document(Vec<u8>);

impl Document {
    /// Writes a document.
    ///
    /// # Panics
    /// If it has keys that are not text.
    pub fn of(document: &impl Serialize) -> Document {
        let bytes = serde_json::to_vec(document);
        Document(bytes.expect("documents have text keys and finite numbers"))
    }

    /// Returns documents that are written already, each on a line of its own.
    pub(super) fn of_lines(lines: Vec<u8>) -> Document {
        Document(lines)
    }

    /// Returns the bytes, which are UTF-8.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}
