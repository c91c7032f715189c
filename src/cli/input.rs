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

/// Returns all that a file says that is to be one: a pipe in its place would be waited for.
pub fn text_of_file(path: &Path) -> Result<String> {
    let is_other = path.metadata().is_ok_and(|found| !found.is_file()) && path != Path::new("-");
    match is_other {
        true => Err(Error::io("reading", path)(io::Error::other("it is not a file"))),
        false => text(path),
    }
}

/// Returns what people call a file.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}
