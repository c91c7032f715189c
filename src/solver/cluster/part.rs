//! A rank's part of a layer: of each block a rectangle of lines, in memory or on disk.

use std::ops::{Deref, DerefMut, Range};

use zerocopy::{FromBytes, IntoBytes};

use super::cut::Cut;
use crate::error::{Error, Result};
use crate::layer::arena::{Arena, Memory};
use crate::layer::index::rows;
use crate::layer::line::{LINE, Line, first_lanes};
use crate::layer::spill::Spill;
use crate::solver::plan::LayerPlan;

/// Lines that are copied at a time.
const PIECE: usize = 1 << 14;

/// The lines of a rectangle.
#[derive(Debug)]
pub enum Held {
    /// In memory.
    InMemory(Vec<Line>),
    /// With a file behind them.
    OnDisk(Memory),
}

impl Held {
    /// This many lines that hold `fill` everywhere: on disk if the arena is.
    fn new(arena: &Arena, count: usize, fill: i8) -> Result<Held> {
        if arena.is_spilled() && count > 0 {
            return arena.take(count * LINE, fill.cast_unsigned()).map(Held::OnDisk);
        }
        lines(count, fill).map(Held::InMemory)
    }
}

impl Deref for Held {
    type Target = [Line];

    #[inline(always)]
    fn deref(&self) -> &[Line] {
        match self {
            Held::InMemory(lines) => lines,
            Held::OnDisk(memory) => <[Line]>::ref_from_bytes(memory.bytes()).expect("whole lines"),
        }
    }
}

impl DerefMut for Held {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Line] {
        match self {
            Held::InMemory(lines) => lines,
            Held::OnDisk(memory) => {
                <[Line]>::mut_from_bytes(memory.bytes_mut()).expect("whole lines")
            }
        }
    }
}

/// Some rows of some panels of a block: panel after panel.
#[derive(Debug)]
pub struct Part {
    /// The panels.
    pub panels: Range<usize>,
    /// The rows.
    pub rows: Range<usize>,
    /// Row after row of each panel.
    pub lines: Held,
}

/// This many lines that hold `fill` everywhere.
///
/// # Errors
/// [`Error::OutOfMemory`] if there is no memory for them.
pub fn lines(count: usize, fill: i8) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    let bytes = (count * LINE) as u64;
    lines.try_reserve_exact(count).map_err(|_| Error::OutOfMemory { bytes })?;
    lines.resize(count, Line::of(fill));
    Ok(lines)
}

impl Part {
    /// A rectangle that holds `fill` everywhere, where an arena has its memory.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if there is no memory for it, and [`Error::Io`] if there is no disk.
    pub fn new(arena: &Arena, panels: Range<usize>, rows: Range<usize>, fill: i8) -> Result<Part> {
        let lines = Held::new(arena, panels.len() * rows.len(), fill)?;
        Ok(Part { panels, rows, lines })
    }

    /// A rectangle of nothing.
    pub fn nothing() -> Part {
        Part { panels: 0..0, rows: 0..0, lines: Held::InMemory(Vec::new()) }
    }

    /// A copy where an arena has its memory.
    ///
    /// # Errors
    /// As [`Part::new`].
    pub fn copied_in(&self, arena: &Arena) -> Result<Part> {
        let mut copy = Part::new(arena, self.panels.clone(), self.rows.clone(), 0)?;
        for (lines, copied) in copy.lines.chunks_mut(PIECE).zip(self.lines.chunks(PIECE)) {
            lines.copy_from_slice(copied);
            arena.keep();
        }
        Ok(copy)
    }

    /// Keeps the program to its bound of memory, if there is a file behind the lines; to be called
    /// after every few tiles of work.
    #[inline]
    pub fn keep(&self) {
        if let Held::OnDisk(memory) = &self.lines
            && let Some(spill) = memory.spill()
        {
            spill.keep();
        }
    }

    /// Who keeps the program to its bound of memory, if there is a file behind the lines.
    pub fn spill(&self) -> Option<Spill> {
        match &self.lines {
            Held::OnDisk(memory) => memory.spill().cloned(),
            Held::InMemory(_) => None,
        }
    }

    /// Whether it has a score.
    pub fn has(&self, row: usize, column: usize) -> bool {
        self.panels.contains(&(column / LINE)) && self.rows.contains(&row)
    }

    fn line(&self, row: usize, column: usize) -> usize {
        (column / LINE - self.panels.start) * self.height() + row - self.rows.start
    }

    /// One of its scores.
    pub fn score(&self, row: usize, column: usize) -> i8 {
        self.lines[self.line(row, column)].0[column % LINE]
    }

    /// The place of one of its scores.
    pub fn score_mut(&mut self, row: usize, column: usize) -> &mut i8 {
        let line = self.line(row, column);
        &mut self.lines[line].0[column % LINE]
    }

    /// Lines from one panel to the next.
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// The lines of a panel.
    pub fn panel(&self, panel: usize) -> &[Line] {
        &self.lines[(panel - self.panels.start) * self.height()..][..self.height()]
    }

    /// Returns the lines of a panel, mutable.
    pub fn panel_mut(&mut self, panel: usize) -> &mut [Line] {
        let height = self.height();
        &mut self.lines[(panel - self.panels.start) * height..][..height]
    }

    /// The lines of some rows of a panel.
    pub fn stretch(&self, panel: usize, rows: Range<usize>) -> &[Line] {
        &self.panel(panel)[rows.start - self.rows.start..rows.end - self.rows.start]
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        self.lines.as_bytes()
    }

    /// The lines of some panels.
    pub fn panels(&self, panels: &Range<usize>) -> &[Line] {
        &self.lines[self.places(panels)]
    }

    /// Returns the lines of some panels, mutable.
    pub fn panels_mut(&mut self, panels: &Range<usize>) -> &mut [Line] {
        let places = self.places(panels);
        &mut self.lines[places]
    }

    fn places(&self, panels: &Range<usize>) -> Range<usize> {
        let place = |panel: usize| (panel - self.panels.start) * self.height();
        if panels.is_empty() { 0..0 } else { place(panels.start)..place(panels.end) }
    }

    /// Whether two such rectangles of a block with this many columns differ.
    pub fn differs(&self, other: &Part, columns: usize) -> bool {
        let height = self.height().max(1);
        let both = self.lines.chunks(height).zip(other.lines.chunks(height));
        self.panels.clone().zip(both).any(|(panel, (one, other))| {
            let lanes = (columns - panel * LINE).min(LINE);
            self.keep();
            one != other
                && one.iter().zip(other).any(|(one, other)| one.0[..lanes] != other.0[..lanes])
        })
    }
}

/// Some rows of some panels of a block: a bit for each position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedPart {
    /// The panels.
    pub panels: Range<usize>,
    /// The rows.
    pub rows: Range<usize>,
    /// Panel after panel of each row: the first column in the lowest bit.
    pub words: Vec<u64>,
}

impl MarkedPart {
    /// A rectangle in which nothing is marked.
    pub fn new(panels: Range<usize>, rows: Range<usize>) -> MarkedPart {
        let words = vec![0; panels.len() * rows.len()];
        MarkedPart { panels, rows, words }
    }

    /// The marks of a line.
    pub fn word_mut(&mut self, panel: usize, row: usize) -> &mut u64 {
        let row = (row - self.rows.start) * self.panels.len();
        &mut self.words[row + panel - self.panels.start]
    }
}

/// The lanes of a line that half-boards of this many seeds have.
pub fn lanes_of(seeds: usize, line: usize) -> u64 {
    first_lanes((rows(seeds) - line * LINE).min(LINE))
}

/// Bytes as lines.
pub fn as_lines(bytes: &[u8]) -> Vec<Line> {
    let line = |bytes| Line::read_from_bytes(bytes).expect("64 bytes");
    bytes.chunks_exact(LINE).map(line).collect()
}

/// A rank's part of a plane: by block.
///
/// # Errors
/// [`Error::OutOfMemory`] if there is no memory for it.
pub fn parts(
    arena: &Arena,
    plan: &LayerPlan,
    cut: &Cut,
    rank: usize,
    fill: i8,
) -> Result<Vec<Part>> {
    let part = |block| {
        let [panels, rows] = cut.share(plan, block, rank);
        Part::new(arena, panels, rows, fill)
    };
    (0..plan.blocks.len()).map(part).collect()
}

/// A rank's part of what is swept.
#[derive(Debug)]
pub struct Field {
    /// One plane, or lower and upper bounds: by block.
    pub planes: Vec<Vec<Part>>,
    /// Memory for what a pair computes in its larger block, kept from pair to pair.
    pub late: Vec<Line>,
}

impl Field {
    /// Planes that hold these numbers everywhere.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] if there is no memory for it.
    pub fn new(
        arena: &Arena,
        plan: &LayerPlan,
        cut: &Cut,
        rank: usize,
        fills: &[i8],
    ) -> Result<Field> {
        let plane = |fill| parts(arena, plan, cut, rank, fill);
        Ok(Field {
            planes: fills.iter().map(|&fill| plane(fill)).collect::<Result<_>>()?,
            late: Vec::new(),
        })
    }
}
