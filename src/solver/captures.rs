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
//! rows of the mover is one stretch of memory. Columns are the rows of the plane's block alone, a
//! seventh fewer than there are lanes at 30 seeds; a sweep wants all lanes, and has the lines
//! [spread](Kernel::spread).

use std::ops::Range;

use rayon::prelude::*;

use crate::error::Result;
use crate::game::board::{Board, HOUSES, House, Side};
use crate::game::moves::{Move, final_score, legal_moves};
use crate::game::rules::{GrandSlam, Rules};
use crate::game::score_range::ScoreRange;
use crate::game::sowing::sow;
use crate::layer::arena::Arena;
use crate::layer::blocks::Blocks;
use crate::layer::excerpt::Part;
use crate::layer::index::{Cell, Layer, row_at, rows};
use crate::layer::line::{LINE, Line};
use crate::layer::lines::LinesMut;
use crate::layer::packing::Packing;
use crate::layer::plane::Plane;
use crate::layer::residence::Course;
use crate::layer::solved::Marks;
use crate::layer::spill::Spill;
use crate::solver::catching::{Catching, Caught, child, children};
use crate::solver::kernel::{Kernel, NONE, Spread, Tile};
use crate::solver::plan::{LayerPlan, OUTSIDE, RowMove};
use crate::timeline;

/// Tiles that one task enters at least.
const TILES: usize = 16;

/// Tiles from one look at the bound of memory to the next, where constants are entered on disk.
const KEPT: usize = 4;

/// What captures (and finished games) are worth in some blocks of one layer, negated.
pub struct CapturePlane {
    seeds: usize,
    /// The blocks; all others are empty.
    held: Range<usize>,
    kernel: Kernel,
    /// What they are clamped to.
    range: ScoreRange,
    blocks: Blocks,
    /// Row of the mover and move: the captures where the opponent has no seeds.
    against_empty_row: Vec<(usize, Move)>,
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
        let (seeds, packing) = (plan.layer.seeds().get(), Packing::of(plan.layer.range()));
        let blocks = Blocks::held_in_arena(arena, shapes(plan.layer), &held, packing, NONE)?;
        let against_empty_row = captures_against_empty_row(plan.rules, seeds);
        let range = plan.layer.range();
        let mut plane = CapturePlane { seeds, held, kernel, range, blocks, against_empty_row };
        plane.enter_finished(plan);
        match plan.rules.grand_slam {
            GrandSlam::CapturesNothing | GrandSlam::Captures => {}
            GrandSlam::IllegalUnlessForced => plane.enter_forced_slams(plan),
        }
        Ok(plane)
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

    /// Only a player without seeds, or one who faces a row without seeds, can be without a move.
    fn enter_finished(&mut self, plan: &LayerPlan) {
        let (seeds, held) = (self.seeds, self.held());
        for own in [0, seeds].into_iter().filter(|own| held.contains(own)) {
            self.each_tile(
                own,
                |_| true,
                |tile, panel, lines| {
                    enter_finished(plan, (own, tile * LINE, panel), lines);
                },
            );
        }
    }

    fn enter_forced_slams(&mut self, plan: &LayerPlan) {
        for own in self.held.start.max(1)..self.held.end.min(self.seeds) {
            for row in 0..rows(own) {
                // A sowing that stays at home leaves the opponent their own seeds: no slam is
                // forced.
                if plan.blocks[own].home_rows(row).is_empty() {
                    self.enter_forced_slams_of(plan, own, row);
                    self.blocks.keep();
                }
            }
        }
    }

    fn enter_forced_slams_of(&mut self, plan: &LayerPlan, own: usize, row: usize) {
        for (found, transit) in plan.blocks[own].transits(row) {
            for against in transit.captures.starving.iter().map(|&against| against as usize) {
                let opponent = plan.opponent_side(own, against);
                let board = Board { mover: row_at(own, row), opponent };
                if let Some(score) = forced_slam(plan.rules, &board, found) {
                    self.lower((own, row, against), -score);
                }
            }
        }
    }

    /// The blocks of the layer with so many seeds less that captures lead into, and those between;
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
    pub fn enter(&mut self, plan: &LayerPlan, solved: &Part) {
        let (seeds, kernel) = (self.seeds, self.kernel);
        let captured = seeds - solved.layer.seeds().get();
        let ahead = solved.blocks.ahead();
        for own in self.held.start.max(1)..self.held.end.min(seeds) {
            let catching = Catching { plan, solved, own, captured };
            let tiles: Vec<Vec<Caught>> = {
                let _region = timeline::region("captures");
                let tiles =
                    (0..rows(own).div_ceil(LINE)).into_par_iter().inspect(|_| timeline::task());
                tiles.map(|tile| catching.of_tile(tile)).collect()
            };
            if let Some(children) = children(&tiles) {
                if let Some(ahead) = &ahead {
                    children.for_each(|block| ahead.fetch_block(block));
                }
                let is_touched = |tile: usize| !tiles[tile].is_empty();
                self.each_tile(own, is_touched, |tile, panel, lines| {
                    let sources = tiles[tile].iter();
                    let sources = sources.filter_map(|caught| catching.source(caught, panel));
                    kernel.pull_captures(lines, sources);
                });
            }
        }
        if self.held.contains(&seeds) {
            self.enter_against_empty_row(solved, captured);
        }
    }

    /// Against a row without seeds the duty to feed applies; these few captures go one by one.
    fn enter_against_empty_row(&mut self, solved: &Part, captured: usize) {
        let all = std::mem::take(&mut self.against_empty_row);
        let found = all.iter().filter(|(_, found)| found.captured as usize == captured);
        for (number, (row, found)) in found.enumerate() {
            let Some(child) = solved.score(&found.next) else { continue };
            keep_now_and_then(self.blocks.spill().as_ref(), number);
            self.lower((self.seeds, *row, 0), -child.after_capture(found.captured).get());
        }
        self.against_empty_row = all;
    }

    /// Enters what a capture is worth, negated, in a row and column of a block.
    fn lower(&mut self, (own, row, column): (usize, usize, usize), negated: i8) {
        let mut best = self.blocks.score(own, row, column);
        lower(&mut best, self.range.clamp(negated));
        self.blocks.set(own, row, column, best);
    }

    /// What captures of a position are worth, negated.
    pub fn score(&self, Cell { own, row, column }: Cell) -> i8 {
        self.blocks.score(own, column, row)
    }

    /// The positions that `plane` says are worth just what they reach by capturing, or in a
    /// finished game what the rows say. It must have all blocks.
    pub fn attained(&self, plan: &LayerPlan, plane: &Plane) -> Marks {
        let course = Course::block_by_block(&[&self.blocks, plane.blocks()], false);
        let _round = course.begin();
        Marks::by_block(plan.layer, |own, words, marks: &mut _| {
            course.step_on();
            self.attained_of(plan, plane, own, words, marks);
        })
    }

    /// The same, and that is all that is wanted of it: the memory of each block is given back when its
    /// marks have been made.
    pub fn into_attained(mut self, plan: &LayerPlan, plane: &Plane) -> Marks {
        let course = Course::block_by_block(&[&self.blocks, plane.blocks()], false);
        let _round = course.begin();
        Marks::by_block(plan.layer, |own, words, marks| {
            course.step_on();
            self.attained_of(plan, plane, own, words, marks);
            self.blocks.let_go(own);
        })
    }

    /// The marks of a block.
    fn attained_of(
        &self,
        plan: &LayerPlan,
        plane: &Plane,
        own: usize,
        words: usize,
        mut marks: &mut [u64],
    ) {
        let mut parts = Vec::new();
        for (panel, lanes) in plan.blocks[own].lane_rows.chunks(LINE).enumerate() {
            let inside = lanes.iter().filter(|&&row| row != OUTSIDE).count();
            let (part, behind) = std::mem::take(&mut marks).split_at_mut(inside * words);
            marks = behind;
            parts.push((panel, lanes, part));
        }
        let mark = |(panel, lanes, part)| {
            timeline::task();
            self.attained_in(plan, plane, own, panel, lanes, part);
        };
        let _region = timeline::region("marks");
        parts.into_par_iter().for_each(mark);
    }

    /// The same for one panel of lanes of block `own`.
    fn attained_in(
        &self,
        plan: &LayerPlan,
        plane: &Plane,
        own: usize,
        panel: usize,
        lanes: &[u32],
        marks: &mut [u64],
    ) {
        let Some(first) = lanes.iter().find(|&&row| row != OUTSIDE) else { return };
        let words = plane.blocks().shape(own).panels();
        for word in 0..words {
            let tile = self.tile(plan, own, word, panel);
            let found = attained_tile(self.kernel, &tile, plane, own, word, lanes);
            for (found, &row) in found.iter().zip(lanes).filter(|(_, row)| **row != OUTSIDE) {
                marks[(row - first) as usize * words + word] = *found;
            }
            if word.is_multiple_of(KEPT) {
                self.blocks.keep();
                plane.blocks().keep();
            }
        }
    }

    /// Raises scores of its blocks to the values of captures.
    pub fn raise(&self, plan: &LayerPlan, plane: &mut Plane) {
        let spill = plane.blocks().spill().or(self.blocks.spill());
        let courses = [
            Course::block_by_block(&[plane.blocks()], true),
            Course::block_by_block(&[&self.blocks], false),
        ];
        let _rounds = courses.each_ref().map(Course::begin);
        for own in self.held() {
            courses.iter().for_each(|course| course.come_to(own));
            let (rows, lane_rows) = (plane.blocks().shape(own).rows(), plan.blocks[own].lane_rows);
            let panels = plane.blocks_mut().block_mut(own).pieces(rows).into_par_iter().enumerate();
            let _region = timeline::region("captures into scores");
            panels.for_each(|(word, mut lines)| {
                timeline::task();
                for (panel, lanes) in lane_rows.chunks(LINE).enumerate() {
                    let tile = self.tile(plan, own, word, panel);
                    raise_tile(&turned(self.kernel, &tile), &mut lines, lanes);
                    keep_now_and_then(spill.as_ref(), panel);
                }
            });
        }
    }

    /// 64 rows of the mover × 64 lanes.
    fn tile(&self, plan: &LayerPlan, own: usize, tile: usize, panel: usize) -> Tile {
        let mut lines = Tile::of(NONE);
        self.spread(plan, (own, tile, panel), &mut lines.0, 1);
        lines
    }

    /// Writes 64 rows of the mover × 64 lanes, each row `stride` lines behind the last: of a block a
    /// tile and a line of lanes.
    #[inline]
    pub fn spread(
        &self,
        plan: &LayerPlan,
        (own, tile, line): (usize, usize, usize),
        out: &mut [Line],
        stride: usize,
    ) {
        let rows = self.blocks.shape(own).rows();
        let spread = Spread {
            lines: self.blocks.block(own),
            rows,
            first: 0,
            tile: (tile * LINE, rows.min((tile + 1) * LINE)),
            windows: plan.blocks[own].spread.of_line(line),
        };
        self.kernel.spread(out, stride, spread);
    }

    /// Gives those tiles of a block to `enter` whose rows are touched, with the number of its rows'
    /// tile and its panel, and clamps what has been entered.
    fn each_tile(
        &mut self,
        own: usize,
        is_touched: impl Fn(usize) -> bool + Sync,
        enter: impl Fn(usize, usize, &mut [Line]) + Sync,
    ) {
        let (rows, spill) = (self.blocks.shape(own).rows(), self.blocks.spill());
        let (kernel, range) = (self.kernel, self.range);
        let enter = |tile, panel, lines: &mut [Line]| {
            enter(tile, panel, lines);
            if !range.is_full() {
                lines.iter_mut().for_each(|line| clamp_line(line, range.end()));
            }
        };
        let panels = self.blocks.block_mut(own).pieces(rows).into_par_iter().enumerate();
        let _region = timeline::region("captures");
        panels.for_each(|(panel, lines)| {
            let tiles = lines.pieces(LINE).into_par_iter().enumerate().with_min_len(TILES);
            tiles.filter(|(tile, _)| is_touched(*tile)).for_each(|(tile, lines)| {
                timeline::task();
                match lines {
                    LinesMut::Byte(lines) => enter(tile, panel, lines),
                    lines => {
                        let (mut all, count) = (Tile::of(NONE), lines.as_lines().count());
                        let unpacked = &mut all.0[..count];
                        kernel.unpack(lines.as_lines(), unpacked);
                        enter(tile, panel, unpacked);
                        kernel.pack(lines, unpacked);
                    }
                }
                keep_now_and_then(spill.as_ref(), tile);
            });
        });
    }
}

/// Clamps the constants of a line to −`end`..`end`.
pub(super) fn clamp_line(line: &mut Line, end: i8) {
    for worth in &mut line.0 {
        *worth = if *worth == NONE { NONE } else { (*worth).clamp(-end, end) };
    }
}

/// Keeps to the bound of memory after every few tiles, which are numbered.
fn keep_now_and_then(spill: Option<&Spill>, number: usize) {
    if number.is_multiple_of(KEPT) {
        spill.into_iter().for_each(Spill::keep);
    }
}

/// For each lane of a tile of block `own`: the own rows at which the plane is the values of
/// captures, as bits. `lanes` are the rows of the lanes.
pub(super) fn attained_tile(
    kernel: Kernel,
    tile: &Tile,
    plane: &Plane,
    own: usize,
    word: usize,
    lanes: &[u32],
) -> [u64; LINE] {
    let shape = plane.blocks().shape(own);
    let scores = plane.blocks().block(own).from(word * shape.rows());
    let turned = turned(kernel, tile);
    let mut others = [Line::of(0); LINE];
    for (line, &row) in others.iter_mut().zip(lanes).filter(|(_, row)| **row != OUTSIDE) {
        *line = scores.line(row as usize);
    }
    let columns = shape.lanes(word);
    kernel.opposite(&turned, &others).map(|found| found & columns)
}

/// A tile with a line for each lane.
pub(super) fn turned(kernel: Kernel, tile: &Tile) -> Tile {
    let mut turned = tile.clone();
    kernel.transpose(&mut turned);
    turned
}

/// Raises the lines of a panel to what captures of a tile are worth, which has been turned.
pub(super) fn raise_tile(turned: &Tile, lines: &mut LinesMut, lanes: &[u32]) {
    for (worth, &row) in turned.0.iter().zip(lanes).filter(|(_, row)| **row != OUTSIDE) {
        let mut scores = lines.as_lines().line(row as usize);
        let both = scores.0.iter_mut().zip(worth.0);
        both.for_each(|(score, negated)| *score = (*score).max(-negated));
        lines.put(row as usize, &scores);
    }
}

/// Enters finished games in some lines of a panel, of which the first one is that of `row`.
pub(super) fn enter_finished(
    plan: &LayerPlan,
    (own, row, panel): (usize, usize, usize),
    lines: &mut [Line],
) {
    for (row, line) in (row..).zip(lines) {
        for (score, opponent) in line.0.iter_mut().zip(plan.opponents(own, panel)) {
            let board = Board { mover: row_at(own, row), opponent };
            if let Some(worth) = final_score(plan.rules, &board) {
                lower(score, -worth.get());
            }
        }
    }
}

pub(super) fn lower(best: &mut i8, negated: i8) {
    *best = negated.min(*best);
}

pub(super) fn captures_against_empty_row(rules: &Rules, own: usize) -> Vec<(usize, Move)> {
    let captures = |row| {
        let board = Board { mover: row_at(own, row), opponent: Side::EMPTY };
        // Twos and threes need a second lap.
        let laps = House::ALL.into_iter().filter_map(|house| sow(rules, board.mover, house));
        if !laps.into_iter().any(|sowing| sowing.crossing.seeds as usize > HOUSES) {
            return Vec::new();
        }
        let moves = legal_moves(rules, &board);
        moves
            .iter()
            .filter(|found| found.captured > 0)
            .map(|found| (row, found))
            .collect::<Vec<_>>()
    };
    (0..rows(own)).into_par_iter().flat_map_iter(captures).collect()
}

/// The score of a harvest of everything, if no other move is legal. The opponent has nothing left
/// to play with, so the game ends there.
pub(super) fn forced_slam(rules: &Rules, board: &Board, sown: &RowMove) -> Option<i8> {
    let slam = legal_moves(rules, board).iter().find(|legal| legal.house == sown.house)?;
    Some(slam.captured as i8 - slam.next.own_rows().get())
}
