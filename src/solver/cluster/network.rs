//! Ranks that `mpirun` has started: MPI between processes, on one machine or many.
//!
//! What is sent stays in memory until the session ends, and then is waited for; so no sender waits for
//! a receiver in between. An error of MPI ends the whole job, as MPI has it.
//!
//! Two threads of a process may talk at a time, each on a *channel*: messages on one are never taken
//! for those on the other. MPI is called by one thread at a time, and none stays inside: who waits
//! looks again and again, and leaves the processor to others in between. MPI itself would keep it
//! busy. On two cores that two ranks share with what encodes for them, builds took the same time
//! with and without yields, within some 5 %, and with encoding at a lower priority.

use std::cell::RefCell;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{sleep, yield_now};
use std::time::{Duration, Instant};

use mpi::Tag;
use mpi::Threading;
use mpi::environment::Universe;
use mpi::point_to_point::{Destination, Source};
use mpi::request::{LocalScope, Request};
use mpi::topology::{Communicator, SimpleCommunicator};
use typed_arena::Arena;

use super::pulse::Pulse;
use super::transport::{Session, Transport};
use super::watch::Watch;
use crate::error::Result;
use crate::pool::locked;

/// Bytes of a message at most: MPI counts them with 31 bits.
const MOST: usize = 1 << 30;

/// How often who waits looks before it leaves the processor to others: some 10 µs.
const LOOKS: usize = 100;

/// How often it has looked when it begins to sleep.
const YIELDS: usize = 200;

/// How long it sleeps at a time.
const NAP: Duration = Duration::from_micros(50);

/// The processes of a job. They part when it is dropped.
pub struct JobNetwork {
    rank: usize,
    ranks: usize,
    /// Whether several threads may call MPI, one at a time.
    is_shared: bool,
    /// Held by the thread that calls MPI.
    calls: Arc<Mutex<()>>,
    /// Bytes and messages sent.
    sent: [AtomicU64; 2],
    /// Says good-bye before they part.
    pulse: Option<Pulse>,
    _universe: Universe,
}

/// Messages with a tag of their own.
pub struct Channel<'n> {
    network: &'n JobNetwork,
    tag: Tag,
}

impl JobNetwork {
    /// Joins the job. `None` if this process has done so before.
    pub fn join() -> Option<JobNetwork> {
        let (universe, provided) = mpi::initialize_with_threading(Threading::Serialized)?;
        let world = universe.world();
        Some(JobNetwork {
            rank: world.rank() as usize,
            ranks: world.size() as usize,
            is_shared: provided >= Threading::Serialized,
            calls: Arc::default(),
            sent: Default::default(),
            pulse: None,
            _universe: universe,
        })
    }

    /// The number of this rank.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Returns the bytes and messages that this rank has sent over all channels.
    pub fn sent(&self) -> [u64; 2] {
        [0, 1].map(|what: usize| self.sent[what].load(Ordering::Relaxed))
    }

    /// Lets the others hear of this rank from now on, and calls `silent` with a rank that has not been
    /// heard of for so long; not if this MPI serves one thread only.
    pub fn watch(&mut self, patience: Duration, silent: impl FnOnce(usize) + Send + 'static) {
        if self.is_shared && self.ranks > 1 {
            let watch = Watch::new(self.rank, self.ranks, patience, Instant::now());
            self.pulse = Some(Pulse::start(self.calls.clone(), watch, silent));
        }
    }

    /// The channel for the thread that has joined.
    pub fn channel(&self) -> Channel<'_> {
        Channel { network: self, tag: 0 }
    }

    /// The channel for another thread; `None` if this MPI serves one thread only.
    pub fn second_channel(&self) -> Option<Channel<'_>> {
        self.is_shared.then_some(Channel { network: self, tag: 1 })
    }

    fn call(&self) -> MutexGuard<'_, ()> {
        locked(&self.calls)
    }

    /// Looks until a request is done.
    fn wait<'a, D: ?Sized, S: mpi::request::Scope<'a>>(&self, mut request: Request<'a, D, S>) {
        for look in 0.. {
            let call = self.call();
            match request.test() {
                Ok(_) => return,
                Err(pending) => request = pending,
            }
            drop(call);
            match look {
                ..LOOKS => spin_loop(),
                LOOKS..YIELDS => yield_now(),
                _ => sleep(NAP),
            }
        }
    }
}

/// Messages on their way.
struct Mail<'a, 's> {
    channel: &'s Channel<'s>,
    world: &'a SimpleCommunicator,
    scope: &'s LocalScope<'a>,
    sent: &'a Arena<Vec<u8>>,
    requests: RefCell<Vec<Request<'a, [u8], &'s LocalScope<'a>>>>,
}

impl Transport for Channel<'_> {
    fn rank(&self) -> usize {
        self.network.rank
    }

    fn ranks(&self) -> usize {
        self.network.ranks
    }

    fn session(&self, work: &mut dyn FnMut(&dyn Session) -> Result<()>) -> Result<()> {
        let (sent, world) = (Arena::new(), SimpleCommunicator::world());
        mpi::request::scope(|scope| {
            let requests = RefCell::default();
            let mail = Mail { channel: self, world: &world, scope, sent: &sent, requests };
            let done = work(&mail);
            // Even after an error: requests are not to outlive what they send.
            mail.requests.into_inner().into_iter().for_each(|request| self.network.wait(request));
            done
        })
    }
}

impl Session for Mail<'_, '_> {
    fn send(&self, to: usize, bytes: Vec<u8>) -> Result<()> {
        let (bytes, to) = (&*self.sent.alloc(bytes), self.world.process_at_rank(to as i32));
        let JobNetwork { sent, .. } = self.channel.network;
        sent[0].fetch_add(bytes.len() as u64, Ordering::Relaxed);
        sent[1].fetch_add(bytes.chunks(MOST).len() as u64, Ordering::Relaxed);
        let _call = self.channel.network.call();
        let send = |part| to.immediate_send_with_tag(self.scope, part, self.channel.tag);
        self.requests.borrow_mut().extend(bytes.chunks(MOST).map(send));
        Ok(())
    }

    fn receive(&self, from: usize, bytes: usize) -> Result<Vec<u8>> {
        let (mut message, Channel { network, tag }) = (vec![0; bytes], self.channel);
        let from = self.world.process_at_rank(from as i32);
        for part in message.chunks_mut(MOST) {
            mpi::request::scope(|scope| {
                let call = network.call();
                let request = from.immediate_receive_into_with_tag(scope, part, *tag);
                drop(call);
                // An error would have ended the job.
                network.wait(request);
            });
        }
        Ok(message)
    }
}
