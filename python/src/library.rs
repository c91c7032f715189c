//! The border: calls into the library, without Python's lock.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use oware_db::error::{Error, Result};
use oware_db::game::Rules;
use oware_db::game::mancala::Sheet;
use oware_db::pool::on_own_threads;
use pyo3::prelude::*;

use crate::errors::{OwareError, exception, usage};

/// How often a call that takes long looks whether Ctrl-C was pressed.
const LOOK: Duration = Duration::from_millis(50);

/// How long Ctrl-C waits for what was begun to end. What takes longer ends by itself, unseen.
const GRACE: Duration = Duration::from_millis(600);

/// Does `work`, and turns what it fails with into an exception, a panic included.
pub fn call<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T> + Send) -> PyResult<T> {
    of_work(py.detach(|| catch_unwind(AssertUnwindSafe(work))))
}

fn of_work<T>(done: thread::Result<Result<T>>) -> PyResult<T> {
    match done {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(exception(&error)),
        Err(panic) => Err(OwareError::new_err(format!("a mistake in oware_db: {}", text(&*panic)))),
    }
}

/// How work that takes long hears that it is to end, and says how it gets on.
pub struct Caller<E> {
    ended: Arc<AtomicBool>,
    tell: Box<dyn Fn(E) + Send + Sync>,
}

impl<E> Caller<E> {
    /// Of work that is over before anybody loses patience.
    pub fn alone() -> Caller<E> {
        Caller { ended: Arc::default(), tell: Box::new(|_| ()) }
    }

    /// Whether the caller no longer waits for the work.
    pub fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// Fails if the caller no longer waits for the work.
    pub fn go_on(&self) -> Result<()> {
        if self.has_ended() { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Tells the calling thread of an event, and waits until that has heard it.
    pub fn tell(&self, event: E) {
        (self.tell)(event);
    }
}

/// Does work that takes long on threads of its own, at most so many, while this one looks out for
/// Ctrl-C. What that raises comes out within a second, and the work is asked to end.
pub fn patiently<T: Send + 'static>(
    py: Python<'_>,
    threads: usize,
    work: impl FnOnce(&Caller<()>) -> Result<T> + Send + 'static,
) -> PyResult<T> {
    listening(py, threads, work, |_, _| Ok(()))
}

/// Does the same, and calls `hear` on this thread: with each event, and with nothing several times a
/// second. What it raises ends the work, too.
pub fn listening<E: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    threads: usize,
    work: impl FnOnce(&Caller<E>) -> Result<T> + Send + 'static,
    mut hear: impl FnMut(Python<'_>, Option<E>) -> PyResult<()>,
) -> PyResult<T> {
    let (said, heard) = channel();
    let (go_on, answered) = channel();
    let ended = Arc::new(AtomicBool::new(false));
    let caller = Caller { ended: ended.clone(), tell: teller(said.clone(), answered) };
    let run = move || {
        let work = || on_own_threads(threads, || work(&caller))?;
        // A caller that has gone does not need the answer.
        let _ = said.send(Said::Done(catch_unwind(AssertUnwindSafe(work))));
    };
    let started = thread::Builder::new().name("oware".to_owned()).spawn(run);
    let thread = started.map_err(|error| exception(&Error::io("starting", "a thread")(error)))?;
    let mut heard = heard;
    loop {
        let (next, back) = py.detach(move || (heard.recv_timeout(LOOK), heard));
        heard = back;
        let (answer, raised) = match next {
            Ok(Said::Done(done)) => {
                // It has nothing to do any more, and is gone when this returns.
                let _ = py.detach(|| thread.join());
                return of_work(done);
            }
            Ok(Said::Event(event)) => (Some(()), hear(py, Some(event))),
            Err(_) => (None, hear(py, None)),
        };
        if let Err(raised) = raised.and_then(|()| py.check_signals()) {
            ended.store(true, Ordering::Relaxed);
            drop(go_on);
            py.detach(move || wait_for_the_end(&heard));
            return Err(raised);
        }
        answer.into_iter().for_each(|()| _ = go_on.send(()));
    }
}

/// Returns what tells an event and waits for an answer, or for nobody's being there to give one.
fn teller<E: Send + 'static, T: Send + 'static>(
    said: Sender<Said<E, T>>,
    answered: Receiver<()>,
) -> Box<dyn Fn(E) + Send + Sync> {
    let answered = Mutex::new(answered);
    Box::new(move |event| {
        if said.send(Said::Event(event)).is_ok() {
            let _ = answered.lock().unwrap_or_else(PoisonError::into_inner).recv();
        }
    })
}

/// Waits for work that has been asked to end, but not for long.
fn wait_for_the_end<E, T>(heard: &Receiver<Said<E, T>>) {
    let latest = Instant::now() + GRACE;
    let left = || latest.saturating_duration_since(Instant::now());
    while matches!(heard.recv_timeout(left()), Ok(Said::Event(_))) {}
}

/// What work says to the thread that has it done.
enum Said<E, T> {
    Event(E),
    Done(thread::Result<Result<T>>),
}

/// Returns an empty vector with room for `count` items.
///
/// # Errors
/// [`Error::OutOfMemory`] if the system does not give it.
pub fn room<T>(count: usize) -> Result<Vec<T>> {
    let mut items = Vec::new();
    let bytes = (count as u64).saturating_mul(size_of::<T>() as u64);
    items.try_reserve_exact(count).map_err(|_| Error::OutOfMemory { bytes })?;
    Ok(items)
}

/// Returns a vector of `count` items that are all the same.
///
/// # Errors
/// As [`room`].
pub fn filled<T: Clone>(count: usize, item: T) -> Result<Vec<T>> {
    let mut items = room(count)?;
    items.resize(count, item);
    Ok(items)
}

/// Fails with a panic, so that the tests see what becomes of one. Not part of the package's face.
#[pyfunction]
pub fn _panic(py: Python<'_>, text: String) -> PyResult<()> {
    call(py, || panic!("{text}"))
}

/// What a panic says.
fn text(panic: &(dyn Any + Send)) -> &str {
    let literal = panic.downcast_ref::<&str>().copied();
    literal.or(panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

/// Returns the sheet with this id.
pub fn rules(id: &str) -> PyResult<&'static Rules> {
    let known = || match Sheet::by_id(id) {
        Some(_) => format!(
            "`{id}` is not a sheet of Oware; use MancalaTables for its tables, which `oware build` \
             builds, and mancala_moves for its moves"
        ),
        None => format!("unknown rules `{id}`; known sheets: {}", Rules::ids()),
    };
    Rules::by_id(id).ok_or_else(|| usage(known()))
}
