//! Tools that are dear to make, lent to any number of threads.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Tools for any number of threads. As many are made as were ever at work at the same time.
pub struct Pool<'m, T> {
    make: Box<dyn Fn() -> T + Send + Sync + 'm>,
    /// Each in a box, so that lending one moves a pointer.
    idle: Mutex<Vec<Box<T>>>,
}

impl<'m, T> Pool<'m, T> {
    /// Returns an empty pool, which calls `make` when no tool is idle.
    pub fn new(make: impl Fn() -> T + Send + Sync + 'm) -> Pool<'m, T> {
        Pool { make: Box::new(make), idle: Mutex::default() }
    }

    /// Does `work` with an idle tool, or with a new one, and keeps the tool for others.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let found = self.idle().pop();
        let mut tool = found.unwrap_or_else(|| Box::new((self.make)()));
        let result = work(&mut tool);
        self.idle().push(tool);
        result
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Box<T>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn as_many_are_made_as_are_at_work_at_the_same_time() {
        let made = AtomicU32::new(0);
        let pool = Pool::new(|| made.fetch_add(1, Ordering::Relaxed));
        for _ in 0..3 {
            pool.with(|outer| assert_eq!(pool.with(|inner| *inner + *outer), 1));
        }
        assert_eq!(made.load(Ordering::Relaxed), 2);
    }
}
