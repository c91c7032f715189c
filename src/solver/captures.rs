//! The best score that each position reaches by capturing.
//!
//! A capture leaves the layer, so its worth is a constant while the layer is swept. It is entered
//! here once, one lower layer after the other, so that no two of them need be in memory together
//! ([`crate::solver::lower`]).
//! A capture that takes fixed twos and threes from fixed houses adds a constant to the opponent's
//! row, as a quiet move does: so captures come in windows, too, and are entered 64 at a time.
//!
//! The constants are kept *negated*, as [`crate::solver::kernel`] wants them, and laid out the
//! other way round than a plane: rows are the mover's, columns the opponent's, so that a tile of 64
//! rows of the mover is one stretch of memory. Columns are the rows of the plane's block alone, at 30
//! seeds 13 % fewer than there are lanes; a sweep wants all lanes, and has the lines
//! [spread](Kernel::spread).
//!
//! Of several processes each has *areas* of these blocks: rectangles of what it computes.

use std::borrow::Borrow;
use std::ops::Range;

use arrayvec::ArrayVec;

use crate::error::Result;
use crate::game::moves::Move;
use crate::game::score_range::ScoreRange;
use crate::layer::arena::Arena;
use crate::layer::blocks::{BlockBytes, Blocks, Rectangle};
use crate::layer::index::{Cell, Layer};
use crate::layer::line::{LINE, Line};
use crate::layer::packing::Packing;
use crate::layer::plane::Plane;
use crate::layer::residence::Course;
use crate::layer::solved::Marks;
use crate::parallel;
use crate::solver::capture_area::{CaptureArea, captures_against_empty_row, enforce_now_and_then};
use crate::solver::catching::child;
use crate::solver::kernel::{
    Equal, Kernel, LineTile, NONE, PassageChildren, Picks, Pull, Spread, Window,
};
use crate::solver::plan::{LayerPlan, OUTSIDE};
use crate::timeline;

/// What captures (and finished games) are worth in some blocks of one layer, negated.
pub struct CapturePlane {
    seeds: usize,
    /// The areas; all others are empty. Up to the number of seeds an area is of the block with as many,
    /// and one more is another one of block n/2.
    held: Range<usize>,
    kernel: Kernel,
    /// What they are clamped to.
    range: ScoreRange,
    blocks: Blocks,
    /// Row of the mover and move: the captures where the opponent has no seeds.
    against_empty_row: Vec<(usize, Move)>,
}

/// Lines of a block of which is known what captures are worth to them.
pub struct KnownLines {
    /// The area in which that is known.
    pub area: usize,
    /// The block.
    pub own: usize,
    /// Tiles of the mover's rows: panels of the block.
    pub panels: Range<usize>,
    /// Lines of lanes.
    pub lanes: Range<usize>,
}

impl KnownLines {
    /// All of a block.
    fn all(plan: &LayerPlan, own: usize) -> KnownLines {
        let block = &plan.blocks[own];
        let [panels, lanes] =
            [block.half.rows(), block.lane_rows.len()].map(|all| all.div_ceil(LINE));
        KnownLines { area: own, own, panels: 0..panels, lanes: 0..lanes }
    }
}

/// The shape of each block: that of the layer's, turned round.
fn shapes(layer: Layer) -> impl Iterator<Item = (usize, usize)> {
    (0..=layer.seeds().get()).map(move |own| {
        let (rows, columns) = layer.block_shape(own);
        (columns, rows)
    })
}

impl CapturePlane {
    /// The constants of some blocks that need no lower layer: finished games, and harvests that take
    /// everything because nothing else is legal.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is no memory for it.
    pub fn new(
        plan: &LayerPlan,
        kernel: Kernel,
        arena: &Arena,
        held: Range<usize>,
    ) -> Result<CapturePlane> {
        let packing = Packing::of(plan.layer.range());
        let blocks = Blocks::held_in_arena(arena, shapes(plan.layer), &held, packing, NONE)?;
        Ok(CapturePlane::of_blocks(plan, kernel, blocks, held))
    }

    /// The same of the areas of one of several processes.
    ///
    /// # Errors
    /// As [`CapturePlane::new`].
    pub fn of_areas(
        plan: &LayerPlan,
        kernel: Kernel,
        arena: &Arena,
        areas: impl Iterator<Item = (Rectangle, usize)>,
    ) -> Result<CapturePlane> {
        let packing = Packing::of(plan.layer.range());
        let blocks = Blocks::of_rectangles(arena, areas, packing, NONE)?;
        let held = 0..blocks.count();
        Ok(CapturePlane::of_blocks(plan, kernel, blocks, held))
    }

    fn of_blocks(
        plan: &LayerPlan,
        kernel: Kernel,
        blocks: Blocks,
        held: Range<usize>,
    ) -> CapturePlane {
        let (seeds, range) = (plan.layer.seeds().get(), plan.layer.range());
        let against_empty_row = captures_against_empty_row(plan.rules, seeds);
        let mut plane = CapturePlane { seeds, held, kernel, range, blocks, against_empty_row };
        plane.each_area(|area| area.enter_ends(plan));
        plane
    }

    /// Seeds of the mover in an area.
    fn own(&self, area: usize) -> usize {
        if area > self.seeds { self.seeds / 2 } else { area }
    }

    /// Calls `enter` with all constants, area by area.
    fn each_area(&mut self, mut enter: impl FnMut(&mut CaptureArea)) {
        let (kernel, range, spill) = (self.kernel, self.range, self.blocks.spill());
        let spill = spill.as_ref();
        for area in self.held() {
            let Rectangle { rows, panels } = self.blocks.shape(area).rectangle();
            let (own, panel, lines) = (self.own(area), panels.start, self.blocks.block_mut(area));
            enter(&mut CaptureArea { kernel, own, rows, panel, lines, range, spill });
        }
    }

    /// One with room for all blocks, in memory of an arena, of which nothing has been [taken](
    /// CapturePlane::take) over yet.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is no memory for it.
    pub fn whole_in(&self, plan: &LayerPlan, arena: &Arena) -> Result<CapturePlane> {
        let held = 0..self.seeds + 1;
        let packing = Packing::of(plan.layer.range());
        let blocks = Blocks::in_arena(arena, shapes(plan.layer), packing, 0)?;
        let against_empty_row = self.against_empty_row.clone();
        Ok(CapturePlane { held, blocks, against_empty_row, ..*self })
    }

    /// Takes over the blocks of another one. Their memory is left to the next group, if they are on
    /// disk.
    pub fn take(&mut self, group: &CapturePlane) {
        self.blocks.copy_from(&group.blocks);
        Course::block_by_block(&[&self.blocks], true).leave();
    }

    /// Whether it has all blocks.
    pub fn is_whole(&self) -> bool {
        self.held == (0..self.seeds + 1)
    }

    /// Whether it is where the memory of an arena is: on disk, or not.
    pub fn is_in(&self, arena: &Arena) -> bool {
        self.blocks.spill().is_some() == arena.is_spilled()
    }

    /// Which blocks it has.
    pub fn held(&self) -> Range<usize> {
        self.held.clone()
    }

    /// The constants: a row for each row of the mover, a column for each row of the layer's block.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// Bytes of memory the constants of a layer take.
    pub fn memory(layer: Layer) -> u64 {
        CapturePlane::memory_of(layer, 0..layer.seeds().get() + 1)
    }

    /// Bytes of memory the constants of some blocks take.
    pub fn memory_of(layer: Layer, held: Range<usize>) -> u64 {
        let packing = Packing::of(layer.range());
        Blocks::size(shapes(layer).take(held.end).skip(held.start), packing)
    }

    /// The blocks of the layer with this many seeds less that captures lead into, and those between;
    /// `None` if there are no such captures.
    pub fn reached(&self, plan: &LayerPlan, captured: usize) -> Option<Range<usize>> {
        let mut blocks = Vec::new();
        for own in self.held.start..self.held.end.min(self.seeds) {
            let transits = plan.blocks[own].all_transits();
            let opponent = plan.opponent(own);
            blocks.extend(transits.filter_map(|transit| child(plan, opponent, transit, captured)));
        }
        if self.held.contains(&self.seeds) {
            let found = self.against_empty_row.iter();
            let found = found.filter(|(_, found)| usize::from(found.captured) == captured);
            blocks.extend(found.map(|(_, found)| found.next.mover.seeds()));
        }
        Some(*blocks.iter().min()?..*blocks.iter().max()? + 1)
    }

    /// Enters all captures that lead into some blocks of a solved layer: for the mover they are worth
    /// the seeds captured less what the opponent gets there.
    pub fn enter(&mut self, plan: &LayerPlan, solved: &Plane, held: &Range<usize>) {
        let against_empty_row = std::mem::take(&mut self.against_empty_row);
        self.each_area(|area| area.enter(plan, (solved, held), &against_empty_row));
        self.against_empty_row = against_empty_row;
    }

    /// What captures of a position are worth, negated.
    pub fn score(&self, Cell { own, row, column }: Cell) -> i8 {
        self.blocks.score(own, column, row)
    }

    /// The positions that `plane` says are worth just what they reach by capturing, or in a
    /// finished game what the rows say, in memory of an arena. It must have all blocks.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is no memory for it.
    pub fn attained(&self, plan: &LayerPlan, plane: &Plane, arena: &Arena) -> Result<Marks> {
        marked(self, plan, plane, arena, |_, _| {})
    }

    /// The same, and that is all that is wanted of it: the memory of each block is given back when its
    /// marks have been made.
    ///
    /// # Errors
    /// As [`CapturePlane::attained`].
    pub fn into_attained(self, plan: &LayerPlan, plane: &Plane, arena: &Arena) -> Result<Marks> {
        marked(self, plan, plane, arena, |captures, own| captures.blocks.let_go(own))
    }

    /// Marks the scores that are just what captures are worth, among some lines that stand in a block of
    /// some blocks.
    pub fn mark(
        &self,
        plan: &LayerPlan,
        known: &KnownLines,
        (blocks, block): (&Blocks, usize),
        marks: &mut [u64],
    ) {
        let (shape, spill) = (blocks.shape(block), blocks.spill().or(self.blocks.spill()));
        let marks = &mut marks[shape.lines_of(known.panels.clone())];
        let panels = marks.chunks_mut(shape.rows.max(1)).zip(known.panels.clone());
        let _region = timeline::region("marks");
        parallel::each_of(panels, |(marks, panel)| {
            timeline::task();
            for (number, line) in known.lanes.clone().enumerate() {
                let turned = self.turned(plan, (known.area, panel, line));
                let lanes = plan.rows_of(known.own, line);
                let found = attained_tile(self.kernel, &turned, (blocks, block, panel), lanes);
                for (found, &row) in found.iter().zip(lanes).filter(|(_, row)| **row != OUTSIDE) {
                    marks[row as usize - shape.first_row] = *found;
                }
                enforce_now_and_then(spill.as_ref(), number);
            }
        });
    }

    /// Raises the scores of its blocks to what captures are worth.
    pub fn raise(&self, plan: &LayerPlan, plane: &mut Plane) {
        let courses = [
            Course::block_by_block(&[plane.blocks()], true),
            Course::block_by_block(&[&self.blocks], false),
        ];
        let _rounds = courses.each_ref().map(Course::begin);
        for own in self.held() {
            courses.iter().for_each(|course| course.come_to(own));
            self.raise_lines(plan, &KnownLines::all(plan, own), (plane.blocks_mut(), own));
        }
    }

    /// The same of some lines that stand in a block of some blocks.
    pub fn raise_lines(
        &self,
        plan: &LayerPlan,
        known: &KnownLines,
        (blocks, block): (&mut Blocks, usize),
    ) {
        let (shape, spill) = (blocks.shape(block), blocks.spill().or(self.blocks.spill()));
        let panels = blocks.panels_mut(block, known.panels.clone()).pieces(shape.rows);
        let _region = timeline::region("captures into scores");
        parallel::each_of(panels.into_iter().zip(known.panels.clone()), |(mut lines, panel)| {
            timeline::task();
            for (number, line) in known.lanes.clone().enumerate() {
                let turned = self.turned(plan, (known.area, panel, line));
                let lanes = plan.rows_of(known.own, line).iter();
                for (worth, &row) in turned.0.iter().zip(lanes).filter(|(_, row)| **row != OUTSIDE)
                {
                    let at = row as usize - shape.first_row;
                    let mut scores = lines.as_lines().line(at);
                    let both = scores.0.iter_mut().zip(worth.0);
                    both.for_each(|(score, negated)| *score = (*score).max(-negated));
                    lines.put(at, &scores);
                }
                enforce_now_and_then(spill.as_ref(), number);
            }
        });
    }

    /// 64 lanes × 64 rows of the mover, of an area a tile and a line of lanes.
    pub fn turned(&self, plan: &LayerPlan, place: (usize, usize, usize)) -> LineTile {
        let mut lines = LineTile::of(NONE);
        self.spread(plan, place, &mut lines.0, 1);
        self.kernel.transpose(&mut lines);
        lines
    }

    /// Writes 64 rows of the mover × 64 lanes, each row `stride` lines behind the last: of an area a
    /// tile and a line of lanes.
    #[inline]
    pub fn spread(
        &self,
        plan: &LayerPlan,
        (area, tile, line): (usize, usize, usize),
        out: &mut [Line],
        stride: usize,
    ) {
        let shape = self.blocks.shape(area);
        let (rows, first) = (shape.rows, tile * LINE - shape.first_row);
        let spread = Spread {
            lines: self.blocks.block(area),
            rows,
            first: shape.first_panel,
            tile: (first, rows.min(first + LINE)),
            windows: plan.blocks[self.own(area)].spread.of_line(line),
        };
        self.kernel.spread(out, stride, spread);
    }
}

/// Marks what `plane` attains block by block; after each `leave` is told its number.
fn marked<C: Borrow<CapturePlane>>(
    mut captures: C,
    plan: &LayerPlan,
    plane: &Plane,
    arena: &Arena,
    leave: impl Fn(&mut C, usize),
) -> Result<Marks> {
    let mut marks = Marks::none(arena, plan.layer)?;
    let read = [captures.borrow().blocks(), plane.blocks()].map(|blocks| -> &BlockBytes { blocks });
    let courses =
        [Course::block_by_block(&[marks.blocks()], true), Course::block_by_block(&read, false)];
    let _rounds = courses.each_ref().map(Course::begin);
    for own in captures.borrow().held() {
        courses.iter().for_each(Course::step_on);
        let known = KnownLines::all(plan, own);
        captures.borrow().mark(plan, &known, (plane.blocks(), own), marks.words_mut(own));
        leave(&mut captures, own);
    }
    Ok(marks)
}

/// For each lane of a tile, which has been turned: the columns of a panel of a block at which the
/// scores are the values of captures, as bits. `lanes` are the rows of the lanes.
fn attained_tile(
    kernel: Kernel,
    turned: &LineTile,
    (blocks, block, panel): (&Blocks, usize, usize),
    lanes: &[u32],
) -> [u64; LINE] {
    let shape = blocks.shape(block);
    let inside = (0..).zip(lanes).filter(|(_, row)| **row != OUTSIDE);
    let pull = |(place, &row): (u32, &u32)| Pull { place, row: row - shape.first_row as u32 };
    let pulls: ArrayVec<Pull, LINE> = inside.map(pull).collect();
    let mut wanted = turned.clone();
    wanted.0.iter_mut().for_each(|line| line.0 = line.0.map(i8::wrapping_neg));
    let (lanes, panel) = (shape.lanes(panel), panel as u32);
    let windows = [Window { picks: Picks::BY_LANE, lanes, panel }];
    let source = PassageChildren::of(blocks, block, &windows, &pulls);
    let (mut equal, mut found) = ([0; LINE], [0; LINE]);
    kernel.equals(Equal { source, wanted: &wanted.0, equal: &mut equal });
    pulls.iter().zip(equal).for_each(|(pull, equal)| found[pull.place as usize] = equal);
    found
}
