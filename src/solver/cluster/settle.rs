//! The last stage of a pair on one rank: what was computed in the larger block is stored.

use super::cut::strips;
use super::pair::{Pair, Sheets, Small};
use super::part::{Field, Part};
use super::sheet::Sheet;
use crate::layer::index::rows;
use crate::layer::line::{LINE, Line, first_lanes};
use crate::layer::lines::LinesMut;
use crate::solver::kernel::{Limit, Log, Settle, Spot, Tile};
use crate::solver::plan::OUTSIDE;

impl Pair<'_> {
    /// Stores the own rows of the larger block, strip by strip and plane by plane as they were kept.
    pub fn settle(&self, late: &[Line], field: &mut Field, log: &mut Log) {
        let (planes, width) = (field.planes.len(), self.interval.len());
        let first = field.planes[0][self.large].rows.start as u32;
        let local = |&row: &u32| if row == OUTSIDE { OUTSIDE } else { row - first };
        let local: Vec<u32> = self.lane_rows().iter().map(local).collect();
        let mut kept = late.chunks_exact(LINE * width);
        for strip in 0..strips(self.large) {
            for plane in 0..planes {
                let lines = kept.next().expect("all strips and planes");
                let part = &mut field.planes[plane][self.large];
                part.keep();
                for (at, rows) in local.chunks(LINE).enumerate() {
                    let mut tile = Tile::of(0);
                    let lines = lines.chunks_exact(width);
                    tile.0.iter_mut().zip(lines).for_each(|(line, row)| *line = row[at]);
                    let place = (plane, strip, false);
                    self.settle_tile(place, tile, rows, part, log);
                }
            }
        }
    }

    /// The row of each own lane in the larger block.
    fn lane_rows(&self) -> &[u32] {
        let all = self.sweep.plan.blocks[self.large].lane_rows;
        &all[self.interval.start * LINE..all.len().min(self.interval.end * LINE)]
    }

    /// Stores the columns of a strip of block n/2: its own panel.
    pub fn settle_alone(&self, strip: usize, values: &[Sheet], small: &mut Small, log: &mut Log) {
        let lane_rows = self.sweep.plan.blocks[self.large].lane_rows;
        for (plane, sheet) in values.iter().enumerate() {
            for (panel, rows) in lane_rows.chunks(LINE).enumerate().take(strip + 1) {
                // A column begins at its own row.
                let place = (plane, strip, panel == strip);
                let part = &mut small.planes[plane];
                self.settle_tile(place, sheet.tile(panel), rows, part, log);
            }
        }
    }

    fn settle_tile(
        &self,
        (plane, strip, corner): (usize, usize, bool),
        mut tile: Tile,
        rows_of_lanes: &[u32],
        part: &mut Part,
        log: &mut Log,
    ) {
        let column = strip * LINE;
        self.sweep.kernel.transpose(&mut tile);
        let settle = Settle {
            tile: &tile,
            rows: rows_of_lanes,
            panel: LinesMut::Byte(part.panel_mut(strip)),
            first: 0,
            column,
            lanes: first_lanes((rows(self.large) - column).min(LINE)),
            corner,
            spot: Spot { block: self.large as u8, plane: plane as u8 },
        };
        self.sweep.kernel.settle(settle, log);
    }

    /// The first two steps of a shell where rows and columns of its strip meet.
    pub fn corner(&self, strip: usize, at: usize, sheets: &mut Sheets, small: &Small) {
        for others in [0..at, at..at + 1] {
            for here in 0..small.planes.len() {
                for other in others.clone() {
                    let score = self.corner_score(strip, (at, other), here, sheets, small);
                    sheets.values[here].row_mut(at)[strip].0[other] = score;
                }
            }
        }
    }

    /// The score of (own row `at`, opponent `other`), both of the strip.
    fn corner_score(
        &self,
        strip: usize,
        (at, other): (usize, usize),
        here: usize,
        sheets: &Sheets,
        small: &Small,
    ) -> i8 {
        let (block, there) = (&self.sweep.plan.blocks[self.large], small.planes.len() - 1 - here);
        let own = strip - self.interval.start;
        let mut least = sheets.lead[here].row(at)[own].0[other];
        for &row in block.home_rows(strip * LINE + at) {
            let lane = block.row_lanes[row as usize] as usize;
            // (own `other`, opponent `lane`) is of a row of the strip, or of a column.
            let child = if lane > strip * LINE + other {
                small.planes[there].panel(strip)[row as usize].0[other]
            } else {
                sheets.values[there].row(other)[lane / LINE].0[lane % LINE]
            };
            least = least.min(child);
        }
        let beside = |which: usize| sheets.old[here][which].row(at)[own].0[other];
        match self.sweep.limit(here, self.large) {
            Limit::Free => -least,
            Limit::Above { most } => (-least).min(beside(0)).min(most).max(beside(1)),
            Limit::Below { least: bound } => (-least).max(beside(0)).max(bound).min(beside(1)),
        }
    }
}
