//! Writing a table: front to back, in one pass, under a temporary name.
//!
//! What goes into the file is [encoded](super::encoding) in parallel. The file has a temporary name
//! until it is [published](super::publish), so a file under a table's name is always a whole table.
//!
//! Everything here can run on any thread; a builder encodes some layers while it solves the next
//! and publishes others.

use std::path::Path;

use super::contents::{Contents, WriteOptions};
use super::encoding::Encoding;
use super::publish::{UnpublishedTable, Written};
use super::{file_name, frame_cells};
use crate::error::{Error, Result};
use crate::game::Rules;

/// Writes the table of a solved layer into `dir`, over one that may be there already.
///
/// # Errors
/// [`Error::Io`] if the directory or the disk refuses; nothing is left behind then.
/// [`Error::Usage`] for a level that does not exist, [`Error::Unproved`] for scores that no
/// layer has.
pub fn write<'a>(
    dir: &Path,
    rules: &'static Rules,
    contents: impl Into<Contents<'a>>,
    options: WriteOptions,
) -> Result<Written> {
    write_unless(dir, rules, contents, options, &|| false)?.publish()
}

/// Returns the bytes that [`write()`] puts into a file.
///
/// # Errors
/// [`Error::Usage`] for a level that does not exist, [`Error::Unproved`] for scores that no
/// layer has.
pub fn to_bytes<'a>(
    rules: &'static Rules,
    contents: impl Into<Contents<'a>>,
    options: WriteOptions,
) -> Result<Vec<u8>> {
    options.check()?;
    let encoding = Encoding::new(rules, contents.into(), options, frame_cells(options.level))?;
    let mut bytes = Vec::new();
    encoding.write(&mut bytes, &|| false).map_err(Error::io("writing", "table in memory"))?;
    Ok(bytes)
}

/// The first half of [`write()`]: the file is complete, but not durable and not under its name. It
/// ends as soon as `ended` says so, which is asked before each batch of frames.
///
/// # Errors
/// As [`write()`], and [`Error::Interrupted`].
pub fn write_unless<'a>(
    dir: &Path,
    rules: &'static Rules,
    contents: impl Into<Contents<'a>>,
    options: WriteOptions,
    ended: &(dyn Fn() -> bool + Sync),
) -> Result<UnpublishedTable> {
    let contents = contents.into();
    options.check()?;
    let target = dir.join(file_name(rules, contents.solved.layer().seeds()));
    let encoding = Encoding::new(rules, contents, options, frame_cells(options.level))?;
    let written = UnpublishedTable::write(target, |file| encoding.write(file, ended));
    if ended() { Err(Error::Interrupted) } else { written }
}
