//! Files as arguments, with `-` for standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use oware_db::error::{Error, Result};
use oware_db::lines::unmarked;

/// Opens a file, or standard input for `-`.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).map_err(Error::io("reading", path))?;
    Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
}

/// Returns all that a file says, without a byte order mark.
pub fn text(path: &Path) -> Result<String> {
    let text = io::read_to_string(open(path)?).map_err(Error::io("reading", path))?;
    Ok(unmarked(&text).to_owned())
}

/// Returns what people call a file.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}
