//! Who has what: each rank an interval of the smaller half-board, in every pair of blocks.
//!
//! ```text
//!   block k (k < n/2), columns comp(k)        block n − k, rows comp(k)
//!   +--------+--------+--------+              +-----------------------+
//!   |        |        |        |              |        rank 0         |
//!   | rank 0 | rank 1 | rank 2 |              +-----------------------+
//!   |        |        |        |              |        rank 1         |
//!   |        |        |        |              +-----------------------+
//!   +--------+--------+--------+              |        rank 2         |
//!                                             +-----------------------+
//! ```
//!
//! So both scores of a board, with either player to move, are on the same rank; home moves of the
//! larger half-board stay there, those of the smaller one lead to the same or a lower rank.
//! Intervals are panels of 64 half-boards. Where there are fewer panels than ranks, pairs take
//! turns. Block n/2 is cut by columns, too; a rank computes there what has its *lower* half-board
//! in the interval, and lower intervals are shorter for it.

use std::ops::Range;

use crate::layer::blocks::Rectangle;
use crate::layer::index::Cell;
use crate::layer::line::LINE;
use crate::solver::plan::LayerPlan;
use crate::solver::sweep::strips;

/// The intervals of all ranks, in one layer.
#[derive(Clone, Debug)]
pub struct Cut {
    seeds: usize,
    /// By seeds of the smaller half-board: the first panel of each rank, and the end.
    starts: Vec<Vec<usize>>,
}

/// What a half-board of a move's mover is to a pair: the larger one, or the smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The mover has the larger half-board.
    Lead,
    /// The mover has the smaller one.
    Follow,
}

/// Both roles.
pub const ROLES: [Role; 2] = [Role::Lead, Role::Follow];

/// Tiles of the mover's rows × lines of lanes: what a rank computes in one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// Seeds of the mover.
    pub own: usize,
    /// Tiles of the mover's half-boards.
    pub tiles: Range<usize>,
    /// Lines of the opponent's half-boards.
    pub lines: Range<usize>,
}

/// Which moves of a rank lists are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Crossing moves of what it computes in a sweep.
    Computed,
    /// All quiet moves of the positions that it has.
    Held,
}

impl Cut {
    /// Cuts the layer of a number of seeds for a number of ranks.
    pub fn new(seeds: usize, ranks: usize) -> Cut {
        let starts = |small: usize| {
            let panels = strips(small);
            let start = |rank: usize| {
                if 2 * small == seeds {
                    hook_start(panels, rank, ranks)
                } else {
                    // To the nearest, so that neighbouring blocks are cut alike.
                    let shift = if panels < ranks { small % ranks } else { ranks / 2 };
                    (panels * rank + shift) / ranks
                }
            };
            (0..=ranks).map(start).collect()
        };
        Cut { seeds, starts: (0..=seeds / 2).map(starts).collect() }
    }

    /// How many ranks there are.
    pub fn ranks(&self) -> usize {
        self.starts[0].len() - 1
    }

    /// All intervals as numbers.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.starts.iter().flatten().map(|&start| start as u64)
    }

    /// The panels of the smaller half-board that a rank has.
    pub fn interval(&self, small: usize, rank: usize) -> Range<usize> {
        self.starts[small][rank]..self.starts[small][rank + 1]
    }

    /// Who has a panel of the smaller half-board.
    pub fn owner(&self, small: usize, panel: usize) -> usize {
        self.starts[small].partition_point(|&start| start <= panel) - 1
    }

    /// Who has a position.
    pub fn holder(&self, plan: &LayerPlan, Cell { own, row, column }: Cell) -> usize {
        match self.by_columns(own) {
            true => self.owner(own, column / LINE),
            false => {
                self.owner(plan.opponent(own), plan.blocks[own].row_lanes[row] as usize / LINE)
            }
        }
    }

    /// Whether a block is cut by columns; if not, by rows.
    pub fn by_columns(&self, block: usize) -> bool {
        2 * block <= self.seeds
    }

    /// The rectangle of a block that a rank has.
    pub fn share(&self, plan: &LayerPlan, block: usize, rank: usize) -> Rectangle {
        if self.by_columns(block) {
            let rows = 0..plan.blocks[block].row_lanes.len();
            return Rectangle { panels: self.interval(block, rank), rows };
        }
        let lanes = self.interval(self.seeds - block, rank);
        Rectangle { panels: 0..strips(block), rows: rows_of_lanes(plan, block, lanes) }
    }

    /// What a rank computes in a pair.
    pub fn area(&self, small: usize, rank: usize, role: Role) -> Area {
        let (large, interval) = (self.seeds - small, self.interval(small, rank));
        // In block n/2, only with half-boards that are no lower.
        let first = if small == large { interval.start } else { 0 };
        let all = if interval.is_empty() { first..first } else { first..strips(large) };
        match role {
            Role::Lead => Area { own: large, tiles: all, lines: interval },
            Role::Follow => Area { own: small, tiles: interval, lines: all },
        }
    }

    /// The positions of a pair that stand with a rank. Those of block n/2 are the smaller role's.
    pub fn held(&self, small: usize, rank: usize, role: Role) -> Area {
        if 2 * small < self.seeds {
            return self.area(small, rank, role);
        }
        let (all, interval) = (0..strips(small), self.interval(small, rank));
        match role {
            Role::Follow if !interval.is_empty() => {
                Area { own: small, tiles: interval, lines: all }
            }
            _ => Area { own: small, tiles: 0..0, lines: 0..0 },
        }
    }
}

/// The number of a rank's area in a role of a pair, among those of which it knows what captures are worth.
pub fn area(plan: &LayerPlan, small: usize, role: Role) -> usize {
    let large = plan.opponent(small);
    match role {
        Role::Follow => small,
        Role::Lead if small == large => plan.blocks.len(),
        Role::Lead => large,
    }
}

/// The rows of a block whose lanes are in some lines.
pub fn rows_of_lanes(plan: &LayerPlan, block: usize, lines: Range<usize>) -> Range<usize> {
    let row_lanes = plan.blocks[block].row_lanes;
    let row = |line: usize| row_lanes.partition_point(|&lane| (lane as usize) < line * LINE);
    row(lines.start)..row(lines.end)
}

/// The first panel of a rank such that it and those behind it have the rank's share of a triangle.
fn hook_start(panels: usize, rank: usize, ranks: usize) -> usize {
    let left = (ranks - rank) as f64 / ranks as f64;
    let behind = (panels as f64 * left.sqrt()).round() as usize;
    panels - behind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_panel_has_one_owner() {
        for (seeds, ranks) in [(7, 1), (12, 3), (20, 4), (48, 64)] {
            let cut = Cut::new(seeds, ranks);
            for small in 0..=seeds / 2 {
                let mut next = 0;
                for rank in 0..ranks {
                    let interval = cut.interval(small, rank);
                    assert_eq!(interval.start, next);
                    assert!(interval.clone().all(|panel| cut.owner(small, panel) == rank));
                    next = interval.end;
                }
                assert_eq!(next, strips(small));
            }
        }
    }

    #[test]
    fn hooks_of_a_triangle_are_alike() {
        let cut = Cut::new(36, 4);
        let panels = strips(18);
        let work = |rank| -> usize { cut.interval(18, rank).map(|panel| panels - panel).sum() };
        let ideal = panels * panels / 8;
        assert!((0..4).all(|rank| work(rank).abs_diff(ideal) * 50 < ideal));
    }
}
