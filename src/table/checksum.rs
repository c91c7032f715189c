//! What a file is known by: the sum that manifests hold.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::shelf::read_file;
use super::source::Source;
use crate::error::{Error, Result};

/// The SHA-256 of a file, in hexadecimal digits.
///
/// # Errors
/// [`Error::Io`] if it cannot be read.
pub fn sha256(path: &Path) -> Result<String> {
    let file = read_file(path).map_err(Error::io("opening", path))?;
    of(&Source::new(path, Ok(file))?)
}

/// The same of a file that is open, wherever it is.
pub(super) fn of(source: &Source) -> Result<String> {
    let mut sum = Sha256::new();
    let summed = source.each(source.bytes, |bytes| sum.update(bytes));
    summed.map_err(Error::io("reading", &source.path))?;
    Ok(sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_standard() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("file");
        // FIPS 180-2, appendix B: "abc", and a million times "a".
        for (text, expected) in [
            ("abc".to_owned(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "a".repeat(1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
            ),
        ] {
            std::fs::write(&path, text).expect("writes");
            assert_eq!(sha256(&path).expect("reads"), expected);
        }
    }
}
