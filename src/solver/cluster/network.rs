//! Ranks that `mpirun` has started: MPI between processes, on one machine or many.
//!
//! What is sent stays in memory until the session ends, and then is waited for; so nobody waits for
//! a receiver in between. An error of MPI ends the whole job, as MPI has it.

use std::cell::RefCell;

use mpi::Threading;
use mpi::environment::Universe;
use mpi::point_to_point::{Destination, Source};
use mpi::request::{LocalScope, Request};
use mpi::topology::{Communicator, SimpleCommunicator};
use typed_arena::Arena;

use super::transport::{Session, Transport};
use crate::error::Result;

/// Bytes of a message at most: MPI counts them with 31 bits.
const MOST: usize = 1 << 30;

/// The processes of a job. They part when it is dropped.
pub struct Network {
    world: SimpleCommunicator,
    _universe: Universe,
}

impl Network {
    /// Joins the job. `None` if this process has done so before.
    pub fn join() -> Option<Network> {
        // One thread talks; others encode tables meanwhile.
        let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
        Some(Network { world: universe.world(), _universe: universe })
    }
}

/// Messages on their way.
struct Mail<'a, 's> {
    world: &'a SimpleCommunicator,
    scope: &'s LocalScope<'a>,
    sent: &'a Arena<Vec<u8>>,
    requests: RefCell<Vec<Request<'a, [u8], &'s LocalScope<'a>>>>,
}

impl Transport for Network {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn ranks(&self) -> usize {
        self.world.size() as usize
    }

    fn session(&self, work: &mut dyn FnMut(&dyn Session) -> Result<()>) -> Result<()> {
        let sent = Arena::new();
        mpi::request::scope(|scope| {
            let requests = RefCell::default();
            let mail = Mail { world: &self.world, scope, sent: &sent, requests };
            let done = work(&mail);
            // Even after an error: requests are not to outlive what they send.
            mail.requests.into_inner().into_iter().for_each(Request::wait_without_status);
            done
        })
    }
}

impl Session for Mail<'_, '_> {
    fn send(&self, to: usize, bytes: Vec<u8>) -> Result<()> {
        let (bytes, to) = (&*self.sent.alloc(bytes), self.world.process_at_rank(to as i32));
        let send = |part| to.immediate_send(self.scope, part);
        self.requests.borrow_mut().extend(bytes.chunks(MOST).map(send));
        Ok(())
    }

    fn receive(&self, from: usize, bytes: usize) -> Result<Vec<u8>> {
        let mut message = vec![0; bytes];
        let from = self.world.process_at_rank(from as i32);
        for part in message.chunks_mut(MOST) {
            // An error would have ended the job.
            let _ = from.receive_into(part);
        }
        Ok(message)
    }
}
