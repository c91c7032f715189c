//! Block n/2, which pairs with itself.
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

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use super::ahead::ReadAhead;
use super::cross::Values;
use super::ground::{apart, finished, strips, views};
use super::pair::{Pair, empty_like, join};
use super::rows::{Buffers, Panels, Row};
use super::wavefront::{Chunk, Tasks, crew};
use crate::error::Result;
use crate::layer::line::Line;
use crate::layer::plane::Plane;
use crate::solver::kernel::Log;

/// A strip of block n/2, once its first stage is done.
#[derive(Clone, Copy)]
struct Shells<'s> {
    pair: Pair<'s>,
    strip: usize,
    buffers: &'s Buffers,
}

impl Pair<'_> {
    /// Sweeps one block that pairs with itself.
    pub fn run_alone(self, planes: &mut [Plane], log: &mut Log, ahead: &ReadAhead) -> Result<()> {
        let (panels, count) = (strips(self.large), planes.len());
        let mut planes = apart(planes.iter_mut().map(Plane::blocks_mut));
        let (stopped, logs) = (AtomicBool::new(false), Mutex::new(std::mem::take(log)));
        let chunks = self.chunks(&mut planes);
        let firsts: Vec<usize> = self.chunk_panels().map(|panels| panels.start).collect();
        let strips = (0..panels).inspect(|strip| ahead.come_to(*strip));
        let (views, tasks) = (views(&planes), Tasks::new(strips));
        crew("strips of n/2", self.threads(), || {
            let (mut buffers, mut log) = (self.buffers(count), empty_like(&logs));
            let mut lines = vec![Line::of(0); Values::lines(count, panels)];
            let mut values = Values { panels, lines: &mut lines };
            while self.sweep.goes_on(&stopped) {
                let Some(strip) = tasks.next() else { break };
                self.cross(strip, strip + 1, &views, &mut buffers);
                // Up to the one that has the strip's own panel.
                let passed = firsts.partition_point(|first| *first <= strip);
                self.look_back_alone(strip, &chunks[passed - 1], &mut buffers);
                let shells = Shells { pair: self, strip, buffers: &buffers };
                for (chunk, first) in chunks.iter().zip(&firsts).take(passed) {
                    chunk.pass(strip - first, |chunk| shells.rows(&mut values, chunk, &mut log));
                }
            }
            join(&logs, log);
        });
        finished(stopped)?;
        *log = logs.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(())
    }

    /// If there are limits: what the strip's own panel was. No other strip has come to it.
    fn look_back_alone(self, strip: usize, chunk: &Chunk<Panels>, buffers: &mut Buffers) {
        if buffers.old.is_empty() {
            return;
        }
        chunk.look(|panels| {
            for ([old, _], lines) in buffers.old.iter_mut().zip(&panels.planes) {
                let first = (strip - panels.first) * panels.rows;
                let panel = lines.as_lines().range(first..first + panels.rows);
                self.turned(panel, strip + 1, old);
            }
        });
        self.look_at_bounds(strip, strip + 1, buffers);
    }
}

impl Shells<'_> {
    /// The second stage in one chunk.
    fn rows(self, values: &mut Values, panels: &mut Panels, log: &mut Log) {
        let below = panels.count.min(self.strip - panels.first);
        // The last chunk has the strip's own panel, where rows and columns meet.
        let meets = below < panels.count;
        for (at, rank) in self.pair.both().of_strip(self.strip) {
            let row = Row { at, rank, columns: rank };
            self.pair.sweep.arena.keep();
            self.pair.both().shell(row, (below, meets), values, self.buffers, panels, log);
        }
        if meets {
            self.settle(values, panels, log);
        }
    }

    /// Writes the columns of the strip: its own panel of the block.
    fn settle(self, values: &Values, panels: &mut Panels, log: &mut Log) {
        let own_panel = (self.strip - panels.first) * panels.rows;
        let own_panel = own_panel..own_panel + panels.rows;
        for (plane, lines) in panels.planes.iter_mut().enumerate() {
            let panel = lines.reborrow().range(own_panel.clone());
            let (values, parts) = ((values.plane(plane), values.panels), 0..self.strip + 1);
            self.pair.settle_panel(plane, self.strip, parts, values, panel, log);
        }
    }
}
