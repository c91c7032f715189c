//! How strips go through a pair of blocks: see [`super`].

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use super::ahead::ReadAhead;
use super::cross::{CrossingTiles, Values, stride};
use super::ground::{Apart, Views, apart, finished, streams, strips, views};
use super::rows::{Buffers, Pair, Panels};
use super::wavefront::{Chunk, Tasks, crew};
use crate::error::Result;
use crate::layer::blocks::Blocks;
use crate::layer::line::Line;
use crate::layer::lines::{Lines, LinesMut};
use crate::layer::plane::Plane;
use crate::pool::locked;
use crate::solver::kernel::Log;

/// Strips of a pair below which one thread does it alone.
const FEW: usize = 4;

/// Threads that wait for each other often enough for more chunks than threads to pay.
const MANY: usize = 4;

/// Chunks for each of many threads.
const CHUNKS: usize = 2;

impl<'a> Pair<'a> {
    /// Sweeps both blocks of two that differ.
    pub fn run(
        self,
        planes: &mut [Plane],
        late: &mut Blocks,
        log: &mut Log,
        ahead: &ReadAhead,
    ) -> Result<()> {
        let (strips, panels, count) = (strips(self.large), strips(self.small), planes.len());
        let lines = Values::lines(count, panels);
        let mut late = late.block_mut(0).range(0..strips * lines);
        let mut planes = apart(planes.iter_mut().map(Plane::blocks_mut));
        let (stopped, logs) = (AtomicBool::new(false), Mutex::new(log));
        {
            let chunks = self.chunks(&mut planes);
            let views = views(&planes);
            let strips = late.reborrow().pieces(lines).into_iter().enumerate();
            let tasks = Tasks::new(strips.inspect(|(strip, _)| ahead.come_to(*strip)));
            crew("strips", self.threads(), || {
                let (mut buffers, mut log) = (self.buffers(count, &(0..panels)), empty_like(&logs));
                let mut unpacked = Vec::new();
                while self.sweep.goes_on(&stopped) {
                    let Some((strip, late)) = tasks.next() else { break };
                    self.cross(strip, panels, &views, &mut buffers);
                    self.look_back(strip, 0..panels, &views, &mut buffers);
                    let mut rows = |lines: &mut [Line]| {
                        let mut values = Values { panels, lines };
                        for chunk in &chunks {
                            chunk.pass(strip, |chunk| {
                                self.rows(strip, &mut values, &buffers, chunk, &mut log)
                            });
                        }
                    };
                    match late {
                        LinesMut::Byte(late) => rows(late),
                        late => {
                            unpacked.resize(lines, Line::of(0));
                            rows(&mut unpacked);
                            self.sweep.kernel.pack(late, &unpacked);
                        }
                    }
                }
                join(&logs, log);
            });
        }
        finished(stopped)?;
        let late = late.as_lines();
        let come_to = |strip| ahead.come_to(strip);
        self.settle_all(&mut planes, &logs, come_to, |plane, strip, unpacked| {
            let lines = Values::lines(1, panels);
            let first = (strip * count + plane) * lines;
            match late.range(first..first + lines) {
                Lines::Byte(values) => Some(values),
                values => {
                    unpacked.resize(lines, Line::of(0));
                    self.sweep.kernel.unpack(values, unpacked);
                    None
                }
            }
        });
        Ok(())
    }

    /// How many threads may work on it.
    pub fn threads(self) -> usize {
        let strips = strips(self.large);
        if strips < FEW { 1 } else { self.sweep.threads.min(strips) }
    }

    /// The panels of each chunk of the smaller block.
    pub fn chunk_panels(self) -> impl Iterator<Item = Range<usize>> {
        let (panels, threads) = (strips(self.small), self.threads());
        let count = panels.min(if threads < MANY { threads } else { CHUNKS * threads });
        (0..count).map(move |chunk| panels * chunk / count..panels * (chunk + 1) / count)
    }

    /// Takes the smaller block out of all planes and cuts it into chunks of panels.
    pub fn chunks<'p>(self, planes: &mut [Apart<'p>]) -> Vec<Chunk<Panels<'p>>>
    where
        'a: 'p,
    {
        let mut left = self.take_small(planes);
        let chunk = |panels| Chunk::new(self.take_panels(&mut left, panels));
        self.chunk_panels().map(chunk).collect()
    }

    /// The first stage of a strip.
    pub fn cross(self, strip: usize, panels: usize, views: &Views, buffers: &mut Buffers) {
        for stream in streams(views.len()) {
            let lead = CrossingTiles { own: self.large, stream, views };
            self.sweep.cross_lead(lead, strip, 0..panels, buffers.lead[stream.here].out());
            let follow = CrossingTiles { own: self.small, stream, views };
            self.sweep.cross_follow(follow, strip, 0..panels, buffers.follow[stream.here].out());
        }
    }

    /// Writes what has been computed into the larger block: each strip is a panel of it. `values` says
    /// what has been computed of a strip in a plane, row after row, or puts it into some lines.
    pub fn settle_all<'v>(
        self,
        planes: &mut [Apart],
        logs: &Mutex<&mut Log>,
        come_to: impl Fn(usize) + Send + Sync,
        values: impl Fn(usize, usize, &mut Vec<Line>) -> Option<&'v [Line]> + Sync,
    ) {
        let rows = self.sweep.rows(self.large);
        let (panels, mut targets) = (strips(self.small), Vec::new());
        for (plane, blocks) in planes.iter_mut().enumerate() {
            let lines = std::mem::take(&mut blocks[self.large]).pieces(rows);
            targets
                .extend(lines.into_iter().enumerate().map(|(strip, panel)| (plane, strip, panel)));
        }
        targets.sort_by_key(|(plane, strip, ..)| (*strip, *plane));
        let tasks = Tasks::new(targets.into_iter().inspect(|(plane, strip, ..)| {
            if *plane == 0 {
                come_to(*strip);
            }
        }));
        crew("settle", self.threads(), || {
            let (mut log, mut unpacked) = (empty_like(logs), Vec::new());
            while let Some((plane, strip, panel)) = tasks.next() {
                let values = values(plane, strip, &mut unpacked).unwrap_or(&unpacked);
                let values = (values, stride(panels));
                self.settle((plane, strip), 0..panels, values, (panel, 0), &mut log);
            }
            join(logs, log);
        });
    }
}

/// A log that is as curious as another.
pub fn empty_like(log: &Mutex<&mut Log>) -> Log {
    let log = locked(log);
    Log { count: 0, changes: log.changes.as_ref().map(|_| Vec::new()) }
}

/// Adds one thread's log to that of all.
pub fn join(all: &Mutex<&mut Log>, log: Log) {
    let mut all = locked(all);
    all.count += log.count;
    if let (Some(all), Some(more)) = (&mut all.changes, log.changes) {
        all.extend(more);
    }
}
