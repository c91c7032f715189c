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
use crate::error::Result;
use crate::game::Rules;

/// Writes the table of a solved layer into `dir`, over one that may be there already.
///
/// # Errors
/// [`Error::Io`](crate::Error::Io) if the directory or the disk refuses; nothing is left behind then.
/// [`Error::CompressionLevel`](crate::Error::CompressionLevel) for a level that does not exist,
/// [`Error::Unproved`](crate::Error::Unproved) for scores that no layer has.
pub fn write<'a>(
    dir: &Path,
    rules: &'static Rules,
    contents: impl Into<Contents<'a>>,
    options: WriteOptions,
) -> Result<Written> {
    write_unpublished(dir, rules, contents, options)?.publish()
}

/// The first half of [`write()`]: the file is complete, but not durable and not under its name.
///
/// # Errors
/// As [`write()`].
pub fn write_unpublished<'a>(
    dir: &Path,
    rules: &'static Rules,
    contents: impl Into<Contents<'a>>,
    options: WriteOptions,
) -> Result<UnpublishedTable> {
    let contents = contents.into();
    options.check()?;
    let target = dir.join(file_name(rules, contents.solved.layer().seeds()));
    let encoding = Encoding::new(rules, contents, options, frame_cells(options.level))?;
    UnpublishedTable::write(target, |file| encoding.write(file))
}
