//! The table file: one solved layer of one sheet, scores and strategy.
//!
//! A file is called after what it holds, `awari-07.oware` for the layer of seven seeds under the
//! sheet `awari`. Numbers are little endian. A file is written front to back in one pass, and its
//! end says that it is complete, so a file that lost its tail is never taken for a table.
//!
//! ```text
//!       0  +---------------------------------------------------------------+
//!          | header, 128 bytes                                             |
//!          |    0  magic            89 4F 57 52 0D 0A 1A 0A  ("\x89OWR...")|
//!          |    8  version          u16, 2                                 |
//!          |   10  header length    u16, 128                               |
//!          |   12  sheet            16 bytes, its id, filled up with 0     |
//!          |   28  origin           1 skipped, 2 sown                      |
//!          |   29  grand slam       1 captures nothing, 2 captures,        |
//!          |                        3 illegal unless forced                |
//!          |   30  feeding          1 must feed, 2 free                    |
//!          |   31  harvest          1 last houses, 2 opposite              |
//!          |   32  endless play     1 even split, 2 own side               |
//!          |   33  domain           1 empty house, 2 all                   |
//!          |   34  seeds            0..=48                                 |
//!          |   35  planes           1 low, 2 low and high                  |
//!          |   36  encoding         1 = one i8 per position, by rank       |
//!          |   37  strategy         0 none, 1 stamps                       |
//!          |   38  zeros            2 bytes                                |
//!          |   40  positions        u64                                    |
//!          |   48  block positions  u32, how many scores one block holds   |
//!          |   52  level            i32, of the compression                |
//!          |   56  holds            32 bytes: bit s of them, lowest bit    |
//!          |                        first, says that stamp s is a hold     |
//!          |   88  zeros            32 bytes                               |
//!          |  120  checksum         xxh3-64 of bytes 0..120                |
//!     128  +---------------------------------------------------------------+
//!          | low 0 | low 1 | ...    one zstd frame for each block of the   |
//!          |                        low plane: the scores of consecutive   |
//!          |                        ranks, the last block may be shorter   |
//!          +---------------------------------------------------------------+
//!          | high 0 | high 1 | ...  with two planes: the differences       |
//!          |                        high - low of the same ranks; a block  |
//!          |                        without a difference takes no bytes    |
//!          +---------------------------------------------------------------+
//!          | stamps 0 | stamps 1 | ...  with a strategy: one u8 for each   |
//!          |                        rank; a block of zeros takes no bytes  |
//!       d  +---------------------------------------------------------------+
//!          | directory, 12 bytes for each block, in the same order         |
//!          |    0  length           u32, bytes of the frame (0: left out)  |
//!          |    4  checksum         xxh3-64 of those bytes                 |
//!   d + m  +---------------------------------------------------------------+
//!          | trailer, 48 bytes                                             |
//!          |    0  directory at     u64, d                                 |
//!          |    8  directory length u64, m                                 |
//!          |   16  checksum         xxh3-64 of the directory               |
//!          |   24  file checksum    xxh3-128 of every byte before this one |
//!          |   40  end              "OWARE.ok"                             |
//!          +---------------------------------------------------------------+
//! ```
//!
//! What the numbers *mean* is in the header too: the sheet's axes, and among them what endless
//! play is worth. A reader compares them with its own sheet of that id and refuses a table made
//! under other rules. A layer whose two bounds agree everywhere is stored as one plane.
//!
//! What *stamps* are and what they prove is said in [`crate::strategy`]: a table with a strategy is
//! a certificate that can be checked without the program that made it ([`crate::proof`]).
//!
//! Invariant: the bytes of a file depend on the sheet, the layer and the options alone, not on
//! the number of threads.
//!
//! [`Table::open`] proves header, directory and trailer, but reads no block; a block is proved
//! against its checksum each time it is decoded, the whole file by [`Table::verify`].
//!
//! # Versions
//!
//! | version | since | what changed |
//! |---|---|---|
//! | 1 | 0.1 | the first |
//! | 2 | 0.1 | strategies |

mod block;
mod cache;
mod header;
mod reader;
mod source;
mod writer;

use std::path::{Path, PathBuf};

use crate::board::Seeds;
use crate::error::Error;
use crate::rules::Rules;

pub use block::{Bounds, Scratch};
pub use cache::Cache;
pub use header::{Header, Planes};
pub use reader::Table;
pub use source::Access;
pub use writer::{Draft, WriteOptions, Written, draft, write};

/// Version of the format that this program writes and reads.
pub const VERSION: u16 = 2;

/// Ending of table files.
pub const EXTENSION: &str = "oware";

/// Positions in one block, which is what a probe has to decode.
///
/// Scores hardly repeat; what compresses them is a code for single scores, fitted to each block.
/// Smaller blocks pay for more such codes, larger ones for a worse fit, and the time of a probe
/// grows with the block. The Awari layer of 19 seeds, 52 million positions, two threads of a
/// shared Intel Xeon (`cargo test --release --lib block_sizes -- --ignored --nocapture`):
///
/// | level | block | bits a position | write MB/s | load MB/s | probe, cold block |
/// |---|---|---|---|---|---|
/// | 1 | 4,096 | 3.71 | 330 | 650 | 7 µs |
/// | 1 | 16,384 | 3.65 | 420 | 860 | 19 µs |
/// | **1** | **32,768** | **3.60** | **580** | **1080** | **30 µs** |
/// | 1 | 65,536 | 3.61 | 630 | 1270 | 57 µs |
/// | 1 | 262,144 | 3.62 | 610 | 590 | 225 µs |
/// | 3 | 32,768 | 3.65 | 340 | 1100 | 34 µs |
/// | 9 | 32,768 | 3.64 | 87 | 1000 | 39 µs |
/// | 15 | 32,768 | 3.48 | 28 | 880 | 47 µs |
pub const BLOCK_POSITIONS: u32 = 1 << 15;

/// What the file of a layer is called: `awari-07.oware`.
pub fn file_name(rules: &Rules, seeds: Seeds) -> String {
    format!("{}-{:02}.{EXTENSION}", rules.id, seeds.get())
}

/// The layer that a file called `name` holds under `rules`; `None` if it is no name of theirs.
pub fn named_seeds(rules: &Rules, name: &str) -> Option<Seeds> {
    let number = name.strip_prefix(rules.id)?.strip_prefix('-')?.strip_suffix(EXTENSION)?.strip_suffix('.')?;
    let seeds = Seeds::new(number.parse().ok()?)?;
    (file_name(rules, seeds) == name).then_some(seeds)
}

/// Why bytes are not a table, before it is known whose bytes they are.
#[derive(Debug)]
enum Flaw {
    /// They are not what they should be.
    Corrupt(String),
    /// They are of another version.
    Version(u16),
}

impl Flaw {
    fn new(what: impl Into<String>) -> Flaw {
        Flaw::Corrupt(what.into())
    }

    /// The error to report of the file `path`.
    fn of(self, path: &Path) -> Error {
        let path = PathBuf::from(path);
        match self {
            Flaw::Corrupt(what) => Error::CorruptTable { path, what },
            Flaw::Version(found) => Error::WrongVersion { path, found, known: VERSION },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{ABAPA, ABAPA_EVEN, PLAIN, SHEETS};

    #[test]
    fn names_come_back() {
        for rules in SHEETS {
            for seeds in Seeds::MAX.up_to() {
                assert_eq!(named_seeds(rules, &file_name(rules, seeds)), Some(seeds));
            }
        }
        assert_eq!(file_name(&ABAPA_EVEN, Seeds::ZERO), "abapa-even-00.oware");
    }

    #[test]
    fn foreign_names_are_nobodys() {
        for name in ["abapa-even-07.oware", "abapa-7.oware", "abapa-007.oware", "abapa-49.oware", "abapa-+7.oware"] {
            assert_eq!(named_seeds(&ABAPA, name), None, "{name}");
        }
        for name in ["plain-opposite-07.oware", "plain-07.oware.12-0.tmp", "plain-07oware", "plain", ""] {
            assert_eq!(named_seeds(&PLAIN, name), None, "{name}");
        }
    }
}
