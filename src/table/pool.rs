//! Tools that are dear to make, handed from task to task.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Tools that are not in use, for any number of threads. There are as many as were ever in use at
/// once.
#[derive(Debug)]
pub struct Pool<T>(Mutex<Vec<T>>);

impl<T> Pool<T> {
    /// Makes a pool without tools.
    pub const fn new() -> Pool<T> {
        Pool(Mutex::new(Vec::new()))
    }

    /// Does `work` with a tool that is not in use, or with one that is made for it.
    pub fn with_or<R>(&self, make: impl FnOnce() -> T, work: impl FnOnce(&mut T) -> R) -> R {
        let idle = self.idle().pop();
        let mut tool = idle.unwrap_or_else(make);
        let result = work(&mut tool);
        self.idle().push(tool);
        result
    }

    fn idle(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Default> Pool<T> {
    /// Does `work` with a tool that is not in use, or with a new one.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        self.with_or(T::default, work)
    }
}

impl<T> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool::new()
    }
}
