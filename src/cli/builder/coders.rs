//! The threads that encode.
//!
//! Encoding has as many threads of its own as there are processors, and the system shares these out
//! between it and the solver; ranks on one machine have as many as there are for each. On threads
//! that both share, the solver would wait whenever one of its threads looks for something to do and
//! finds a long piece of encoding. But where fewer threads are asked for than there are processors
//! they are shared, so that no more are at work.

use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::ranks;

/// Threads for encoding.
pub enum Coders {
    Own(ThreadPool),
    /// The solver's.
    Shared,
}

impl Coders {
    /// Chooses threads that go with those of the solver, which are rayon's global ones.
    pub fn new() -> Coders {
        let processors = available_parallelism().map_or(1, usize::from);
        let processors = (processors / ranks::on_this_machine()).max(1);
        if rayon::current_num_threads() < processors {
            return Coders::Shared;
        }
        let threads = ThreadPoolBuilder::new()
            .num_threads(processors)
            .thread_name(|number| format!("encode-{number}"));
        threads.build().map_or(Coders::Shared, Coders::Own)
    }

    /// Starts `work` on one of the threads. What is parallel in it uses all of them.
    pub fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        match self {
            Coders::Own(threads) => threads.spawn(work),
            // The solver's only thread is this one, which comes to nothing that waits.
            Coders::Shared if rayon::current_thread_index().is_some() => work(),
            Coders::Shared => rayon::spawn(work),
        }
    }

    /// Does what a thread has to do that encodes together with other ranks.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match self {
            Coders::Own(threads) => threads.install(work),
            // On one of the solver's threads the solver would wait, too, whenever that waits for others.
            Coders::Shared => work(),
        }
    }
}
