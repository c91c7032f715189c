//! Block n/2, which pairs with itself.
//!
//! Row s of the larger half-board and row s of the smaller one are the same here. So the block is
//! swept in *shells*: shell s holds the positions in which the larger number of the two half-boards
//! is s, and home moves lead to lower shells, or within the shell to what was computed just before:
//!
//! ```text
//!              own s >         1. (own s, opponent b < s)   a column of the block
//!     +-------------+          2. (own s, opponent s)
//!     |        |    |          3. (own a < s, opponent s)   a row of it
//!     |        | 1  |
//!   s |--------+----|
//!     |   3    |  2 |
//!     +-------------+
//! ```
//!
//! A strip is 64 shells. Its columns are kept aside until its last row is done; where its own rows
//! and columns meet, in a square of 64, scores are computed one by one.

use std::sync::Mutex;

use super::cross::{stride, tile_of};
use super::pair::{Panels, RowWork, Sheets, chunks, empty_like, join};
use super::wavefront::{Tasks, crew};
use super::{Field, Stream, Sweep, apart, spot, stamps_for, streams, views};
use crate::layer::index::rows;
use crate::layer::plane::{LINE, Line, first_lanes};
use crate::solver::kernel::{Limit, Log, Settle};

/// Chunks that the panels are cut into when several threads work on the block.
const CHUNKS: usize = 8;

/// Strips below which one thread does it alone.
const FEW: usize = 4;

/// What a strip computes in columns: by plane, 64 rows of lines.
struct Values {
    panels: usize,
    lines: Vec<Line>,
}

impl Values {
    fn new(planes: usize, panels: usize) -> Values {
        Values { panels, lines: vec![Line::of(0); planes * LINE * stride(panels)] }
    }

    fn plane(&self, plane: usize) -> &[Line] {
        &self.lines[plane * LINE * stride(self.panels)..][..LINE * stride(self.panels)]
    }

    fn row_mut(&mut self, plane: usize, at: usize) -> &mut [Line] {
        let stride = stride(self.panels);
        &mut self.lines[(plane * LINE + at) * stride..][..stride]
    }

    /// The score of (own row `at` of the strip, opponent `lane`).
    fn score(&self, plane: usize, at: usize, lane: usize) -> i8 {
        self.plane(plane)[at * stride(self.panels) + lane / LINE].0[lane % LINE]
    }
}

impl Sweep<'_> {
    /// Sweeps block n/2.
    pub fn middle(&self, field: &mut Field, stamp: u8, log: &mut Log) {
        let block = self.plan.layer.seeds().get() / 2;
        let panels = rows(block).div_ceil(LINE);
        let threads = if panels < FEW { 1 } else { self.threads.min(panels) };
        let (count, logs) = (field.planes.len(), Mutex::new(std::mem::take(log)));
        let (mut planes, mut stamps) = apart(field);
        let taken = planes.iter_mut().map(|plane| std::mem::take(&mut plane[block])).collect();
        let own_stamps = stamps.as_mut().map(|stamps| std::mem::take(&mut stamps[block]));
        let cuts = if threads == 1 { 1 } else { CHUNKS };
        let size = panels.div_ceil(cuts);
        let chunks = chunks((self.rows(block), panels), cuts, taken, own_stamps);
        let (views, tasks) = (views(&planes), Tasks::new(0..panels));
        crew(threads, || {
            let (mut sheets, mut values) = (self.sheets(count, panels), Values::new(count, panels));
            let mut log = empty_like(&logs);
            while !self.observer.interrupted() {
                let Some(strip) = tasks.next() else { break };
                self.cross_strip((block, block), strip, strip + 1, &views, &mut sheets);
                chunks[strip / size].look(|chunk| {
                    let at = (strip - chunk.first) * self.rows(block);
                    let panel = |lines: &&mut [Line]| -> Vec<Line> {
                        lines[at..at + self.rows(block)].to_vec()
                    };
                    let old: Vec<Vec<Line>> = chunk.planes.iter().map(panel).collect();
                    let old: Vec<&[Line]> = old.iter().map(|lines| &**lines).collect();
                    self.limit_strip(block, strip, strip + 1, &old, &mut sheets);
                });
                let shells = Shells { block, strip, stamp, sheets: &sheets };
                for (chunk, first) in chunks.iter().zip((0..=strip).step_by(size)) {
                    chunk.pass(strip - first, |chunk| {
                        self.shells(&shells, &mut values, chunk, &mut log)
                    });
                }
            }
            join(&logs, log);
        });
        drop(chunks);
        *log = logs.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    }

    /// The second stage of a strip in one chunk.
    fn shells(&self, shells: &Shells, values: &mut Values, panels: &mut Panels, log: &mut Log) {
        let Shells { block, strip, stamp, sheets } = *shells;
        let below = panels.count.min(strip - panels.first);
        let meets = below < panels.count;
        let ranks = strip * LINE..rows(block).min((strip + 1) * LINE);
        for (at, rank) in ranks.enumerate() {
            let row = self.plan.blocks[block].lane_rows[rank];
            let work = |stream| RowWork { at, rank, row, stream, stamp, columns: rank, sheets };
            for stream in streams(panels.planes.len()) {
                let values = values.row_mut(stream.here, at);
                self.lead_row((block, block), &work(stream), values, panels, below);
            }
            if meets {
                self.corner(shells, at, values, panels);
            }
            for stream in streams(panels.planes.len()) {
                let values = values.row_mut(stream.here, at);
                let count = below + usize::from(meets);
                self.follow_row(block, &work(stream), values, panels, count, log);
            }
        }
        if meets {
            self.settle_strip(shells, values, panels, log);
        }
    }

    /// Where rows and columns of the strip meet: what shell `at` has there, its first two steps.
    fn corner(&self, shells: &Shells, at: usize, values: &mut Values, panels: &Panels) {
        for last in [false, true] {
            for stream in streams(panels.planes.len()) {
                let others = if last { at..at + 1 } else { 0..at };
                for other in others {
                    let score = self.corner_score(shells, (at, other), stream, values, panels);
                    values.row_mut(stream.here, at)[shells.strip].0[other] = score;
                }
            }
        }
    }

    /// The score of (own row `at`, opponent `other`), both of the strip.
    fn corner_score(
        &self,
        shells: &Shells,
        (at, other): (usize, usize),
        Stream { here, there }: Stream,
        values: &Values,
        panels: &Panels,
    ) -> i8 {
        let Shells { block, strip, sheets, .. } = *shells;
        let plan = &self.plan.blocks[block];
        let mut least = sheets.lead[here].row(at, strip)[0].0[other];
        for &row in plan.home_rows(strip * LINE + at) {
            let lane = plan.row_lanes[row as usize] as usize;
            // (own `other`, opponent `lane`): of a row of the strip, or of a column.
            let child = if lane > strip * LINE + other {
                panels.planes[there][(strip - panels.first) * self.rows(block) + row as usize].0
                    [other]
            } else {
                values.score(there, other, lane)
            };
            least = least.min(child);
        }
        let beside = |which: usize| sheets.old[here][which].row(at, strip)[0].0[other];
        match self.limit(here, block) {
            Limit::Free => -least,
            Limit::Above { most } => (-least).min(beside(0)).min(most).max(beside(1)),
            Limit::Below { least: bound } => (-least).max(beside(0)).max(bound).min(beside(1)),
        }
    }

    /// Writes the columns of a strip: its own panel of the block.
    fn settle_strip(&self, shells: &Shells, values: &Values, panels: &mut Panels, log: &mut Log) {
        let Shells { block, strip, stamp, .. } = *shells;
        let lines = self.rows(block);
        let at = (strip - panels.first) * lines;
        let count = panels.planes.len();
        for plane in 0..count {
            let stamps = panels.stamps.as_deref_mut().filter(|_| plane + 1 == count);
            let mut stamps = stamps.map(|stamps| &mut stamps[at..at + lines]);
            let panel = &mut panels.planes[plane][at..at + lines];
            for part in 0..=strip {
                let mut tile = tile_of(values.plane(plane), values.panels, part);
                self.kernel.transpose(&mut tile);
                let lane_rows = &self.plan.blocks[block].lane_rows;
                let lane_rows = &lane_rows[part * LINE..lane_rows.len().min((part + 1) * LINE)];
                let column = strip * LINE;
                let lanes = first_lanes((rows(block) - column).min(LINE));
                let settle = Settle {
                    tile: &tile,
                    rows: lane_rows,
                    panel,
                    column,
                    lanes,
                    // In the corner, a column begins at its own row.
                    corner: part == strip,
                    stamps: stamps_for(stamps.as_deref_mut(), stamp, self.stamped),
                    spot: spot(plane, block),
                };
                self.kernel.settle(settle, log);
            }
        }
    }
}

/// A strip of shells.
#[derive(Clone, Copy)]
struct Shells<'a> {
    block: usize,
    strip: usize,
    stamp: u8,
    sheets: &'a Sheets,
}
