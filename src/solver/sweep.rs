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
use crate::solver::plan::{BlockPlan, LayerPlan, SPAN, dirt_bit};
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

/// Lines of a block that changed, found by one task.
#[derive(Default)]
struct Changes {
    /// Row and first column.
    places: Vec<(u32, u32)>,
    lines: Vec<[i8; LINE]>,
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
        for sweep in 1.. {
            if observer.interrupted() {
                return Err(Error::Interrupted);
            }
            let changed_lines = (0..self.plan.blocks.len()).map(|own| self.visit(plane, &mut dirt, own)).sum();
            observer.notice(Event::Swept { seeds: plane.seeds(), sweep, changed_lines });
            if changed_lines == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Brings block `own` up to date; the number of lines that changed.
    fn visit(&self, plane: &mut Plane, dirt: &mut Dirt, own: usize) -> u64 {
        let changes = if self.is_stale(dirt, own) { self.changes(plane, dirt, own) } else { Vec::new() };
        if dirt.blocks[own] {
            dirt.rows[own].fill(0);
        }
        let (columns, stride, marks) = (rows(own), plane.blocks().stride(own), &mut dirt.rows[own]);
        let scores = plane.blocks_mut().block_mut(own);
        for change in &changes {
            for (&(row, column), line) in change.places.iter().zip(&change.lines) {
                marks[row as usize] |= 1 << dirt_bit(columns, column as usize);
                scores[row as usize * stride + column as usize..][..LINE].copy_from_slice(line);
            }
        }
        let lines = changes.iter().map(|change| change.lines.len() as u64).sum();
        dirt.blocks[own] = lines > 0;
        dirt.fresh[own] = false;
        lines
    }

    /// Whether block `own` may have to change.
    fn is_stale(&self, dirt: &Dirt, own: usize) -> bool {
        let opponent = self.plan.opponent(own);
        dirt.fresh[own] || self.plan.blocks[own].crossings().any(|crossed| dirt.blocks[opponent + crossed])
    }

    fn changes(&self, plane: &Plane, dirt: &Dirt, own: usize) -> Vec<Changes> {
        let spans = rows(self.plan.opponent(own)).div_ceil(SPAN);
        let tiles = rows(own).div_ceil(LINE);
        let tasks = tiles.div_ceil(TILES_PER_TASK);
        let change = |task: usize| {
            let first = task % tasks * TILES_PER_TASK;
            let mut visit = SpanVisit::new(self, plane, dirt, own, task / tasks);
            (first..tiles.min(first + TILES_PER_TASK)).for_each(|tile| visit.tile(tile));
            visit.changes
        };
        (0..spans * tasks).into_par_iter().map(change).collect()
    }
}

/// One span of lanes in one block.
struct SpanVisit<'a> {
    kernel: Kernel,
    plan: &'a BlockPlan<'a>,
    captures: &'a CapturePlane,
    plane: &'a Plane,
    dirt: &'a Dirt,
    own: usize,
    opponent: usize,
    span: usize,
    lines: usize,
    /// The children of the row last looked up.
    sources: Vec<Source<'a>>,
    /// The children of the row to compute next.
    waiting: Vec<Source<'a>>,
    strip: Box<Strip>,
    tile: Box<Tile>,
    changes: Changes,
}

impl<'a> SpanVisit<'a> {
    fn new(sweeper: &'a Sweeper, plane: &'a Plane, dirt: &'a Dirt, own: usize, span: usize) -> SpanVisit<'a> {
        let opponent = sweeper.plan.opponent(own);
        let lines = rows(opponent).div_ceil(LINE) - span * LINES;
        SpanVisit {
            kernel: sweeper.kernel,
            plan: &sweeper.plan.blocks[own],
            captures: sweeper.captures,
            plane,
            dirt,
            own,
            opponent,
            span,
            lines: lines.min(LINES),
            sources: Vec::with_capacity(HOUSES),
            waiting: Vec::with_capacity(HOUSES),
            strip: Box::new(Strip([[0; SPAN]; LINE])),
            tile: Box::new(Tile([[0; LINE]; LINE])),
            changes: Changes::default(),
        }
    }

    /// Computes 64 rows of the mover and notes what changed.
    fn tile(&mut self, tile: usize) {
        let first = tile * LINE;
        let mut computed = 0u64;
        let mut waiting: Option<usize> = None;
        for row in first..rows(self.own).min(first + LINE) {
            if !self.look_up(row) {
                continue;
            }
            computed |= 1 << (row - first);
            // Children's rows lie all over memory: each is asked for while another is computed.
            self.kernel.fetch(&self.sources, self.span * LINES, self.lines);
            if let Some(before) = waiting.replace(row) {
                self.pull(before, before - first);
            }
            std::mem::swap(&mut self.sources, &mut self.waiting);
        }
        if let Some(last) = waiting {
            self.pull(last, last - first);
            (0..self.lines).for_each(|line| self.note(line, first, computed));
        }
    }

    /// Finds the children of one row of the mover; whether any may have changed.
    fn look_up(&mut self, row: usize) -> bool {
        let mut dirty = self.dirt.fresh[self.own];
        self.sources.clear();
        for (found, transit) in self.plan.moves(row) {
            let (block, child) = (self.opponent + transit.crossed, found.row as usize);
            dirty |= self.dirt.rows[block][child] & transit.gather.span_dirt[self.span] != 0;
            self.sources.push(Source { row: self.plane.blocks().from_row(block, child), gather: &transit.gather });
        }
        dirty
    }

    /// Computes the row that waits into the strip.
    fn pull(&mut self, row: usize, place: usize) {
        let captures = &self.captures.row(self.own, row)[self.span * SPAN..];
        self.kernel.pull(captures, &self.waiting, self.span * LINES, self.lines, &mut self.strip.0[place]);
    }

    /// Puts line `line` of the strip beside the old scores and notes what differs. Only the rows of
    /// the mover in `computed` count.
    fn note(&mut self, line: usize, first: usize, computed: u64) {
        let (scores, stride) = (self.plane.blocks().from_row(self.own, 0), self.plane.blocks().stride(self.own));
        let lanes = &self.plan.lane_rows[self.span * SPAN + line * LINE..];
        let lane_rows = &lanes[..lanes.len().min(LINE)];
        let old = Old { scores: &scores[first..], stride, lane_rows };
        let mut changed = self.kernel.settle(&self.strip, line, computed, &old, &mut self.tile);
        while changed != 0 {
            let lane = changed.trailing_zeros() as usize;
            self.changes.places.push((lane_rows[lane], first as u32));
            self.changes.lines.push(self.tile.0[lane]);
            changed &= changed - 1;
        }
    }
}
