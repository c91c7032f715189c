//! Ranks that are threads of one program: what the network would carry can be seen here.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use oware_db::error::{Error, Result};
use oware_db::pool::locked;
use oware_db::solver::cluster::transport::{Purpose, Session, Team, Transport};

/// One thread's end of channels to all others.
pub struct Threads {
    rank: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
}

impl Threads {
    /// The ends of a network of this many ranks, in order.
    pub fn new(ranks: usize) -> Vec<Threads> {
        let mut ends: Vec<Threads> =
            (0..ranks).map(|rank| Threads { rank, to: Vec::new(), from: Vec::new() }).collect();
        for sender in 0..ranks {
            for receiver in 0..ranks {
                let (to, from) = channel();
                ends[sender].to.push(to);
                ends[receiver].from.push(Mutex::new(from));
            }
        }
        ends
    }
}

impl Transport for Threads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.to.len()
    }

    fn session(&self, work: &mut dyn FnMut(&dyn Session) -> Result<()>) -> Result<()> {
        work(self)
    }
}

impl Session for Threads {
    fn send(&self, to: usize, bytes: Vec<u8>) -> Result<()> {
        self.to[to].send(bytes).map_err(|_| Error::RankLost { rank: to, silent: None })
    }

    fn receive(&self, from: usize, bytes: usize) -> Result<Vec<u8>> {
        let message = locked(&self.from[from])
            .recv()
            .map_err(|_| Error::RankLost { rank: from, silent: None })?;
        assert_eq!(message.len(), bytes, "both ends know how long a message is");
        Ok(message)
    }
}

/// What each rank comes to that is given one of these.
pub fn on_ranks<T: Sync, R: Send>(given: &[T], work: impl Fn(&Team, &T) -> R + Sync) -> Vec<R> {
    let work = &work;
    thread::scope(|scope| {
        let rank = |(end, given)| scope.spawn(move || work(&Team::new(&end), given));
        let ranks: Vec<_> = Threads::new(given.len()).into_iter().zip(given).map(rank).collect();
        ranks.into_iter().map(|rank| rank.join().unwrap()).collect()
    })
}

#[test]
fn sums_are_known_to_all() {
    on_ranks(&[0, 1, 2], |team, &rank| {
        assert_eq!(team.sums(&[rank, 10 * rank]).unwrap(), [3, 30]);
        assert!(team.any(rank == 2).unwrap());
        assert!(!team.any(false).unwrap());
        assert_eq!(team.hear(&[7 + rank as u8], Purpose::Control).unwrap(), [7]);
    });
}

#[test]
fn whoever_is_gone_is_missed() {
    let mut ends = Threads::new(2);
    drop(ends.pop());
    let team = Team::new(&ends[0]);
    assert!(matches!(team.any(true), Err(Error::RankLost { rank: 1, .. })));
}
