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

use zerocopy::little_endian::U64;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::Flaw;
use super::section::{no_memory, pack, unpack};
use crate::game::{House, Interval, Score};
use crate::layer::{KnotMove, Layer, Rank, Settlement};

/// Level of the compression: the section is short, and read once.
const LEVEL: i32 = 19;

/// An entry of either list.
#[derive(Clone, Copy, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct RawEntry {
    rank: U64,
    bytes: [u8; 2],
}

/// Encodes a settlement.
pub(super) fn encode(settlement: &Settlement) -> io::Result<Vec<u8>> {
    let mut raw = Vec::new();
    raw.extend((settlement.intervals.len() as u64).to_le_bytes());
    for (rank, interval) in &settlement.intervals {
        let bytes = [interval.low, interval.high].map(|bound| bound.get() as u8);
        raw.extend(RawEntry { rank: rank.0.into(), bytes }.as_bytes());
    }
    raw.extend((settlement.moves.len() as u64).to_le_bytes());
    for held in &settlement.moves {
        let bytes = [held.claim.get() as u8, held.house.index() as u8];
        raw.extend(RawEntry { rank: held.rank.0.into(), bytes }.as_bytes());
    }
    pack(&raw, LEVEL)
}

/// Decodes a settlement of a layer, and proves that it could be one.
pub(super) fn decode(bytes: &[u8], layer: Layer) -> Result<Settlement, Flaw> {
    let raw = unpack(bytes, "settled positions")?;
    let mut raw = &raw[..];
    let intervals = list(&mut raw, layer, |rank, [low, high]| {
        let (low, high) = (score(low, layer)?, score(high, layer)?);
        match low <= high {
            true => Ok((rank, Interval { low, high })),
            false => Err(Flaw::new("a settled position has no interval")),
        }
    })?;
    let moves = list(&mut raw, layer, |rank, [claim, house]| {
        let house = House::new(house.into()).ok_or_else(|| Flaw::new("a move has no house"))?;
        Ok(KnotMove { rank, claim: score(claim, layer)?, house })
    })?;
    let in_order = intervals.is_sorted_by(|one, next| one.0 < next.0)
        && moves
            .is_sorted_by(|one: &KnotMove, next| (one.rank, one.claim) < (next.rank, next.claim));
    if !in_order || !raw.is_empty() {
        return Err(Flaw::new("its settled positions are out of order"));
    }
    Ok(Settlement { intervals, moves })
}

/// Reads the list that `raw` begins with, of positions of a layer.
fn list<T>(
    raw: &mut &[u8],
    layer: Layer,
    read: impl Fn(Rank, [u8; 2]) -> Result<T, Flaw>,
) -> Result<Vec<T>, Flaw> {
    let cut_off = || Flaw::new("its settled positions are cut off");
    let (count, rest) = U64::read_from_prefix(raw).map_err(|_| cut_off())?;
    let count = usize::try_from(count.get()).map_err(|_| cut_off())?;
    let (entries, rest) =
        <[RawEntry]>::ref_from_prefix_with_elems(rest, count).map_err(|_| cut_off())?;
    *raw = rest;
    let mut all = Vec::new();
    all.try_reserve_exact(count).map_err(no_memory)?;
    for &RawEntry { rank, bytes } in entries {
        if rank.get() >= layer.positions() {
            return Err(Flaw::new("a settled position is not in the layer"));
        }
        all.push(read(Rank(rank.get()), bytes)?);
    }
    Ok(all)
}

fn score(byte: u8, layer: Layer) -> Result<Score, Flaw> {
    let score = byte as i8;
    if usize::from(score.unsigned_abs()) > layer.seeds().get() {
        return Err(Flaw::new("a settled score is more than all seeds"));
    }
    Ok(Score::new(score))
}
