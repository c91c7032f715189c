//! Mistakes in what is said, and how they are quoted.

use crate::error::Error;

/// Returns the error for something that cannot be read.
pub fn wrong(what: impl Into<String>) -> Error {
    Error::Usage(what.into())
}

/// Returns at most forty characters of a text that was received, none of them a control character.
pub fn shown(text: &str) -> String {
    let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", text[..end].chars().map(plain).collect::<String>()),
        None => text.chars().map(plain).collect(),
    }
}
