//! Threads: as many as are asked for, or as the machine has processors, or as the system allows.

use std::io;
use std::thread::{self, ScopedJoinHandle};

use rayon::ThreadPoolBuilder;

use crate::error::{Error, Result};
use crate::pool::{allowed_threads, processors, usual_threads};

use super::output;

/// Threads for each processor that are of any use: more wait for each other.
const OF_USE: usize = 8;

/// Threads that may be asked for on any machine.
const ALWAYS: usize = 16;

/// Threads that another machine may have.
const ELSEWHERE: usize = 1024;

/// Starts the threads that share work: this many, or one for each processor. Where the system does
/// not allow as many, there are fewer, and it is said.
///
/// # Errors
/// [`Error::Usage`] for more than are of use, [`Error::Io`] if the system changes its mind.
pub fn start(wanted: Option<usize>) -> Result<()> {
    if let Some(wanted) = wanted.filter(|&wanted| wanted > most()) {
        let (processors, most) = (processors(), most());
        return Err(Error::Usage(format!(
            "--threads {wanted}: this machine has {processors} processors, and more than {most} \
             threads do not help; omit it to use one per processor"
        )));
    }
    start_some(wanted)
}

/// Starts the threads of a machine that need not be this one, to forecast what they take. [More](most)
/// than are of use here are counted, but this one is all that there is of them.
///
/// # Errors
/// As [`start`].
pub fn pretend(wanted: Option<usize>) -> Result<()> {
    match wanted {
        Some(wanted) if wanted > ELSEWHERE => {
            Err(Error::Usage(format!("--threads {wanted}: up to {ELSEWHERE} are supported")))
        }
        Some(wanted) if wanted > most() => {
            let pool = ThreadPoolBuilder::new().num_threads(wanted).use_current_thread();
            let started = pool.spawn_handler(|_| Ok(())).build().map(std::mem::forget);
            started.map_err(|error| Error::io("starting", "threads")(io::Error::other(error)))
        }
        wanted => start_some(wanted),
    }
}

/// The most threads that may be of use on this machine.
pub fn most() -> usize {
    (OF_USE * processors()).max(ALWAYS)
}

fn start_some(wanted: Option<usize>) -> Result<()> {
    let wanted = wanted.unwrap_or_else(usual_threads);
    let pool = match allowed_threads(wanted) {
        Ok(allowed) => {
            if allowed < wanted {
                let threads = output::count(allowed as u64, "thread");
                output::note(&format!("the system allows only {threads}, so this takes longer"));
            }
            ThreadPoolBuilder::new().num_threads(allowed)
        }
        Err(_) => ThreadPoolBuilder::new().num_threads(1).use_current_thread(),
    };
    let started = pool.build_global();
    started.map_err(|error| Error::io("starting", "a thread")(io::Error::other(error)))
}

/// Does `work` on this many threads, of which this is one, and returns what each has come to. A
/// thread that cannot be started does not help.
pub fn together<R: Send>(count: usize, work: impl Fn() -> R + Sync) -> Vec<R> {
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, &work).ok();
        let started: Vec<_> = (1..count).filter_map(start).collect();
        let joined = |worker: ScopedJoinHandle<R>| worker.join().expect("a worker does not panic");
        std::iter::once(work()).chain(started.into_iter().map(joined)).collect()
    })
}
