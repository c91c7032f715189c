//! Checksums of whole files, computed once for each state of a file.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::SystemTime;

use crate::error::{Error, Result};
use crate::pool::locked;
use crate::table::checksum::sha256;

/// Checksums of files by name. A file whose length or time of change differs is read again.
#[derive(Default)]
pub struct Checksums(Mutex<HashMap<String, (Revision, String)>>);

/// What tells a file from the one that replaces it: its length, and when it changed.
type Revision = (u64, Option<SystemTime>);

impl Checksums {
    /// Returns the SHA-256 of the file at `path`, in hexadecimal; `name` is what it is kept under.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read.
    pub fn sha256(&self, name: &str, path: &Path) -> Result<String> {
        let found = path.metadata().map_err(Error::io("reading", path))?;
        let revision = (found.len(), found.modified().ok());
        let sums = || locked(&self.0);
        if let Some((_, sum)) = sums().get(name).filter(|(then, _)| *then == revision) {
            return Ok(sum.clone());
        }
        let sum = sha256(path)?;
        sums().insert(name.to_owned(), (revision, sum.clone()));
        Ok(sum)
    }
}
