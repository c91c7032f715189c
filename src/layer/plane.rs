//! One score for every position of a layer, held in memory.
//!
//! A plane has the blocks of its layer ([`crate::layer::Layer`]). A block's columns are cut into *panels*
//! of 512, and a panel's rows lie one behind the other:
//!
//! ```text
//!   block:  panel 0          panel 1          last panel
//!         +----------------+----------------+--------+
//!         | row 0          | row 0          | row 0  |     each panel is one stretch of memory,
//!         | row 1          | row 1          | row 1  |     its rows padded to whole cache lines
//!         | ...            | ...            | ...    |
//! ```
//!
//! A sweep works on one panel's width at a time, and the children's rows of neighbouring rows are
//! neighbours mostly. So what it reads next tends to lie next in memory. (Awari to 20 seeds takes
//! 7 % less processor time than with whole rows one behind the other.) Behind the last block there
//! is a spare line, so that the row kernels may load full vectors anywhere.

use std::io;

use memmap2::MmapMut;
use rayon::prelude::*;
use zerocopy::FromBytes;

use crate::game::board::{Board, Seeds};
use crate::game::score::{Interval, Score};
use crate::layer::index::{Layer, Place, Rank};
use crate::layer::strategy::Holds;

/// Positions that one vector instruction handles, and the alignment of rows: a cache line.
pub const LINE: usize = 64;

/// Columns of a panel.
pub const PANEL: usize = 8 * LINE;

/// Several matrices of bytes in one stretch of memory: the blocks of a layer.
#[derive(Debug)]
pub struct Blocks {
    shapes: Vec<Shape>,
    memory: MmapMut,
}

/// Where a block is and how it is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    start: usize,
    rows: usize,
    columns: usize,
}

impl Shape {
    /// Rows of the block.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Bytes of a row in all panels together: whole cache lines, or less where one is too much.
    fn padded(&self) -> usize {
        self.columns.next_multiple_of(if self.columns < LINE { 8 } else { LINE })
    }

    /// Bytes of the block.
    fn size(&self) -> usize {
        self.rows * self.padded()
    }

    /// How many panels it has.
    pub fn panels(&self) -> usize {
        self.columns.div_ceil(PANEL)
    }

    /// Bytes from one row of a panel to the next.
    pub fn width(&self, panel: usize) -> usize {
        (self.padded() - panel * PANEL).min(PANEL)
    }

    /// Where a panel begins, counted from the block.
    pub fn panel_start(&self, panel: usize) -> usize {
        self.rows * PANEL * panel
    }

    /// Where a score is, counted from the block.
    #[inline(always)]
    pub fn place(&self, row: usize, column: usize) -> usize {
        let panel = column / PANEL;
        self.panel_start(panel) + row * self.width(panel) + column % PANEL
    }
}

impl Blocks {
    /// Blocks of these (rows, columns) that hold `fill` everywhere.
    ///
    /// # Panics
    /// If the system has no memory to give.
    pub fn new(blocks: impl Iterator<Item = (usize, usize)>, fill: i8) -> Blocks {
        let mut end = 0;
        let shape = |(rows, columns): (usize, usize)| {
            let shape = Shape { start: end, rows, columns };
            end += shape.size();
            shape
        };
        let shapes = blocks.map(shape).collect();
        let memory = MmapMut::map_anon(end + LINE).expect("memory for a layer");
        // Rows are read from all over the memory: with small pages much time goes into finding
        // them. Where the system has no large ones, nothing is lost.
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

    /// The layout of a block.
    pub fn shape(&self, block: usize) -> Shape {
        self.shapes[block]
    }

    /// A block and all memory behind it, so that whole vectors can be read at any column.
    pub fn from_block(&self, block: usize) -> &[i8] {
        &self.all()[self.shapes[block].start..]
    }

    /// A block: panel after panel, row after row, padding included.
    pub fn block_mut(&mut self, block: usize) -> &mut [i8] {
        let shape = self.shapes[block];
        &mut self.all_mut()[shape.start..][..shape.size()]
    }

    /// All scores in rank order, in stretches: of each row its part in every panel.
    fn stretches(&self) -> impl Iterator<Item = &[i8]> {
        self.shapes.iter().enumerate().flat_map(move |(block, shape)| {
            let scores = self.from_block(block);
            let part = move |row, column: usize| {
                &scores[shape.place(row, column)..][..PANEL.min(shape.columns - column)]
            };
            (0..shape.rows).flat_map(move |row| {
                (0..shape.columns).step_by(PANEL).map(move |column| part(row, column))
            })
        })
    }

    fn stretches_mut(&mut self) -> impl Iterator<Item = &mut [i8]> {
        let mut rest = <[i8]>::mut_from_bytes(&mut self.memory).expect("bytes are bytes");
        self.shapes.iter().flat_map(move |shape| {
            let (block, behind) = std::mem::take(&mut rest).split_at_mut(shape.size());
            rest = behind;
            block_stretches_mut(*shape, block)
        })
    }

    /// Bytes of memory that blocks of these (rows, columns) take.
    fn size(blocks: impl Iterator<Item = (usize, usize)>) -> u64 {
        blocks.map(|(rows, columns)| Shape { start: 0, rows, columns }.size() as u64).sum::<u64>()
            + LINE as u64
    }
}

impl Clone for Blocks {
    fn clone(&self) -> Blocks {
        let mut copy = Blocks::new(self.shapes.iter().map(|shape| (shape.rows, shape.columns)), 0);
        let parts = copy.all_mut().par_chunks_mut(1 << 20).zip(self.all().par_chunks(1 << 20));
        parts.for_each(|(copy, scores)| copy.copy_from_slice(scores));
        copy
    }
}

impl PartialEq for Blocks {
    /// Scores only; what stands in the padding does not count.
    fn eq(&self, other: &Blocks) -> bool {
        self.stretches().eq(other.stretches())
    }
}

/// One block's scores in rank order, to write.
fn block_stretches_mut(shape: Shape, mut block: &mut [i8]) -> impl Iterator<Item = &mut [i8]> {
    let mut panels = Vec::with_capacity(shape.panels());
    for panel in 0..shape.panels() {
        let (scores, behind) = block.split_at_mut(shape.rows * shape.width(panel));
        block = behind;
        panels.push((
            scores.chunks_exact_mut(shape.width(panel)),
            PANEL.min(shape.columns - panel * PANEL),
        ));
    }
    let mut next = (0..shape.rows).flat_map(move |_| 0..shape.panels());
    std::iter::from_fn(move || {
        let (rows, columns) = &mut panels[next.next()?];
        rows.next().map(|row| &mut row[..*columns])
    })
}

/// The scores of a layer.
#[derive(Clone, Debug, PartialEq)]
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

    /// A plane with these scores in rank order; 0 where they end early.
    pub fn of_scores(layer: Layer, scores: impl IntoIterator<Item = i8>) -> Plane {
        let mut plane = Plane::new(layer, 0);
        plane.stretches_mut().flatten().zip(scores).for_each(|(slot, score)| *slot = score);
        plane
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

    /// The scores in rank order, in stretches of memory: joined they are the layer.
    pub fn stretches(&self) -> impl Iterator<Item = &[i8]> {
        self.blocks.stretches()
    }

    /// The same, to write.
    pub fn stretches_mut(&mut self) -> impl Iterator<Item = &mut [i8]> {
        self.blocks.stretches_mut()
    }

    /// Copies the scores from rank `first` on into `scores`, as many as fit; they must exist.
    pub fn copy_from_rank(&self, first: Rank, scores: &mut [i8]) {
        let (mut own, mut at, mut filled) = (0, first.0, 0);
        while filled < scores.len() {
            let (rows, columns) = self.layer.block_shape(own);
            let mut row = (at / columns as u64) as usize;
            let mut column = (at % columns as u64) as usize;
            let (shape, block) = (self.blocks.shape(own), self.blocks.from_block(own));
            while row < rows && filled < scores.len() {
                let end = columns.min(column - column % PANEL + PANEL);
                let count = (end - column).min(scores.len() - filled);
                scores[filled..filled + count]
                    .copy_from_slice(&block[shape.place(row, column)..][..count]);
                (filled, column) = (filled + count, end);
                if column == columns {
                    (row, column) = (row + 1, 0);
                }
            }
            at = at.saturating_sub(rows as u64 * columns as u64);
            own += 1;
        }
    }

    /// The score of a position; `None` if it is not in the layer.
    pub fn score(&self, board: &Board) -> Option<Score> {
        self.byte(board).map(Score::new)
    }

    fn byte(&self, board: &Board) -> Option<i8> {
        let Place { own, row, column } = self.layer.place(board)?;
        Some(self.blocks.from_block(own)[self.blocks.shape(own).place(row, column)])
    }

    /// Copies the scores of a row of block `own` from `column` on, as many as fit; they must exist.
    pub fn copy_from_row(&self, own: usize, row: usize, mut column: usize, mut scores: &mut [i8]) {
        let (block, shape) = (self.blocks.from_block(own), self.blocks.shape(own));
        while !scores.is_empty() {
            let count = (PANEL - column % PANEL).min(scores.len());
            let (copied, rest) = scores.split_at_mut(count);
            copied.copy_from_slice(&block[shape.place(row, column)..][..count]);
            (scores, column) = (rest, column + count);
        }
    }

    /// The other way round: puts scores into a row of block `own`.
    pub fn copy_to_row(&mut self, own: usize, row: usize, mut column: usize, mut scores: &[i8]) {
        let shape = self.blocks.shape(own);
        let block = self.blocks.block_mut(own);
        while !scores.is_empty() {
            let count = (PANEL - column % PANEL).min(scores.len());
            let (copied, rest) = scores.split_at(count);
            block[shape.place(row, column)..][..count].copy_from_slice(copied);
            (scores, column) = (rest, column + count);
        }
    }

    /// Changes each score, given the scores of two other planes of the layer at the same place.
    pub fn update(&mut self, others: [&Plane; 2], change: impl Fn(&mut i8, [i8; 2]) + Sync) {
        const PART: usize = 1 << 20;
        let [one, other] = others.map(|plane| plane.blocks.all().par_chunks(PART));
        self.blocks.all_mut().par_chunks_mut(PART).zip(one.zip(other)).for_each(
            |(scores, (one, other))| {
                scores
                    .iter_mut()
                    .zip(one.iter().zip(other))
                    .for_each(|(score, (&one, &other))| change(score, [one, other]));
            },
        );
    }

    /// Writes its memory as it is, for [`Plane::read_from`] of the same program.
    ///
    /// # Errors
    /// Whatever `out` fails with.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        out.write_all(&self.blocks.memory)
    }

    /// The inverse of [`Plane::write_to`].
    ///
    /// # Errors
    /// Whatever `input` fails with.
    pub fn read_from(layer: Layer, input: &mut impl io::Read) -> io::Result<Plane> {
        let mut plane = Plane::new(layer, 0);
        input.read_exact(&mut plane.blocks.memory)?;
        Ok(plane)
    }

    /// Bytes of memory that a plane of `layer` takes.
    pub fn memory(layer: Layer) -> u64 {
        Blocks::size(shapes(layer))
    }
}

/// How the scores of a layer are collected, see [`crate::layer::Strategy`].
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    /// The stamp of each position, as a byte without a sign.
    pub stamps: Plane,
    /// Which stamps are holds.
    pub holds: Holds,
}

impl Strategy {
    /// The stamp of a position; `None` if it is not in the layer.
    pub fn stamp(&self, board: &Board) -> Option<u8> {
        self.stamps.byte(board).map(i8::cast_unsigned)
    }
}

/// One bit for every position of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    /// By block: words of a row, and all rows.
    blocks: Vec<(usize, Vec<u64>)>,
}

impl Marks {
    /// No position is marked.
    pub fn none(layer: Layer) -> Marks {
        let block = |(rows, columns): (usize, usize)| {
            (columns.div_ceil(64), vec![0; rows * columns.div_ceil(64)])
        };
        Marks { blocks: shapes(layer).map(block).collect() }
    }

    /// A row of a block: the lowest bit of the first word is that of column 0.
    pub fn row(&self, own: usize, row: usize) -> &[u64] {
        let (words, rows) = &self.blocks[own];
        &rows[row * words..][..*words]
    }

    /// All rows of a block, to write, and how many words each has.
    pub fn block_mut(&mut self, own: usize) -> (usize, &mut [u64]) {
        let (words, rows) = &mut self.blocks[own];
        (*words, rows)
    }
}

/// Where bounds are what a capture brings, or the end of the game. Whoever looks at captures anyway
/// need not be told such a bound exactly, so tables save there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attained {
    /// Lower bounds.
    pub low: Marks,
    /// Upper bounds; `None` where they are the lower ones.
    pub high: Option<Marks>,
}

/// A solved layer: a lower and an upper bound for every position.
#[derive(Debug)]
pub struct Solved {
    /// What the mover secures.
    pub low: Plane,
    /// What the mover cannot exceed; `None` where it equals `low` for every position.
    pub high: Option<Plane>,
    /// How scores are collected, if that was asked for.
    pub strategy: Option<Strategy>,
    /// Which bounds captures attain, as far as that is known.
    pub attained: Option<Attained>,
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
