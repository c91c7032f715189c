//! What is wrong with a file.

use serde::Serialize;

/// Something that is wrong with a file.
#[derive(Serialize)]
pub struct Problem {
    pub file: String,
    pub what: String,
}
