//! What a file for an instruction set implements: 64 lanes.

use crate::table::groups::GROUP;

/// Positions of a row: those of its smaller side, then those of its larger one.
pub const BOTH: usize = 2 * GROUP;

/// A byte for each position of a row.
pub type Bytes = [u8; BOTH];

/// A number for each position of a row.
pub type Words = [u32; BOTH];

/// A loop over lanes. All that it calls has to be inlined, or it is not compiled with the
/// instructions.
pub trait Loop {
    /// What comes of it.
    type Output;

    /// Runs it.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// What an instruction set does with lanes.
pub trait Lanes {
    /// Whether to pick or gather a whole row beats a loop over the lanes that matter.
    const IS_WIDE: bool;

    /// Each lane from where `from` says, below 64.
    fn pick(bytes: &Bytes, from: &Bytes) -> Bytes;

    /// What stands in a table for each byte.
    fn translate(table: &[u8; 256], bytes: &Bytes) -> Bytes;

    /// What stands at some places in a table.
    ///
    /// # Panics
    /// If a place is not in the table.
    fn look_up(table: &[u32], at: &Words) -> Words;

    /// Likewise in a table of bytes that has three too many at its end.
    ///
    /// # Panics
    /// If a place is not in the table.
    fn look_up_bytes(table: &[u8], at: &Words) -> Words;

    /// The lowest byte of each word.
    fn narrowed(words: &Words) -> Bytes;

    /// Some lanes from where `from` says in other bytes; the rest stays.
    fn pick_some(bytes: &mut Bytes, some: u64, others: &Bytes, from: &Bytes);

    /// For each lane the bit of a word with this number, below 64.
    fn pick_bits(word: u64, numbers: &Bytes) -> u64;

    /// A mask for each lane.
    fn masks(lanes: u64) -> Bytes;

    /// The lanes that are not 0.
    fn lanes(bytes: &Bytes) -> u64;

    /// Some lanes, moved to the front; what stands behind them is of no account.
    fn gather(bytes: &Bytes, wanted: u64) -> Bytes;
}

/// The lanes of which something is true.
#[inline(always)]
pub fn lanes_where(is_true: impl Fn(usize) -> bool) -> u64 {
    let mut lanes = 0;
    for lane in 0..BOTH {
        lanes |= u64::from(is_true(lane)) << lane;
    }
    lanes
}
