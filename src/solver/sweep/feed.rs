//! What captures are worth in a strip, read ahead from disk if it is there.
//!
//! A sweep goes through all strips in a fixed order, so a thread reads them in that order, several at
//! once where they are small, and hands them out one by one. It is ahead by a few such batches, which
//! is all the memory it takes. Who hands out a strip has the scores brought that it touches
//! ([`super::ahead`]).

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::Sweep;
use super::ahead::ReadAhead;
use crate::layer::blocks::{LINE, Line};
use crate::solver::kernel::{NONE, Tile};
use crate::solver::plan::LayerPlan;
use crate::solver::strips::{Captures, ReadLines, Strip};

/// Strips that come one after the other.
pub struct Feed<'a> {
    plan: &'a LayerPlan<'a>,
    captures: &'a [&'a Captures],
    read: Option<Mutex<Read>>,
    ahead: &'a ReadAhead,
}

/// What has been read and not been handed out.
struct Read {
    batches: Receiver<Batch>,
    /// The batch of which there is more, and how many of its lines have been handed out.
    begun: Option<(Arc<Batch>, usize)>,
}

/// Neighbouring strips that have been read together.
struct Batch {
    /// By plane, or for both: the lines of those that are on disk.
    lines: Vec<ReadLines>,
    spare: Spare,
}

/// Memory for lines that nobody uses. To get it anew for each strip would take longer than to read
/// one.
#[derive(Clone, Default)]
struct Spare(Arc<Mutex<Vec<ReadLines>>>);

/// What captures are worth in a strip.
pub struct StripCaptures<'a> {
    plan: &'a LayerPlan<'a>,
    captures: &'a [&'a Captures],
    strip: Strip,
    /// Where it has been read, and the first of its lines there.
    read: Option<(Arc<Batch>, usize)>,
}

/// How many batches are read before they are asked for, beside one for each thread.
const AHEAD: usize = 1;

/// Batches that are in memory at most where so many threads work.
pub const fn most_batches(threads: usize) -> usize {
    // One is being read, and one waits to be put into the channel.
    2 * threads + AHEAD + 2
}

/// Calls `work` with all strips of a sweep.
pub fn with_feed<R>(sweep: &Sweep, ahead: &ReadAhead, work: impl FnOnce(&Feed) -> R) -> R {
    let (plan, captures) = (sweep.plan, &*sweep.captures);
    if !captures.iter().any(|captures| captures.is_on_disk()) {
        return work(&Feed { plan, captures, read: None, ahead });
    }
    thread::scope(|scope| {
        let (sender, batches) = sync_channel(sweep.threads + AHEAD);
        let seeds = sweep.plan.layer.seeds().get();
        scope.spawn(move || read_all(captures, seeds, &sender));
        // It goes before the scope ends, which ends the reading.
        let read = Some(Mutex::new(Read { batches, begun: None }));
        work(&Feed { plan, captures, read, ahead })
    })
}

fn read_all(captures: &[&Captures], seeds: usize, sender: &SyncSender<Batch>) {
    let spare = Spare::default();
    for strips in Strip::batches(seeds) {
        let read = |captures: &&Captures| {
            let mut lines = spare.take();
            captures.read(&strips, &mut lines);
            lines
        };
        let lines = captures.iter().map(read).collect();
        if sender.send(Batch { lines, spare: spare.clone() }).is_err() {
            return;
        }
    }
}

impl Spare {
    fn list(&self) -> MutexGuard<'_, Vec<ReadLines>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> ReadLines {
        self.list().pop().unwrap_or_default()
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        self.spare.list().append(&mut self.lines);
    }
}

impl Read {
    /// The batch that the next strip is in, and the first of its lines there.
    fn next(&mut self, strip: Strip) -> (Arc<Batch>, usize) {
        let (batch, first) = self.begun.take().unwrap_or_else(|| {
            let batch = self.batches.recv().expect("a strip for each that is asked for");
            (Arc::new(batch), 0)
        });
        let end = first + strip.lines();
        if batch.lines.iter().any(|lines| lines.all().len() > end) {
            self.begun = Some((batch.clone(), end));
        }
        (batch, first)
    }
}

impl<'a> Feed<'a> {
    /// The next strip, which is this one.
    pub fn next(&self, strip: Strip) -> StripCaptures<'a> {
        self.ahead.come_to(strip.number);
        let next =
            |read: &Mutex<Read>| read.lock().unwrap_or_else(PoisonError::into_inner).next(strip);
        let read = self.read.as_ref().map(next);
        StripCaptures { plan: self.plan, captures: self.captures, strip, read }
    }

    /// Is told that what the strip of this number of a pair has computed is about to be written
    /// where it belongs; all strips of the pair come once more, in order.
    pub fn settles(&self, strip: usize) {
        self.ahead.come_to(strip);
    }
}

impl StripCaptures<'_> {
    /// Writes those of the strip's own rows in the larger block, against a line of lanes, each row
    /// `stride` lines behind the last.
    pub fn lead(&self, plane: usize, line: usize, out: &mut [Line], stride: usize) {
        self.tile(plane, (self.strip.large(), self.strip.number, line), line, out, stride);
    }

    /// Writes those of a tile of own rows of the smaller block, against opponent's rows of the strip.
    pub fn follow(&self, plane: usize, tile: usize, out: &mut Tile) {
        let place = (self.strip.small, tile, self.strip.number);
        self.tile(plane, place, self.strip.tiles() + tile, &mut out.0, 1);
    }

    fn tile(
        &self,
        plane: usize,
        place: (usize, usize, usize),
        at: usize,
        out: &mut [Line],
        stride: usize,
    ) {
        let lines = out.iter_mut().step_by(stride);
        let Some(last) = self.captures.len().checked_sub(1) else {
            return lines.take(LINE).for_each(|line| *line = Line::of(NONE));
        };
        let which = plane.min(last);
        match self.captures[which] {
            Captures::InMemory(captures) => captures.spread(self.plan, place, out, stride),
            Captures::OnDisk(_) => {
                let (batch, first) = self.read.as_ref().expect("strips on disk are read");
                let read = &batch.lines[which].all()[first + at * LINE..][..LINE];
                lines.zip(read).for_each(|(line, read)| *line = *read);
            }
        }
    }
}
