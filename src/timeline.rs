//! What one thread does when, so that a bench can compute what many threads would do.
//!
//! Whatever is shared among threads is a *region* of tasks: tasks that any thread may do at any
//! time, or tasks that pass through locks in the order in which they are handed out. Where one
//! thread does them all, the times between marks say how long each takes alone, and `cargo bench
//! --bench threads` plays them on more threads than the machine has. Without a recorder a mark
//! costs a look at a cell of the thread.

use std::cell::{Cell, RefCell};
use std::time::Instant;

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Work is shared from here on: tasks follow.
    Region(&'static str),
    /// A task begins, and the one before it has ended.
    Task,
    /// The task comes to a lock that tasks hold one at a time and in order; a number names it.
    Enter(usize),
    /// It leaves the lock.
    Leave,
    /// All tasks have ended: one thread goes on.
    End,
}

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    static MARKS: RefCell<Vec<(Instant, Mark)>> = const { RefCell::new(Vec::new()) };
}

/// Notes what this thread does next, if it records.
#[inline]
pub(crate) fn mark(mark: Mark) {
    if IS_ON.get() {
        MARKS.with_borrow_mut(|marks| marks.push((Instant::now(), mark)));
    }
}

/// Work that is shared until this is dropped. Within another region it is one of its tasks.
#[must_use = "the region ends when this is dropped"]
pub(crate) struct Region(());

/// Begins a region.
pub(crate) fn region(name: &'static str) -> Region {
    mark(Mark::Region(name));
    Region(())
}

impl Drop for Region {
    fn drop(&mut self) {
        mark(Mark::End);
    }
}

/// Begins a task of a region.
#[inline]
pub(crate) fn task() {
    mark(Mark::Task);
}

/// Does something on this thread, and says what it has marked meanwhile, from beginning to end.
pub fn record<R>(work: impl FnOnce() -> R) -> (R, Vec<(Instant, Mark)>) {
    MARKS.with_borrow_mut(Vec::clear);
    IS_ON.set(true);
    mark(Mark::End);
    let result = work();
    mark(Mark::End);
    IS_ON.set(false);
    (result, MARKS.take())
}
