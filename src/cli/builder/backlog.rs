//! How much memory is held by layers that wait to be encoded.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes that are held, and who waits until they are fewer.
#[derive(Default)]
pub struct Backlog {
    held: Mutex<u64>,
    released: Condvar,
}

/// Some of the bytes, until it is dropped.
pub struct Share {
    backlog: Arc<Backlog>,
    bytes: u64,
}

impl Backlog {
    /// Counts this many bytes as held.
    pub fn share(self: &Arc<Backlog>, bytes: u64) -> Share {
        *self.held() += bytes;
        Share { backlog: self.clone(), bytes }
    }

    /// Waits until no more than this many bytes are held.
    pub fn wait_until(&self, at_most: u64) {
        let waiting = self.released.wait_while(self.held(), |held| *held > at_most);
        drop(waiting.unwrap_or_else(PoisonError::into_inner));
    }

    fn held(&self) -> MutexGuard<'_, u64> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        *self.backlog.held() -= self.bytes;
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
