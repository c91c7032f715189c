//! A pair of blocks, the smaller with fewer seeds in the mover's row: see [`super`].

use std::sync::{Mutex, PoisonError};

use super::cross::{Crossing, Sheet, stride, tile_of};
use super::wavefront::{Chunk, Tasks, crew};
use super::{Field, Stream, Sweep, Views, apart, spot, stamps_for, streams, views};
use crate::layer::index::rows;
use crate::layer::plane::{LINE, Line, first_lanes};
use crate::solver::kernel::{Follow, Lead, Log, Settle};
use crate::solver::plan::OUTSIDE;

/// Chunks that the panels of a pair are cut into when several threads work on it.
const CHUNKS: usize = 8;

/// Strips of a pair below which one thread does it alone.
const FEW: usize = 4;

/// Some panels of the smaller block, all rows of them.
pub struct Panels<'p> {
    /// The first panel.
    pub first: usize,
    /// How many.
    pub count: usize,
    /// By plane.
    pub planes: Vec<&'p mut [Line]>,
    /// Of the last plane.
    pub stamps: Option<&'p mut [Line]>,
}

/// Cuts a block into chunks of panels: its lines in each plane, and stamps.
pub fn chunks<'p>(
    (rows, panels): (usize, usize),
    count: usize,
    mut planes: Vec<&'p mut [Line]>,
    mut stamps: Option<&'p mut [Line]>,
) -> Vec<Chunk<Panels<'p>>> {
    let size = panels.div_ceil(count);
    let chunk = |first: usize| {
        let count = size.min(panels - first);
        let cut = |lines: &mut &'p mut [Line]| {
            let (part, behind) = std::mem::take(lines).split_at_mut(count * rows);
            *lines = behind;
            part
        };
        let planes = planes.iter_mut().map(cut).collect();
        Chunk::new(Panels { first, count, planes, stamps: stamps.as_mut().map(cut) })
    };
    (0..panels).step_by(size).map(chunk).collect()
}

/// One row of a strip and all that computing it takes besides the panels.
pub struct RowWork<'w> {
    /// Its number in the strip.
    pub at: usize,
    /// What it is as the larger half-board, among all rows.
    pub rank: usize,
    /// What it is as the opponent's row of the smaller block, if the layer has that.
    pub row: u32,
    /// What is computed.
    pub stream: Stream,
    /// The stamp of now.
    pub stamp: u8,
    /// Columns of the smaller block that are written.
    pub columns: usize,
    /// The strip.
    pub sheets: &'w Sheets,
}

/// What a strip's first stage leaves for the second.
pub struct Sheets {
    /// By plane: what captures and crossing moves leave in the larger block.
    pub lead: Vec<Sheet>,
    /// By plane: the same in the smaller block.
    pub follow: Vec<Sheet>,
    /// By plane, if there are limits: what stands in the larger block, and its bounds.
    pub old: Vec<[Sheet; 2]>,
}

impl Sheets {
    fn row<'s>(
        sheets: &'s [[Sheet; 2]],
        plane: usize,
        which: usize,
        at: usize,
        panel: usize,
    ) -> &'s [Line] {
        sheets.get(plane).map_or(&[], |sheets| sheets[which].row(at, panel))
    }
}

impl Sweep<'_> {
    /// Sweeps blocks `small` and n − `small`.
    pub fn pair(&self, small: usize, field: &mut Field, stamp: u8, log: &mut Log) {
        let large = self.plan.opponent(small);
        let (strips, panels) = (rows(large).div_ceil(LINE), rows(small).div_ceil(LINE));
        let threads = if strips < FEW { 1 } else { self.threads.min(strips) };
        let strip_lines = LINE * stride(panels);
        let count = field.planes.len();
        let mut late: Vec<Line> = vec![Line::of(0); count * strips * strip_lines];
        let logs = Mutex::new(std::mem::take(log));
        let (mut planes, mut stamps) = apart(field);
        {
            let taken = planes.iter_mut().map(|plane| std::mem::take(&mut plane[small])).collect();
            let small_stamps = stamps.as_mut().map(|stamps| std::mem::take(&mut stamps[small]));
            let cuts = if threads == 1 { 1 } else { CHUNKS };
            let chunks = chunks((self.rows(small), panels), cuts, taken, small_stamps);
            let views = views(&planes);
            let tasks = Tasks::new(late.chunks_exact_mut(count * strip_lines).enumerate());
            crew(threads, || {
                let mut sheets = self.sheets(count, panels);
                let mut log = empty_like(&logs);
                while !self.observer.interrupted() {
                    let Some((strip, values)) = tasks.next() else { break };
                    self.cross_strip((small, large), strip, panels, &views, &mut sheets);
                    let panel = |blocks: &Vec<_>| panel_of(blocks[large], strip, self.rows(large));
                    let old: Vec<&[Line]> = views.iter().map(panel).collect();
                    self.limit_strip(large, strip, panels, &old, &mut sheets);
                    for chunk in &chunks {
                        chunk.pass(strip, |chunk| {
                            self.strip_rows(
                                (small, large),
                                strip,
                                (values, strip_lines),
                                &sheets,
                                chunk,
                                stamp,
                                &mut log,
                            );
                        });
                    }
                }
                join(&logs, log);
            });
        }
        self.settle_pair((small, large), threads, (&late, panels), (planes, stamps), stamp, &logs);
        *log = logs.into_inner().unwrap_or_else(PoisonError::into_inner);
    }

    /// Empty sheets for a strip.
    pub fn sheets(&self, planes: usize, panels: usize) -> Sheets {
        let sheets = |count| (0..count).map(|_| Sheet::new(panels)).collect();
        let limits = if self.bounds.is_some() { planes } else { 0 };
        let old = (0..limits).map(|_| [Sheet::new(panels), Sheet::new(panels)]).collect();
        Sheets { lead: sheets(planes), follow: sheets(planes), old }
    }

    /// The first stage of a strip.
    pub fn cross_strip(
        &self,
        (small, large): (usize, usize),
        strip: usize,
        panels: usize,
        views: &Views,
        sheets: &mut Sheets,
    ) {
        for stream in streams(views.len()) {
            let lead = Crossing { own: large, stream, views };
            self.cross_lead(lead, strip, panels, &mut sheets.lead[stream.here]);
            let follow = Crossing { own: small, stream, views };
            self.cross_follow(follow, strip, panels, &mut sheets.follow[stream.here]);
        }
    }

    /// What the larger block's part of a strip was, and its bounds, if there are any.
    pub fn limit_strip(
        &self,
        large: usize,
        strip: usize,
        panels: usize,
        old: &[&[Line]],
        sheets: &mut Sheets,
    ) {
        let lines = self.rows(large);
        for (plane, [was, bounds]) in sheets.old.iter_mut().enumerate() {
            self.turned(large, old[plane], panels, was);
            self.turned(
                large,
                &self.bounds(plane, large)[strip * lines..][..lines],
                panels,
                bounds,
            );
        }
    }

    /// The second stage of a strip in some panels, row after row.
    #[expect(clippy::too_many_arguments)]
    fn strip_rows(
        &self,
        (small, large): (usize, usize),
        strip: usize,
        (values, lines): (&mut [Line], usize),
        sheets: &Sheets,
        panels: &mut Panels,
        stamp: u8,
        log: &mut Log,
    ) {
        let width = lines / LINE;
        let ranks = strip * LINE..rows(large).min((strip + 1) * LINE);
        for (at, rank) in ranks.enumerate() {
            for stream in streams(panels.planes.len()) {
                let values = &mut values[stream.here * lines + at * width..][..width];
                let row = self.plan.blocks[small].lane_rows[rank];
                let work = RowWork { at, rank, row, stream, stamp, columns: rows(small), sheets };
                self.lead_row((small, large), &work, values, panels, panels.count);
                self.follow_row(small, &work, values, panels, panels.count, log);
            }
        }
    }

    /// Computes a row of the larger block in some panels.
    pub fn lead_row(
        &self,
        (small, large): (usize, usize),
        work: &RowWork,
        values: &mut [Line],
        panels: &Panels,
        count: usize,
    ) {
        let Stream { here, there } = work.stream;
        let (first, sheets) = (panels.first, work.sheets);
        self.kernel.lead(Lead {
            values: &mut values[first..first + count],
            constants: sheets.lead[here].row(work.at, first),
            panels: panels.planes[there],
            rows: self.rows(small),
            home: self.plan.blocks[large].home_rows(work.rank),
            limit: self.limit(here, large),
            old: Sheets::row(&sheets.old, here, 0, work.at, first),
            bounds: Sheets::row(&sheets.old, here, 1, work.at, first),
        });
    }

    /// Computes a row of the smaller block in some panels, where the layer has it.
    pub fn follow_row(
        &self,
        small: usize,
        work: &RowWork,
        values: &[Line],
        panels: &mut Panels,
        count: usize,
        log: &mut Log,
    ) {
        if work.row == OUTSIDE {
            return;
        }
        let target = work.stream.there;
        let (first, rows) = (panels.first, self.rows(small));
        let (windows, starts) = self.plan.blocks[small].home().all();
        let bounds = self.bounds(target, small);
        let is_last = target + 1 == panels.planes.len();
        let stamps = if is_last { panels.stamps.as_deref_mut() } else { None };
        let follow = Follow {
            rows,
            row: work.row as usize,
            first,
            constants: &work.sheets.follow[target].row(work.at, first)[..count],
            values,
            windows,
            starts,
            columns: work.columns,
            limit: self.limit(target, small),
            bounds: bounds.get(first * rows..).unwrap_or(&[]),
            stamps: stamps_for(stamps, work.stamp, self.stamped),
            spot: spot(target, small),
            panels: panels.planes[target],
        };
        self.kernel.follow(follow, log);
    }

    /// Writes what the strips have computed into the larger block: each strip is a panel of it.
    fn settle_pair(
        &self,
        (small, large): (usize, usize),
        threads: usize,
        (late, panels): (&[Line], usize),
        (mut planes, mut stamps): (Vec<super::Apart<'_>>, Option<super::Apart<'_>>),
        stamp: u8,
        logs: &Mutex<Log>,
    ) {
        let (count, strip_lines, rows) = (planes.len(), LINE * stride(panels), self.rows(large));
        let mut targets: Vec<(usize, usize, &mut [Line], Option<&mut [Line]>)> = Vec::new();
        for (plane, blocks) in planes.iter_mut().enumerate() {
            let stamps = stamps.as_mut().filter(|_| plane + 1 == count);
            let mut stamps =
                stamps.map(|stamps| std::mem::take(&mut stamps[large]).chunks_exact_mut(rows));
            for (strip, panel) in
                std::mem::take(&mut blocks[large]).chunks_exact_mut(rows).enumerate()
            {
                targets.push((plane, strip, panel, stamps.as_mut().and_then(Iterator::next)));
            }
        }
        let tasks = Tasks::new(targets.into_iter());
        crew(threads, || {
            let mut log = empty_like(logs);
            while let Some((plane, strip, panel, mut stamps)) = tasks.next() {
                let values = &late[(strip * count + plane) * strip_lines..][..strip_lines];
                for part in 0..panels {
                    let mut tile = tile_of(values, panels, part);
                    self.kernel.transpose(&mut tile);
                    let lane_rows = &self.plan.blocks[large].lane_rows;
                    let settle = Settle {
                        tile: &tile,
                        rows: &lane_rows[part * LINE..lane_rows.len().min((part + 1) * LINE)],
                        panel,
                        column: strip * LINE,
                        lanes: first_lanes((self::rows(large) - strip * LINE).min(LINE)),
                        corner: false,
                        stamps: stamps_for(stamps.as_deref_mut(), stamp, self.stamped),
                        spot: spot(plane, large),
                    };
                    self.kernel.settle(settle, &mut log);
                }
            }
            join(logs, log);
        });
        let _ = small;
    }
}

/// The lines of a panel of a block.
fn panel_of(lines: &[Line], panel: usize, rows: usize) -> &[Line] {
    &lines[panel * rows..(panel + 1) * rows]
}

/// A log that is as curious as another.
pub fn empty_like(log: &Mutex<Log>) -> Log {
    let log = log.lock().unwrap_or_else(PoisonError::into_inner);
    Log { count: 0, changes: log.changes.as_ref().map(|_| Vec::new()) }
}

/// Adds one thread's log to that of all.
pub fn join(all: &Mutex<Log>, log: Log) {
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    all.count += log.count;
    if let (Some(all), Some(more)) = (&mut all.changes, log.changes) {
        all.extend(more);
    }
}
