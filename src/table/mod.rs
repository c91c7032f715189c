//! The table file: one solved layer of one sheet, scores and strategy.
//!
//! A file is named after its contents, `awari-07.oware` for the layer of seven seeds under the
//! sheet `awari`. Numbers are little endian. A file is written front to back in one pass, and its
//! end says that it is complete, so a file that lost its tail is never taken for a table.
//!
//! ```text
//!          +---------------------------------------------------------------------------------+
//!       0  | header, 104 bytes: which layer of which game ([`header`])                       |
//!     104  | preface, a zstd frame: the figures, then the model of the code ([`model`])      |
//!          | settled positions, a zstd frame, if there are any ([`settlement`])              |
//!          | exceptions, a zstd frame, if there is a strategy ([`exceptions`])               |
//!          | frame 0 | frame 1 | ...    the bounds of some tiles each ([`frame`], [`tiles`]) |
//!       d  | directory, 16 bytes for each frame, in the same order ([`directory`])           |
//!   d + m  | trailer, 48 bytes: where the directory is, checksums, the end                   |
//!          +---------------------------------------------------------------------------------+
//! ```
//!
//! The guide tells [every byte](crate::guide::file_format).
//!
//! What the numbers *mean* is in the header too: the sheet's axes, and among them what endless
//! play is worth. A reader compares them with its own sheet of that id and refuses a table made
//! under other rules. A layer whose two bounds agree everywhere is stored as one plane.
//!
//! # What is stored of a bound
//!
//! Where a capture attains a bound, or the game is over, the stored one may be *any that is not
//! larger*: a reader takes the larger one of it and of the values of captures, each from the
//! layer that it leads into. That saves bytes, and it makes a table one of a set: without those of
//! all smaller layers it says little. The same is done with children in the tile (`walk`), to which
//! the decoder has already raised the bound. [`crate::probe`] looks captures up position by
//! position, [`crate::solver::Solver::complete`] enters them into a whole layer, and
//! [`crate::certify::proof::Prover::complete`] does the same with other code.
//!
//! A strategy is default moves and the exceptions to them ([`crate::layer::Exceptions`]). A table
//! with one is a certificate that can be checked without the program that made it
//! ([`crate::certify::proof`]).
//!
//! Invariant: the bytes of a file depend on the sheet, the layer and the options alone, not on
//! the number of threads.
//!
//! `Table::open` proves header, preface, directory and trailer, but reads no frame; a frame is
//! proved each time it is read: against its checksum, and by its numbers, of which none is left
//! over. Of a file on a web host the directory is not read at once either: the entry of a frame
//! comes with the frame. `Table::check` proves the whole file.
//!
//! A program reads one version of the format, and says of a file of another one which it has.

mod bounds;
mod cache;
pub(crate) mod checkpoint;
#[cfg(any(feature = "answers", feature = "cli"))]
pub(crate) mod checksum;
mod choice;
mod classes;
mod code;
mod contents;
mod counts;
mod cutting;
mod decoder;
mod directory;
mod encoder;
mod encoding;
mod exceptions;
mod far;
mod fitting;
mod frame;
pub mod general;
mod ground;
mod groups;
mod header;
pub(crate) mod joint;
mod kin;
mod lane_code;
mod loading;
mod lock;
mod model;
mod outline;
mod publish;
mod reader;
mod section;
mod settlement;
mod shelf;
mod source;
mod streams;
mod summing;
#[path = "../../tests/table/mod.rs"]
#[cfg(test)]
mod tests;
mod tile_reader;
mod tiles;
mod truth;
mod value;
mod walk;
mod writer;

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::game::{Rules, Seeds};

pub use contents::{Contents, WriteOptions};
pub use publish::Written;
pub use shelf::{InMemoryShelf, ReadAt, Shelf};
pub use writer::{to_bytes, write};

pub(crate) use cache::Cache;
pub(crate) use shelf::{DirectoryShelf, OpenFile, map_file, read_file};
pub(crate) use source::Source;

pub use contents::expected_bytes;
pub use far::{FarShelf, Fetch, Fetched};
pub use header::Header;
pub use lock::Lock;
pub use reader::Table;
pub use tile_reader::Scratch;
pub use value::Planes;
pub use writer::write_unless;

pub(crate) use publish::{UnpublishedTable, publish_all};
pub(crate) use shelf::open_file;

/// The version of the table format that this library writes and reads.
pub const VERSION: u8 = 1;

/// Part of what [`Error::CorruptTable`] says of a whole table of another layer or kind.
pub const MISNAMED: &str = "not what its name says";

/// Cells that are compressed together at a level: what a probe has to decompress. Each doubling makes
/// files 2 to 3 % smaller.
pub(crate) fn frame_cells(level: i32) -> u32 {
    match level {
        ..=8 => 1 << 14,
        9..=15 => 1 << 15,
        16.. => 1 << 16,
    }
}

/// Returns the file name of the table of a layer, as in `awari-07.oware`.
pub fn file_name(rules: &Rules, seeds: Seeds) -> String {
    format!("{}-{:02}.oware", rules.id, seeds.get())
}

/// Returns the layer that a file called `name` holds under `rules`; `None` if `name` is not one of
/// theirs.
pub(crate) fn named_seeds(rules: &Rules, name: &str) -> Option<Seeds> {
    let (_, number) = name.strip_suffix(".oware")?.rsplit_once('-')?;
    let seeds = Seeds::new(number.parse().ok()?)?;
    (file_name(rules, seeds) == name).then_some(seeds)
}

/// Why a part of a file could not be had, before it is known which file.
#[derive(Debug)]
enum Flaw {
    /// It is not what it should be.
    Corrupt(String),
    /// It is of another version.
    Version { found: u8, known: u8 },
    /// It could not be read.
    Io(io::Error),
}

impl Flaw {
    fn new(what: impl Into<String>) -> Flaw {
        Flaw::Corrupt(what.into())
    }

    /// A whole table that is not the one that was asked for.
    fn misnamed(holds: impl Display) -> Flaw {
        Flaw::new(format!("it holds {holds}, {MISNAMED}"))
    }

    /// Returns the error to report of the file `path`.
    fn of(self, path: &Path) -> Error {
        let path = PathBuf::from(path);
        match self {
            Flaw::Corrupt(what) => Error::CorruptTable { path, what },
            Flaw::Version { found, known } => Error::WrongVersion { path, found, known },
            Flaw::Io(source) => Error::io("reading", path)(source),
        }
    }
}

impl From<io::Error> for Flaw {
    fn from(error: io::Error) -> Flaw {
        Flaw::Io(error)
    }
}
