//! What a table holds of the positions that were settled, as bytes.
//!
//! ```text
//!   open positions   u64, how many, then for each, smallest rank first
//!                       u64  rank
//!                       i8   its score, or the lower bound that is left
//!                       i8   the same, or the upper bound
//!   moves            u64, how many, then for each, by rank and claim
//!                       u64  rank
//!                       i8   claim
//!                       u8   house, 0 to 5
//! ```
//!
//! All of it is one [section](super::section).

use std::io;

use super::Flaw;
use super::section::{pack, room, unpack};
use super::source::ReadError;
use crate::game::{House, Interval, Score};
use crate::layer::{KnotMove, Layer, Rank, Settlement};

/// Level of the compression: the section is short, and read once.
const LEVEL: i32 = 19;

/// Bytes of an entry of either list.
const ENTRY: usize = 10;

/// Encodes a settlement.
pub(super) fn encode(settlement: &Settlement) -> io::Result<Vec<u8>> {
    let mut raw = Vec::new();
    raw.extend((settlement.intervals.len() as u64).to_le_bytes());
    for (rank, interval) in &settlement.intervals {
        raw.extend(rank.0.to_le_bytes());
        raw.extend([interval.low, interval.high].map(|bound| bound.get() as u8));
    }
    raw.extend((settlement.moves.len() as u64).to_le_bytes());
    for held in &settlement.moves {
        raw.extend(held.rank.0.to_le_bytes());
        raw.extend([held.claim.get() as u8, held.house.index() as u8]);
    }
    pack(&raw, LEVEL)
}

/// Decodes a settlement of a layer, and proves that it could be one.
pub(super) fn decode(bytes: &[u8], layer: Layer) -> Result<Settlement, ReadError> {
    let raw = unpack(bytes, "settled positions")?;
    let mut raw = &raw[..];
    let intervals = list(&mut raw, |entry| interval(entry, layer))?;
    let moves = list(&mut raw, |entry| knot_move(entry, layer))?;
    let in_order = intervals.is_sorted_by(|one, next| one.0 < next.0)
        && moves
            .is_sorted_by(|one: &KnotMove, next| (one.rank, one.claim) < (next.rank, next.claim));
    if !in_order || !raw.is_empty() {
        return Err(Flaw::new("its settled positions are out of order").into());
    }
    Ok(Settlement { intervals, moves })
}

/// Reads the list that `raw` begins with.
fn list<T>(
    raw: &mut &[u8],
    read: impl Fn(&[u8; ENTRY]) -> Result<T, Flaw>,
) -> Result<Vec<T>, ReadError> {
    let entries = entries(raw)?;
    let mut all = room(entries.len())?;
    for entry in entries {
        all.push(read(entry)?);
    }
    Ok(all)
}

/// The entries of the list that `raw` begins with.
fn entries<'a>(raw: &mut &'a [u8]) -> Result<&'a [[u8; ENTRY]], Flaw> {
    let cut_off = || Flaw::new("its settled positions are cut off");
    let (count, rest) = raw.split_first_chunk::<8>().ok_or_else(cut_off)?;
    let length = usize::try_from(u64::from_le_bytes(*count)).ok();
    let length = length.and_then(|count| count.checked_mul(ENTRY)).ok_or_else(cut_off)?;
    let (list, rest) = rest.split_at_checked(length).ok_or_else(cut_off)?;
    *raw = rest;
    Ok(list.as_chunks::<ENTRY>().0)
}

fn interval(entry: &[u8; ENTRY], layer: Layer) -> Result<(Rank, Interval), Flaw> {
    let low = score(entry[8], layer)?;
    let high = score(entry[9], layer)?;
    if low > high {
        return Err(Flaw::new("a settled position has no interval"));
    }
    Ok((rank(entry, layer)?, Interval { low, high }))
}

fn knot_move(entry: &[u8; ENTRY], layer: Layer) -> Result<KnotMove, Flaw> {
    let house = House::new(entry[9].into()).ok_or_else(|| Flaw::new("a move has no house"))?;
    Ok(KnotMove { rank: rank(entry, layer)?, claim: score(entry[8], layer)?, house })
}

fn rank(entry: &[u8; ENTRY], layer: Layer) -> Result<Rank, Flaw> {
    let rank = u64::from_le_bytes(std::array::from_fn(|at| entry[at]));
    if rank >= layer.positions() {
        return Err(Flaw::new("a settled position is not in the layer"));
    }
    Ok(Rank(rank))
}

fn score(byte: u8, layer: Layer) -> Result<Score, Flaw> {
    let score = byte as i8;
    if usize::from(score.unsigned_abs()) > layer.seeds().get() {
        return Err(Flaw::new("a settled score is more than all seeds"));
    }
    Ok(Score::new(score))
}
