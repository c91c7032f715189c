//! A pair of blocks, and what is computed of each of its rows: see [`super`].
//!
//! A pair that one process sweeps alone has all panels of its smaller block; of several processes,
//! each has some. Either way a row is computed from lines that captures and crossing moves have left
//! in [`Buffers`], and from rows before it.

use std::ops::Range;

use super::cross::{Buffer, Values, stride, tile_of};
use super::ground::{Apart, Stream, Sweep, Views, spot, streams};
use crate::layer::index::rows;
use crate::layer::line::{LINE, Line, first_lanes};
use crate::layer::lines::{Lines, LinesMut};
use crate::solver::kernel::{Follow, Lead, LineTile, Log, Settle};
use crate::solver::plan::OUTSIDE;

/// Two blocks that home moves lead to and fro between, while they are swept.
#[derive(Clone, Copy)]
pub struct Pair<'a> {
    /// The sweep.
    pub sweep: &'a Sweep<'a>,
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
    /// By plane, if there are any: the bounds of the same panels.
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
struct Row {
    /// Its number in the strip.
    at: usize,
    /// Its number as the larger half-board, among all rows.
    rank: usize,
    /// Columns of the smaller block that it writes.
    columns: usize,
}

impl Panels<'_> {
    /// Where the lines of a strip's own panel are, if the block pairs with itself.
    fn of_strip(&self, strip: usize) -> Range<usize> {
        let first = (strip - self.first) * self.rows;
        first..first + self.rows
    }
}

impl Buffers {
    /// What a row of the larger block is held against in a plane, if there is a limit: what stands
    /// there, or its bounds.
    fn old_row(&self, plane: usize, which: usize, at: usize, panel: usize) -> &[Line] {
        self.old.get(plane).map_or(&[], |buffers| buffers[which].row(at, panel))
    }
}

impl<'a> Pair<'a> {
    /// Empty buffers for some panels of this many planes.
    pub fn buffers(self, planes: usize, panels: &Range<usize>) -> Buffers {
        let buffers = |count| (0..count).map(|_| Buffer::new(panels)).collect();
        let limits = if self.sweep.is_of_core() { planes } else { 0 };
        let old = (0..limits).map(|_| [Buffer::new(panels), Buffer::new(panels)]).collect();
        Buffers { lead: buffers(planes), follow: buffers(planes), old }
    }

    /// Takes the smaller block out of all planes.
    pub fn take_small<'p>(self, planes: &mut [Apart<'p>]) -> Vec<LinesMut<'p>> {
        planes.iter_mut().map(|blocks| std::mem::take(&mut blocks[self.small])).collect()
    }

    /// Takes the next panels out of what is left of the smaller block in all planes.
    pub fn take_panels<'p>(self, left: &mut [LinesMut<'p>], panels: Range<usize>) -> Panels<'p>
    where
        'a: 'p,
    {
        let (first, count, rows) = (panels.start, panels.len(), self.sweep.rows(self.small));
        let planes = left.iter_mut().map(|lines| lines.take_first(count * rows)).collect();
        let bounds = self.sweep.bounds.into_iter().flatten();
        let bounds = bounds.map(|plane| plane.panels(self.small, panels.clone())).collect();
        Panels { first, count, rows, planes, bounds }
    }

    /// If there are limits: looks what stands in a strip's panel of the larger block, in some lines
    /// of lanes. It is not the smaller block.
    pub fn look_back(
        self,
        strip: usize,
        lines: Range<usize>,
        views: &Views,
        buffers: &mut Buffers,
    ) {
        let Some(bounds) = self.sweep.bounds else { return };
        let (block, shape) = (self.large, bounds[0].shape(self.large));
        let own = shape.lines_of(strip..strip + 1);
        let panel = |plane: usize| {
            [views[plane][block], bounds[plane].block(block)].map(|all| all.range(own.clone()))
        };
        self.look_at(lines, shape.first_row, panel, buffers);
    }

    /// The same of a block that pairs with itself, given panels with the strip's own among them.
    pub fn look_back_in(
        self,
        strip: usize,
        lines: Range<usize>,
        panels: &Panels,
        buffers: &mut Buffers,
    ) {
        let own = panels.of_strip(strip);
        let panel = |plane: usize| {
            [panels.planes[plane].as_lines(), panels.bounds[plane]]
                .map(|all| all.range(own.clone()))
        };
        self.look_at(lines, 0, panel, buffers);
    }

    /// Turns what stands in a strip's panel round, as its rows are computed, and its bounds: `panel`
    /// gives both of a plane, from row `first` on.
    pub fn look_at<'l>(
        self,
        lines: Range<usize>,
        first: usize,
        panel: impl Fn(usize) -> [Lines<'l>; 2],
        buffers: &mut Buffers,
    ) {
        for (plane, old) in buffers.old.iter_mut().enumerate() {
            for (panel, buffer) in panel(plane).into_iter().zip(old) {
                for (at, line) in lines.clone().enumerate() {
                    buffer.out().put(at, &self.turned(panel, first, line));
                    self.sweep.enforce_bound_at(line);
                }
            }
        }
    }

    /// The rows of a strip of the larger block, each with its number in the strip.
    fn of_strip(self, strip: usize) -> impl Iterator<Item = (usize, usize)> {
        (strip * LINE..rows(self.large).min((strip + 1) * LINE)).enumerate()
    }

    /// How many rows a strip of the larger block has.
    pub fn height(self, strip: usize) -> usize {
        self.of_strip(strip).count()
    }

    /// Computes the rows of a strip of two blocks that differ, one after the other, in some panels.
    pub fn rows(
        self,
        strip: usize,
        values: &mut Values,
        buffers: &Buffers,
        panels: &mut Panels,
        log: &mut Log,
    ) {
        let (count, columns) = (panels.count, rows(self.small));
        for (at, rank) in self.of_strip(strip) {
            self.sweep.arena.enforce_bound();
            let row = Row { at, rank, columns };
            for stream in streams(panels.planes.len()) {
                let values = values.row_mut(stream.here, at);
                self.lead(row, stream, values, buffers, panels, count);
                self.follow(row, stream, values, buffers, panels, count, log);
            }
        }
    }

    /// Computes the shells of a strip of the block that pairs with itself, in some panels up to its
    /// own. If that is among them, the columns of the strip are written there when all is computed.
    pub fn shells(
        self,
        strip: usize,
        values: &mut Values,
        buffers: &Buffers,
        panels: &mut Panels,
        log: &mut Log,
    ) {
        let below = panels.count.min(strip - panels.first);
        let meets = below < panels.count;
        for (at, rank) in self.of_strip(strip) {
            let row = Row { at, rank, columns: rank };
            self.sweep.arena.enforce_bound();
            self.shell(row, (below, meets), values, buffers, panels, log);
        }
        let own = panels.of_strip(strip);
        for (plane, lines) in panels.planes.iter_mut().enumerate().filter(|_| meets) {
            let values = (values.plane(plane), stride(values.panels));
            let panel = lines.reborrow().range(own.clone());
            self.settle((plane, strip), 0..strip + 1, values, (panel, 0), log);
        }
    }

    /// Computes a shell of the block that pairs with itself, in `below` panels and, if they have that of
    /// the strip itself, where rows and columns `meet` there.
    fn shell(
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
        self.sweep.kernel.lead(Lead {
            values: &mut values[first..first + count],
            constants: buffers.lead[here].row(at, first),
            lines: panels.planes[there].as_lines(),
            panel_step: panels.rows,
            row_step: 1,
            home: self.sweep.plan.blocks[self.large].half.home_rows(row.rank),
            limit: self.sweep.limit(here, self.large),
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
        let block = &self.sweep.plan.blocks[self.small];
        let number = block.lane_rows[row.rank];
        if number == OUTSIDE {
            return;
        }
        let (windows, starts) = block.half.home.all();
        let follow = Follow {
            rows: panels.rows,
            row: number as usize,
            first: panels.first,
            constants: &buffers.follow[there].row(row.at, panels.first)[..count],
            values,
            windows,
            starts,
            columns: row.columns,
            limit: self.sweep.limit(there, self.small),
            bounds: panels.bounds.get(there).copied().unwrap_or_default(),
            spot: spot(there, self.small),
            panels: panels.planes[there].reborrow(),
        };
        self.sweep.kernel.follow(follow, log);
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
        let plan = &self.sweep.plan.blocks[self.large];
        let own_panel = (strip - panels.first) * panels.rows;
        let mut least = buffers.lead[here].row(at, strip)[0].0[other];
        for &row in plan.half.home_rows(strip * LINE + at) {
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
        self.sweep.limit(here, self.large).apply(-least, || beside(0), || beside(1))
    }

    /// A tile of the larger block, turned round as its rows are computed: of one of its panels, which
    /// begins at row `first`, the rows that have a line of lanes.
    fn turned(self, panel: Lines, first: usize, line: usize) -> LineTile {
        let mut tile = LineTile::of(0);
        let rows = &self.sweep.plan.blocks[self.large].lane_rows[line * LINE..];
        for (line, &row) in tile.0.iter_mut().zip(rows).filter(|(_, row)| **row != OUTSIDE) {
            *line = panel.line(row as usize - first);
        }
        self.sweep.kernel.transpose(&mut tile);
        tile
    }

    /// Writes what a strip has computed in some panels of the smaller block, row after row, each
    /// `stride` lines behind the last, into the strip's own panel of the larger block, or into some
    /// rows of it from `first` on.
    pub fn settle(
        self,
        (plane, strip): (usize, usize),
        parts: Range<usize>,
        (values, stride): (&[Line], usize),
        (mut panel, first): (LinesMut, usize),
        log: &mut Log,
    ) {
        let (Sweep { kernel, plan, .. }, column) = (self.sweep, strip * LINE);
        for (at, part) in parts.enumerate() {
            self.sweep.enforce_bound_at(part);
            let mut tile = tile_of(values, stride, at);
            kernel.transpose(&mut tile);
            let settle = Settle {
                tile: &tile,
                rows: plan.rows_of(self.large, part),
                panel: panel.reborrow(),
                first,
                column,
                lanes: first_lanes((rows(self.large) - column).min(LINE)),
                // Where the block pairs with itself, a column begins at its own row.
                corner: self.small == self.large && part == strip,
                spot: spot(plane, self.large),
            };
            kernel.settle(settle, log);
        }
    }
}
