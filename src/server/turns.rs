//! Turns: work that keeps a processor busy for seconds, shared out fairly.
//!
//! A client has one turn at a time. The next one goes to the waiting client whose last turn is
//! the longest ago. While others wait turns are short: as long as it takes for all of them to have
//! had theirs within [`PATIENCE`]. A client that would have to wait longer is refused at once, and learns
//! when to try again.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::client::Client;

/// How long a client waits for a turn at most.
pub const PATIENCE: Duration = Duration::from_secs(5);
/// A turn that is shorter would not be worth it.
const SHORTEST: Duration = Duration::from_millis(100);
/// Turns after which a client's last one is forgotten.
const REMEMBERED: u64 = 1024;

/// Turns at some places.
#[derive(Debug)]
pub struct Turns(watch::Sender<Book>);

/// Who is at work, and who waits.
#[derive(Debug, Default)]
struct Book {
    places: usize,
    next: u64,
    waiting: Vec<Wish>,
    at_work: Vec<Wish>,
    /// The last turns of clients.
    last: HashMap<Client, u64>,
    turns: u64,
}

/// A request to work for some time.
#[derive(Debug)]
struct Wish {
    number: u64,
    client: Client,
    time: Duration,
    /// When it came, or when its turn began.
    since: Instant,
}

/// A turn, or the wish for one.
#[derive(Debug)]
pub struct Turn {
    turns: Arc<Turns>,
    number: u64,
}

impl Turns {
    /// Returns turns of which this many go on at the same time.
    pub fn new(places: usize) -> Arc<Turns> {
        Arc::new(Turns(watch::Sender::new(Book { places, ..Book::default() })))
    }

    /// Waits for a turn to work for a time.
    ///
    /// # Errors
    /// The time after which it is worth coming back, if that is more than [`PATIENCE`].
    pub async fn take(self: &Arc<Turns>, client: Client, time: Duration) -> Result<Turn, Duration> {
        let turn = self.queue(client, time)?;
        let mut book = self.0.subscribe();
        // It fails without turns, which are held here.
        let _ = book.wait_for(|book| book.works(turn.number).is_some()).await;
        Ok(turn)
    }

    fn queue(self: &Arc<Turns>, client: Client, time: Duration) -> Result<Turn, Duration> {
        let mut result = Err(PATIENCE);
        self.0.send_modify(|book| {
            let wait = book.wait(client);
            result = if wait > PATIENCE || book.places == 0 {
                Err(wait)
            } else {
                Ok(Turn { turns: self.clone(), number: book.add(client, time) })
            };
        });
        result
    }
}

impl Turn {
    /// Waits until the turn is over.
    pub async fn over(&self) {
        let mut book = self.turns.0.subscribe();
        loop {
            let end = self.end_by(&book.borrow_and_update());
            tokio::select! {
                // It fails without turns, which are held here.
                _ = book.changed() => {}
                () = sleep_until(end) => return,
            }
        }
    }

    /// Returns how much is left of the turn, as things are.
    pub fn left(&self) -> Duration {
        self.end_by(&self.turns.0.borrow()).saturating_duration_since(Instant::now())
    }

    fn end_by(&self, book: &Book) -> Instant {
        book.works(self.number).map_or_else(Instant::now, |wish| wish.end(book.share(None)))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.0.send_modify(|book| book.remove(self.number));
    }
}

impl Wish {
    fn end(&self, share: Duration) -> Instant {
        self.since + self.time.min(share)
    }
}

impl Book {
    fn works(&self, number: u64) -> Option<&Wish> {
        self.at_work.iter().find(|wish| wish.number == number)
    }

    fn is_at_work(&self, client: Client) -> bool {
        self.at_work.iter().any(|wish| wish.client == client)
    }

    fn add(&mut self, client: Client, time: Duration) -> u64 {
        self.next += 1;
        self.waiting.push(Wish { number: self.next, client, time, since: Instant::now() });
        self.call();
        self.next
    }

    fn remove(&mut self, number: u64) {
        self.waiting.retain(|wish| wish.number != number);
        self.at_work.retain(|wish| wish.number != number);
        self.call();
    }

    /// Has those begin for whom there is a place.
    fn call(&mut self) {
        while self.at_work.len() < self.places
            && let Some(next) = self.next_one()
        {
            let wish = self.waiting.remove(next);
            self.turns += 1;
            self.last.insert(wish.client, self.turns);
            self.last.retain(|_, last| self.turns - *last < REMEMBERED);
            self.at_work.push(Wish { since: Instant::now(), ..wish });
        }
    }

    /// Returns whose turn it is among those who wait.
    fn next_one(&self) -> Option<usize> {
        let last = |wish: &Wish| self.last.get(&wish.client).copied().unwrap_or(0);
        let waiting = self.waiting.iter().enumerate();
        let may_begin = waiting.filter(|(_, wish)| !self.is_at_work(wish.client));
        may_begin.min_by_key(|(_, wish)| (last(wish), wish.number)).map(|(at, _)| at)
    }

    /// Returns how long turns are while those wait who do, and a `newcomer`.
    fn share(&self, newcomer: Option<Client>) -> Duration {
        let waiting = self.waiting.iter().map(|wish| wish.client).chain(newcomer);
        let others: HashSet<Client> = waiting.filter(|&client| !self.is_at_work(client)).collect();
        match others.len().div_ceil(self.places.max(1)) {
            0 => Duration::MAX,
            rounds => (PATIENCE / (rounds as u32 + 1)).max(SHORTEST),
        }
    }

    /// Returns the longest wait for a client's next turn if no client with a better claim arrives.
    fn wait(&self, client: Client) -> Duration {
        let share = self.share(Some(client));
        let time = |wish: &Wish| wish.time.min(share);
        let own = self.waiting.iter().filter(|wish| wish.client == client);
        let mut others: HashMap<Client, Duration> = HashMap::new();
        for wish in self.waiting.iter().filter(|wish| wish.client != client) {
            others.entry(wish.client).or_insert_with(|| time(wish));
        }
        let round = others.into_values().sum::<Duration>() / self.places.max(1) as u32;
        self.place_free(client, share) + round + own.map(|wish| time(wish) + round).sum()
    }

    /// Returns when there is a place for a client if no other waits.
    fn place_free(&self, client: Client, share: Duration) -> Duration {
        let is_own = |wish: &&Wish| wish.client == client;
        let end = match self.at_work.iter().find(is_own) {
            Some(own) => Some(own.end(share)),
            None if self.at_work.len() < self.places => None,
            None => self.at_work.iter().map(|wish| wish.end(share)).min(),
        };
        end.map_or(Duration::ZERO, |end| end.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    const LONG: Duration = Duration::from_secs(5);

    fn client(number: u8) -> Client {
        IpAddr::from([10, 0, 0, number]).into()
    }

    fn share(turns: &Turns) -> Duration {
        turns.0.borrow().share(None)
    }

    fn works(turn: &Turn) -> bool {
        turn.turns.0.borrow().works(turn.number).is_some()
    }

    #[test]
    fn whose_last_turn_is_the_longest_ago_is_next() {
        let turns = Turns::new(1);
        let queue = |number| turns.queue(client(number), LONG).unwrap();
        let first = queue(1);
        let again = queue(1);
        let (second, third) = (queue(2), queue(3));
        assert!(works(&first) && !works(&second));
        drop(first);
        assert!(works(&second) && !works(&again), "the first has had its turn");
        let once_more = queue(2);
        drop(second);
        assert!(works(&third));
        drop(third);
        assert!(works(&again));
        drop(again);
        assert!(works(&once_more));
    }

    #[test]
    fn turns_are_short_while_others_wait() {
        let turns = Turns::new(1);
        let first = turns.queue(client(1), LONG).unwrap();
        let again = turns.queue(client(1), Duration::ZERO);
        assert!(again.is_ok() && share(&turns) == Duration::MAX, "nobody else waits");
        assert!(first.left() > LONG / 2);
        let mut waiting: Vec<Turn> =
            (2..6).map(|number| turns.queue(client(number), LONG).unwrap()).collect();
        assert_eq!(share(&turns), PATIENCE / 5);
        assert!(first.left() <= PATIENCE / 5);
        waiting.clear();
        assert!(first.left() > LONG / 2);
    }

    #[test]
    fn who_would_wait_too_long_learns_when_to_come_back() {
        let turns = Turns::new(1);
        let _first = turns.queue(client(1), LONG).unwrap();
        let _again = turns.queue(client(1), LONG).unwrap();
        let wait = turns.queue(client(1), LONG).unwrap_err();
        assert!(wait > LONG && wait <= 2 * LONG, "{wait:?}");
        let mut held = Vec::new();
        let refused = (2..255).find_map(|number| match turns.queue(client(number), LONG) {
            Ok(turn) => {
                held.push(turn);
                None
            }
            Err(wait) => Some(wait),
        });
        assert!(refused.is_some_and(|wait| wait > PATIENCE && wait < 2 * PATIENCE), "{refused:?}");
        assert!(held.len() > 40, "{}", held.len());
    }

    #[test]
    fn who_leaves_makes_room() {
        let turns = Turns::new(2);
        let queue = |number| turns.queue(client(number), LONG).unwrap();
        let (first, second, third, fourth) = (queue(1), queue(2), queue(3), queue(4));
        assert!(works(&first) && works(&second) && !works(&third));
        drop(third);
        drop(second);
        assert!(works(&fourth));
        assert!(turns.queue(client(1), Duration::ZERO).is_ok_and(|turn| !works(&turn)));
        assert!(Turns::new(0).queue(client(1), LONG).is_err());
    }
}
