//! What threads share: tools that are dear to make, locks, and threads for a single call.

use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::{env, io};

use rayon::prelude::*;
use rayon::{ThreadBuilder, ThreadPoolBuilder};

use crate::error::{Error, Result};

/// Questions that one thread answers at a stretch, and that a single thread answers if there are no
/// more: some milliseconds.
const TASK: usize = 1 << 12;

/// Locks, also after a panic of the thread that held the lock.
pub fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

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
        let found = locked(&self.idle).pop();
        let mut tool = found.unwrap_or_else(|| Box::new((self.make)()));
        let result = work(&mut tool);
        locked(&self.idle).push(tool);
        result
    }

    /// Answers many questions: a few on this thread, more on [threads of their own](on_own_threads).
    /// `work` also gets the number of the question.
    ///
    /// # Errors
    /// That of the first question, by number, that has one, whatever the threads do; or that there is
    /// no thread.
    pub fn answer_all<Q: Sync, A: Send, E: From<Error> + Send>(
        &self,
        questions: &[Q],
        answers: &mut [A],
        work: impl Fn(&mut T, usize, &Q) -> Result<A, E> + Sync,
    ) -> Result<(), E>
    where
        T: Send,
    {
        let task = |(number, (questions, answers)): (usize, (&[Q], &mut [A]))| {
            self.with(|tool| {
                for (at, (question, answer)) in questions.iter().zip(answers).enumerate() {
                    *answer = work(tool, number * TASK + at, question)?;
                }
                Ok(())
            })
        };
        if questions.len() <= TASK {
            return task((0, (questions, answers)));
        }
        let tasks = questions.par_chunks(TASK).zip(answers.par_chunks_mut(TASK)).enumerate();
        // None is begun behind one that has failed.
        let failed = on_own_threads(tasks.len(), || tasks.find_map_first(|some| task(some).err()))?;
        failed.map_or(Ok(()), Err)
    }
}

/// Does `work` on threads of its own, at most this many, for everything in it that works in
/// parallel. None outlives it. So a process may fork between two calls: threads that stay are
/// missing in the child, which waits for them for ever.
///
/// # Errors
/// [`Error::Io`] if the system starts no thread at all; if it starts fewer, fewer will do.
pub fn on_own_threads<R: Send>(most: usize, work: impl FnOnce() -> R + Send) -> Result<R> {
    if cfg!(all(target_family = "wasm", not(target_feature = "atomics"))) {
        return Ok(work()); // There are no threads.
    }
    on_threads(usual_threads().min(most).max(1), spawned, work)
}

/// Returns how many threads the system allows in addition to this one, at most this many, which are
/// started to see that: rayon's own can be started once only, with luck or without.
///
/// # Errors
/// As [`on_own_threads`].
pub(crate) fn allowed_threads(most: usize) -> Result<usize> {
    on_threads(most, spawned, rayon::current_num_threads)
}

fn spawned(thread: ThreadBuilder) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().spawn(|| thread.run())
}

/// Does `work` on this many threads that `spawn` starts, or on fewer. They are gone afterwards, not
/// only about to go.
fn on_threads<R: Send>(
    mut count: usize,
    spawn: impl Fn(ThreadBuilder) -> io::Result<JoinHandle<()>>,
    work: impl FnOnce() -> R + Send,
) -> Result<R> {
    let mut work = Some(work);
    loop {
        let mut threads = Vec::new();
        let spawn = |thread: ThreadBuilder| spawn(thread).map(|handle| threads.push(handle));
        let pool = ThreadPoolBuilder::new().num_threads(count).spawn_handler(spawn).build();
        let done = pool.map(|pool| {
            let work = work.take().expect("a pool is made once");
            panic::catch_unwind(AssertUnwindSafe(|| pool.install(work)))
        });
        for thread in threads {
            // What a thread panics with has come out of the work.
            let _ = thread.join();
        }
        match done {
            Ok(done) => return Ok(done.unwrap_or_else(|panic| panic::resume_unwind(panic))),
            Err(_) if count > 1 => count /= 2,
            Err(error) => return Err(Error::io("starting", "a thread")(io::Error::other(error))),
        }
    }
}

/// Returns how many threads are usual: as many as there are processors, or as the variable says that
/// rayon reads.
pub(crate) fn usual_threads() -> usize {
    let asked = env::var("RAYON_NUM_THREADS").ok().and_then(|number| number.parse().ok());
    asked.filter(|&threads| threads > 0).unwrap_or_else(processors)
}

/// Returns how many processors there are for this program.
pub(crate) fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

    #[test]
    fn as_many_are_made_as_are_at_work_at_the_same_time() {
        let made = AtomicU32::new(0);
        let pool = Pool::new(|| made.fetch_add(1, Ordering::Relaxed));
        for _ in 0..3 {
            pool.with(|outer| assert_eq!(pool.with(|inner| *inner + *outer), 1));
        }
        assert_eq!(made.load(Ordering::Relaxed), 2);
    }
    #[test]
    fn many_are_answered_in_their_places_and_the_first_error_counts() {
        let pool = Pool::new(|| 1);
        let questions: Vec<usize> = (0..10 * TASK + 7).collect();
        for count in [0, 5, TASK, TASK + 1, questions.len()] {
            let mut answers = vec![0; count];
            let next = |one: &mut usize, number, question: &usize| {
                assert_eq!(number, *question);
                Ok::<usize, Error>(question + *one)
            };
            pool.answer_all(&questions[..count], &mut answers, next).unwrap();
            assert!(answers.into_iter().eq(1..count + 1));
        }
        let mut answers = vec![0; questions.len()];
        for first in [0, 1, TASK - 1, 3 * TASK + 5, questions.len() - 1] {
            let wrong = |_: &mut usize, number: usize, _: &usize| match number {
                number if number < first => Ok(0),
                number => Err(Error::Usage(number.to_string())),
            };
            let error = pool.answer_all(&questions, &mut answers, wrong).unwrap_err();
            assert_eq!(error.to_string(), first.to_string());
        }
    }

    #[test]
    fn threads_are_those_of_the_call() {
        let inside = on_own_threads(3, || (rayon::current_num_threads(), thread::current().id()));
        let (threads, id) = inside.unwrap();
        assert!(threads == usual_threads().min(3) && id != thread::current().id());
    }
    #[test]
    fn fewer_threads_do_where_more_are_refused() {
        let started = AtomicUsize::new(0);
        let within = |most: usize| {
            started.store(0, Ordering::Relaxed);
            let spawn = |thread: ThreadBuilder| match thread.index() {
                index if index < most => {
                    started.fetch_add(1, Ordering::Relaxed);
                    thread::Builder::new().spawn(|| thread.run())
                }
                _ => Err(io::ErrorKind::WouldBlock.into()),
            };
            on_threads(16, spawn, rayon::current_num_threads)
        };
        assert_eq!([1, 2, 3, 7, 8, 16].map(|most| within(most).unwrap()), [1, 2, 2, 4, 8, 16]);
        let refused = within(0).unwrap_err();
        assert!(refused.to_string().starts_with("a thread: starting failed"), "{refused}");
        assert_eq!(started.load(Ordering::Relaxed), 0);
    }
}
