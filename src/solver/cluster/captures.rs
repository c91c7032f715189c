//! What captures are worth, each rank for what it computes: the twin of
//! [`crate::solver::captures`], fed block by block.
//!
//! A lower layer comes from the leader, one block of it at a time, and is forgotten. So no rank but
//! the leader ever holds more of a lower layer than a block.

use std::ops::Range;

use rayon::prelude::*;

use super::cut::{Area, Cut, ROLES, Role, rows_of_lanes};
use super::part::{Part, lanes_of};
use crate::error::Result;
use crate::game::moves::Move;
use crate::game::rules::{GrandSlam, Harvest};
use crate::game::{Board, ScoreRange, Seeds};
use crate::layer::arena::Arena;
use crate::layer::blocks::PART;
use crate::layer::index::{Layer, row_at, rows};
use crate::layer::line::{LINE, Line};
use crate::layer::lines::Lines;
use crate::solver::captures::{
    captures_against_empty_row, clamp_line, enter_finished, forced_slam, lower,
};
use crate::solver::kernel::{Kernel, NONE, Pull, Source, Spread, Tile};
use crate::solver::plan::{LayerPlan, Transit};
use crate::solver::windows::Windows;

/// Constants of one rank, negated: by pair and role, rows of the mover × lanes.
pub struct JointCaptures {
    kernel: Kernel,
    /// Where they are.
    arena: Arena,
    /// By pair, in the order of [`ROLES`]: seeds of the mover, and the constants. Rows are the
    /// mover's, columns the rows of the layer's block.
    parts: Vec<[(usize, Part); 2]>,
    /// Row of the mover and move: the captures where the opponent has no seeds.
    against_empty_row: Vec<(usize, Move)>,
}

/// A block of a lower layer.
pub struct LowerBlock<'a> {
    /// The lower layer.
    pub layer: Layer,
    /// Seeds of the mover.
    pub block: usize,
    /// All its lines.
    pub lines: &'a [Line],
}

impl JointCaptures {
    /// The constants that need no lower layer.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::error::Error::OutOfMemory) if there is no memory for them.
    pub fn new(
        arena: &Arena,
        plan: &LayerPlan,
        cut: &Cut,
        rank: usize,
        kernel: Kernel,
    ) -> Result<JointCaptures> {
        let seeds = plan.layer.seeds().get();
        let part = |small: usize, role: Role| {
            let Area { own, tiles, lines } = cut.area(small, rank, role);
            let end = rows(own).min(tiles.end * LINE);
            let against = rows_of_lanes(plan, own, lines);
            let panels = against.start / LINE..against.end.div_ceil(LINE);
            let panels = if against.is_empty() { 0..0 } else { panels };
            Ok((own, Part::new(arena, panels, (tiles.start * LINE).min(end)..end, NONE)?))
        };
        let pair = |small| {
            let [lead, follow] = ROLES.map(|role| part(small, role));
            Ok([lead?, follow?])
        };
        let parts = (0..=seeds / 2).map(pair).collect::<Result<Vec<_>>>()?;
        let against_empty_row = captures_against_empty_row(plan.rules, seeds);
        let arena = arena.clone();
        let mut captures = JointCaptures { kernel, arena, parts, against_empty_row };
        captures.enter_finished(plan);
        match plan.rules.grand_slam {
            GrandSlam::CapturesNothing | GrandSlam::Captures => {}
            GrandSlam::IllegalUnlessForced => captures.enter_forced_slams(plan),
        }
        Ok(captures)
    }

    /// The constants of one role in a pair.
    pub fn part(&self, small: usize, role: Role) -> &Part {
        &self.parts[small][role as usize].1
    }

    /// Only a player without seeds, or one who faces a row without seeds, can be without a move.
    fn enter_finished(&mut self, plan: &LayerPlan) {
        let seeds = plan.layer.seeds().get();
        for (own, part) in self.parts.iter_mut().flatten() {
            let own = *own;
            if own != 0 && own != seeds {
                continue;
            }
            for panel in part.panels.clone() {
                let first = part.rows.start;
                enter_finished(plan, (own, first, panel), part.panel_mut(panel));
            }
        }
    }

    fn enter_forced_slams(&mut self, plan: &LayerPlan) {
        let seeds = plan.layer.seeds().get();
        for (own, part) in self.parts.iter_mut().flatten() {
            let own = *own;
            if own == 0 || own == seeds {
                continue;
            }
            for row in part.rows.clone() {
                if !plan.blocks[own].home_rows(row).is_empty() {
                    continue;
                }
                for (found, transit) in plan.blocks[own].transits(row) {
                    let panels = part.panels.clone();
                    let starving =
                        transit.captures.starving.iter().map(|&against| against as usize);
                    for against in starving.filter(|row| panels.contains(&(row / LINE))) {
                        let opponent = plan.opponent_side(own, against);
                        let board = Board { mover: row_at(own, row), opponent };
                        if let Some(score) = forced_slam(plan.rules, &board, found) {
                            let at = row - part.rows.start;
                            let line = &mut part.panel_mut(against / LINE)[at];
                            lower(&mut line.0[against % LINE], -score);
                        }
                    }
                }
            }
        }
    }

    /// Enters all captures that lead into a block of a lower layer.
    pub fn enter(&mut self, plan: &LayerPlan, lower: &LowerBlock) {
        let (kernel, arena) = (self.kernel, &self.arena);
        let captured = plan.layer.seeds().get() - lower.layer.seeds().get();
        for (own, part) in self.parts.iter_mut().flatten() {
            let catching = Catching { plan, lower, own: *own, captured };
            let (first, height) = (part.rows.start / LINE, part.height());
            let tiles = first..part.rows.end.div_ceil(LINE);
            // Against a row without seeds the duty to feed applies: see below.
            if height == 0 || *own == plan.layer.seeds().get() || !catching.can_be() {
                continue;
            }
            let tiles: Vec<Vec<Caught>> = tiles.map(|tile| catching.of_tile(tile)).collect();
            if tiles.iter().all(Vec::is_empty) {
                continue;
            }
            let panels = part.panels.clone().zip(part.lines.chunks_mut(height));
            panels.par_bridge().for_each(|(panel, lines)| {
                arena.keep();
                for (caught, lines) in tiles.iter().zip(lines.chunks_mut(LINE)) {
                    let sources = caught.iter().filter_map(|caught| catching.source(caught, panel));
                    kernel.pull_captures(lines, sources);
                }
            });
        }
        self.enter_against_empty_row(lower, captured);
    }

    fn enter_against_empty_row(&mut self, lower_block: &LowerBlock, captured: usize) {
        let JointCaptures { parts, against_empty_row, .. } = self;
        let (part, layer) = (&mut parts[0][Role::Lead as usize].1, lower_block.layer);
        let height = layer.block_shape(lower_block.block).0;
        if part.lines.is_empty() {
            return;
        }
        for (row, found) in &*against_empty_row {
            if usize::from(found.captured) != captured {
                continue;
            }
            let cell = layer.cell(&found.next).expect("a capture leads into the lower layer");
            if cell.own == lower_block.block {
                let line = lower_block.lines[cell.column / LINE * height + cell.row];
                let worth = found.captured as i8 - line.0[cell.column % LINE];
                lower(&mut part.panel_mut(0)[*row].0[0], -worth);
            }
        }
    }

    /// Clamps what has been entered to the scores of a range.
    pub fn clamp(&mut self, range: ScoreRange) {
        if range.is_full() {
            return;
        }
        let arena = &self.arena;
        for (_, part) in self.parts.iter_mut().flatten() {
            part.lines.par_chunks_mut(PART).for_each(|lines| {
                lines.iter_mut().for_each(|line| clamp_line(line, range.end()));
                arena.keep();
            });
        }
    }

    /// The layers below that captures lead into, in order.
    pub fn lower_layers(&self, plan: &LayerPlan) -> Vec<Seeds> {
        let seeds = plan.layer.seeds();
        seeds.below().filter(|into| self.takes(plan, seeds.get() - into.get())).collect()
    }

    /// Whether any capture takes so many seeds. It is the same on all ranks.
    fn takes(&self, plan: &LayerPlan, captured: usize) -> bool {
        let takes = |transit: &Transit| {
            transit.captures.by_seeds.get(captured).is_some_and(|windows| !windows.is_empty())
        };
        match plan.rules.harvest {
            Harvest::Opposite => true,
            Harvest::LastHouses => {
                let mut alone = self.against_empty_row.iter();
                alone.any(|(_, found)| usize::from(found.captured) == captured)
                    || plan.blocks.iter().any(|block| block.all_transits().any(takes))
            }
        }
    }

    /// Writes 64 rows of the mover × 64 lanes.
    pub fn spread(
        &self,
        plan: &LayerPlan,
        (small, role): (usize, Role),
        (tile, line): (usize, usize),
        out: &mut Tile,
    ) {
        let (own, part) = &self.parts[small][role as usize];
        part.keep();
        let (first, end) = (part.rows.start, part.rows.end.min((tile + 1) * LINE));
        let spread = Spread {
            lines: Lines::Byte(&part.lines),
            rows: part.height(),
            first: part.panels.start,
            tile: (tile * LINE - first, end - first),
            windows: plan.blocks[*own].spread.of_line(line),
        };
        self.kernel.spread(&mut out.0, 1, spread);
    }
}

/// Captures of so many seeds from one block into a block of a lower layer.
struct Catching<'a> {
    plan: &'a LayerPlan<'a>,
    lower: &'a LowerBlock<'a>,
    own: usize,
    captured: usize,
}

/// Captures of a tile that share a passage.
struct Caught<'a> {
    windows: &'a Windows,
    pulls: &'a [Pull],
}

impl<'a> Catching<'a> {
    /// Whether so many seeds can cross as it would take.
    fn can_be(&self) -> bool {
        let opponent = self.plan.opponent(self.own);
        (opponent..=opponent + self.own).contains(&(self.lower.block + self.captured))
            || self.plan.rules.harvest == Harvest::Opposite
    }

    fn of_tile(&self, tile: usize) -> Vec<Caught<'a>> {
        let (plan, captured, block) = (self.plan, self.captured, self.lower.block);
        let (own, opponent) = (&plan.blocks[self.own], plan.opponent(self.own));
        let caught = |windows: Option<&'a Windows>, pulls| {
            let windows = windows.filter(|windows| !windows.is_empty())?;
            Some(Caught { windows, pulls })
        };
        match plan.rules.harvest {
            Harvest::LastHouses => {
                let here = own
                    .groups(tile)
                    .filter(|(transit, _)| opponent + transit.crossed == block + captured);
                let windows = |transit: &'a Transit| transit.captures.by_seeds.get(captured);
                here.filter_map(|(transit, pulls)| caught(windows(transit), pulls)).collect()
            }
            Harvest::Opposite => {
                let here = own.catches(tile).filter(|(transit, _, taken, _)| {
                    *taken == captured && opponent + transit.crossed == block
                });
                let windows = |transit: &'a Transit, hits| transit.captures.by_hits.get(hits);
                let found = here
                    .filter_map(|(transit, hits, _, pulls)| caught(windows(transit, hits), pulls));
                found.collect()
            }
        }
    }

    fn source<'s>(&'s self, caught: &'s Caught<'a>, panel: usize) -> Option<Source<'s>> {
        let windows = caught.windows.of_line(panel);
        let rows = self.lower.layer.block_shape(self.lower.block).0;
        let (lines, captured) = (Lines::Byte(self.lower.lines), self.captured as i8);
        (!windows.is_empty()).then_some(Source {
            lines,
            rows,
            first: 0,
            windows,
            ahead: &[],
            pulls: caught.pulls,
            captured,
        })
    }
}

/// The lines of a block where a rank knows what captures are worth.
pub struct Known {
    /// The pair.
    pub small: usize,
    /// Which of its captures.
    pub role: Role,
    /// The block.
    pub own: usize,
    /// Tiles of the mover's rows: panels of the block.
    pub panels: Range<usize>,
    /// Lines of lanes.
    pub lanes: Range<usize>,
    /// Whether the scores are on the ranks of other columns of block n/2.
    pub is_beside: bool,
}

/// All of them, each position of the layer on one rank.
pub fn known(plan: &LayerPlan, cut: &Cut, rank: usize) -> Vec<Known> {
    let seeds = plan.layer.seeds().get();
    let mut all = Vec::new();
    for small in 0..=seeds / 2 {
        for role in ROLES {
            let Area { own, tiles, lines } = cut.area(small, rank, role);
            let is_beside = 2 * small == seeds && role == Role::Lead;
            // Where half-boards of the rank meet in block n/2, one role has them all.
            let first = if is_beside { cut.interval(small, rank).end } else { tiles.start };
            let (panels, rows) = (first..tiles.end, rows_of_lanes(plan, own, lines.clone()));
            if !panels.is_empty() && !rows.is_empty() {
                all.push(Known { small, role, own, panels, lanes: lines, is_beside });
            }
        }
    }
    all
}

impl Known {
    /// Calls `visit` with each panel and 64 lanes of it: the rows of the lanes, and what captures
    /// are worth to them, negated.
    pub fn each_tile(
        &self,
        plan: &LayerPlan,
        captures: &JointCaptures,
        mut visit: impl FnMut(usize, &[u32], &Tile),
    ) {
        for panel in self.panels.clone() {
            for line in self.lanes.clone() {
                let mut turned = Tile::of(NONE);
                captures.spread(plan, (self.small, self.role), (panel, line), &mut turned);
                captures.kernel.transpose(&mut turned);
                visit(panel, plan.rows_of(self.own, line), &turned);
            }
        }
    }

    /// The columns that one of its panels has, as the bits of a word.
    pub fn columns(&self, panel: usize) -> u64 {
        lanes_of(self.own, panel)
    }
}
