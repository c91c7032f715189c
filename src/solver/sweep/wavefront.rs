//! Strips that go through the same panels one after the other, each on its own thread.
//!
//! Row b of a pair needs what earlier rows left in the same panels, and what it left itself in
//! earlier panels. So the panels of the smaller block are cut into *chunks*, and each strip of rows
//! goes through the chunks in order, a step behind the strip before it:
//!
//! ```text
//!              chunk 0   chunk 1   chunk 2
//!   strip 0    .......   .......   now A          threads A, B, C
//!   strip 1    .......   now B
//!   strip 2    now C
//! ```
//!
//! A chunk belongs to one strip at a time and counts the strips that have left it. It is the lock
//! that hands its rows on, so no two threads can hold the same row, and the compiler sees that; no
//! thread waits for all others. The last strips of a pair are waited for once, before it is
//! settled. Most of a strip's time goes into its first stage, which needs no order: so the strip
//! before is usually gone from a chunk by the time it is wanted. Where it is not, a thread that slept
//! at once would lose more than it waits for: two threads took 0.57 s for layer 20 of `awari`, of
//! which one takes 0.78 s, and 0.50 s since they look for longer.
//!
//! Where a thread panics, the strips behind its own would wait for ever; so it lets all of them go
//! ([`Watch`]), and they panic, too.
//!
//! There are as many chunks as threads, or twice as many where there are many threads, which wait for
//! each other more often. Eight for two threads cost 5 %: each row is as many calls as there are chunks.
//! Where there are several threads for each panel, rows go by [depth](super::depth).
//!
//! # Tried, did not pay
//!
//! Threads that keep to a chunk instead of a strip, so that the rows of a chunk stay in one
//! processor's cache: what one writes and the other reads costs next to nothing, for two solves side
//! by side take as long as one and the loops no longer on two threads than on one; and they waited
//! more.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{panicking, yield_now};

use crate::pool::locked;
use crate::timeline::{Mark, mark, region};

/// How often a thread looks whether the strip before has gone, before it lets others go first each
/// time: some microseconds.
const LOOKS: usize = 300;

/// How often it lets others go first, before it lies down to sleep: a millisecond if there are none. To
/// be woken takes a virtual machine longer than a strip needs for a chunk.
const YIELDS: usize = 2000;

/// Strips that are through when there will be no more: some thread has panicked.
const GIVEN_UP: usize = usize::MAX;

/// Something that strips use in order.
pub struct Chunk<T> {
    /// Strips that are through, to look at from outside.
    through: AtomicUsize,
    state: Mutex<State<T>>,
    passed: Condvar,
}

struct State<T> {
    /// Strips that are through.
    strips: usize,
    /// Threads that sleep until more are.
    asleep: usize,
    rows: T,
}

impl<T> Chunk<T> {
    /// One that no strip has come to.
    pub fn new(rows: T) -> Chunk<T> {
        let state = Mutex::new(State { strips: 0, asleep: 0, rows });
        Chunk { through: AtomicUsize::new(0), state, passed: Condvar::new() }
    }

    /// Looks at rows that no strip but the caller's writes, in or out of turn.
    pub fn look<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        look(&locked(&self.state).rows)
    }

    /// Waits until this many strips are through, uses the chunk and passes it on.
    ///
    /// # Panics
    /// If they were through long ago: two threads work on the same strip; and if another thread has
    /// panicked, so that they never will be.
    pub fn pass<R>(&self, strips: usize, work: impl FnOnce(&mut T) -> R) -> R {
        mark(Mark::Enter(std::ptr::from_ref(self).addr()));
        let mut state = self.wait_for(strips);
        assert_ne!(state.strips, GIVEN_UP, "another thread has panicked");
        assert_eq!(state.strips, strips, "each strip is worked on once");
        let result = work(&mut state.rows);
        state.strips += 1;
        self.through.store(state.strips, Ordering::Release);
        let is_awaited = state.asleep > 0;
        drop(state);
        if is_awaited {
            self.passed.notify_all();
        }
        mark(Mark::Leave);
        result
    }

    /// The chunk once this many strips are through.
    fn wait_for(&self, strips: usize) -> MutexGuard<'_, State<T>> {
        let is_through = || self.through.load(Ordering::Acquire) >= strips;
        for look in 0..LOOKS + YIELDS {
            if is_through() {
                break;
            }
            if look < LOOKS { spin_loop() } else { yield_now() }
        }
        let mut state = locked(&self.state);
        while state.strips < strips {
            state.asleep += 1;
            state = self.passed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.asleep -= 1;
        }
        state
    }
}

/// What lets all go who wait for some chunks if its thread panics, which takes strips through them.
#[must_use = "it watches until it is dropped"]
pub struct Watch<'c, T>(pub &'c [Chunk<T>]);

impl<T> Drop for Watch<'_, T> {
    fn drop(&mut self) {
        for chunk in self.0.iter().filter(|_| panicking()) {
            locked(&chunk.state).strips = GIVEN_UP;
            chunk.through.store(GIVEN_UP, Ordering::Release);
            chunk.passed.notify_all();
        }
    }
}

/// Tasks that are handed out one by one, in order.
pub struct Tasks<I>(Mutex<I>);

impl<I: Iterator> Tasks<I> {
    /// All that an iterator gives.
    pub fn new(tasks: I) -> Tasks<I> {
        Tasks(Mutex::new(tasks))
    }

    /// The next one.
    pub fn next(&self) -> Option<I::Item> {
        mark(Mark::Task);
        locked(&self.0).next()
    }
}

/// Calls `work` this many times, at once on as many threads as are free, and waits until all calls
/// have come back. A thread that is busy elsewhere is not waited for: its share is left to the
/// others. `name` is what timelines call it.
pub fn crew(name: &'static str, threads: usize, work: impl Fn() + Sync) {
    let _region = region(name);
    if threads <= 1 {
        return work();
    }
    rayon::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|_| work());
        }
        work();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn strips_pass_each_chunk_in_order() {
        let chunks: Vec<Chunk<Vec<usize>>> = (0..5).map(|_| Chunk::new(Vec::new())).collect();
        let strips = Tasks::new(0..100);
        crew("strips", 4, || {
            while let Some(strip) = strips.next() {
                for chunk in &chunks {
                    chunk.pass(strip, |passed| passed.push(strip));
                }
            }
        });
        for chunk in chunks {
            assert!(chunk.state.into_inner().unwrap().rows.into_iter().eq(0..100));
        }
    }

    #[test]
    #[should_panic(expected = "each strip is worked on once")]
    fn the_same_strip_twice_is_found_out() {
        let chunk = Chunk::new(());
        chunk.pass(0, |()| ());
        chunk.pass(0, |()| ());
    }

    #[test]
    fn where_a_thread_panics_none_waits_for_it() {
        for place in [None, Some(0), Some(1)] {
            let (chunks, strips) = ([(); 2].map(Chunk::new), Tasks::new(0..100));
            let crew = || {
                crew("strips", 4, || {
                    let _watch = Watch(&chunks);
                    while let Some(strip) = strips.next() {
                        assert!(strip < 10 || place.is_some());
                        for (at, chunk) in chunks.iter().enumerate() {
                            chunk.pass(strip, |()| assert!(strip < 10 || place != Some(at)));
                        }
                    }
                });
            };
            assert!(catch_unwind(AssertUnwindSafe(crew)).is_err());
        }
    }

    #[test]
    fn a_crew_of_more_than_there_are_threads_comes_to_an_end() {
        let calls = AtomicUsize::new(0);
        crew("calls", 50, || {
            calls.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(calls.into_inner(), 50);
    }
}
