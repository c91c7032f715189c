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

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use super::ahead::ReadAhead;
use super::cross::Values;
use super::ground::{apart, finished, strips, views};
use super::pair::{empty_like, join};
use super::rows::Pair;
use super::wavefront::{Tasks, crew};
use crate::error::Result;
use crate::layer::line::Line;
use crate::layer::plane::Plane;
use crate::solver::kernel::Log;

impl Pair<'_> {
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
}
