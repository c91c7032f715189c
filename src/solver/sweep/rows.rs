//! The rows of a pair of blocks, and what is computed of each: see [`super`].
//!
//! A pair that one process sweeps alone has all panels of its smaller block; of several processes,
//! each has some. Either way a row is computed from lines that captures and crossing moves have left
//! in [`Buffers`], and from rows before it.

use std::ops::Range;

use super::cross::{Buffer, Values};
use super::ground::{Stream, limit, spot, streams};
use crate::layer::index::rows;
use crate::layer::line::{LINE, Line, first_lanes};
use crate::layer::lines::{Lines, LinesMut};
use crate::solver::kernel::{Follow, Kernel, Lead, Limit, Log, Settle, Tile};
use crate::solver::plan::{LayerPlan, OUTSIDE};

/// Two blocks that home moves lead to and fro between.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    /// What moves do to rows.
    pub plan: &'a LayerPlan<'a>,
    /// How lines are handled.
    pub kernel: Kernel,
    /// Whether scores lie between bounds: those of a core do.
    pub has_bounds: bool,
    /// The block with fewer seeds in the mover's row.
    pub small: usize,
    /// The one with more, or the same one.
    pub large: usize,
}

/// Some panels of the smaller block, all rows of them.
pub struct Panels<'p> {
    /// The first panel.
    pub first: usize,
    /// How many.
    pub count: usize,
    /// Lines of a panel.
    pub rows: usize,
    /// By plane.
    pub planes: Vec<LinesMut<'p>>,
    /// By plane, if there are any: the bounds of the same panels, and perhaps of more behind them.
    pub bounds: Vec<Lines<'p>>,
}

/// What a strip's first stage leaves for the second.
pub struct Buffers {
    /// By plane: what captures and crossing moves leave in the larger block.
    pub lead: Vec<Buffer>,
    /// By plane: the same in the smaller block.
    pub follow: Vec<Buffer>,
    /// By plane, if there are bounds: what stands in the larger block, and its bounds.
    pub old: Vec<[Buffer; 2]>,
}

/// One row of a strip.
#[derive(Clone, Copy)]
pub struct Row {
    /// Its number in the strip.
    pub at: usize,
    /// Its number as the larger half-board, among all rows.
    pub rank: usize,
    /// Columns of the smaller block that it writes.
    pub columns: usize,
}

impl Buffers {
    /// Empty ones for some panels of this many planes.
    pub fn new(has_bounds: bool, planes: usize, panels: &Range<usize>) -> Buffers {
        let buffers = |count| (0..count).map(|_| Buffer::new(panels)).collect();
        let limits = if has_bounds { planes } else { 0 };
        let old = (0..limits).map(|_| [Buffer::new(panels), Buffer::new(panels)]).collect();
        Buffers { lead: buffers(planes), follow: buffers(planes), old }
    }

    /// What a row of the larger block is held against in a plane, if there is a limit: what stands
    /// there, or its bounds.
    fn old_row(&self, plane: usize, which: usize, at: usize, panel: usize) -> &[Line] {
        self.old.get(plane).map_or(&[], |buffers| buffers[which].row(at, panel))
    }
}

impl Rows<'_> {
    /// The rows of a strip of the larger block, each with its number in the strip.
    pub fn of_strip(self, strip: usize) -> impl Iterator<Item = (usize, usize)> {
        (strip * LINE..rows(self.large).min((strip + 1) * LINE)).enumerate()
    }

    /// What a score of block `own` in a plane may be.
    fn limit(self, plane: usize, own: usize) -> Limit {
        limit(self.plan, self.has_bounds, plane, own)
    }

    /// Computes a row of both blocks, which differ, in some panels.
    pub fn both(
        self,
        row: Row,
        values: &mut Values,
        buffers: &Buffers,
        panels: &mut Panels,
        log: &mut Log,
    ) {
        for stream in streams(panels.planes.len()) {
            self.lead(
                row,
                stream,
                values.row_mut(stream.here, row.at),
                buffers,
                panels,
                panels.count,
            );
            let values = values.row(stream.here, row.at);
            self.follow(row, stream, values, buffers, panels, panels.count, log);
        }
    }

    /// Computes a shell of the block that pairs with itself, in `below` panels and, if they have that of
    /// the strip itself, where rows and columns `meet` there.
    pub fn shell(
        self,
        row: Row,
        (below, meet): (usize, bool),
        values: &mut Values,
        buffers: &Buffers,
        panels: &mut Panels,
        log: &mut Log,
    ) {
        let at = row.at;
        for stream in streams(panels.planes.len()) {
            self.lead(row, stream, values.row_mut(stream.here, at), buffers, panels, below);
        }
        if meet {
            self.corner(row, values, buffers, panels);
        }
        for stream in streams(panels.planes.len()) {
            let (values, count) = (values.row(stream.here, at), below + usize::from(meet));
            self.follow(row, stream, values, buffers, panels, count, log);
        }
    }

    /// Computes a row of the larger block in the first `count` panels.
    fn lead(
        self,
        row: Row,
        Stream { here, there }: Stream,
        values: &mut [Line],
        buffers: &Buffers,
        panels: &Panels,
        count: usize,
    ) {
        let (at, first) = (row.at, panels.first);
        self.kernel.lead(Lead {
            values: &mut values[first..first + count],
            constants: buffers.lead[here].row(at, first),
            lines: panels.planes[there].as_lines(),
            panel_step: panels.rows,
            row_step: 1,
            home: self.plan.blocks[self.large].home_rows(row.rank),
            limit: self.limit(here, self.large),
            old: buffers.old_row(here, 0, at, first),
            bounds: buffers.old_row(here, 1, at, first),
        });
    }

    /// Computes the same row of the smaller block, in the other plane, where the layer has it.
    #[expect(clippy::too_many_arguments, reason = "what a kernel reads and writes")]
    fn follow(
        self,
        row: Row,
        Stream { there, .. }: Stream,
        values: &[Line],
        buffers: &Buffers,
        panels: &mut Panels,
        count: usize,
        log: &mut Log,
    ) {
        let block = &self.plan.blocks[self.small];
        let number = block.lane_rows[row.rank];
        if number == OUTSIDE {
            return;
        }
        let (windows, starts) = block.home().all();
        let follow = Follow {
            rows: panels.rows,
            row: number as usize,
            first: panels.first,
            constants: &buffers.follow[there].row(row.at, panels.first)[..count],
            values,
            windows,
            starts,
            columns: row.columns,
            limit: self.limit(there, self.small),
            bounds: panels.bounds.get(there).copied().unwrap_or_default(),
            spot: spot(there, self.small),
            panels: panels.planes[there].reborrow(),
        };
        self.kernel.follow(follow, log);
    }

    /// The first two steps of a shell where rows and columns of its strip meet.
    fn corner(self, row: Row, values: &mut Values, buffers: &Buffers, panels: &Panels) {
        let (at, strip) = (row.at, row.rank / LINE);
        for others in [0..at, at..at + 1] {
            for stream in streams(panels.planes.len()) {
                for other in others.clone() {
                    let score =
                        self.corner_score(strip, (at, other), stream, values, buffers, panels);
                    values.row_mut(stream.here, at)[strip].0[other] = score;
                }
            }
        }
    }

    /// The score of (own row `at`, opponent `other`), both of the strip.
    fn corner_score(
        self,
        strip: usize,
        (at, other): (usize, usize),
        Stream { here, there }: Stream,
        values: &Values,
        buffers: &Buffers,
        panels: &Panels,
    ) -> i8 {
        let plan = &self.plan.blocks[self.large];
        let own_panel = (strip - panels.first) * panels.rows;
        let mut least = buffers.lead[here].row(at, strip)[0].0[other];
        for &row in plan.home_rows(strip * LINE + at) {
            let lane = plan.row_lanes[row as usize] as usize;
            // (own `other`, opponent `lane`) is of a row of the strip, or of a column.
            let child = if lane > strip * LINE + other {
                panels.planes[there].as_lines().score(own_panel + row as usize, other)
            } else {
                values.row(there, other)[lane / LINE].0[lane % LINE]
            };
            least = least.min(child);
        }
        let beside = |which: usize| buffers.old_row(here, which, at, strip)[0].0[other];
        match self.limit(here, self.large) {
            Limit::Free => -least,
            Limit::Above { most } => (-least).min(beside(0)).min(most).max(beside(1)),
            Limit::Below { least: bound } => (-least).max(beside(0)).max(bound).min(beside(1)),
        }
    }

    /// A tile of the larger block, turned round as its rows are computed: of one of its panels, which
    /// begins at row `first`, the rows that have a line of lanes.
    pub fn turned(self, panel: Lines, first: usize, line: usize) -> Tile {
        let mut tile = Tile::of(0);
        let rows = &self.plan.blocks[self.large].lane_rows[line * LINE..];
        for (line, &row) in tile.0.iter_mut().zip(rows).filter(|(_, row)| **row != OUTSIDE) {
            *line = panel.line(row as usize - first);
        }
        self.kernel.transpose(&mut tile);
        tile
    }

    /// Writes what a strip has computed in a panel of the smaller block, 64 `rows` of it, into the strip's
    /// own panel of the larger block, which begins at row `first`.
    pub fn settle(
        self,
        (plane, strip, part): (usize, usize, usize),
        mut rows: Tile,
        (panel, first): (LinesMut, usize),
        log: &mut Log,
    ) {
        let column = strip * LINE;
        self.kernel.transpose(&mut rows);
        let settle = Settle {
            tile: &rows,
            rows: self.plan.rows_of(self.large, part),
            panel,
            first,
            column,
            lanes: first_lanes((self::rows(self.large) - column).min(LINE)),
            // Where the block pairs with itself, a column begins at its own row.
            corner: self.small == self.large && part == strip,
            spot: spot(plane, self.large),
        };
        self.kernel.settle(settle, log);
    }
}
