//! Tools that are dear to make, handed from task to task.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Tools that are not in use. There are as many as were ever in use at once.
pub(super) struct Pool<T>(Mutex<Vec<T>>);

impl<T: Default> Pool<T> {
    /// Makes a pool without tools.
    pub fn new() -> Pool<T> {
        Pool(Mutex::new(Vec::new()))
    }

    /// Does `work` with a tool that is not in use, or with a new one.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let idle = self.idle().pop();
        let mut tool = idle.unwrap_or_default();
        let result = work(&mut tool);
        self.idle().push(tool);
        result
    }

    fn idle(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
