//! Lines of scores that come from others, and scores as they travel.

use zerocopy::IntoBytes;

use crate::error::{Error, Result};
use crate::layer::line::{LINE, Line};
use crate::layer::packing::Packing;

/// This many lines that hold `fill` everywhere.
///
/// # Errors
/// [`Error::OutOfMemory`] if there is no memory for them.
pub fn lines(count: usize, fill: i8) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    let bytes = (count * LINE) as u64;
    lines.try_reserve_exact(count).map_err(|_| Error::OutOfMemory { bytes })?;
    lines.resize(count, Line::of(fill));
    Ok(lines)
}

/// Scores as they travel: a byte each, or packed as in memory, the last line filled up.
pub fn packed(packing: Packing, mut scores: Vec<u8>) -> Vec<u8> {
    if packing == Packing::Byte {
        return scores;
    }
    scores.resize(scores.len().next_multiple_of(LINE), 0);
    packing.packed(&Packing::Byte.unpacked(&scores)).into_owned()
}

/// The inverse of [`packed`], with what fills up the last line.
pub fn unpacked(packing: Packing, bytes: Vec<u8>) -> Vec<u8> {
    if packing == Packing::Byte {
        return bytes;
    }
    packing.unpacked(&bytes).as_bytes().to_vec()
}

/// How many bytes this many scores are as they travel.
pub fn packed_size(packing: Packing, scores: usize) -> usize {
    match packing {
        Packing::Byte => scores,
        _ => scores.div_ceil(LINE) * packing.bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules::AWARI;
    use crate::game::{ScoreRange, Seeds};

    #[test]
    fn scores_come_back_however_they_travel() {
        for (seeds, game) in [(12, 48), (12, 17), (12, 14), (12, 13)] {
            let [seeds, game] = [seeds, game].map(|seeds| Seeds::new(seeds).unwrap());
            let range = ScoreRange::deciding(&AWARI, seeds, Some(game));
            let packing = Packing::of(range);
            for count in [0, 1, 64, 200] {
                let score = |at| range.clamp((at % 25) as i8 - 12).cast_unsigned();
                let scores: Vec<u8> = (0..count).map(score).collect();
                let sent = packed(packing, scores.clone());
                assert_eq!(sent.len(), packed_size(packing, count));
                assert_eq!(unpacked(packing, sent)[..count], scores);
            }
        }
    }
}
