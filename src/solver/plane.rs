//! One score for every position of a layer, held in memory.
//!
//! A plane is laid out like the layer it belongs to ([`crate::index`]): block after block, row
//! after row. Rows are padded to whole cache lines, and a block ends with a spare line, so that
//! the row kernels may load full vectors anywhere.

use rayon::prelude::*;

use crate::board::{Board, Seeds};
use crate::index::{Layer, Rank, rows};
use crate::score::{Interval, Score};

/// Positions that one vector instruction handles, and the alignment of rows: a cache line.
pub const LINE: usize = 64;

/// The scores of one block: opponent's rows down, mover's rows across.
#[derive(Clone, Debug, Default)]
pub struct Block {
    columns: usize,
    stride: usize,
    scores: Vec<i8>,
}

impl Block {
    /// A block of this shape that holds `fill` everywhere.
    pub fn new(rows: usize, columns: usize, fill: i8) -> Block {
        let stride = columns.next_multiple_of(LINE);
        Block { columns, stride, scores: vec![fill; rows * stride + LINE] }
    }

    /// Bytes from one row to the next.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// All rows with their padding, and the spare line.
    pub fn scores(&self) -> &[i8] {
        &self.scores
    }

    /// The same, to write.
    pub fn scores_mut(&mut self) -> &mut [i8] {
        &mut self.scores
    }

    /// Row `row` and everything after it, so that whole vectors can be read at any column.
    pub fn from_row(&self, row: usize) -> &[i8] {
        &self.scores[row * self.stride..]
    }

    fn rows(&self) -> impl Iterator<Item = &[i8]> {
        let end = self.scores.len() - LINE;
        self.scores[..end].chunks_exact(self.stride).map(|row| &row[..self.columns])
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut [i8]> {
        let end = self.scores.len() - LINE;
        self.scores[..end].chunks_exact_mut(self.stride).map(|row| &mut row[..self.columns])
    }
}

/// The scores of a layer.
#[derive(Clone, Debug)]
pub struct Plane {
    layer: Layer,
    blocks: Vec<Block>,
}

impl Plane {
    /// A plane that holds `fill` everywhere.
    pub fn new(layer: Layer, fill: i8) -> Plane {
        let block = |own| {
            let (rows, columns) = layer.block_shape(own);
            Block::new(rows, columns, fill)
        };
        Plane { layer, blocks: (0..=layer.seeds().get()).into_par_iter().map(block).collect() }
    }

    /// The layer it belongs to.
    pub fn layer(&self) -> Layer {
        self.layer
    }

    /// Seeds on the board.
    pub fn seeds(&self) -> Seeds {
        self.layer.seeds()
    }

    /// The block of positions with `own` seeds in the mover's row.
    pub fn block(&self, own: usize) -> &Block {
        &self.blocks[own]
    }

    /// The same, to write.
    pub fn block_mut(&mut self, own: usize) -> &mut Block {
        &mut self.blocks[own]
    }

    /// The rows in rank order, without their padding: joined they are the layer.
    pub fn rows(&self) -> impl Iterator<Item = &[i8]> {
        self.blocks.iter().flat_map(Block::rows)
    }

    /// The same, to write.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut [i8]> {
        self.blocks.iter_mut().flat_map(Block::rows_mut)
    }

    /// Copies the scores from rank `first` on into `scores`, as many as fit; they must exist.
    pub fn copy_from_rank(&self, first: Rank, scores: &mut [i8]) {
        let (mut own, mut at, mut filled) = (0, first.0, 0);
        while filled < scores.len() {
            let (rows, columns) = self.layer.block_shape(own);
            let mut row = (at / columns as u64) as usize;
            let mut column = (at % columns as u64) as usize;
            while row < rows && filled < scores.len() {
                let source = &self.blocks[own].from_row(row)[column..columns];
                let count = source.len().min(scores.len() - filled);
                scores[filled..filled + count].copy_from_slice(&source[..count]);
                (filled, row, column) = (filled + count, row + 1, 0);
            }
            at = at.saturating_sub(rows as u64 * columns as u64);
            own += 1;
        }
    }

    /// The score of a position; `None` if it is not in the layer.
    pub fn score(&self, board: &Board) -> Option<Score> {
        let rank = self.layer.rank(board)?;
        let own = board.mover.seeds();
        let within = (rank.0 - self.layer.block_start(own)) as usize;
        let (row, column) = (within / rows(own), within % rows(own));
        Some(Score::new(self.blocks[own].from_row(row)[column]))
    }

    /// Bytes of memory that a plane of `layer` takes.
    pub fn memory(layer: Layer) -> u64 {
        let block = |own| {
            let (rows, columns) = layer.block_shape(own);
            (rows * columns.next_multiple_of(LINE) + LINE) as u64
        };
        (0..=layer.seeds().get()).map(block).sum()
    }
}

/// A solved layer: a lower and an upper bound for every position.
#[derive(Clone, Debug)]
pub struct Solved {
    /// What the mover secures.
    pub low: Plane,
    /// What the mover cannot exceed; `None` where it equals `low` for every position.
    pub high: Option<Plane>,
}

impl Solved {
    /// The upper bounds, whether or not they have a plane of their own.
    pub fn high(&self) -> &Plane {
        self.high.as_ref().unwrap_or(&self.low)
    }

    /// The layer.
    pub fn layer(&self) -> Layer {
        self.low.layer()
    }

    /// Both bounds of a position; `None` if it is not in the layer.
    pub fn interval(&self, board: &Board) -> Option<Interval> {
        Some(Interval { low: self.low.score(board)?, high: self.high().score(board)? })
    }
}
