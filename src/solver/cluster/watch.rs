//! Who has been heard of, and when.
//!
//! A link that goes down for good says nothing, and neither does a process that is stopped: who waits
//! for a message from there would wait for ever. So ranks let each other know now and then that they
//! are there, whatever they are at, and one that has not been heard of for long is given up.

use std::time::{Duration, Instant};

/// A rank lets others hear of it this many times before they would give it up.
const BEATS: u32 = 8;

/// Between two beats passes no more.
const LONGEST: Duration = Duration::from_secs(5);

/// When each rank was heard of last.
#[derive(Debug)]
pub struct Watch {
    patience: Duration,
    /// `None` for ranks that need not be heard of: this one, and those that have said good-bye.
    heard: Vec<Option<Instant>>,
}

impl Watch {
    /// Begins to wait for all ranks but this one, no longer than so long from one time to the next.
    pub fn new(rank: usize, ranks: usize, patience: Duration, now: Instant) -> Watch {
        let heard = (0..ranks).map(|other| (other != rank).then_some(now)).collect();
        Watch { patience, heard }
    }

    /// How long it is from one beat to the next.
    pub fn interval(&self) -> Duration {
        (self.patience / BEATS).min(LONGEST)
    }

    /// Notes that a rank has been heard of.
    pub fn hear(&mut self, rank: usize, now: Instant) {
        if let Some(heard) = &mut self.heard[rank] {
            *heard = now;
        }
    }

    /// Notes that a rank will not be heard of any more.
    pub fn part(&mut self, rank: usize) {
        self.heard[rank] = None;
    }

    /// The ranks that are still to be heard of.
    pub fn others(&self) -> impl Iterator<Item = usize> {
        (0..self.heard.len()).filter(|&rank| self.heard[rank].is_some())
    }

    /// A rank that has not been heard of for too long.
    pub fn silent(&self, now: Instant) -> Option<usize> {
        let is_silent =
            |heard: &Option<Instant>| heard.is_some_and(|heard| now - heard > self.patience);
        self.heard.iter().position(is_silent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_not_heard_of_is_silent_after_a_while() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let mut watch = Watch::new(1, 4, 60 * second, start);
        assert!(watch.others().eq([0, 2, 3]) && watch.interval() == 5 * second);
        assert_eq!(watch.silent(start + 60 * second), None);
        watch.hear(0, start + 50 * second);
        watch.hear(3, start + 50 * second);
        assert_eq!(watch.silent(start + 61 * second), Some(2));
        watch.hear(2, start + 61 * second);
        assert_eq!(watch.silent(start + 110 * second), None);
        assert_eq!(watch.silent(start + 111 * second), Some(0));
        watch.part(0);
        watch.hear(0, start);
        assert_eq!(watch.silent(start + 111 * second), Some(3));
        assert!(watch.others().eq([2, 3]));
        // A rank does not wait for itself.
        assert_eq!(Watch::new(0, 1, second, start).silent(start + 9 * second), None);
    }

    #[test]
    fn beats_are_closer_than_patience() {
        let interval =
            |seconds| Watch::new(0, 2, Duration::from_secs(seconds), Instant::now()).interval();
        assert!(interval(1) < Duration::from_millis(200));
        assert_eq!([interval(60), interval(600)], [LONGEST; 2]);
    }
}
