//! How captures come into what they are worth: rows of the mover × columns of a block, wherever
//! that is and however much of a block.
//!
//! One process has whole blocks in a [`CapturePlane`](crate::solver::captures::CapturePlane); of several,
//! each has rectangles. A constant is only ever lowered, for constants are negated, and whenever a
//! call returns it is within the range of scores, or [`NONE`] as long as nothing has been entered:
//! so nothing depends on the order in which lower layers and areas come.

use std::ops::Range;

use rayon::prelude::*;

use crate::game::board::{Board, HOUSES, House, Side};
use crate::game::moves::{Move, final_score, legal_moves};
use crate::game::rules::{GrandSlam, Rules};
use crate::game::score_range::ScoreRange;
use crate::game::sowing::sow;
use crate::layer::index::{row_at, rows};
use crate::layer::line::{LINE, Line};
use crate::layer::lines::LinesMut;
use crate::layer::plane::Plane;
use crate::layer::spill::Spill;
use crate::parallel;
use crate::solver::catching::{Catching, Caught, children};
use crate::solver::kernel::{Kernel, LineTile, NONE};
use crate::solver::plan::{LayerPlan, RowMove};
use crate::timeline;

/// Tiles that one task enters at least.
const TILES: usize = 16;

/// Tiles from one look at the bound of memory to the next, where constants are entered on disk.
pub const KEPT: usize = 4;

/// Constants of a block, to be entered: some rows of the mover, from a tile's first on, in some
/// panels.
pub struct CaptureArea<'a> {
    /// How lines are handled.
    pub kernel: Kernel,
    /// Seeds of the mover.
    pub own: usize,
    /// The rows.
    pub rows: Range<usize>,
    /// The first panel.
    pub panel: usize,
    /// The lines of the rows, panel after panel.
    pub lines: LinesMut<'a>,
    /// What constants are clamped to.
    pub range: ScoreRange,
    /// Who keeps the program to its bound of memory, if a file is behind the lines.
    pub spill: Option<&'a Spill>,
}

impl CaptureArea<'_> {
    /// Enters what needs no lower layer: finished games, and harvests that take everything because
    /// nothing else is legal.
    pub fn enter_ends(&mut self, plan: &LayerPlan) {
        let (own, first) = (self.own, self.rows.start);
        // Only a player without seeds, or one who faces a row without seeds, can be without a move.
        if own == 0 || own == plan.layer.seeds().get() {
            let enter = |tile: usize, panel, lines: &mut [Line]| {
                enter_finished(plan, (own, first + tile * LINE, panel), lines);
            };
            return self.each_tile(|_| true, enter);
        }
        match plan.rules.grand_slam {
            GrandSlam::CapturesNothing | GrandSlam::Captures => {}
            GrandSlam::IllegalUnlessForced => self.enter_forced_slams(plan),
        }
    }

    fn enter_forced_slams(&mut self, plan: &LayerPlan) {
        let block = &plan.blocks[self.own];
        // A sowing that stays at home leaves the opponent their own seeds: no slam is forced.
        for row in self.rows.clone().filter(|&row| block.half.home_rows(row).is_empty()) {
            for (found, transit) in block.transits(row) {
                for against in transit.starving.iter().map(|&against| against as usize) {
                    let opponent = plan.opponent_side(self.own, against);
                    let board = Board { mover: row_at(self.own, row), opponent };
                    if self.has(row, against)
                        && let Some(score) = forced_slam(plan.rules, &board, found)
                    {
                        self.lower(row, against, -score);
                    }
                }
            }
            self.spill.into_iter().for_each(Spill::enforce_bound);
        }
    }

    /// Enters all captures that lead into some blocks of a solved layer: for the mover they are worth
    /// the seeds captured less what the opponent gets there.
    pub fn enter(
        &mut self,
        plan: &LayerPlan,
        (solved, held): (&Plane, &Range<usize>),
        against_empty_row: &[(usize, Move)],
    ) {
        let seeds = plan.layer.seeds().get();
        let captured = seeds - solved.seeds().get();
        // Against a row without seeds the duty to feed applies.
        if self.own == seeds {
            return self.enter_against_empty_row((solved, held), captured, against_empty_row);
        }
        let catching = Catching { plan, solved, held, own: self.own, captured };
        let tiles: Vec<Vec<Caught>> = {
            let _region = timeline::region("captures");
            let tiles = self.rows.start / LINE..self.rows.end.div_ceil(LINE);
            parallel::map_of(tiles, |tile| {
                timeline::task();
                catching.of_tile(tile)
            })
        };
        let Some(children) = children(&tiles) else { return };
        children.for_each(|block| solved.blocks().fetch_block(block));
        let (kernel, is_touched) = (self.kernel, |tile: usize| !tiles[tile].is_empty());
        self.each_tile(is_touched, |tile, panel, lines| {
            let sources = tiles[tile].iter();
            let sources = sources.filter_map(|caught| catching.source(caught, panel));
            kernel.pull_captures(lines, sources);
        });
    }

    /// These few captures go one by one.
    fn enter_against_empty_row(
        &mut self,
        (solved, held): (&Plane, &Range<usize>),
        captured: usize,
        all: &[(usize, Move)],
    ) {
        let leads_there = |found: &Move| {
            usize::from(found.captured) == captured && held.contains(&found.next.mover.seeds())
        };
        let found = all.iter().filter(|(_, found)| leads_there(found));
        for (number, (row, found)) in found.enumerate() {
            let Some(child) = solved.score(&found.next).filter(|_| self.has(*row, 0)) else {
                continue;
            };
            enforce_now_and_then(self.spill, number);
            self.lower(*row, 0, -child.after_capture(found.captured).get());
        }
    }

    fn has(&self, row: usize, column: usize) -> bool {
        let panels = self.lines.as_lines().count() / self.rows.len().max(1);
        self.rows.contains(&row) && (self.panel..self.panel + panels).contains(&(column / LINE))
    }

    /// Enters what a capture is worth, negated.
    fn lower(&mut self, row: usize, column: usize, negated: i8) {
        let line = (column / LINE - self.panel) * self.rows.len() + row - self.rows.start;
        let before = self.lines.as_lines().score(line, column % LINE);
        self.lines.set(line, column % LINE, before.min(self.range.clamp(negated)));
    }

    /// Gives those tiles to `enter` that are touched, with the number of its rows' tile, counted from
    /// the first row, and its panel, and clamps what has been entered.
    fn each_tile(
        &mut self,
        is_touched: impl Fn(usize) -> bool + Sync,
        enter: impl Fn(usize, usize, &mut [Line]) + Sync,
    ) {
        let CaptureArea { kernel, range, spill, panel: first, .. } = *self;
        let enter = |tile, panel, lines: &mut [Line]| {
            enter(tile, panel, lines);
            if !range.is_full() {
                lines.iter_mut().for_each(|line| clamp_line(line, range.end()));
            }
        };
        let height = self.rows.len().max(1);
        let panels = self.lines.reborrow().pieces(height).into_par_iter().enumerate();
        let _region = timeline::region("captures");
        panels.for_each(|(panel, lines)| {
            let tiles = lines.pieces(LINE).into_par_iter().enumerate().with_min_len(TILES);
            tiles.filter(|(tile, _)| is_touched(*tile)).for_each(|(tile, lines)| {
                timeline::task();
                match lines {
                    LinesMut::Byte(lines) => enter(tile, first + panel, lines),
                    lines => {
                        let (mut all, count) = (LineTile::of(NONE), lines.as_lines().count());
                        let unpacked = &mut all.0[..count];
                        kernel.unpack(lines.as_lines(), unpacked);
                        enter(tile, first + panel, unpacked);
                        kernel.pack(lines, unpacked);
                    }
                }
                enforce_now_and_then(spill, tile);
            });
        });
    }
}

/// Clamps the constants of a line to −`end`..`end`.
fn clamp_line(line: &mut Line, end: i8) {
    for worth in &mut line.0 {
        *worth = if *worth == NONE { NONE } else { (*worth).clamp(-end, end) };
    }
}

/// Keeps to the bound of memory after every few tiles, which are numbered.
pub fn enforce_now_and_then(spill: Option<&Spill>, number: usize) {
    if number.is_multiple_of(KEPT) {
        spill.into_iter().for_each(Spill::enforce_bound);
    }
}

/// Enters finished games in some lines of a panel, of which the first one is that of `row`.
fn enter_finished(plan: &LayerPlan, (own, row, panel): (usize, usize, usize), lines: &mut [Line]) {
    for (row, line) in (row..).zip(lines) {
        let opponents = panel * LINE..plan.blocks[own].row_lanes.len();
        for (score, opponent) in line.0.iter_mut().zip(opponents) {
            let opponent = plan.opponent_side(own, opponent);
            let board = Board { mover: row_at(own, row), opponent };
            if let Some(worth) = final_score(plan.rules, &board) {
                *score = (*score).min(-worth.get());
            }
        }
    }
}

/// Rows that are one task.
const ROWS: usize = 1 << 12;

/// The captures of a layer's block in which the opponent has no seeds: the mover's row, and the
/// move.
pub fn captures_against_empty_row(rules: &Rules, own: usize) -> Vec<(usize, Move)> {
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
    let starts = (0..rows(own)).step_by(ROWS);
    let of_some = |first| (first..rows(own).min(first + ROWS)).flat_map(captures);
    parallel::map_of(starts, |first| of_some(first).collect::<Vec<_>>()).concat()
}

/// The score of a harvest of everything, if no other move is legal. The opponent has nothing left
/// to play with, so the game ends there.
fn forced_slam(rules: &Rules, board: &Board, sown: &RowMove) -> Option<i8> {
    let slam = legal_moves(rules, board).iter().find(|legal| legal.house == sown.house)?;
    Some(slam.captured as i8 - slam.next.own_rows().get())
}
