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

use crate::board::HOUSES;
use crate::error::{Error, Result};
use crate::index::rows;
use crate::solver::captures::CapturePlane;
use crate::solver::plan::{BlockPlan, Gather, LayerPlan, OUTSIDE, SPAN, dirt_bit};
use crate::solver::plane::{LINE, Plane};
use crate::solver::ports::{Event, Observer};
use crate::solver::rows::{Kernel, Old, Source, Strip, Tile};

/// Tiles of 64 rows that one task computes.
const TILES_PER_TASK: usize = 8;

/// Lines of a span.
const LINES: usize = SPAN / LINE;

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

/// Lines of a block that changed, found by one task.
#[derive(Default)]
struct Changes {
    /// Row and first column.
    places: Vec<(u32, u32)>,
    lines: Vec<[i8; LINE]>,
}

impl Changes {
    fn clear(&mut self) {
        self.places.clear();
        self.lines.clear();
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
    pub fn settle(&self, plane: &mut Plane, observer: &dyn Observer) -> Result<()> {
        let mut dirt = Dirt::everywhere(plane);
        let mut changes = Vec::new();
        for sweep in 1.. {
            if observer.interrupted() {
                return Err(Error::Interrupted);
            }
            let order = outside_in(self.plan.blocks.len());
            let changed_lines = order.map(|own| self.visit(plane, &mut dirt, own, &mut changes)).sum();
            observer.notice(Event::Swept { seeds: plane.seeds(), sweep, changed_lines });
            if changed_lines == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Brings block `own` up to date; the number of lines that changed. `changes` is kept from
    /// visit to visit only for its memory.
    fn visit(&self, plane: &mut Plane, dirt: &mut Dirt, own: usize, changes: &mut Vec<Changes>) -> u64 {
        let stale = dirt.fresh[own] || self.plan.children(own).any(|block| dirt.blocks[block]);
        if !stale {
            dirt.clear(own);
            return 0;
        }
        let size = BlockSize::of(&self.plan.blocks[own]);
        changes.resize_with(changes.len().max(size.tasks()), Changes::default);
        let changes = &mut changes[..size.tasks()];
        changes.par_iter_mut().enumerate().for_each_init(Desk::new, |desk, (task, changes)| {
            changes.clear();
            let mut visit = Visit::new(self, plane, dirt, own, task / size.tasks_per_span, desk, changes);
            size.tiles(task).for_each(|tile| visit.tile(tile));
        });
        dirt.clear(own);
        self.put(plane, dirt, own, changes.chunks(size.tasks_per_span));
        dirt.fresh[own] = false;
        let lines = changes.iter().map(|change| change.lines.len() as u64).sum();
        dirt.blocks[own] = lines > 0;
        lines
    }

    /// Writes changed lines, given by span, into block `own` and marks its rows.
    fn put<'c>(&self, plane: &mut Plane, dirt: &mut Dirt, own: usize, changes: impl Iterator<Item = &'c [Changes]>) {
        let (columns, stride) = (rows(own), plane.blocks().stride(own));
        let mut scores = plane.blocks_mut().block_mut(own);
        let mut marks = &mut dirt.rows[own][..];
        let mut spans = Vec::new();
        let mut first_row = 0;
        for (lane_rows, changes) in self.plan.blocks[own].lane_rows.chunks(SPAN).zip(changes) {
            let count = lane_rows.iter().filter(|&&row| row != OUTSIDE).count();
            let (span_scores, span_marks);
            (span_scores, scores) = scores.split_at_mut(count * stride);
            (span_marks, marks) = marks.split_at_mut(count);
            spans.push((first_row, span_scores, span_marks, changes));
            first_row += count;
        }
        spans.into_par_iter().for_each(|(first_row, scores, marks, changes)| {
            for (&(row, column), line) in changes.iter().flat_map(|change| change.places.iter().zip(&change.lines)) {
                let row = row as usize - first_row;
                marks[row] |= 1 << dirt_bit(columns, column as usize);
                scores[row * stride + column as usize..][..LINE].copy_from_slice(line);
            }
        });
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

/// What a thread works on.
struct Desk {
    strip: Strip,
    tile: Tile,
}

impl Desk {
    fn new() -> Box<Desk> {
        Box::new(Desk { strip: Strip([[0; SPAN]; LINE]), tile: Tile([[0; LINE]; LINE]) })
    }
}

/// One passage within one span: where its children are.
struct Path<'a> {
    /// The dirt words of the child's block.
    dirt: &'a [u64],
    /// What of them each line of the span reads.
    line_dirt: &'a [u64; LINES],
    /// The child's block and all behind it.
    scores: &'a [i8],
    stride: usize,
    gather: &'a Gather,
}

/// A row of the mover that waits to be computed.
struct Waiting<'a> {
    row: usize,
    sources: Vec<Source<'a>>,
}

/// One span of lanes in one block.
struct Visit<'a> {
    kernel: Kernel,
    plan: &'a BlockPlan<'a>,
    captures: &'a CapturePlane,
    plane: &'a Plane,
    own: usize,
    span: usize,
    lines: usize,
    fresh: bool,
    /// By passage.
    paths: Vec<Path<'a>>,
    desk: &'a mut Desk,
    changes: &'a mut Changes,
}

impl<'a> Visit<'a> {
    fn new(
        sweeper: &'a Sweeper,
        plane: &'a Plane,
        dirt: &'a Dirt,
        own: usize,
        span: usize,
        desk: &'a mut Desk,
        changes: &'a mut Changes,
    ) -> Visit<'a> {
        let plan = &sweeper.plan.blocks[own];
        let path = |(block, gather): (usize, &'a Gather)| Path {
            dirt: &dirt.rows[block],
            line_dirt: gather.line_dirt[span * LINES..].first_chunk().expect("whole spans"),
            scores: plane.blocks().from_row(block, 0),
            stride: plane.blocks().stride(block),
            gather,
        };
        Visit {
            kernel: sweeper.kernel,
            plan,
            captures: sweeper.captures,
            plane,
            own,
            span,
            lines: (plan.lane_rows.len().div_ceil(LINE) - span * LINES).min(LINES),
            fresh: dirt.fresh[own],
            paths: sweeper.plan.children(own).zip(plan.gathers()).map(path).collect(),
            desk,
            changes,
        }
    }

    /// Computes 64 rows of the mover and notes what changed.
    fn tile(&mut self, tile: usize) {
        let first = tile * LINE;
        let mut computed = [0u64; LINES];
        let mut found = Waiting { row: 0, sources: Vec::with_capacity(HOUSES) };
        let mut waiting = Waiting { row: usize::MAX, sources: Vec::with_capacity(HOUSES) };
        for row in first..self.plan.rows().min(first + LINE) {
            let dirty = self.look_up(row, &mut found);
            if dirty == [0; LINES] {
                continue;
            }
            for (computed, dirty) in computed.iter_mut().zip(dirty) {
                *computed |= u64::from(dirty != 0) << (row - first);
            }
            // Children's rows lie all over memory: each is asked for while another is computed.
            self.kernel.fetch(&found.sources, self.span * LINES, self.lines);
            self.pull(&waiting, first);
            std::mem::swap(&mut found, &mut waiting);
        }
        self.pull(&waiting, first);
        for (line, computed) in computed.into_iter().enumerate().filter(|(_, computed)| *computed != 0) {
            self.note(line, first, computed);
        }
    }

    /// Finds the children of one row of the mover; for each line, what of them has changed.
    fn look_up(&self, row: usize, found: &mut Waiting<'a>) -> [u64; LINES] {
        let mut dirty = [0u64; LINES];
        if self.fresh {
            dirty[..self.lines].fill(1);
        }
        found.row = row;
        found.sources.clear();
        for sown in self.plan.moves(row) {
            let path = &self.paths[sown.passage as usize];
            let dirt = path.dirt[sown.row as usize];
            dirty.iter_mut().zip(path.line_dirt).for_each(|(dirty, line)| *dirty |= dirt & line);
            found.sources.push(Source { row: &path.scores[sown.row as usize * path.stride..], gather: path.gather });
        }
        dirty
    }

    /// Computes a row that waited into the strip.
    fn pull(&mut self, waiting: &Waiting, first: usize) {
        if waiting.row == usize::MAX {
            return;
        }
        let captures = &self.captures.row(self.own, waiting.row)[self.span * SPAN..];
        let out = &mut self.desk.strip.0[waiting.row - first];
        self.kernel.pull(captures, &waiting.sources, self.span * LINES, self.lines, out);
    }

    /// Puts line `line` of the strip beside the old scores and notes what differs. Only the rows of
    /// the mover in `computed` count.
    fn note(&mut self, line: usize, first: usize, computed: u64) {
        let (scores, stride) = (self.plane.blocks().from_row(self.own, 0), self.plane.blocks().stride(self.own));
        let lanes = &self.plan.lane_rows[self.span * SPAN + line * LINE..];
        let lane_rows = &lanes[..lanes.len().min(LINE)];
        let old = Old { scores: &scores[first..], stride, lane_rows };
        let Desk { strip, tile } = &mut *self.desk;
        let mut changed = self.kernel.settle(strip, line, computed, &old, tile);
        while changed != 0 {
            let lane = changed.trailing_zeros() as usize;
            self.changes.places.push((lane_rows[lane], first as u32));
            self.changes.lines.push(tile.0[lane]);
            changed &= changed - 1;
        }
    }
}
