//! A layer cut into tiles, and tiles gathered in frames.
//!
//! Each block is laid together with its *twin*, the block in which the players have changed places:
//! block k, where the mover has k seeds, and block n − k. Columns are the half-boards with k seeds,
//! rows those with n − k, both in [groups](super::groups); k is the larger number. A cell stands
//! for two positions:
//!
//! ```text
//!                      half-boards with k seeds →
//!                    | group 0 | group 1 | ...          a cell (row b, column a) holds
//!   half-boards   ---+---------+---------+---             the larger side: a is to move against b
//!   with          0  | tile 0  | tile 1  |                the smaller side: b against a
//!   n − k seeds   1  | tile c  | ...     |
//!   ↓                | ...               |              c groups side by side
//! ```
//!
//! A position is left out where the domain leaves it out. In the middle of an even layer, where
//! k = n − k, a cell and the one mirrored at the diagonal hold the same two positions: tiles below
//! the diagonal are left out, and in those on it the larger side is held from the diagonal on, the
//! smaller one beyond it.
//!
//! Tiles that follow each other make a *frame*, as many as have some number of cells together: what
//! is compressed together and read at once.
//!
//! Invariant: every position of the layer is held by one tile, in one of its cells.

use std::ops::Range;

use super::groups::{GROUP, Groups};
use crate::layer::{Cell, Layer};

/// Which of the two positions of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Twin {
    /// The half-board of the column is to move.
    Larger,
    /// That of the row is.
    Smaller,
}

impl Twin {
    /// Both, the larger one first.
    pub const BOTH: [Twin; 2] = [Twin::Larger, Twin::Smaller];

    /// The first of the [lanes](crate::simd::lanes) of its side.
    #[inline(always)]
    pub fn first_lane(self) -> usize {
        match self {
            Twin::Smaller => 0,
            Twin::Larger => GROUP,
        }
    }

    /// Which half-board of a cell the mover has and which the opponent: 0 for that of the row, 1
    /// for that of the column.
    pub fn players(self) -> (usize, usize) {
        match self {
            Twin::Larger => (1, 0),
            Twin::Smaller => (0, 1),
        }
    }
}

/// How a layer is cut.
#[derive(Clone, Debug)]
pub struct Tiling {
    /// The layer.
    pub layer: Layer,
    pairs: Vec<BlockPair>,
    /// How many tiles there are.
    pub tiles: usize,
    /// How many frames there are.
    pub frames: usize,
}

/// How a block and its twin are cut.
#[derive(Clone, Copy, Debug)]
struct BlockPair {
    /// Seeds of the columns.
    larger: usize,
    /// Groups of rows and of columns.
    groups: (usize, usize),
    is_middle: bool,
    first_tile: usize,
    tiles: usize,
    first_frame: usize,
    /// Tiles in a frame.
    together: usize,
}

/// A part of a block and of its twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Seeds of the rows, then of the columns.
    pub seeds: [usize; 2],
    /// The group of the rows, then of the columns.
    pub groups: [usize; 2],
    /// How many rows it has.
    pub height: usize,
    /// How many columns.
    pub width: usize,
    /// Whether only one half of it is held.
    pub is_diagonal: bool,
}

impl Tile {
    /// How many cells it has.
    pub fn cells(&self) -> usize {
        self.height * self.width
    }

    /// The columns in which a row holds positions of a side, the first one in the lowest bit;
    /// `opponents` are those of [`Tiling::opponents`].
    #[inline(always)]
    pub fn held(&self, opponents: [u32; 2], twin: Twin, row: usize) -> u32 {
        let columns = u32::MAX >> (GROUP - self.width);
        let half = if self.is_diagonal { u32::MAX << row } else { u32::MAX };
        match twin {
            Twin::Larger if opponents[0] >> row & 1 == 0 => 0,
            Twin::Larger => columns & half,
            Twin::Smaller if self.is_diagonal => columns & opponents[1] & half << 1,
            Twin::Smaller => columns & opponents[1],
        }
    }
}

impl Tiling {
    /// Cuts `layer` into tiles, and gathers them in frames of about this many cells.
    pub fn new(layer: Layer, frame_cells: u32) -> Tiling {
        let (mut tiles, mut frames) = (0, 0);
        let seeds = layer.seeds().get();
        let cut = |larger| {
            let pair = BlockPair::cut(seeds, larger, frame_cells as usize, tiles, frames);
            tiles += pair.tiles;
            frames += pair.tiles.div_ceil(pair.together);
            pair
        };
        let pairs = (seeds.div_ceil(2)..=seeds).map(cut).collect();
        Tiling { layer, pairs, tiles, frames }
    }

    /// The numbers of the tiles in a frame, which must exist.
    pub fn tiles_of(&self, frame: usize) -> Range<usize> {
        let pair = self.pairs[self.pair_of_frame(frame)];
        let first = (frame - pair.first_frame) * pair.together;
        let end = pair.tiles.min(first + pair.together);
        pair.first_tile + first..pair.first_tile + end
    }

    /// The frames of each block and its twin, with the seeds of the columns of their tiles.
    pub fn frames_by_pair(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        let ends = self.pairs.iter().skip(1).map(|pair| pair.first_frame).chain([self.frames]);
        self.pairs.iter().zip(ends).map(|(pair, end)| (pair.larger, pair.first_frame..end))
    }

    /// The number of the pair of blocks whose columns have this many seeds.
    #[inline]
    pub fn pair_number(&self, larger: usize) -> usize {
        larger - self.pairs[0].larger
    }

    /// The number of the pair that a frame is in, which must exist.
    pub fn pair_of_frame(&self, frame: usize) -> usize {
        self.pairs.partition_point(|pair| pair.first_frame <= frame) - 1
    }

    /// The number of the frame that a tile is in, which must exist.
    pub fn frame_of(&self, tile: usize) -> usize {
        let pair = self.pair_of(tile);
        pair.first_frame + (tile - pair.first_tile) / pair.together
    }

    fn pair_of(&self, tile: usize) -> &BlockPair {
        &self.pairs[self.pairs.partition_point(|pair| pair.first_tile <= tile) - 1]
    }

    /// The tile with this number, which must exist.
    pub fn tile(&self, number: usize) -> Tile {
        let pair = self.pair_of(number);
        let smaller = self.layer.seeds().get() - pair.larger;
        let groups = pair.groups_of(number - pair.first_tile);
        let size = |seeds, group| Groups::count(seeds).saturating_sub(group * GROUP).min(GROUP);
        Tile {
            seeds: [smaller, pair.larger],
            groups,
            height: size(smaller, groups[0]),
            width: size(pair.larger, groups[1]),
            is_diagonal: pair.is_middle && groups[0] == groups[1],
        }
    }

    /// The number of the tile that holds a position, and where it is there: the cells of the larger
    /// side row by row, then those of the smaller side.
    #[inline]
    pub fn find(&self, cell: Cell) -> (usize, usize) {
        let (own, other) = (cell.own, self.layer.seeds().get() - cell.own);
        let pair = &self.pairs[self.pair_number(own.max(other))];
        let mover = Groups::of(own).place_of_rank(cell.column);
        let opponent = Groups::of(other).place_of_row(self.layer.domain(), cell.row);
        let is_larger = match own.cmp(&other) {
            std::cmp::Ordering::Equal if mover / GROUP == opponent / GROUP => mover >= opponent,
            std::cmp::Ordering::Equal => mover > opponent,
            order => order.is_gt(),
        };
        let (row, column) = if is_larger { (opponent, mover) } else { (mover, opponent) };
        let (row_group, column_group) = (row / GROUP, column / GROUP);
        let size = |seeds: usize, group: usize| (Groups::count(seeds) - group * GROUP).min(GROUP);
        let (height, width) = (size(own.min(other), row_group), size(own.max(other), column_group));
        let within = row % GROUP * width + column % GROUP;
        let tile = pair.first_tile + pair.number_of([row_group, column_group]);
        (tile, if is_larger { within } else { height * width + within })
    }

    /// Where a block and a half-board of each player are: the block, its row and its column; `None`
    /// outside the domain. Places are those of [`Groups`].
    #[cfg(test)]
    fn cell(&self, tile: &Tile, twin: Twin, row: usize, column: usize) -> Option<Cell> {
        let domain = self.layer.domain();
        let (places, (mover, opponent)) = ([row, column], twin.players());
        let [of_mover, of_opponent] =
            [mover, opponent].map(|side| &Groups::of(tile.seeds[side]).groups[tile.groups[side]]);
        let row = of_opponent.rows(domain)[places[opponent]];
        let column = of_mover.ranks[places[mover]] as usize;
        let cell = Cell { own: tile.seeds[mover], row: row as usize, column };
        (row != u32::MAX).then_some(cell)
    }

    /// Which half-boards of the rows and of the columns of a tile can be the opponent's: the
    /// lowest bit is the first's.
    pub fn opponents(&self, tile: &Tile) -> [u32; 2] {
        let domain = self.layer.domain();
        [0, 1].map(|side| Groups::of(tile.seeds[side]).groups[tile.groups[side]].held(domain))
    }

    /// How many positions a tile holds.
    pub fn positions(&self, tile: &Tile) -> usize {
        let opponents = self.opponents(tile);
        let held = |twin, row| tile.held(opponents, twin, row).count_ones() as usize;
        (0..tile.height).map(|row| held(Twin::Larger, row) + held(Twin::Smaller, row)).sum()
    }
}

impl BlockPair {
    fn cut(
        seeds: usize,
        larger: usize,
        cells: usize,
        first_tile: usize,
        first_frame: usize,
    ) -> BlockPair {
        let smaller = seeds - larger;
        let [rows, columns] = [smaller, larger].map(Groups::count);
        let groups = (rows.div_ceil(GROUP), columns.div_ceil(GROUP));
        let is_middle = larger == smaller;
        let tiles = if is_middle { groups.0 * (groups.0 + 1) / 2 } else { groups.0 * groups.1 };
        let together = (cells / (rows.min(GROUP) * columns.min(GROUP))).max(1);
        BlockPair { larger, groups, is_middle, first_tile, tiles, first_frame, together }
    }

    /// The number of a tile in the pair.
    #[inline]
    fn number_of(&self, [row, column]: [usize; 2]) -> usize {
        match self.is_middle {
            false => row * self.groups.1 + column,
            true => self.before(row) + column - row,
        }
    }

    /// How many tiles of the middle come before a row of groups.
    fn before(&self, row: usize) -> usize {
        row * self.groups.1 - (row * row - row) / 2
    }

    fn groups_of(&self, number: usize) -> [usize; 2] {
        if !self.is_middle {
            return [number / self.groups.1, number % self.groups.1];
        }
        let (mut row, mut after) = (0, self.groups.0);
        // Half the rows are behind each step.
        while after - row > 1 {
            let between = row.midpoint(after);
            if self.before(between) <= number { row = between } else { after = between }
        }
        [row, row + number - self.before(row)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seeds;
    use crate::layer::Domain;

    #[test]
    fn every_position_is_held_once() {
        for domain in [Domain::EmptyHouse, Domain::All] {
            for seeds in 0..=9 {
                let layer = Layer::new(Seeds::new(seeds).unwrap(), domain);
                let tiling = Tiling::new(layer, 3000);
                let mut held = 0;
                for (number, tile) in (0..tiling.tiles).map(|number| (number, tiling.tile(number)))
                {
                    for (side, twin) in Twin::BOTH.into_iter().enumerate() {
                        for at in 0..tile.cells() {
                            let (row, column) = (at / tile.width, at % tile.width);
                            let is_held =
                                tile.held(tiling.opponents(&tile), twin, row) >> column & 1 == 1;
                            let Some(cell) = tiling.cell(&tile, twin, row, column) else {
                                assert!(!is_held);
                                continue;
                            };
                            let found = tiling.find(cell);
                            let here = (number, side * tile.cells() + at);
                            assert_eq!(found == here, is_held, "{cell:?}");
                            held += u64::from(found == here);
                        }
                    }
                }
                assert_eq!(held, layer.positions());
            }
        }
    }

    #[test]
    fn every_tile_is_in_one_frame() {
        for cells in [1, 1024, 16384] {
            let layer = Layer::new(Seeds::new(10).unwrap(), Domain::All);
            let tiling = Tiling::new(layer, cells);
            let mut next = 0;
            for frame in 0..tiling.frames {
                let tiles = tiling.tiles_of(frame);
                assert!(tiles.start == next && !tiles.is_empty());
                let in_frame = |tile| tiling.tile(tile).cells();
                assert!(
                    tiles.len() == 1
                        || tiles.clone().map(in_frame).sum::<usize>() <= cells as usize
                );
                assert!(tiles.clone().all(|tile| tiling.frame_of(tile) == frame));
                next = tiles.end;
            }
            assert_eq!(next, tiling.tiles);
        }
    }
}
