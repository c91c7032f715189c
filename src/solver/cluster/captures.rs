//! What captures are worth, each rank for what it computes: areas of
//! [`crate::solver::capture_area`], which lower layers are entered into block by block.
//!
//! A lower layer comes from the leader, one block of it at a time, and is forgotten. So no rank but
//! the leader ever holds more of a lower layer than a block.

use std::ops::Range;

use super::cut::{Area, Cut, ROLES, Role, rows_of_lanes};
use super::part::{Part, lanes_of};
use crate::error::Result;
use crate::game::moves::Move;
use crate::game::{ScoreRange, Seeds};
use crate::layer::arena::Arena;
use crate::layer::excerpt;
use crate::layer::index::rows;
use crate::layer::line::LINE;
use crate::layer::lines::{Lines, LinesMut};
use crate::solver::capture_area::{CaptureArea, captures_against_empty_row};
use crate::solver::catching::child;
use crate::solver::kernel::{Kernel, NONE, Spread, Tile};
use crate::solver::plan::LayerPlan;

/// Constants of one rank, negated: by pair and role, rows of the mover × lanes.
pub struct JointCaptures {
    kernel: Kernel,
    /// What they are clamped to.
    range: ScoreRange,
    /// By pair, in the order of [`ROLES`]: seeds of the mover, and the constants. Rows are the
    /// mover's, columns the rows of the layer's block.
    parts: Vec<[(usize, Part); 2]>,
    /// Row of the mover and move: the captures where the opponent has no seeds.
    against_empty_row: Vec<(usize, Move)>,
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
        let range = plan.layer.range();
        let mut captures = JointCaptures { kernel, range, parts, against_empty_row };
        captures.each_area(|area| area.enter_ends(plan, kernel));
        Ok(captures)
    }

    /// Calls `enter` with all constants, area by area.
    fn each_area(&mut self, mut enter: impl FnMut(&mut CaptureArea)) {
        let range = self.range;
        for (own, part) in self.parts.iter_mut().flatten() {
            let (own, rows, panel) = (*own, part.rows.clone(), part.panels.start);
            let spill = part.spill();
            let lines = LinesMut::Byte(&mut part.lines);
            enter(&mut CaptureArea { own, rows, panel, lines, range, spill: spill.as_ref() });
        }
    }

    /// The constants of one role in a pair.
    pub fn part(&self, small: usize, role: Role) -> &Part {
        &self.parts[small][role as usize].1
    }

    /// Enters all captures that lead into some blocks of a lower layer.
    pub fn enter(&mut self, plan: &LayerPlan, lower: &excerpt::Part) {
        let (kernel, against_empty_row) =
            (self.kernel, std::mem::take(&mut self.against_empty_row));
        self.each_area(|area| area.enter(plan, kernel, lower, &against_empty_row));
        self.against_empty_row = against_empty_row;
    }

    /// The layers below that captures lead into, in order.
    pub fn lower_layers(&self, plan: &LayerPlan) -> Vec<Seeds> {
        let seeds = plan.layer.seeds();
        seeds.below().filter(|into| self.takes(plan, seeds.get() - into.get())).collect()
    }

    /// Whether any capture takes this many seeds. It is the same on all ranks.
    fn takes(&self, plan: &LayerPlan, captured: usize) -> bool {
        let against_empty_row = self.against_empty_row.iter();
        let takes = |own: usize| {
            let mut transits = plan.blocks[own].all_transits();
            transits.any(|transit| child(plan, plan.opponent(own), transit, captured).is_some())
        };
        against_empty_row
            .map(|(_, found)| found.captured)
            .any(|taken| usize::from(taken) == captured)
            || (0..plan.layer.seeds().get()).any(takes)
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
