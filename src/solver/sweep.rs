//! Quiet moves: planes of a layer are swept, row against row, until nothing changes.
//!
//! A [`Pass`] says what a sweep does: replace the scores of one plane by
//! `max(best capture, max over quiet moves of −child)`, the children read in another plane or the
//! same one, and keep the result within [limits](Keep). Passes are made block after block; a
//! solver composes its fixpoint of them.
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
use crate::game::board::Seeds;
use crate::layer::index::rows;
use crate::layer::plane::{LINE, PANEL, Plane};
use crate::layer::strategy::{Holds, turn};
use crate::solver::captures::CapturePlane;
use crate::solver::observer::{Checkpoint, Event, Observer};
use crate::solver::plan::{BlockPlan, Gather, LayerPlan, OUTSIDE, SPAN, dirt_bit};
use crate::solver::rows::{Changes, Constants, Desk, Kernel, Limits, Path, Span};

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

    fn clear(&mut self, block: usize) {
        if std::mem::take(&mut self.blocks[block]) {
            self.rows[block].fill(0);
        }
    }
}

/// A plane with what changed in it lately.
pub struct Swept {
    /// The scores.
    pub plane: Plane,
    /// The sweep in which each score last changed, if anyone wants to know.
    pub stamps: Option<Plane>,
    dirt: Dirt,
}

impl Swept {
    /// A plane that nobody has looked at.
    pub fn new(plane: Plane) -> Swept {
        Swept::stamped(plane, None)
    }

    /// The same, with the stamps its scores have so far.
    pub fn stamped(plane: Plane, stamps: Option<Plane>) -> Swept {
        let dirt = Dirt::everywhere(&plane);
        Swept { plane, stamps, dirt }
    }

    /// A plane that no pass follows or writes; it serves as a limit.
    pub fn still(plane: Plane) -> Swept {
        Swept {
            plane,
            stamps: None,
            dirt: Dirt { rows: Vec::new(), blocks: Vec::new(), fresh: Vec::new() },
        }
    }
}

/// One kind of step of a fixpoint. Planes are named by their number.
pub struct Pass<'a> {
    /// Where the children's scores are read; nowhere if captures are all that counts.
    pub source: Option<usize>,
    /// Which plane is written.
    pub target: usize,
    /// What captures are worth, if they count.
    pub captures: Option<&'a CapturePlane>,
    /// What becomes of the computed scores.
    pub keep: Keep,
}

/// What becomes of a computed score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// It replaces the old one.
    Always,
    /// It replaces the old one if it is higher.
    Higher,
    /// It replaces the old one if it is lower.
    Lower,
    /// It replaces the old one if it is lower, but is at most what the rows are worth to the mover,
    /// and at least what stands in another plane.
    CoreAbove(usize),
    /// The mirror image: higher, at least the worth of the rows, at most what stands in the plane.
    CoreBelow(usize),
}

/// What passes need besides the planes.
pub struct Sweeper<'a> {
    /// What moves do to rows.
    pub plan: &'a LayerPlan<'a>,
    /// How rows are computed.
    pub kernel: Kernel,
    /// Whom to tell.
    pub observer: &'a dyn Observer,
    /// Kept from layer to layer only for its memory.
    pub changes: &'a mut Vec<Changes>,
    /// The stamp of the next sweep.
    pub clock: u8,
    /// Sweeps of this layer so far.
    pub sweep: usize,
}

impl<'a> Sweeper<'a> {
    /// One that has done nothing yet.
    pub fn new(
        plan: &'a LayerPlan<'a>,
        kernel: Kernel,
        observer: &'a dyn Observer,
        changes: &'a mut Vec<Changes>,
    ) -> Sweeper<'a> {
        Sweeper { plan, kernel, observer, changes, clock: 1, sweep: 0 }
    }

    /// What the observer has kept of this layer. The sweeper goes on counting where it was then.
    pub fn resume(&mut self) -> Option<Checkpoint<Plane>> {
        let checkpoint = self.observer.resume(self.plan.layer.seeds())?;
        assert_eq!(checkpoint.low.layer(), self.plan.layer, "a checkpoint of this layer");
        (self.clock, self.sweep) = (checkpoint.clock, checkpoint.sweep);
        Some(checkpoint)
    }

    /// Makes the passes over all blocks again and again until nothing changes.
    pub fn settle(&mut self, planes: &mut [Swept], passes: &[Pass]) -> Result<()> {
        self.settle_showing(planes, passes, None)
    }

    /// The same where the first plane holds lower bounds, and a second one upper ones. After each
    /// sweep they are offered to the observer with the holds so far.
    ///
    /// Not after the last: it changes nothing but the clock, and whoever goes on from the one before
    /// repeats just that.
    pub fn settle_offering(
        &mut self,
        planes: &mut [Swept],
        passes: &[Pass],
        holds: Holds,
    ) -> Result<()> {
        self.settle_showing(planes, passes, Some(holds))
    }

    fn settle_showing(
        &mut self,
        planes: &mut [Swept],
        passes: &[Pass],
        offered: Option<Holds>,
    ) -> Result<()> {
        // On a thread of the pool: visits are short, and to be woken from outside takes long.
        rayon::scope(|_| self.settle_here(planes, passes, offered))
    }

    /// Raises scores to what captures are worth.
    pub fn raise(&mut self, plane: Plane, captures: &CapturePlane) -> Result<Plane> {
        let mut planes = [Swept::new(plane)];
        let pass = Pass { source: None, target: 0, captures: Some(captures), keep: Keep::Higher };
        self.settle(&mut planes, &[pass])?;
        let [Swept { plane, .. }] = planes;
        Ok(plane)
    }

    /// The stamp of this moment; the next one is later. Very late ones prove nothing.
    pub fn next_stamp(&mut self) -> u8 {
        let stamp = self.clock;
        self.clock = stamp.saturating_add(1);
        stamp
    }

    fn settle_here(
        &mut self,
        planes: &mut [Swept],
        passes: &[Pass],
        offered: Option<Holds>,
    ) -> Result<()> {
        loop {
            if self.observer.interrupted() {
                return Err(Error::Interrupted);
            }
            let mut changed_lines = 0;
            for own in in_turn(self.plan.layer.seeds()) {
                changed_lines +=
                    passes.iter().map(|pass| self.visit(planes, pass, own)).sum::<u64>();
            }
            if planes.iter().any(|swept| swept.stamps.is_some()) {
                self.next_stamp();
            }
            self.sweep += 1;
            let (seeds, sweep) = (self.plan.layer.seeds(), self.sweep);
            self.observer.notice(Event::Swept { seeds, sweep, changed_lines });
            if changed_lines == 0 {
                return Ok(());
            }
            if let Some(holds) = offered {
                self.observer.offer(&self.checkpoint(planes, holds));
            }
        }
    }

    fn checkpoint<'p>(&self, planes: &'p [Swept], holds: Holds) -> Checkpoint<&'p Plane> {
        Checkpoint {
            low: &planes[0].plane,
            high: planes.get(1).map(|swept| &swept.plane),
            stamps: planes.iter().find_map(|swept| swept.stamps.as_ref()),
            holds,
            clock: self.clock,
            sweep: self.sweep,
        }
    }

    /// Brings block `own` of the target up to date; the number of lines that changed.
    fn visit(&mut self, planes: &mut [Swept], pass: &Pass, own: usize) -> u64 {
        let moved =
            |source: usize| self.plan.children(own).any(|block| planes[source].dirt.blocks[block]);
        let stale = planes[pass.target].dirt.fresh[own] || pass.source.is_some_and(moved);
        if !stale {
            planes[pass.target].dirt.clear(own);
            return 0;
        }
        let size = BlockSize::of(&self.plan.blocks[own]);
        self.changes.resize_with(self.changes.len().max(size.tasks()), Changes::default);
        let mut changes = std::mem::take(self.changes);
        let found = &mut changes[..size.tasks()];
        let compute = |desk: &mut Desk, (task, changes): (usize, &mut Changes)| {
            changes.clear();
            let span = self.span(planes, pass, own, task / size.tasks_per_span);
            size.tiles(task).for_each(|tile| self.tile(&span, tile, desk, changes));
        };
        match size.tasks() {
            1 => compute(&mut Desk::default(), (0, &mut found[0])),
            _ => found.par_iter_mut().enumerate().for_each_init(Desk::default, compute),
        }
        let dirt = &mut planes[pass.target].dirt;
        dirt.clear(own);
        mark(&mut dirt.rows[own], rows(own), found);
        let lines = found.iter().map(Changes::count).sum();
        (dirt.fresh[own], dirt.blocks[own]) = (false, lines > 0);
        self.put(&mut planes[pass.target], own, &size, found);
        *self.changes = changes;
        lines
    }

    /// Writes changed lines, given by task, into block `own`, and stamps what is different.
    fn put(&self, swept: &mut Swept, own: usize, size: &BlockSize, changes: &[Changes]) {
        let (stamp, width) =
            (self.clock as i8, |panel| swept.plane.blocks().shape(own).width(panel));
        let widths: Vec<usize> = (0..swept.plane.blocks().shape(own).panels()).map(width).collect();
        let stamps = swept.stamps.as_mut().map(|stamps| self.parts(stamps, own));
        let stamps = stamps.into_iter().flatten().map(Some).chain(std::iter::repeat_with(|| None));
        let parts: Vec<_> = self.parts(&mut swept.plane, own).into_iter().zip(stamps).collect();
        parts.into_par_iter().for_each(|(part, stamps)| {
            let Part { panel, span, first_row, bytes } = part;
            let mut stamps = stamps.map(|part| part.bytes);
            // Rows of narrow blocks are shorter than a line.
            let length = widths[panel].min(LINE);
            for (row, column, line) in changes[span * size.tasks_per_span + panel].iter() {
                let at = (row - first_row) * widths[panel] + column % PANEL;
                let scores = &mut bytes[at..at + length];
                if let Some(stamps) = &mut stamps {
                    stamp_changes(&mut stamps[at..at + length], scores, line, stamp);
                }
                scores.copy_from_slice(&line[..length]);
            }
        });
    }

    /// Block `own` of a plane, cut into what the lanes of one span have in one panel.
    fn parts<'p>(&self, plane: &'p mut Plane, own: usize) -> Vec<Part<'p>> {
        let shape = plane.blocks().shape(own);
        let mut rest = plane.blocks_mut().block_mut(own);
        let mut parts = Vec::new();
        for panel in 0..shape.panels() {
            for (span, first_row, count) in self.span_rows(own) {
                let (bytes, behind) = rest.split_at_mut(count * shape.width(panel));
                rest = behind;
                parts.push(Part { panel, span, first_row, bytes });
            }
        }
        parts
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
            let computed =
                lines.iter().rev().fold(0, |rows, lines| rows << 1 | u64::from(lines >> line & 1));
            if computed != 0 {
                self.kernel.settle(span, first, line, computed, desk, changes);
            }
        }
    }

    /// Everything about one span of lanes in block `own`.
    fn span<'s>(
        &'s self,
        planes: &'s [Swept],
        pass: &'s Pass,
        own: usize,
        span: usize,
    ) -> Span<'s> {
        let plan = &self.plan.blocks[own];
        let target = &planes[pass.target];
        let constants = |captures: &'s CapturePlane| {
            let (blocks, shape) = (captures.blocks(), captures.blocks().shape(own));
            Constants {
                bytes: &blocks.from_block(own)[shape.panel_start(span)..],
                width: shape.width(span),
            }
        };
        let lanes = span * SPAN..plan.lane_rows.len().min((span + 1) * SPAN);
        Span {
            plan,
            paths: pass
                .source
                .map(|source| self.paths(&planes[source], own, span))
                .unwrap_or_default(),
            captures: pass.captures.map(constants),
            scores: target.plane.blocks().from_block(own),
            shape: target.plane.blocks().shape(own),
            lane_rows: &plan.lane_rows[lanes],
            fresh: target.dirt.fresh[own],
            limits: self.limits(planes, pass.keep, own),
        }
    }

    /// Where the children of one span of lanes in block `own` are, by passage.
    fn paths<'s>(&'s self, source: &'s Swept, own: usize, span: usize) -> Vec<Path<'s>> {
        let Swept { plane, dirt, .. } = source;
        let path = |(block, gather): (usize, &'s Gather)| {
            Path::new(
                &dirt.rows[block],
                plane.blocks().from_block(block),
                plane.blocks().shape(block),
                gather,
                span,
            )
        };
        self.plan.children(own).zip(self.plan.blocks[own].gathers()).map(path).collect()
    }

    fn limits<'s>(&self, planes: &'s [Swept], keep: Keep, own: usize) -> Limits<'s> {
        let worth = own_rows(own, self.plan.opponent(own));
        let block = |plane: usize| planes[plane].plane.blocks().from_block(own);
        match keep {
            Keep::Always => Limits::Free,
            Keep::Higher => Limits::Rise,
            Keep::Lower => Limits::Fall,
            Keep::CoreAbove(plane) => {
                Limits::Core { most: worth.unwrap_or(i8::MAX), floor: block(plane) }
            }
            Keep::CoreBelow(plane) => {
                Limits::MirroredCore { least: worth.unwrap_or(i8::MIN), ceiling: block(plane) }
            }
        }
    }
}

/// What the rows are worth to the mover if each keeps the own; nothing where one is empty, for
/// such positions do not count when a cycle is cut.
fn own_rows(own: usize, opponent: usize) -> Option<i8> {
    (own > 0 && opponent > 0).then(|| own as i8 - opponent as i8)
}

/// Sets the dirt bits of all changed lines of a block with rows of `columns`.
fn mark(dirt: &mut [u64], columns: usize, changes: &[Changes]) {
    for (row, column, _) in changes.iter().flat_map(Changes::iter) {
        dirt[row] |= 1 << dirt_bit(columns, column);
    }
}

/// The blocks of a layer in the order of their turns.
fn in_turn(seeds: Seeds) -> Vec<usize> {
    let mut blocks: Vec<usize> = (0..=seeds.get()).collect();
    blocks.sort_by_key(|&own| turn(seeds, own));
    blocks
}

/// What the lanes of one span have in one panel of a block.
struct Part<'p> {
    panel: usize,
    span: usize,
    first_row: usize,
    bytes: &'p mut [i8],
}

/// Stamps the scores that are about to become those of `line`, where they differ.
fn stamp_changes(stamps: &mut [i8], scores: &[i8], line: &[i8; LINE], stamp: i8) {
    let each = |stamps: &mut [i8], scores: &[i8]| {
        for ((stamped, old), new) in stamps.iter_mut().zip(scores).zip(line) {
            *stamped = if old == new { *stamped } else { stamp };
        }
    };
    // Of a known length it becomes vector instructions.
    match (<&mut [i8; LINE]>::try_from(&mut *stamps), <&[i8; LINE]>::try_from(scores)) {
        (Ok(stamps), Ok(scores)) => each(stamps, scores),
        _ => each(stamps, scores),
    }
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
