//! The threads that encode, and how much memory is held by layers that wait for them.
//!
//! Encoding has as many threads of its own as there are processors, and the system shares these out
//! between it and the solver; ranks on one machine have as many as there are for each. On threads
//! that both share, the solver would wait whenever one of its threads looks for something to do and
//! finds a long piece of encoding. But where fewer threads are asked for than there are processors
//! they are shared, so that no more are at work.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::pool::locked;

use super::ranks;

/// Threads for encoding of their own; without any, the solver's.
pub struct Coders(Option<ThreadPool>);

impl Coders {
    /// Chooses threads that go with those of the solver, which are rayon's global ones.
    pub fn new() -> Coders {
        let processors = ranks::processors();
        let threads = ThreadPoolBuilder::new()
            .num_threads(processors)
            .thread_name(|number| format!("encode-{number}"));
        let has_own = rayon::current_num_threads() >= processors;
        Coders(has_own.then(|| threads.build().ok()).flatten())
    }

    /// Starts `work` on one of the threads. What is parallel in it uses all of them.
    pub fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        match &self.0 {
            Some(threads) => threads.spawn(work),
            // The solver's only thread is this one, which comes to nothing that waits.
            None if rayon::current_thread_index().is_some() => work(),
            None => rayon::spawn(work),
        }
    }

    /// Does what a thread has to do that encodes together with other ranks.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.0 {
            Some(threads) => threads.install(work),
            // On one of the solver's threads the solver would wait, too, whenever that waits for others.
            None => work(),
        }
    }
}

/// Bytes that are held, and who waits until they are fewer.
#[derive(Default)]
pub struct Backlog {
    held: Mutex<u64>,
    released: Condvar,
}

/// Some of the bytes, until it is dropped.
pub struct ReservedBytes {
    backlog: Arc<Backlog>,
    bytes: u64,
}

impl Backlog {
    /// Counts this many bytes as held.
    pub fn share(self: &Arc<Backlog>, bytes: u64) -> ReservedBytes {
        *locked(&self.held) += bytes;
        ReservedBytes { backlog: self.clone(), bytes }
    }

    /// Waits until no more than this many bytes are held.
    pub fn wait_until(&self, at_most: u64) {
        let waiting = self.released.wait_while(locked(&self.held), |held| *held > at_most);
        drop(waiting.unwrap_or_else(PoisonError::into_inner));
    }
}

impl Drop for ReservedBytes {
    fn drop(&mut self) {
        *locked(&self.backlog.held) -= self.bytes;
        self.backlog.released.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    #[test]
    fn waits_until_enough_is_released() {
        let backlog = Arc::<Backlog>::default();
        let shares = [10, 20, 30].map(|bytes| backlog.share(bytes));
        backlog.wait_until(60);
        let (sender, done) = channel();
        std::thread::scope(|scope| {
            let waiting = backlog.clone();
            scope.spawn(move || {
                waiting.wait_until(20);
                sender.send(()).unwrap();
            });
            let [first, second, third] = shares;
            drop(third);
            assert!(done.recv_timeout(Duration::from_millis(50)).is_err(), "30 bytes are held");
            drop(first);
            done.recv().unwrap();
            drop(second);
        });
        backlog.wait_until(0);
    }
}
