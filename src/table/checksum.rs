//! What a file is known by: the sum that manifests hold.

use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::source::open_file;
use crate::error::{Error, Result};

/// Bytes of a file that are read at a time.
const STRIDE: usize = 1 << 18;

/// The SHA-256 of a file, in hexadecimal digits.
///
/// # Errors
/// [`Error::Io`] if it cannot be read.
pub fn sha256(path: &Path) -> Result<String> {
    let mut file = open_file(path).map_err(Error::io("opening", path))?;
    let (mut sum, mut buffer) = (Sha256::new(), vec![0; STRIDE]);
    loop {
        match file.read(&mut buffer).map_err(Error::io("reading", path))? {
            0 => break,
            length => sum.update(&buffer[..length]),
        }
    }
    Ok(digits(sum))
}

/// Writes a sum in hexadecimal digits.
pub(super) fn digits(sum: Sha256) -> String {
    sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
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
