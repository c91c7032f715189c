//! What who writes a tile knows of it: the truth, and how free it leaves the choice.
//!
//! A bound that a capture or a child attains may be stored lower than it is, for a reader raises it
//! to the truth.

use super::bounds::ChildBounds;
use super::ground::Ground;
use super::groups::GROUP;
use super::value::Value;
use crate::simd::lanes::{BOTH, Bytes, Lanes};

/// Which bounds of a position may be stored lower than they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freedom(pub u8);

impl Freedom {
    /// The lower bound.
    const LOW: u8 = 1;
    /// The upper bound.
    const HIGH: u8 = 2;
    /// Both.
    const BOTH: u8 = 3;
    /// How many there are.
    pub const KINDS: usize = 4;

    /// Whether `stored` will do for `truth`.
    pub fn admits(self, stored: Value, truth: Value) -> bool {
        let fits = |free: u8, stored: i8, truth: i8| {
            stored == truth || self.0 & free != 0 && stored < truth
        };
        fits(Freedom::LOW, stored.base, truth.base)
            && fits(Freedom::HIGH, stored.high(), truth.high())
    }
}

/// The contents of a tile: by bound and row, in lanes. What a lane holds that has no position is of
/// no account.
#[derive(Clone, Debug)]
pub struct TileValues {
    /// The numbers of a [code](super::code).
    pub numbers: [[Bytes; GROUP]; 2],
    /// Where captures attain the bound, a bit for each lane. In a code of one number those of both
    /// bounds count together.
    pub free: [[u64; GROUP]; 2],
}

impl Default for TileValues {
    fn default() -> TileValues {
        TileValues { numbers: [[[0; BOTH]; GROUP]; 2], free: [[0; GROUP]; 2] }
    }
}

impl TileValues {
    /// The numbers of a row, by bound.
    #[inline(always)]
    pub fn row<const PLANES: usize>(&self, row: usize) -> [&Bytes; 2] {
        [0, PLANES - 1].map(|bound| &self.numbers[bound][row])
    }
}

/// A row of a tile.
pub struct TruthRow<'a> {
    /// The lanes that hold positions.
    pub held: u64,
    /// By bound.
    pub numbers: [&'a Bytes; 2],
    /// Which bounds may be stored lower than they are, as [`Freedom`].
    pub free: Bytes,
    /// The lanes where a capture attains a bound that no child does.
    pub open: u64,
}

impl TruthRow<'_> {
    #[inline(always)]
    pub fn of<'a, const PLANES: usize, L: Lanes>(
        ground: &Ground,
        values: &'a TileValues,
        bounds: &'a ChildBounds,
        row: usize,
    ) -> TruthRow<'a> {
        let brought = bounds.brought.each_ref().map(|brought| &brought[row]);
        let numbers = values.row::<PLANES>(row);
        let held = ground.lanes(row);
        let [low, high] = values.free.map(|bits| bits[row] & held);
        let (mut free, mut open) = ([0; BOTH], [0; BOTH]);
        for bound in 0..PLANES {
            let (by_capture, freedom) = match PLANES {
                1 => (L::masks(low & high), Freedom::BOTH),
                _ => (L::masks([low, high][bound]), [Freedom::LOW, Freedom::HIGH][bound]),
            };
            let (brought, numbers, exact) = (brought[bound], numbers[bound], &bounds.exact[row]);
            for lane in 0..BOTH {
                let attained = brought[lane] == numbers[lane].saturating_add(1);
                let attained = 0u8.wrapping_sub(u8::from(attained)) & freedom;
                let by_capture = by_capture[lane] & !exact[lane] & freedom;
                free[lane] |= by_capture | attained;
                open[lane] |= by_capture & !attained;
            }
        }
        TruthRow { held, numbers, free, open: L::lanes(&open) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freedom_is_downwards() {
        let value = |base, spread| Value { base, spread };
        let truth = value(2, 3);
        let admitted = |freedom: Freedom| {
            let all = (-5..=5).flat_map(|base| (0..8).map(move |spread| value(base, spread)));
            all.filter(|&stored| freedom.admits(stored, truth)).collect::<Vec<_>>()
        };
        assert_eq!(admitted(Freedom::default()), [truth]);
        assert!(
            admitted(Freedom(Freedom::LOW))
                .iter()
                .all(|stored| stored.high() == 5 && stored.base <= 2)
        );
        assert_eq!(
            admitted(Freedom(Freedom::HIGH)),
            (0..4).map(|spread| value(2, spread)).collect::<Vec<_>>()
        );
        assert!(
            admitted(Freedom(Freedom::BOTH))
                .iter()
                .all(|stored| stored.base <= 2 && stored.high() <= 5)
        );
    }
}
