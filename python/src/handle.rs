//! Tables as a Python object holds them: until it is closed, and each process its own.
//!
//! A fork copies a process, but only the thread that forks. What another one had locked stays locked
//! in the child. So a child opens tables for itself, and lets alone what its parent had. The lock here
//! is held only together with Python's, which a thread that forks holds.

use std::mem;
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oware_db::error::Result;
use pyo3::prelude::*;

use crate::errors::{exception, usage};

/// What is open, and what opens it in a child.
pub struct Handle<T> {
    open: Box<dyn Fn() -> Result<T> + Send + Sync>,
    held: Mutex<Option<Held<T>>>,
}

/// What a process has opened.
struct Held<T> {
    process: u32,
    item: Arc<T>,
}

impl<T> Handle<T> {
    /// Opens something.
    pub fn new(
        py: Python<'_>,
        open: impl Fn() -> Result<T> + Send + Sync + 'static,
    ) -> PyResult<Handle<T>> {
        let handle = Handle { open: Box::new(open), held: Mutex::new(None) };
        *handle.held(py) = Some(handle.opened()?);
        Ok(handle)
    }

    /// Returns what is open, which this process opens first if it is a child.
    pub fn get(&self, py: Python<'_>) -> PyResult<Arc<T>> {
        let mut held = self.held(py);
        let closed = || usage("the tables are closed; open them again");
        let found = held.as_mut().ok_or_else(closed)?;
        if found.process != process::id() {
            let own = self.opened()?;
            mem::forget(mem::replace(found, own));
        }
        Ok(found.item.clone())
    }

    /// Closes it; calls that are under way still have it until they end.
    pub fn close(&self, py: Python<'_>) {
        let held = self.held(py).take();
        held.into_iter().for_each(Held::let_go);
    }

    /// Whether it is open.
    pub fn is_open(&self, py: Python<'_>) -> bool {
        self.held(py).is_some()
    }

    fn opened(&self) -> PyResult<Held<T>> {
        let item = Arc::new((self.open)().map_err(|error| exception(&error))?);
        Ok(Held { process: process::id(), item })
    }

    /// No thread that holds Python's lock waits for this one, because none releases Python's while it holds this one.
    fn held(&self, _: Python<'_>) -> MutexGuard<'_, Option<Held<T>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Held<T> {
    /// Drops it, unless it is the parent's, which may have been forked in the middle of something.
    fn let_go(self) {
        if self.process != process::id() {
            mem::forget(self);
        }
    }
}

impl<T> Drop for Handle<T> {
    fn drop(&mut self) {
        let held = self.held.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        held.into_iter().for_each(Held::let_go);
    }
}
