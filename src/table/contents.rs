//! What goes into a table, and how it is to be written.

use crate::error::{Error, Result};
use crate::layer::{Attained, Exceptions, Solved};

/// How a table is to be written: the level of compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// The level of zstd, 1 to 22; how hard to look for a model that fits goes with it, and from
    /// level 9 on frames are larger, so that a tile that is not cached takes longer to read.
    pub level: i32,
}

/// The levels there are.
const LEVELS: std::ops::RangeInclusive<i32> = 1..=22;

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions { level: 3 }
    }
}

impl WriteOptions {
    /// Makes sure that there is such a level.
    pub(super) fn check(self) -> Result<()> {
        let level = self.level;
        match LEVELS.contains(&level) {
            true => Ok(()),
            false => Err(Error::Usage(format!("compression level {level} is not in {LEVELS:?}"))),
        }
    }
}

/// Bytes of a table file for the score of a position, rather too many than too few.
const SCORE_BYTES: f64 = 0.35;

/// Bytes of a table file for the exceptions of a position, rather too many than too few.
const EXCEPTION_BYTES: f64 = 0.02;

/// Bytes of a table without any position, with what a file system adds.
const BYTES_PER_TABLE: u64 = 4096;

/// Returns the bytes of a table of this many positions, with a strategy or without, as far as they
/// can be foreseen. Where only a part of what scores take is left, because they are clamped, that
/// is `share`.
pub fn expected_bytes(positions: u64, strategies: bool, share: f64) -> u64 {
    let strategy = if strategies { EXCEPTION_BYTES } else { 0.0 };
    (positions as f64 * (SCORE_BYTES + strategy) * share) as u64 + BYTES_PER_TABLE
}

/// What goes into a table: a solved layer, its strategy, and where bounds may be stored loosely.
/// Marks come separately from the layer, whether or not that has some: scores are needed longer
/// than they are.
#[derive(Clone, Copy, Debug)]
pub struct Contents<'a> {
    /// The bounds.
    pub solved: &'a Solved,
    /// Where its strategy does not make default moves; `None` for a table without a strategy.
    pub exceptions: Option<&'a Exceptions>,
    /// Where captures attain the bounds: what is known of that makes the table smaller.
    pub attained: Option<&'a Attained>,
}

impl<'a> From<&'a Solved> for Contents<'a> {
    fn from(solved: &'a Solved) -> Contents<'a> {
        let (exceptions, attained) = (solved.exceptions.as_ref(), solved.attained.as_ref());
        Contents { solved, exceptions, attained }
    }
}
