//! A thread of each rank that lets the others hear of it, and watches whether they can be heard of.
//!
//! It has messages of its own, of one byte, to and from every other rank. At the end each says good-bye
//! and waits for the others to, so that no message is on its way when ranks part.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use mpi::Tag;
use mpi::point_to_point::{Destination, Source};
use mpi::request::{Request, StaticScope};
use mpi::topology::{Communicator, SimpleCommunicator};

use super::watch::Watch;
use crate::pool::locked;

/// The tag of its messages.
const TAG: Tag = 2;

/// I am here.
static BEAT: [u8; 1] = [0];

/// I shall not be heard of any more.
static GOOD_BYE: [u8; 1] = [1];

/// How long it sleeps at a time while ranks part.
const NAP: Duration = Duration::from_millis(1);

/// A beat on its way.
type Sent = Request<'static, [u8; 1], StaticScope>;

/// The thread. It says good-bye when this is dropped.
pub struct Pulse {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Pulse {
    /// Begins to watch all other ranks. `calls` is held by who calls MPI; `silent` is called with a
    /// rank that has not been heard of for too long.
    pub fn start(
        calls: Arc<Mutex<()>>,
        watch: Watch,
        silent: impl FnOnce(usize) + Send + 'static,
    ) -> Pulse {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let run = move || {
            let sent = watch.others().map(|rank| (rank, None)).collect();
            Beating { calls, watch, sent, stop: stopped }.run(silent);
        };
        let thread = thread::Builder::new().name("pulse".to_owned()).spawn(run).ok();
        Pulse { stop, thread }
    }
}

impl Drop for Pulse {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

/// What the thread does.
struct Beating {
    calls: Arc<Mutex<()>>,
    watch: Watch,
    /// The last message to each other rank, if it is on its way still.
    sent: Vec<(usize, Option<Sent>)>,
    stop: Arc<AtomicBool>,
}

impl Beating {
    fn run(mut self, silent: impl FnOnce(usize)) {
        let all: Vec<usize> = self.watch.others().collect();
        while !self.stop.load(Ordering::Relaxed) {
            self.call(&all, &BEAT);
            if let Some(rank) = self.watch.silent(Instant::now()) {
                self.give_up();
                return silent(rank);
            }
            thread::park_timeout(self.watch.interval());
        }
        self.part();
    }

    /// Sends to some ranks, if they have got the last message, and listens. Returns those that it
    /// has not sent to.
    fn call(&mut self, to: &[usize], message: &'static [u8; 1]) -> Vec<usize> {
        let calls = self.calls.clone();
        let _call = locked(&calls);
        let (world, mut waiting) = (SimpleCommunicator::world(), Vec::new());
        for (rank, sent) in &mut self.sent {
            *sent = sent.take().and_then(|sent| sent.test().err());
            match sent {
                _ if !to.contains(rank) => {}
                Some(_) => waiting.push(*rank),
                None => {
                    let to = world.process_at_rank(*rank as i32);
                    *sent = Some(to.immediate_send_with_tag(StaticScope, message, TAG));
                }
            }
        }
        self.listen(&world);
        waiting
    }

    fn listen(&mut self, world: &SimpleCommunicator) {
        while let Some(status) = world.any_process().immediate_probe_with_tag(TAG) {
            let (from, mut message) = (status.source_rank(), [0; 1]);
            world.process_at_rank(from).receive_into_with_tag(&mut message, TAG);
            match message == GOOD_BYE {
                true => self.watch.part(from as usize),
                false => self.watch.hear(from as usize, Instant::now()),
            }
        }
    }

    /// Says good-bye to all, and waits until all have.
    fn part(mut self) {
        let mut waiting: Vec<usize> = self.sent.iter().map(|(rank, _)| *rank).collect();
        while !waiting.is_empty() || self.watch.others().next().is_some() || self.is_sending() {
            if self.watch.silent(Instant::now()).is_some() {
                return self.give_up();
            }
            waiting = self.call(&waiting, &GOOD_BYE);
            thread::sleep(NAP);
        }
    }

    fn is_sending(&self) -> bool {
        self.sent.iter().any(|(_, sent)| sent.is_some())
    }

    /// Leaves messages on their way that will not arrive.
    fn give_up(&mut self) {
        self.sent.drain(..).for_each(|(_, sent)| std::mem::forget(sent));
    }
}
