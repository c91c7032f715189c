//! What ranks ask of the network: to send bytes to each other.
//!
//! Ranks run the same program over the same layer, so each knows at every step who has to send what
//! to whom, and how long it is. Nothing but bytes travels: no addresses, no tags; a length only
//! before a list that may be of any length.
//!
//! Invariant: messages from one rank to another come in the order in which they were sent.

use std::cell::Cell;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::error::{Error, Result};

/// One rank's end of a network. It serves one thread at a time.
pub trait Transport: Sync {
    /// The number of this rank, from 0 on. Rank 0 leads.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn ranks(&self) -> usize;

    /// Lets `work` send and receive. What is sent in a session is received in the same session of
    /// the receiver, and is held in memory until it ends.
    ///
    /// # Errors
    /// Those of `work`.
    fn session(&self, work: &mut dyn FnMut(&dyn Session) -> Result<()>) -> Result<()>;
}

/// The ends of one rank.
#[derive(Clone, Copy)]
pub struct Networks<'t> {
    /// Of the network over which ranks solve.
    pub solving: &'t dyn Transport,
    /// Of another over which they encode at the same time, if they have one.
    pub encoding: Option<&'t dyn Transport>,
}

/// Time in which messages are sent and received.
pub trait Session {
    /// Sends bytes. It does not wait for the receiver.
    ///
    /// # Errors
    /// [`Error::RankLost`] if it is known to be gone.
    fn send(&self, to: usize, bytes: Vec<u8>) -> Result<()>;

    /// Waits for the next message of a rank, which is this many bytes long.
    ///
    /// # Errors
    /// [`Error::RankLost`] if it is gone.
    fn receive(&self, from: usize, bytes: usize) -> Result<Vec<u8>>;
}

/// What messages are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Scores that crossing moves lead to: before each pair.
    Crossing,
    /// Scores that home moves lead to, and those of block n/2: with each strip.
    Home,
    /// Lower layers, to enter captures.
    Lower,
    /// Whole layers from and to the leader: for checkpoints and tables.
    Whole,
    /// What certificates depend on.
    Claims,
    /// Counts and orders.
    Control,
}

/// What ranks have sent, by purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes.
    pub bytes: [u64; Traffic::PURPOSES],
    /// Messages.
    pub messages: [u64; Traffic::PURPOSES],
}

impl Traffic {
    /// How many purposes there are.
    pub const PURPOSES: usize = 6;

    /// Bytes sent while sweeps were made.
    pub fn sweeping(&self) -> u64 {
        self.bytes[Purpose::Crossing as usize] + self.bytes[Purpose::Home as usize]
    }

    /// Messages sent while sweeps were made.
    pub fn sweeping_messages(&self) -> u64 {
        self.messages[Purpose::Crossing as usize] + self.messages[Purpose::Home as usize]
    }

    /// Bytes for one purpose.
    pub fn of(&self, purpose: Purpose) -> u64 {
        self.bytes[purpose as usize]
    }

    /// As numbers, to be sent.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        self.bytes.into_iter().chain(self.messages)
    }

    /// Adds what another rank has sent.
    pub(super) fn add(&mut self, words: &[u64]) {
        let all = self.bytes.iter_mut().chain(&mut self.messages);
        all.zip(words).for_each(|(sum, more)| *sum += more);
    }
}

/// A rank among others, which counts what it sends.
pub struct Team<'t> {
    transport: &'t dyn Transport,
    traffic: Cell<Traffic>,
    /// A sum of all that has been said to all.
    heard: Cell<u64>,
}

/// A session that counts.
pub struct Talk<'s> {
    team: &'s Team<'s>,
    session: &'s dyn Session,
}

impl<'t> Team<'t> {
    /// A rank that has sent nothing yet.
    pub fn new(transport: &'t dyn Transport) -> Team<'t> {
        Team { transport, traffic: Cell::default(), heard: Cell::default() }
    }

    /// The number of this rank.
    pub fn rank(&self) -> usize {
        self.transport.rank()
    }

    /// How many ranks there are.
    pub fn ranks(&self) -> usize {
        self.transport.ranks()
    }

    /// Whether this rank has the tables, and tells the others what to do.
    pub fn leads(&self) -> bool {
        self.rank() == 0
    }

    /// All ranks but this one.
    pub fn others(&self) -> impl Iterator<Item = usize> {
        let here = self.rank();
        (0..self.ranks()).filter(move |&rank| rank != here)
    }

    /// What this rank has sent since it was last asked.
    pub fn take_traffic(&self) -> Traffic {
        self.traffic.take()
    }

    /// Returns a sum of all that has been said to all since the beginning: the same on all ranks.
    pub fn heard(&self) -> u64 {
        self.heard.get()
    }

    /// Lets `work` send and receive, see [`Transport::session`]. Returns what it comes to.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn session<T>(&self, work: impl FnOnce(&Talk) -> Result<T>) -> Result<T> {
        let (mut work, mut done) = (Some(work), None);
        self.transport.session(&mut |session| {
            let work = work.take().expect("a session works once");
            done = Some(work(&Talk { team: self, session })?);
            Ok(())
        })?;
        Ok(done.expect("the session is over"))
    }

    /// Tells all ranks what the leader says: this many bytes.
    ///
    /// # Errors
    /// [`Error::RankLost`] if a rank is gone.
    pub fn hear(&self, said: &[u8], purpose: Purpose) -> Result<Vec<u8>> {
        self.hear_from(0, said, purpose)
    }

    /// Tells all ranks what one of them says: this many bytes.
    ///
    /// # Errors
    /// As [`Team::hear`].
    pub fn hear_from(&self, speaker: usize, said: &[u8], purpose: Purpose) -> Result<Vec<u8>> {
        let heard = self.session(|talk| {
            if self.rank() != speaker {
                return talk.receive(speaker, said.len());
            }
            self.others().try_for_each(|rank| talk.send(rank, said.to_vec(), purpose))?;
            Ok(said.to_vec())
        })?;
        self.heard.set(xxh3_64_with_seed(&heard, self.heard.get()));
        Ok(heard)
    }

    /// Ends on all ranks if the leader is `interrupted`.
    ///
    /// # Errors
    /// [`Error::Interrupted`] then, and [`Error::RankLost`] if a rank is gone.
    pub fn go_on(&self, interrupted: bool) -> Result<()> {
        // What is misheard ends no rank by itself: the others would wait for it.
        match self.hear(&[interrupted.into()], Purpose::Control)?[..] {
            [1] => Err(Error::Interrupted),
            _ => Ok(()),
        }
    }

    /// The sums of all ranks' numbers, known to all of them.
    ///
    /// # Errors
    /// [`Error::RankLost`] if a rank is gone.
    pub fn sums(&self, numbers: &[u64]) -> Result<Vec<u64>> {
        let mut sums = numbers.to_vec();
        self.session(|talk| {
            if !self.leads() {
                return talk.send(0, to_bytes(numbers), Purpose::Control);
            }
            for rank in self.others() {
                let more = from_bytes(&talk.receive(rank, size_of_val(numbers))?);
                sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            }
            Ok(())
        })?;
        Ok(from_bytes(&self.hear(&to_bytes(&sums), Purpose::Control)?))
    }

    /// The numbers of all ranks, in order of ranks, known to all of them.
    ///
    /// # Errors
    /// [`Error::RankLost`] if a rank is gone.
    pub fn collect(&self, own: Vec<u64>, purpose: Purpose) -> Result<Vec<u64>> {
        let lists = vec![own; self.ranks()];
        Ok(self.session(|talk| talk.trade(lists, purpose))?.concat())
    }

    /// Whether anything holds on any rank.
    ///
    /// # Errors
    /// [`Error::RankLost`] if a rank is gone.
    pub fn any(&self, holds: bool) -> Result<bool> {
        Ok(self.sums(&[u64::from(holds)])?[0] > 0)
    }
}

impl Talk<'_> {
    /// Sends bytes; no message at all if there are none.
    ///
    /// # Errors
    /// [`Error::RankLost`] if the receiver is known to be gone.
    pub fn send(&self, to: usize, bytes: Vec<u8>, purpose: Purpose) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut traffic = self.team.traffic.get();
        traffic.bytes[purpose as usize] += bytes.len() as u64;
        traffic.messages[purpose as usize] += 1;
        self.team.traffic.set(traffic);
        self.session.send(to, bytes)
    }

    /// Waits for this many bytes of a rank.
    ///
    /// # Errors
    /// [`Error::RankLost`] if it is gone.
    pub fn receive(&self, from: usize, bytes: usize) -> Result<Vec<u8>> {
        if bytes == 0 { Ok(Vec::new()) } else { self.session.receive(from, bytes) }
    }

    /// Sends a list of numbers whose length the receiver does not know.
    ///
    /// # Errors
    /// As [`Talk::send`].
    pub fn send_list(&self, to: usize, numbers: &[u64], purpose: Purpose) -> Result<()> {
        self.send(to, to_bytes(&[numbers.len() as u64]), purpose)?;
        self.send(to, to_bytes(numbers), purpose)
    }

    /// Gives each other rank its list, and returns in its place the list that it gives.
    ///
    /// # Errors
    /// As [`Talk::send`] and [`Talk::receive`].
    pub fn trade(&self, mut lists: Vec<Vec<u64>>, purpose: Purpose) -> Result<Vec<Vec<u64>>> {
        let mut others = self.team.others();
        others.try_for_each(|rank| self.send_list(rank, &lists[rank], purpose))?;
        for rank in self.team.others() {
            lists[rank] = self.receive_list(rank)?;
        }
        Ok(lists)
    }

    /// Waits for a list of numbers.
    ///
    /// # Errors
    /// As [`Talk::receive`].
    pub fn receive_list(&self, from: usize) -> Result<Vec<u64>> {
        let length = from_bytes(&self.receive(from, size_of::<u64>())?)[0] as usize;
        Ok(from_bytes(&self.receive(from, length * size_of::<u64>())?))
    }
}

/// Numbers as bytes, lowest first.
pub fn to_bytes(numbers: &[u64]) -> Vec<u8> {
    let mut bytes = vec![0; size_of_val(numbers)];
    for (slot, number) in bytes.as_chunks_mut().0.iter_mut().zip(numbers) {
        *slot = number.to_le_bytes();
    }
    bytes
}

/// The inverse of [`to_bytes`].
pub fn from_bytes(bytes: &[u8]) -> Vec<u64> {
    let numbers = bytes.as_chunks().0.iter();
    numbers.map(|number| u64::from_le_bytes(*number)).collect()
}
