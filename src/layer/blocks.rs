//! Matrices of bytes as a sweep wants them: the blocks of a layer.
//!
//! A block's columns are cut into *panels* of 64, and a panel's rows lie one behind the other, each
//! a *line* of memory:
//!
//! ```text
//!   block:  panel 0          panel 1          last panel
//!         +----------------+----------------+--------+-------+
//!         | line of row 0  | line of row 0  | row 0  | spare |
//!         | line of row 1  | line of row 1  | row 1  |       |
//!         | ...            | ...            | ...    |       |
//! ```
//!
//! A sweep works on one panel's width at a time, and the children's rows of neighbouring rows are
//! neighbours mostly. So what it reads next tends to lie next in memory. The spare columns of a
//! last panel mean nothing and cost 9 % of the memory at 20 seeds, 4 % at 24 where layers leave
//! filled rows out; in return every row of every block is read and written as whole, aligned lines.
//!
//! Of each block it may be all that is here, or a [`Rectangle`] of lines: none of a block that is
//! somewhere else, or those that one of several processes has. Rows and columns are numbered as in
//! the whole block.
//!
//! Memory comes from an [`Arena`], which keeps it from layer to layer. Lines of scores are as long as
//! their [`Packing`] says; other lines, such as words of [marks](crate::layer::Marks), make the same
//! [`BlockBytes`].

use std::borrow::Cow;
use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

use zerocopy::{FromBytes, IntoBytes};

use crate::error::{Error, Result};
use crate::layer::arena::{Arena, Memory};
use crate::layer::line::{LINE, first_lanes};
use crate::layer::lines::{Lines, LinesMut};
use crate::layer::packing::Packing;
use crate::layer::spill::{Pages, Spill};

/// Columns of a panel.
pub const PANEL: usize = LINE;

/// The blocks of a layer in one stretch of memory, whatever stands in their lines.
#[derive(Debug)]
pub struct BlockBytes {
    shapes: Vec<Shape>,
    /// Bytes of a line.
    line: usize,
    memory: Memory,
}

/// Several matrices of scores: the blocks of a layer.
#[derive(Debug)]
pub struct Blocks {
    lines: BlockBytes,
    packing: Packing,
}

impl Deref for Blocks {
    type Target = BlockBytes;

    fn deref(&self) -> &BlockBytes {
        &self.lines
    }
}

impl DerefMut for Blocks {
    fn deref_mut(&mut self) -> &mut BlockBytes {
        &mut self.lines
    }
}

/// Some rows of some panels of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// The panels.
    pub panels: Range<usize>,
    /// The rows.
    pub rows: Range<usize>,
}

impl Rectangle {
    /// All of a block of this many rows and columns.
    pub fn whole((rows, columns): (usize, usize)) -> Rectangle {
        Rectangle { panels: 0..columns.div_ceil(PANEL), rows: 0..rows }
    }

    /// How many lines it has.
    pub fn lines(&self) -> usize {
        self.panels.len() * self.rows.len()
    }

    /// What of it is in some panels.
    pub fn within(&self, panels: &Range<usize>) -> Rectangle {
        let start = self.panels.start.max(panels.start);
        let end = self.panels.end.min(panels.end).max(start);
        Rectangle { panels: start..end, rows: self.rows.clone() }
    }
}

/// What is here of a block, where it is and how it is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Its first line.
    start: usize,
    /// The first row that is here.
    pub first_row: usize,
    /// How many rows are here: the lines of a panel.
    pub rows: usize,
    /// The first panel that is here.
    pub first_panel: usize,
    /// How many panels are here.
    pub panels: usize,
    /// Columns of the whole block.
    columns: usize,
}

impl Shape {
    fn of(rectangle: &Rectangle, columns: usize, start: usize) -> Shape {
        let Rectangle { panels, rows } = rectangle;
        let (first_row, rows) = (rows.start, rows.len());
        let (first_panel, panels) = (panels.start, panels.len());
        Shape { start, first_row, rows, first_panel, panels, columns }
    }

    /// What is here.
    pub fn rectangle(&self) -> Rectangle {
        Rectangle {
            panels: self.first_panel..self.first_panel + self.panels,
            rows: self.first_row..self.first_row + self.rows,
        }
    }

    /// Whether a score is here.
    pub fn has(&self, row: usize, column: usize) -> bool {
        let Rectangle { panels, rows } = self.rectangle();
        panels.contains(&(column / PANEL)) && rows.contains(&row)
    }

    /// How many lines are here.
    fn lines(&self) -> usize {
        self.rows * self.panels
    }

    /// Where the lines of some panels are, counted from the first.
    pub fn lines_of(&self, panels: Range<usize>) -> Range<usize> {
        let first = |panel: usize| (panel - self.first_panel) * self.rows;
        let is_empty = panels.is_empty() || self.rows == 0;
        if is_empty { 0..0 } else { first(panels.start)..first(panels.end) }
    }

    /// The line of a score, counted from the first.
    #[inline(always)]
    pub fn line(&self, row: usize, column: usize) -> usize {
        (column / PANEL - self.first_panel) * self.rows + row - self.first_row
    }

    /// The columns of a panel that a block has, as the bits of a word.
    pub fn lanes(&self, panel: usize) -> u64 {
        first_lanes((self.columns - panel * PANEL).min(PANEL))
    }
}

impl BlockBytes {
    /// Rectangles of lines of so many bytes, all of which are `fill`, each of a block with this many
    /// columns, in memory of an arena.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if the system has no memory to give.
    pub fn of_rectangles(
        arena: &Arena,
        rectangles: impl Iterator<Item = (Rectangle, usize)>,
        line: usize,
        fill: u8,
    ) -> Result<BlockBytes> {
        let mut end = 0_u64;
        let shape = |(rectangle, columns): (Rectangle, usize)| {
            // Of more lines than there are addresses no block is used: there is no memory for them.
            let shape = Shape::of(&rectangle, columns, end as usize);
            end += shape.lines() as u64;
            shape
        };
        let shapes = rectangles.map(shape).collect();
        let bytes = end * line as u64;
        let length = usize::try_from(bytes).map_err(|_| Error::OutOfMemory { bytes })?;
        let memory = arena.take(length, fill)?;
        Ok(BlockBytes { shapes, line, memory })
    }

    /// Bytes of a line.
    pub fn line(&self) -> usize {
        self.line
    }

    /// How many blocks there are.
    pub fn count(&self) -> usize {
        self.shapes.len()
    }

    /// The layout of a block.
    pub fn shape(&self, block: usize) -> Shape {
        self.shapes[block]
    }

    /// What is here of all blocks, each with how many columns it has.
    pub fn rectangles(&self) -> impl Iterator<Item = (Rectangle, usize)> {
        self.shapes.iter().map(|shape| (shape.rectangle(), shape.columns))
    }

    /// Where some lines of a block are in memory.
    fn place(&self, block: usize, lines: Range<usize>) -> Range<usize> {
        let start = self.shapes[block].start;
        (start + lines.start) * self.line..(start + lines.end) * self.line
    }

    /// The bytes of a block: panel after panel, row after row.
    pub fn block_bytes(&self, block: usize) -> &[u8] {
        &self.bytes()[self.place(block, 0..self.shape(block).lines())]
    }

    /// The bytes of a block, to write.
    pub fn block_bytes_mut(&mut self, block: usize) -> &mut [u8] {
        let place = self.place(block, 0..self.shape(block).lines());
        &mut self.bytes_mut()[place]
    }

    /// The bytes of some panels of a block that are here.
    pub fn panel_bytes(&self, block: usize, panels: Range<usize>) -> &[u8] {
        &self.bytes()[self.place(block, self.shape(block).lines_of(panels))]
    }

    /// The bytes of some panels of a block that are here, to write.
    pub fn panel_bytes_mut(&mut self, block: usize, panels: Range<usize>) -> &mut [u8] {
        let place = self.place(block, self.shape(block).lines_of(panels));
        &mut self.bytes_mut()[place]
    }

    /// Keeps the program to its bound of memory, if files are behind these blocks; to be called
    /// after every few tiles of work.
    #[inline]
    pub fn enforce_bound(&self) {
        if let Some(spill) = self.memory.spill() {
            spill.enforce_bound();
        }
    }

    /// Their pages, if files are behind these blocks.
    pub fn pages(&self) -> Option<&Arc<Pages>> {
        self.memory.pages()
    }

    /// Fetches a whole block before looks here and there in it, if a file is behind it.
    pub fn fetch_block(&self, block: usize) {
        if let Some(pages) = self.pages() {
            self.whole(block).for_each(|stretch| pages.fetch(stretch));
        }
    }

    /// The bytes of a whole block, as far as it is here.
    pub fn whole(&self, block: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        self.stretches(block, 0..usize::MAX, 0..usize::MAX)
    }

    /// The bytes of some rows of some panels of a block, counted from the first that are here, in
    /// stretches without large gaps; what is not here is left out.
    pub fn stretches(
        &self,
        block: usize,
        panels: Range<usize>,
        rows: Range<usize>,
    ) -> impl Iterator<Item = Range<usize>> + use<> {
        let (shape, length) = (self.shapes[block], self.line);
        let (last, rows) = (panels.end.min(shape.panels), rows.start..rows.end.min(shape.rows));
        let count = if rows.is_empty() { 0 } else { last.saturating_sub(panels.start) };
        let at = move |panel: usize, row: usize| (shape.start + panel * shape.rows + row) * length;
        let is_dense = shape.rows - rows.len() <= GAP;
        let stretches = if is_dense { count.min(1) } else { count };
        (panels.start..panels.start + stretches).map(move |panel| {
            let end = if is_dense { last - 1 } else { panel };
            at(panel, rows.start)..at(end, rows.end)
        })
    }

    /// Who keeps the program to its bound of memory, if files are behind these blocks.
    pub fn spill(&self) -> Option<Spill> {
        self.memory.spill().cloned()
    }

    /// Gives the memory of a block back, as far as its arena would: it is not looked at again.
    pub fn let_go(&mut self, block: usize) {
        let place = self.place(block, 0..self.shape(block).lines());
        self.memory.let_go(place);
    }

    /// The memory as it is.
    pub fn bytes(&self) -> &[u8] {
        self.memory.bytes()
    }

    /// Returns the memory as it is, mutable.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.memory.bytes_mut()
    }
}

impl Blocks {
    /// Rectangles that hold `fill` everywhere, each of a block with this many columns, in memory of an
    /// arena.
    ///
    /// # Errors
    /// As [`BlockBytes::of_rectangles`].
    pub fn of_rectangles(
        arena: &Arena,
        rectangles: impl Iterator<Item = (Rectangle, usize)>,
        packing: Packing,
        fill: i8,
    ) -> Result<Blocks> {
        let (line, fill) = (packing.bytes(), packing.filled(fill));
        Ok(Blocks { lines: BlockBytes::of_rectangles(arena, rectangles, line, fill)?, packing })
    }

    /// Blocks of these (rows, columns) that hold `fill` everywhere, in memory of an arena.
    ///
    /// # Errors
    /// As [`Blocks::of_rectangles`].
    pub fn in_arena(
        arena: &Arena,
        blocks: impl Iterator<Item = (usize, usize)>,
        packing: Packing,
        fill: i8,
    ) -> Result<Blocks> {
        let rectangle = |shape: (usize, usize)| (Rectangle::whole(shape), shape.1);
        Blocks::of_rectangles(arena, blocks.map(rectangle), packing, fill)
    }

    /// The same of which only some have room; the others have no rows.
    ///
    /// # Errors
    /// As [`Blocks::of_rectangles`].
    pub fn held_in_arena(
        arena: &Arena,
        blocks: impl Iterator<Item = (usize, usize)>,
        held: &Range<usize>,
        packing: Packing,
        fill: i8,
    ) -> Result<Blocks> {
        let shape = |(at, (rows, columns))| (if held.contains(&at) { rows } else { 0 }, columns);
        Blocks::in_arena(arena, blocks.enumerate().map(shape), packing, fill)
    }

    /// A copy in memory of an arena.
    ///
    /// # Errors
    /// As [`Blocks::of_rectangles`].
    pub fn copied_in(&self, arena: &Arena) -> Result<Blocks> {
        let mut copy = Blocks::of_rectangles(arena, self.rectangles(), self.packing, 0)?;
        copy.copy_from(self);
        Ok(copy)
    }

    /// All lines, block after block.
    pub fn all(&self) -> Lines<'_> {
        Lines::of_bytes(self.bytes(), self.packing)
    }

    /// Returns all lines, mutable.
    pub fn all_mut(&mut self) -> LinesMut<'_> {
        let packing = self.packing;
        LinesMut::of_bytes(self.bytes_mut(), packing)
    }

    /// The lines of a block: panel after panel, row after row.
    pub fn block(&self, block: usize) -> Lines<'_> {
        Lines::of_bytes(self.block_bytes(block), self.packing)
    }

    /// The lines of some panels of a block that are here.
    pub fn panels(&self, block: usize, panels: Range<usize>) -> Lines<'_> {
        Lines::of_bytes(self.panel_bytes(block, panels), self.packing)
    }

    /// Returns the lines of some panels of a block that are here, mutable.
    pub fn panels_mut(&mut self, block: usize, panels: Range<usize>) -> LinesMut<'_> {
        let packing = self.packing;
        LinesMut::of_bytes(self.panel_bytes_mut(block, panels), packing)
    }

    /// The scores of a panel of a block, row by row.
    pub fn panel(&self, block: usize, panel: usize) -> Cow<'_, [i8]> {
        let shape = self.shape(block);
        let lines = self.panels(block, panel..panel + 1);
        match (lines, PANEL.min(shape.columns - panel * PANEL)) {
            (Lines::Byte(lines), PANEL) => {
                <[i8]>::ref_from_bytes(lines.as_bytes()).expect("bytes of any kind").into()
            }
            (lines, columns) => {
                let mut scores = Vec::with_capacity(shape.rows * columns);
                for row in 0..shape.rows {
                    scores.extend_from_slice(&lines.line(row).0[..columns]);
                }
                scores.into()
            }
        }
    }

    /// Returns the lines of a block, mutable.
    pub fn block_mut(&mut self, block: usize) -> LinesMut<'_> {
        let packing = self.packing;
        LinesMut::of_bytes(self.block_bytes_mut(block), packing)
    }

    /// All blocks apart, so that some can be written while others are read.
    pub fn split_mut(&mut self) -> impl Iterator<Item = LinesMut<'_>> {
        let BlockBytes { shapes, memory, .. } = &mut self.lines;
        let mut rest = LinesMut::of_bytes(memory.bytes_mut(), self.packing);
        shapes.iter().map(move |shape| rest.take_first(shape.lines()))
    }

    /// A score.
    #[inline(always)]
    pub fn score(&self, block: usize, row: usize, column: usize) -> i8 {
        let shape = &self.lines.shapes[block];
        self.all().score(shape.start + shape.line(row, column), column % LINE)
    }

    /// Replaces a score.
    #[inline(always)]
    pub fn set(&mut self, block: usize, row: usize, column: usize, score: i8) {
        let shape = self.shape(block);
        self.all_mut().set(shape.start + shape.line(row, column), column % LINE, score);
    }

    /// All lines of a block as its scores are ranked, of each row its part in every panel: the number
    /// of each in the block, and how many columns it has.
    pub fn in_rank_order(&self, block: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let shape = self.shape(block);
        let Rectangle { panels, rows } = shape.rectangle();
        let columns = panels.start * PANEL..shape.columns.min(panels.end * PANEL);
        let columns = move || columns.clone().step_by(PANEL);
        let part = move |row, column| (shape.line(row, column), PANEL.min(shape.columns - column));
        rows.flat_map(move |row| columns().map(move |column| part(row, column)))
    }

    /// All scores in rank order.
    pub fn scores(&self) -> impl Iterator<Item = i8> {
        (0..self.count()).flat_map(|block| {
            let lines = self.block(block);
            self.in_rank_order(block)
                .flat_map(move |(at, columns)| lines.line(at).0.into_iter().take(columns))
        })
    }

    /// Bytes of memory that blocks of these (rows, columns) take.
    pub fn size(blocks: impl Iterator<Item = (usize, usize)>, packing: Packing) -> u64 {
        let lines = blocks.map(|shape| Rectangle::whole(shape).lines() as u64);
        lines.sum::<u64>() * packing.bytes() as u64
    }
}

/// Lines between those that are wanted which are fetched, too, rather than to ask twice.
pub const GAP: usize = 32;

impl Clone for Blocks {
    fn clone(&self) -> Blocks {
        self.copied_in(&Arena::default()).expect("memory for a copy")
    }
}

/// Lines that one task copies or changes.
pub const PART: usize = 1 << 14;
