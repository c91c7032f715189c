//! What who writes a tile knows of it: the truth, and how free it leaves the choice.
//!
//! A bound that a capture or a child attains may be stored lower than it is, for a reader raises it
//! to the truth.

use super::bounds::Bounds;
use super::code::RowContexts;
use super::ground::{Ground, Square, masks};
use super::groups::GROUP;
use super::tiles::Twin;
use super::value::Value;
use crate::layer::blocks::eight_bits;

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

    /// Of the lower and the upper bound.
    #[cfg(test)]
    fn of_both(low: bool, high: bool) -> Freedom {
        Freedom((u8::from(low) * Freedom::LOW) | (u8::from(high) * Freedom::HIGH))
    }

    /// Whether `stored` will do for `truth`.
    pub fn admits(self, stored: Value, truth: Value) -> bool {
        let fits = |free: u8, stored: i8, truth: i8| {
            stored == truth || self.0 & free != 0 && stored < truth
        };
        fits(Freedom::LOW, stored.base, truth.base)
            && fits(Freedom::HIGH, stored.high(), truth.high())
    }
}

/// What stands in a tile: by side, row and column. What a cell holds that has no position is of no
/// account.
#[derive(Clone, Debug, Default)]
pub struct TileValues {
    /// By side and bound: the numbers of a [code](super::code).
    pub numbers: [[Square; 2]; 2],
    /// By side, bound and row: where captures attain the bound, a bit for each column. In a code
    /// of one number those of both bounds count together.
    pub free: [[[u32; GROUP]; 2]; 2],
}

/// A row of a side of a tile.
pub struct Row<'a> {
    pub twin: Twin,
    pub row: usize,
    pub held: u32,
    /// By bound.
    pub numbers: [&'a [u8; GROUP]; 2],
    pub brought: [&'a [u8; GROUP]; 2],
    pub contexts: RowContexts,
    /// Which bounds may be stored lower than they are, as [`Freedom`].
    pub free: [u8; GROUP],
    /// The freedom and the sign of the truth, as the place of a choice.
    pub wanted: [u16; GROUP],
    /// Where a capture attains a bound that no child does, a bit for each column.
    pub open: u32,
}

impl Row<'_> {
    #[inline(always)]
    pub fn of<'a, const PLANES: usize>(
        ground: &'a Ground,
        values: &'a TileValues,
        bounds: &'a Bounds,
        twin: Twin,
        row: usize,
    ) -> Row<'a> {
        let side = twin as usize;
        let brought = [0, 1].map(|bound| &bounds.brought[side][bound][row]);
        let numbers = [0, 1].map(|bound| &values.numbers[side][bound.min(PLANES - 1)][row]);
        let (held, contexts) = (ground.held(twin, row), RowContexts::default());
        let [low, high] = values.free[side].map(|bits| bits[row] & held);
        let (mut free, mut open) = ([0; GROUP], [0; GROUP]);
        for bound in 0..PLANES {
            let (by_capture, freedom) = match PLANES {
                1 => (masks(low & high), Freedom::BOTH),
                _ => (masks([low, high][bound]), [Freedom::LOW, Freedom::HIGH][bound]),
            };
            let (brought, numbers) = (brought[bound], numbers[bound]);
            let exact = &bounds.exact[side][row];
            for column in 0..GROUP {
                let attained = brought[column] == numbers[column].saturating_add(1);
                let attained = 0u8.wrapping_sub(u8::from(attained)) & freedom;
                let by_capture = by_capture[column] & !exact[column] & freedom;
                free[column] |= by_capture | attained;
                open[column] |= by_capture & !attained;
            }
        }
        let open = bits(&open);
        Row { twin, row, held, numbers, brought, contexts, free, wanted: [0; GROUP], open }
    }
}

/// A bit for each of some numbers from 0 to 3: whether it is more than 0.
#[inline(always)]
fn bits(numbers: &[u8; GROUP]) -> u32 {
    let mut bits = [0; GROUP / 8];
    for (bits, &numbers) in bits.iter_mut().zip(numbers.as_chunks().0) {
        let numbers = u64::from_le_bytes(numbers);
        let ones = (numbers | numbers >> 1) & (u64::MAX / 0xff);
        *bits = eight_bits(ones.to_le_bytes());
    }
    u32::from_le_bytes(bits)
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
            admitted(Freedom::of_both(true, false))
                .iter()
                .all(|stored| stored.high() == 5 && stored.base <= 2)
        );
        assert_eq!(
            admitted(Freedom::of_both(false, true)),
            (0..4).map(|spread| value(2, spread)).collect::<Vec<_>>()
        );
        assert!(
            admitted(Freedom(Freedom::BOTH))
                .iter()
                .all(|stored| stored.base <= 2 && stored.high() <= 5)
        );
    }
}
