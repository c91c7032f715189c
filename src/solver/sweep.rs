//! One layer with an even split to its fixpoint: every score is what captures bring or what the
//! best quiet child leaves, and endless play is worth 0.
//!
//! All scores start at 0 and are replaced, block after block, by
//! `max(best capture, max over quiet moves of −child)`, until a whole sweep changes nothing. From
//! 0, positive scores only grow and negative ones only fall, so the limit does not depend on the
//! order, and it is the value of the game.
//!
//! Within a block nothing is written before everything is read: each task hands back the lines
//! that changed, and they are put in place when the block is done. So there is nothing to race
//! for, and the number of sweeps does not depend on the number of threads either.
//!
//! A row carries a *dirt* word: which parts of it changed when its block was last written. A row
//! of the mover is computed for a span of lanes only if one of the rows it reads is dirty there.
//! Between two visits to a block every other block is written once, so the last changes of each
//! are just those that the visitor has not seen.

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::index::rows;
use crate::solver::captures::CapturePlane;
use crate::solver::plan::{BlockPlan, Gather, LayerPlan, OUTSIDE, SPAN, dirt_bit};
use crate::solver::plane::{LINE, PANEL, Plane};
use crate::solver::ports::{Event, Observer};
use crate::solver::rows::{Changes, Desk, Kernel, Path, Span};

/// Tiles of 64 rows of the mover that one task computes: those that share a panel.
const TILES_PER_TASK: usize = PANEL / LINE;

/// Which parts of which rows changed, see the module.
struct Dirt {
    /// By block and row.
    rows: Vec<Vec<u64>>,
    /// By block: whether any row is dirty.
    blocks: Vec<bool>,
    /// By block: whether it has never been visited.
    fresh: Vec<bool>,
}

impl Dirt {
    fn everywhere(plane: &Plane) -> Dirt {
        let layer = plane.layer();
        let blocks = layer.seeds().get() + 1;
        let rows = (0..blocks).map(|own| vec![u64::MAX; layer.block_shape(own).0]).collect();
        Dirt { rows, blocks: vec![true; blocks], fresh: vec![true; blocks] }
    }
}

impl Dirt {
    fn clear(&mut self, block: usize) {
        if std::mem::take(&mut self.blocks[block]) {
            self.rows[block].fill(0);
        }
    }
}

/// Everything a sweep reads besides the scores.
pub struct Sweeper<'a> {
    /// What moves do to rows.
    pub plan: &'a LayerPlan<'a>,
    /// What captures are worth.
    pub captures: &'a CapturePlane,
    /// How rows are computed.
    pub kernel: Kernel,
}

impl Sweeper<'_> {
    /// Sweeps until nothing changes.
    ///
    /// `changes` is kept from layer to layer only for its memory.
    pub fn settle(&self, plane: &mut Plane, changes: &mut Vec<Changes>, observer: &dyn Observer) -> Result<()> {
        let mut dirt = Dirt::everywhere(plane);
        for sweep in 1.. {
            if observer.interrupted() {
                return Err(Error::Interrupted);
            }
            let order = outside_in(self.plan.blocks.len());
            let changed_lines = order.map(|own| self.visit(plane, &mut dirt, own, changes)).sum();
            observer.notice(Event::Swept { seeds: plane.seeds(), sweep, changed_lines });
            if changed_lines == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Brings block `own` up to date; the number of lines that changed.
    fn visit(&self, plane: &mut Plane, dirt: &mut Dirt, own: usize, changes: &mut Vec<Changes>) -> u64 {
        let stale = dirt.fresh[own] || self.plan.children(own).any(|block| dirt.blocks[block]);
        if !stale {
            dirt.clear(own);
            return 0;
        }
        let size = BlockSize::of(&self.plan.blocks[own]);
        changes.resize_with(changes.len().max(size.tasks()), Changes::default);
        let changes = &mut changes[..size.tasks()];
        changes.par_iter_mut().enumerate().for_each_init(Desk::default, |desk, (task, changes)| {
            changes.clear();
            let span = self.span(plane, dirt, own, task / size.tasks_per_span);
            size.tiles(task).for_each(|tile| self.tile(&span, tile, desk, changes));
        });
        dirt.clear(own);
        mark(&mut dirt.rows[own], rows(own), changes);
        self.put(plane, own, changes);
        dirt.fresh[own] = false;
        let lines = changes.iter().map(Changes::count).sum();
        dirt.blocks[own] = lines > 0;
        lines
    }

    /// Writes changed lines, given by task, into block `own`.
    fn put(&self, plane: &mut Plane, own: usize, changes: &[Changes]) {
        let shape = plane.blocks().shape(own);
        let mut rest = plane.blocks_mut().block_mut(own);
        let size = BlockSize::of(&self.plan.blocks[own]);
        let mut parts = Vec::with_capacity(changes.len());
        for panel in 0..shape.panels() {
            for (span, first_row, count) in self.span_rows(own) {
                let (part, behind) = rest.split_at_mut(count * shape.width(panel));
                rest = behind;
                parts.push((part, first_row, shape.width(panel), &changes[span * size.tasks_per_span + panel]));
            }
        }
        parts.into_par_iter().for_each(|(scores, first_row, width, changes)| {
            // Rows of narrow blocks are shorter than a line.
            let length = width.min(LINE);
            for (row, column, line) in changes.iter() {
                scores[(row - first_row) * width + column % PANEL..][..length].copy_from_slice(&line[..length]);
            }
        });
    }

    /// The rows of block `own` that each span computes, as (span, first row, number of rows).
    fn span_rows(&self, own: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        let mut first_row = 0;
        self.plan.blocks[own].lane_rows.chunks(SPAN).enumerate().map(move |(span, lane_rows)| {
            let count = lane_rows.iter().filter(|&&row| row != OUTSIDE).count();
            first_row += count;
            (span, first_row - count, count)
        })
    }

    /// Computes 64 rows of the mover and notes what changed.
    fn tile(&self, span: &Span, tile: usize, desk: &mut Desk, changes: &mut Changes) {
        let first = tile * LINE;
        let lines = self.kernel.pull(span, first, desk);
        for line in 0..span.lines() {
            let computed = lines.iter().rev().fold(0, |rows, lines| rows << 1 | u64::from(lines >> line & 1));
            if computed != 0 {
                self.kernel.settle(span, first, line, computed, desk, changes);
            }
        }
    }

    /// Everything about one span of lanes in block `own`.
    fn span<'s>(&'s self, plane: &'s Plane, dirt: &'s Dirt, own: usize, span: usize) -> Span<'s> {
        let (plan, blocks) = (&self.plan.blocks[own], plane.blocks());
        let path = |(block, gather): (usize, &'s Gather)| {
            Path::new(&dirt.rows[block], blocks.from_block(block), blocks.shape(block), gather, span)
        };
        let lanes = span * SPAN..plan.lane_rows.len().min((span + 1) * SPAN);
        let captures = self.captures.blocks();
        Span {
            plan,
            paths: self.plan.children(own).zip(plan.gathers()).map(path).collect(),
            captures: &captures.from_block(own)[captures.shape(own).panel_start(span)..],
            captures_width: captures.shape(own).width(span),
            scores: blocks.from_block(own),
            shape: blocks.shape(own),
            lane_rows: &plan.lane_rows[lanes],
            fresh: dirt.fresh[own],
        }
    }
}

/// Sets the dirt bits of all changed lines of a block with rows of `columns`.
fn mark(dirt: &mut [u64], columns: usize, changes: &[Changes]) {
    for (row, column, _) in changes.iter().flat_map(Changes::iter) {
        dirt[row] |= 1 << dirt_bit(columns, column);
    }
}

/// 0, n, 1, n − 1, ...: blocks k and n − k feed each other, and this order needs the fewest sweeps.
fn outside_in(blocks: usize) -> impl Iterator<Item = usize> {
    (0..blocks).map(move |i| if i % 2 == 0 { i / 2 } else { blocks - 1 - i / 2 })
}

/// How a block is cut into tasks: spans of lanes × some tiles of the mover's rows.
struct BlockSize {
    spans: usize,
    tiles: usize,
    tasks_per_span: usize,
}

impl BlockSize {
    fn of(plan: &BlockPlan) -> BlockSize {
        let (spans, tiles) = (plan.lane_rows.len().div_ceil(SPAN), plan.rows().div_ceil(LINE));
        BlockSize { spans, tiles, tasks_per_span: tiles.div_ceil(TILES_PER_TASK) }
    }

    fn tasks(&self) -> usize {
        self.spans * self.tasks_per_span
    }

    fn tiles(&self, task: usize) -> std::ops::Range<usize> {
        let first = task % self.tasks_per_span * TILES_PER_TASK;
        first..self.tiles.min(first + TILES_PER_TASK)
    }
}
