//! How strips go through a pair of blocks: see [`super`].
//!
//! # Block n/2, which pairs with itself
//!
//! Row s of the larger half-board and row s of the smaller one are the same here. So the block is
//! swept in *shells*: shell s holds the positions in which the larger number of the two half-boards
//! is s, and home moves lead to lower shells, or within the shell to what was computed just before:
//!
//! ```text
//!              own s          1. (own s, opponent b < s)   a column of the block
//!     +--------+----+         2. (own s, opponent s)
//!     |        | 1  |         3. (own a < s, opponent s)   a row of it
//!     |        |    |
//!   s |--------+----|         opponent s
//!     |   3    |  2 |
//!     +-------------+
//! ```
//!
//! A strip is 64 shells. Its columns are kept aside until its last row is done; where its own rows
//! and columns meet, in a square of 64, scores are computed one by one. A strip goes through the
//! panels up to its own, which no earlier strip has come to.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use super::ahead::ReadAhead;
use super::cross::{CrossingTiles, Values, stride};
use super::ground::{Apart, Views, apart, finished, streams, strips, views};
use super::rows::{Buffers, Pair, Panels};
use super::wavefront::{Chunk, Tasks, Watch, crew};
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
                let _watch = Watch(&chunks);
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

    /// Sweeps one block that pairs with itself.
    pub fn run_alone(self, planes: &mut [Plane], log: &mut Log, ahead: &ReadAhead) -> Result<()> {
        let (panels, count) = (strips(self.large), planes.len());
        let mut planes = apart(planes.iter_mut().map(Plane::blocks_mut));
        let (stopped, logs) = (AtomicBool::new(false), Mutex::new(log));
        let chunks = self.chunks(&mut planes);
        let firsts: Vec<usize> = self.chunk_panels().map(|panels| panels.start).collect();
        let strips = (0..panels).inspect(|strip| ahead.come_to(*strip));
        let (views, tasks) = (views(&planes), Tasks::new(strips));
        crew("strips of n/2", self.threads(), || {
            let _watch = Watch(&chunks);
            let (mut buffers, mut log) = (self.buffers(count, &(0..panels)), empty_like(&logs));
            let mut lines = vec![Line::of(0); Values::lines(count, panels)];
            let mut values = Values { panels, lines: &mut lines };
            while self.sweep.goes_on(&stopped) {
                let Some(strip) = tasks.next() else { break };
                self.cross(strip, strip + 1, &views, &mut buffers);
                // Up to the one that has the strip's own panel.
                let passed = firsts.partition_point(|first| *first <= strip);
                if self.sweep.is_of_core() {
                    // No other strip has come to it.
                    chunks[passed - 1].look(|own| {
                        self.look_back_in(strip, 0..strip + 1, own, &mut buffers);
                    });
                }
                for (chunk, first) in chunks.iter().zip(&firsts).take(passed) {
                    chunk.pass(strip - first, |chunk| {
                        self.shells(strip, &mut values, &buffers, chunk, &mut log);
                    });
                }
            }
            join(&logs, log);
        });
        finished(stopped)?;
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
