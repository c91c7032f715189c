//! What ranks tell each other while they go from change to change, as lists of numbers.

use crate::solver::tail::{Slot, Visit};

/// A position as a number.
pub fn packed(Slot { plane, block, row, column }: Slot) -> u64 {
    u64::from(row) | u64::from(column) << 24 | u64::from(block) << 48 | u64::from(plane) << 56
}

/// The inverse of [`packed`].
pub fn unpacked(word: u64) -> Slot {
    let part = |at: u32| (word >> at & 0xff_ffff) as u32;
    Slot { plane: (word >> 56) as u8, block: (word >> 48) as u8, row: part(0), column: part(24) }
}

/// A visit as two numbers.
pub fn words_of(visit: &Visit) -> [u64; 2] {
    let [old, new] = [visit.old, visit.new].map(|score| u64::from(score.cast_unsigned()));
    [packed(visit.parent), u64::from(visit.turn) << 16 | old << 8 | new]
}

/// The inverse of [`words_of`] for many.
pub fn visits(words: &[u64]) -> impl Iterator<Item = Visit> {
    words.as_chunks().0.iter().map(|&[parent, rest]| Visit {
        parent: unpacked(parent),
        turn: (rest >> 16) as u32,
        old: ((rest >> 8) as u8).cast_signed(),
        new: (rest as u8).cast_signed(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_come_back() {
        let parent = Slot { plane: 1, block: 48, row: (1 << 24) - 1, column: 0x87_6543 };
        let visit = Visit { parent, turn: u32::MAX, old: -48, new: 7 };
        assert_eq!(unpacked(packed(parent)), parent);
        let words: Vec<u64> = [visit, visit].iter().flat_map(words_of).collect();
        let found: Vec<Visit> = visits(&words).collect();
        assert_eq!(found.len(), 2);
        assert_eq!((found[1].parent, found[1].turn), (parent, u32::MAX));
        assert_eq!((found[1].old, found[1].new), (-48, 7));
    }
}
