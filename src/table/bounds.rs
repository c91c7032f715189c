//! What children in a tile bring to the bounds of positions, known to the writer of the tile.
//!
//! A home move leads to a cell of the same row or column. A child whose mover cannot capture is
//! stored exactly, or attained by a child of its own, so what it brings follows from the truth, and
//! whole rows are computed at once.

use super::ground::Ground;
use super::groups::GROUP;
use super::lane_code::KnownContexts;
use crate::simd::lanes::{BOTH, Bytes, Lanes};

/// See the module. All is by row, and zeros in a tile without bounds from children.
pub struct ChildBounds {
    /// By bound: what each position brings to the lower and the upper bound of those that lead to
    /// it, and 1; 0 if it is not stored exactly.
    brings: [[Bytes; GROUP]; 2],
    /// By bound: the most that is brought to a position, and 1.
    pub brought: [[Bytes; GROUP]; 2],
    /// Masks of what is stored exactly but for the bounds from children.
    pub exact: [Bytes; GROUP],
}

impl Default for ChildBounds {
    fn default() -> ChildBounds {
        let all = [[[0; BOTH]; GROUP]; 2];
        ChildBounds { brings: all, brought: all, exact: [[0; BOTH]; GROUP] }
    }
}

impl ChildBounds {
    /// Computes all of a tile with these numbers. If more is brought anywhere than the truth, the
    /// ground loses its bounds.
    #[inline(always)]
    pub fn set<const PLANES: usize, L: Lanes>(
        &mut self,
        ground: &mut Ground,
        numbers: &[[Bytes; GROUP]; 2],
        turned: u8,
    ) {
        if ground.is_bounded {
            let mut is_right = true;
            for row in 0..ground.tile.height {
                let numbers = [&numbers[0][row], &numbers[PLANES - 1][row]];
                is_right &= self.set_row::<PLANES, L>(ground, numbers, turned, row);
            }
            if is_right {
                return;
            }
            ground.is_bounded = false;
        }
        self.brought = [[[0; BOTH]; GROUP]; 2];
        self.exact = [[0; BOTH]; GROUP];
    }

    /// What is known of the contexts of a row.
    #[inline(always)]
    pub fn known<'a>(&'a self, ground: &'a Ground, row: usize) -> KnownContexts<'a> {
        KnownContexts { flags: &ground.flags[row], brought: &self.brought[0][row] }
    }

    /// Sets a row, given those before it. Returns whether no more is brought to it than the truth.
    #[inline(always)]
    fn set_row<const PLANES: usize, L: Lanes>(
        &mut self,
        ground: &Ground,
        numbers: [&Bytes; 2],
        turned: u8,
        row: usize,
    ) -> bool {
        let (held, exact) = (L::masks(ground.lanes(row)), ground.exact::<L>(row));
        let mut more = 0;
        for (bound, truth) in numbers.into_iter().enumerate().take(PLANES) {
            let (negated, brings) = (numbers[PLANES - 1 - bound], &mut self.brings[bound][row]);
            for lane in 0..BOTH {
                brings[lane] = turned.wrapping_sub(negated[lane]) & exact[lane];
            }
            self.bring::<L>(ground, bound, row);
            let brought = &self.brought[bound][row];
            for lane in 0..BOTH {
                let over = brought[lane].saturating_sub(1) > truth[lane];
                more |= u8::from(over) & held[lane];
            }
        }
        self.exact[row] = exact;
        more == 0
    }

    /// Sets what is brought to a row whose positions bring all they do: to its smaller side by rows
    /// before it, to its larger one by its smaller one.
    #[inline(always)]
    fn bring<L: Lanes>(&mut self, ground: &Ground, bound: usize, row: usize) {
        let brings = &self.brings[bound];
        let mut most = [0; BOTH];
        for home in ground.rows.homes(row) {
            for column in 0..GROUP {
                most[column] = brings[home][GROUP + column].max(most[column]);
            }
        }
        if L::IS_WIDE {
            let smaller = brings[row].first_chunk().expect("half of the lanes");
            for homes in &ground.columns.homes {
                let brings = L::pick_half(smaller, homes);
                for (most, brings) in most[GROUP..].iter_mut().zip(brings) {
                    *most = brings.max(*most);
                }
            }
        } else {
            for &(column, home) in &ground.columns.home_moves {
                let lane = GROUP + usize::from(column) % GROUP;
                most[lane] = brings[row][usize::from(home) % GROUP].max(most[lane]);
            }
        }
        self.brought[bound][row] = most;
    }
}
