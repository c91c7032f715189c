//! What captures are worth in a strip, read ahead from disk if it is there.
//!
//! A sweep goes through all strips in a fixed order, so a thread reads them in that order and hands
//! them out one by one. It is ahead by a few strips, which is all the memory it takes. On its way it
//! has the scores fetched that the strips to come will touch ([`super::ahead`]).

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::Sweep;
use super::ahead::ReadAhead;
use crate::layer::blocks::{LINE, Line};
use crate::solver::strips::{Captures, Strip};

/// Strips that come one after the other.
pub struct Feed<'a> {
    captures: &'a [&'a Captures],
    read: Option<Mutex<Receiver<Vec<Vec<Line>>>>>,
}

/// What captures are worth in a strip.
pub struct StripCaptures<'a> {
    captures: &'a [&'a Captures],
    strip: Strip,
    /// By plane: the lines of those that are on disk.
    read: Vec<Vec<Line>>,
}

/// How many strips are read before they are asked for, beside one for each thread.
const AHEAD: usize = 1;

/// Strips that are in memory at most where so many threads work.
pub const fn most_strips(threads: usize) -> usize {
    // One is being read, and one waits to be put into the channel.
    2 * threads + AHEAD + 2
}

/// Calls `work` with all strips of a sweep.
pub fn with_feed<R>(sweep: &Sweep, ahead: &ReadAhead, work: impl FnOnce(&Feed) -> R) -> R {
    let captures = &*sweep.captures;
    if !captures.iter().any(|captures| captures.is_on_disk()) && !ahead.is_wanted() {
        return work(&Feed { captures, read: None });
    }
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(sweep.threads + AHEAD);
        let seeds = sweep.plan.layer.seeds().get();
        scope.spawn(move || read_all(captures, ahead, seeds, &sender));
        // It goes before the scope ends, which ends the reading.
        work(&Feed { captures, read: Some(Mutex::new(receiver)) })
    })
}

fn read_all(
    captures: &[&Captures],
    ahead: &ReadAhead,
    seeds: usize,
    sender: &SyncSender<Vec<Vec<Line>>>,
) {
    for strip in Strip::all(seeds) {
        ahead.come_to(strip);
        let read = captures.iter().map(|captures| captures.read(strip)).collect();
        if sender.send(read).is_err() {
            return;
        }
    }
}

impl<'a> Feed<'a> {
    /// The next strip, which is this one.
    pub fn next(&self, strip: Strip) -> StripCaptures<'a> {
        let receive = |read: &Mutex<Receiver<_>>| {
            let read = read.lock().unwrap_or_else(PoisonError::into_inner);
            read.recv().expect("a strip for each that is asked for")
        };
        let read = self.read.as_ref().map_or_else(Vec::new, receive);
        StripCaptures { captures: self.captures, strip, read }
    }
}

impl StripCaptures<'_> {
    /// For own rows of the strip in the larger block, against a panel.
    pub fn lead(&self, plane: usize, panel: usize) -> &[Line] {
        self.tile(plane, (self.strip.large(), self.strip.number, panel), panel)
    }

    /// For a tile of own rows of the smaller block, against opponent's rows of the strip.
    pub fn follow(&self, plane: usize, tile: usize) -> &[Line] {
        let place = (self.strip.small, tile, self.strip.number);
        self.tile(plane, place, self.strip.tiles() + tile)
    }

    fn tile(&self, plane: usize, (own, tile, panel): (usize, usize, usize), at: usize) -> &[Line] {
        match self.captures.get(plane) {
            None => &[],
            Some(Captures::InMemory(captures)) => captures.tile_lines(own, tile, panel),
            Some(Captures::OnDisk(_)) => &self.read[plane][at * LINE..][..LINE],
        }
    }
}
