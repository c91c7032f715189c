//! What children in a tile bring to the bounds of positions, known to who writes the tile.
//!
//! A home move leads to a cell of the same row or column. A child whose mover cannot capture is
//! stored exactly, or attained by a child of its own, so what it brings follows from the truth, and
//! whole rows are computed at once.

use super::ground::{Ground, Square};
use super::groups::GROUP;
use super::tiles::Twin;

/// See the module. All is by side, and zeros in a tile without bounds from children.
#[derive(Default)]
pub struct Bounds {
    /// By bound: what each position brings to the lower and the upper bound of those that lead to
    /// it, and 1; 0 if it is not stored exactly.
    brings: [[Square; 2]; 2],
    /// By bound: the most that is brought to a position, and 1.
    pub brought: [[Square; 2]; 2],
    /// Masks of what is stored exactly but for what children bring.
    pub exact: [Square; 2],
}

impl Bounds {
    /// Computes all of a tile with these numbers. If more is brought anywhere than the truth, the
    /// ground loses its bounds.
    pub fn set<const PLANES: usize>(
        &mut self,
        ground: &mut Ground,
        numbers: &[[Square; 2]; 2],
        turned: u8,
    ) {
        self.clear();
        if ground.is_bounded() && !self.set_all::<PLANES>(ground, numbers, turned) {
            ground.drop_bounds();
            self.clear();
        }
    }

    fn clear(&mut self) {
        self.brought = [[[[0; GROUP]; GROUP]; 2]; 2];
        self.exact = [[[0; GROUP]; GROUP]; 2];
    }

    /// Returns whether nowhere is more brought than the truth.
    fn set_all<const PLANES: usize>(
        &mut self,
        ground: &Ground,
        numbers: &[[Square; 2]; 2],
        turned: u8,
    ) -> bool {
        for (row, twin) in
            (0..ground.tile().height).flat_map(|row| Twin::BOTH.map(|twin| (row, twin)))
        {
            let (side, exact) = (twin as usize, &mut self.exact[twin as usize][row]);
            *exact = ground.exact(twin, row);
            for bound in 0..PLANES {
                let numbers = &numbers[side][PLANES - 1 - bound][row];
                let brings = &mut self.brings[side][bound][row];
                for column in 0..GROUP {
                    brings[column] = turned.wrapping_sub(numbers[column]) & exact[column];
                }
            }
        }
        let rows =
            (0..PLANES).flat_map(|bound| (0..ground.tile().height).map(move |row| (bound, row)));
        rows.fold(true, |is_right, (bound, row)| {
            is_right & self.set_row(ground, numbers, bound, row)
        })
    }

    /// Sets what is brought to a row. Returns whether it is not more than the truth.
    fn set_row(
        &mut self,
        ground: &Ground,
        numbers: &[[Square; 2]; 2],
        bound: usize,
        row: usize,
    ) -> bool {
        let [larger, smaller] = Twin::BOTH.map(|twin| twin as usize);
        let most = &mut self.brought[smaller][bound][row];
        for home in ground.rows.homes(row) {
            let both = most.iter_mut().zip(&self.brings[larger][bound][home]);
            both.for_each(|(most, &brings)| *most = brings.max(*most));
        }
        let (most, brings) =
            (&mut self.brought[larger][bound][row], &self.brings[smaller][bound][row]);
        for &(column, home) in ground.homes {
            let (column, home) = (usize::from(column) % GROUP, usize::from(home) % GROUP);
            most[column] = brings[home].max(most[column]);
        }
        Twin::BOTH.into_iter().all(|twin| {
            let (side, held) = (twin as usize, ground.held_masks(twin, row));
            is_nowhere_more(&self.brought[side][bound][row], &numbers[side][bound][row], held)
        })
    }
}

/// Whether what is brought is nowhere more than the truth, and 1.
#[inline(always)]
fn is_nowhere_more(brought: &[u8; GROUP], numbers: &[u8; GROUP], held: [u8; GROUP]) -> bool {
    let more = |at: usize| u8::from(brought[at].saturating_sub(1) > numbers[at]) & held[at];
    (0..GROUP).fold(0, |any, at| any | more(at)) == 0
}
