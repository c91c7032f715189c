//! One score for every position of a layer, held in memory.
//!
//! A plane is laid out like the layer it belongs to ([`crate::index`]): block after block, row
//! after row. Rows are padded to whole cache lines, and behind the last there is a spare line, so
//! that the row kernels may load full vectors anywhere.

use memmap2::MmapMut;
use rayon::prelude::*;
use zerocopy::FromBytes;

use crate::board::{Board, Seeds};
use crate::index::{Layer, Rank, rows};
use crate::score::{Interval, Score};

/// Positions that one vector instruction handles, and the alignment of rows: a cache line.
pub const LINE: usize = 64;

/// Several matrices of bytes in one stretch of memory: the blocks of a layer.
#[derive(Debug)]
pub struct Blocks {
    shapes: Vec<Shape>,
    memory: MmapMut,
}

/// Where one block is.
#[derive(Clone, Copy, Debug)]
struct Shape {
    start: usize,
    rows: usize,
    columns: usize,
    stride: usize,
}

impl Blocks {
    /// Blocks of these (rows, columns) that hold `fill` everywhere.
    ///
    /// # Panics
    /// If the system has no memory to give.
    pub fn new(blocks: impl Iterator<Item = (usize, usize)>, fill: i8) -> Blocks {
        let mut end = 0;
        let shape = |(rows, columns): (usize, usize)| {
            let (start, stride) = (end, columns.next_multiple_of(LINE));
            end += rows * stride;
            Shape { start, rows, columns, stride }
        };
        let shapes = blocks.map(shape).collect();
        let memory = MmapMut::map_anon(end + LINE).expect("memory for a layer");
        // Rows are read in no order that the processor foresees: with small pages a third of the
        // time goes into finding them. Where the system has no large ones, nothing is lost.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        let mut blocks = Blocks { shapes, memory };
        if fill != 0 {
            blocks.all_mut().par_chunks_mut(1 << 20).for_each(|part| part.fill(fill));
        }
        blocks
    }

    fn all(&self) -> &[i8] {
        <[i8]>::ref_from_bytes(&self.memory).expect("bytes are bytes")
    }

    fn all_mut(&mut self) -> &mut [i8] {
        <[i8]>::mut_from_bytes(&mut self.memory).expect("bytes are bytes")
    }

    /// Bytes from one row of a block to the next.
    pub fn stride(&self, block: usize) -> usize {
        self.shapes[block].stride
    }

    /// Row `row` of a block and everything behind it, so that whole vectors can be read at any
    /// column.
    pub fn from_row(&self, block: usize, row: usize) -> &[i8] {
        let Shape { start, stride, .. } = self.shapes[block];
        &self.all()[start + row * stride..]
    }

    /// The rows of a block, padding included, one after the other.
    pub fn block_mut(&mut self, block: usize) -> &mut [i8] {
        let Shape { start, rows, stride, .. } = self.shapes[block];
        &mut self.all_mut()[start..start + rows * stride]
    }

    /// The rows of all blocks, without their padding.
    fn rows(&self) -> impl Iterator<Item = &[i8]> {
        let all = self.all();
        let rows = |shape: &Shape| all[shape.start..][..shape.rows * shape.stride].chunks_exact(shape.stride);
        self.shapes.iter().flat_map(move |shape| rows(shape).map(|row| &row[..shape.columns]))
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut [i8]> {
        let mut rest = <[i8]>::mut_from_bytes(&mut self.memory).expect("bytes are bytes");
        self.shapes.iter().flat_map(move |shape| {
            let (block, behind) = std::mem::take(&mut rest).split_at_mut(shape.rows * shape.stride);
            rest = behind;
            block.chunks_exact_mut(shape.stride).map(|row| &mut row[..shape.columns])
        })
    }

    /// Bytes of memory that blocks of these (rows, columns) take.
    fn size(blocks: impl Iterator<Item = (usize, usize)>) -> u64 {
        blocks.map(|(rows, columns)| (rows * columns.next_multiple_of(LINE)) as u64).sum::<u64>() + LINE as u64
    }
}

/// The scores of a layer.
#[derive(Debug)]
pub struct Plane {
    layer: Layer,
    blocks: Blocks,
}

fn shapes(layer: Layer) -> impl Iterator<Item = (usize, usize)> {
    (0..=layer.seeds().get()).map(move |own| layer.block_shape(own))
}

impl Plane {
    /// A plane that holds `fill` everywhere.
    pub fn new(layer: Layer, fill: i8) -> Plane {
        Plane { layer, blocks: Blocks::new(shapes(layer), fill) }
    }

    /// The layer it belongs to.
    pub fn layer(&self) -> Layer {
        self.layer
    }

    /// Seeds on the board.
    pub fn seeds(&self) -> Seeds {
        self.layer.seeds()
    }

    /// The scores by block; block `k` has `k` seeds in the mover's row.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// The same, to write.
    pub fn blocks_mut(&mut self) -> &mut Blocks {
        &mut self.blocks
    }

    /// The rows in rank order, without their padding: joined they are the layer.
    pub fn rows(&self) -> impl Iterator<Item = &[i8]> {
        self.blocks.rows()
    }

    /// The same, to write.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut [i8]> {
        self.blocks.rows_mut()
    }

    /// Copies the scores from rank `first` on into `scores`, as many as fit; they must exist.
    pub fn copy_from_rank(&self, first: Rank, scores: &mut [i8]) {
        let (mut own, mut at, mut filled) = (0, first.0, 0);
        while filled < scores.len() {
            let (rows, columns) = self.layer.block_shape(own);
            let mut row = (at / columns as u64) as usize;
            let mut column = (at % columns as u64) as usize;
            while row < rows && filled < scores.len() {
                let source = &self.blocks.from_row(own, row)[column..columns];
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
        Some(Score::new(self.blocks.from_row(own, row)[column]))
    }

    /// Bytes of memory that a plane of `layer` takes.
    pub fn memory(layer: Layer) -> u64 {
        Blocks::size(shapes(layer))
    }
}

/// A solved layer: a lower and an upper bound for every position.
#[derive(Debug)]
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
