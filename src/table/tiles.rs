//! A layer cut into tiles: what is coded together and what a probe decodes.
//!
//! Neighbours in a row or a column of a block are like each other, so a tile is a piece of one
//! block that is as square as the block allows:
//!
//! ```text
//!   block of a layer:   | tile 0 | tile 1 | tile 2 |      64 × 64 positions where there is room,
//!                       | tile 3 | tile 4 | tile 5 |      in a block of few columns or rows more
//!                       | ...                      |      of the others
//! ```
//!
//! Invariant: every position of the layer is in one tile, and no tile holds more than it may.

use crate::layer::{Cell, Layer};

/// How a layer is cut.
#[derive(Clone, Debug)]
pub struct Tiling {
    /// By block.
    blocks: Vec<BlockTiles>,
    tiles: usize,
}

/// How one block is cut.
#[derive(Clone, Copy, Debug)]
struct BlockTiles {
    /// The number of its first tile.
    first: usize,
    rows: usize,
    columns: usize,
    height: usize,
    width: usize,
    /// Tiles side by side.
    across: usize,
}

/// A piece of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The block.
    pub own: usize,
    /// Its first row in the block.
    pub row: usize,
    /// Its first column.
    pub column: usize,
    /// How many rows it has.
    pub height: usize,
    /// How many columns.
    pub width: usize,
}

impl Tile {
    /// How many positions it has.
    pub fn positions(&self) -> usize {
        self.height * self.width
    }
}

impl Tiling {
    /// Cuts `layer` into tiles of at most `positions` positions, which is at least 1.
    pub fn new(layer: Layer, positions: u32) -> Tiling {
        let (most, mut tiles) = (positions as usize, 0);
        let cut = |own| {
            let block = BlockTiles::cut(layer.block_shape(own), most, tiles);
            tiles += block.across * block.rows.div_ceil(block.height);
            block
        };
        Tiling { blocks: (0..=layer.seeds().get()).map(cut).collect(), tiles }
    }

    /// How many tiles there are.
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// The tile with this number, which must exist.
    pub fn tile(&self, number: usize) -> Tile {
        let own = self.blocks.partition_point(|block| block.first <= number) - 1;
        let block = &self.blocks[own];
        let within = number - block.first;
        let (row, column) =
            (within / block.across * block.height, within % block.across * block.width);
        let (height, width) =
            (block.height.min(block.rows - row), block.width.min(block.columns - column));
        Tile { own, row, column, height, width }
    }

    /// The number of the tile that a position is in, and where it is there: row by row.
    #[inline]
    pub fn find(&self, cell: Cell) -> (usize, usize) {
        let block = &self.blocks[cell.own];
        let (down, across) = (cell.row / block.height, cell.column / block.width);
        let width = block.width.min(block.columns - across * block.width);
        let within = cell.row % block.height * width + cell.column % block.width;
        (block.first + down * block.across + across, within)
    }
}

impl BlockTiles {
    fn cut((rows, columns): (usize, usize), most: usize, first: usize) -> BlockTiles {
        let height = most.isqrt().min(rows);
        let width = (most / height).min(columns);
        let height = (most / width).min(rows);
        BlockTiles { first, rows, columns, height, width, across: columns.div_ceil(width) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seeds;
    use crate::layer::{Domain, Rank};

    #[test]
    fn every_position_is_in_one_tile() {
        for domain in [Domain::EmptyHouse, Domain::All] {
            for (seeds, most) in
                [(0, 1), (3, 1), (3, 7), (5, 64), (7, 64), (7, 4096), (8, 4096), (6, 1 << 13)]
            {
                let layer = Layer::new(Seeds::new(seeds).unwrap(), domain);
                let tiling = Tiling::new(layer, most);
                let mut found: Vec<Vec<bool>> = (0..tiling.tiles())
                    .map(|tile| vec![false; tiling.tile(tile).positions()])
                    .collect();
                assert!(found.iter().all(|tile| (1..=most as usize).contains(&tile.len())));
                for cell in (0..layer.positions()).map(|rank| layer.cell_at(Rank(rank)).unwrap()) {
                    let (number, within) = tiling.find(cell);
                    let tile = tiling.tile(number);
                    assert_eq!(
                        (
                            tile.own,
                            tile.row + within / tile.width,
                            tile.column + within % tile.width
                        ),
                        (cell.own, cell.row, cell.column)
                    );
                    assert!(!std::mem::replace(&mut found[number][within], true));
                }
                assert!(found.iter().flatten().all(|&found| found));
            }
        }
    }

    #[test]
    fn tiles_are_squares_where_there_is_room() {
        let layer = Layer::new(Seeds::new(17).unwrap(), Domain::EmptyHouse);
        let tiling = Tiling::new(layer, 4096);
        let tile = |own, row, column| tiling.tile(tiling.find(Cell { own, row, column }).0);
        assert_eq!((tile(8, 0, 0).height, tile(8, 0, 0).width), (64, 64));
        assert_eq!((tile(1, 0, 0).height, tile(1, 0, 0).width), (682, 6));
        assert_eq!((tile(17, 0, 0).height, tile(17, 0, 0).width), (1, 4096));
    }
}
