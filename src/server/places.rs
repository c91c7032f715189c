//! Places: how many there are, how many of them a client may have, and which client gives one up
//! if there is none left for another client.
//!
//! Clients with the most places lose one first, and of theirs the one that [lags](Pace::lag) most
//! goes: a client that asks and takes the answer is preferred to an idle one. No client loses a
//! place to a client that has as many.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::oneshot;

use super::client::Client;
use super::pace::Pace;
use crate::pool::locked;

/// Places of some kind.
#[derive(Debug)]
pub struct Places {
    most: usize,
    most_of_client: usize,
    losers: Losers,
    book: Mutex<Book>,
}

/// Who may lose a place to another client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Losers {
    /// Clients that lag.
    Lagging,
    /// These, and clients with at least two places more than the other.
    Greedy,
}

/// Who has which place.
#[derive(Debug, Default)]
struct Book {
    next: u64,
    taken: Vec<Taken>,
}

#[derive(Debug)]
struct Taken {
    number: u64,
    client: Option<Client>,
    pace: Arc<Pace>,
    /// Dropped with the place, of which [`Lost`] learns.
    _held: oneshot::Sender<()>,
}

/// The right to a place.
#[derive(Debug)]
pub struct Place {
    places: Arc<Places>,
    number: u64,
}

/// Waits until a place is another client's, or free: nothing is ever sent.
pub type Lost = oneshot::Receiver<()>;

impl Places {
    /// Returns `most` places, of which a client may have `most_of_client`.
    pub fn new(most: usize, most_of_client: usize, losers: Losers) -> Arc<Places> {
        Arc::new(Places { most, most_of_client, losers, book: Mutex::default() })
    }

    /// Takes a place for a client, another one's if need be; `None` if there is none to have.
    /// Without a client, places are the free ones.
    pub fn take(
        self: &Arc<Places>,
        client: Option<Client>,
        pace: &Arc<Pace>,
    ) -> Option<(Place, Lost)> {
        let mut book = locked(&self.book);
        let own = client.map_or(0, |client| book.count(client));
        if own >= self.most_of_client {
            let loser = book.slowest(|taken| taken.client == client)?;
            book.taken.swap_remove(loser);
        } else if book.taken.len() >= self.most {
            client?;
            let loser = book.loser(own, self.losers)?;
            book.taken.swap_remove(loser);
        }
        let (number, lost) = book.add(client, pace.clone());
        Some((Place { places: self.clone(), number }, lost))
    }
}

impl Book {
    fn count(&self, client: Client) -> usize {
        self.taken.iter().filter(|taken| taken.client == Some(client)).count()
    }

    fn add(&mut self, client: Option<Client>, pace: Arc<Pace>) -> (u64, Lost) {
        let (held, lost) = oneshot::channel();
        self.next += 1;
        self.taken.push(Taken { number: self.next, client, pace, _held: held });
        (self.next, lost)
    }

    /// Returns which of some places lags most, if any does.
    fn slowest(&self, among: impl Fn(&Taken) -> bool) -> Option<usize> {
        let lag = |(at, taken): (usize, &Taken)| Some((taken.pace.lag()?, at));
        let some = self.taken.iter().enumerate().filter(|(_, taken)| among(taken));
        some.filter_map(lag).max().map(|(_, at)| at)
    }

    /// Returns which place goes to a client that has `own` ones.
    fn loser(&self, own: usize, losers: Losers) -> Option<usize> {
        let mut counts = HashMap::new();
        for taken in &self.taken {
            *counts.entry(taken.client).or_insert(0) += 1;
        }
        let rank = |(at, taken): (usize, &Taken)| {
            let (count, lag) = (counts[&taken.client], taken.pace.lag());
            let least = if lag.is_some() { own + 1 } else { own + 2 };
            let may_lose = lag.is_some() || losers == Losers::Greedy;
            (may_lose && count >= least).then_some((count, lag.unwrap_or(Duration::ZERO), at))
        };
        let ranks = self.taken.iter().enumerate().filter_map(rank);
        ranks.max().map(|(.., at)| at)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        locked(&self.places.book).taken.retain(|taken| taken.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    fn client(number: u8) -> Option<Client> {
        Some(IpAddr::from([10, 0, 0, number]).into())
    }

    /// A client that has just been heard, or one that has been waited for.
    fn paces() -> (Arc<Pace>, Arc<Pace>) {
        let (quick, slow) = (Pace::new(), Pace::new());
        slow.pass(Duration::from_secs(5));
        (quick, slow)
    }

    fn is_lost(lost: &mut Lost) -> bool {
        lost.try_recv() == Err(oneshot::error::TryRecvError::Closed)
    }

    #[test]
    fn a_client_has_so_many_and_loses_its_own_slow_ones() {
        let places = Places::new(9, 2, Losers::Lagging);
        let (quick, slow) = paces();
        let (_first, mut first) = places.take(client(1), &quick).unwrap();
        let second = places.take(client(1), &quick).unwrap();
        assert!(places.take(client(1), &quick).is_none());
        drop(second);
        let (_slow, mut lost) = places.take(client(1), &slow).unwrap();
        assert!(places.take(client(1), &quick).is_some());
        assert!(is_lost(&mut lost) && !is_lost(&mut first));
    }

    #[test]
    fn who_has_none_gets_one_of_who_has_the_most() {
        let (quick, slow) = paces();
        for (losers, pace, gets) in [
            (Losers::Greedy, &quick, true),
            (Losers::Lagging, &quick, false),
            (Losers::Lagging, &slow, true),
        ] {
            let places = Places::new(4, 9, losers);
            let mut held: Vec<_> = [1, 2, 2, 2]
                .map(|number| places.take(client(number), pace).unwrap())
                .into_iter()
                .collect();
            let third = places.take(client(3), &quick);
            assert_eq!(third.is_some(), gets);
            let lost = held.iter_mut().filter_map(|(_, lost)| is_lost(lost).then_some(())).count();
            assert_eq!((lost, is_lost(&mut held[0].1)), (usize::from(gets), false));
            // One each is fair, and a client with more takes nothing from one with less.
            assert!(places.take(client(2), &quick).is_none());
        }
    }

    #[test]
    fn who_has_one_each_loses_it_if_slow() {
        let places = Places::new(2, 9, Losers::Greedy);
        let (quick, slow) = paces();
        let (_first, mut first) = places.take(client(1), &quick).unwrap();
        let (_second, mut second) = places.take(client(2), &slow).unwrap();
        assert!(places.take(client(1), &quick).is_none());
        let (third, _) = places.take(client(3), &quick).unwrap();
        assert!(is_lost(&mut second) && !is_lost(&mut first));
        assert!(places.take(client(4), &quick).is_none() && places.take(None, &quick).is_none());
        drop(third);
        assert!(places.take(None, &quick).is_some());
    }
}
